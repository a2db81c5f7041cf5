//! Number formats for people.

use indicatif::HumanCount;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        let expected = ["0.50", "515", "1.00 k", "1.09 k", "100 k", "6.34 M", "31.5 M"];
        assert_eq!([0.5, 515.0, 999.7, 1089.0, 1e5, 6_335_213.0, 31.5e6].map(human), expected);
        for (factor, expected) in [(2.0, "2.00"), (104.2, "104"), (999.7, "1,000"), (23_456.0, "23,500")] {
            assert_eq!(multiple(factor), expected);
        }
        for (fraction, expected) in [(0.0, "0.0 %"), (0.994, "99.4 %"), (0.9996, "100 %"), (1.321, "132 %")] {
            assert_eq!(percent(fraction), expected);
        }
    }
}
