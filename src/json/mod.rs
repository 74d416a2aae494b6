//! JSON values: one arena for values from a frame and values from text, and the reader and number text for them.

pub mod keys;
pub mod number;
pub mod pointer;
pub mod value;
