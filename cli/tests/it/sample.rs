//! The command `sample`.

use crate::samples::SAMPLE;
use crate::support::{CLASH, PUZZLE, SOLUTION, call, file, inside, mixed};

/// The lines of the sample with their keys for a purpose and their numbers, in the order of the keys. It shares no code
/// with the library.
fn keyed(seed: u64, purpose: u64) -> Vec<(u64, u64, &'static str)> {
    let key = mixed(mixed(seed) ^ purpose);
    let mut keyed: Vec<_> = (0..).zip(SAMPLE.lines()).map(|(k, line)| (mixed(key ^ k), k, line)).collect();
    keyed.sort();
    keyed
}

fn text(lines: &[(u64, u64, &str)]) -> String {
    lines.iter().map(|(.., line)| format!("{line}\n")).collect()
}

/// The lines with the smallest keys.
fn expected(n: usize, seed: u64) -> String {
    let mut keyed = keyed(seed, 0);
    keyed.truncate(n);
    keyed.sort_by_key(|(_, k, _)| *k);
    text(&keyed)
}

/// The keys of the three commands are independent: otherwise a sample would come from one part of a division.
#[test]
fn keys_decide_on_the_order_and_the_part() {
    for seed in [0, 7] {
        assert!(call(&format!("shuffle --seed {seed}"), SAMPLE).stdout() == text(&keyed(seed, 2)));
        let folder = tempfile::tempdir().unwrap();
        let line = format!("split --seed {seed} --by record --parts a=30,b=70 -qo {}", inside(&folder, "{}"));
        assert_eq!(call(&line, SAMPLE).code, Some(0));
        let mut keyed = keyed(seed, 1);
        let n = keyed.partition_point(|(key, ..)| (*key as f64) < 0.3 * 2_f64.powi(64));
        keyed[..n].sort_by_key(|(_, k, _)| *k);
        assert!(std::fs::read_to_string(inside(&folder, "a")).unwrap() == text(&keyed[..n]));
    }
}

#[test]
fn the_records_with_the_smallest_keys_are_written_in_input_order() {
    for (n, seed) in [(0, 0), (1, 0), (100, 1), (3000, 2), (9999, 3), (10_000, 4)] {
        let expected = expected(n, seed);
        let run = call(&format!("sample {n} --seed {seed}"), SAMPLE);
        assert!(run.stdout() == expected && run.stderr.is_empty(), "{n} {seed} {}", run.stderr);
    }
}

#[test]
fn fewer_records_than_wanted_are_all_written() {
    let text = format!("id,puzzle,note\r\n1,{PUZZLE},\"a\nb\"\r\n2,bad,\n3,{CLASH},x");
    let run = call("sample 5", &text);
    assert_eq!(run.stdout(), format!("id,puzzle,note\r\n1,{PUZZLE},\"a\nb\"\r\n2,bad,\n3,{CLASH},x\n"));
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("records: 3, fewer than 5; all were written"), "{}", run.stderr);
    assert!(run.stderr.contains("invalid records: 1"), "{}", run.stderr);
    let run = call("sample 5 -q", &text);
    assert_eq!(run.stderr, "");
    assert_eq!(call("sample 5 -q", b"").stdout(), "");
}

#[test]
fn tables_can_be_converted() {
    let text = format!("id,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n2,bad,\u{ff}\n");
    let run = call("sample 9 -q --format jsonl --passthrough", &text);
    let first = format!("{{\"id\":\"1\",\"puzzle\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\"}}\n");
    assert_eq!(run.stdout(), first + "{\"id\":\"2\",\"puzzle\":\"bad\",\"solution\":\"\u{ff}\"}\n");
    let run = call("sample 9 -q --format csv --columns record,clues,input.solution,id", &text);
    assert_eq!(run.stdout(), format!("record,clues,solution,id\n1,30,{SOLUTION},1\n2,,\u{ff},2\n"));
    assert_eq!(call("sample 9 -q --columns id", &text).stdout(), "id\n1\n2\n");
    let message = "no column 'ids': the columns are record, puzzle, clues; those of the input are id, puzzle, solution";
    call("sample 9 --columns ids", &text).fails_with(message);
}

#[test]
fn grids_stay_grids_and_different_layouts_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let grids = call("convert --format grid", SAMPLE.lines().take(50).collect::<Vec<_>>().join("\n"));
    let run = call("sample 7 --seed 3", &grids.stdout);
    let checked = call("check", &run.stdout);
    assert_eq!(checked.stdout().lines().count(), 7, "{}", run.stdout());
    let [lines, json, grids] = [
        file(&folder, "lines", PUZZLE),
        file(&folder, "json", format!("{{\"puzzle\":\"{PUZZLE}\"}}\n")),
        file(&folder, "grids", &grids.stdout),
    ];
    for other in [json, grids] {
        call(&format!("sample 2 {lines} {other}"), b"").fails_with("its format is not that of");
    }
}

#[test]
fn line_ends_of_headers_are_kept() {
    for (header, row) in [("id;puzzle", format!("1;{PUZZLE}")), ("puzzle", PUZZLE.to_owned())] {
        for (first, other) in [("\n", "\r\n"), ("\r\n", "\n"), ("\r\n", "\r\n")] {
            let text = format!("{header}{first}{row}{other}{row}{other}");
            for line in ["sample 2", "shuffle", "check --only unique"] {
                assert_eq!(call(line, &text).stdout(), text, "{line}");
            }
            let run = call("dedup -q", &text);
            assert_eq!(run.stdout(), format!("{header}{first}{row}{other}"), "{}", run.stderr);
        }
    }
}
