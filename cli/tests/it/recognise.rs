//! The layout of an input is recognised from its first lines, also if some of them are invalid.

use crate::support::{PUZZLE, SOLUTION, ask_in_all_ways as run, grid, rows, solve, words};

#[test]
fn the_first_of_lines_with_notes_may_be_invalid() {
    for bad in [format!("{PUZZLE}5"), format!("x{}y", &PUZZLE[..75]), "1.23".to_owned() + &".".repeat(9)] {
        let text = format!("{bad},a\n{PUZZLE},b\n{PUZZLE},c\n");
        let run = run("solve", "-q --format csv --passthrough", text);
        let mut lines = run.stdout().lines();
        assert_eq!(lines.next(), Some("puzzle,note,solution,status,solutions"));
        assert_eq!(lines.next(), Some(&*format!("\"{bad},a\",,,invalid,0")));
        assert_eq!(lines.next(), Some(&*format!("{PUZZLE},b,{SOLUTION},solved,1")));
    }
}

#[test]
fn a_name_alone_is_a_header_only_without_rows() {
    let run = |args: &str, text: &str| solve(words(args), text.as_bytes());
    let header = run("--format csv", "puzzle\n");
    assert_eq!((header.stdout(), header.code), ("puzzle,solution,status,solutions\n", Some(0)));
    for (args, text) in
        [("--no-header", "puzzle\n"), ("", "puzzle\nbad\n"), ("", "puzzle,solution\nbad,x\nworse,y\n")]
    {
        let run = run(args, text);
        assert_eq!(run.code, Some(2), "{text}");
        assert!(
            run.stderr.contains("no puzzles found (line 1: bad character 'p' in column 1)"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_header_has_a_name_for_the_column_of_puzzles() {
    let rows = format!("1,x,{PUZZLE}\n2,y,{PUZZLE}\n");
    let with =
        |header: &str| run("solve", "-q --format csv --columns record,status", format!("{header}\n{rows}"));
    assert_eq!(with("id,name,other").stdout(), "record,status\n1,solved\n2,solved\n");
    assert_eq!(with("id,name").stdout(), "record,status\n1,invalid\n2,solved\n3,solved\n");
}

/// Nine `-` are a rule, although nine characters of the title include a digit and `-`.
#[test]
fn a_title_does_not_make_rules_rows() {
    let grid = rows(PUZZLE)
        .collect::<Vec<_>>()
        .chunks(3)
        .map(|band| band.join("\n"))
        .collect::<Vec<_>>()
        .join("\n---------\n");
    let run = run("solve", "", format!("Puzzle1-3\n{grid}\n"));
    assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
}

#[test]
fn a_line_in_braces_need_not_be_json() {
    let run = run("solve", "-q --format csv --columns record,status", format!("{{x}}\n{PUZZLE}\n"));
    assert_eq!(run.stdout(), "record,status\n1,invalid\n2,solved\n");
}

/// The header is one of them. Column b has less than half of the puzzles in the others.
#[test]
fn columns_are_chosen_by_the_first_200_lines() {
    let (both, one) = (format!("{PUZZLE},{PUZZLE}\n"), format!("{PUZZLE},\n"));
    let solve = |rows: [usize; 3]| {
        let text = format!("a,b\n{}{}{}", both.repeat(rows[0]), one.repeat(rows[1]), both.repeat(rows[2]));
        solve(words("-q"), text.as_bytes()).code
    };
    assert_eq!(solve([99, 100, 0]), Some(0));
    assert_eq!(solve([99, 100, 200]), Some(0));
    assert_eq!(solve([99, 99, 200]), Some(2));
}

/// A column counts if it has at least half as many puzzles as the column with the most.
#[test]
fn a_column_with_half_of_the_puzzles_makes_the_choice_ambiguous() {
    let (full, empty) = (format!("{PUZZLE},{PUZZLE}\n"), format!("{PUZZLE},\n"));
    let run = |full_rows: usize, empty_rows: usize| {
        let text = format!("a,b\n{}{}", full.repeat(full_rows), empty.repeat(empty_rows));
        solve(words("-q --format csv"), text.as_bytes())
    };
    for rows in [[2, 2], [3, 2]] {
        let run = run(rows[0], rows[1]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("puzzles may be in columns a and b"), "{}", run.stderr);
    }
    assert_eq!(run(2, 3).code, Some(0));
}

/// If a column or a delimiter is chosen, each line is a row of a table, even if it looks like a row of a grid.
#[test]
fn a_text_with_a_chosen_column_is_no_grid() {
    let solve = |args| run("solve", args, grid(PUZZLE));
    assert_eq!(solve("--format csv --columns record,status").stdout(), "record,status\n1,solved\n");
    let table = solve("-q --format csv --columns record,status --column 1");
    let invalid: String = (1..=9).map(|record| format!("{record},invalid\n")).collect();
    assert_eq!(table.stdout(), format!("record,status\n{invalid}"));
    let table = solve("--delimiter ,");
    assert!(table.stderr.contains("no column of puzzles"), "{}", table.stderr);
}

#[test]
fn notes_count_in_the_first_200_lines() {
    for (line, column) in [(200, "note"), (201, "surplus")] {
        let text = format!("{}{PUZZLE} first\n", format!("{PUZZLE}\n").repeat(line - 1));
        let run = run("solve", "-q --format jsonl --passthrough", text);
        let last = run.stdout().lines().last().unwrap();
        assert!(last.contains(&format!("\"{column}\":")), "{last}");
    }
}

/// The layout is recognised from the first 32 KiB, which are less than two of these rows.
#[test]
fn long_rows_are_recognised() {
    let id = "x".repeat(20_000);
    let row = format!("{id},{PUZZLE}\n");
    let object = format!("{{\"id\":\"{id}\",\"q\":\"{PUZZLE}\"}}\n");
    for row in [row, object] {
        let run = run("solve", "", format!("{row}{row}"));
        assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n{SOLUTION}\n"), ""));
    }
}

/// Its last row has no line feed and is the only one with a puzzle.
#[test]
fn a_text_of_32_kib_is_recognised_as_a_whole() {
    let start = format!("id,first,other\n1,{PUZZLE},");
    let run = run("solve", "", format!("{start:x<0$}", 32 << 10));
    assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
}

/// Lines without puzzles may precede the first one, if it begins in the first MiB.
#[test]
fn a_mebibyte_is_examined() {
    for (lines, code) in [((1 << 20) / 4 - 30, 0), ((1 << 20) / 4 + 1000, 2)] {
        let run = run("solve", "-q", format!("{}{PUZZLE}\n", "bad\n".repeat(lines)));
        assert_eq!(run.code, Some(code), "{lines}");
    }
}

/// A column with a quarter of the blanks of another may be that of the puzzles too.
#[test]
fn a_few_blanks_are_errors_in_solutions() {
    let blanks = |n: usize| ".".repeat(n) + &SOLUTION[n..];
    let run = |n: usize| solve(words("-q"), format!("{},{}\n", blanks(40), blanks(n)).as_bytes());
    assert_eq!(run(9).code, Some(0));
    let run = run(10);
    assert!(run.stderr.contains("puzzles may be in columns 1 and 2"), "{}", run.stderr);
}

#[test]
fn ambiguous_columns_without_names_are_numbered() {
    let run = run("solve", "", format!("{PUZZLE},{PUZZLE}\n"));
    assert!(run.stderr.contains("puzzles may be in columns 1 and 2"), "{}", run.stderr);
}

/// A bar makes an empty line a rule, spaces do not.
#[test]
fn a_blank_line_ends_a_grid_that_lacks_rows() {
    let grid = rows(PUZZLE).collect::<Vec<_>>();
    for n in [1, 2, 4] {
        let (start, whole) = (grid[..n].join("\n"), grid.join("\n"));
        for (line, at) in [("", 1), ("  ", 1), ("||", 11), ("|  |", 11)] {
            let run = run("solve", "", format!("{whole}\n\n{start}\n{line}\n{whole}\n"));
            let reason = match (n, at) {
                // Ten rows are one record.
                (1, 11) => "<stdin>:11: too long: more than 81 cells".to_owned(),
                _ => format!("<stdin>:{}: too short: {} cells instead of 81", at + 10, 9 * n),
            };
            assert!(run.stderr.contains(&reason), "{n} {line:?}: {}", run.stderr);
        }
    }
}

#[test]
fn a_field_with_more_than_a_puzzle_is_too_long() {
    for more in ["z", "5", "..", " 5", ";"] {
        let run = run("solve", "", format!("id,puzzle\n1,{PUZZLE}\n2,{PUZZLE}{more}\n"));
        assert!(run.stderr.contains("<stdin>:3: too long: more than 81 cells"), "{}", run.stderr);
    }
}
