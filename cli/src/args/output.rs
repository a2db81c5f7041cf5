//! The formats of outputs, as options and by the extension of a name.

use std::path::Path;

use anyhow::{Context, bail};
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use rapidoku::file::Format;

use super::named;

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
    /// One JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// A JSON object.
    #[value(name = "json")]
    JsonObject,
    /// A NumPy array of bytes with the shape (N, 81), or (N, 2, 81) with solutions; 0 for a blank; needs -o.
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
    /// A self-contained HTML page.
    Html,
    /// One SVG image, for print.
    Svg,
}

impl OutputFormat {
    /// The formats of commands that write a value or a row per record.
    pub const ROWS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::Csv, OutputFormat::Jsonl];
    /// Those of commands that write grids.
    pub const GRIDS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::Csv, OutputFormat::Jsonl, OutputFormat::Npy];

    /// The format of the library; text for all formats that the program writes by itself.
    pub fn format(self) -> Format {
        match self {
            OutputFormat::Csv => Format::Csv,
            OutputFormat::Jsonl => Format::Jsonl,
            OutputFormat::Npy => Format::Npy,
            _ => Format::Text,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// The parser of an option for one of these formats.
pub fn parser(written: &'static [OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
    named(written, |format| format.to_possible_value().expect("no format is hidden"))
}

/// The formats whose names are extensions. Others are `ndjson` and `htm`, and `txt` for text of any format. A name with
/// another extension says nothing about the content.
const EXTENSIONS: [OutputFormat; 10] = {
    use OutputFormat::*;
    [Csv, Jsonl, JsonObject, Npy, Grid, Sdk, Sdm, Ss, Html, Svg]
};

/// Extensions of formats that this program does not write, and what to do instead; the first ones are compressed.
const UNSUPPORTED: [(&[&str], &str); 4] = [
    (&["xz", "bz2", "lz4", "lzma", "br", "z", "zip", "7z", "rar", "tgz", "gzip", "zstd"], ""),
    (&["pdf"], "; 'rapidoku convert -o book.html' writes puzzles that a browser prints as PDF"),
    (&["parquet", "feather", "arrow"], "; the Python package has columns of Arrow, for Parquet"),
    (&["npz", "h5", "db", "sqlite", "duckdb", "xls", "xlsx", "ods", "doc", "docx", "yaml", "tsv", "tar"], ""),
];

impl OutputFormat {
    /// Where else the format is written, after a semicolon.
    fn elsewhere(self, written: &[OutputFormat]) -> &'static str {
        match self {
            OutputFormat::JsonObject if written.contains(&OutputFormat::Jsonl) => {
                "; .jsonl is usual for one JSON object per line"
            }
            OutputFormat::Csv | OutputFormat::Jsonl | OutputFormat::JsonObject => "",
            _ => "; 'rapidoku convert' writes it",
        }
    }
}

/// Chooses the format of an output: the given one, or else that of the extension of its name (before `.gz` or `.zst`),
/// or else `default`. `written` are the formats that the command writes.
///
/// # Errors
/// If the extension means a format that is not the given one, or that is not written. JSON lines may have the extension
/// `.json` if they are given.
pub fn choose_format(
    given: Option<OutputFormat>,
    output: Option<&Path>,
    written: &[OutputFormat],
    default: OutputFormat,
) -> anyhow::Result<OutputFormat> {
    if let Some(given) = given.filter(|given| !written.contains(given)) {
        bail!("--format {}: here the formats are {}", given.name(), list(written));
    }
    let chosen = given.unwrap_or(default);
    let Some(output) = output else { return Ok(chosen) };
    let extension = extension(output);
    let name = output.display();
    if let Some(at) = UNSUPPORTED.iter().position(|(names, _)| names.contains(&&*extension)) {
        let use_instead = if at == 0 { ".gz or .zst".to_owned() } else { extensions(written) };
        let advice = UNSUPPORTED[at].1;
        bail!("unsupported extension of the output '{name}': .{extension}; use {use_instead}{advice}");
    }
    let meant = match &*extension {
        "txt" if chosen == OutputFormat::Npy => bail!("the name '{name}' means text, not npy; use .npy"),
        "ndjson" => OutputFormat::Jsonl,
        "htm" => OutputFormat::Html,
        _ => match EXTENSIONS.into_iter().find(|format| format.name() == extension) {
            Some(meant) => meant,
            None => return Ok(chosen),
        },
    };
    match given {
        Some(given) if given == meant => Ok(given),
        Some(OutputFormat::Jsonl) if meant == OutputFormat::JsonObject => Ok(OutputFormat::Jsonl),
        None if written.contains(&meant) => Ok(meant),
        Some(given) if written.contains(&meant) => {
            bail!("the name '{name}' means the format {}, but --format is {}", meant.name(), given.name())
        }
        _ => bail!(
            "the name '{name}' means the format {}, which is not written here; the formats are {}{}",
            meant.name(),
            list(written),
            meant.elsewhere(written)
        ),
    }
}

/// Checks the name of an output of one format, which an option other than `--output` names.
///
/// # Errors
/// As [`choose_format`].
pub fn check_name(option: &str, output: &Path, format: OutputFormat) -> anyhow::Result<()> {
    choose_format(Some(format), Some(output), &[format], format).map(drop).with_context(|| option.to_owned())
}

/// The names of formats.
fn list(formats: &[OutputFormat]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

/// The usual extensions of these formats.
fn extensions(written: &[OutputFormat]) -> String {
    let named = EXTENSIONS.iter().filter(|format| written.contains(format)).map(|format| format.name());
    let text = written.iter().any(|format| format.format() == Format::Text).then(|| "txt".to_owned());
    named.chain(text).map(|name| format!(".{name}")).collect::<Vec<_>>().join(", ")
}

/// The extension of an output before `.gz` or `.zst`, in lower case.
pub fn extension(output: &Path) -> String {
    let extension = |path: &Path| {
        path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
    };
    let mut last = extension(output);
    if matches!(&*last, "gz" | "zst") {
        last = extension(&output.with_extension(""));
    }
    last
}
