//! The inputs and outputs of a run, as the command line names them.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use rapidoku::file::internal::has_long_run;
use rapidoku::file::{Error, Input, Output, Unfinished};
use rapidoku::grid::is_cell;
use rapidoku::{Candidates, Puzzle, PuzzleError};

use crate::closed;
use crate::files::{Identity, read_whole};

/// The inputs that operands name. Nine operands may be the rows of a grid without quotes.
///
/// # Errors
/// Those of [`input`].
pub fn inputs(operands: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if operands.len() == 9 && operands.iter().all(|operand| fs::symlink_metadata(operand).is_err()) {
        let grid = operands.iter().filter_map(|operand| operand.to_str()).collect::<Vec<_>>().join("\n");
        if grid.parse::<Puzzle>().is_ok() {
            return Ok(vec![Input::Text(grid)]);
        }
    }
    operands.iter().map(|operand| input(operand)).collect()
}

/// The input that an operand names: standard input, a file, or, if there is no such file, a puzzle, whose rows may have
/// spaces between them.
///
/// # Errors
/// If there is no such file, and the operand is nearly a puzzle.
pub fn input(operand: &Path) -> anyhow::Result<Input> {
    let Some(text) = operand.to_str().filter(|_| fs::symlink_metadata(operand).is_err()) else {
        return Ok(Input::from_operand(operand));
    };
    let grid = text.trim().replace(' ', "\n");
    match text.parse::<Puzzle>() {
        Err(_) if grid.parse::<Puzzle>().is_ok() => Ok(Input::Text(grid)),
        Err(reason) if !has_long_run(text.as_bytes()) && text.parse::<Candidates>().is_err() => {
            // Some cells may be a name, and a row or more is a part of a puzzle.
            let is_nearly = match reason {
                PuzzleError::CellCount { cells } => cells >= 9,
                PuzzleError::RowCount { .. } => true,
                PuzzleError::BadCharacter { .. } => {
                    text.len() > 60 && 4 * text.bytes().filter(|byte| is_cell(*byte)).count() > 3 * text.len()
                }
                _ => false,
            };
            ensure!(!is_nearly, "'{text}': {reason}, and no such file");
            Ok(Input::from_operand(operand))
        }
        _ => Ok(Input::Text(text.to_owned())),
    }
}

/// The paths in a list, separated by line feeds, or by NUL bytes if there are any. `-` reads the list from standard
/// input.
pub fn read_list(list: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let bytes = read_whole(list).map_err(|source| Error::Open { name: list.display().to_string(), source })?;
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let paths = bytes.split(|&byte| byte == separator).filter(|path| !path.is_empty());
    paths.map(path).collect::<Result<_, _>>().with_context(|| format!("--files-from '{}'", list.display()))
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    let text = str::from_utf8(bytes.strip_suffix(b"\r").unwrap_or(bytes))?;
    Ok(OsStr::new(text).into())
}

/// Creates the outputs of a run. None of them replaces an input, a file that [`read_whole`] has read, or another
/// output.
pub struct Outputs<'a> {
    pub inputs: &'a [Input],
    pub unfinished: &'a Unfinished,
    /// The option whose output is standard output.
    pub stdout: Option<&'static str>,
}

impl Outputs<'_> {
    /// Creates the output of an option. `-` is standard output.
    pub fn create(&mut self, option: &'static str, path: Option<&Path>) -> anyhow::Result<Output> {
        let path = path.filter(|path| *path != Path::new("-"));
        if path.is_none() {
            if let Some(other) = self.stdout {
                bail!("{other} and {option} would both write to standard output; write one of them to a file");
            }
            self.stdout = Some(option);
        }
        let target = path.map_or_else(|| Identity::of_stream(io::stdout()), Identity::of);
        if let Some(target) = target {
            self.check(path, &target)?;
        }
        match path {
            Some(path) => {
                let folder = path.parent().unwrap_or(path);
                let exists = folder.as_os_str().is_empty() || folder.exists();
                let (name, folder) = (path.display(), folder.display());
                ensure!(exists, "cannot create '{name}': create the folder '{folder}' first");
                Ok(Output::create_registered(path, self.unfinished)?)
            }
            None => {
                closed::stdout().map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })?;
                Ok(Output::stdout())
            }
        }
    }

    fn check(&self, path: Option<&Path>, target: &Identity) -> anyhow::Result<()> {
        let identity = |input: &Input| match input {
            Input::Stdin => Identity::of_stream(io::stdin()),
            Input::File(path) => Identity::of(path),
            Input::Open(_) | Input::Text(_) => None,
        };
        let is_target = |input: &&Input| identity(input).as_ref() == Some(target);
        let clash = self.inputs.iter().find(is_target).map(Input::name);
        let clash =
            clash.or(target.is_read().then(|| path.map_or("<stdout>".to_owned(), |path| path.display().to_string())));
        match (path, clash) {
            (Some(path), _) if self.stdout.is_some() && Identity::of_stream(io::stdout()).as_ref() == Some(target) => {
                let source = io::Error::other("another output has the same name");
                Err(Error::Create { name: path.display().to_string(), source }.into())
            }
            (None, Some(input)) => bail!("'{input}' is an input and standard output"),
            (Some(_), Some(input)) => {
                bail!("'{input}' is an input and an output; write to another file")
            }
            _ => Ok(()),
        }
    }
}
