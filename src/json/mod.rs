//! JSON values: one arena for values from a frame and values from text, and the reader and number text for them.

pub mod keys;
pub mod number;
mod order;
pub mod pointer;
pub mod read;
pub mod scan;
pub mod tape;
pub mod value;
pub(crate) mod write;
