//! The techniques, in the order in which they are tried.

use std::fmt;

/// A difficulty of the scale, from 1.0 to about 12, in tenths: `Difficulty(71)` prints as `7.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difficulty(
    /// Tenths.
    pub u16,
);

impl Difficulty {
    /// The ER of a puzzle that the techniques do not solve, a convention of Sudoku Explainer.
    pub const STUCK: Difficulty = Difficulty(200);
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// Parses a number with at most one decimal, such as `7.1` or `7`.
impl std::str::FromStr for Difficulty {
    type Err = ParseDifficultyError;

    fn from_str(text: &str) -> Result<Difficulty, ParseDifficultyError> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(tenth) || tenth.len() != 1 {
            return Err(ParseDifficultyError);
        }
        let whole: u16 = whole.parse().map_err(|_| ParseDifficultyError)?;
        let tenths = whole.checked_mul(10).and_then(|tenths| tenths.checked_add(tenth.parse().ok()?));
        tenths.map(Difficulty).ok_or(ParseDifficultyError)
    }
}

/// The text is not a number with at most one decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a rating such as 7.1")]
pub struct ParseDifficultyError;

macro_rules! techniques {
    ($($variant:ident $name:literal $least:literal $doc:literal,)+) => {
        /// A technique. The order is that in which they are tried, which is nearly that of difficulty.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Technique {
            $(#[doc = $doc] $variant,)+
        }

        impl Technique {
            /// All techniques, in the order in which they are tried.
            pub const ALL: [Technique; [$($least),+].len()] = [$(Technique::$variant),+];

            /// The name, as in `hidden pair`.
            pub const fn name(self) -> &'static str {
                [$($name),+][self as usize]
            }

            /// The lowest rating of a step of this technique.
            pub const fn least(self) -> Difficulty {
                Difficulty([$($least),+][self as usize])
            }
        }
    };
}

techniques! {
    HiddenSingle "hidden single" 10 "A digit has one place in a house: 1.0 in a full house, 1.2 in a box, 1.5 in a line.",
    DirectLocked "direct locked candidates" 17 "Locked candidates that leave a hidden single: pointing 1.7, claiming 1.9.",
    DirectHiddenPair "direct hidden pair" 20 "A hidden pair that leaves a hidden single: 2.0.",
    NakedSingle "naked single" 23 "A cell has one candidate: 2.3.",
    DirectHiddenTriplet "direct hidden triplet" 25 "A hidden triplet that leaves a hidden single: 2.5.",
    Locked "locked candidates" 26 "The places of a digit in a house are in another one: pointing 2.6, claiming 2.8.",
    NakedPair "naked pair" 30 "Two cells of a house with two candidates: 3.0.",
    XWing "X-wing" 32 "A digit has two places each in two lines, in the same two lines across: 3.2.",
    HiddenPair "hidden pair" 34 "Two digits with two places in a house: 3.4.",
    NakedTriplet "naked triplet" 36 "Three cells of a house with three candidates: 3.6.",
    Swordfish "swordfish" 38 "The same as X-wing with three lines: 3.8.",
    HiddenTriplet "hidden triplet" 40 "Three digits with three places in a house: 4.0.",
    XyWing "XY-wing" 42 "A pivot with two candidates and two pincers: 4.2.",
    XyzWing "XYZ-wing" 44 "A pivot with three candidates and two pincers: 4.4.",
    UniqueLoop "unique loop" 45 "Unique rectangles and longer loops of two digits: 4.5 and more.",
    NakedQuad "naked quad" 50 "Four cells of a house with four candidates: 5.0.",
    Jellyfish "jellyfish" 52 "The same as X-wing with four lines: 5.2.",
    HiddenQuad "hidden quad" 54 "Four digits with four places in a house: 5.4.",
    Bug "bivalue universal grave" 56 "All cells but some have two candidates, all digits two places: 5.6 and more.",
    AlignedPair "aligned pair exclusion" 62 "Combinations of the candidates of two cells that other cells exclude: 6.2.",
    Forcing "forcing chain" 65 "Cycles and forcing chains: 6.5 and more.",
    AlignedTriplet "aligned triplet exclusion" 75 "Combinations of the candidates of three cells that other cells exclude: 7.5.",
    Nishio "Nishio" 75 "A digit that leads to a contradiction within its own places: 7.5 and more.",
    Multiple "multiple forcing chain" 80 "All candidates of a cell, or places in a house, lead to the same: 8.0 and more.",
    Dynamic "dynamic forcing chain" 85 "The same with links that appear as candidates disappear: 8.5 and more.",
    DynamicPlus "dynamic forcing chain plus" 90 "The same with locked candidates, pairs and X-wings in between: 9.0 and more.",
    Nested2 "nested forcing chain 2" 95 "The same with forcing chains in between: 9.5 and more.",
    Nested3 "nested forcing chain 3" 100 "The same with multiple forcing chains in between: 10.0 and more.",
    Nested4 "nested forcing chain 4" 105 "The same with dynamic forcing chains in between: 10.5 and more.",
    Nested5 "nested forcing chain 5" 110 "The same with nested forcing chains in between: 11.0 and more.",
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}", Technique::ALL.map(|technique| technique.name().replace(' ', "-")).join(", "))]
pub struct ParseTechniqueError;

/// Parses a name with spaces, hyphens or underscores between the words, in upper or lower case.
impl std::str::FromStr for Technique {
    type Err = ParseTechniqueError;

    fn from_str(text: &str) -> Result<Technique, ParseTechniqueError> {
        let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ");
        let is_named = |technique: &Technique| plain(technique.name()) == plain(text);
        Technique::ALL.into_iter().find(is_named).ok_or(ParseTechniqueError)
    }
}

/// A set of techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Techniques(u32);

impl Techniques {
    /// No technique.
    pub const NONE: Techniques = Techniques(0);
    /// All techniques: the scale.
    pub const ALL: Techniques = Techniques((1 << Technique::ALL.len()) - 1);
    /// Hidden and naked singles.
    pub const SINGLES: Techniques = Techniques::NONE.with(Technique::HiddenSingle).with(Technique::NakedSingle);
    /// The techniques that do not presuppose that there is one solution only.
    pub const WITHOUT_UNIQUENESS: Techniques = Techniques::ALL.without(Technique::UniqueLoop).without(Technique::Bug);

    /// The techniques up to this one, in the order in which they are tried.
    pub const fn up_to(last: Technique) -> Techniques {
        Techniques((2 << last as u32) - 1)
    }

    /// The set with this technique.
    pub const fn with(self, technique: Technique) -> Techniques {
        Techniques(self.0 | 1 << technique as u32)
    }

    /// The set without this technique.
    pub const fn without(self, technique: Technique) -> Techniques {
        Techniques(self.0 & !(1 << technique as u32))
    }

    /// Whether the technique is in the set.
    pub const fn contains(self, technique: Technique) -> bool {
        self.0 >> technique as u32 & 1 == 1
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::ALL
    }
}
