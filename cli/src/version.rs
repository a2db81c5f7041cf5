//! The texts of `-V` and `--version`.

use rapidoku::SimdLevel;

/// The revision of the sources, if it was known when the program was compiled. Changes that were not committed do not
/// show.
pub const REVISION: Option<&str> = {
    let revision = env!("RAPIDOKU_REVISION");
    if revision.is_empty() { None } else { Some(revision) }
};

/// The text of `--version` after the name of the program. It depends on the machine.
pub fn long() -> String {
    let available = SimdLevel::available().iter().map(|level| level.name()).collect::<Vec<_>>();
    format!(
        "{}\nrevision: {}\ntarget: {}\nSIMD levels in this program: {}\nSIMD levels of this machine: {}",
        env!("CARGO_PKG_VERSION"),
        REVISION.unwrap_or("unknown"),
        env!("RAPIDOKU_TARGET"),
        SimdLevel::compiled().join(", "),
        available.join(", "),
    )
}
