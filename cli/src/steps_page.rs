//! The steps to the solution of a puzzle as part of a self-contained page: for each step the grid with its candidates,
//! the pattern in colour, and the implications of a chain as arrows.

use std::fmt::Write;

use rapidoku::grid::{CELLS, Cell, PEERS};
use rapidoku::rating::{Chain, Step, Technique};
use rapidoku::{Candidates, Explanation, Puzzle};
use rapidoku_jobs::explain::next_technique;

use crate::page::{escape, page};
use crate::print;

/// What comes before and after the sections of the puzzles.
pub fn frame() -> [String; 2] {
    const SECTIONS: &str = "<!-- sections -->";
    let style = include_str!("page/steps.css");
    let body = format!("<style>\n{style}</style>\n<h1>Steps to the solution</h1>\n{ARROWS}\n{SECTIONS}");
    let page = page("Steps to the solution", &body);
    let (head, foot) = page.split_once(SECTIONS).expect("the body is in the page");
    [head, foot].map(str::to_owned)
}

/// The section of a puzzle: its grid, at most so many steps, and the solution if these are all. Explanations without
/// steps are text, or the cells in which two solutions differ.
pub fn section(name: &str, start: &Candidates, explanation: &Explanation, most: Option<usize>) -> String {
    let text = explanation.to_text(start, false);
    let (headline, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut html = format!("<section>\n<h2>{}</h2>\n<p>{}</p>\n", escape(name), escape(headline));
    match explanation {
        Explanation::Unique { steps, solution, .. } => {
            html += "<div class=\"steps\">\n";
            let [mut puzzle, mut board] = [(); 2].map(|()| Board::new(start));
            let mut number = 1;
            if start.puzzle().is_some() {
                puzzle.candidates = [0; CELLS];
            }
            html += &figure(&puzzle, &[], &[], "<b>The puzzle</b>");
            let shown = most.unwrap_or(usize::MAX).min(steps.len());
            for group in groups(&steps[..shown]) {
                html += &card(&board, group, number);
                group.iter().for_each(|step| board.apply(step));
                number += group.len();
            }
            html += &match most {
                Some(_) => format!("<p>{}</p>\n", next_technique(steps.get(shown).map(|step| step.technique))),
                None => {
                    board.digits = *solution.cells();
                    figure(&board, &[], &[], "<b>The solution</b>")
                }
            };
            html += "</div>\n";
        }
        Explanation::Multiple { solutions, differ } => {
            let mut board = Board::new(start);
            for (cell, (&first, second)) in solutions[0].cells().iter().zip(solutions[1].cells()).enumerate() {
                board.digits[cell] = if first == *second { first } else { 0 };
                board.candidates[cell] = 1 << (first - 1) | 1 << (second - 1);
            }
            let words = format!("Two solutions differ in the {} shaded cells.", differ.len());
            let both = lines(&solutions.map(|solution| solution.to_string()).join("\n"));
            let figure = figure(&board, differ, &[], &words);
            html += &format!("<div class=\"steps\">{figure}</div>\n<pre>{both}</pre>\n");
        }
        _ if rest.is_empty() => {}
        _ => html += &format!("<pre>{}</pre>\n", lines(rest)),
    }
    html + "</section>\n"
}

/// The lines of a text in an element that folds white space.
fn lines(text: &str) -> String {
    text.lines().map(|line| format!("<span>{}</span><br>", escape(line))).collect()
}

/// Runs of singles are shown together, every other step alone.
fn groups(steps: &[Step]) -> impl Iterator<Item = &[Step]> {
    let is_single = |step: &Step| matches!(step.technique, Technique::HiddenSingle | Technique::NakedSingle);
    steps.chunk_by(move |a, b| is_single(a) && is_single(b))
}

/// A grid to which steps are applied.
struct Board {
    clues: Puzzle,
    digits: [u8; CELLS],
    /// The candidates that no step has removed. A digit of a peer may be among them.
    candidates: [u16; CELLS],
}

impl Board {
    fn new(start: &Candidates) -> Board {
        let clues = start.clues();
        Board { clues, digits: *clues.cells(), candidates: *start.cells() }
    }

    fn apply(&mut self, step: &Step) {
        for removed in &step.removed {
            self.candidates[removed.cell.0 as usize] &= !removed.digits.0;
        }
        if let Some((cell, digit)) = step.placed {
            self.digits[cell.0 as usize] = digit;
        }
    }

    fn has_candidate(&self, cell: usize, digit: u8) -> bool {
        let is_possible = self.candidates[cell] >> (digit - 1) & 1 == 1;
        is_possible && self.digits[cell] == 0 && PEERS[cell].iter().all(|&peer| self.digits[peer as usize] != digit)
    }
}

/// The grid before some steps, with what they do, and the steps in words.
fn card(board: &Board, steps: &[Step], number: usize) -> String {
    if let [step] = steps {
        let mut words = escape(&step.to_string());
        if let Some(chain) = &step.chain {
            words += &reasoning(chain);
        }
        let set = step.set.iter().flat_map(|(cells, _)| cells);
        let pattern: Vec<_> = step.cells.iter().chain(set).copied().collect();
        return figure(board, &pattern, steps, &format!("<b>{number}.</b> {words}"));
    };
    let hardest = steps.iter().map(|step| step.difficulty).max().expect("there are steps");
    let to = number + steps.len() - 1;
    let title = format!("<b>{number} to {to}.</b> singles (up to {hardest})");
    let short = |step: &Step| step.to_string().replace(" single", "").replace(" the only place in", "");
    let words: Vec<_> = steps.iter().map(|step| escape(&short(step))).collect();
    let words = words.join("<br>");
    let words = format!("<details><summary>{title}</summary><div class=\"singles\">{words}</div></details>");
    figure(board, &[], steps, &words)
}

/// A grid with some cells shaded, and below it words in HTML.
fn figure(board: &Board, shaded: &[Cell], steps: &[Step], words: &str) -> String {
    format!("<figure>{}<figcaption>{words}</figcaption></figure>\n", grid(board, shaded, steps))
}

/// The branches of a chain in words, and the chains within it folded.
fn reasoning(chain: &Chain) -> String {
    let mut html: String =
        chain.lines().iter().map(|line| format!("<p class=\"chain\">{}</p>", escape(line))).collect();
    for (inner, number) in chain.inner.iter().zip(1..) {
        let _ = write!(html, "<details><summary>chain {number}</summary>{}</details>", reasoning(inner));
    }
    html
}

/// The side of a cell.
const CELL: usize = 30;
const SIDE: usize = 9 * CELL;

/// The middle of a candidate.
fn place(cell: usize, digit: u8) -> [usize; 2] {
    let third = usize::from(digit - 1);
    [CELL * (cell % 9) + 5 + 10 * (third % 3), CELL * (cell / 9) + 5 + 10 * (third / 3)]
}

fn grid(board: &Board, shaded: &[Cell], steps: &[Step]) -> String {
    let mut svg = format!("<svg viewBox=\"-1 -1 {0} {0}\" role=\"img\" aria-label=\"grid\">", SIDE + 2);
    for cell in shaded {
        let [x, y] = [CELL * (cell.0 as usize % 9), CELL * (cell.0 as usize / 9)];
        let _ = write!(svg, "<rect class=\"pattern\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
    }
    let mut mark = |class: &str, cell: Cell, digit: u8| {
        let [x, y] = place(cell.0 as usize, digit);
        let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>");
    };
    for step in steps {
        for removed in &step.removed {
            removed.digits.iter().for_each(|digit| mark("removed", removed.cell, digit));
        }
        if let Some((cell, digit)) = step.placed {
            mark("placed", cell, digit);
        }
        for node in step.chain.iter().flat_map(|chain| chain.branches.iter().flatten()) {
            mark(if node.on { "on" } else { "off" }, node.cell, node.digit);
        }
    }
    svg += &digits(board);
    for step in steps {
        svg += &step.chain.as_ref().map_or(String::new(), arrows);
    }
    for line in 0..=9 {
        let (at, class) = (CELL * line, if line % 3 == 0 { "box" } else { "cell" });
        let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {at}h{SIDE}M{at} 0v{SIDE}\"/>");
    }
    svg + "</svg>"
}

/// Digits and candidates.
fn digits(board: &Board) -> String {
    let mut svg = String::new();
    let mut text = |class: &str, y: usize, places: &[(usize, u8)]| {
        svg += &print::digits(&format!("class=\"{class}\" "), &y.to_string(), places);
    };
    for row in 0..9 {
        let cells = || (9 * row..9 * row + 9).map(|cell| (cell, CELL * (cell % 9) + CELL / 2));
        for (class, are_clues) in [("clue", true), ("digit", false)] {
            let shown = cells().filter(|&(cell, _)| board.digits[cell] != 0);
            let shown = shown.filter(|&(cell, _)| (board.clues.cells()[cell] != 0) == are_clues);
            let shown: Vec<_> = shown.map(|(cell, x)| (x, b'0' + board.digits[cell])).collect();
            text(class, CELL * row + 22, &shown);
        }
        for third in 0..3 {
            let candidates = cells().flat_map(|(cell, _)| {
                let digits = (3 * third + 1..3 * third + 4).map(move |digit: u8| (cell, digit));
                digits.filter(|&(cell, digit)| board.has_candidate(cell, digit))
            });
            let shown: Vec<_> = candidates.map(|(cell, digit)| (place(cell, digit)[0], b'0' + digit)).collect();
            text("candidate", CELL * row + 8 + 10 * usize::from(third), &shown);
        }
    }
    svg
}

fn arrows(chain: &Chain) -> String {
    let mut svg = String::new();
    for branch in &chain.branches {
        for to in branch {
            for from in to.parents.iter().filter_map(|&parent| branch.get(parent)) {
                let [[x1, y1], [x2, y2]] =
                    [from, to].map(|node| place(node.cell.0 as usize, node.digit).map(|at| at as f64));
                let (dx, dy) = (x2 - x1, y2 - y1);
                let length = dx.hypot(dy);
                if length < 1.0 {
                    continue;
                }
                // From edge to edge of the circles, with a bend, so that arrows in a line do not cover each other. A
                // curve is in the frame if its three points are.
                let [ux, uy] = [5.0 * dx / length, 5.0 * dy / length];
                let [bx, by] =
                    [(x1 + x2) / 2.0 - dy / 8.0, (y1 + y2) / 2.0 + dx / 8.0].map(|at| at.clamp(1.0, SIDE as f64 - 1.0));
                let class = if to.on { "on" } else { "off" };
                let _ = write!(
                    svg,
                    "<path class=\"arrow {class}\" d=\"M{:.1} {:.1}Q{bx:.1} {by:.1} {:.1} {:.1}\"/>",
                    x1 + ux,
                    y1 + uy,
                    x2 - ux,
                    y2 - uy
                );
            }
        }
    }
    svg
}

const ARROWS: &str = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position: absolute\"><defs>\
<marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\">\
<path d=\"M0 0L6 3L0 6z\" fill=\"context-stroke\"/></marker></defs></svg>
<p class=\"sub\">Blue: the pattern, what a step places, and what a chain makes true. Amber: what a step removes (filled), and what a chain \
makes false.</p>";
