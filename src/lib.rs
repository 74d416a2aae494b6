//! The native core for recordings of AI agents.
#![warn(clippy::pedantic)]

pub mod error;
pub mod json;
pub mod limits;
