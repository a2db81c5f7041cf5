//! Formats for print: pages, images and frames with numbered puzzles and their solutions.

use rapidoku::{Puzzle, Solution, verify};

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, ask, call, file, words};

/// The cells of the first grid in a text of SVG, by the positions of the digits.
fn cells(svg: &str) -> String {
    let mut cells = ['.'; 81];
    for text in svg.split("</svg>").next().unwrap().split("<text x=\"").skip(1) {
        let (columns, rest) = text.split_once("\" y=\"").unwrap();
        let (row, rest) = rest.split_once("\">").unwrap();
        let digits = rest.split('<').next().unwrap();
        let row = (row.parse::<f64>().unwrap() as usize - 8) / 10;
        for (x, digit) in columns.split(' ').zip(digits.chars()) {
            cells[9 * row + (x.parse::<usize>().unwrap() - 6) / 10] = digit;
        }
    }
    cells.iter().collect()
}

/// The grids of a page with labels such as `Puzzle 1`, in the order of their numbers.
fn grids(page: &str, kind: &str) -> Vec<String> {
    let label = |number: usize| format!("aria-label=\"{kind} {number}\">");
    let grid = |number| page.split(&label(number)).nth(1).map(cells);
    (1..).map_while(grid).collect()
}

#[test]
fn a_page_has_all_puzzles_and_their_solutions() {
    let run = call("generate 7 --seed 3 --format html --per-page 4 -j 2", b"");
    let page = run.stdout();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let puzzles = grids(page, "Puzzle");
    assert_eq!(puzzles, call("generate 7 --seed 3", b"").stdout().lines().collect::<Vec<_>>());
    let solutions = grids(page, "Solution");
    assert_eq!(solutions.len(), 7);
    for (puzzle, solution) in puzzles.iter().zip(&solutions) {
        let (puzzle, solution): (Puzzle, Solution) = (puzzle.parse().unwrap(), solution.parse().unwrap());
        verify::check(&puzzle, &solution).unwrap();
    }
    assert_eq!(page.matches("<section class=\"puzzles\"").count(), 2);
    // It needs no other file.
    assert!(["http", "src=", "href=", "<script"].iter().all(|text| !page.contains(text)), "{page}");
    let converted = call("convert --format html --per-page 4", puzzles.join("\n"));
    assert_eq!(converted.stdout(), page);
}

#[test]
fn pages_are_higher_than_wide() {
    for (puzzles, columns) in [(1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (12, 3), (15, 3), (24, 4)] {
        let page = call(&format!("convert --format html --per-page {puzzles}"), PUZZLE);
        assert!(page.stdout().contains(&format!("\"--columns: {columns};")), "{puzzles}");
    }
}

#[test]
fn a_puzzle_without_a_single_solution_is_marked() {
    let text = format!("{PUZZLE}\n{}\n{NO_SOLUTION}\n{CLASH}\nbad\n", PUZZLE.replace("79", ".."));
    let run = call("convert -q --format html", &text);
    let captions: Vec<&str> =
        run.stdout().split("<figcaption>").skip(6).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(captions, ["1", "2: several solutions", "3: no solution", "4: not a puzzle", "5: not a puzzle"]);
    assert_eq!(grids(run.stdout(), "Solution").len(), 2);
}

#[test]
fn a_book_has_a_title_chapters_and_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let [easy, rated] = [("easy.txt", PUZZLE.to_owned()), ("B & C.csv", format!("puzzle,er\n{PUZZLE},1.2\n"))]
        .map(|(name, text)| file(&folder, name, text));
    let book = |inputs: &[&str], format| {
        let args = [inputs, &["--title", "A & B", "--format", format]].concat();
        ask("convert", args, b"").stdout().to_owned()
    };
    let page = book(&[&*easy, &*rated], "html");
    let texts = ["<title>A &amp; B<", "<h1>A &amp; B<", "<h2>easy<", "<h2>B &amp; C<", "<figcaption>2 · 1.2<"];
    assert!(texts.iter().all(|text| page.contains(text)), "{page}");
    assert!(!book(&[&*easy], "html").contains("<h2>easy<"));
    assert!(book(&[&*easy], "svg").contains(">A &amp; B</text>"));
}

#[test]
fn an_image_has_a_number_above_each_grid() {
    let run = call("generate 3 --seed 0 --format svg --per-page 2", b"");
    let texts: Vec<&str> = run.stdout().split("font-size=\"7\">").skip(1).collect();
    let numbers = texts.iter().filter_map(|text| text.split("</text>").next()?.parse().ok());
    assert_eq!(numbers.collect::<Vec<u32>>(), [1, 2, 3, 1, 2, 3]);
    assert_eq!(run.stdout().matches("stroke-linecap").count(), 6);
}

#[test]
fn frames_have_the_numbers_of_their_solutions() {
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n");
    let [puzzles, solutions] = [("convert", "--format frame"), ("solve", "--format frame")]
        .map(|(command, args)| ask(command, words(args), text.as_bytes()));
    let titles = |text: &str| -> Vec<String> {
        let titles = text.lines().filter(|line| line.starts_with("Grid"));
        titles.map(|line| line.split(':').next().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(puzzles.stdout()), ["Grid 1", "Grid 2"]);
    assert_eq!(titles(puzzles.stdout()), titles(solutions.stdout()));
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    assert!(puzzles.stdout().starts_with(&format!("Grid 1\n{puzzle:#}\n\n")), "{}", puzzles.stdout());
}

#[test]
fn generated_grids_are_read_back() {
    let grids = call("generate 3 --seed 0 --format grid", b"");
    let lines = call("convert", &grids.stdout);
    assert_eq!(lines.stdout(), call("generate 3 --seed 0", b"").stdout());
}

#[test]
fn formats_for_print_need_a_bounded_number_of_puzzles() {
    for args in ["--format html", "200000 --format svg", "2 --grids --format html", "2 --format html --per-page 0"] {
        let run = ask("generate", words(args), b"");
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{args}");
    }
}
