//! The command `generate`.

use std::io::Read;

use rapidoku::{Puzzle, Solution, Solver, verify};

use crate::support::{self, Run, ask, call, program, with_seed, words};

fn generate(args: &str) -> Run {
    let run = ask("generate", with_seed(args), b"");
    assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
    run
}

fn lines(args: &str) -> Vec<String> {
    generate(args).stdout().lines().map(str::to_owned).collect()
}

#[test]
fn puzzles_are_minimal_and_have_the_solution_given() {
    let rows = lines("300 --seed 4 --columns puzzle,solution");
    assert_eq!(rows.len(), 301);
    for row in &rows[1..] {
        let (puzzle, solution) = row.split_once(',').unwrap();
        let (puzzle, solution): (Puzzle, Solution) = (puzzle.parse().unwrap(), solution.parse().unwrap());
        assert!(puzzle.is_minimal(), "{puzzle}");
        verify::check(&puzzle, &solution).unwrap();
    }
    let puzzles: Vec<&str> = rows[1..].iter().map(|row| &row[..81]).collect();
    assert_ne!(lines("300 --seed 5"), puzzles);
}

#[test]
fn a_longer_output_starts_with_a_shorter_one() {
    for (n, rest) in [(3000, ""), (3000, "--grids"), (40, "--clues 22..23")] {
        assert_eq!(lines(&format!("{} {rest}", n / 7)), lines(&format!("{n} {rest}"))[..n / 7]);
    }
}

#[test]
fn filters_keep_the_puzzles_that_pass_in_order() {
    let all: Vec<Puzzle> = lines("4000 --seed 9").iter().map(|line| line.parse().unwrap()).collect();
    let guesses = Solver::new().solve(&all);
    let rate = call("rate", generate("4000 --seed 9").stdout());
    let ratings: Vec<Vec<&str>> = rate.stdout().lines().skip(1).map(|row| row.split(',').collect()).collect();
    let check = |args: &str, passes: &dyn Fn(usize) -> bool| {
        let expected: Vec<String> = (0..all.len()).filter(|&k| passes(k)).map(|k| all[k].to_string()).collect();
        assert!(expected.len() > 5, "{args}: {}", expected.len());
        assert_eq!(lines(&format!("{} --seed 9 {args}", expected.len())), expected, "{args}");
    };
    check("--clues 22..23", &|k| (22..=23).contains(&all[k].clue_count()));
    check("--clues 27..", &|k| all[k].clue_count() >= 27);
    check("--guesses 4..7", &|k| (4..=7).contains(&guesses.guesses()[k]));
    check("--hardest singles --clues 23", &|k| all[k].clue_count() == 23 && ratings[k][7] == "true");
    check("--hardest=naked-single", &|k| ratings[k][6] == "naked single");
    check("--hardest=locked-candidates,XY-wing", &|k| ["locked candidates", "XY-wing"].contains(&ratings[k][6]));
    check("--hardest=naked-pair..hidden_pair", &|k| ["naked pair", "X-wing", "hidden pair"].contains(&ratings[k][6]));
    let er = |k: usize| ratings[k][3].parse::<f64>().unwrap();
    check("--er 2.0..2.5", &|k| (2.0..=2.5).contains(&er(k)));
    check("--er 4.0-5.0 --clues 24-26", &|k| (4.0..=5.0).contains(&er(k)) && (24..=26).contains(&all[k].clue_count()));
}

#[test]
fn formats_have_the_requested_columns() {
    let rows = lines("2 --columns puzzle,solution");
    let (puzzle, solution) = rows[2].split_once(',').unwrap();
    assert_eq!(lines("2 --format csv")[..3], ["puzzle", &rows[1][..81], puzzle]);
    assert_eq!(
        lines("2 --format jsonl --columns puzzle,solution")[1],
        format!("{{\"puzzle\":\"{puzzle}\",\"solution\":\"{solution}\"}}")
    );
    assert_eq!(lines("2 --grids --format jsonl")[1], format!("{{\"solution\":\"{solution}\"}}"));
    assert_eq!(lines("2 --grids")[1], solution);
    assert_eq!(generate("0 --format csv").stdout(), "puzzle\n");
    assert_eq!(generate("0").stdout(), "");
}

#[test]
fn a_filter_that_nothing_passes_can_be_bounded() {
    for threads in [1, 3] {
        let run = ask("generate", with_seed(&format!("5 --clues 80.. --max-tries 3000 -j {threads}")), b"");
        assert_eq!((run.code, run.stdout()), (Some(1), ""));
        let expected = "rapidoku: puzzles tried: 3000, passed: 0 (0.0000 %)\n\
                        rapidoku: gave up after 3,000 puzzles in a row that did not pass; puzzles written: 0 (--max-tries)\n";
        assert_eq!(run.stderr, expected);
    }
    // What has passed is told at the end, unless there is no filter.
    let told = generate("5 --clues ..80 --max-tries 10").stderr;
    assert_eq!(told, "rapidoku: puzzles tried: 5, passed: 5 (100.0 %)\n");
    assert_eq!(generate("5").stderr, "");
}

#[test]
fn columns_are_chosen_by_name() {
    let rows = lines("20 --columns clues,puzzle,er,hardest,guesses,solution");
    assert_eq!(rows[0], "clues,puzzle,er,hardest,guesses,solution");
    let puzzles: Vec<&str> = rows[1..].iter().map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(lines("20"), puzzles);
    let text = puzzles.join("\n");
    let rate = call("rate --columns clues,puzzle,er,hardest --format csv", &text);
    let solve = call("solve --unique --columns guesses,solution --format csv", &text);
    for ((row, rated), solved) in rows.iter().zip(rate.stdout().lines()).zip(solve.stdout().lines()) {
        assert_eq!(*row, format!("{rated},{solved}"));
    }
    let json = lines("1 --columns clues,er --format jsonl").remove(0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["clues"].is_u64() && json["er"].is_f64(), "{json}");
}

#[test]
fn a_seed_is_drawn_and_told() {
    let run = call("generate 5 --stats", b"");
    assert!(run.stderr.contains("records  5, guesses 0") && run.stderr.contains("unique 5"), "{}", run.stderr);
    let seed = run.stderr.lines().next().unwrap().strip_prefix("rapidoku: seed: ").unwrap();
    assert!(run.stderr.contains(&format!("\nseed     {seed}\n")), "{}", run.stderr);
    assert_eq!(generate(&format!("5 --seed {seed}")).stdout, run.stdout);
    assert_ne!(call("generate 5", b"").stdout, run.stdout);
}

#[test]
fn an_endless_output_ends_with_its_reader() {
    for kind in ["", "--grids"] {
        let mut child = support::start(program().arg("generate").args(words(kind)).args(words("--seed 1 -j 2")));
        let mut start = vec![0; 82 * 5000];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let rest = child.wait_with_output().unwrap();
        assert_eq!((rest.status.code(), rest.stderr), (Some(0), Vec::new()));
        assert!(start.chunks(82).all(|line| line[81] == b'\n'));
    }
}
