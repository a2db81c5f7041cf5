//! Numbers, names and ranges as people write them.

use std::ffi::OsStr;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use rapidoku::rating::{Difficulty, Technique};

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
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(10_u64.checked_pow(exponent)?));
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
    range(text, ends(text), parse_number, 0, u64::MAX)
}

/// Levels of difficulty, each with its highest rating in tenths: up to hidden singles, all singles, sets and fish,
/// wings and loops, chains.
const LEVELS: [(&str, u16); 5] = [("easy", 15), ("medium", 25), ("hard", 39), ("expert", 64), ("fiendish", u16::MAX)];

/// Parses a range of ratings: `4.0..5.0`, `4-5`, `7.1..`, `..2.6`, `8.3` or a level such as `easy`.
pub fn parse_er(text: &str) -> Result<RangeInclusive<Difficulty>, String> {
    if let Some(level) = LEVELS.iter().position(|(name, _)| *name == text) {
        let least = level.checked_sub(1).map_or(0, |below| LEVELS[below].1 + 1);
        return Ok(Difficulty(least)..=Difficulty(LEVELS[level].1));
    }
    let number = |text: &str| {
        text.parse().map_err(|_| "expected a rating such as 7.1, or easy, medium, hard, expert or fiendish".to_owned())
    };
    range(text, ends(text), number, Difficulty(0), Difficulty(u16::MAX))
}

/// Parses the highest rating: `7.1`, or that of a level such as `easy`.
pub fn parse_max_er(text: &str) -> Result<Difficulty, String> {
    parse_er(text).map(|range| *range.end())
}

/// Techniques in the order in which they are tried; `None` if singles suffice.
pub type Hardest = Option<RangeInclusive<Technique>>;

/// A parser of `singles`, or of the name of a technique, with hyphens or spaces, or of a range of them:
/// `naked-pair..hidden-triplet`.
#[derive(Clone)]
pub struct TechniqueParser;

impl TypedValueParser for TechniqueParser {
    type Value = Hardest;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let name = |name: &str| {
            let technique = name.parse::<Technique>();
            technique.map_err(|error| error.to_string().replace("expected one of", "expected singles, or one of"))
        };
        let [least, .., greatest] = Technique::ALL;
        let parse = move |text: String| match &*text {
            "singles" => Ok(None),
            // Names have hyphens.
            text => range(text, text.split_once(".."), name, least, greatest).map(Some),
        };
        StringValueParser::new().try_map(parse).parse_ref(command, arg, value)
    }

    /// For help and completion.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let techniques = Technique::ALL.iter().map(|name| name.to_string().replace(' ', "-").to_lowercase());
        Some(Box::new(techniques.chain(["singles".to_owned()]).map(PossibleValue::new)))
    }
}

/// The ends of a range of numbers.
fn ends(text: &str) -> Option<(&str, &str)> {
    text.split_once("..").or_else(|| text.split_once('-'))
}

fn range<T: PartialOrd + Copy>(
    text: &str,
    ends: Option<(&str, &str)>,
    number: impl Fn(&str) -> Result<T, String>,
    least: T,
    greatest: T,
) -> Result<RangeInclusive<T>, String> {
    let end = |text: &str, missing| if text.is_empty() { Ok(missing) } else { number(text) };
    let (first, last) = match ends {
        None => (number(text)?, number(text)?),
        Some((first, last)) => (end(first, least)?, end(last, greatest)?),
    };
    if first <= last {
        Ok(first..=last)
    } else {
        Err("the first end of the range is greater than the last one".to_owned())
    }
}
