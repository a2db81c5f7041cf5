//! The formats of outputs, as options and by the extension of a name.

use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rapidoku::file::Format;
use rapidoku::file::internal::escape;

/// A format of the rows. Each command has a list of those that it writes, with the default first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Plain text.
    Text,
    /// 81 characters per line, and a comma and the solution if there is one; also 'text'.
    #[value(alias = "text")]
    Lines,
    /// 729 characters per line, and a comma and the solution if there is one.
    Pencilmarks,
    /// Columns as CSV with a header.
    Csv,
    /// Columns as one JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// One JSON object per line; also 'jsonl' and 'ndjson'.
    #[value(aliases = ["jsonl", "ndjson"])]
    Json,
    /// A JSON object.
    #[value(name = "json")]
    JsonObject,
    /// A NumPy array of bytes with the shape (N, 81), 0 for a blank; needs -o.
    Npy,
    /// Nine lines of nine characters and spaces.
    Grid,
    /// Record number and status, and the solution in a frame.
    Frame,
    /// Nine lines of nine characters after the title '[Puzzle]' (SadMan).
    Sdk,
    /// 81 characters per line, 0 for a blank (SudoCue).
    Sdm,
    /// A frame of nine lines (Simple Sudoku).
    Ss,
    /// Nine lines of nine lists of candidates (SudoCue).
    Sdx,
    /// Nine lines of nine lists of candidates, aligned in a frame.
    Candidates,
    /// OpenSudoku XML; also 'xml'.
    #[value(name = "opensudoku", alias = "xml")]
    OpenSudoku,
    /// A page for print with numbered puzzles, and the solutions at the end.
    Html,
    /// The same as one SVG image.
    Svg,
}

impl OutputFormat {
    /// The formats of commands that write a value or a row per record.
    pub const ROWS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::Csv, OutputFormat::Jsonl];
    /// Those of commands that write grids.
    pub const GRIDS: &[OutputFormat] =
        &[OutputFormat::Text, OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy];

    /// The format of the library; text for all formats that the program writes by itself.
    pub fn format(self) -> Format {
        match self {
            OutputFormat::Csv => Format::Csv,
            OutputFormat::Jsonl => Format::Jsonl,
            OutputFormat::Npy => Format::Npy,
            _ => Format::Text,
        }
    }

    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The format with this name or alias among those that a command writes.
    fn find(written: &[OutputFormat], name: &str) -> Option<OutputFormat> {
        let matches = |format: &OutputFormat| {
            format.to_possible_value().is_some_and(|value| value.matches(name, false))
        };
        written.iter().copied().find(matches)
    }
}

/// The parser of an option for one of these formats.
pub fn parser(written: &'static [OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
    let values = written.iter().filter_map(OutputFormat::to_possible_value);
    PossibleValuesParser::new(values)
        .map(|name| OutputFormat::find(written, &name).expect("the parser knows the name"))
}

/// Extensions of formats that this program does not write, and what to do instead.
const UNSUPPORTED: [(&[&str], &str); 4] = [
    (&["xz", "bz2", "lz4", "lzma", "br", "z", "zip", "7z", "rar", "tgz", "gzip", "zstd"], "use .gz or .zst"),
    (&["parquet", "feather", "arrow", "npz", "h5", "db", "sqlite", "duckdb"], "use .csv or .jsonl"),
    (&["xls", "xlsx", "ods", "doc", "docx", "pdf", "yaml"], "use .csv or .jsonl"),
    (&["tsv", "tar"], "use .csv"),
];

/// Chooses the output format: the given one, or else that of the extension of the output (before `.gz` or `.zst`), or else
/// the first of those that the command writes.
///
/// # Errors
/// If the extension is that of a format that is not supported.
pub fn choose_format(
    given: Option<OutputFormat>,
    output: Option<&Path>,
    written: &[OutputFormat],
) -> anyhow::Result<OutputFormat> {
    let extension = output.map(check_extension).transpose()?.unwrap_or_default();
    // Nobody expects other content behind these extensions.
    let (is_array, is_xml) = (extension == "npy", matches!(&*extension, "xml" | "opensudoku"));
    let find = |name: &str| OutputFormat::find(written, name);
    if let Some(given) =
        given.filter(|_| (!is_array || find("npy").is_some()) && (!is_xml || find("opensudoku").is_some()))
    {
        return Ok(given);
    }
    let wanted = match &*extension {
        "csv" => "csv",
        "jsonl" | "ndjson" => "jsonl",
        "npy" => "npy",
        "xml" | "opensudoku" => "opensudoku",
        other @ ("html" | "svg") => other,
        other @ ("sdk" | "sdm" | "ss" | "sdx") if find(other).is_some() => other,
        "json" => bail!(
            "unsupported extension of the output: .json; the output has one JSON object per line, for which .jsonl is \
             usual (or use --format)"
        ),
        _ => return Ok(written[0]),
    };
    match find(wanted) {
        Some(format) => Ok(format),
        None => {
            bail!(
                "the extension .{extension} means the output format '{wanted}', which this command does not have"
            )
        }
    }
}

/// The extension of an output before `.gz` or `.zst`, in lower case.
///
/// # Errors
/// If it is that of a format that is not supported.
pub fn check_extension(output: &Path) -> anyhow::Result<String> {
    let extension = |path: &Path| {
        path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
    };
    let mut last = extension(output);
    if matches!(&*last, "gz" | "zst") {
        last = extension(&output.with_extension(""));
    }
    if let Some((_, advice)) = UNSUPPORTED.iter().find(|(names, _)| names.contains(&&*last)) {
        let name = output.display().to_string();
        bail!("unsupported extension of the output '{}': .{last}; {advice}", escape(&name));
    }
    Ok(last)
}
