//! Sets `cfg(loom)`, for what differs in the queue.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=loom");
}
