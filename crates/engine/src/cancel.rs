//! Cancellation of long calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels long calls from another thread. Clones cancel the same calls.
///
/// ```
/// use rapidoku::{CancelToken, Cancelled, Limits, Outcomes, Puzzle, Solver};
///
/// let cancel = CancelToken::new();
/// let other = cancel.clone();
/// let thread = std::thread::spawn(move || {
///     // Counting the solutions of the empty grid would take forever.
///     Solver::new().limits(Limits::ALL).try_solve_into(&[Puzzle::EMPTY], &mut Outcomes::new(), &other)
/// });
/// cancel.cancel();
/// assert_eq!(thread.join().unwrap(), Err(Cancelled));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nobody has cancelled yet.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks the calls with this token to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`CancelToken::cancel`] has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The result of a call that goes on unless it was cancelled.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// A call was stopped by its [`CancelToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
