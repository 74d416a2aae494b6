//! T(text) of the hashing specification: how a string is normalized before it is hashed.
//!
//! Text is UTF-16 here, as JavaScript has it: lengths are code units, and a lone surrogate is a value like any other.

mod media;
pub mod nfc;
mod nfc_table;
mod normalize;
mod scan;
mod sink;
pub mod white_space;
pub mod wtf8;

pub use media::{MediaDigest, media_digest};
pub use normalize::{Nfc, NotInert, is_plain, normalize, plain_bytes};
pub(crate) use scan::narrow;
pub use scan::{BLOCK, Block};
pub use sink::{Plain, Sink};
