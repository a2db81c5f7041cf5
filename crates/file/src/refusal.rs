//! Why an input is refused, and a command that helps.

use std::fmt;

use super::escape::escape;

/// The command that converts a file of a data frame, with this function of pandas.
macro_rules! pandas {
    ($function:literal) => {
        concat!(
            "python3 -c \"import pandas, sys; pandas.",
            $function,
            "(sys.argv[1]).to_csv(sys.stdout, index=False)\" {} | rapidoku ... -"
        )
    };
}
pub(super) use pandas;

/// The command for a workbook of Excel.
pub const EXCEL: &str = pandas!("read_excel");

/// Why an input is refused, and a command that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    what: String,
    /// A command, in two parts if the name of the input is between them.
    command: Option<(String, Option<String>)>,
    /// Whether a better command may be found.
    is_fallback: bool,
}

impl Refusal {
    /// A reason without a command.
    pub fn new(what: impl Into<String>) -> Refusal {
        Refusal { what: what.into(), command: None, is_fallback: true }
    }

    /// Adds a command, with `{}` for the name of the input, or other advice.
    pub fn with_command(self, command: &str) -> Refusal {
        let (before, after) =
            command.split_once("{}").map_or((command, None), |(before, after)| (before, Some(after)));
        let command = Some((before.to_owned(), after.map(str::to_owned)));
        Refusal { command, is_fallback: false, ..self }
    }

    /// Adds the command of this program with other options, which may contain text of the input.
    pub fn with_options(self, options: &str) -> Refusal {
        let command = Some((format!("rapidoku ...{} ", spaced(options)), Some(String::new())));
        Refusal { command, is_fallback: false, ..self }
    }

    /// Adds a program that converts the input, of which `before` and `after` are what is around its name, and this program with
    /// options.
    pub fn with_filter(self, before: &str, after: &str, options: &str) -> Refusal {
        let after = format!("{after} | rapidoku ...{} -", spaced(options));
        Refusal { command: Some((before.to_owned(), Some(after))), is_fallback: false, ..self }
    }

    /// Says that a better command may be found.
    pub fn or_better(self) -> Refusal {
        Refusal { is_fallback: true, ..self }
    }

    /// Whether there is a command and there can be no better one.
    pub fn is_complete(&self) -> bool {
        !self.is_fallback
    }

    /// Adds advice if there is no command.
    pub fn or_advice(self, advice: &str) -> Refusal {
        if self.command.is_some() { self } else { self.with_command(advice) }
    }

    /// The reason for the input with this name: a line, and a second one with the command.
    pub fn for_input(&self, name: &str) -> String {
        let Some((before, after)) = &self.command else { return escape(&self.what).into_owned() };
        let decompress = [(".gz", "gzip -dc "), (".zst", "zstd -dc "), (".zip", "unzip -p ")];
        let decompress = decompress.iter().find(|(extension, _)| name.ends_with(extension));
        let is_stream = name.starts_with('<');
        let filter = before.trim_end_matches([' ', '<']);
        let command = match (after.as_deref(), decompress) {
            (None, _) => before.clone(),
            (Some(""), _) if is_stream => format!("{before}-"),
            (Some(after), _) if is_stream => format!("... | {filter}{after}"),
            (Some(after @ " | rapidoku ... -"), Some((_, command))) => {
                format!("{command}{} | {filter}{after}", quote(name))
            }
            (Some(after), _) => format!("{before}{}{after}", quote(name)),
        };
        // Control characters are escaped in a message, and the command would name another file.
        if escape(&command) != command {
            return escape(&self.what).into_owned();
        }
        format!("{}\n  {command}", escape(&self.what))
    }
}

/// Options with a space before them.
fn spaced(options: &str) -> String {
    if options.is_empty() { String::new() } else { format!(" {options}") }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A refusal may travel as the error of a reader.
impl std::error::Error for Refusal {}

/// A word of a command line for `sh`, or for `cmd` on Windows.
pub fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+,-./:=@_%".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        _ if cfg!(windows) => format!("\"{word}\""),
        _ => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
