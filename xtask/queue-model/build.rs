//! Sets `cfg(loom)`, under which the queue holds fewer parts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
