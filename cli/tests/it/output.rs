//! What is written of each record, and files that appear only when they are complete.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use flate2::read::GzDecoder;

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, call, file, names, shell, solve};

/// A puzzle with two solutions: two digits at the corners of a rectangle in two boxes can be exchanged.
fn two_solutions() -> String {
    let blank = |(cell, digit)| if [3, 4, 30, 31].contains(&cell) { '.' } else { digit };
    SOLUTION.chars().enumerate().map(blank).collect()
}

#[test]
fn csv_has_the_status_of_every_kind_of_record() {
    let (two, zeros) = (two_solutions(), PUZZLE.replace('.', "0"));
    let text = format!("{zeros};old\n{NO_SOLUTION}\r\n{CLASH}\nbad\n{two} x\n");
    for (limit, known, found) in [(1, "solved", [1, 1]), (2, "unique", [1, 2]), (3, "unique", [1, 2])] {
        let run = call(&format!("solve -q --format csv --limit {limit}"), &text);
        let rows: Vec<_> = run.stdout().lines().collect();
        assert_eq!(rows[0], "puzzle,solution,status,solutions");
        assert_eq!(rows[1], format!("{zeros},{SOLUTION},{known},{}", found[0]));
        assert_eq!(rows[2], format!("{NO_SOLUTION},,none,0"));
        assert_eq!(rows[3], format!("{CLASH},,invalid,0"));
        assert_eq!(rows[4], "bad,,invalid,0");
        let status = if limit == 1 { "solved" } else { "multiple" };
        assert!(rows[5].starts_with(&format!("{two},")), "{}", rows[5]);
        assert!(rows[5].ends_with(&format!(",{status},{}", found[1])), "{}", rows[5]);
        assert_eq!(rows.len(), 6);
    }
    let rows = call("solve -q", &text);
    let solutions: Vec<&str> = rows.stdout().lines().collect();
    assert_eq!((solutions.len(), &solutions[..4]), (5, &[SOLUTION, "", "", ""][..]));
    let none = call("solve --format csv --input-format lines", b"# nothing");
    assert_eq!(none.stdout(), "puzzle,solution,status,solutions\n");
    // Counts may have several digits.
    let many = call("solve --format csv --limit 12345", ".".repeat(81));
    assert!(many.stdout().ends_with(",multiple,12345\n"), "{}", many.stdout());
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (mask, mode) in [("022", 0o644), ("077", 0o600)] {
        assert_eq!(shell(&folder, &format!("umask {mask}; exec $0 solve -o out")).code, Some(0));
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, mode);
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn links_stay_and_their_targets_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("far")).unwrap();
    for old in [Some("old"), None] {
        let (target, link) = (folder.path().join("far/target"), folder.path().join("link"));
        let _ = fs::remove_file(&link);
        let _ = fs::remove_file(&target);
        old.iter().for_each(|old| fs::write(&target, old).unwrap());
        symlink("far/target", &link).unwrap();
        assert_eq!(call(&format!("solve -o {}", link.display()), PUZZLE).code, Some(0));
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), format!("{SOLUTION}\n"));
        assert_eq!(names(folder.path()), ["far", "link"]);
    }
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
    assert_eq!(call("solve -o /dev/null", PUZZLE).code, Some(0));
    assert_eq!(call("solve -o -", PUZZLE).stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn a_file_of_statistics_is_complete_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let json = file(&folder, "stats.json", "old");
    assert_eq!(solve([&*format!("--stats={json}"), "missing"], b"").code, Some(2));
    assert_eq!(fs::read_to_string(&json).unwrap(), "old");
    assert_eq!(solve([format!("--stats={json}")], PUZZLE.as_bytes()).code, Some(0));
    assert!(fs::read_to_string(&json).unwrap().ends_with("}\n"));
    assert_eq!(names(folder.path()), ["stats.json"]);
}

#[test]
fn columns_in_the_requested_order() {
    let text = format!("{PUZZLE}\nbad\n{CLASH}\n");
    let columns = "--columns clues,record,status,puzzle,solution,solutions,guesses --blank 0";
    let run = call(&format!("solve -q --limit 2 --format csv {columns}"), &text);
    let zeros = PUZZLE.replace('.', "0");
    let expected = format!(
        "clues,record,status,puzzle,solution,solutions,guesses\n\
         30,1,unique,{zeros},{SOLUTION},1,0\n,2,invalid,bad,,0,0\n2,3,invalid,{},,0,0\n",
        CLASH.replace('.', "0")
    );
    assert_eq!(run.stdout(), expected);
    let run = call("solve -q --format jsonl --columns record,status", &text);
    assert_eq!(
        run.stdout(),
        "{\"record\":1,\"status\":\"solved\"}\n{\"record\":2,\"status\":\"invalid\"}\n{\"record\":3,\"status\":\"invalid\"}\n"
    );
}

#[test]
fn columns_of_the_input() {
    let table = format!("id,puzzle,solution,\"the \"\"note\"\"\"\n7,{PUZZLE},old,\"a, \"\"b\"\"\"\n8,bad,,\n9\n");
    let run = call("solve -q --format csv --columns id,status,input.solution", &table);
    assert_eq!(run.stdout(), "id,status,solution\n7,solved,old\n8,invalid,\n9,invalid,\n");
    let run = call("solve -q --format csv --passthrough", &table);
    let expected = format!(
        "id,puzzle,input.solution,\"the \"\"note\"\"\",solution,status,solutions\n\
         7,{PUZZLE},old,\"a, \"\"b\"\"\",{SOLUTION},solved,1\n8,bad,,,,invalid,0\n9,,,,,invalid,0\n"
    );
    assert_eq!(run.stdout(), expected);
    // The output is a table whose puzzle column is known by name.
    let again = call("solve -q --format csv --columns id", run.stdout());
    assert_eq!(again.stdout(), "id\n7\n8\n9\n");
    let run = call("solve -q --format jsonl --passthrough", &table);
    let first: serde_json::Value = serde_json::from_str(run.stdout().lines().next().unwrap()).unwrap();
    assert_eq!(first["the \"note\""], "a, \"b\"");
    assert_eq!((&first["solution"], &first["input.solution"]), (&SOLUTION.into(), &"old".into()));
    // A table without rows still has columns.
    let run = call("solve --format csv --passthrough --columns status", b"id,puzzle\n");
    assert_eq!(run.stdout(), "id,puzzle,status\n");
}

#[test]
fn columns_that_do_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(&folder, "one", format!("id,puzzle\n1,{PUZZLE}\n"));
    let two = file(&folder, "two", format!("{PUZZLE}\n"));
    let out = file(&folder, "out", "old");
    let run = solve(["--format=csv", "--columns=status,id", &one, &two, "-o", &out], b"");
    let message = format!(
        "rapidoku: '{two}': no column 'id': the columns are record, puzzle, solution, status, solutions, guesses, clues; the \
         input is not a table\n"
    );
    assert_eq!((run.code, run.stderr), (Some(2), message));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    // Columns alone select CSV.
    assert_eq!(call("solve --columns=status", PUZZLE).stdout(), "status\nsolved\n");
    let run = call("solve --columns=status --format=text", PUZZLE);
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
}

#[test]
fn written_rows_and_grids_are_read_back() {
    for format in ["csv", "jsonl"] {
        let solved = call(&format!("solve --format {format}"), PUZZLE);
        assert_eq!(call("verify -q", solved.stdout()).code, Some(0), "{format}");
    }
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n{PUZZLE}\n");
    let spaced = |cells: &str| {
        let rows = cells.as_bytes().chunks(9).map(|row| row.iter().map(|&cell| (cell as char).to_string()));
        rows.map(|row| row.collect::<Vec<_>>().join(" ") + "\n").collect::<String>()
    };
    let (solution, blank) = (spaced(SOLUTION), spaced(&".".repeat(81)));
    for args in ["-j1", "-j3 --batch-bytes 1"] {
        let run = call(&format!("solve -q --format grid {args}"), &text);
        assert_eq!(run.stdout(), format!("{solution}\n{blank}\n{solution}"));
        let again = call("solve --input-format=grid", run.stdout());
        assert_eq!(again.stdout().lines().collect::<Vec<_>>()[2..], [SOLUTION]);
    }

    let run = call("solve -q --format frame", &text);
    assert!(run.stdout().starts_with("Grid 1: solved\n5 3 4 | 6 7 8 | 9 1 2\n"), "{}", run.stdout());
    assert!(run.stdout().contains("\nGrid 2: none\n\nGrid 3: solved\n"), "{}", run.stdout());
    let again = call("solve", run.stdout());
    let note = "rapidoku: all records are complete grids: 2\n";
    assert_eq!((again.stdout(), &*again.stderr), (&*format!("{SOLUTION}\n{SOLUTION}\n"), note));
}

#[test]
fn the_extension_selects_the_compression() {
    let folder = tempfile::tempdir().unwrap();
    // Some chunks of what several threads pack at a time.
    let text = format!("{PUZZLE}\n").repeat(20_000);
    for (name, magic) in [("out.gz", &[0x1F, 0x8B][..]), ("out.zst", &[0x28, 0xB5, 0x2F, 0xFD])] {
        let out = folder.path().join(name).into_os_string().into_string().unwrap();
        assert_eq!(solve(["-o", &out, "-j", "3"], text.as_bytes()).code, Some(0));
        let packed = fs::read(&out).unwrap();
        assert!(packed.starts_with(magic));
        // Solutions are grids without blanks, whose only solution they are.
        assert_eq!(solve([&out], b"").stdout(), format!("{SOLUTION}\n").repeat(20_000));
        assert_eq!(solve(["-o", &out, "-j", "1", "--batch-bytes", "100000"], text.as_bytes()).code, Some(0));
        assert!(fs::read(&out).unwrap() == packed);
        // A full disk is noticed even where all is held back to the end.
        let full = folder.path().join(format!("full-{name}"));
        symlink("/dev/full", &full).unwrap();
        for text in [PUZZLE, &text] {
            let run = solve(["-o", full.to_str().unwrap()], text.as_bytes());
            assert_eq!(run.code, Some(2), "{}", run.stderr);
            assert!(run.stderr.contains("No space left on device"), "{}", run.stderr);
        }
    }
}

/// Around the size of the chunks of gzip, with characters that compress well or hardly.
#[test]
fn a_file_of_gzip_has_one_member_with_the_same_bytes_for_all_threads() {
    const CHUNK: usize = 256 << 10;
    let folder = tempfile::tempdir().unwrap();
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + (state >> 24) as u8 % 26)
    };
    for length in [83, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 20 * CHUNK + 7] {
        for is_random in [false, true] {
            let mut text = String::new();
            while text.len() < length {
                let left = length - text.len();
                let line = if left < 2 * CHUNK { left } else { CHUNK };
                text += &format!("{PUZZLE} ");
                text.extend((0..line - 83).map(|_| if is_random { random() } else { 'a' }));
                text.push('\n');
            }
            let input = file(&folder, "in", &text);
            let packed = ["-j 1", "-j 2 --batch-bytes 1000", "-j 5"].map(|args| {
                let out = format!("{}/out.gz", folder.path().display());
                let run = call(&format!("sample 9999 {args} --input-format lines {input} -o {out}"), b"");
                assert_eq!(run.code, Some(0), "{}", run.stderr);
                fs::read(out).unwrap()
            });
            let mut decoder = GzDecoder::new(&*packed[0]);
            let mut unpacked = String::new();
            decoder.read_to_string(&mut unpacked).unwrap();
            assert!(decoder.into_inner().is_empty() && unpacked == text, "{length} {is_random}");
            assert!(packed.iter().all(|other| *other == packed[0]), "{length} {is_random}");
        }
    }
}

/// The file may have content before, and other programs may write to it.
#[test]
fn redirected_output_is_shared_and_no_room_is_left_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "in", format!("{PUZZLE}\n").repeat(10_000));
    for (redirection, older) in [(">", ""), (">>", "older\n")] {
        file(&folder, "out", "older\n");
        let line = format!("(echo first; $0 solve -q in; echo few; $0 solve -q in) {redirection} out");
        assert_eq!(shell(&folder, &line).code, Some(0));
        let solutions = format!("{SOLUTION}\n").repeat(10_000);
        let path = folder.path().join("out");
        assert!(fs::read_to_string(&path).unwrap() == format!("{older}first\n{solutions}few\n{solutions}"));
        let metadata = fs::metadata(path).unwrap();
        assert!(metadata.blocks() * 512 <= metadata.len() + (128 << 10), "{} blocks", metadata.blocks());
    }
}

#[test]
fn an_engine_that_echoes_may_call_a_short_record_solved() {
    // Found by fuzzing: the text ends before what would be its 81st cell.
    let run = call("solve --input-format lines --engine noop --format csv --columns puzzle,status", b"12");
    assert_eq!((run.stdout(), run.code), ("puzzle,status\n12,solved\n", Some(0)));
    let grids = call("solve --engine noop", format!("{SOLUTION}\n{PUZZLE}\n"));
    assert_eq!(grids.stdout(), format!("{SOLUTION}\n{}\n", PUZZLE.replace('.', "1")));
}
