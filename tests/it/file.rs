//! Runs from files to files through the library: mapped inputs, outputs, errors, progress and lines.

use std::fs;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rapidoku::file::{
    Column, Error, Event, Format, Input, InputFormat, InputOptions, MapObserver, Mapping, Output, Ratings, Run, Sample,
    Shard, SolveRows, Split, Table, Unfinished,
};
use rapidoku::rating::Rater;
use rapidoku::{CancelToken, Solver};

use crate::samples::{head, sample};
use crate::support::{PUZZLE, SOLUTION};

/// Maps a file that belongs to the test.
fn mapped() -> Mapping {
    // SAFETY: No other process knows the file.
    unsafe { Mapping::always() }
}

/// The lines of the invalid records of a run.
fn solve(run: Run) -> Result<Vec<u64>, Error> {
    let folder = tempfile::tempdir().unwrap();
    let mut invalid = Vec::new();
    let run = run.output(Output::create(folder.path().join("out"))?);
    let result = run.start(&SolveRows::new(Solver::new()), &mut |event| match event {
        Event::Invalid(record) => invalid.push(record.line),
        Event::Progress { stats, total_bytes } => {
            assert!(total_bytes.is_none_or(|bytes| stats.stored_bytes <= bytes));
        }
        _ => {}
    });
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, usize::from(result.is_ok()), "an incomplete file appeared");
    result.map(|_| invalid)
}

/// The files that were mapped, and what was unmapped.
#[derive(Default)]
struct Observer(Mutex<Vec<(String, Range<usize>)>>, Mutex<Vec<Range<usize>>>);

impl MapObserver for Observer {
    fn mapped(&self, name: &str, addresses: Range<usize>) {
        self.0.lock().unwrap().push((name.to_owned(), addresses));
    }

    fn unmapped(&self, addresses: Range<usize>) {
        self.1.lock().unwrap().push(addresses);
    }
}

#[test]
fn an_observer_knows_what_is_mapped() {
    let observer = Arc::new(Observer::default());
    for lines in [1, 1000] {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), format!("{PUZZLE}\n").repeat(lines)).unwrap();
        // SAFETY: As in `mapped`.
        let mapping = unsafe { Mapping::observed(observer.clone()) };
        let run = Run { mapping, ..Run::default() }.input(file.path());
        solve(run).unwrap();
        let [(name, addresses)] = &observer.0.lock().unwrap().split_off(0)[..] else { panic!("one file") };
        assert_eq!((name.as_str(), addresses.len()), (file.path().to_str().unwrap(), 82 * lines));
        assert_eq!(observer.1.lock().unwrap().split_off(0), std::slice::from_ref(addresses));
    }
}

#[test]
fn a_discarded_output_fails_to_finish() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let unfinished = Unfinished::default();
    let mut output = Output::create_registered(&path, &unfinished).unwrap();
    drop(unfinished.discard());
    output.write(b"row").unwrap();
    let message = output.finish().unwrap_err().message();
    assert_eq!(message, format!("cannot write '{}': the unfinished file was discarded", path.display()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_that_cannot_be_read_are_errors_with_a_cause() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let error = solve(Run::default().input(&missing)).unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("cannot open '{}'", missing.display()));
    let cause = std::error::Error::source(&error).expect("a cause").to_string();
    assert_eq!(error.message(), format!("{error}: {}", cause.split(" (os").next().unwrap()));

    let json = folder.path().join("json");
    fs::write(&json, "[5, 3, 0, 0, 7]\n").unwrap();
    let error = solve(Run::default().input(&json)).unwrap_err();
    assert!(matches!(error, Error::Format { .. }), "{error:?}");
    let message = format!("'{}': no puzzle at the start, read as json", json.display());
    assert!(error.to_string().starts_with(&message), "{error}");
}

#[test]
fn progress_of_a_shard_counts_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::write(&input, format!("{PUZZLE}\nbad\n").repeat(50)).unwrap();
    let totals = [1, 2, 3].map(|index| {
        // A report of an invalid record is followed by one of the progress.
        let run = Run { shard: Shard::new(index, 3), reported: 1, ..Run::default() }.input(&input);
        let output = Output::create(folder.path().join("out")).unwrap();
        let mut total = None;
        run.output(output)
            .start(&SolveRows::default(), &mut |event| {
                if let Event::Progress { total_bytes, .. } = event {
                    total = total_bytes;
                }
            })
            .unwrap();
        total
    });
    assert_eq!(totals, [Some(1433), Some(1433), Some(1434)]);
}

#[test]
fn an_output_may_replace_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let same = folder.path().join("same");
    for mapping in [mapped(), Mapping::NEVER] {
        fs::write(&same, format!("{PUZZLE}\n").repeat(5000)).unwrap();
        let run = Run { mapping, batch_bytes: Some(9000), ..Run::default() }.input(&same);
        let output = Output::create(&same).unwrap().sync(false);
        let job = SolveRows::default().format(Format::Csv).columns([Column::Solution, Column::Status]);
        run.output(output).start(&job, &mut |_| ()).unwrap();
        let rows = format!("{SOLUTION},unique\n").repeat(5000);
        assert!(fs::read_to_string(&same).unwrap() == format!("solution,status\n{rows}"));
    }
}

#[test]
fn the_parts_of_a_list_are_those_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let [input, a, b, c] = ["in", "a", "b", "c"].map(|name| folder.path().join(name));
    let (puzzles, cancel, rater) = (&sample()[..300], CancelToken::new(), Rater::new().threads(1));
    let text = head(300) + "oops\n";
    fs::write(&input, &text).unwrap();
    for by_er in [false, true] {
        let mut split = Split::new(&[50.0, 30.0, 20.0], 5);
        let create = |run: Run, path| run.output(Output::create(path).unwrap());
        let run = [&a, &b, &c].into_iter().fold(Run::default().input(&input), create);
        let parts = if by_er {
            split.run_by_er(&Ratings::new(Rater::new(), None), run, &mut |_| {}).unwrap();
            let mut classes = split.rated_classes(&rater, puzzles, &[], &cancel).unwrap();
            classes.push(split.unrated_class(b"oops"));
            split.parts_by_er(&classes)
        } else {
            run.start(&split, &mut |_| {}).unwrap();
            let parts = split.parts_of(puzzles, &cancel).unwrap();
            parts.into_iter().chain([split.part_of_text(b" oops")]).collect()
        };
        let mut expected = [const { String::new() }; 3];
        text.split_inclusive('\n').zip(parts).for_each(|(line, part)| expected[part] += line);
        assert_eq!([&a, &b, &c].map(|path| fs::read_to_string(path).unwrap()), expected, "{by_er}");
    }
}

/// The lines of the invalid records of a text in a declared format.
fn invalid_lines(text: &[u8], format: InputFormat, batch_bytes: usize) -> Vec<u64> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let input_options = InputOptions { format, ..InputOptions::default() };
    let run = Run { input_options, batch_bytes: Some(batch_bytes), reported: u64::MAX, ..Run::default() };
    solve(run.input(file.path())).unwrap()
}

#[test]
fn elements_of_a_document_of_json_keep_their_line_numbers() {
    for (document, expected) in [
        (" [ 1,\"a,]\\\"\", [2,\n3] , {\"puzzle\": {}}]\n", &[1, 2, 3, 4][..]),
        ("[\n{\"puzzle\":\n1},\n\nnull\n]", &[2, 5]),
        ("[\n\"{PUZZLE}\",\n\"bad\"]", &[3]),
        ("{\"puzzle\": \"{PUZZLE}\", \"a\": [{\"b\": 1, \"b\": 2}]}\n\"{PUZZLE}\"", &[1]),
        (&format!("[[{}0]]", "null,".repeat(80)), &[1]),
    ] {
        let document = document.replace("{PUZZLE}", PUZZLE);
        for batch_bytes in [1, 1 << 20] {
            assert_eq!(invalid_lines(document.as_bytes(), InputFormat::Json, batch_bytes), expected, "{document}");
        }
    }
}

#[test]
fn the_line_breaks_of_a_row_are_within_a_megabyte() {
    for (length, expected) in [(1 << 20, &[][..]), ((1 << 20) + 1, &[2, 3])] {
        let note = "a".repeat(length - PUZZLE.len() - "x,\"\n\"".len());
        let table = format!("puzzle,note\n{PUZZLE},\"{note}\n\"\n{PUZZLE},x\n");
        assert_eq!(invalid_lines(table.as_bytes(), InputFormat::Csv, 1 << 20), expected, "{length}");
    }
}

/// Each line but the first of a pair opens a quote which the next one closes and opens again. Whether it is a row
/// depends on the next megabyte, and on the line after that.
#[test]
fn many_open_quotes_take_linear_time() {
    for lines in ["a\",\"\na\",\"\n", "\"\"b\nc\",\"\"\"d\n"] {
        let table = ["puzzle,note\n", &lines.repeat(1 << 19)].concat();
        let start = std::time::Instant::now();
        assert_eq!(invalid_lines(table.as_bytes(), InputFormat::Csv, 1 << 20).len(), 1 << 20, "{lines:?}");
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}

#[test]
fn only_blanks_of_the_input_formats_are_blanks_of_the_output() {
    for byte in 0..=u8::MAX {
        let mut table = Table::new(Format::Csv);
        table.blank = Some(byte);
        let run = Run::default().input(Input::Text(PUZZLE.to_owned()));
        let is_accepted = run.start(&Sample::new(1, 1).table(table), &mut |_| {}).is_ok();
        assert_eq!(is_accepted, b".0-_*?xX".contains(&byte), "{byte}");
    }
}
