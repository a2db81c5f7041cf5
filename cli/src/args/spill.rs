//! Arguments of the commands that use temporary files.

use clap::ValueHint;
use rapidoku::file::internal::temp_dir;

/// The memory of a command, and where it puts what does not fit.
#[derive(clap::Args)]
pub struct SpillArgs {
    /// Memory for records or their hashes, as a number with K, M, G or T, at least 1M. With more records, 'shuffle'
    /// uses temporary files, in the folder that the environment variable TMPDIR names, and other commands read the
    /// inputs again; the output is the same.
    #[arg(long, value_name = "SIZE", value_hint = ValueHint::Other, default_value = "1G", value_parser = parse_size)]
    memory: u64,
}

impl SpillArgs {
    /// The memory.
    ///
    /// # Errors
    /// If there is no folder for temporary files.
    pub fn memory(&self) -> anyhow::Result<u64> {
        let folder = temp_dir();
        anyhow::ensure!(folder.is_dir(), "TMPDIR: no folder '{}' for temporary files", folder.display());
        #[cfg(unix)]
        rapidoku_jobs::memory::HAS_OPTION.store(true, std::sync::atomic::Ordering::Relaxed);
        Ok(self.memory)
    }
}

/// Parses a number of bytes such as `500M`.
fn parse_size(text: &str) -> Result<u64, &'static str> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.to_ascii_uppercase();
    let unit = unit.trim_end_matches("IB").trim_end_matches('B');
    let power = ["", "K", "M", "G", "T"].iter().position(|name| *name == unit);
    let bytes = power.zip(number.parse::<u64>().ok()).and_then(|(power, n)| n.checked_mul(1 << (10 * power)));
    match bytes.ok_or("expected a number of bytes with K, M, G or T")? {
        bytes if bytes >= 1 << 20 => Ok(bytes),
        _ => Err("at least 1M"),
    }
}
