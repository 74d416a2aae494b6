//! The native core for recordings of AI agents.
//!
//! A replay tool has one question about every call: was this call recorded? The core answers with a hash of what the
//! call asks for, blind to what differs from run to run. Beside that it finds what should not be stored
//! ([`mod@redact`]), and seals and verifies records ([`mod@record`]).
//!
//! It is the Rust side of the npm package `tapeproof`, and stands alone without the cargo feature `node`.
//!
//! # Terms
//!
//! - **request**: a call of a model or a tool, or a reading of a clock or random source.
//! - **canonical form**: the parts of a request that are its identity, normalized. Two requests are the same call
//!   when their canonical forms are equal.
//! - **canonical text**: a value as RFC 8785 (JCS) writes it.
//! - **ordinal**: `call_0`, `call_1`, …, what stands for an id: its place among the ids of a request.
//! - **fence**: text between two runs of three backticks, where white space counts.
//! - **matcher**, **token**: what finds one kind of secret, and what stands for the secret then.
//! - **record**, **event**, **chain**: the sealed account of a run, its entries, and the hashes that tie them together.
//! - **frame**: a JavaScript value as it crosses the boundary, see [`mod@frame`].
//! - **document**: a value in memory, from a frame or from JSON text, see [`json::value::Doc`].
//!
//! # Example
//!
//! ```
//! use tapeproof::digest::hex;
//! use tapeproof::error::Error;
//! use tapeproof::json::read::read;
//! use tapeproof::json::value::Doc;
//! use tapeproof::request::{Canonicalizer, NoStrings, ToolOrder};
//!
//! let text = br#"{
//!     "kind": "model", "provider": "anthropic", "model_id": "claude-sonnet-5",
//!     "messages": [{ "role": "user", "content": "summarise   this", "id": "msg_1" }],
//!     "request_id": "req_1"
//! }"#;
//! let mut doc = Doc::default();
//! let mut canonicalizer = Canonicalizer::default();
//!
//! read(text, &mut doc)?;
//! let canonical = canonicalizer.request_text(&mut doc, ToolOrder::ByName, &mut NoStrings)?;
//! assert_eq!(
//!     String::from_utf8_lossy(&canonical),
//!     concat!(
//!         r#"{"kind":"model","messages":[{"content":"summarise this","id":"call_0","role":"user"}],"#,
//!         r#""model_id":"claude-sonnet-5","provider":"anthropic"}"#,
//!     ),
//! );
//!
//! read(text, &mut doc)?;
//! let digest = canonicalizer.req_hash(&mut doc, ToolOrder::ByName, &mut NoStrings)?;
//! assert_eq!(&hex(&digest), b"fe0f8877258761fed20953d643fa674e091f4d966e62d949de54b9ac647fd57e");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Guarantees
//!
//! - Under one [`HASH_VERSION`](digest::HASH_VERSION), the same request gives the same bytes on every platform, thread
//!   and kernel. Unicode normalization follows the running V8, or [`text::nfc::UNICODE_VERSION`] where there is none;
//!   versions differ only in characters that are new.
//! - JSON text is read exactly as `JSON.parse` reads it: the same texts, values and order of entries.
//! - No text and no frame makes the core panic, overflow the stack or read out of bounds. Nesting beyond
//!   [`MAX_DEPTH`](limits::MAX_DEPTH) is an error.
//! - Errors have a stable [code](error::Error::code) and a place. Their text holds no input value.
//!
//! # Non-goals
//!
//! - No framework's objects: a message is `{ role, content }` by the time it comes here.
//! - No general JSON library: a document holds what the hashes need, and is used up by them.
//! - No hash function of one's own choice: the digest is SHA-256.

#[cfg(all(feature = "node", not(test)))]
mod binding;
pub mod digest;
pub mod error;
pub mod frame;
pub mod jcs;
pub mod json;
pub mod limits;
mod memory;
pub mod record;
pub mod redact;
pub mod request;
pub mod text;
