//! `-V`, `--version`, and pages that do not depend on the machine.

use std::process::Command;

use rapidoku::SimdLevel;

use crate::support::{call, root};

#[test]
fn versions_short_and_long() {
    let [short, long] = ["-V", "--version"].map(|option| call(option, b"").stdout().to_owned());
    assert_eq!(short, format!("rapidoku {}\n", env!("CARGO_PKG_VERSION")));
    assert!(long.starts_with(&short));
    let value = |name: &str| long.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap();
    let compiled: Vec<&str> = value("SIMD levels in this program").split(", ").collect();
    let available: Vec<&str> = value("SIMD levels of this machine").split(", ").collect();
    let expected: Vec<&str> = SimdLevel::available().iter().map(|level| level.name()).collect();
    assert_eq!(available, expected);
    assert!(available.iter().all(|level| compiled.contains(level)), "{long}");
    assert_eq!(compiled.len(), if cfg!(target_arch = "x86_64") { 3 } else { 1 }, "{long}");
    assert!(value("target").contains(std::env::consts::ARCH) || cfg!(not(target_arch = "x86_64")), "{long}");
    // The revision is the one that is checked out.
    let root = root();
    let expected = match std::env::var("RAPIDOKU_REVISION") {
        Ok(revision) => revision,
        Err(_) if root.join(".git").exists() => {
            let mut git = Command::new("git");
            let output = git.args(["rev-parse", "--short=12", "HEAD"]).current_dir(root).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        }
        Err(_) => "unknown".to_owned(),
    };
    assert_eq!(value("revision"), expected);
}
