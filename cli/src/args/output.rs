//! The format of an output by the extension of its name.

use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;
use rapidoku::file::internal::escape;

/// Extensions of formats that this program does not write, and what to do instead.
const UNSUPPORTED: [(&[&str], &str); 4] = [
    (&["xz", "bz2", "lz4", "lzma", "br", "z", "zip", "7z", "rar", "tgz", "gzip", "zstd"], "use .gz or .zst"),
    (&["parquet", "feather", "arrow", "npz", "h5", "db", "sqlite", "duckdb"], "use .csv or .jsonl"),
    (&["xls", "xlsx", "ods", "doc", "docx", "pdf", "html", "yaml"], "use .csv or .jsonl"),
    (&["tsv", "tar"], "use .csv"),
];

/// Chooses the output format: the given one, or else that of the extension of the output (before `.gz` or `.zst`), or else
/// `default`.
///
/// # Errors
/// If the extension is that of a format that is not supported.
pub fn choose_format<F: ValueEnum>(given: Option<F>, output: Option<&Path>, default: F) -> anyhow::Result<F> {
    let extension = output.map(check_extension).transpose()?.unwrap_or_default();
    // Nobody expects other content behind these extensions.
    let (is_array, is_xml) = (extension == "npy", matches!(&*extension, "xml" | "opensudoku"));
    let writes = |name: &str| F::from_str(name, false).is_ok();
    if let Some(given) = given.filter(|_| (!is_array || writes("npy")) && (!is_xml || writes("opensudoku"))) {
        return Ok(given);
    }
    let wanted = match &*extension {
        "csv" => "csv",
        "jsonl" | "ndjson" => "jsonl",
        "npy" => "npy",
        "xml" | "opensudoku" => "opensudoku",
        other @ ("sdk" | "sdm" | "ss" | "sdx") if writes(other) => other,
        "json" => bail!(
            "unsupported extension of the output: .json; the output has one JSON object per line, for which .jsonl is \
             usual (or use --format)"
        ),
        _ => return Ok(default),
    };
    match F::from_str(wanted, false) {
        Ok(format) => Ok(format),
        Err(_) => {
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
