//! The native core for recordings of AI agents.

#[cfg(all(feature = "node", not(test)))]
mod binding;
pub mod digest;
pub mod error;
pub mod frame;
pub mod jcs;
pub mod json;
pub mod limits;
pub mod record;
pub mod redact;
pub mod request;
pub mod text;
