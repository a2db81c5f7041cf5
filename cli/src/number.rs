//! Number formats for people.

use indicatif::HumanCount;
use rapidoku::Status;
use rapidoku::file::Counts;

/// Three significant digits and an SI prefix: `6.34 M`, `631 k`, `1.09 k`, `515`, `0.50`.
pub fn human(value: f64) -> String {
    let (scaled, unit) = match value {
        999.5e6.. => (value / 1e9, " G"),
        999.5e3.. => (value / 1e6, " M"),
        999.5.. => (value / 1e3, " k"),
        _ => (value, ""),
    };
    match scaled {
        99.95.. => format!("{scaled:.0}{unit}"),
        9.995.. => format!("{scaled:.1}{unit}"),
        _ => format!("{scaled:.2}{unit}"),
    }
}

/// A factor with three significant digits: `1.26`, `23,500`.
pub fn multiple(factor: f64) -> String {
    if factor < 999.5 {
        return human(factor);
    }
    let unit = 10_f64.powf(factor.log10().floor() - 2.0);
    count(((factor / unit).round() * unit) as usize).to_string()
}

/// A whole number with a comma between groups of three digits: `100,000`.
pub fn count(n: usize) -> HumanCount {
    HumanCount(n as u64)
}

/// A number with its noun in singular or plural.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(n), if n == 1 { "" } else { "s" })
}

/// The statuses that occur, with their numbers of records.
pub fn statuses(counts: &Counts) -> impl Iterator<Item = (Status, u64)> + use<> {
    let &Counts { solved, unique, multiple, none, invalid, gave_up } = counts;
    let all = Status::ALL.into_iter().zip([solved, unique, multiple, none, invalid, gave_up]);
    all.filter(|(_, records)| *records > 0)
}

/// A fraction as a percentage, with at most three significant digits.
pub fn percent(fraction: f64) -> String {
    let decimals = usize::from(fraction < 0.9995);
    format!("{:.decimals$} %", 100.0 * fraction)
}

/// A share in percent. Small shares that are not zero never look like zero, nor large ones like all.
pub fn share(part: u64, total: u64) -> String {
    let percent = 100.0 * part as f64 / total.max(1) as f64;
    match percent {
        _ if part == 0 => "0 %".to_owned(),
        _ if part == total => "100 %".to_owned(),
        ..0.05 => "< 0.1 %".to_owned(),
        99.95.. => "> 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}
