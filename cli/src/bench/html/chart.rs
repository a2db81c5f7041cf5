//! The plots, as SVG without a fixed size, so that the page can scale them.
//!
//! Each plot is drawn twice, for wide and for narrow screens: scaling alone would make it illegible. Text and grid
//! have two colours that nothing else has ([`INK`], [`GRID`]). The style sheet of the page replaces them with the
//! colours of the light or the dark mode.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::number::{human, tick};

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

/// The values of one colour in a dot plot or a bar chart.
pub struct Series {
    /// For each label a value and its range, if there is one.
    pub values: Vec<Option<Value>>,
}

type Value = (f64, Range<f64>);

/// A line of a line chart. `series` selects its colour and its marker.
pub struct Line {
    pub name: String,
    pub series: usize,
    pub points: Vec<(f64, f64)>,
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
        let label = super::escape(description);
        html += &svg.replacen(&size, &format!("class=\"{class}\" role=\"img\" aria-label=\"{label}\""), 1);
    }
    html
}

fn text(size: i32, h: HPos, v: VPos) -> TextStyle<'static> {
    // The backend takes the size for a line height and divides it by 1.24 for the font size.
    ("sans-serif", f64::from(size) * 1.24).into_font().color(&INK).pos(Pos::new(h, v))
}

/// Puzzles per second of every label on a logarithmic scale: a dot for each value, and a line for its range.
pub fn dot_plot(description: &str, labels: &[String], series: &[Series]) -> String {
    let range = decades(values(series));
    let axis = Axis { name: "puzzles per second, logarithmic", ticks: [8, 5] };
    row_chart(
        description,
        labels,
        series,
        || range.clone().log_scale(),
        axis,
        |chart, strip, value, color| {
            let (value, spread) = value;
            let y = (strip.start + strip.end) / 2.0;
            let ends = [(spread.start.max(range.start), y), (spread.end, y)];
            chart.draw_series([PathElement::new(ends, color.stroke_width(3))]).expect(NO_ERROR);
            chart.draw_series([Circle::new((*value, y), 5, color.filled())]).expect(NO_ERROR);
            let (x, y) = chart.backend_coord(&(value.max(spread.end), y));
            (x + 4, y)
        },
    )
}

/// Puzzles per second of every label on a linear scale from zero.
pub fn bar_chart(description: &str, labels: &[String], series: &[Series]) -> String {
    let top = values(series).fold(0.0, f64::max) * 1.05;
    let axis = Axis { name: "puzzles per second", ticks: [8, 4] };
    row_chart(
        description,
        labels,
        series,
        || 0.0..top,
        axis,
        |chart, strip, (value, _), color| {
            let gap = 0.08 * (strip.end - strip.start);
            let bar = [(0.0, strip.start + gap), (*value, strip.end - gap)];
            chart.draw_series([Rectangle::new(bar, color.filled())]).expect(NO_ERROR);
            chart.backend_coord(&(*value, (strip.start + strip.end) / 2.0))
        },
    )
}

fn values(series: &[Series]) -> impl Iterator<Item = f64> {
    series.iter().flat_map(|series| series.values.iter().flatten()).map(|(value, _)| *value)
}

/// The horizontal axis. `ticks` is the approximate number of ticks on wide and on narrow screens.
struct Axis {
    name: &'static str,
    ticks: [usize; 2],
}

/// A row for each label, divided into a strip for each series. `draw` draws a value in its strip, and returns the
/// pixel at which to print the number.
fn row_chart<A, X>(
    description: &str,
    labels: &[String],
    series: &[Series],
    scale: impl Fn() -> A,
    axis: Axis,
    draw: impl Fn(&mut Chart<X, RangedCoordf64>, Range<f64>, &Value, RGBColor) -> (i32, i32),
) -> String
where
    A: AsRangedCoord<CoordDescType = X, Value = f64>,
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let height = labels.len() as u32 * (20 * series.len() as u32 + 10) + 56;
    wide_and_narrow(description, [height, height], |area, narrow| {
        let left = if narrow { 118 } else { 170 };
        let mut chart = ChartBuilder::on(area)
            .margin_top(6)
            .margin_right(if narrow { 50 } else { 80 })
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
        for (row, label) in labels.iter().enumerate() {
            let top = (labels.len() - row) as f64 - 0.1;
            let (_, y) = left_end(&chart, top - 0.4);
            let style = text(if narrow { 12 } else { 14 }, HPos::Right, VPos::Center);
            area.draw_text(label, &style, (left - 8, y)).expect(NO_ERROR);
            let step = 0.8 / series.len() as f64;
            for (k, one) in series.iter().enumerate() {
                let Some(value) = &one.values[row] else { continue };
                let strip = top - step * (k as f64 + 1.0)..top - step * k as f64;
                let (x, y) = draw(&mut chart, strip, value, rgb(k));
                let style = text(12, HPos::Left, VPos::Center);
                area.draw_text(&human(value.0), &style, (x + 6, y)).expect(NO_ERROR);
            }
        }
    })
}

/// The pixel at the left end of the chart at height `y`.
fn left_end<X: Ranged<ValueType = f64>>(chart: &Chart<X, RangedCoordf64>, y: f64) -> (i32, i32) {
    chart.backend_coord(&(chart.x_range().start, y))
}

/// Speed-up by number of threads, with a dashed line for perfect scaling.
pub fn scaling(description: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (least, most) = (
        points().map(|point| point.0).fold(f64::MAX, f64::min),
        points().map(|point| point.0).fold(1.0, f64::max),
    );
    let top = points().map(|point| point.1).fold(most / least, f64::max) * 1.05;
    wide_and_narrow(description, [360, 320], |area, narrow| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(if narrow { 118 } else { 170 })
            .x_label_area_size(46)
            .y_label_area_size(48)
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
            .y_label_formatter(&|times| format!("{}×", tick(times)))
            .x_label_style(text(13, HPos::Center, VPos::Top))
            .y_label_style(text(13, HPos::Right, VPos::Center))
            .x_desc("threads")
            .axis_desc_style(text(13, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        let ideal = DashedLineSeries::new([(least, 1.0), (most, most / least)], 5, 5, INK.stroke_width(1));
        chart.draw_series(ideal).expect(NO_ERROR);
        let mut ends =
            vec![LineEnd { at: chart.backend_coord(&(most, most / least)), name: "ideal", series: None }];
        ends.extend(draw_lines(area, &mut chart, lines));
        draw_names(area, ends, narrow);
    })
}

/// Puzzles per second on a logarithmic scale, by class of difficulty.
pub fn difficulty(description: &str, classes: &[String], lines: &[Line]) -> String {
    let range = decades(lines.iter().flat_map(|line| &line.points).map(|point| point.1));
    let last = (classes.len() as f64 - 1.0).max(1.0);
    wide_and_narrow(description, [460, 420], |area, narrow| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(if narrow { 118 } else { 170 })
            .x_label_area_size(46)
            .y_label_area_size(48)
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
            .y_label_style(text(13, HPos::Right, VPos::Center))
            .x_desc("guesses of the scalar solver")
            .axis_desc_style(text(13, HPos::Center, VPos::Top))
            .draw()
            .expect(NO_ERROR);
        for (x, class) in classes.iter().enumerate().filter(|(x, _)| !narrow || x % 2 == 0) {
            let (x, y) = chart.backend_coord(&(x as f64, range.start));
            area.draw_text(class, &text(13, HPos::Center, VPos::Top), (x, y + 6)).expect(NO_ERROR);
        }
        let ends = draw_lines(area, &mut chart, lines);
        draw_names(area, ends, narrow);
    })
}

/// The right end of a line, where its name is printed. A line without a series has no marker.
struct LineEnd<'l> {
    at: (i32, i32),
    name: &'l str,
    series: Option<usize>,
}

fn draw_lines<'l, X, Y>(area: &Area, chart: &mut Chart<X, Y>, lines: &'l [Line]) -> Vec<LineEnd<'l>>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let mut ends = Vec::new();
    for Line { name, series, points } in lines {
        chart.draw_series(LineSeries::new(points.clone(), rgb(*series).stroke_width(2))).expect(NO_ERROR);
        points.iter().for_each(|point| draw_marker(area, chart.backend_coord(point), *series));
        let last = points.last().expect("every line has points");
        ends.push(LineEnd { at: chart.backend_coord(last), name, series: Some(*series) });
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
fn draw_names(area: &Area, mut ends: Vec<LineEnd>, narrow: bool) {
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
        let color = series.map_or(INK, rgb);
        area.draw(&PathElement::new([(x + 6, y), (right + 12, place)], color.mix(0.5))).expect(NO_ERROR);
        if let Some(series) = series {
            draw_marker(area, (right + 17, place), series);
        }
        let style = text(if narrow { 11 } else { 13 }, HPos::Left, VPos::Center);
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
    }
}
