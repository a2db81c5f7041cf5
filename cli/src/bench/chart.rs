//! The plots, as SVG without a fixed size, so that the page can scale them.
//!
//! Plots of a page are drawn twice, for wide and for narrow screens: scaling alone would make them illegible. Text and
//! grid have two colours that nothing else has (`INK`, `GRID`). A style sheet replaces them with the colours of
//! the light or the dark mode.

mod bars;

use std::ops::Range;

pub use bars::{Bars, bars, bars_file};
use indicatif::HumanCount;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::escape::escape;
use super::number::{human, tick};
use super::report::Rates;

const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);

/// The colours of series, legible on black and on white. The first six are from the palette of Okabe and Ito, which
/// people with colour blindness can tell apart.
const COLORS: [RGBColor; 12] = [
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
    RGBColor(90, 200, 170),
    RGBColor(170, 110, 70),
];

const NO_ERROR: &str = "drawing into a string succeeds";

type Backend<'a> = SVGBackend<'a>;
type Area<'a> = DrawingArea<Backend<'a>, Shift>;
type Chart<'c, 'a, X, Y> = ChartContext<'c, Backend<'a>, Cartesian2d<X, Y>>;

fn rgb(series: usize) -> RGBColor {
    COLORS[series % COLORS.len()]
}

/// The colour of a series in CSS notation.
pub fn color(series: usize) -> String {
    let RGBColor(r, g, b) = rgb(series);
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// The values of one colour in a chart: for each label the rounds, if there are any.
pub struct Series {
    /// The rounds for each label; at least one if there are any.
    pub values: Vec<Option<Vec<f64>>>,
}

/// A line of a line chart. `series` selects its colour and its marker.
pub struct Line {
    /// The name, printed at the right end.
    pub name: String,
    /// The number of the series.
    pub series: usize,
    /// The position on the horizontal axis and the rates of the rounds.
    pub points: Vec<(f64, Vec<f64>)>,
}

/// Draws a plot for wide and for narrow screens. `description` is its text alternative.
fn wide_and_narrow(description: &str, height: [u32; 2], draw: impl Fn(&Area, bool)) -> String {
    let mut html = String::new();
    for (class, width, height) in [("wide", 880, height[0]), ("narrow", 360, height[1])] {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            draw(&area, class == "narrow");
            area.present().expect(NO_ERROR);
        }
        let size = format!("width=\"{width}\" height=\"{height}\"");
        let label = escape(description);
        html += &svg.replacen(&size, &format!("class=\"{class}\" role=\"img\" aria-label=\"{label}\""), 1);
    }
    html
}

fn text(size: i32, h: HPos, v: VPos) -> TextStyle<'static> {
    // The backend takes the size for a line height and divides it by 1.24 for the font size.
    ("sans-serif", f64::from(size) * 1.24).into_font().color(&INK).pos(Pos::new(h, v))
}

/// Puzzles per second of every label on a logarithmic scale: a pale dot for each round, and a stroke for the median.
pub fn rate_dots(description: &str, labels: &[String], series: &[Series]) -> String {
    let range = decades(values(series));
    let axis = Axis { name: "puzzles per second, logarithmic", ticks: [8, 5] };
    // With more series, numbers would be illegible. The tables have them.
    let step = if series.len() > 3 { 9 } else { 18 };
    row_chart(
        description,
        labels,
        series,
        || range.clone().log_scale(),
        axis,
        step,
        |area, chart, strip, rounds, color| {
            let y = (strip.start + strip.end) / 2.0;
            for &round in rounds {
                let center = chart.backend_coord(&(round, y));
                area.draw(&Circle::new(center, 3, color.mix(0.4).filled())).expect(NO_ERROR);
            }
            let (x, y) = chart.backend_coord(&(median(rounds), y));
            let half = step as i32 / 2 - 1;
            area.draw(&Rectangle::new([(x - 1, y - half), (x + 1, y + half)], color.filled()))
                .expect(NO_ERROR);
            // Outliers do not move the number away from its stroke.
            let right = Rates::of(rounds.to_vec()).usual_max();
            let (x, y) = chart.backend_coord(&(right, (strip.start + strip.end) / 2.0));
            if series.len() <= 3 {
                let style = text(12, HPos::Left, VPos::Center);
                area.draw_text(&human(median(rounds)), &style, (x + 8, y)).expect(NO_ERROR);
            }
        },
    )
}

/// Ratios of every label on a linear scale from zero: a bar for the median, and a dot for each round.
pub fn ratio_bars(description: &str, labels: &[String], series: &[Series]) -> String {
    let top = values(series).fold(1.0, f64::max) * 1.05;
    let axis = Axis { name: "times as fast", ticks: [8, 4] };
    row_chart(
        description,
        labels,
        series,
        || 0.0..top,
        axis,
        16,
        |area, chart, strip, rounds, color| {
            let (gap, middle) = (0.1 * (strip.end - strip.start), (strip.start + strip.end) / 2.0);
            let bar = [(0.0, strip.start + gap), (median(rounds), strip.end - gap)];
            chart.draw_series([Rectangle::new(bar, color.mix(0.6).filled())]).expect(NO_ERROR);
            for &round in rounds {
                let center = chart.backend_coord(&(round, middle));
                area.draw(&Circle::new(center, 2, INK.filled())).expect(NO_ERROR);
            }
            let right = Rates::of(rounds.to_vec()).usual_max();
            let (x, y) = chart.backend_coord(&(right, middle));
            let style = text(12, HPos::Left, VPos::Center);
            area.draw_text(&format!("{}×", human(median(rounds))), &style, (x + 6, y)).expect(NO_ERROR);
        },
    )
}

fn values(series: &[Series]) -> impl Iterator<Item = f64> {
    series.iter().flat_map(|series| series.values.iter().flatten()).flatten().copied()
}

fn median(rounds: &[f64]) -> f64 {
    Rates::of(rounds.to_vec()).median
}

/// The horizontal axis. `ticks` is the approximate number of ticks on wide and on narrow screens.
#[derive(Clone, Copy)]
struct Axis {
    name: &'static str,
    ticks: [usize; 2],
}

/// A row for each label, divided into a strip of `step` pixels for each series. `draw` draws the rounds of a series in
/// its strip.
fn row_chart<A, X>(
    description: &str,
    labels: &[String],
    series: &[Series],
    scale: impl Fn() -> A,
    axis: Axis,
    step: u32,
    draw: impl Fn(&Area, &mut Chart<X, RangedCoordf64>, Range<f64>, &[f64], RGBColor),
) -> String
where
    A: AsRangedCoord<CoordDescType = X, Value = f64>,
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let height = labels.len() as u32 * row_height(step, series.len()) + 56;
    wide_and_narrow(description, [height, height], |area, narrow| {
        draw_rows(area, narrow, labels, series, &scale, axis, step, &draw);
    })
}

/// The height in pixels of a row of `strips` strips.
fn row_height(step: u32, strips: usize) -> u32 {
    (step * strips as u32 + 8).max(22)
}

/// Draws the rows of a chart of rows.
#[allow(clippy::too_many_arguments, reason = "those of a chart, for one of its drawings")]
fn draw_rows<A, X>(
    area: &Area,
    narrow: bool,
    labels: &[String],
    series: &[Series],
    scale: impl Fn() -> A,
    axis: Axis,
    step: u32,
    draw: impl Fn(&Area, &mut Chart<X, RangedCoordf64>, Range<f64>, &[f64], RGBColor),
) where
    A: AsRangedCoord<CoordDescType = X, Value = f64>,
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let left = if narrow { 118 } else { 190 };
    let mut chart = ChartBuilder::on(area)
        .margin_top(6)
        .margin_right(if narrow { 56 } else { 80 })
        .x_label_area_size(46)
        .set_label_area_size(LabelAreaPosition::Left, left)
        .build_cartesian_2d(scale(), 0.0..labels.len() as f64)
        .expect(NO_ERROR);
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .x_labels(axis.ticks[usize::from(narrow)])
        .x_label_formatter(&tick)
        .x_label_style(text(if narrow { 11 } else { 13 }, HPos::Center, VPos::Top))
        .y_labels(0)
        .x_desc(axis.name)
        .axis_desc_style(text(13, HPos::Center, VPos::Top))
        .draw()
        .expect(NO_ERROR);
    let height = f64::from(step) / f64::from(row_height(step, series.len()));
    for (row, label) in labels.iter().enumerate() {
        let middle = (labels.len() - row) as f64 - 0.5;
        let (_, y) = pixel(area, &chart, (chart.x_range().start, middle));
        let style = text(if narrow { 12 } else { 14 }, HPos::Right, VPos::Center);
        let label = shorten(label, if narrow { 17 } else { 26 });
        area.draw_text(&label, &style, (left - 8, y)).expect(NO_ERROR);
        let top = middle + height * series.len() as f64 / 2.0;
        for (k, one) in series.iter().enumerate() {
            let Some(rounds) = &one.values[row] else { continue };
            let strip = top - height * (k as f64 + 1.0)..top - height * k as f64;
            draw(area, &mut chart, strip, rounds, rgb(k));
        }
    }
}

/// A label of at most `max` characters: the end is kept, because that is where file names differ.
fn shorten(label: &str, max: usize) -> String {
    let length = label.chars().count();
    if length <= max {
        return label.to_owned();
    }
    let end: String = label.chars().skip(length + 1 - max).collect();
    format!("…{end}")
}

/// The pixel of a point of the chart in the area, which may be a part of the picture.
fn pixel<X: Ranged<ValueType = f64>>(
    area: &Area,
    chart: &Chart<X, RangedCoordf64>,
    point: (f64, f64),
) -> (i32, i32) {
    let ((x, y), (left, top)) = (chart.backend_coord(&point), area.get_base_pixel());
    (x - left, y - top)
}

/// A file for documents: puzzles per second on a logarithmic scale, with a row for each set and a colour for each
/// solver. It has its own legend, and follows the light or the dark mode of the reader.
///
/// `rates` has a row for each set with a rate for each solver, if there is one.
pub fn speeds(description: &str, sets: &[String], solvers: &[String], rates: &[Vec<Option<f64>>]) -> String {
    const ROW: i32 = 34;
    const LEFT: i32 = 330;
    const LEGEND: i32 = 34;
    let range = decades(rates.iter().flatten().flatten().copied());
    let (width, height) = (880, (LEGEND + ROW * sets.len() as i32 + 52) as u32);
    file(description, (width, height), |area| {
        for (series, name) in solvers.iter().enumerate() {
            let x = 20 + (width as i32 - 20) / solvers.len() as i32 * series as i32;
            draw_marker(area, (x, LEGEND / 2), series);
            let style = text(14, HPos::Left, VPos::Center);
            area.draw_text(name, &style, (x + 10, LEGEND / 2)).expect(NO_ERROR);
        }
        let mut chart = ChartBuilder::on(area)
            .margin_top(LEGEND)
            .margin_right(30)
            .x_label_area_size(46)
            .set_label_area_size(LabelAreaPosition::Left, LEFT)
            .build_cartesian_2d(range.clone().log_scale(), 0.0..sets.len() as f64)
            .expect(NO_ERROR);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels(8)
            .x_label_formatter(&tick)
            .x_label_style(text(13, HPos::Center, VPos::Top))
            .y_labels(0)
            .x_desc("puzzles per second on one core, logarithmic")
            .axis_desc_style(text(13, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (row, (set, rates)) in sets.iter().zip(rates).enumerate() {
            let at = (sets.len() - row) as f64 - 0.5;
            let (left, y) = chart.backend_coord(&(range.start, at));
            let (right, _) = chart.backend_coord(&(range.end, at));
            area.draw(&PathElement::new([(left, y), (right, y)], GRID.stroke_width(1))).expect(NO_ERROR);
            let style = text(14, HPos::Right, VPos::Center);
            area.draw_text(&shorten(set, 46), &style, (LEFT - 10, y)).expect(NO_ERROR);
            for (series, rate) in
                rates.iter().enumerate().filter_map(|(series, rate)| Some((series, (*rate)?)))
            {
                draw_marker(area, chart.backend_coord(&(rate, at)), series);
            }
        }
    })
}

/// A file that follows the light or the dark mode of the reader.
fn file(description: &str, (width, height): (u32, u32), draw: impl FnOnce(&Area)) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        draw(&area);
        area.present().expect(NO_ERROR);
    }
    let size = format!("width=\"{width}\" height=\"{height}\"");
    let label = escape(description);
    let svg = svg.replacen(&size, &format!("{size} role=\"img\" aria-label=\"{label}\""), 1);
    // The style is the first child of the root element.
    let end = svg.find("xmlns=").and_then(|at| Some(at + svg[at..].find('>')? + 1)).expect("a root element");
    let (head, body) = svg.split_at(end);
    format!("{head}\n<style>{STYLE}</style>{body}")
}

/// The colours of text, grid and the first series in both modes.
const STYLE: &str = "
[fill=\"#010101\"] { fill: #1c2024 } [stroke=\"#020202\"] { stroke: #d9dee3 }
@media (prefers-color-scheme: dark) {
  [fill=\"#010101\"] { fill: #e6e9ec } [stroke=\"#020202\"] { stroke: #363c43 }
  [fill=\"#0072B2\"] { fill: #3f86ff }
}
";

/// A class of difficulty: its name, and its number of records.
pub struct Class {
    /// The name.
    pub name: String,
    /// The number of records.
    pub records: String,
}

/// Puzzles per second on a logarithmic scale, by class of difficulty: medians, and ranges of the rounds.
pub fn difficulty(description: &str, classes: &[Class], lines: &[Line]) -> String {
    let range = decades(lines.iter().flat_map(|line| &line.points).flat_map(|point| &point.1).copied());
    let last = (classes.len() as f64 - 1.0).max(1.0);
    wide_and_narrow(description, [400, 380], |area, narrow| {
        let turn = narrow || classes.len() > 12;
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(if narrow { 16 } else { 170 })
            .x_label_area_size(if turn { 126 } else { 62 })
            .y_label_area_size(48)
            .build_cartesian_2d(-0.3..last + 0.3, range.clone().log_scale())
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
            .y_label_style(text(13, HPos::Right, VPos::Center))
            .x_desc(if narrow {
                "guesses: number of records"
            } else {
                "guesses of the scalar solver, and number of records"
            })
            .axis_desc_style(text(13, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (x, Class { name, records }) in classes.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(x as f64, range.start));
            if turn {
                let style = text(12, HPos::Left, VPos::Center).transform(FontTransform::Rotate90);
                area.draw_text(&format!("{name}: {records}"), &style, (x, y + 6)).expect(NO_ERROR);
            } else {
                let style = text(13, HPos::Center, VPos::Top);
                area.draw_text(name, &style, (x, y + 6)).expect(NO_ERROR);
                let style = text(11, HPos::Center, VPos::Top);
                area.draw_text(records, &style, (x, y + 23)).expect(NO_ERROR);
            }
        }
        let ends = draw_lines(area, &mut chart, lines);
        if !narrow {
            draw_names(area, ends);
        }
    })
}

/// The right end of a line, where its name is printed.
struct LineEnd<'l> {
    at: (i32, i32),
    name: &'l str,
    series: usize,
}

fn draw_lines<'l, X, Y>(area: &Area, chart: &mut Chart<X, Y>, lines: &'l [Line]) -> Vec<LineEnd<'l>>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let mut ends = Vec::new();
    for Line { name, series, points } in lines {
        let color = rgb(*series);
        let medians: Vec<_> = points.iter().map(|(x, rounds)| (*x, median(rounds))).collect();
        chart.draw_series(LineSeries::new(medians.clone(), color.mix(0.5).stroke_width(2))).expect(NO_ERROR);
        for (x, rounds) in points {
            let Rates { min, max, .. } = Rates::of(rounds.clone());
            let (x, bottom) = chart.backend_coord(&(*x, min));
            let (_, top) = chart.backend_coord(&(medians[0].0, max));
            area.draw(&PathElement::new([(x, bottom), (x, top)], color.stroke_width(3))).expect(NO_ERROR);
        }
        medians.iter().for_each(|point| draw_marker(area, chart.backend_coord(point), *series));
        let last = medians.last().expect("every line has points");
        ends.push(LineEnd { at: chart.backend_coord(last), name, series: *series });
    }
    ends
}

/// Draws the marker of a line. Adjacent series differ in shape too, for readers with colour blindness.
fn draw_marker(area: &Area, (x, y): (i32, i32), series: usize) {
    let style = rgb(series).filled();
    match series % 3 {
        0 => area.draw(&Circle::new((x, y), 4, style)),
        1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], style)),
        _ => area.draw(&TriangleMarker::new((x, y), 6, style)),
    }
    .expect(NO_ERROR);
}

/// Prints the names to the right of the lines, shifted so that they do not overlap.
fn draw_names(area: &Area, mut ends: Vec<LineEnd>) {
    const LINE_HEIGHT: i32 = 16;
    ends.sort_by_key(|end| end.at.1);
    let right = ends.iter().map(|end| end.at.0).max().unwrap_or(0);
    let bottom = area.dim_in_pixel().1 as i32 - 50;
    let mut places: Vec<i32> = ends.iter().map(|end| end.at.1).collect();
    for k in 1..places.len() {
        places[k] = places[k].max(places[k - 1] + LINE_HEIGHT);
    }
    let mut limit = bottom;
    for place in places.iter_mut().rev() {
        *place = (*place).min(limit);
        limit = *place - LINE_HEIGHT;
    }
    for (LineEnd { at: (x, y), name, series }, place) in ends.into_iter().zip(places) {
        area.draw(&PathElement::new([(x + 6, y), (right + 12, place)], rgb(series).mix(0.5)))
            .expect(NO_ERROR);
        draw_marker(area, (right + 17, place), series);
        let style = text(13, HPos::Left, VPos::Center);
        area.draw_text(name, &style, (right + 25, place)).expect(NO_ERROR);
    }
}

/// The smallest range of whole powers of ten that contains all positive values.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let positive = values.filter(|&value| value > 0.0);
    let (low, high) = positive.fold((f64::MAX, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
    if high == 0.0 {
        return 1.0..10.0;
    }
    let power = |value: f64| 10_f64.powf(value);
    power(low.log10().floor())..power(high.log10().floor() + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_contain_all_values() {
        assert_eq!(decades([0.0, 515.0, 6e6].into_iter()), 100.0..1e7);
        assert_eq!(decades([1000.0].into_iter()), 1000.0..10_000.0);
        assert_eq!(decades([0.0].into_iter()), 1.0..10.0);
        assert_eq!(decades([1000.0, 99_999.0].into_iter()), 1000.0..1e5);
    }

    #[test]
    fn every_round_has_a_dot_inside_of_the_plot() {
        let rounds = vec![120.0, 5000.0, 90_000.0];
        let svg = rate_dots("plot", &["label".into()], &[Series { values: vec![Some(rounds)] }]);
        let circles: Vec<_> = svg.split("<circle ").skip(1).collect();
        assert_eq!(circles.len(), 2 * 3, "{svg}");
        for circle in &circles[..3] {
            let x: f64 = circle.split("cx=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            assert!((190.0..800.0).contains(&x), "{x}");
        }
    }

    #[test]
    fn long_labels_keep_their_end() {
        assert_eq!(shorten("short", 5), "short");
        assert_eq!(shorten("folder/puzzles.txt", 8), "…les.txt");
    }
}
