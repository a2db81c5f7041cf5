//! Between stages 5 and 6: puts what workers finish out of order back into order, a bounded distance ahead.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

/// A queue of numbered items: producers put them in any order, one consumer takes them by number.
///
/// A producer that is too far ahead of the consumer waits, so that one slow item does not let the
/// others pile up. An item may come in parts, which come out as they go in; of these a producer may have
/// [`PARTS`] waiting.
pub(super) struct Order<T> {
    state: Mutex<State<T>>,
    /// Signalled when the consumer may have something to take.
    arrived: Condvar,
    /// Signalled when producers may have room.
    advanced: Condvar,
    /// Items are taken in while their number is less than this ahead of the next one to be taken.
    window: u64,
}

/// Parts of an item that may wait, besides the last one. With fewer the producers of items in many parts wait for one
/// another, and take turns in the end; more take memory.
const PARTS: usize = 8;

struct State<T> {
    /// Number of the next item to be taken, which is the first place of `waiting`.
    next: u64,
    waiting: VecDeque<Item<T>>,
    producers: usize,
    stopped: bool,
}

struct Item<T> {
    parts: VecDeque<T>,
    is_complete: bool,
}

/// Stands for the consumer. When it goes, the producers stop.
pub(super) struct Consumer<'a, T>(&'a Order<T>);

/// Stands for a producer at work. When the last one goes the consumer learns of the end; when one
/// goes in a panic the others stop.
pub(super) struct Producer<'a, T>(&'a Order<T>);

impl<T> Order<T> {
    /// For so many producers, each of which must call [`Order::producer`].
    pub fn new(producers: usize, window: u64) -> Order<T> {
        let state = State { next: 0, waiting: VecDeque::new(), producers, stopped: false };
        Order { state: Mutex::new(state), arrived: Condvar::new(), advanced: Condvar::new(), window }
    }

    pub fn producer(&self) -> Producer<'_, T> {
        Producer(self)
    }

    pub fn consumer(&self) -> Consumer<'_, T> {
        Consumer(self)
    }

    /// Whether the next part of an item in order is there.
    pub fn is_ready(&self) -> bool {
        self.lock().is_ready()
    }

    /// The next part of an item in order, if it is there and nothing has been stopped.
    pub fn try_take(&self) -> Option<T> {
        let part = self.lock().pop()?;
        self.advanced.notify_all();
        Some(part)
    }

    /// Makes producers and consumer end soon, whatever is left to do.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.arrived.notify_all();
        self.advanced.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("no thread panics with the lock")
    }
}

impl<T> State<T> {
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
    /// The next part of an item in order, waiting for it; `None` after the last one or a stop.
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

impl<T> Producer<'_, T> {
    /// Hands in a part of item `number`, or the rest of it if it `is_last`, as soon as there is room;
    /// `false` asks the producer to stop.
    pub fn put(&self, number: u64, part: T, is_last: bool) -> bool {
        let order = self.0;
        let mut state = order.lock();
        while !state.stopped && !state.has_room(number, order.window) {
            state = order.advanced.wait(state).expect("no thread panics with the lock");
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
        !state.stopped
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn items_come_out_in_order_and_none_runs_ahead() {
        let (order, number, taken) = (Order::new(3, 4), AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let producer = order.producer();
                    loop {
                        let mine = number.fetch_add(1, Ordering::SeqCst);
                        if mine >= 1000 {
                            return;
                        }
                        // One slow item in a hundred, which the others must wait for.
                        if mine % 100 == 0 {
                            thread::sleep(std::time::Duration::from_millis(2));
                        }
                        assert!(producer.put(mine, mine, true));
                        // Taken may lag behind the queue's own count by the item in the consumer's hand.
                        assert!(mine <= taken.load(Ordering::SeqCst) + 4);
                    }
                });
            }
            let consumer = order.consumer();
            for expected in 0..1000 {
                assert_eq!(consumer.take(), Some(expected));
                taken.fetch_add(1, Ordering::SeqCst);
            }
            assert_eq!(consumer.take(), None);
        });
    }

    #[test]
    fn parts_come_out_in_order_while_their_items_are_made() {
        let (order, number) = (Order::new(3, 4), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let producer = order.producer();
                    loop {
                        let mine = number.fetch_add(1, Ordering::SeqCst);
                        if mine >= 50 {
                            return;
                        }
                        for part in 0..mine {
                            assert!(producer.put(mine, (mine, part), part + 1 == mine));
                        }
                        if mine == 0 {
                            assert!(producer.put(0, (0, 0), true));
                        }
                    }
                });
            }
            let consumer = order.consumer();
            for item in 0..50 {
                for part in 0..item.max(1) {
                    assert_eq!(consumer.take(), Some((item, part)));
                    assert!(order.lock().waiting.iter().all(|item| item.parts.len() <= PARTS + 1));
                }
            }
            assert_eq!(consumer.take(), None);
        });
    }

    #[test]
    fn who_waits_is_freed_when_the_consumer_goes() {
        let order = Order::new(1, 1);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| order.producer().put(1, (), true));
            drop(order.consumer());
            assert!(!waiting.join().unwrap());
        });
    }

    #[test]
    fn a_panic_of_a_producer_ends_the_consumer() {
        let order = Order::<()>::new(2, 1);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _producer = order.producer();
            panic!("on purpose");
        }));
        assert!(panicked.is_err());
        assert_eq!(order.consumer().take(), None);
    }
}
