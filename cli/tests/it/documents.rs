//! The commands in the documents print what the documents say, and links lead to files and headings that exist.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use crate::support::{beside_program, finish, root};

/// The commands of a document with their output: blocks of `console`, in which a command follows `$ `.
fn commands(document: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut is_console = false;
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            commands.push((command.to_owned(), String::new()));
        } else if is_console {
            let (_, output) = commands.last_mut().expect("a command comes first");
            output.push_str(line);
            output.push('\n');
        }
    }
    commands
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_documents_say() {
    let folder = tempfile::tempdir().unwrap();
    let datasets = root().join("datasets").canonicalize().unwrap();
    std::os::unix::fs::symlink(datasets, folder.path().join("datasets")).unwrap();
    let mut count = 0;
    for document in ["README.md", "docs/guide.md"] {
        for (command, expected) in commands(&fs::read_to_string(root().join(document)).unwrap()) {
            let mut bash = beside_program("bash");
            bash.args(["-c", &format!("{{ {command}; }} 2>&1")]).current_dir(&folder);
            let printed = finish(&mut bash, b"");
            // Empty lines at the end are left out in the documents.
            assert_eq!(printed.stdout().trim_end(), expected.trim_end(), "{document}: {command}");
            count += 1;
        }
    }
    assert!(count >= 10, "{count} commands");
}

/// The anchor of a heading, as code hosts form it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(document: &Path) -> HashSet<String> {
    let text = fs::read_to_string(document).unwrap();
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    headings.map(anchor).collect()
}

/// The names in the first column of the table of modules in a document or the documentation of a crate.
fn listed_modules(text: &str) -> BTreeSet<&str> {
    let rows = text.lines().map(|line| line.trim_start_matches("//!").trim_start());
    let rows = rows.skip_while(|row| *row != "| module | content |").skip(2);
    let cells = rows.map_while(|row| row.strip_prefix('|')?.split('|').next());
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(|name| name.trim_start_matches("mod@")).collect()
}

/// The modules that the roots of crates declare.
fn declared_modules(roots: &[String]) -> BTreeSet<&str> {
    let lines = roots.iter().flat_map(|root| root.lines());
    let declarations = lines.map(|line| line.strip_prefix("pub ").unwrap_or(line));
    declarations.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect()
}

#[test]
fn lists_of_modules_are_complete() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let crates = ["engine", "generate", "rating"].map(|name| format!("crates/{name}/src/lib.rs"));
    for (list, roots) in [("docs/architecture.md", &crates[..]), ("cli/src/lib.rs", &["cli/src/lib.rs".into()])] {
        let (list_text, texts) = (read(list), roots.iter().map(|path| read(path)).collect::<Vec<_>>());
        let mut listed = listed_modules(&list_text);
        listed.remove("file");
        let declared = declared_modules(&texts);
        assert!(declared.len() > 10, "{roots:?}: {declared:?}");
        assert_eq!(listed, declared, "{list}");
    }
}

#[test]
fn links_lead_somewhere() {
    let mut documents = Vec::new();
    for folder in [".", "docs", "benches", "datasets", "fuzz"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let mut count = 0;
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap();
            if target.starts_with("http") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            assert!(path.exists(), "{}: {target}", document.display());
            let exists = heading.is_empty() || anchors(&path).contains(heading);
            assert!(exists, "{}: {target}", document.display());
            count += 1;
        }
    }
    assert!(count >= 20, "{count} links");
}
