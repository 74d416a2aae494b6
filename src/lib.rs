//! The native core for recordings of AI agents.

pub mod digest;
pub mod error;
pub mod json;
pub mod limits;
pub mod redact;
pub mod text;
