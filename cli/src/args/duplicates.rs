//! Arguments of the commands that compare records.

use std::path::PathBuf;

use clap::ValueHint;
use rapidoku::dedup::Equivalence;
use rapidoku::file::internal::escape;
use rapidoku::file::{Dedup, Format, Table};
use rapidoku::{Limits, SimdLevel};

use super::solver::level_parser;
use super::table::TableArgs;
use crate::solver::{LimitedSolver, SolverKind};

/// How records are compared.
#[derive(clap::Args)]
pub struct DuplicateArgs {
    /// Compare clues: the same puzzle, whatever its layout and its characters for blanks. Pencilmarks are compared by
    /// their candidates.
    #[arg(long, conflicts_with = "symmetry")]
    exact: bool,

    /// Compare up to symmetry: puzzles are the same if one becomes the other by renaming digits, by reordering bands,
    /// stacks, and lines within them, and by transposing. This is the default.
    #[arg(long)]
    symmetry: bool,

    /// Memory for the hashes of records, as a number with K, M, G or T. More than that goes to temporary files; the output is
    /// the same. 1G is enough for 30 million records.
    #[arg(long, value_name = "SIZE", value_hint = ValueHint::Other, default_value = "1G", value_parser = parse_size)]
    memory: u64,

    /// Folder of temporary files, instead of that in the environment variable TMPDIR.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    temp_dir: Option<PathBuf>,

    /// Instruction set of the solver; 'auto' selects the widest that this machine supports.
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = level_parser())]
    simd: SimdLevel,
}

impl DuplicateArgs {
    pub fn equivalence(&self) -> Equivalence {
        if self.exact { Equivalence::Exact } else { Equivalence::Symmetry }
    }

    pub fn memory(&self) -> u64 {
        self.memory
    }

    pub fn temp_dir(&self) -> anyhow::Result<PathBuf> {
        let folder = self.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
        if !folder.is_dir() {
            let name = folder.display().to_string();
            anyhow::bail!("no folder for temporary files: '{}'", escape(&name));
        }
        Ok(folder)
    }

    pub fn level(&self) -> SimdLevel {
        self.simd
    }

    /// The solver for the statistics, if records are solved.
    pub fn solver(&self) -> Option<LimitedSolver> {
        (!self.exact).then_some(LimitedSolver { kind: SolverKind::Lanes(self.simd), limits: Limits::UNIQUE })
    }
}

/// The tables of a command that filters records, for inputs that are tables and for others. By default rows have all columns
/// of the input, or the puzzle, and the columns `added`. `None` for text.
pub fn tables(args: &TableArgs, format: Format, added: &[&str]) -> anyhow::Result<Option<[Table; 2]>> {
    let table = args.table(format, Dedup::COLUMNS, added)?;
    Ok(match format {
        Format::Text => None,
        _ if args.has_columns() => Some([table.clone(), table]),
        _ => {
            let other = table.clone().passthrough(false).column_names([&["puzzle"], added].concat());
            Some([table.passthrough(true), other])
        }
    })
}

/// Parses a number of bytes such as `500M`.
fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number of bytes with K, M, G or T".to_owned()),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match bytes {
        Some(bytes) if bytes >= 1 << 20 => Ok(bytes),
        Some(_) => Err("at least 1M".to_owned()),
        None => Err("expected a number of bytes with K, M, G or T".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("1M", 1 << 20), ("3g", 3 << 30), ("2GiB", 2 << 30), ("4MB", 4 << 20)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        assert_eq!(parse_size("1048576"), Ok(1 << 20));
        for text in ["", "G", "1X", "-1M", "1.5G", "99999999999T", "1K"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
