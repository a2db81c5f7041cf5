//! Signals: Ctrl-C removes unfinished files, truncating a mapped file ends the program with an error message, and files
//! that become too large are errors.

use std::io;
#[cfg(unix)]
use std::io::Read;
use std::ops::Range;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use rapidoku::file::{MapObserver, Mapping, Unfinished};

#[cfg(unix)]
use crate::stderr;

/// Whether SIGINT is a request to end soon, and whether there was one.
static KEEPS_RESULTS: AtomicBool = AtomicBool::new(false);
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, the first SIGINT does not end the process: there are results to write. Ask [`is_interrupted`].
pub fn keep_results() {
    KEEPS_RESULTS.store(true, Ordering::SeqCst);
}

/// Whether SIGINT arrived after [`keep_results`].
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// The child that [`end_child`] ends; 0 without one.
static CHILD: AtomicU32 = AtomicU32::new(0);

/// A command for the shell, in a process group of its own: its end is that of all processes that it starts.
pub fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.args([option, command]);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell
}

/// The running [`shell`], 0 if there is none. It does not outlive this process.
pub fn set_child(id: u32) {
    CHILD.store(id, Ordering::SeqCst);
}

/// Ends the child and all processes that it has started.
pub fn end_child() {
    let id = CHILD.swap(0, Ordering::SeqCst);
    if id > 0 {
        let command =
            if cfg!(windows) { format!("taskkill /F /T /PID {id}") } else { format!("kill -s KILL -- -{id}") };
        // It may have ended.
        _ = shell(&command).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Installs handlers for the rest of the process. SIGINT, SIGTERM and SIGHUP remove unfinished files and exit with
/// 130, 143 and 129. SIGBUS, which reports that a mapped file was truncated, does the same with a message and exit
/// code 2. SIGHUP stays ignored under `nohup`. A failed allocation removes the files too.
///
/// The process exits at once and not after the current batch: a thread may be in a long search or blocked on an
/// input, and there is no state to save.
///
/// # Errors
/// When the system rejects a handler or a thread cannot be started.
#[cfg(unix)]
pub fn clean_up_on_signals(unfinished: &Unfinished) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    rapidoku_jobs::memory::clean_up_on_failure(unfinished)?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !bus::is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let for_signals = unfinished.clone();
    start_thread("signals", move || {
        for signal in signals.forever() {
            let may_go_on = signal == SIGINT && KEEPS_RESULTS.load(Ordering::SeqCst);
            let goes_on = may_go_on && !IS_INTERRUPTED.swap(true, Ordering::SeqCst);
            // Now that the reason of its end is known.
            end_child();
            if goes_on {
                stderr::message(format_args!(
                    "interrupted: writing the finished rounds after this one; Ctrl-C ends at once"
                ));
                continue;
            }
            let (_no_new_files, outputs) = for_signals.discard();
            if let [first, more @ ..] = &outputs[..] {
                let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
                let first = first.display();
                stderr::message(format_args!("interrupted, nothing was written to '{first}'{more}"));
            }
            std::process::exit(128 + signal);
        }
    })?;
    // The pipe works even if the process was started with all signals blocked.
    let (mut errors, writer) = io::pipe()?;
    let unfinished = unfinished.clone();
    start_thread("bus errors", move || {
        let mut address = [0; size_of::<usize>()];
        if errors.read_exact(&mut address).is_ok() {
            let (_no_new_files, _) = unfinished.discard();
            stderr::message(format_args!("{}", bus::message(usize::from_ne_bytes(address))));
            std::process::exit(crate::exit::FAILURE.into());
        }
    })?;
    bus::install_sigbus_handler(writer)
}

#[cfg(unix)]
fn start_thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail with an error, instead of SIGXFSZ ending the process.
/// A handler does that. Ignoring the signal would too, but child processes would inherit it.
///
/// # Errors
/// When the system rejects the handler.
#[cfg(unix)]
pub fn turn_file_size_signal_into_error() -> io::Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map(drop)
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
        MAPS.lock().expect("no thread panics while it holds the lock").retain(|(other, _)| *other != addresses);
    }
}

#[cfg(unix)]
mod bus {
    use std::io::{self, PipeWriter};
    use std::os::fd::IntoRawFd;
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::{mem, ptr};

    use super::MAPS;

    /// The pipe to the thread that ends the process.
    static PIPE: AtomicI32 = AtomicI32::new(-1);

    /// Makes SIGBUS write its address to `pipe` and suspend the thread that raised it. The reader of the pipe does the
    /// rest: hardly anything may be called from a signal handler.
    #[allow(unsafe_code)]
    pub fn install_sigbus_handler(pipe: PipeWriter) -> io::Result<()> {
        PIPE.store(pipe.into_raw_fd(), Ordering::SeqCst);
        // SAFETY: `sigaction` consists of an address, integers and a bit set, for which all zeros are valid.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_bus_error;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        // SAFETY: `action` is initialised. Its handler has the signature that SA_SIGINFO requires and calls only
        // async-signal-safe functions. The pointer for the old action may be null.
        if unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `sigset_t` consists of integers. The calls only write to `set`, and the pointer for the old set may
        // be null. This thread starts all others, which inherit its set. If the signal were blocked, the kernel would
        // kill the process.
        unsafe {
            let mut set: libc::sigset_t = mem::zeroed();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, libc::SIGBUS);
            match libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, ptr::null_mut()) {
                0 => Ok(()),
                error => Err(io::Error::from_raw_os_error(error)),
            }
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

    /// The error message after SIGBUS, with the name of the file if the address belongs to one.
    pub fn message(address: usize) -> String {
        let maps = MAPS.lock().expect("no thread panics while it holds the lock");
        let file = maps.iter().find(|(addresses, _)| addresses.contains(&address));
        file.map_or("bus error".to_owned(), |(_, name)| {
            format!("cannot read '{name}': truncated by another program while mapped (see --no-mmap)")
        })
    }

    #[allow(unsafe_code)]
    extern "C" fn on_bus_error(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: The kernel passes a valid `info`, which holds an address for SIGBUS (an arbitrary one if another
        // process sent the signal). write and pause are async-signal-safe, and the bytes outlive the call.
        unsafe {
            let address = ((*info).si_addr() as usize).to_ne_bytes();
            libc::write(PIPE.load(Ordering::SeqCst), address.as_ptr().cast(), address.len());
            // Returning would access the missing page again.
            loop {
                libc::pause();
            }
        }
    }
}
