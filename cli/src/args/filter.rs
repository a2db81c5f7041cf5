//! Arguments of the commands that can write the records with some results instead of the results.

use clap::ValueEnum;

/// The results that are wanted.
#[derive(clap::Args)]
pub struct FilterArgs<R: ValueEnum + Send + Sync + 'static> {
    /// Write the records with one of these results, with all columns of the input, instead of the results. Text has copies of the
    /// records, byte for byte.
    #[arg(long, value_enum, value_name = "STATUS,..", value_delimiter = ',')]
    only: Vec<R>,
}

impl<R: ValueEnum + Send + Sync + 'static> FilterArgs<R> {
    pub fn is_on(&self) -> bool {
        !self.only.is_empty()
    }

    /// Whether records are written to which the values apply for which `applies` is true.
    pub fn keeps(&self, applies: impl Fn(&R) -> bool) -> bool {
        self.only.iter().any(applies)
    }
}
