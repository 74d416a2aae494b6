//! Redaction: what looks like a secret or a personal datum is found and replaced by a token.
//!
//! A *matcher* finds one kind of thing and has a name; a *preset* is a list of matchers, each of which runs over what
//! the ones before it left. A *finding* is a place in a text and the matcher that found it. A *token* stands for an
//! original string, see [`Tokens`].
//!
//! Text is UTF-16, because lone surrogates must survive. Every matcher takes time linear in the text, whatever the
//! text.
//!
//! ```
//! use tapeproof::redact::{Matchers, Tokens, scrub};
//!
//! let text: Vec<u16> = "write to ada@example.com".encode_utf16().collect();
//! let mut tokens = Tokens::default();
//! let redacted = scrub(&text, Matchers::DEFAULT, &mut tokens)?.map(|text| String::from_utf16_lossy(&text));
//! assert_eq!(redacted.as_deref(), Some("write to [redacted:email:0]"));
//! # Ok::<(), tapeproof::error::Error>(())
//! ```

mod extended;
mod find;
mod luhn;
mod matchers;
mod prefilter;
mod preset;
mod scan;
mod tokens;

pub use find::{Finding, find, scrub};
pub use matchers::{Matcher, Matchers};
pub use tokens::Tokens;
