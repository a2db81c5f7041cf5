//! Sets `cfg(loom)`, under which the queue holds fewer parts and leaves out its own tests.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
