//! Standard input and output that were closed when the program was started, as by `<&-` and `>&-` of a shell.
//!
//! Before `main`, the standard library opens `/dev/null` in their place: rows would be lost without an error. So this
//! module looks at them before that, in a function that the loader calls. Afterwards, they could not be told from a
//! `/dev/null` that the caller has opened.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static STDIN: AtomicBool = AtomicBool::new(false);
static STDOUT: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[allow(unsafe_code)]
// SAFETY: The loader calls the functions in this section, which has the type of this static, before `main`. The
// function needs nothing of the standard library that `main` would have to set up.
#[cfg_attr(any(target_os = "macos", target_os = "ios"), unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(any(target_os = "macos", target_os = "ios")), unsafe(link_section = ".init_array"))]
#[used]
static LOOK: extern "C" fn() = {
    extern "C" fn look() {
        for (number, is_closed) in [(0, &STDIN), (1, &STDOUT)] {
            // SAFETY: The call has no preconditions.
            let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
            is_closed.store(flags == -1, Ordering::Relaxed);
        }
    }
    look
};

/// # Errors
/// If standard input was closed.
pub fn stdin() -> io::Result<()> {
    check(&STDIN)
}

/// # Errors
/// If standard output was closed.
pub fn stdout() -> io::Result<()> {
    check(&STDOUT)
}

fn check(is_closed: &AtomicBool) -> io::Result<()> {
    if is_closed.load(Ordering::Relaxed) {
        Err(io::Error::other("it was closed when the program was started"))
    } else {
        Ok(())
    }
}
