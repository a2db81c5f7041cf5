//! Stage 5, ordered output: a bounded queue that restores the input order of batches finished out of order.

use std::collections::VecDeque;
use std::{mem, thread};

use crate::sync::{Condvar, Mutex, MutexGuard, TryMutex};

/// A queue of numbered items: producers put them in any order, and they are taken in the order of their numbers.
///
/// A producer that is too far ahead waits, so that items do not pile up behind a slow one. An item may consist of
/// parts, which are taken in the order in which they are put; up to [`PARTS`] parts of an item may wait besides the
/// last one.
///
/// An item that never comes would let everybody else wait for ever. So a number is a [`Turn`], which a producer gets
/// together with the batch that it processes, and which stops the queue when it is dropped before its item is complete.
pub(super) struct Order<T> {
    state: Mutex<State<T>>,
    /// Signalled when the consumer may have something to take.
    arrived: Condvar,
    /// Signalled when producers may have room.
    advanced: Condvar,
    /// Producers wait while the number of their item is this much, or more, ahead of the next item to be taken.
    window: u64,
}

/// With fewer parts, the producers of items with many parts wait for one another and end up taking turns; more cost
/// memory.
const PARTS: usize = if cfg!(loom) { 1 } else { 8 };

struct State<T> {
    /// The number of the next [`Turn`].
    turns: u64,
    /// Number of the next item to be taken, which is the first one of `waiting`.
    next: u64,
    waiting: VecDeque<Item<T>>,
    producers: usize,
    stopped: bool,
}

struct Item<T> {
    parts: VecDeque<T>,
    is_complete: bool,
}

/// The consumer. Dropping it stops the producers.
pub(super) struct Consumer<'a, T>(&'a Order<T>);

/// An active producer. The queue ends when the last one is dropped, and stops when one is dropped in a panic.
pub(super) struct Producer<'a, T>(&'a Order<T>);

/// The number of an item and the duty to complete the item with [`Turn::finish`], unless the queue has been stopped.
pub(super) struct Turn<'a, T> {
    order: &'a Order<T>,
    number: u64,
    is_complete: bool,
}

impl<T> Order<T> {
    /// A queue for this number of producers, each of which must call [`Order::producer`] once.
    pub fn new(producers: usize, window: u64) -> Order<T> {
        let state = State { turns: 0, next: 0, waiting: VecDeque::new(), producers, stopped: false };
        Order { state: Mutex::new(state), arrived: Condvar::new(), advanced: Condvar::new(), window }
    }

    pub fn producer(&self) -> Producer<'_, T> {
        Producer(self)
    }

    pub fn consumer(&self) -> Consumer<'_, T> {
        Consumer(self)
    }

    /// Takes all parts that are ready and passes them to `consume`, unless another thread is doing so with the same
    /// `consumer`. Stops and returns `false` when `consume` does.
    ///
    /// If every producer calls this after it has put a part, nothing is left behind: a producer that finds the lock
    /// held leaves its part to the holder, which looks at the queue again after it has released the lock. (The failed
    /// `try_lock` precedes the release, so the part is in the queue by then.)
    pub fn drain<C>(&self, consumer: &TryMutex<C>, mut consume: impl FnMut(&mut C, T) -> bool) -> bool {
        while self.lock().is_ready() {
            let Ok(mut consumer) = consumer.try_lock() else { return true };
            while let Some(part) = self.try_take() {
                if !consume(&mut consumer, part) {
                    return false;
                }
            }
        }
        true
    }

    /// Ends the queue early: producers and consumer return at once. Returns whether it had been stopped before.
    pub fn stop(&self) -> bool {
        let was_stopped = mem::replace(&mut self.lock().stopped, true);
        self.arrived.notify_all();
        self.advanced.notify_all();
        was_stopped
    }

    /// Takes the next part in order if it has arrived and the queue has not been stopped.
    fn try_take(&self) -> Option<T> {
        let part = self.lock().pop()?;
        self.advanced.notify_all();
        Some(part)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("no thread panics with the lock")
    }
}

impl<T> State<T> {
    /// Whether the next part in order has arrived.
    fn is_ready(&self) -> bool {
        !self.stopped && self.waiting.front().is_some_and(|item| !item.parts.is_empty())
    }

    fn pop(&mut self) -> Option<T> {
        if self.stopped {
            return None;
        }
        let item = self.waiting.front_mut()?;
        let part = item.parts.pop_front()?;
        if item.is_complete && item.parts.is_empty() {
            self.waiting.pop_front();
            self.next += 1;
        }
        Some(part)
    }

    fn has_room(&self, number: u64, window: u64) -> bool {
        let ahead = number - self.next;
        ahead < window && self.waiting.get(ahead as usize).is_none_or(|item| item.parts.len() <= PARTS)
    }
}

impl<T> Consumer<'_, T> {
    /// Waits for the next part in order. Returns `None` at the end of the queue or after a stop.
    pub fn take(&self) -> Option<T> {
        let order = self.0;
        let mut state = order.lock();
        loop {
            if let Some(part) = state.pop() {
                order.advanced.notify_all();
                return Some(part);
            }
            if state.stopped || state.producers == 0 {
                return None;
            }
            state = order.arrived.wait(state).expect("no thread panics with the lock");
        }
    }
}

impl<T> Drop for Consumer<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<'a, T> Producer<'a, T> {
    /// Takes the next batch from a source that all producers share, with the turn of its item. The turns have the order
    /// of the batches, because both are taken under the lock of the source. Without a batch there is no turn.
    pub fn take<S, B>(&self, source: &Mutex<S>, next: impl FnOnce(&mut S) -> Option<B>) -> Option<(Turn<'a, T>, B)> {
        let order = self.0;
        let mut source = source.lock().expect("no thread panics with the lock");
        let batch = next(&mut source)?;
        let mut state = order.lock();
        state.turns += 1;
        Some((Turn { order, number: state.turns - 1, is_complete: false }, batch))
    }
}

impl<T> Turn<'_, T> {
    /// Puts a part of the item as soon as there is room. Returns `false` if the queue has been stopped.
    pub fn put(&self, part: T) -> bool {
        self.put_part(part, false)
    }

    /// Puts the last part of the item as soon as there is room. Returns `false` if the queue has been stopped.
    pub fn finish(mut self, part: T) -> bool {
        self.is_complete = true;
        self.put_part(part, true)
    }

    fn put_part(&self, part: T, is_last: bool) -> bool {
        let (order, number) = (self.order, self.number);
        let mut state = order.lock();
        while !state.stopped && !state.has_room(number, order.window) {
            state = order.advanced.wait(state).expect("no thread panics with the lock");
        }
        if state.stopped {
            return false;
        }
        let place = (number - state.next) as usize;
        if state.waiting.len() <= place {
            state.waiting.resize_with(place + 1, || Item { parts: VecDeque::new(), is_complete: false });
        }
        let item = &mut state.waiting[place];
        item.parts.push_back(part);
        item.is_complete = is_last;
        if place == 0 {
            order.arrived.notify_one();
        }
        true
    }
}

/// # Panics
/// If nothing else has ended the queue: the rows of an item would be missing.
impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        if !self.is_complete {
            let was_stopped = self.order.stop();
            assert!(was_stopped || thread::panicking(), "a worker ended without the rows of its batch");
        }
    }
}

impl<T> Drop for Producer<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
        self.0.lock().producers -= 1;
        self.0.arrived.notify_one();
    }
}
