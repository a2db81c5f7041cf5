//! The plots, as SVG without sizes of their own, so that a page can scale them.
//!
//! Each is drawn twice, for wide and for narrow screens: a plot that is merely scaled down cannot be read. Ink and grid
//! are drawn in two colours that nothing else has ([`INK`], [`GRID`]), which the page's style sheet replaces by those of
//! the reader's light or dark mode.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);

/// The colours of series, told apart by most eyes on black and on white (after Okabe and Ito).
const COLORS: [RGBColor; 10] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(140, 122, 60),
    RGBColor(150, 90, 200),
    RGBColor(120, 130, 140),
    RGBColor(200, 60, 80),
];

/// Writing a string cannot fail.
const NO_ERROR: &str = "a string takes all that is drawn";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The colour of a series, as style sheets write it.
pub fn color(series: usize) -> String {
    let RGBColor(r, g, b) = COLORS[series % COLORS.len()];
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Values of one kind, one for each label; of a dot plot or of bars.
pub struct Series {
    /// For each label a value and the range that it may be in, if there is one.
    pub values: Vec<Option<(f64, Range<f64>)>>,
}

/// A line with its name.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Draws for a wide and for a narrow screen. `describe` is for those who cannot see it.
fn both(describe: &str, height: [u32; 2], draw: impl Fn(&Area, bool)) -> String {
    let mut html = String::new();
    for (class, width, height) in [("wide", 880, height[0]), ("narrow", 360, height[1])] {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            draw(&area, class == "narrow");
            area.present().expect(NO_ERROR);
        }
        let size = format!("width=\"{width}\" height=\"{height}\"");
        let label = super::escape(describe);
        html += &svg.replacen(&size, &format!("class=\"{class}\" role=\"img\" aria-label=\"{label}\""), 1);
    }
    html
}

fn text(size: i32, color: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    // The backend takes the size for that of a line and writes letters smaller by this much.
    ("sans-serif", f64::from(size) * 1.24).into_font().color(&color).pos(Pos::new(h, v))
}

const ROW: u32 = 20;

/// Puzzles per second of every label, on a logarithmic scale: a dot for each value, and its range as a line.
pub fn dots(describe: &str, labels: &[String], series: &[Series]) -> String {
    let values = series.iter().flat_map(|series| series.values.iter().flatten());
    let range = decades(values.map(|(value, _)| *value));
    let height = labels.len() as u32 * (ROW * series.len() as u32 + 8) + 50;
    both(describe, [height, height], |area, narrow| {
        let left = if narrow { 118 } else { 170 };
        let right = if narrow { 50 } else { 80 };
        let mut chart = ChartBuilder::on(area)
            .margin_top(6)
            .margin_right(right)
            .x_label_area_size(40)
            .set_label_area_size(LabelAreaPosition::Left, left)
            .build_cartesian_2d(range.clone().log_scale(), 0.0..labels.len() as f64)
            .expect(NO_ERROR);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels(if narrow { 5 } else { 8 })
            .x_label_formatter(&tick)
            .x_label_style(text(13, INK, HPos::Center, VPos::Top))
            .y_labels(0)
            .x_desc("puzzles per second, logarithmic")
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (row, label) in labels.iter().enumerate() {
            let at = |series_index: usize| {
                let step = 0.8 / series.len() as f64;
                labels.len() as f64 - row as f64 - 0.1 - step * (series_index as f64 + 0.5)
            };
            let (_, y) = chart.backend_coord(&(range.start, labels.len() as f64 - row as f64 - 0.5));
            let style = text(if narrow { 12 } else { 14 }, INK, HPos::Right, VPos::Center);
            area.draw_text(label, &style, (left - 8, y)).expect(NO_ERROR);
            for (k, one) in series.iter().enumerate() {
                let Some((value, spread)) = &one.values[row] else { continue };
                let color = COLORS[k % COLORS.len()];
                let ends = [(spread.start.max(range.start), at(k)), (spread.end, at(k))];
                chart.draw_series([PathElement::new(ends, color.stroke_width(3))]).expect(NO_ERROR);
                chart.draw_series([Circle::new((*value, at(k)), 5, color.filled())]).expect(NO_ERROR);
                let (x, y) = chart.backend_coord(&(value.max(spread.end), at(k)));
                let style = text(12, INK, HPos::Left, VPos::Center);
                area.draw_text(&human(*value), &style, (x + 10, y)).expect(NO_ERROR);
            }
        }
    })
}

/// Puzzles per second of every label from zero on.
pub fn bars(describe: &str, labels: &[String], series: &[Series]) -> String {
    let values = series.iter().flat_map(|series| series.values.iter().flatten());
    let top = values.map(|(value, _)| *value).fold(0.0, f64::max) * 1.05;
    let height = labels.len() as u32 * (ROW * series.len() as u32 + 10) + 50;
    both(describe, [height, height], |area, narrow| {
        let left = if narrow { 90 } else { 170 };
        let right = if narrow { 50 } else { 80 };
        let mut chart = ChartBuilder::on(area)
            .margin_top(6)
            .margin_right(right)
            .x_label_area_size(40)
            .set_label_area_size(LabelAreaPosition::Left, left)
            .build_cartesian_2d(0.0..top, 0.0..labels.len() as f64)
            .expect(NO_ERROR);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels(if narrow { 4 } else { 8 })
            .x_label_formatter(&tick)
            .x_label_style(text(13, INK, HPos::Center, VPos::Top))
            .y_labels(0)
            .x_desc("puzzles per second")
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (row, label) in labels.iter().enumerate() {
            let from_top = |part: f64| labels.len() as f64 - row as f64 - 0.1 - 0.8 * part;
            let (_, y) = chart.backend_coord(&(0.0, from_top(0.5)));
            let style = text(if narrow { 12 } else { 14 }, INK, HPos::Right, VPos::Center);
            area.draw_text(label, &style, (left - 8, y)).expect(NO_ERROR);
            for (k, one) in series.iter().enumerate() {
                let Some((value, _)) = &one.values[row] else { continue };
                let part = |edge: f64| from_top((k as f64 + edge) / series.len() as f64);
                let bar = Rectangle::new(
                    [(0.0, part(0.08)), (*value, part(0.92))],
                    COLORS[k % COLORS.len()].filled(),
                );
                chart.draw_series([bar]).expect(NO_ERROR);
                let (x, y) = chart.backend_coord(&(*value, part(0.5)));
                area.draw_text(&human(*value), &text(12, INK, HPos::Left, VPos::Center), (x + 6, y))
                    .expect(NO_ERROR);
            }
        }
    })
}

/// How many times as fast with more threads, and what it would be if threads shared nothing.
pub fn scaling(describe: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (least, most) = (
        points().map(|point| point.0).fold(f64::MAX, f64::min),
        points().map(|point| point.0).fold(1.0, f64::max),
    );
    let top = points().map(|point| point.1).fold(most / least, f64::max) * 1.05;
    both(describe, [360, 320], |area, narrow| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(if narrow { 96 } else { 170 })
            .x_label_area_size(42)
            .y_label_area_size(if narrow { 48 } else { 56 })
            .build_cartesian_2d(least..most, 0.0..top)
            .expect(NO_ERROR);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels((most - least) as usize + 1)
            .y_labels(6)
            .x_label_formatter(&|threads| format!("{threads:.0}"))
            .y_label_formatter(&|times| format!("{times:.1}x"))
            .label_style(text(13, INK, HPos::Center, VPos::Center))
            .x_label_style(text(13, INK, HPos::Center, VPos::Top))
            .y_label_style(text(13, INK, HPos::Right, VPos::Center))
            .x_desc("threads")
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        let ideal = DashedLineSeries::new([(least, 1.0), (most, most / least)], 5, 5, INK.stroke_width(1));
        chart.draw_series(ideal).expect(NO_ERROR);
        let mut ends = vec![(chart.backend_coord(&(most, most / least)), "ideal".to_owned(), INK)];
        for (k, line) in lines.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            chart.draw_series(LineSeries::new(line.points.clone(), color.stroke_width(2))).expect(NO_ERROR);
            let dots = line.points.iter().map(|&point| Circle::new(point, 4, color.filled()));
            chart.draw_series(dots).expect(NO_ERROR);
            let last = line.points.last().expect("lines have points");
            ends.push((chart.backend_coord(last), line.name.clone(), color));
        }
        name_lines(area, ends, narrow);
    })
}

/// Puzzles per second, on a logarithmic scale, over classes of difficulty.
pub fn difficulty(describe: &str, classes: &[String], lines: &[Line]) -> String {
    let range = decades(lines.iter().flat_map(|line| &line.points).map(|point| point.1));
    let last = (classes.len() as f64 - 1.0).max(1.0);
    both(describe, [460, 420], |area, narrow| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(if narrow { 112 } else { 170 })
            .x_label_area_size(44)
            .y_label_area_size(if narrow { 48 } else { 56 })
            .build_cartesian_2d(-0.1..last + 0.1, range.clone().log_scale())
            .expect(NO_ERROR);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels(0)
            .y_labels(8)
            .y_label_formatter(&tick)
            .y_label_style(text(13, INK, HPos::Right, VPos::Center))
            .x_desc("guesses of the scalar solver")
            .axis_desc_style(text(13, INK, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (x, class) in classes.iter().enumerate().filter(|(x, _)| !narrow || x % 2 == 0) {
            let (x, y) = chart.backend_coord(&(x as f64, range.start));
            area.draw_text(class, &text(13, INK, HPos::Center, VPos::Top), (x, y + 6)).expect(NO_ERROR);
        }
        let mut ends = Vec::new();
        for (k, line) in lines.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            chart.draw_series(LineSeries::new(line.points.clone(), color.stroke_width(2))).expect(NO_ERROR);
            let dots = line.points.iter().map(|&point| Circle::new(point, 3, color.filled()));
            chart.draw_series(dots).expect(NO_ERROR);
            let end = line.points.last().expect("lines have points");
            ends.push((chart.backend_coord(end), line.name.clone(), color));
        }
        name_lines(area, ends, narrow);
    })
}

/// Writes names at the right of the lines' ends, moved apart where they would overlap.
fn name_lines(area: &Area, mut ends: Vec<((i32, i32), String, RGBColor)>, narrow: bool) {
    const APART: i32 = 15;
    ends.sort_by_key(|((_, y), ..)| *y);
    let right = ends.iter().map(|((x, _), ..)| *x).max().unwrap_or(0);
    let bottom = area.dim_in_pixel().1 as i32 - 50;
    let mut places: Vec<i32> = ends.iter().map(|((_, y), ..)| *y).collect();
    for k in 1..places.len() {
        places[k] = places[k].max(places[k - 1] + APART);
    }
    let mut limit = bottom;
    for place in places.iter_mut().rev() {
        *place = (*place).min(limit);
        limit = *place - APART;
    }
    for (((x, y), name, color), place) in ends.into_iter().zip(places) {
        let leader = PathElement::new([(x + 5, y), (right + 10, place)], color.mix(0.5));
        area.draw(&leader).expect(NO_ERROR);
        let style = text(if narrow { 11 } else { 13 }, INK, HPos::Left, VPos::Center);
        area.draw(&Circle::new((right + 14, place), 3, color.filled())).expect(NO_ERROR);
        area.draw_text(&name, &style, (right + 21, place)).expect(NO_ERROR);
    }
}

/// Whole powers of ten around all values above zero.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let positive = values.filter(|&value| value > 0.0);
    let (low, high) = positive.fold((f64::MAX, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
    if high == 0.0 {
        return 1.0..10.0;
    }
    let power = |value: f64| 10_f64.powf(value);
    power(low.log10().floor())..power(high.log10().floor() + 1.0)
}

/// Three digits: `6.34 M`, `631 k`, `1.09 k`, `515`, `0.50`.
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

/// The same for the ticks of an axis, without zeros that say nothing: `6 M`, `500 k`, `1`.
fn tick(value: &f64) -> String {
    let text = human(*value);
    let (digits, unit) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
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
    }

    #[test]
    fn scales_hold_all_values() {
        assert_eq!(decades([0.0, 515.0, 6e6].into_iter()), 100.0..1e7);
        assert_eq!(decades([1000.0].into_iter()), 1000.0..10_000.0);
        assert_eq!(decades([0.0].into_iter()), 1.0..10.0);
    }
}
