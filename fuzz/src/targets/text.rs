use crate::page::{self, Content, Options};
use crate::reading;

/// Any bytes as text, in any format: the records are those of the slow reader, in every way to read.
///
/// The first byte chooses the format and the options.
pub fn text(bytes: &[u8]) {
    let Some((&choice, text)) = bytes.split_first() else { return };
    let format = [None, Some("lines"), Some("csv"), Some("json"), Some("grid")][usize::from(choice % 8).min(4)];
    let is_set = |bit: u8| choice >> bit & 1 == 1;
    let options = Options {
        format,
        column: is_set(3).then(|| if is_set(4) { "2" } else { "puzzle" }.to_owned()),
        solution_column: (is_set(5) && is_set(6)).then(|| "3".to_owned()),
        delimiter: is_set(5).then_some(if is_set(6) { b' ' } else { b';' }),
        no_header: is_set(7) && is_set(4),
        pad: is_set(7),
    };
    let (records, error) = reading::read_in_all_ways(text, &(&options).into());
    let record = |record: &reading::Record| record.cells.clone().map(|cells| (cells, record.solution.clone()));
    let records = records.iter().map(record).collect();
    let found = if error.is_none() { Content::Records(records) } else { Content::Ended(records) };
    let expected = page::read(text, &options);
    // The first bytes of other data, of which the slow reader knows nothing.
    let is_foreign =
        error.is_some_and(|error| error.contains("unsupported:") || error.contains("NumPy") || error.contains("data"));
    assert!(found == expected || is_foreign, "{options:?}\nfound    {found:?}\nexpected {expected:?}");
}
