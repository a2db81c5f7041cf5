//! The results of `bench` for people: rates, ratios, sentences, tables, plots, warnings.

use rapidoku::file::Counts;
use rapidoku::rating::Difficulty;
use rapidoku_cli::bench::{
    Dataset, EntryReport, Rates, Ratio, Report, Rival, RivalReport, Session, Text, Workload, output, rating, spread,
};
use rapidoku_cli::number::{human, multiple, percent};

fn report(name: &str, rounds: &[f64]) -> Report {
    let counts = Counts { unique: 1234, invalid: 1, ..Counts::default() };
    let outcomes_hash = "hash".to_owned();
    let entry = EntryReport { threads: 2, counts, outcomes_hash, ..EntryReport::default() };
    let puzzles_per_second = Rates::of(rounds.to_vec());
    Report { name: name.to_owned(), entry: Some(entry), puzzles_per_second, ..Report::default() }
}

fn session(results: Vec<Report>, load: f64) -> Session {
    let (file, hash) = ("file".to_owned(), String::new());
    let dataset = Dataset { file, records: 1235, hash, results, rivals: Vec::new() };
    let mut session = Session::new(Workload::Solving, 2, 3);
    session.machine.threads = 4;
    session.load_at_start = Some([load, 9.0, 9.0]);
    Session { datasets: vec![dataset], ..session }
}

#[test]
fn warnings_are_about_a_busy_machine_spread_and_interruption() {
    assert_eq!(session(vec![report("a", &[100.0, 105.0, 109.0])], 2.4).warnings(), [""; 0]);
    let all = session(vec![report("a", &[100.0, 120.0]), report("b", &[100.0, 101.0])], 2.6).warnings();
    assert!(all[0].starts_with("the load average was 2.60 at the start"), "{all:?}");
    assert_eq!(all[1..], ["file: interrupted after 2 of 3 rounds", "file: large spread of the rounds: a (18.2 %)"]);
}

#[test]
fn the_fastest_entry_has_its_interval_and_the_rate_of_a_thread() {
    let rounds = [98.0, 100.0, 104.0, 99.0, 101.0, 97.0, 103.0];
    let session = session(vec![report("a", &[5.0]), report("b", &rounds), report("c", &[])], 0.0);
    let dataset = &session.datasets[0];
    assert_eq!(dataset.title(), "file: 1,235 records (1,234 unique, 1 invalid)");
    assert_eq!(
        dataset.sentences(Workload::Solving),
        ["b solves 100 puzzles per second (98.4 % confidence: 97.0 to 104), 50.0 per thread"]
    );
    let [group] = &dataset.groups()[..] else { panic!("one table") };
    assert_eq!(group.head, ["in memory", "puzzles/s", "spread", "guesses", "outcomes"]);
    assert_eq!(group.rows[2], ["c", "-", "", "0.00", "hash"]);
}

#[test]
fn ratios_are_faster_slower_or_no_difference() {
    for ([median, low, high], difference, interval, sentence) in [
        ([0.5, 0.4, 0.625], "2.00× slower", "1.60 to 2.50", "a is 2.00 times as fast as b"),
        ([62.0, 60.0, 104.2], "62.0× faster", "60.0 to 104", "b is 62.0 times as fast as a"),
        ([1.01, 0.8, 1.2], "no difference", "0.80 to 1.20", "no difference between a and b"),
    ] {
        let mut session = session(vec![report("a", &[1.0])], 0.0);
        let rival = Rival::parse("b=./b {rounds}").unwrap();
        let rival = Some(RivalReport { rival, answers: None, problem: None, startup_ms: None });
        let ratio_to_first = Some(Ratio { median, low, high, confidence: 0.984 });
        let dataset = &mut session.datasets[0];
        dataset.rivals = vec![Report { rival, ratio_to_first, ..report("b", &[2.0]) }];
        let [group] = &dataset.groups()[..] else { panic!("one table") };
        assert_eq!(group.rows[1][3..5], [difference.to_owned(), format!("{interval}×")]);
        let sentence = format!("{sentence} (98.4 % confidence: {interval})");
        assert_eq!(dataset.sentences(Workload::Solving)[0], sentence);
    }
}

#[test]
fn bars_are_relative_to_the_longest_value_and_rounds_have_dots() {
    let results = vec![report("a<b", &[1.0, 2.0, 4.0]), report("c", &[3.0]), report("d", &[0.0])];
    let html = output::html(&session(results, 0.0));
    let percents = |before: &str| -> Vec<String> {
        html.split(before).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    assert_eq!(percents("<rect width=\""), ["50.00%", "75.00%", "0.00%"]);
    assert_eq!(percents("cx=\""), ["25.00%", "50.00%", "100.00%", "75.00%", "0.00%"]);
    assert!(html.contains("<th scope=\"row\">a&lt;b<td>2.00<"), "{html}");
    assert!(!output::html(&session(vec![report("a", &[0.0])], 0.0)).contains("NaN"));
}

#[test]
fn median_of_even_and_odd_counts() {
    assert_eq!(Rates::of(vec![3.0, 1.0, 2.0]).unwrap().median, 2.0);
    let rates = Rates::of(vec![4.0, 1.0, 2.0, 3.0]).unwrap();
    assert_eq!((rates.median, rates.min, rates.max, rates.spread), (2.5, 1.0, 4.0, 1.2));
}

#[test]
fn the_interval_is_that_of_the_sign_test() {
    // From tables of the sign test. n = 7: the lowest and the highest (98.4 %), n = 9: the second ones (96.1 %),
    // n = 20: the sixth ones (95.9 %).
    for (n, place, confidence) in [(1, 1, 0.0), (5, 1, 0.9375), (7, 1, 0.984), (9, 2, 0.961), (20, 6, 0.959)] {
        let rates: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        let ratio = Ratio::of(&rates, &vec![1.0; n as usize]).unwrap();
        assert_eq!((ratio.low, ratio.high), (f64::from(place), f64::from(n + 1 - place)), "{n}");
        assert!((ratio.confidence - confidence).abs() < 5e-4, "{n}: {}", ratio.confidence);
    }
}

#[test]
fn ratios_are_taken_of_pairs_and_are_reciprocal() {
    let ratio = Ratio::of(&[2.0, 20.0, 200.0], &[1.0, 10.0, 100.0]).unwrap();
    assert_eq!((ratio.median, ratio.low, ratio.high), (2.0, 2.0, 2.0));
    // With an even number of rounds too.
    let (a, b) = ([3.0, 8.0, 5.0, 30.0], [1.0, 2.0, 2.0, 3.0]);
    let (there, back) = (Ratio::of(&a, &b).unwrap(), Ratio::of(&b, &a).unwrap().recip());
    assert!((there.median / back.median - 1.0).abs() < 1e-12, "{there:?} {back:?}");
    assert!((there.low / back.low - 1.0).abs() < 1e-12 && (there.high / back.high - 1.0).abs() < 1e-12);
}

#[test]
fn numbers_have_three_significant_digits() {
    let expected = ["0.50", "515", "1.00 k", "1.09 k", "100 k", "6.34 M", "31.5 M"];
    assert_eq!([0.5, 515.0, 999.7, 1089.0, 1e5, 6_335_213.0, 31.5e6].map(human), expected);
    for (factor, expected) in [(2.0, "2.00"), (104.2, "104"), (999.7, "1,000"), (23_456.0, "23,500")] {
        assert_eq!(multiple(factor), expected);
    }
    for (fraction, expected) in [(0.0, "0.0 %"), (0.994, "99.4 %"), (0.9996, "100 %"), (1.321, "132 %")] {
        assert_eq!(percent(fraction), expected);
    }
}

#[test]
fn a_rating_is_a_word_of_its_own() {
    let puzzle = "1.2.............7.1.............................................................3";
    for (line, er) in [
        ("7.1", Some(71)),
        ("{} ED=7.1/1.2/1.2", Some(71)),
        ("{},11.8,2.6", Some(118)),
        ("7;{};10.0", Some(100)),
        ("{}", None),
        ("{} 7", None),
        ("{} x7.1 7.15", None),
        ("", None),
    ] {
        assert_eq!(rating(line.replace("{}", puzzle).as_bytes()), er.map(Difficulty), "{line}");
    }
}

#[test]
fn a_part_is_spread_over_all_records_and_consists_of_whole_ones() {
    let text = Text::from(b"# head\n11\n\n22 tail\n33\n44");
    let part = spread(&text, 2).unwrap();
    assert_eq!(&*part.lines, b"11\n44\n");
    assert!(spread(&text, 4).is_none());

    let numbers: Vec<String> = (0..10_000).map(|k| format!("{k}\n")).collect();
    let part = spread(&Text::from(&numbers.concat()), 100).unwrap();
    let part: Vec<usize> = str::from_utf8(&part.lines).unwrap().lines().map(|k| k.parse().unwrap()).collect();
    assert_eq!(part.len(), 100);
    assert!((0..).zip(&part).all(|(k, record)| record / 100 == k), "{part:?}");
    // Every residue modulo 20 occurs. A constant step of 100 would select only one.
    assert_eq!(part.iter().map(|k| k % 20).collect::<std::collections::HashSet<_>>().len(), 20);
}
