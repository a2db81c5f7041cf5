//! Number formats for people.

use indicatif::HumanCount;

use crate::bench::Ratio;

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

/// The same for the ticks of an axis, without trailing zeros: `6 M`, `500 k`, `1`.
pub fn tick(value: &f64) -> String {
    let text = human(*value);
    let (digits, unit) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{unit}")
}

/// A whole number with a comma between groups of three digits: `100,000`.
pub fn count(n: usize) -> HumanCount {
    HumanCount(n as u64)
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

/// A speed relative to another one, with three significant digits: `62.0× slower`, `1.26× faster`.
pub fn times(ratio: f64) -> String {
    let (factor, word) = factor(ratio);
    format!("{factor}× {word}")
}

/// The median of a ratio as [`times`], and its interval: `2.71 to 2.85×` if both ends are on the same side of 1. Otherwise, there
/// is no difference.
pub fn ratio(ratio: Ratio) -> [String; 2] {
    let (low, high) = (factor(ratio.low), factor(ratio.high));
    let interval = match (low.1, high.1) {
        ("slower", "slower") => format!("{} to {}×", high.0, low.0),
        ("faster", "faster") => format!("{} to {}×", low.0, high.0),
        _ => format!("{} to {}", times(ratio.low), times(ratio.high)),
    };
    match ratio.is_difference() {
        true => [times(ratio.median), interval],
        false => ["no difference".to_owned(), interval],
    }
}

fn factor(ratio: f64) -> (String, &'static str) {
    let (factor, word) = if ratio < 1.0 { (1.0 / ratio, "slower") } else { (ratio, "faster") };
    (multiple(factor), word)
}

/// A factor with three significant digits.
pub fn multiple(factor: f64) -> String {
    if factor < 999.5 {
        return human(factor);
    }
    let unit = 10_f64.powf(factor.log10().floor() - 2.0);
    count(((factor / unit).round() * unit) as usize).to_string()
}

/// A time in microseconds, with a suitable unit.
pub fn time(us: f64) -> String {
    match us {
        999.5e3.. => format!("{} s", human(us / 1e6)),
        999.5.. => format!("{} ms", human(us / 1e3)),
        _ => format!("{} µs", human(us)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        let cases = [
            (0.5, "0.50"),
            (515.0, "515"),
            (999.7, "1.00 k"),
            (1089.0, "1.09 k"),
            (100_000.0, "100 k"),
            (6_335_213.0, "6.34 M"),
            (31_500_000.0, "31.5 M"),
        ];
        for (value, expected) in cases {
            assert_eq!(human(value), expected);
        }
        for (value, expected) in
            [(0.0, "0"), (0.5, "0.5"), (10.0, "10"), (1e3, "1 k"), (2.5e6, "2.5 M"), (1e8, "100 M")]
        {
            assert_eq!(tick(&value), expected);
        }
        for (us, expected) in [(0.93, "0.93 µs"), (999.7, "1.00 ms"), (2699.0, "2.70 ms"), (1.5e6, "1.50 s")]
        {
            assert_eq!(time(us), expected);
        }
    }

    #[test]
    fn percentages() {
        for (fraction, expected) in [(0.0, "0.0 %"), (0.994, "99.4 %"), (0.9996, "100 %"), (1.321, "132 %")] {
            assert_eq!(percent(fraction), expected);
        }
    }

    #[test]
    fn ratios_are_times_faster_or_slower() {
        let of = |median: f64, low: f64, high: f64| ratio(Ratio { median, low, high, confidence: 0.95 });
        assert_eq!(of(0.5, 0.4, 0.625), ["2.00× slower", "1.60 to 2.50×"]);
        assert_eq!(of(62.0, 60.0, 104.2), ["62.0× faster", "60.0 to 104×"]);
        assert_eq!(of(1.01, 0.8, 1.2), ["no difference", "1.25× slower to 1.20× faster"]);
        assert_eq!(times(1.0 / 23_456.0), "23,500× slower");
        assert_eq!(times(1.0 / 999.7), "1,000× slower");
    }
}
