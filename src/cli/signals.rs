//! Ctrl-C: leaves no unfinished files behind.

use rapidoku::output::Unfinished;

/// From now on SIGINT, SIGTERM and SIGHUP remove what is unfinished and end the process with 130, 143 and 129. The
/// same becomes of a mapped file that shrinks, with a message and 2. Under `nohup` SIGHUP stays ignored.
///
/// The process ends at once rather than at the end of a batch: a thread may be in a search that takes
/// long, or wait for an input that never comes, and nothing is left to be saved.
#[cfg(unix)]
pub fn clean_up_on_signals(unfinished: &Unfinished) -> std::io::Result<()> {
    use rapidoku::input;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !input::is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let unfinished = unfinished.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _none_come_after = unfinished.discard();
            if let Some(message) = input::shrunk() {
                super::say(format_args!("rapidoku: {message}"));
                std::process::exit(2);
            }
            std::process::exit(128 + signal);
        }
    })?;
    input::tell_of_shrinking()
}

/// Elsewhere the unfinished file stays, under its hidden name.
#[cfg(not(unix))]
pub fn clean_up_on_signals(_unfinished: &Unfinished) -> std::io::Result<()> {
    Ok(())
}
