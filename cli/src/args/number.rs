//! Numbers and ranges as people write them.

use std::ops::RangeInclusive;

use rapidoku::rating::{Difficulty, ParseDifficultyError};

/// Parses a whole number: `1000000`, `1_000_000`, `1e6` or `1M` (K, M, G and T are powers of 1000).
pub fn parse_number(text: &str) -> Result<u64, String> {
    let wrong = || "expected a whole number such as 1000000, 1_000_000, 1e6 or 1M".to_owned();
    let plain = text.replace('_', "");
    let (digits, exponent) = match plain.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse().map_err(|_| wrong())?),
        None => {
            let units = [('K', 3), ('M', 6), ('G', 9), ('T', 12)];
            let unit = units.iter().find(|(unit, _)| plain.to_ascii_uppercase().ends_with(*unit));
            unit.map_or((&*plain, 0), |(_, exponent)| (&plain[..plain.len() - 1], *exponent))
        }
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number =
        digits.parse::<u64>().ok().and_then(|number| number.checked_mul(10_u64.checked_pow(exponent)?));
    number.ok_or_else(|| "the number is too large".to_owned())
}

/// The same for a number that may not be 0.
pub fn parse_positive(text: &str) -> Result<u64, String> {
    match parse_number(text)? {
        0 => Err("0 is too small".to_owned()),
        number => Ok(number),
    }
}

/// Parses a range of numbers: `A..B`, `A-B`, `A..`, `..B` or `A`.
pub fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    range(text, parse_number, 0, u64::MAX)
}

/// Parses a range of ratings: `4.0..5.0`, `4-5`, `7.1..`, `..2.6` or `8.3`.
pub fn parse_er(text: &str) -> Result<RangeInclusive<Difficulty>, String> {
    let number = |text: &str| text.parse().map_err(|error: ParseDifficultyError| error.to_string());
    range(text, number, Difficulty(0), Difficulty(u16::MAX))
}

fn range<T: PartialOrd + Copy>(
    text: &str,
    number: impl Fn(&str) -> Result<T, String>,
    least: T,
    greatest: T,
) -> Result<RangeInclusive<T>, String> {
    let end = |text: &str, missing| if text.is_empty() { Ok(missing) } else { number(text) };
    let (first, last) = match text.split_once("..").or_else(|| text.split_once('-')) {
        None => (number(text)?, number(text)?),
        Some((first, last)) => (end(first, least)?, end(last, greatest)?),
    };
    match first <= last {
        true => Ok(first..=last),
        false => Err("the first number is greater than the last one".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_underscores_exponents_and_units() {
        for (text, number) in [
            ("0", 0),
            ("17", 17),
            ("1_000_000", 1_000_000),
            ("1e9", 1_000_000_000),
            ("25E3", 25_000),
            ("2k", 2000),
            ("1G", 1_000_000_000),
        ] {
            assert_eq!(parse_number(text), Ok(number), "{text}");
        }
        for text in ["", "e9", "1.5", "-1", "1e", "K", "1KK", "1e30", "99999999999999999999", "0x10", "+1"] {
            assert!(parse_number(text).is_err(), "{text}");
        }
        assert!(parse_positive("0").is_err());
    }

    #[test]
    fn ranges_include_their_ends() {
        assert_eq!(parse_range("22..24"), Ok(22..=24));
        assert_eq!(parse_range("22-24"), Ok(22..=24));
        assert_eq!(parse_range("22.."), Ok(22..=u64::MAX));
        assert_eq!(parse_range("..24"), Ok(0..=24));
        assert_eq!(parse_range("24"), Ok(24..=24));
        for text in ["", "a", "24..22", "1...2"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
        assert_eq!(parse_er("4.0..5.0"), Ok(Difficulty(40)..=Difficulty(50)));
        assert_eq!(parse_er("7.1-8"), Ok(Difficulty(71)..=Difficulty(80)));
        assert_eq!(parse_er("8.3"), Ok(Difficulty(83)..=Difficulty(83)));
        assert_eq!(parse_er("..2.6"), Ok(Difficulty(0)..=Difficulty(26)));
        for text in ["", "4.05", "5..4", "x", "4.", ".5"] {
            assert!(parse_er(text).is_err(), "{text}");
        }
    }
}
