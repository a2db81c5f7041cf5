//! The modes of `generate` other than minimal puzzles and grids.

use std::collections::HashSet;

use rapidoku::generate::Pattern;
use rapidoku::{Puzzle, Solver, Status, canon};

use crate::every_run_ends::{FEW, PATTERN};
use crate::support::{Run, ask, call, file, grid, with_seed};

fn generate(args: &str) -> Run {
    ask("generate", with_seed(args), b"")
}

fn lines(args: &str) -> Vec<String> {
    let run = generate(args);
    assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
    run.stdout().lines().map(str::to_owned).collect()
}

fn puzzles(lines: &[String]) -> Vec<Puzzle> {
    lines.iter().map(|line| line[..81].parse().unwrap()).collect()
}

/// With many clues they are sampled, with few they are searched for.
#[test]
fn puzzles_with_a_pattern_have_clues_there_and_one_solution() {
    let folder = tempfile::tempdir().unwrap();
    for (mask, n) in [(PATTERN, 200), (FEW, 20)] {
        let pattern: Pattern = mask.parse().unwrap();
        let rows = lines(&format!("{n} --pattern {mask} -j 2"));
        let made = puzzles(&rows);
        assert!(made.iter().all(|puzzle| Pattern::from(puzzle) == pattern));
        assert!(Solver::new().solve(&made).statuses().iter().all(|&status| status == Status::Unique));
        assert_eq!(made.iter().collect::<HashSet<_>>().len(), n);

        // The same from a file of nine lines, with the solutions.
        let path = file(&folder, "pattern.txt", grid(mask));
        let table = lines(&format!("3 --columns puzzle,solution --pattern {path}"));
        assert_eq!(table.len(), 4);
        for (row, line) in rows.iter().zip(&table[1..]) {
            let (puzzle, solution) = line.split_once(',').unwrap();
            assert_eq!(puzzle, row);
            assert_eq!(rapidoku::solve(puzzle), Ok(solution.parse().unwrap()));
        }
    }
    // Uniform samples are others. 27 clues and more are always sampled.
    assert_eq!(lines(&format!("5 --pattern {PATTERN}")), lines(&format!("5 --pattern {PATTERN} --unbiased")));
}

#[test]
fn patterns_without_a_puzzle_are_given_up() {
    // Two blank rows of a band, and no more than the most tries.
    let blank = format!("{}{}", ".".repeat(18), "X".repeat(63));
    for (mask, reason) in [
        (&*blank, "rows 1 and 2 are blank"),
        (&*"X".repeat(16).to_owned(), "this text has 16"),
        (&*format!("{}{}", "X".repeat(16), ".".repeat(65)), "fewer than 17 clues"),
    ] {
        let run = generate(&format!("1 --pattern {mask}"));
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{mask}");
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
    // No puzzle with 17 clues is known with this pattern: two clues in each row but the last.
    let has_clue = |cell: usize| [0, 4].iter().any(|add| (2 * (cell / 9) + add) % 9 == cell % 9) && cell < 78;
    let mask: String = (0..81).map(|cell| if has_clue(cell) { 'X' } else { '.' }).collect();
    assert_eq!(mask.parse::<Pattern>().unwrap().clue_count(), 17);
    let give_up = |threads: usize| generate(&format!("5 --pattern {mask} --unbiased --max-tries 600000 -j {threads}"));
    for threads in [1, 3] {
        let run = give_up(threads);
        assert_eq!((run.code, run.stdout()), (Some(1), ""), "{}", run.stderr);
        let message = "gave up after 600000 tries without a puzzle; puzzles written: 0";
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let run = generate(&format!("5 --pattern {mask} --max-tries 60"));
    assert_eq!((run.code, run.stdout()), (Some(1), ""), "{}", run.stderr);
    let message = "gave up after 60 tries of a search over the digits without a puzzle; puzzles written: 0";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

/// The puzzle is found in the sixth batch of 65,536 tries.
#[test]
fn all_tries_are_made_before_a_pattern_is_given_up() {
    let mask = "........X.X...X.XX.XX..X.X.X..X..X....X.X....XX..X.........X......X..X..X...X.X..";
    let rows = lines(&format!("1 --pattern {mask} --unbiased --seed 2 --max-tries 1300000"));
    assert_eq!(rows, ["........1.8...5.93.21..6.4.7..3..8....5.2....31..9.........4......5..7..8...7.3.."]);
    let run = generate(&format!("1 --pattern {mask} --unbiased --seed 2 --max-tries {}", 5 << 16));
    assert_eq!((run.code, run.stdout()), (Some(1), ""));
}

#[test]
fn weights_are_a_column_and_the_statistics_have_the_effective_size() {
    let rows = lines("2000 --unbiased --columns puzzle,solution,weight");
    assert_eq!(rows[0], "puzzle,solution,weight");
    let minimal = lines("2000");
    let weights: Vec<f64> = rows[1..].iter().map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert!(rows[1..].iter().zip(&minimal).all(|(row, puzzle)| row.starts_with(puzzle)));
    let [sum, squares] = [1, 2].map(|power| weights.iter().map(|weight| weight.powi(power)).sum::<f64>());
    let run = generate("2000 --unbiased --columns weight --stats=- -o /dev/null");
    let stats = run.json();
    assert_eq!(stats["sample"]["rows"], 2000);
    let found = stats["sample"]["effective_size"].as_f64().unwrap();
    let text = generate("2000 --unbiased --columns weight --stats -o /dev/null").stderr;
    assert!(text.contains(&format!("effective size {found:.1} of 2,000 puzzles drawn")), "{text}");
    assert!((found / (sum * sum / squares) - 1.0).abs() < 1e-6, "{found} {sum} {squares}");

    let json = lines("3 --unbiased --columns puzzle,weight --format jsonl");
    assert_eq!(json[1], format!("{{\"puzzle\":\"{}\",\"weight\":{:e}}}", minimal[1], weights[1]));
}

#[test]
fn hard_puzzles_are_minimal_not_equivalent_and_sorted_by_guesses() {
    let rows = lines("60 --most-guesses --rounds 2 --format csv");
    assert_eq!((rows[0].as_str(), rows.len()), ("puzzle,guesses", 61));
    assert_eq!(lines("60 --most-guesses --rounds 2 --format csv -j 1 --simd portable"), rows);
    let made = puzzles(&rows[1..]);
    let outcomes = Solver::new().solve(&made);
    let guesses: Vec<u64> = rows[1..].iter().map(|row| row[82..].parse().unwrap()).collect();
    assert_eq!(outcomes.guesses(), guesses);
    assert!(guesses.is_sorted_by(|a, b| a >= b));
    assert!(guesses[59] >= 20, "{guesses:?}");
    assert!(made.iter().all(Puzzle::is_minimal));
    let forms: HashSet<Puzzle> = made.iter().map(|puzzle| canon::puzzle(puzzle).unwrap().form).collect();
    assert_eq!(forms.len(), 60);

    // A search from given puzzles does not lose them.
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "hard.csv", format!("# best\n\n{}", rows[1..].join("\n")));
    let next = puzzles(&lines(&format!("60 --rounds 1 --most-guesses={path}")));
    assert_eq!(next.len(), 60);
    let found = Solver::new().solve(&next);
    assert!(found.guesses().iter().zip(&guesses).all(|(next, before)| next >= before));
    call("generate 1 --most-guesses=-", b"oops\n").fails_with("line 1 is not a puzzle");
    let few = call("generate 3 --most-guesses=- --rounds 0", made[0].to_string());
    assert_eq!((few.stdout(), few.code), (&*format!("{}\n", made[0]), Some(0)));
    assert!(few.stderr.contains("puzzles found: 1 of 3; more --rounds may find more"), "{}", few.stderr);
}

#[test]
fn output_depends_on_the_seed() {
    let pattern = format!("100 --pattern {PATTERN}");
    for args in
        ["9 --symmetry full", &pattern, "9 --unbiased --columns weight", "3 --unbiased", "5 --most-guesses --rounds 0"]
    {
        assert_ne!(lines(&format!("{args} --seed 1")), lines(args));
    }
    // A longer output starts with a shorter one.
    assert_eq!(lines(&format!("40 --pattern {PATTERN}")), lines(&pattern)[..40]);
}

#[test]
fn modes_that_conflict_are_usage_errors() {
    let lines = "5 --symmetry half-turn --grids\n5 --grids --clues 20..\n5 --grids --columns puzzle\n5 --clues 25..24\n-1\n\
        5 --hardest magic\n1 --columns x\n1 --columns puzzle --format text\n5 --symmetry round\n5 --columns weight\n\
        5 --unbiased --symmetry full\n--most-guesses\n5 --most-guesses --clues 20\n5 --rounds 2\n5 --max-tries 7\n\
        5 --pattern no/such/file";
    for args in lines.lines() {
        let run = generate(args);
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{args}");
    }
}
