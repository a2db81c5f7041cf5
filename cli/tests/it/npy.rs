//! Arrays of NumPy as input and as output.

use std::fs;
use std::io::Write;

use crate::support::{CLASH, PUZZLE, SOLUTION, ask, ask_in_all_ways as run, names, solve, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

/// A file with these numbers, as NumPy writes it.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat(127 - 10 - header.len()));
    [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), b"\n", data].concat()
}

/// The digits of lines of 81 cells.
fn digits(text: &str) -> Vec<i64> {
    let cells = text.bytes().filter(|byte| *byte != b'\n');
    cells.map(|byte| if byte.is_ascii_digit() { i64::from(byte - b'0') } else { 0 }).collect()
}

/// Numbers as bytes.
fn bytes(numbers: &[i64], size: usize, big_endian: bool) -> Vec<u8> {
    let number = |number: &i64| match big_endian {
        true => number.to_be_bytes()[8 - size..].to_vec(),
        false => number.to_le_bytes()[..size].to_vec(),
    };
    numbers.iter().flat_map(number).collect()
}

/// Whatever the batches before contained.
#[test]
fn rows_without_a_solution_are_zeros() {
    let text = format!("{PUZZLE}\n").repeat(5000) + &format!("bad\n{CLASH}\n").repeat(5000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.npy");
    let options = format!("-q -j 1 --batch-bytes 50000 -o {}", path.display());
    assert_eq!(solve(words(&options), text.as_bytes()).code, Some(0));
    let array = fs::read(path).unwrap();
    let rows = &array[array.len() - 15_000 * 81..];
    assert!(rows[..5000 * 81].iter().all(|&digit| digit != 0));
    assert!(rows[5000 * 81..].iter().all(|&digit| digit == 0));
}

#[test]
fn arrays_of_all_integer_types_are_read() {
    let text: String = SAMPLE.split_inclusive('\n').take(30).collect();
    let expected = solve(words("--limit 2 --format csv --columns record,solution,status"), text.as_bytes());
    let numbers = digits(&text);
    for (kind, big_endian) in [("<i", false), (">u", true), ("<u", false), (">i", true)] {
        for (size, shape) in [(1, "(30, 81)"), (2, "(30, 9, 9)"), (4, "(30, 81)"), (8, "(30, 9, 9)")] {
            let array = npy(&format!("{kind}{size}"), shape, &bytes(&numbers, size, big_endian));
            let run = run("solve", "--limit 2 --format csv --columns record,solution,status", &array);
            assert_eq!((run.stdout(), &*run.stderr), (expected.stdout(), ""), "{kind}{size}");
        }
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&npy("|u1", "(30, 81)", &bytes(&numbers, 1, false))).unwrap();
    let unpacked =
        solve(words("--limit 2 --format csv --columns record,solution,status"), &gzip.finish().unwrap());
    assert_eq!(unpacked.stdout(), expected.stdout());
    assert_eq!(run("solve", "", npy("|u1", "(0, 81)", b"")).stdout(), "");
}

#[test]
fn records_with_other_numbers_are_invalid() {
    let mut numbers = digits(&format!("{PUZZLE}{CLASH}{PUZZLE}{PUZZLE}"));
    (numbers[2 * 81 + 10], numbers[3 * 81]) = (-1, 10);
    let array = npy("<i4", "(4, 81)", &bytes(&numbers, 4, false));
    let csv = run("solve", "--format csv --columns puzzle,status,clues", &array);
    let zeros = |text: &str| text.replace('.', "0");
    let listed = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let expected = format!(
        "puzzle,status,clues\n{},solved,30\n{},invalid,2\n{},invalid,\n{},invalid,\n",
        zeros(PUZZLE),
        zeros(CLASH),
        listed(&numbers[162..243]),
        listed(&numbers[243..])
    );
    assert_eq!(csv.stdout(), expected);
    assert_eq!(
        csv.stderr,
        "rapidoku: <stdin>:2: digit 1 twice in row 1: r1c1 and r1c9\n\
         rapidoku: <stdin>:3: number -1 in r2c2: not one of 0 to 9\n\
         rapidoku: <stdin>:4: number 10 in r1c1: not one of 0 to 9\n\
         rapidoku: invalid records: 3\n"
    );
    let errors = ask("check", words("-q --errors - -o /dev/null"), &array);
    let offsets: Vec<&str> =
        errors.stdout().lines().map(|line| line.split("\"byte_offset\":").nth(1).unwrap()).collect();
    assert!(offsets[0].starts_with("452,") && offsets[2].starts_with("1100,"), "{offsets:?}");
    // Other commands number records likewise.
    let explained = ask("explain", words("--format json"), &array);
    assert!(explained.stdout().lines().nth(3).unwrap().contains("\"line\":4,\"record\":4"));
    let grids = npy("|u1", "(3, 81)", &bytes(&digits(&format!("{SOLUTION}{PUZZLE}{SOLUTION}")), 1, false));
    let verified = ask("verify", words("-q"), &grids);
    assert_eq!(verified.stdout(), "<stdin>:2: no solution given\n");
    let copied = ask("check", words("--only unique"), &array);
    assert!(
        copied.code == Some(2)
            && copied.stderr.contains("records are copied as lines, which this format does not have")
    );
}

#[test]
fn what_is_no_array_of_puzzles_is_an_error() {
    let data = bytes(&digits(&format!("{PUZZLE}{PUZZLE}")), 1, false);
    for (array, message) in [
        (
            npy("<f8", "(2, 81)", &data),
            "type '<f8' instead of integers; convert it with ARRAY.astype('uint8')",
        ),
        (npy("|b1", "(2, 81)", &data), "type '|b1' instead of integers"),
        (npy("|u1", "(2, 9)", &data), "shape (2, 9) instead of (N, 81) or (N, 9, 9)"),
        (npy("|u1", "(162,)", &data), "shape (162,) instead"),
        (npy("|u1", "(3, 81)", &data), "truncated NumPy array: according to its header it has 3 puzzles"),
        (npy("|u1", "(2, 81)", &data[..100]), "truncated NumPy array"),
        (npy("|u1", "(1, 81)", &data), "bytes follow the array: according to its header it has 1 puzzles"),
        (npy("|u1", "(1, 81)", &data[..82]), "bytes follow the array"),
        (npy("|u1", "(1, 81)", b"")[..100].to_vec(), "NumPy array: incomplete header"),
    ] {
        let run = run("solve", "-o /dev/null", &array);
        assert_eq!(run.code, Some(2), "{message}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let lines = run("solve", "--input-format lines", npy("|u1", "(2, 81)", &data));
    assert!(lines.stderr.contains("a NumPy array, for which --input-format is npy"), "{}", lines.stderr);
    let text = run("solve", "--input-format npy", PUZZLE.as_bytes());
    assert!(text.code == Some(2) && text.stderr.contains("no NumPy array"), "{}", text.stderr);
}

#[test]
fn the_arrays_of_an_archive_are_inputs_unless_they_are_no_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arrays.npz");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let puzzles = npy("<i8", "(1, 9, 9)", &bytes(&digits(PUZZLE), 8, false));
    for (name, array) in [("ratings.npy", npy("<f8", "(1,)", &[0; 8])), ("puzzles.npy", puzzles)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&array).unwrap();
    }
    zip.finish().unwrap();
    let run = solve([&path], b"");
    assert_eq!(run.stdout(), format!("{SOLUTION}\n"));
    assert!(run.stderr.contains("skipped") && run.stderr.contains("ratings.npy"), "{}", run.stderr);
}

#[test]
fn solutions_are_written_as_an_array() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = SAMPLE.split_inclusive('\n').take(200).chain(["not a puzzle\n"]).collect();
    let lines = solve(words("-q"), text.as_bytes());
    let mut numbers: Vec<i64> = Vec::new();
    for line in lines.stdout().lines() {
        numbers.extend(if line.is_empty() { vec![0; 81] } else { digits(line) });
    }
    let expected = npy("|u1", "(201, 81)", &bytes(&numbers, 1, false));
    let path = folder.path().join("out.npy");
    let name = path.to_str().unwrap();
    for args in ["-j 1", "-j 4 --batch-bytes 200", "--format npy --no-sync"] {
        let run = solve(words(&format!("-q {args} -o {name}")), text.as_bytes());
        assert_eq!((run.code, run.stdout()), (Some(0), ""), "{}", run.stderr);
        assert!(fs::read(&path).unwrap() == expected, "{args}");
    }
    // More than a megabyte is written in several parts.
    let many = text.repeat(80);
    assert_eq!(solve(words(&format!("-q -o {name}")), many.as_bytes()).code, Some(0));
    let array = fs::read(&path).unwrap();
    assert!(array.len() == 128 + 201 * 80 * 81 && array.starts_with(&npy("|u1", "(16080, 81)", b"")));
    assert!(array[128..].chunks(201 * 81).all(|part| part == &expected[128..]));
    // The array is an input again: zeros are an empty grid.
    let statuses = ask("check", words("-q"), &expected);
    let expected = lines.stdout().lines().map(|line| if line.is_empty() { "multiple\n" } else { "unique\n" });
    assert_eq!(statuses.stdout(), expected.collect::<String>());
}

#[test]
fn permute_and_generate_write_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.npy");
    let name = path.to_str().unwrap();
    for (command, args, rows) in [
        ("generate", "7 --seed 3", 7),
        ("generate", "1030 --grids", 1030),
        ("generate", "0", 0),
        ("permute", "--copies 3 --seed 2", 6),
    ] {
        let text = format!("{PUZZLE}\n{CLASH}\n");
        let lines = ask(command, words(args), text.as_bytes());
        let run = ask(command, words(&format!("{args} -o {name}")), text.as_bytes());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{command}");
        let expected = npy("|u1", &format!("({rows}, 81)"), &bytes(&digits(lines.stdout()), 1, false));
        assert!(fs::read(&path).unwrap() == expected, "{command}");
    }
    let run = ask("permute", words(&format!("-q -o {name}")), b"no\n");
    assert_eq!(run.code, Some(2));
    let run = ask("permute", words(&format!("-q --input-format lines -o {name}")), b"no\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(fs::read(&path).unwrap(), npy("|u1", "(1, 81)", &[0; 81]));
    let marks = "123456789".repeat(81);
    let run = ask("permute", words(&format!("-o {name}")), marks.as_bytes());
    assert!(run.code == Some(2) && run.stderr.contains("unsupported pencilmarks"), "{}", run.stderr);
    let run = ask("generate", words(&format!("3 --with-solution -o {name}")), b"");
    assert!(run.code == Some(2) && run.stderr.contains("one grid per row"), "{}", run.stderr);
}

#[test]
fn an_array_needs_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("out.npy.gz");
    for args in [
        "--format npy".to_owned(),
        format!("-o {}", packed.to_str().unwrap()),
        "--format npy -o -".to_owned(),
    ] {
        let run = solve(words(&args), PUZZLE.as_bytes());
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{args}");
        assert!(
            run.stderr.contains("an array of NumPy needs a file that is not compressed"),
            "{}",
            run.stderr
        );
    }
    assert!(names(folder.path()).is_empty());
    let other = folder.path().join("out.npy");
    for command in
        ["count", "check", "rate", "check --only unique", "verify", "explain", "check --format csv"]
    {
        let mut args: Vec<&str> = words(command).collect();
        let command = args.remove(0);
        args.extend(["-o", other.to_str().unwrap()]);
        let run = ask(command, args, PUZZLE.as_bytes());
        assert_eq!(run.code, Some(2), "{command}");
        assert!(run.stderr.contains("this command has no output format 'npy'"), "{command}: {}", run.stderr);
    }
    for args in ["--columns status", "--passthrough", "--blank 0"] {
        let run = solve(words(&format!("{args} -o {}", other.to_str().unwrap())), PUZZLE.as_bytes());
        assert!(
            run.code == Some(2) && run.stderr.contains("require --format csv or jsonl"),
            "{}",
            run.stderr
        );
    }
    assert!(names(folder.path()).is_empty());
}
