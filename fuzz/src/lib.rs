//! The fuzz targets as functions, so that the inputs in `seeds/` are also tests of any toolchain
//! (`cargo test -p rapidoku-cli --test seeds`).
//!
//! Each target compares the library with an oracle that shares no code with it: the rules of the game in [`oracle`],
//! the slow reader in [`page`], or the data from which the target made its input.

pub mod bytes;
pub mod oracle;
#[path = "../../tests/it/page.rs"]
pub mod page;
pub mod reading;
pub mod seeds;
mod targets;

pub use targets::*;

/// A target: its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 6] =
    [("api", api), ("arrays", arrays), ("check", check), ("levels", levels), ("packed", packed), ("text", text)];

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// These are tests of another package too.
    const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds");

    /// All inputs of a target.
    fn replay(name: &str) {
        let (_, target) = super::TARGETS.iter().find(|(other, _)| *other == name).unwrap();
        let file = Path::new(SEEDS).join(format!("{name}.txt"));
        let inputs = super::seeds::unpack(&std::fs::read_to_string(file).unwrap());
        assert!(inputs.len() > 10);
        inputs.iter().for_each(|input| target(input));
        println!("{name}: {} inputs", inputs.len());
    }

    macro_rules! replay {
        ($($name:ident)*) => { $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )* };
    }
    replay!(api arrays check levels packed text);

    #[test]
    fn every_target_has_seeds() {
        let entries = std::fs::read_dir(SEEDS).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        assert_eq!(files, super::TARGETS.map(|(name, _)| format!("{name}.txt")));
    }

    #[test]
    fn packed_seeds_are_unpacked() {
        let all: Vec<u8> = (0..=255).collect();
        let inputs = [&b""[..], b"\\", b"\n\r\t\"'", &all].map(<[u8]>::to_vec).to_vec();
        assert_eq!(super::seeds::unpack(&super::seeds::pack(&inputs)), inputs);
    }
}
