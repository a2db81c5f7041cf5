//! The benchmark sets that `datasets/README.md` describes do not change.

use std::path::Path;
use std::process::Command;
use std::{fs, str};

/// The first records of each set, made by the commands of the whole sets. A change of `generate` that changes them
/// requires new checksums of all sets.
#[test]
fn the_first_records_of_each_set_are_those_published() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts");
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("bash")
        .arg(scripts.join("datasets/generate.sh"))
        .args(["-s", "-p", env!("CARGO_BIN_EXE_rapidoku"), "-d"])
        .arg(folder.path())
        .output()
        .unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| str::from_utf8(text).unwrap());
    assert!(output.status.success(), "{stdout}{stderr}");
    // Every set is compared.
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(stdout.contains(&format!("{name}: OK\n")), "{name}: {stdout}{stderr}");
    }
    assert_eq!(stdout.matches(": OK\n").count(), 6, "{stdout}{stderr}");
}
