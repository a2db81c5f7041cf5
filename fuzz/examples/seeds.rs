//! Packs and unpacks the inputs of a target; used by scripts/checks/fuzz.sh.
//!
//!     seeds unpack FILE FOLDER    writes each input of FILE to a file in FOLDER
//!     seeds pack FOLDER FILE      writes the files of FOLDER to FILE
//!     seeds replay TARGET FILE..  runs a target on files, for example on a crash that the fuzzer found

use std::fs;
use std::path::Path;

use rapidoku_fuzz::{TARGETS, seeds};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["unpack", file, folder] => {
            fs::create_dir_all(folder).unwrap();
            for (n, input) in seeds::unpack(&fs::read_to_string(file).unwrap()).iter().enumerate() {
                fs::write(Path::new(folder).join(format!("seed-{n:04}")), input).unwrap();
            }
        }
        ["pack", folder, file] => {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut inputs: Vec<_> = entries.map(|path| fs::read(path).unwrap()).collect();
            inputs.sort();
            inputs.dedup();
            fs::write(file, seeds::pack(&inputs)).unwrap();
            println!("{file}: {} inputs, {} bytes", inputs.len(), fs::metadata(file).unwrap().len());
        }
        ["replay", name, files @ ..] => {
            let (_, target) = TARGETS.iter().find(|(other, _)| other == name).expect("there is such a target");
            files.iter().for_each(|file| target(&fs::read(file).unwrap()));
        }
        _ => panic!("usage: seeds unpack FILE FOLDER | pack FOLDER FILE | replay TARGET FILE.."),
    }
}
