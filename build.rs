//! Link settings of the Node addon; nothing to do for the pure core.

fn main() {
    #[cfg(feature = "node")]
    napi_build::setup();
}
