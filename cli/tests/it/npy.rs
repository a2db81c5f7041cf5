//! Arrays of NumPy as input and as output.

use std::fs;

use crate::samples::{SAMPLE, head};
use crate::support::{
    CLASH, PUZZLE, SOLUTION, ask, ask_in_all_ways as run, call, file, gzip, inside, names, npy, words,
};

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

#[test]
fn records_with_other_numbers_are_invalid() {
    let mut numbers = digits(&format!("{PUZZLE}{CLASH}{PUZZLE}{PUZZLE}"));
    (numbers[2 * 81 + 10], numbers[3 * 81]) = (-2, 10);
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
         rapidoku: <stdin>:3: the number in r2c2 is neither a digit nor a blank\n\
         rapidoku: <stdin>:4: the number in r1c1 is neither a digit nor a blank\n\
         rapidoku: invalid records: 3\n"
    );
    let errors = call("check -q --errors - -o /dev/null", &array);
    let offsets: Vec<&str> =
        errors.stdout().lines().map(|line| line.split("\"byte_offset\":").nth(1).unwrap()).collect();
    assert!(offsets[0].starts_with("452,") && offsets[2].starts_with("1100,"), "{offsets:?}");
    // Other commands number records likewise.
    let explained = call("explain --format json", &array);
    assert!(explained.stdout().lines().nth(3).unwrap().contains("\"line\":4,\"record\":4"));
    let copied = call("check --only unique", &array);
    copied.fails_with("records are copied as lines, which a NumPy array does not have");
}

#[test]
fn all_types_blanks_and_shapes_have_the_same_rows() {
    let text: String = head(30);
    let args = "--limit 2 --format csv --columns record,solution,status";
    let expected = call(&format!("solve {args}"), &text);
    let numbers = digits(&text);
    let moved = |by: i64, blank: i64| -> Vec<i64> {
        numbers.iter().map(|&number| if number == 0 { blank } else { number + by }).collect()
    };
    let single: Vec<u8> = numbers.iter().flat_map(|&number| (number as f32).to_be_bytes()).collect();
    let double: Vec<u8> = moved(1, 1).iter().flat_map(|&number| (number as f64).to_le_bytes()).collect();
    let mut arrays = vec![
        (npy(">f4", "(30, 81, 1)", &single), ""),
        (npy("<f8", "(30, 9, 9, 1)", &double), "--blank-number 1"),
        (npy("<i4", "(30, 81)", &bytes(&moved(1, 1), 4, false)), "--blank-number 1"),
        (npy("|i1", "(30, 81)", &bytes(&moved(-1, -1), 1, false)), "--blank-number -1"),
        (gzip(&npy("|u1", "(30, 81)", &bytes(&numbers, 1, false))), ""),
    ];
    for (kind, big_endian) in [("<i", false), (">u", true), ("<u", false), (">i", true)] {
        for (size, shape) in [(1, "(30, 81)"), (2, "(30, 9, 9)"), (4, "(30, 81)"), (8, "(30, 9, 9)")] {
            arrays.push((npy(&format!("{kind}{size}"), shape, &bytes(&numbers, size, big_endian)), ""));
        }
    }
    for (array, option) in arrays {
        let run = run("solve", &format!("{args} {option}"), &array);
        let header = array[..60].escape_ascii();
        assert_eq!((run.stdout(), &run.stderr), (expected.stdout(), &expected.stderr), "{header} {option}");
    }
    assert_eq!(run("solve", "", npy("|u1", "(0, 81)", b"")).stdout(), "");
    let puzzle = digits(PUZZLE);
    for shape in ["(81,)", "(9, 9)", "(1, 81, 1)"] {
        let run = run("solve", "", npy("|u1", shape, &bytes(&puzzle, 1, false)));
        assert_eq!(run.stdout(), format!("{SOLUTION}\n"), "{shape}");
    }
    let pair = bytes(&digits(&format!("{PUZZLE}{SOLUTION}{PUZZLE}{CLASH}")), 8, false);
    for shape in ["(2, 2, 81)", "(2, 2, 9, 9)"] {
        let run = run("verify", "", npy("<i8", shape, &pair));
        assert_eq!(run.stdout(), "<stdin>:2: solution: no digit in r1c2\n", "{shape}: {}", run.stderr);
    }
}

#[test]
fn an_array_with_other_digits_is_an_error_that_names_the_option() {
    let labels: Vec<i64> = digits(SOLUTION).iter().map(|number| number - 1).collect();
    let mask = (0..81).map(|k| i64::from(k % 9 == k / 9)).collect();
    for numbers in [mask, labels.clone()] {
        let run = run("solve", "-o /dev/null", npy("<i8", "(1, 81)", &bytes(&numbers, 8, false)));
        run.fails_with("no puzzle at the start has a 9; are the digits 0 to 8");
        assert!(run.stderr.ends_with("\n  rapidoku solve --blank-number -1 -\n"), "{}", run.stderr);
    }
    let array = npy("<i8", "(1, 81)", &bytes(&labels, 8, false));
    assert_eq!(run("solve", "-q --blank-number -1", &array).stdout(), format!("{SOLUTION}\n"));
    // The option decides.
    assert_ne!(run("solve", "-q --blank-number 0", &array).stdout(), format!("{SOLUTION}\n"));
    let puzzle = || digits(PUZZLE).into_iter().skip(1).map(|number| number as f64);
    let mixed = [2.5, f64::NAN, -1.0].into_iter().flat_map(|odd| puzzle().chain([odd]));
    let mixed = npy("<f8", "(3, 81)", &mixed.flat_map(f64::to_le_bytes).collect::<Vec<_>>());
    let checked = run("check", "-q --input-format npy --blank-number 0", mixed);
    assert_eq!(checked.stdout(), "invalid\n".repeat(3));
}

#[test]
fn arrays_that_are_not_puzzles_are_errors() {
    let data = bytes(&digits(&format!("{PUZZLE}{PUZZLE}")), 1, false);
    let mut fortran = npy("|u1", "(2, 81)", &data);
    let at = fortran.windows(6).position(|word| word == b"False,").unwrap();
    fortran[at..at + 5].copy_from_slice(b"True ");
    for (array, message) in [
        (npy("|b1", "(2, 81)", &data), "type |b1"),
        (fortran, "in Fortran order"),
        (npy("|O", "(2,)", &data), "type |O"),
        (npy("<U81", "(2,)", &data), "type <U81"),
        (npy("|u1", "(1, 162)", &data), "shape (1, 162)"),
        (npy("|u1", "(2, 9)", &data), "shape (2, 9)"),
        (npy("|u1", "(162,)", &data), "shape (162,)"),
        ([npy("|u1", "(2, 81)", &data), npy("|u1", "(2, 81)", &data)].concat(), "the array"),
        (npy("|u1", "(3, 81)", &data), "runcated"),
        (npy("|u1", "(2, 81)", &data[..100]), "runcated"),
        (npy("|u1", "(1, 81)", &data[..82]), "the array"),
        (npy("|u1", "(1, 81)", b"")[..100].to_vec(), "header"),
    ] {
        call("solve -o /dev/null", &array).fails_with(message);
    }
    let text = run("solve", "--input-format npy", PUZZLE.as_bytes());
    assert_eq!((text.code, text.stdout()), (Some(2), ""), "{}", text.stderr);
}

#[test]
fn solutions_are_written_as_an_array() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = SAMPLE.split_inclusive('\n').take(200).chain(["not a puzzle\n"]).collect();
    let lines = call("solve -q", &text);
    let row = |line: &str| if line.is_empty() { vec![0; 81] } else { digits(line) };
    let numbers: Vec<i64> = lines.stdout().lines().flat_map(row).collect();
    let expected = npy("|u1", "(201, 81)", &bytes(&numbers, 1, false));
    let path = folder.path().join("out.npy");
    let name = path.to_str().unwrap();
    for args in ["", "--format npy"] {
        let run = call(&format!("solve -q {args} -o {name}"), &text);
        assert_eq!((run.code, run.stdout()), (Some(0), ""), "{}", run.stderr);
        assert!(fs::read(&path).unwrap() == expected, "{args}");
    }
    // More than a megabyte is written in several parts.
    let many = text.repeat(80);
    assert_eq!(call(&format!("solve -q -o {name}"), &many).code, Some(0));
    let array = fs::read(&path).unwrap();
    assert!(array.len() == 128 + 201 * 80 * 81 && array.starts_with(&npy("|u1", "(16080, 81)", b"")));
    assert!(array[128..].chunks(201 * 81).all(|part| part == &expected[128..]));
    // The array is an input again: zeros are an empty grid.
    let statuses = call("check -q", &expected);
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
        ("generate", "1030 --grids --seed 0", 1030),
        ("generate", "0 --seed 0", 0),
        ("permute", "--copies 3 --seed 2", 6),
    ] {
        let text = format!("{PUZZLE}\n{CLASH}\n");
        let lines = ask(command, words(args), text.as_bytes());
        let run = ask(command, words(&format!("{args} -o {name}")), text.as_bytes());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{command}");
        let expected = npy("|u1", &format!("({rows}, 81)"), &bytes(&digits(lines.stdout()), 1, false));
        assert!(fs::read(&path).unwrap() == expected, "{command}");
    }
    assert_eq!(call(&format!("permute -q -o {name}"), b"no\n").code, Some(2));
    let run = call(&format!("permute -q --input-format lines -o {name}"), b"no\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(fs::read(&path).unwrap(), npy("|u1", "(1, 81)", &[255; 81]));
    call(&format!("generate 3 --columns solution -o {name}"), b"").fails_with("requires --format csv");
}

/// The grids of an array of puzzles and solutions, as lines.
fn pairs(array: &[u8]) -> String {
    let rows = (array.len() - 128) / 162;
    assert!(array.starts_with(&npy("|u1", &format!("({rows}, 2, 81)"), b"")), "{array:?}");
    let cell = |digit: &u8| if *digit == 255 { '!' } else { char::from(b'0' + digit) };
    let grid = |digits: &[u8]| digits.iter().map(cell).collect::<String>();
    array[128..].chunks(162).map(|row| format!("{},{}\n", grid(&row[..81]), grid(&row[81..]))).collect()
}

#[test]
fn puzzles_and_solutions_are_in_one_array() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = head(300);
    let solved = call("solve --unique --columns puzzle,solution,status --blank 0", &text);
    let unique = solved.stdout().lines().filter_map(|row| row.strip_suffix(",unique"));
    let lines: String = unique.map(|row| format!("{row}\n")).collect();
    let source = file(&folder, "lines.txt", &lines);
    let array = file(&folder, "pairs.npy", "");
    let run = ask("convert", [&source, "-o", &array], b"");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert_eq!(pairs(&fs::read(&array).unwrap()), lines);
    // With new solutions.
    let expected = call(&format!("permute --copies 3 --seed 5 {source}"), b"");
    let copies = inside(&folder, "copies.npy");
    assert_eq!(call(&format!("permute --copies 3 --seed 5 {array} -o {copies}"), b"").code, Some(0));
    assert_eq!(pairs(&fs::read(&copies).unwrap()), expected.stdout());
    assert_eq!(call(&format!("verify --unique -q {copies}"), b"").code, Some(0));
    // The puzzles alone; the solutions alone; with solutions that are found.
    let out = inside(&folder, "out.npy");
    let written = |line: String, stdin: &str| {
        let run = call(&format!("{line} -q -o {out}"), stdin);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        fs::read(&out).unwrap()
    };
    let shape = format!("({}, 81)", lines.lines().count());
    let puzzles = written(format!("sample 1000 --columns puzzle {array}"), "");
    assert!(puzzles.starts_with(&npy("|u1", &shape, b"")));
    let alone = inside(&folder, "alone.npy");
    fs::rename(&out, &alone).unwrap();
    assert_eq!(pairs(&written(format!("solve --columns puzzle,solution {alone}"), "")), lines);
    let solutions = written(format!("convert --columns solution {array}"), "");
    assert!(solutions.ends_with(&written(format!("solve {array}"), "")[128..]));
    // Records that are not puzzles, and those without a solution.
    let text = format!("{PUZZLE},{SOLUTION}\n{CLASH}\nbad\n");
    let rows = pairs(&written("permute --input-format=lines".to_owned(), &text));
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((&rows[1][82..], rows[2]), (&*"0".repeat(81), &*format!("{},{}", "!".repeat(81), "0".repeat(81))));
    let text = format!("{SOLUTION}\n{PUZZLE},{SOLUTION}\n");
    for first in [format!("{PUZZLE}\n"), text] {
        let many = first.clone() + &format!("{PUZZLE},{SOLUTION}\n");
        assert_eq!(pairs(&written("convert".to_owned(), &many)).lines().count(), many.lines().count());
    }
}

#[test]
fn an_array_needs_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let packed = inside(&folder, "out.npy.gz");
    for args in ["--format npy", &format!("-o {packed}"), "--format npy -o -"] {
        let run = call(&format!("solve {args}"), PUZZLE);
        assert_eq!(run.stdout(), "", "{args}");
        run.fails_with("a NumPy array cannot be compressed or piped");
    }
    let other = inside(&folder, "out.npy");
    for (args, message) in [
        ("--columns status", "column 'status': a NumPy array has the columns puzzle and solution only"),
        ("--passthrough", "require --format csv or jsonl"),
        ("--blank 0", "require --format csv or jsonl"),
    ] {
        call(&format!("solve {args} -o {other}"), PUZZLE).fails_with(message);
    }
    assert!(names(folder.path()).is_empty());
}
