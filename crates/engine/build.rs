//! Sets `cfg(unoptimised)` in builds with `opt-level = 0`. See `src/lanes/codegen.rs`.
//!
//! `cfg(debug_assertions)` is not the same: tests of this package have these with optimisation.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
}
