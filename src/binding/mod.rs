//! The Node addon. Each export converts, calls the core and converts back; nothing is decided here.
#![expect(unsafe_code, reason = "this is where Node-API is called")]

mod error;
mod heap;
mod session;
mod tree;
mod value;
