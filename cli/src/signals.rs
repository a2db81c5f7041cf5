//! Signals: Ctrl-C removes unfinished files, and truncating a mapped file ends the program with an error message.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rapidoku::file::{MapObserver, Mapping, Unfinished};

use crate::stderr;

/// Installs handlers for the rest of the process. SIGINT, SIGTERM and SIGHUP remove unfinished files and exit with
/// 130, 143 and 129. SIGBUS, which reports that a mapped file was truncated, does the same with a message and exit
/// code 2. SIGHUP stays ignored under `nohup`.
///
/// The process exits at once and not after the current batch: a thread may be in a long search or blocked on an
/// input, and there is no state to save.
///
/// # Errors
/// When the system rejects a handler or the signal thread cannot be started.
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
            let _no_new_files = unfinished.discard();
            if let Some(message) = bus::message() {
                stderr::message(format_args!("{message}"));
                std::process::exit(2);
            }
            std::process::exit(128 + signal);
        }
    })?;
    bus::install_sigbus_handler()
}

/// Does nothing on other systems: an unfinished file stays behind under its hidden name.
#[cfg(not(unix))]
pub fn clean_up_on_signals(_unfinished: &Unfinished) -> io::Result<()> {
    Ok(())
}

/// Maps regular files into memory. Call [`clean_up_on_signals`] first.
#[allow(unsafe_code)]
pub fn mapping() -> Mapping {
    // SAFETY: A file that another process modifies during the run yields wrong records, as it does when it is read. A
    // file that is truncated raises SIGBUS, which has a handler. The manual documents this and offers `--no-mmap`.
    unsafe { Mapping::observed(Arc::new(MapRecorder)) }
}

/// The address ranges and names of the mapped files.
static MAPS: Mutex<Vec<(Range<usize>, String)>> = Mutex::new(Vec::new());

/// Records mapped files in [`MAPS`].
struct MapRecorder;

impl MapObserver for MapRecorder {
    fn mapped(&self, name: &str, addresses: Range<usize>) {
        MAPS.lock().expect("no thread panics while it holds the lock").push((addresses, name.to_owned()));
    }

    fn unmapped(&self, addresses: Range<usize>) {
        MAPS.lock()
            .expect("no thread panics while it holds the lock")
            .retain(|(other, _)| *other != addresses);
    }
}

#[cfg(unix)]
mod bus {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{io, mem, ptr};

    use super::MAPS;

    /// The address whose access raised SIGBUS, or 0.
    static FAULT_ADDRESS: AtomicUsize = AtomicUsize::new(0);

    /// Makes SIGBUS send SIGTERM to this process and suspend the thread that raised it. The signal thread does the
    /// rest: hardly anything may be called from a signal handler.
    #[allow(unsafe_code)]
    pub fn install_sigbus_handler() -> io::Result<()> {
        // SAFETY: `sigaction` consists of an address, integers and a bit set, for which all zeros are valid.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_bus_error;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        // SAFETY: `action` is initialised. Its handler has the signature that SA_SIGINFO requires and calls only
        // async-signal-safe functions. The pointer for the old action may be null.
        match unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Whether this process ignores a signal. `nohup` starts processes that ignore SIGHUP.
    #[allow(unsafe_code)]
    pub fn is_ignored(signal: libc::c_int) -> bool {
        // SAFETY: `sigaction` consists of an address, integers and a bit set, for which all zeros are valid.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: With a null pointer for the new action the call only writes the current one to `action`.
        let result = unsafe { libc::sigaction(signal, ptr::null(), &mut action) };
        result == 0 && action.sa_sigaction == libc::SIG_IGN
    }

    /// The error message if SIGBUS was raised, with the name of the file if the address belongs to one.
    pub fn message() -> Option<String> {
        let address = match FAULT_ADDRESS.load(Ordering::SeqCst) {
            0 => return None,
            address => address,
        };
        let maps = MAPS.lock().ok()?;
        let file = maps.iter().find(|(addresses, _)| addresses.contains(&address));
        Some(file.map_or("bus error".to_owned(), |(_, name)| {
            format!("cannot read '{name}': truncated by another program while mapped (see --no-mmap)")
        }))
    }

    #[allow(unsafe_code)]
    extern "C" fn on_bus_error(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: The kernel passes a valid `info`, which holds an address for SIGBUS (an arbitrary one if another
        // process sent the signal). kill, getpid and pause are async-signal-safe.
        unsafe {
            FAULT_ADDRESS.store(((*info).si_addr() as usize).max(1), Ordering::SeqCst);
            libc::kill(libc::getpid(), libc::SIGTERM);
            // Returning would access the missing page again.
            loop {
                libc::pause();
            }
        }
    }
}
