//! Why an input is refused, and a command that helps.

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

/// Takes the place of the name of the input in a command. Column names, which a command may contain, do not have it.
pub const INPUT: &str = "\0";

/// Why an input is refused, and a command that helps. It may travel as the error of a reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Refusal {
    what: String,
    /// A command with [`INPUT`] for the name of the input, or other advice.
    command: Option<String>,
    /// Whether a better command may be found.
    pub is_fallback: bool,
}

impl Refusal {
    /// A reason without a command.
    pub fn new(what: impl Into<String>) -> Refusal {
        Refusal { what: what.into(), command: None, is_fallback: true }
    }

    /// Adds a command, with `{}` for the name of the input, or other advice.
    pub fn with_command(self, command: &str) -> Refusal {
        Refusal { command: Some(command.replacen("{}", INPUT, 1)), is_fallback: false, ..self }
    }

    /// Adds the command of this program with these options, each after a space, which may contain text of the input.
    /// If there is a filter, it converts the input, with [`INPUT`] for its name. A better command may be found.
    pub fn with_options(self, filter: &str, options: &str) -> Refusal {
        let command = match filter {
            "" => format!("rapidoku ...{options} {INPUT}"),
            _ => format!("{filter} | rapidoku ...{options} -"),
        };
        Refusal { command: Some(command), ..self }
    }

    /// Adds advice if there is no command.
    pub fn or_advice(self, advice: &str) -> Refusal {
        Refusal { command: self.command.or(Some(advice.to_owned())), ..self }
    }

    /// The reason for the input with this name: a line, and a second one with the command.
    pub fn for_input(&self, name: &str) -> String {
        let Some(command) = &self.command else { return escape(&self.what).into_owned() };
        let decompress = [(".gz", "gzip -dc "), (".zst", "zstd -dc "), (".zip", "unzip -p ")];
        let decompress = decompress.iter().find(|(extension, _)| name.ends_with(extension));
        let is_stream = name.starts_with('<');
        let filter = |before: &str| before.trim_end_matches([' ', '<']).to_owned();
        let command = match (command.split_once(INPUT), decompress) {
            (None, _) => command.clone(),
            (Some((before, "")), _) if is_stream => format!("{before}-"),
            (Some((before, after)), _) if is_stream => format!("... | {}{after}", filter(before)),
            (Some((before, after @ " | rapidoku ... -")), Some((_, command))) if before != *command => {
                format!("{command}{} | {}{after}", quote(name), filter(before))
            }
            (Some((before, after)), _) => format!("{before}{}{after}", quote(name)),
        };
        // Control characters are escaped in a message, and the command would name another file.
        if escape(&command) != command {
            return escape(&self.what).into_owned();
        }
        format!("{}\n  {command}", escape(&self.what))
    }
}

/// A word of a command line for `sh`, or for `cmd` on Windows.
pub fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+,-./:=@_%".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        _ if cfg!(windows) => format!("\"{word}\""),
        _ => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
