//! Ctrl-C: leaves no unfinished files behind.

use rapidoku::output::Unfinished;

/// From now on SIGINT and SIGTERM remove what is unfinished and end the process with 130 and 143.
///
/// The process ends at once rather than at the end of a batch: a thread may be in a search that takes
/// long, or wait for an input that never comes, and nothing is left to be saved.
#[cfg(unix)]
pub fn clean_up_on_signals(unfinished: &Unfinished) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let unfinished = unfinished.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _none_come_after = unfinished.discard();
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Elsewhere the unfinished file stays, under its hidden name.
#[cfg(not(unix))]
pub fn clean_up_on_signals(_unfinished: &Unfinished) -> std::io::Result<()> {
    Ok(())
}
