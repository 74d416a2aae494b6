//! Records of runs: the event chain, the oracle stream, signatures, and the checks that tie them together.
//!
//! A record is `{ $schema, manifest, run, events }`. The signed truth is `events`; `run` and `manifest` are checked
//! against it. Functions here take a record, or its events, as a [`Document`].

mod canonical;
mod chain;
mod consistency;
mod document;
mod event;
mod file;
pub mod key;
mod oracle;
mod projection;
mod report;
mod seal;
mod signature;
mod texts;
mod value;
mod verify;
mod walk;

pub use chain::Hex;
pub use document::Document;
pub use file::{verify_file, verify_pieces};
pub use report::{Check, Failure, Json, Meta, Report};
pub use seal::{Progress, Seal, Sealed, Signer, seal};
pub use signature::{Algorithm, HmacKey, Keys, Signature};
pub use verify::{KNOWN_SCHEMAS, Processors, verify};
pub use walk::{cassette_digest, event_chain};
