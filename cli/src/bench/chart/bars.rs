//! Histograms: a horizontal bar for each value.

use super::*;
use crate::bench::number::share;

/// The bars of a histogram: labels, and numbers of puzzles.
pub struct Bars {
    /// The names of the values.
    pub labels: Vec<String>,
    /// The number of puzzles for each.
    pub puzzles: Vec<u64>,
}

/// Pixels of a bar, and of the row with the space around it.
const STEP: u32 = 14;
const ROW: u32 = 22;
/// Pixels below the bars, and for a line of text in a file.
const AXIS: u32 = 56;
const LINE: u32 = 24;

impl Bars {
    fn draw(&self, area: &Area, narrow: bool) {
        let series =
            [Series { values: self.puzzles.iter().map(|puzzles| Some(vec![*puzzles as f64])).collect() }];
        let total: u64 = self.puzzles.iter().sum();
        let top = self.puzzles.iter().copied().max().unwrap_or(1).max(1) as f64;
        let axis = Axis { name: "puzzles", ticks: [8, 4] };
        // There must be room for the numbers beside the longest bar.
        let scale = || 0.0..top * if narrow { 1.25 } else { 1.1 };
        draw_rows(
            area,
            narrow,
            &self.labels,
            &series,
            scale,
            axis,
            STEP,
            |area, chart, strip, values, color| {
                let gap = 0.1 * (strip.end - strip.start);
                let bar = [(0.0, strip.start + gap), (values[0], strip.end - gap)];
                chart.draw_series([Rectangle::new(bar, color.filled())]).expect(NO_ERROR);
                let (x, y) = pixel(area, chart, (values[0], (strip.start + strip.end) / 2.0));
                let puzzles = values[0] as u64;
                let label = match narrow {
                    true => share(puzzles, total),
                    false => format!("{} · {}", HumanCount(puzzles), share(puzzles, total)),
                };
                area.draw_text(&label, &text(12, HPos::Left, VPos::Center), (x + 6, y)).expect(NO_ERROR);
            },
        );
    }

    fn height(&self) -> u32 {
        self.labels.len() as u32 * ROW + AXIS
    }
}

/// A histogram for a page.
pub fn bars(description: &str, bars: &Bars) -> String {
    let height = bars.height();
    wide_and_narrow(description, [height, height], |area, narrow| bars.draw(area, narrow))
}

/// A file with lines of text and histograms with titles.
pub fn bars_file(description: &str, lines: &[String], histograms: &[(String, Bars)]) -> String {
    let top = LINE * lines.len() as u32 + 12;
    let heights: Vec<u32> = histograms.iter().map(|(_, bars)| bars.height() + 2 * LINE).collect();
    let size = (880, top + heights.iter().sum::<u32>());
    file(description, size, |area| {
        let style = |size| text(size, HPos::Left, VPos::Center);
        for (k, line) in (0..).zip(lines) {
            area.draw_text(line, &style(14), (16, (LINE * k + LINE) as i32)).expect(NO_ERROR);
        }
        let (_, mut rest) = area.split_vertically(top);
        for ((title, bars), height) in histograms.iter().zip(heights) {
            let (part, below) = rest.split_vertically(height);
            part.draw_text(title, &style(16), (16, LINE as i32)).expect(NO_ERROR);
            let (_, plot) = part.split_vertically(2 * LINE - 8);
            bars.draw(&plot, false);
            rest = below;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_beside_their_bars() {
        let bars =
            |labels: [&str; 2]| Bars { labels: labels.map(String::from).to_vec(), puzzles: vec![30, 70] };
        let histograms = [["a", "b"], ["c", "d"]].map(|labels| (String::new(), bars(labels)));
        let svg = bars_file("plot", &["line".to_owned()], &histograms);
        let attribute = |tag: &str, name: &str| -> f64 {
            tag.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let bars: Vec<&str> = svg.split("<rect").skip(1).collect();
        let texts: Vec<&str> = svg.split("<text").skip(1).collect();
        assert_eq!(bars.len(), 4, "{svg}");
        for (label, bar) in ["a", "b", "c", "d"].into_iter().zip(bars) {
            let at = texts.iter().position(|text| text.contains(&format!("\n{label}\n"))).unwrap();
            let range = attribute(bar, "y")..=attribute(bar, "y") + attribute(bar, "height");
            // The number follows the name.
            for text in &texts[at..at + 2] {
                assert!(range.contains(&attribute(text, "y")), "{label} beside {range:?}: {svg}");
            }
            let end = attribute(bar, "x") + attribute(bar, "width");
            assert!((attribute(texts[at + 1], "x") - end).abs() < 9.0, "{svg}");
        }
    }
}
