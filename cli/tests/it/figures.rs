//! The tables and the plot in the documents equal what the raw results in `benches/results` yield.
//!
//! `scripts/figures/headline.sh` writes the raw results. With the environment variable `UPDATE_FIGURES`, this test
//! writes the documents instead.

use std::fs;
use std::path::PathBuf;

use rapidoku_cli::bench::Machine;
use rapidoku_cli::number::{count, human};
use serde::Deserialize;

use crate::support::{call, root};

/// A file that `scripts/figures/headline.sh` wrote.
#[derive(Deserialize)]
struct Results {
    pinned: bool,
    rounds: usize,
    revision: String,
    solvers: Vec<Solver>,
    sets: Vec<Set>,
    turns: Vec<Turn>,
    environment: Environment,
}

/// What is used of the output of `rapidoku bench --format json`.
#[derive(Deserialize)]
struct Environment {
    date: String,
    machine: Machine,
    compiler: Option<String>,
    load_at_start: Option<[f64; 3]>,
}

#[derive(Deserialize)]
struct Solver {
    name: String,
    /// Absent for programs that the user named.
    version: Option<String>,
    build: String,
}

#[derive(Deserialize)]
struct Set {
    label: String,
    records: u64,
    sha256: String,
}

/// The rounds of a solver on a set in one turn.
#[derive(Deserialize)]
struct Turn {
    set: String,
    solver: String,
    limit: u64,
    records: u64,
    rates: Vec<f64>,
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (n > 0).then(|| (values[(n - 1) / 2] + values[n / 2]) / 2.0)
}

impl Results {
    /// All results, the latest first.
    fn all() -> Vec<Results> {
        let files = fs::read_dir(root().join("benches/results")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
        files.sort();
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).unwrap();
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        files.into_iter().rev().map(read).collect()
    }

    /// The instruction sets, the widest first.
    fn levels(&self) -> Vec<&str> {
        let mut levels = Vec::new();
        for turn in &self.turns {
            let level = turn.solver.strip_prefix("rapidoku ").filter(|level| *level != "scalar");
            if let Some(level) = level.filter(|level| !levels.contains(level)) {
                levels.push(level);
            }
        }
        levels
    }

    /// The median rate of each turn.
    fn turns(&self, set: &str, solver: &str, limit: u64) -> Vec<f64> {
        let is_wanted = |turn: &&Turn| (turn.set.as_str(), turn.solver.as_str(), turn.limit) == (set, solver, limit);
        self.turns.iter().filter(is_wanted).filter_map(|turn| median(turn.rates.clone())).collect()
    }

    fn rate(&self, set: &str, solver: &str, limit: u64) -> Option<f64> {
        median(self.turns(set, solver, limit))
    }

    /// The other solvers that were measured with this limit.
    fn rivals(&self, limit: u64) -> Vec<&str> {
        let names = self.solvers.iter().map(|solver| solver.name.as_str());
        names.filter(|name| self.turns.iter().any(|turn| turn.solver == *name && turn.limit == limit)).collect()
    }

    /// The ratio to the fastest rival on this set, in each turn.
    fn ratios(&self, set: &str, solver: &str, limit: u64) -> Vec<f64> {
        let rivals: Vec<_> = self.rivals(limit).iter().map(|rival| self.turns(set, rival, limit)).collect();
        let fastest = |turn: usize| rivals.iter().map(|rates| rates[turn]).fold(0.0, f64::max);
        self.turns(set, solver, limit).into_iter().enumerate().map(|(turn, own)| own / fastest(turn)).collect()
    }

    /// The solvers of the plot: the lanes at the widest level, then the others, the fastest first.
    fn names(&self) -> Vec<String> {
        let speed = |name: &str| -> f64 {
            self.sets.iter().filter_map(|set| self.rate(&set.label, name, 2)).map(f64::ln).sum()
        };
        let mut others = self.rivals(2);
        others.push("rapidoku scalar");
        others.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        [self.widest()].into_iter().chain(others.into_iter().map(String::from)).collect()
    }

    /// The level that the plot and the ranges are about.
    fn widest(&self) -> String {
        format!("rapidoku {}", self.levels()[0])
    }

    /// The sets, each with the median ratio to its fastest rival at the widest level.
    fn medians(&self) -> Vec<(&Set, f64)> {
        let ratio = |set: &'_ Set| median(self.ratios(&set.label, &self.widest(), 2));
        self.sets.iter().filter_map(|set| Some((set, ratio(set)?))).collect()
    }

    /// The lowest and the highest of these ratios.
    fn range(&self) -> String {
        let ratios = self.medians().into_iter().map(|(_, ratio)| ratio);
        format!("{:.0} to {:.0}", ratios.clone().fold(f64::MAX, f64::min), ratios.fold(0.0, f64::max))
    }

    /// The ratios as bars in an image for documents. It is narrow, so that its text is legible on a phone, and has the
    /// colours of the light or the dark mode, with a background, because a document need not have the mode of the
    /// system.
    fn plot(&self) -> String {
        let ratios = self.medians();
        let longest = ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
        let length = |ratio: f64| (330.0 * ratio / longest).round();
        let (title, height) = (format!("rapidoku is {} times as fast", self.range()), 90 + 44 * ratios.len());
        let mut svg = image(height, &title, STYLE);
        svg += &format!(
            "<text class=\"title\" x=\"16\" y=\"32\">{title}</text>\n\
             <text x=\"16\" y=\"54\">as the fastest other solver (orange) on each set</text>\n\
             <text class=\"soft\" x=\"16\" y=\"72\">one core, proof of uniqueness; right: puzzles per second</text>\n",
        );
        for (y, (set, ratio)) in (102..).step_by(44).zip(ratios) {
            let rivals = self.rivals(2).into_iter().filter_map(|rival| self.rate(&set.label, rival, 2));
            let own = self.rate(&set.label, &self.widest(), 2).unwrap();
            let rates = [human(own), human(rivals.fold(0.0, f64::max))].join(" : ");
            let (label, bar, [top, below, base]) = (&set.label, length(ratio), [6, 16, 17].map(|below| y + below));
            svg += &format!(
                "<text x=\"16\" y=\"{y}\">{label}</text><text class=\"soft end\" x=\"384\" y=\"{y}\">{rates}</text>\n\
                 <rect x=\"16\" y=\"{top}\" width=\"{bar}\" height=\"9\"/>\
                 <rect class=\"other\" x=\"16\" y=\"{below}\" width=\"{}\" height=\"4\"/>\
                 <text x=\"{}\" y=\"{base}\">{ratio:.1}×</text>\n",
                length(1.0),
                bar + 22.0,
            );
        }
        svg + "</svg>\n"
    }

    /// A row for each set.
    fn table(&self, head: &[String], cells: impl Fn(&Set) -> Vec<String>) -> String {
        let mut text = format!("| puzzles | {} |\n|---|{}\n", head.join(" | "), "--:|".repeat(head.len()));
        for set in &self.sets {
            text += &format!("| {} ({}) | {} |\n", set.label, count(set.records as usize), cells(set).join(" | "));
        }
        text
    }

    /// The rates on the sets that anyone can make: the sample and the generated ones.
    fn own_rates_table(&self) -> String {
        let is_own = |line: &&str| {
            !line.ends_with(" |")
                || line.starts_with("| puzzles")
                || line.contains("committed sample")
                || line.contains("generated: ")
        };
        self.rates_table().lines().filter(is_own).map(|line| format!("{line}\n")).collect()
    }

    fn rates_table(&self) -> String {
        let rate = |set: &Set, name: &String| self.rate(&set.label, name, 2).map_or("–".to_owned(), human);
        self.table(&self.names(), |set| self.names().iter().map(|name| rate(set, name)).collect())
    }

    fn ratios_table(&self) -> String {
        let levels = self.levels();
        let mut kinds: Vec<_> = levels.iter().map(|level| (format!("rapidoku {level}"), 2)).collect();
        kinds.push((self.widest(), 1));
        let head = kinds
            .iter()
            .map(|(name, limit)| if *limit == 1 { format!("{name}, first solution") } else { name.clone() });
        let ratio = |set: &Set, (name, limit): &(String, u64)| {
            median(self.ratios(&set.label, name, *limit)).map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
        };
        self.table(&head.collect::<Vec<_>>(), |set| kinds.iter().map(|kind| ratio(set, kind)).collect())
    }

    /// For each set the distance of the ratios at the widest level, from the lowest to the highest turn, over their
    /// median. Returns the median and the largest of these.
    fn spread(&self) -> (f64, f64) {
        let of_set = |set: &Set| {
            let ratios = self.ratios(&set.label, &self.widest(), 2);
            let low = ratios.iter().copied().fold(f64::MAX, f64::min);
            let high = ratios.iter().copied().fold(0.0, f64::max);
            Some((high - low) / median(ratios)?)
        };
        let spreads: Vec<_> = self.sets.iter().filter_map(of_set).collect();
        let largest = spreads.iter().copied().fold(0.0, f64::max);
        (median(spreads).unwrap_or_default(), largest)
    }

    fn place(&self) -> String {
        format!("Measured on {} on {}", &self.environment.date[..10], self.environment.machine.cpu)
    }

    fn machine(&self) -> String {
        let Environment { machine, compiler, load_at_start, .. } = &self.environment;
        let parts = [
            Some(self.place()),
            machine.cpu_model.clone(),
            machine.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
            machine.governor.as_ref().map(|governor| format!("governor {governor}")),
            load_at_start.map(|load| format!("load average {:.2} over 15 minutes", load[2])),
            compiler.clone(),
            Some(format!("rapidoku {}", self.revision)),
        ];
        let mut text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        for Solver { name, version, build } in &self.solvers {
            let version = version.as_ref().map_or(String::new(), |version| format!(" {version}"));
            text += &format!("; {name}{version} ({build})");
        }
        text + "."
    }

    fn method(&self) -> String {
        let solvers = self.turns.iter().map(|turn| (&turn.set, &turn.solver, turn.limit));
        let kinds = solvers.collect::<std::collections::HashSet<_>>().len();
        let turns = self.turns.len() / kinds.max(1);
        let fewer = self.turns.iter().find_map(|turn| {
            let set = self.sets.iter().find(|set| set.label == turn.set)?;
            (turn.records < set.records)
                .then(|| format!(" {} was measured on {} records of each set.", turn.solver, turn.records))
        });
        let (typical, largest) = self.spread();
        format!(
            "Medians of {turns} turns of {} rounds each, {}. Across turns the ratio to the fastest rival varied by {:.0} % in the \
             median set, by {:.0} % at most.{}{}",
            self.rounds,
            if self.pinned { "pinned to one core" } else { "not pinned" },
            100.0 * typical,
            100.0 * largest,
            // The benchmark itself contributes 1.
            match self.environment.load_at_start {
                Some([_, _, load]) if load > 1.5 => {
                    " Other programs kept the machine busy, so the rates are lower than on a quiet one; solvers that take turns \
                     share this, so compare the ratios."
                }
                _ => "",
            },
            fewer.unwrap_or_default(),
        )
    }

    fn section(&self) -> String {
        let hashes = self.sets.iter().map(|set| format!("{} {}", &set.sha256[..16], set.label));
        format!(
            "{}\n\n{}\n\nPuzzles per second, for a proof of uniqueness:\n\n{}\nThe speed relative to the fastest rival on each set \
             ({}; for the first solution: {}):\n\n{}\nSHA-256 of the \
             sets, abbreviated: {}.\n",
            self.machine(),
            self.method(),
            self.rates_table(),
            self.rivals(2).join(", "),
            self.rivals(1).join(", "),
            self.ratios_table(),
            hashes.collect::<Vec<_>>().join("; "),
        )
    }
}

/// The start of an image with a title.
fn image(height: usize, title: &str, style: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"{height}\" viewBox=\"0 0 400 {height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{style}</style>\n"
    )
}

/// A step of the page that `rapidoku explain` writes, as an image, with its words.
fn step() -> String {
    let run = call(
        "explain --format html",
        "..9..3.....3.1...87..52963.1973.64...351.....4.....1.39..73....8.6..13..3..26...9",
    );
    let between = |text: &str, start: &str, end: &str| -> String {
        let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
        rest.split(end).next().unwrap().to_owned()
    };
    let page = run.stdout();
    let figure = page.split("<figure>").find(|figure| figure.contains("<b>19.</b>")).unwrap();
    let [colours, title] = [between(page, "<style>\n", "* {"), between(page, "<h1>", "</h1>")];
    let style = between(page, "<main>\n<style>\n", "@media print");
    let (words, reasons) = (between(figure, "</b> ", "<p"), between(figure, "<p class=\"chain\">", "</p>"));
    let mut lines = vec![String::new()];
    for word in reasons.split(' ') {
        if lines.last().unwrap().len() + word.len() > 58 {
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push_str(&format!("{word} "));
    }
    let own = "svg { background: var(--paper); font: 13px sans-serif } text { fill: var(--ink) } .title { font-size: 19px; font-weight: 700 }";
    let mut svg = image(470 + 18 * lines.len(), &title, &format!("\n{colours}{style}{own}\n"));
    svg += &format!("<defs>{}</defs>\n", between(page, "<defs>", "</defs>"));
    svg += &format!("<text class=\"title\" x=\"16\" y=\"32\">{title}</text>\n");
    svg += &format!("<text x=\"16\" y=\"54\"><tspan font-weight=\"700\">19.</tspan> {words}</text>\n");
    let grid = between(figure, "aria-label=\"grid\">", "</svg>");
    svg += &format!("<g class=\"steps\" transform=\"translate(16 70) scale(1.36)\">{grid}</g>\n");
    for (y, line) in (460..).step_by(18).zip(&lines) {
        svg += &format!("<text x=\"16\" y=\"{y}\">{}</text>\n", line.trim_end());
    }
    svg + "</svg>\n"
}

/// The colours of the plot in both modes.
const STYLE: &str = "
svg { background: #fff; font: 13px sans-serif } text { fill: #1c2024 } .soft { fill: #5b646d; font-size: 12px } .end { text-anchor: end }
.title { font-size: 19px; font-weight: 700 } rect { fill: #0072b2 } .other { fill: #d55e00 }
@media (prefers-color-scheme: dark) {
  svg { background: #14171a } text { fill: #e6e9ec } .soft { fill: #a3adb7 } rect { fill: #3f86ff } .other { fill: #e69f00 }
}
";

/// Replaces the text between the markers with this name.
fn fill(document: &str, name: &str, text: &str) -> String {
    let (start, end) = (format!("<!-- figures: {name} -->"), "<!-- end of figures -->");
    let (head, rest) = document.split_once(&start).unwrap_or_else(|| panic!("no marker: {start}"));
    let (_, tail) = rest.split_once(end).unwrap_or_else(|| panic!("no end of {start}"));
    format!("{head}{start}{text}{end}{tail}")
}

#[test]
fn figures_in_the_documents_are_those_of_the_raw_results() {
    let all = Results::all();
    let latest = all.first().expect("there are results");
    let sections: Vec<_> = all.iter().map(Results::section).collect();
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap_or_default();

    let mut readme = fill(&read("README.md"), "range", &latest.range());
    readme =
        fill(&readme, "speed", &format!("\n{}\n{}. {}\n", latest.own_rates_table(), latest.place(), latest.method()));
    let benchmarks = fill(&read("docs/benchmarks.md"), "all", &format!("\n{}", sections.join("\n")));
    let images = [("docs/speed.svg", latest.plot()), ("docs/step.svg", step())];
    let documents = [("README.md", readme), ("docs/benchmarks.md", benchmarks)].into_iter().chain(images);
    for (path, expected) in documents {
        if std::env::var_os("UPDATE_FIGURES").is_some() {
            fs::write(root().join(path), expected).unwrap();
        } else {
            assert!(read(path) == expected, "{path} differs from the raw results, see UPDATE_FIGURES");
        }
    }
}
