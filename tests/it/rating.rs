//! Ratings: against rated puzzles, and the properties that every rating has.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rapidoku::grid::{CELLS, Cell, HOUSE_CELLS, PEERS};
use rapidoku::rating::{ChainKind, Difficulty, Rater, Step, Technique, Techniques, Verdict};
use rapidoku::{CancelToken, Cancelled, Candidates, Limits, Outcome, Outcomes, Puzzle, SimdLevel, Solver, Status};

use crate::samples::{head, left, puzzles, rated_puzzles, sample, sample_of};

/// Easy puzzles and hard ones.
const SOME: &str = "\
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9
8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

/// Candidates kept by the rules alone.
struct Pencil {
    candidates: [u16; CELLS],
    values: [u8; CELLS],
}

impl Pencil {
    fn new(start: &Candidates) -> Pencil {
        let mut pencil = Pencil { candidates: *start.cells(), values: [0; CELLS] };
        for (cell, &set) in start.cells().iter().enumerate().filter(|(_, set)| set.count_ones() == 1) {
            pencil.place(cell, 1 + set.trailing_zeros() as u8);
        }
        pencil
    }

    fn place(&mut self, cell: usize, digit: u8) {
        self.candidates[cell] = 0;
        self.values[cell] = digit;
        PEERS[cell].iter().for_each(|&peer| self.candidates[peer as usize] &= !(1 << (digit - 1)));
    }

    fn apply(&mut self, step: &Step) {
        for removed in &step.removed {
            let set = &mut self.candidates[removed.cell.0 as usize];
            assert_eq!(*set & removed.digits.0, removed.digits.0, "{step}: they are candidates");
            *set &= !removed.digits.0;
        }
        if let Some((cell, digit)) = step.placed {
            assert_ne!(self.candidates[cell.0 as usize] & 1 << (digit - 1), 0, "{step}: it is a candidate");
            self.place(cell.0 as usize, digit);
        }
    }
}

/// The implications of a chain follow from each other, and its branches end in what they should.
fn check_chain(step: &Step) {
    let mut chains: Vec<_> = step.chain.iter().collect();
    while let Some(chain) = chains.pop() {
        assert!(!chain.branches.is_empty() && chain.complexity >= 3, "{step}");
        for branch in &chain.branches {
            for (i, implication) in branch.iter().enumerate() {
                let is_cycle = chain.kind == ChainKind::Cycle;
                let follows = |&parent: &usize| parent < i || is_cycle && i == 0 && parent == branch.len() - 1;
                assert!(implication.parents.iter().all(follows), "{step}: {branch:?}");
                let assumed = implication.reason == rapidoku::rating::Reason::Assumed;
                assert_eq!(assumed, implication.parents.is_empty(), "{step}: {branch:?}");
            }
        }
        chains.extend(&chain.inner);
    }
}

/// The words name the pivot of a wing and what a chain exhausts.
fn check_words(step: &Step, before: &Pencil) {
    let text = step.to_text();
    if let Technique::XyWing | Technique::XyzWing = step.technique {
        let named = step.cells.iter().find(|cell| text.contains(&format!(", pivot {cell}:"))).expect(&text);
        let sees = |other: &Cell| other == named || PEERS[named.0 as usize].contains(&other.0);
        assert!(step.cells.iter().all(sees), "{text}");
    }
    assert!(step.set.iter().flat_map(|(cells, _)| cells).all(|cell| !step.cells.contains(cell)), "{text}");
    let Some(chain) = &step.chain else { return };
    let ends: Vec<_> = chain.branches.iter().map(|branch| branch.last().unwrap()).collect();
    match (chain.kind, chain.house) {
        (ChainKind::Region, Some(house)) => {
            let digit = chain.branches[0][0].digit;
            let has = |cell: &&u8| before.candidates[**cell as usize] >> (digit - 1) & 1 == 1;
            let places: Vec<_> = HOUSE_CELLS[house.0 as usize].iter().filter(has).map(|&cell| Cell(cell)).collect();
            let mut assumed: Vec<_> = chain.branches.iter().map(|branch| branch[0].cell).collect();
            assumed.sort();
            assert_eq!(places, assumed, "{text}");
            assert!(text.contains(&format!("{digit} in {house} is in ")), "{text}");
        }
        (ChainKind::Contradiction, None) => {
            let [on, off] = [ends[0], ends[1]].map(|end| (end.cell, end.digit, end.on));
            assert_eq!((on.0, on.1, on.2), (off.0, off.1, !off.2), "{text}");
            assert!(text.contains(&format!(", {} is {}, and also {} is not", on.0, on.1, on.0)), "{text}");
        }
        (ChainKind::Cycle, None) => assert!(text.starts_with("cycle (") && text.contains("all hold or none")),
        (kind, house) => assert_eq!((kind == ChainKind::Region, house), (false, None), "{text}"),
    }
}

/// What the definition of the scale does not say about steps: houses, chains, and that they lead to the solution.
#[test]
fn steps_hold_and_lead_to_the_solution() {
    for puzzle in sample_of(Status::Unique).step_by(40).chain(puzzles(SOME)) {
        let mut pencil = Pencil::new(&Candidates::from(&puzzle));
        let mut steps = 0;
        let result = Rater::new().explain(&puzzle, &mut |step| {
            if let (Some((cell, _)), Technique::HiddenSingle) = (step.placed, step.technique) {
                assert!(HOUSE_CELLS[step.houses[0].0 as usize].contains(&cell.0), "{puzzle}: {step}");
            }
            assert!(step.difficulty >= step.technique.least(), "{step}");
            check_chain(step);
            check_words(step, &pencil);
            pencil.apply(step);
            steps += 1;
            ControlFlow::Continue(())
        });
        let solution = puzzle.solutions().next().expect("it has one");
        assert_eq!((pencil.values, result.verdict), (*solution.cells(), Verdict::Rated));
        assert_eq!(result.counts.iter().map(|&count| count as usize).sum::<usize>(), steps);
    }
}

/// Compares each step of a puzzle with the first one of a rater that starts with what is left. Returns the number of
/// comparisons.
fn compare_with_fresh_raters(puzzle: Puzzle, techniques: Techniques) -> u32 {
    let mut compared = 0;
    let mut pencil = Pencil::new(&Candidates::from(&puzzle));
    Rater::new().techniques(techniques).explain(&puzzle, &mut |step| {
        assert!(techniques.contains(step.technique), "{puzzle}: {step}");
        // A cell with a single candidate would be taken for a clue.
        if pencil.candidates.iter().all(|set| set.count_ones() != 1) {
            let value = |cell: usize| match pencil.values[cell] {
                0 => pencil.candidates[cell],
                digit => 1 << (digit - 1),
            };
            let left = Candidates::from_cells(std::array::from_fn(value)).unwrap();
            let mut first = None;
            Rater::new().techniques(techniques).explain(left, &mut |step| {
                first = Some(step.clone());
                ControlFlow::Break(())
            });
            assert_eq!(first.as_ref(), Some(step), "{puzzle}: {left}");
            compared += 1;
        }
        pencil.apply(step);
        ControlFlow::Continue(())
    });
    compared
}

/// The rater remembers where it found nothing. A rater that starts with what is left has no memory, and must find the
/// same.
#[test]
fn steps_do_not_depend_on_those_before() {
    let without = |technique| Techniques::ALL.without(technique);
    let sets = [
        Techniques::ALL,
        Techniques::WITHOUT_UNIQUENESS,
        without(Technique::NakedSingle),
        without(Technique::Locked).without(Technique::NakedPair),
        without(Technique::Forcing),
    ];
    let puzzles = sample_of(Status::Unique).step_by(4).chain(puzzles(SOME).into_iter().take(2));
    let compare = |(puzzle, set)| compare_with_fresh_raters(puzzle, set);
    let compared: u32 = puzzles.zip(sets.into_iter().cycle()).map(compare).sum();
    assert!(compared > 10_000, "{compared}");
}

/// The same with nested chains, for which the rater also remembers what follows from assumptions, and inner chains.
#[test]
fn steps_by_nested_chains_do_not_depend_on_those_before() {
    let easter_monster = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    for puzzle in [puzzles(SOME)[2], puzzles(easter_monster)[0]] {
        assert!(Rater::new().rate(&puzzle).er > Difficulty(100), "{puzzle}");
        assert!(compare_with_fresh_raters(puzzle, Techniques::ALL) > 30, "{puzzle}");
    }
}

/// Without singles, cells with one candidate stay in the grid, and chains lead over them. The number of steps is that
/// of a search without memory.
#[test]
fn chains_lead_over_cells_with_one_candidate() {
    use Technique::*;
    let below = [HiddenSingle, DirectLocked, NakedSingle, Swordfish, UniqueLoop];
    let above = [Jellyfish, HiddenQuad, Bug, DynamicPlus, Nested2];
    let techniques = below.into_iter().chain(above).fold(Techniques::ALL, Techniques::without);
    let puzzle = puzzles(".2.9.....8.....47...5...28...37...5....8..1...76..9.4......7...3..5.6....6....92.")[0];
    let rating = Rater::new().techniques(techniques).rate(&puzzle);
    assert_eq!((rating.verdict, rating.er), (Verdict::Stuck, Difficulty(90)));
    assert_eq!(rating.counts[Forcing as usize..], [29, 0, 1, 15, 5, 0, 0, 0, 0, 0]);
}

#[test]
fn a_bound_stops_above_it_and_changes_nothing_below() {
    for puzzle in sample().iter().step_by(100) {
        let exact = Rater::new().rate(puzzle);
        for bound in [12, 15, 23, 45, 65, 70, 75].map(Difficulty) {
            let bounded = Rater::new().up_to(bound).rate(puzzle);
            if exact.verdict != Verdict::Rated || exact.er <= bound {
                assert_eq!(bounded, exact, "{puzzle} up to {bound}");
            } else {
                assert_eq!(bounded.verdict, Verdict::Above, "{puzzle} up to {bound}");
                let is_between = bound < bounded.er && bounded.er <= exact.er;
                assert!(is_between, "{puzzle} up to {bound}: {}", bounded.er);
            }
        }
    }
}

#[test]
fn puzzles_without_a_rating_have_a_verdict() {
    let mut rater = Rater::new();
    let solved = puzzles(SOME)[0].solutions().next().unwrap();
    let complete = rater.rate(&Puzzle::from_cells(*solved.cells()).unwrap());
    assert_eq!((complete.verdict, complete.er), (Verdict::Rated, Difficulty(0)));
    assert_eq!(rater.rate(&Puzzle::EMPTY).verdict, Verdict::Multiple);
    assert_eq!(rater.rate(&crate::support::clash()).verdict, Verdict::Invalid);
    let impossible: Puzzle =
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........".parse().unwrap();
    assert_eq!(rater.rate(&impossible).verdict, Verdict::None);
    let mut marks = *Candidates::from(&Puzzle::EMPTY).cells();
    marks[40] = 0;
    assert_eq!(rater.rate(Candidates::from_cells(marks).unwrap()).verdict, Verdict::None);
}

#[test]
fn pencilmarks_of_clues_are_rated_like_the_clues() {
    for puzzle in puzzles(SOME) {
        let mut cells = *Candidates::from(&puzzle).cells();
        for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] == 0) {
            cells[cell] = if left(&puzzle, cell).count_ones() > 1 { left(&puzzle, cell) } else { cells[cell] };
        }
        let marks = Candidates::from_cells(cells).unwrap();
        assert_eq!(Rater::new().rate(marks), Rater::new().rate(&puzzle), "{puzzle}");
    }
}

/// The work that is enough for the hardest puzzles that were rated, as the guide says.
const MOST_WORK: u64 = 1_000_000;

#[test]
fn work_is_limited_and_honest() {
    let hard = puzzles(SOME)[2];
    let exact = Rater::new().rate(&hard);
    for work in [0, 1000, 100_000] {
        let limited = Rater::new().max_work(work).rate(&hard);
        assert_eq!(limited.verdict, Verdict::Limit);
        assert!(limited.er <= exact.er && limited.er >= Technique::Forcing.least(), "{}", limited.er);
    }
    assert_eq!(Rater::new().max_work(MOST_WORK).rate(&hard), exact);
}

#[test]
fn all_levels_and_threads_give_the_same_in_order() {
    let (all, cancel) = ([puzzles(&head(4000)), puzzles(SOME)].concat(), CancelToken::new());
    let expected = Rater::new().threads(1).rate_all(&all, &cancel).unwrap();
    for level in SimdLevel::available() {
        assert_eq!(Rater::new().level(level).rate_all(&all, &cancel).unwrap(), expected, "{level}");
    }
    let mut rater = Rater::new();
    for (puzzle, rating) in all.iter().zip(&expected).step_by(50) {
        assert_eq!(rater.rate(puzzle), *rating, "{puzzle}");
    }
    cancel.cancel();
    assert_eq!(Rater::new().rate_all(&all, &cancel), Err(Cancelled));
    assert_eq!(Rater::new().try_rate(&all[0], &cancel), Err(Cancelled));
}

#[test]
fn ratings_by_known_solutions_are_those_of_rate_all() {
    let (all, cancel) = (&sample()[..2500], CancelToken::new());
    let expected = Rater::new().rate_all(all, &cancel).unwrap();
    let outcomes = |limits| Solver::new().limits(limits).solve(all);
    let known = outcomes(Limits::UNIQUE);
    assert_eq!(Rater::new().rate_solved(all, &known, &cancel).unwrap(), expected);
    // Without guesses some solutions are not counted, and with a limit of one none are.
    let few = outcomes(Limits::UNIQUE.max_guesses(0));
    let rated = Rater::new().rate_solved(all, &few, &cancel).unwrap();
    let mut unknown = 0;
    for ((rating, expected), &status) in rated.iter().zip(&expected).zip(few.statuses()) {
        match status {
            Status::GaveUp => assert_eq!((rating.verdict, rating.er), (Verdict::Limit, Difficulty(0))),
            _ => assert_eq!(rating, expected),
        }
        unknown += usize::from(status == Status::GaveUp);
    }
    assert!((1..all.len()).contains(&unknown), "{unknown}");
    let first = outcomes(Limits::FIRST);
    let rated = Rater::new().rate_solved(all, &first, &cancel).unwrap();
    assert!(rated.iter().all(|rating| rating.verdict != Verdict::Rated));
    let mut missing = Outcomes::new();
    missing.reset(1);
    missing.set(0, Outcome::new(Status::Unique, 1, 0));
    let rated = Rater::new().rate_solved(&all[..1], &missing, &cancel).unwrap();
    assert_eq!(rated[0].verdict, Verdict::Limit);
}

#[test]
fn rated_puzzles_are_exact() {
    let (puzzles, expected): (Vec<Puzzle>, Vec<_>) = rated_puzzles().into_iter().unzip();
    let ratings = Rater::new().max_work(MOST_WORK).rate_all(&puzzles, &CancelToken::new()).unwrap();
    for ((puzzle, expected), rating) in puzzles.iter().zip(&expected).zip(ratings) {
        let found = [rating.er, rating.ep, rating.ed];
        assert_eq!((rating.verdict, found), (Verdict::Rated, *expected), "{puzzle}");
    }
}

#[test]
#[ignore = "needs rated puzzles beside the datasets"]
fn puzzles_rated_by_others_are_exact() {
    for name in ["easy", "17", "minimal", "mid", "hard"] {
        compare(&format!("oracle_{name}"));
    }
    ["micro_cases", "micro_er_cases", "se_rated_hard", "se_rated_more"].into_iter().for_each(compare);
}

/// The folder is beside that of the datasets.
fn compare(name: &str) {
    let folder = std::env::var("RAPIDOKU_RATINGS");
    let folder = folder.unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/ratings").to_owned());
    let path = PathBuf::from(folder).join(name).with_extension("csv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let grids: Vec<Puzzle> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    let ratings = Rater::new().rate_all(&grids, &CancelToken::new()).unwrap();
    for (row, rating) in rows.iter().zip(ratings) {
        assert_eq!(rating.verdict, Verdict::Rated, "{name}: {row:?}");
        let values = [rating.er, rating.ep, rating.ed].map(|value| value.to_string());
        assert_eq!(values.as_slice(), &row[1..4], "{name}: {row:?}");
    }
}

#[test]
fn ratings_tell_what_singles_alone_solve() {
    let puzzles: Vec<Puzzle> = sample().into_iter().step_by(9).collect();
    let pencilmarks: Vec<Candidates> = puzzles.iter().map(Candidates::from).collect();
    let cancel = CancelToken::new();
    let expected: Vec<bool> = Rater::new()
        .techniques(Techniques::SINGLES)
        .rate_all(&puzzles, &cancel)
        .unwrap()
        .iter()
        .map(|rating| rating.verdict == Verdict::Rated)
        .collect();
    assert!([true, false].iter().all(|value| expected.contains(value)));
    let bounds = [10, 12, 15, 17, 19, 20, 22, 23, 24, 25, 26, 30, 65, 999].map(Difficulty);
    let raters = bounds.map(|bound| Rater::new().up_to(bound));
    let singles = bounds.map(|bound| Rater::new().techniques(Techniques::SINGLES).up_to(bound));
    for rater in raters.into_iter().chain(singles).chain([Rater::new().max_work(1)]) {
        let ratings = rater.rate_all(&puzzles, &cancel).unwrap();
        for (rating, expected) in ratings.iter().zip(&expected) {
            assert!(rating.by_singles().is_none_or(|known| known == *expected), "{rating:?}");
        }
        assert_eq!(Rater::by_singles(&puzzles, &ratings), expected);
        assert_eq!(Rater::by_singles(&pencilmarks, &ratings), expected);
    }
    // Most ratings without a bound tell.
    let ratings = Rater::new().rate_all(&puzzles, &cancel).unwrap();
    let unknown = ratings.iter().filter(|rating| rating.by_singles().is_none()).count();
    assert!(unknown < puzzles.len() / 5, "{unknown} of {}", puzzles.len());
}
