//! The public API is the one in `docs/public-api.txt`.
//!
//! After an intended change write the listing anew, and look at the difference:
//!
//! ```sh
//! UPDATE_PUBLIC_API=1 cargo test -p public-api-list -- --include-ignored
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The crates whose items users see, by way of `rapidoku`.
const CRATES: [&str; 5] = ["rapidoku", "rapidoku-engine", "rapidoku-file", "rapidoku-generate", "rapidoku-rating"];

/// Runs rustdoc for its JSON output, which is unstable, so that `RUSTC_BOOTSTRAP` is needed with a stable toolchain.
fn rustdoc_json(root: &Path, name: &str) -> PathBuf {
    let target = root.join("target/public-api");
    let status = Command::new(env!("CARGO"))
        .args(["rustdoc", "--locked", "--quiet", "--lib", "--package", name, "--all-features", "--target-dir"])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .status()
        .expect("cargo starts");
    assert!(status.success(), "rustdoc failed");
    target.join("doc").join(name.replace('-', "_")).with_extension("json")
}

/// The items of a crate, a line each.
fn list(root: &Path, name: &str) -> String {
    let api = public_api::Builder::from_rustdoc_json(rustdoc_json(root, name))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the JSON output is of a known format");
    api.to_string()
}

#[test]
#[ignore = "needs a toolchain with the JSON format that public-api reads; the gate runs it"]
fn the_public_api_is_the_listed_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let actual = CRATES.map(|name| list(&root, name)).concat();
    assert!(actual.lines().count() > 100, "the listing is nearly empty");
    let path = root.join("docs/public-api.txt");
    if env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &actual).expect("the listing can be written");
        return;
    }
    let listed = fs::read_to_string(&path).expect("the listing can be read");
    let only_in = |a: &str, b: &str, mark: &str| -> String {
        let lines = a.lines().filter(|line| !b.lines().any(|other| other == *line));
        lines.map(|line| format!("{mark} {line}\n")).collect()
    };
    let difference = only_in(&listed, &actual, "-") + &only_in(&actual, &listed, "+");
    assert!(difference.is_empty(), "the public API is not the listed one:\n{difference}");
}
