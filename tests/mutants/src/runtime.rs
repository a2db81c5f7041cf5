//! Becomes the module `mutant` of the changed crate: tells which mutant is active.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// From here on the value of `ACTIVE` is not the number of a mutant.
const SPECIAL: u32 = u32::MAX - 2;
const UNKNOWN: u32 = u32::MAX;
/// The numbers of all places that are reached are written to a file.
const RECORD: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicBool; 1 << 14] = [const { AtomicBool::new(false) }; 1 << 14];

/// Whether this mutant is active.
#[inline]
pub fn on(number: u32) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    if active >= SPECIAL {
        return special(active, number);
    }
    active == number
}

#[cold]
fn special(active: u32, number: u32) -> bool {
    if active == NONE {
        return false;
    }
    if active == UNKNOWN {
        let of_environment = match std::env::var("MUTANT").as_deref() {
            Err(_) => NONE,
            Ok("record") => RECORD,
            Ok(number) => number.parse().expect("the number of a mutant"),
        };
        ACTIVE.store(of_environment, Ordering::Relaxed);
        return on(number);
    }
    if !REACHED[number as usize].swap(true, Ordering::Relaxed) {
        let path = std::env::var_os("MUTANT_RECORD").expect("the file for the numbers");
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        // Tests may forbid the process to write files.
        let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    }
    false
}
