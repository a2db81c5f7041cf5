//! Puzzles for print: a self-contained page, an SVG file, and frames of text. Each puzzle
//! has a number, and the solutions at the end have the same numbers.

use std::fmt::Write;

use clap::ValueHint;
use rapidoku::Status;
use rapidoku::grid::CELLS;
use rapidoku_jobs::convert::Printed;

use crate::args::number::parse_positive;
use crate::args::output::OutputFormat;
use crate::page;

/// The arguments of formats for print.
#[derive(clap::Args)]
pub struct PrintArgs {
    /// Number of puzzles on a printed page of 'html'; 'svg' has as many columns.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 6, value_parser = parse_positive, hide_short_help = true)]
    per_page: u64,

    /// Title of 'html' and 'svg'.
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, hide_short_help = true)]
    title: Option<String>,
}

/// Whether a format is one of those for print, which [`write`] writes.
pub fn is_printed(format: OutputFormat) -> bool {
    matches!(format, OutputFormat::Html | OutputFormat::Svg | OutputFormat::Frame)
}

/// The file with some puzzles in a format for print.
pub fn write(format: OutputFormat, puzzles: &[Printed], args: &PrintArgs) -> String {
    let columns = columns(args.per_page);
    match format {
        OutputFormat::Html => html(puzzles, args, columns),
        OutputFormat::Svg => svg(puzzles, args, columns),
        _ => puzzles.iter().map(|printed| format!("Grid {}\n{:#}\n\n", printed.number, printed.puzzle)).collect(),
    }
}

/// The columns of a page: grids are square, and the page is higher than wide.
fn columns(per_page: u64) -> u64 {
    (1u64..).find(|columns| columns * (columns + columns.div_ceil(2)) >= per_page).expect("squares grow")
}

/// The number, with the rating if it is known.
fn label(printed: &Printed) -> String {
    printed.er.map_or(printed.number.to_string(), |er| format!("{} · {er}", printed.number))
}

/// The number, with what is unusual about the solution.
fn caption(printed: &Printed) -> String {
    let note = match printed.status {
        Status::Multiple => ": several solutions",
        Status::NoSolution => ": no solution",
        Status::Invalid => ": not a puzzle",
        Status::GaveUp => ": unknown",
        Status::Solved | Status::Unique => "",
    };
    format!("{}{note}", printed.number)
}

/// The page.
fn html(puzzles: &[Printed], args: &PrintArgs, columns: u64) -> String {
    let rows = args.per_page.div_ceil(columns);
    let has_headings = puzzles.windows(2).any(|pair| pair[0].heading != pair[1].heading);
    // Millimetres, on A4 and on letter paper with margins of 12 mm: 185 x 250 are left, each caption takes 8, and the
    // title and a heading 14 each.
    let headings = 14 * (u64::from(args.title.is_some()) + u64::from(has_headings));
    let size = ((185 - 8 * (columns - 1)) / columns).min(((245 - headings) / rows).saturating_sub(10)).max(10);
    let (title, class) = args.title.as_deref().map_or(("Sudoku", " class=\"screen\""), |title| (title, ""));
    let mut body = format!("<h1{class}>{}</h1>\n", page::escape(title));
    for chapter in puzzles.chunk_by(|a, b| a.heading == b.heading) {
        if has_headings {
            let _ = writeln!(body, "<h2>{}</h2>", page::escape(&chapter[0].heading));
        }
        for page in chapter.chunks(usize::try_from(args.per_page).unwrap_or(usize::MAX)) {
            body += &format!("<section class=\"puzzles\" style=\"--columns: {columns}; --size: {size}mm\">\n");
            for printed in page {
                let grid = grid_html(&printed.puzzle.to_ascii(), &format!("Puzzle {}", printed.number));
                let _ = writeln!(body, "<figure><figcaption>{}</figcaption>{grid}</figure>", label(printed));
            }
            body += "</section>\n";
        }
    }
    body += "<section class=\"solutions\">\n<h2>Solutions</h2>\n";
    for printed in puzzles {
        let grid = printed
            .solution
            .map_or(String::new(), |solution| grid_html(&solution.to_ascii(), &format!("Solution {}", printed.number)));
        let _ = writeln!(body, "<figure><figcaption>{}</figcaption>{grid}</figure>", caption(printed));
    }
    body += "</section>\n";
    page::page(title, &body)
}

/// The side of a cell and of a grid, with the thick lines at its edges.
const CELL: usize = 10;
const GRID: usize = 9 * CELL + 2;

fn grid_html(cells: &[u8; CELLS], label: &str) -> String {
    format!("<svg viewBox=\"0 0 {GRID} {GRID}\" role=\"img\" aria-label=\"{label}\">{}</svg>", grid(cells))
}

/// The lines and digits of a grid, in the colour of the text around it.
fn grid(cells: &[u8; CELLS]) -> String {
    let side = 9 * CELL;
    let lines = |at: &dyn Fn(usize) -> bool| -> String {
        let lines = (0..=9).filter(|line| at(*line)).map(|line| CELL * line + 1);
        lines.map(|at| format!("M1 {at}h{side}M{at} 1v{side}")).collect()
    };
    let mut svg = format!(
        "<g stroke=\"currentColor\" fill=\"none\" stroke-linecap=\"square\"><path stroke-width=\".3\" d=\"{}\"/>\
         <path stroke-width=\"1.2\" d=\"{}\"/></g>\
         <g fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"7\" text-anchor=\"middle\">",
        lines(&|line| line % 3 > 0),
        lines(&|line| line % 3 == 0)
    );
    for (row, line) in cells.chunks(9).enumerate() {
        let clues = line.iter().enumerate().filter(|(_, cell)| **cell != b'.');
        let places: Vec<_> = clues.map(|(column, clue)| (CELL * column + CELL / 2 + 1, *clue)).collect();
        svg += &digits("", &format!("{}.5", CELL * row + 8), &places);
    }
    svg + "</g>"
}

/// Digits in a row, each at its own position.
pub fn digits(attributes: &str, y: &str, places: &[(usize, u8)]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let x: Vec<_> = places.iter().map(|(x, _)| x.to_string()).collect();
    let digits: String = places.iter().map(|(_, digit)| char::from(*digit)).collect();
    format!("<text {attributes}x=\"{}\" y=\"{y}\">{digits}</text>", x.join(" "))
}

/// The SVG file: the title, all puzzles, then all solutions at half their size. It is black, for programs that set
/// pages.
fn svg(puzzles: &[Printed], args: &PrintArgs, columns: u64) -> String {
    /// The distance of two grids, which includes a number.
    const STEP: u64 = GRID as u64 + 16;
    let n = puzzles.len() as u64;
    let title = page::escape(args.title.as_deref().unwrap_or("Sudoku"));
    let (heading, top) = match args.title {
        Some(_) => {
            let font = "font-family=\"sans-serif\" font-size=\"10\"";
            (format!("<text x=\"9\" y=\"14\" {font}>{title}</text>\n"), 16)
        }
        None => (String::new(), 0),
    };
    let height = top + STEP * n.div_ceil(columns);
    let total = height + STEP / 2 * n.div_ceil(2 * columns);
    let width = STEP * columns;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {total}\" width=\"{width}mm\" height=\"{total}mm\" \
         color=\"#000\">\n<title>{title}</title>\n{heading}"
    );
    let mut place = |k: u64, columns, step, top, scale, caption: &str, cells: Option<[u8; CELLS]>| {
        let (x, y) = (step * (k % columns), top + step * (k / columns));
        let grid = |cells| format!("<g transform=\"translate(8 12)\">{}</g>", grid(&cells));
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y}) scale({scale})\"><text x=\"9\" y=\"9\" font-family=\"sans-serif\" \
             font-size=\"7\">{caption}</text>{}</g>",
            cells.map_or(String::new(), grid)
        );
    };
    for (k, printed) in (0..).zip(puzzles) {
        place(k, columns, STEP, top, "1", &label(printed), Some(printed.puzzle.to_ascii()));
    }
    for (k, printed) in (0..).zip(puzzles) {
        let solution = printed.solution.map(|solution| solution.to_ascii());
        place(k, 2 * columns, STEP / 2, height, ".5", &caption(printed), solution);
    }
    svg + "</svg>\n"
}
