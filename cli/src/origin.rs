//! Where a report comes from: the time and the command line.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use rapidoku::file::internal::quote;

/// The time in UTC, such as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    timestamp(seconds)
}

fn timestamp(seconds: u64) -> String {
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    // Source: Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days. A year starts in March,
    // so that the leap day is its last one.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The command line of this process, quoted for a shell, with the bare name of the program.
pub fn command_line() -> String {
    let arguments = env::args_os().skip(1).map(|argument| quote(&argument.to_string_lossy()));
    ["rapidoku".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected dates are those of GNU `date -u -d @N`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), expected);
        }
    }
}
