//! What is written of each record, and files that appear only when they are complete.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, file, names, program, solve, words};

/// A puzzle with two solutions: two digits at the corners of a rectangle in two boxes can be exchanged.
fn two_solutions() -> String {
    let mut cells = SOLUTION.as_bytes().to_vec();
    'search: for top in 0..9 {
        for bottom in top + 1..9 {
            for left in 0..9 {
                for right in left + 1..9 {
                    let [a, b, c, d] =
                        [9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right];
                    let boxes =
                        if top / 3 == bottom / 3 { left / 3 != right / 3 } else { left / 3 == right / 3 };
                    if boxes && cells[a] == cells[d] && cells[b] == cells[c] {
                        for cell in [a, b, c, d] {
                            cells[cell] = b'.';
                        }
                        break 'search;
                    }
                }
            }
        }
    }
    String::from_utf8(cells).unwrap()
}

#[test]
fn text_has_an_empty_line_where_there_is_no_solution() {
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n{CLASH}\nbad\n{PUZZLE}");
    assert_eq!(solve(["-q"], text.as_bytes()).stdout(), format!("{SOLUTION}\n\n\n\n{SOLUTION}\n"));
}

#[test]
fn csv_tells_all() {
    let (two, zeros) = (two_solutions(), PUZZLE.replace('.', "0"));
    assert_eq!(two.matches('.').count(), 4, "the solution has an exchangeable rectangle");
    let text = format!("{zeros};old\n{NO_SOLUTION}\r\n{CLASH}\nbad\n{two} x\n");
    for (limit, known, found) in [(1, "solved", [1, 1]), (2, "unique", [1, 2]), (3, "unique", [1, 2])] {
        let run = solve(words(&format!("-q --format csv --limit {limit}")), text.as_bytes());
        let rows: Vec<_> = run.stdout().lines().collect();
        assert_eq!(rows[0], "puzzle,solution,status,solutions");
        assert_eq!(rows[1], format!("{zeros},{SOLUTION},{known},{}", found[0]));
        assert_eq!(rows[2], format!("{NO_SOLUTION},,none,0"));
        assert_eq!(rows[3], format!("{CLASH},,invalid,0"));
        assert_eq!(rows[4], ",,invalid,0");
        let status = if limit == 1 { "solved" } else { "multiple" };
        assert!(rows[5].starts_with(&format!("{two},")), "{}", rows[5]);
        assert!(rows[5].ends_with(&format!(",{status},{}", found[1])), "{}", rows[5]);
        assert_eq!(rows.len(), 6);
    }
}

#[test]
fn csv_of_nothing_is_its_header() {
    assert_eq!(solve(words("--format csv"), b"# nothing").stdout(), "puzzle,solution,status,solutions\n");
}

#[test]
fn counts_of_several_digits() {
    let run = solve(words("--format csv --limit 12345"), ".".repeat(81).as_bytes());
    assert!(run.stdout().ends_with(",multiple,12345\n"), "{}", run.stdout());
}

#[test]
fn the_cap_on_guesses() {
    let text = format!("{PUZZLE}\n{}\n", ".".repeat(81));
    let run = solve(words("--format csv --limit 2 --max-guesses 0"), text.as_bytes());
    let rows: Vec<_> = run.stdout().lines().collect();
    assert!(rows[1].ends_with(",unique,1"), "{}", rows[1]);
    assert_eq!(rows[2], format!("{},,limit,0", ".".repeat(81)));
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (mask, mode) in [("022", 0o644), ("077", 0o600)] {
        let script = format!("umask {mask}; exec \"$0\" solve -o \"$1\"");
        let mut run = Command::new("sh");
        run.args(["-c", &script, env!("CARGO_BIN_EXE_rapidoku")])
            .arg(&out)
            .stdin(std::process::Stdio::null());
        assert!(run.status().unwrap().success());
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, mode);
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let out = file(&folder, "out", "old");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(solve(["-o", &out], PUZZLE.as_bytes()).code, Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{SOLUTION}\n"));
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn links_stay_and_their_targets_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("far")).unwrap();
    for old in [Some("old"), None] {
        let (target, link) = (folder.path().join("far/target"), folder.path().join("link"));
        let _ = fs::remove_file(&link);
        let _ = fs::remove_file(&target);
        if let Some(old) = old {
            fs::write(&target, old).unwrap();
        }
        symlink("far/target", &link).unwrap();
        assert_eq!(solve(["-o", link.to_str().unwrap()], PUZZLE.as_bytes()).code, Some(0));
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), format!("{SOLUTION}\n"));
        assert_eq!(names(folder.path()), ["far", "link"]);
    }
}

#[test]
fn a_file_may_be_replaced_by_its_own_solutions() {
    let folder = tempfile::tempdir().unwrap();
    for source in ["--no-mmap", "-j2"] {
        let same = file(&folder, "same", format!("{PUZZLE}\n").repeat(5000));
        assert_eq!(solve([source, "--batch-bytes", "9000", &same, "-o", &same], b"").code, Some(0));
        assert_eq!(fs::read_to_string(&same).unwrap(), format!("{SOLUTION}\n").repeat(5000));
        assert_eq!(names(folder.path()), ["same"]);
    }
}

#[test]
fn in_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "in", PUZZLE);
    let status = program().args(words("solve in -o out")).current_dir(folder.path()).status().unwrap();
    assert!(status.success());
    assert_eq!(names(folder.path()), ["in", "out"]);
}

#[test]
fn pipes_and_devices_are_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read_to_string(fifo).unwrap()
    });
    assert_eq!(solve(["-o", fifo.to_str().unwrap()], PUZZLE.as_bytes()).code, Some(0));
    assert_eq!(reader.join().unwrap(), format!("{SOLUTION}\n"));
    assert_eq!(names(folder.path()), ["fifo"]);
    assert_eq!(solve(words("-o /dev/null"), PUZZLE.as_bytes()).code, Some(0));
    assert_eq!(solve(words("-o -"), PUZZLE.as_bytes()).stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn statistics_are_complete_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let json = file(&folder, "stats.json", "old");
    assert_eq!(solve(["--stats-json", &json, "missing"], b"").code, Some(2));
    assert_eq!(fs::read_to_string(&json).unwrap(), "old");
    assert_eq!(solve(["--stats-json", &json], PUZZLE.as_bytes()).code, Some(0));
    assert!(fs::read_to_string(&json).unwrap().ends_with("}\n"));
    assert_eq!(names(folder.path()), ["stats.json"]);
}
