//! Signals: Ctrl-C leaves no unfinished files behind, and a mapped file that shrinks ends the program with a message.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rapidoku::file::{MapObserver, Mapping, Unfinished};

/// From now on SIGINT, SIGTERM and SIGHUP remove unfinished files and end the process with 130, 143 and 129. SIGBUS, the
/// sign that a mapped file has become shorter, does the same with a message and 2. Under `nohup` SIGHUP stays ignored.
///
/// The process ends at once rather than at the end of a batch: a thread may be in a long search or wait for an input, and
/// there is nothing to be saved.
#[cfg(unix)]
pub fn clean_up_on_signals(unfinished: &Unfinished) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !bus::is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let unfinished = unfinished.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _none_are_created_from_here = unfinished.discard();
            if let Some(message) = bus::message() {
                crate::say(format_args!("rapidoku: {message}"));
                std::process::exit(2);
            }
            std::process::exit(128 + signal);
        }
    })?;
    bus::install_sigbus_handler()
}

/// Elsewhere the unfinished file stays, under its hidden name.
#[cfg(not(unix))]
pub fn clean_up_on_signals(_unfinished: &Unfinished) -> io::Result<()> {
    Ok(())
}

/// Maps regular files. To be used after [`clean_up_on_signals`].
#[allow(unsafe_code)]
pub fn mapping() -> Mapping {
    // SAFETY: A file that changes during the run gives wrong records, as it does for every program that reads it. One that
    // is truncated raises SIGBUS, which has a handler. The manual says both and offers `--no-mmap`.
    unsafe { Mapping::observed(Arc::new(Maps)) }
}

/// The mapped files, by address.
static MAPS: Mutex<Vec<(Range<usize>, String)>> = Mutex::new(Vec::new());

/// Keeps [`MAPS`] up to date.
struct Maps;

impl MapObserver for Maps {
    fn mapped(&self, name: &str, addresses: Range<usize>) {
        MAPS.lock().expect("no thread panics with the lock").push((addresses, name.to_owned()));
    }

    fn unmapped(&self, addresses: Range<usize>) {
        MAPS.lock().expect("no thread panics with the lock").retain(|(other, _)| *other != addresses);
    }
}

#[cfg(unix)]
mod bus {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{io, mem, ptr};

    use super::MAPS;

    /// The address that could not be read, or 0.
    static FAULT: AtomicUsize = AtomicUsize::new(0);

    /// From now on SIGBUS sends SIGTERM to this process, and the thread that caused it waits for the end.
    #[allow(unsafe_code)]
    pub fn install_sigbus_handler() -> io::Result<()> {
        // SAFETY: All zeros are a valid `sigaction`, which holds an address, integers and a set of bits.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_bus_error;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        // SAFETY: `action` is initialised. Its handler has the signature that SA_SIGINFO asks for and calls only functions
        // that are safe in a signal handler. The old action is not asked for.
        match unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Whether this process ignores a signal, as processes started by `nohup` ignore SIGHUP.
    #[allow(unsafe_code)]
    pub fn is_ignored(signal: libc::c_int) -> bool {
        // SAFETY: All zeros are a valid `sigaction`, which holds an address, integers and a set of bits.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: No new action is given, so none is set; `action` may be written to.
        let answer = unsafe { libc::sigaction(signal, ptr::null(), &mut action) };
        answer == 0 && action.sa_sigaction == libc::SIG_IGN
    }

    /// What to say if there was a SIGBUS: the name of the file, if it is known, and what happened.
    pub fn message() -> Option<String> {
        let address = match FAULT.load(Ordering::SeqCst) {
            0 => return None,
            address => address,
        };
        let maps = MAPS.lock().ok()?;
        let file = maps.iter().find(|(addresses, _)| addresses.contains(&address));
        let shrank = "it became shorter while it was read";
        Some(file.map_or("bus error".to_owned(), |(_, name)| format!("cannot read '{name}': {shrank}")))
    }

    #[allow(unsafe_code)]
    extern "C" fn on_bus_error(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: The system gives a valid `info`, which for SIGBUS holds an address (of any value, if a process sent the
        // signal). kill, getpid and pause may be called from a signal handler.
        unsafe {
            FAULT.store(((*info).si_addr() as usize).max(1), Ordering::SeqCst);
            libc::kill(libc::getpid(), libc::SIGTERM);
            // Returning would read the missing page again.
            loop {
                libc::pause();
            }
        }
    }
}
