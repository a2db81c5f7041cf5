//! Control characters from names and contents never reach a terminal or a text report.

use std::fs;

use rapidoku::file::internal::escape;
use rawzip::CompressionMethod;

use crate::support::{CLASH, PUZZLE, Run, SOLUTION, ask, call, file, finish, program, solve, zip};

/// An escape sequence that clears the screen, a line feed, a carriage return, a backspace, the 8-bit introducer of such
/// sequences, and a control that reverses the order of the text after it.
const HOSTILE: &str = "a\x1b[2Jb\nc\rd\x08e\u{9b}2Jf\u{202e}g";
/// The same as it is printed.
const ESCAPED: &str = r"a\x1b[2Jb\nc\rd\x08e\u{9b}2Jf\u{202e}g";

/// Checks that a text for people has none of these characters, but has the escaped name.
fn is_clean(text: &[u8]) {
    let text = str::from_utf8(text).unwrap();
    let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(bad), "{text:?}");
    assert!(text.contains(ESCAPED), "{text}");
    // A line feed in a name does not start a line.
    assert!(text.lines().all(|line| !line.starts_with('c')), "{text}");
}

fn fails(run: &Run) {
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.starts_with("rapidoku: "), "{}", run.stderr);
    is_clean(run.stderr.as_bytes());
}

#[test]
#[cfg(unix)]
fn file_names() {
    let folder = tempfile::tempdir().unwrap();
    let invalid = file(&folder, HOSTILE, format!("bad\n{CLASH}\n"));
    for command in ["solve", "check", "count", "enumerate", "rate"] {
        is_clean(ask(command, [&invalid], b"").stderr.as_bytes());
    }
    is_clean(&ask("verify", [&invalid], b"").stdout);
    is_clean(&ask("explain", [&invalid], b"").stdout);
    is_clean(ask("solve", ["--stats", "--progress", "always", &invalid], b"").stderr.as_bytes());
    let missing = format!("{invalid}.missing");
    fails(&solve([&missing], b""));
    fails(&solve([&format!("{invalid}/x")], b""));
    fails(&solve(["-o", &format!("{missing}/x")], b""));
    fails(&solve([format!("--stats={missing}/x")], b""));
    fails(&solve(["--errors", &format!("{missing}/x")], b""));
    fails(&ask("bench", [&missing], b""));
    let json = file(&folder, &format!("{HOSTILE}.json"), "{\"");
    fails(&solve([&json], b""));
    fails(&solve(["--format", "csv", "--columns", "id", &invalid], b""));
    let two = [(HOSTILE, PUZZLE.as_bytes()), ("other", PUZZLE.as_bytes())];
    fails(&solve([&file(&folder, "in.zip", zip(CompressionMethod::STORE, &two))], b""));
}

#[test]
fn control_characters_appear_as_in_literals() {
    for (text, expected) in [
        (HOSTILE, ESCAPED),
        ("größe 数独 \\ 🧩", "größe 数独 \\ 🧩"),
        ("a\r\nb\t\x7f\0", "a\\r\\nb\\t\\x7f\\x00"),
        ("csv.\u{202e}txt\u{2066}\u{200f}\u{2028}", "csv.\\u{202e}txt\\u{2066}\\u{200f}\\u{2028}"),
    ] {
        assert_eq!(escape(text), expected);
    }
    // Escaped text is one line without controls, and stays so.
    for c in '\0'..=char::MAX {
        let escaped = escape(c.encode_utf8(&mut [0; 4])).into_owned();
        let is_bad = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!escaped.contains(is_bad) && escape(&escaped) == escaped, "{c:?}");
    }
}

#[test]
fn column_names() {
    let quoted = HOSTILE.replace('"', "\"\"");
    let table = format!("id,\"{quoted}\",puzzle,board\n1,2,{PUZZLE},{PUZZLE}\n");
    fails(&call("solve --column missing", &table));
    fails(&call("solve --column puzzle --format csv --columns missing", &table));
    let column = format!("--columns=x{HOSTILE}");
    fails(&solve(["--column", "puzzle", "--format", "csv", &column], table.as_bytes()));
    let other = format!("\"{quoted}\",id\n{PUZZLE},1\n");
    fails(&call("solve --delimiter ,", &other));
    let folder = tempfile::tempdir().unwrap();
    let one = file(&folder, "one", format!("\"{quoted}\",puzzle\n1,{PUZZLE}\n"));
    let two = file(&folder, "two", format!("id,puzzle\n1,{PUZZLE}\n"));
    fails(&solve(["--format", "csv", "--passthrough", "--delimiter", ",", &one, &two], b""));
}

#[test]
fn field_values() {
    // Of a field, messages and reports show single bytes only. Of four invalid records, all are shown.
    let bytes: Vec<u8> = (0..=0x1f).chain(0x7f..=0xff).filter(|byte| *byte != b'\n').collect();
    for some in bytes.chunks(4) {
        let row = |byte: &u8| [b"1,", &[*byte, b'!'][..], b",\n2,", PUZZLE.as_bytes(), b",", &[*byte]].concat();
        let rows: Vec<Vec<u8>> = some.iter().map(row).collect();
        let table = [b"id,puzzle,solution\n".as_slice(), &rows.join(&b'\n')].concat();
        for command in ["solve --format text", "verify", "explain"] {
            let run = call(command, &table);
            let text = [run.stderr.into_bytes(), run.stdout].concat();
            let is_clean = text.iter().all(|&byte| byte == b'\n' || (b' '..=b'~').contains(&byte));
            assert!(is_clean && !text.is_empty(), "{some:?}: {text:?}");
        }
    }
}

#[test]
fn arguments() {
    for args in [&["--limit", HOSTILE][..], &[&format!("--engine={HOSTILE}")], &[&format!("--{HOSTILE}")]] {
        let run = solve(args, b"");
        assert_eq!(run.code, Some(2));
        is_clean(run.stderr.as_bytes());
    }
    fails(&finish(program().arg("solve").env("RAPIDOKU_THREADS", HOSTILE), b""));
}

#[test]
#[cfg(unix)]
fn reports_of_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = file(&folder, HOSTILE, format!("{PUZZLE}\n{SOLUTION}\n"));
    let page = folder.path().join("page.html");
    let rivals = [
        format!("--rival={HOSTILE}<script>=cat"),
        "--rival=x=printf '\\033[2J\\n\\033[2J\\n' {input}".to_owned(),
        format!("--rival={HOSTILE}=printf '\\033[2J' >&2; false"),
    ];
    let run = |more: &[&str]| {
        let args = ["--rounds", "1", "-j1", &puzzles].into_iter().chain(rivals.iter().map(String::as_str));
        ask("bench", args.chain(more.iter().copied()), b"")
    };
    let text = run(&[]);
    is_clean(&text.stdout);
    assert!(text.stdout().matches(ESCAPED).count() >= 4, "{}", text.stdout());
    assert_eq!(run(&["-o", page.to_str().unwrap()]).code, Some(1));
    is_clean(&fs::read(&page).unwrap());
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"));
    assert_eq!(text.code, Some(1));
    is_clean(text.stderr.as_bytes());
}
