//! Finds the revision for `rapidoku --version`, the compiler for reports of `rapidoku bench`, and the datasets that are
//! part of the program.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=RAPIDOKU_TARGET={}", env::var("TARGET").expect("cargo sets it"));
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));

    // In the repository, `cli/datasets` has symbolic links, which some checkouts on Windows replace by text files. In a
    // package, it has the files.
    let in_repository = package.join("../datasets");
    let datasets = if in_repository.is_dir() { in_repository } else { package.join("datasets") };
    println!("cargo::rustc-env=RAPIDOKU_BUILT_IN_DATASETS={}", datasets.display());

    println!("cargo::rerun-if-env-changed=RAPIDOKU_REVISION");
    let revision = match env::var("RAPIDOKU_REVISION") {
        Ok(revision) => Some(revision),
        Err(_) => packaged_revision(&package).or_else(|| checked_out_revision(&package)),
    };
    // An empty value means that the revision is unknown.
    let revision: String = revision.unwrap_or_default().trim().chars().take(40).collect();
    println!("cargo::rustc-env=RAPIDOKU_REVISION={revision}");
    println!("cargo::rustc-env=RAPIDOKU_COMPILER={}", compiler().unwrap_or_default());
}

/// The version of the compiler, or `None` if it does not tell.
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("-V").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| version.trim().to_owned())
}

/// The revision that `cargo package` has recorded.
fn packaged_revision(package: &Path) -> Option<String> {
    let text = fs::read_to_string(package.join(".cargo_vcs_info.json")).ok()?;
    let value = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
    Some(value.chars().take(12).collect())
}

/// The revision of the repository of this project. A package that was unpacked inside another repository has none.
fn checked_out_revision(package: &Path) -> Option<String> {
    let root = package.parent()?;
    if !root.join(".git").exists() {
        return None;
    }
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(root).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
    };
    // `HEAD` changes when another branch is checked out, its log with every commit. A missing file would rerun this
    // script in every build.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            let path = root.join(path.trim());
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
