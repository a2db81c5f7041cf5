//! serde: grids, cells and houses as the text that they print; outcomes.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::grid::{Candidates, Cell, House, Puzzle, PuzzleError, Solution, Symmetry};
use crate::outcome::{Outcome, Outcomes};

macro_rules! serialize_as_text {
    ($($type:ty),+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
}

macro_rules! deserialize_from_text {
    ($($type:ty),+) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                        f.write_str("a grid or a symmetry as text")
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    )+};
}

serialize_as_text!(Puzzle, Solution, Candidates, Symmetry, Cell, House, PuzzleError);
deserialize_from_text!(Puzzle, Solution, Candidates, Symmetry);

impl Serialize for Outcomes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Outcomes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcomes, D::Error> {
        let all = Vec::<Outcome>::deserialize(deserializer)?;
        let mut outcomes = Outcomes::new();
        outcomes.reset(all.len());
        all.into_iter().enumerate().for_each(|(k, outcome)| outcomes.set(k, outcome));
        Ok(outcomes)
    }
}
