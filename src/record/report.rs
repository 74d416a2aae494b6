//! What the checks of a record found, and its JSON text.

use super::canonical::Form;
use super::signature::{Algorithm, Signature};
use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::jcs;
use crate::json::write::Writer;

/// The result of verifying a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Whether all checks but the signature's passed.
    pub integrity: bool,
    /// What the signature proves.
    pub signature: Signature,
    /// How the record is signed, if it is.
    pub algorithm: Option<Algorithm>,
    /// Where each failed check failed.
    pub failures: Vec<Failure>,
    /// How the unsigned summary contradicts the events, in words (WTF-8).
    pub contradictions: Vec<Vec<u8>>,
    /// What the record says of itself.
    pub meta: Meta,
}

/// What a record says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// `$schema`, or `null`.
    pub schema: Json,
    /// The first truthy `run_id` of the events, else the manifest's.
    pub run_id: Option<Json>,
    /// The number of events.
    pub event_count: usize,
    /// The manifest's `generated_at`.
    pub generated_at: Option<Json>,
    /// The manifest's `spec_url`, or the default.
    pub spec_url: Json,
}

/// A value as the JSON text of which `JSON.parse` makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Vec<u8>);

impl Json {
    /// # Errors
    /// [`ErrorKind::Memory`]; what else has no text is `null`.
    pub(super) fn of(value: Value) -> Result<Self, Error> {
        match value.written(Form::Exact) {
            Err(error) if error.kind() != ErrorKind::Memory => Ok(Self::null()),
            written => written.map(Self),
        }
    }

    pub(super) fn text(text: &[u8]) -> Self {
        let mut out = Vec::new();
        jcs::push_string(text, &mut out);
        Self(out)
    }

    pub(super) fn null() -> Self {
        Self(b"null".to_vec())
    }
}

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// A known schema.
    Schema,
    /// The event chain.
    Chain,
    /// The content digest.
    Digest,
    /// The cassette digest.
    Cassette,
    /// The summary.
    Consistent,
    /// The signature.
    Signature,
}

impl Check {
    /// The check's name in a result.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Chain => "chain",
            Self::Digest => "digest",
            Self::Cassette => "cassette",
            Self::Consistent => "consistent",
            Self::Signature => "signature",
        }
    }
}

/// Where a check failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The check.
    pub check: Check,
    /// The event at which it failed.
    pub index: Option<usize>,
    /// JSON Pointer to the claim that does not hold.
    pub pointer: String,
    /// JSON Pointer to what contradicts it.
    pub evidence: Option<String>,
    /// The digest that would be right.
    pub expected: Option<Json>,
    /// What the record claims.
    pub actual: Option<Json>,
}

impl Failure {
    pub(super) fn new(check: Check, pointer: &str) -> Self {
        Self { check, index: None, pointer: pointer.to_owned(), evidence: None, expected: None, actual: None }
    }

    pub(super) fn event(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }

    pub(super) fn evidence(mut self, pointer: String) -> Self {
        self.evidence = Some(pointer);
        self
    }

    pub(super) fn expected(mut self, hash: &[u8]) -> Self {
        self.expected = Some(Json::text(hash));
        self
    }

    pub(super) fn actual(mut self, value: Option<Value>) -> Result<Self, Error> {
        self.actual = value.map(Json::of).transpose()?;
        Ok(self)
    }
}

impl Report {
    /// Whether the record is whole, and signed by a pinned key or with the HMAC key.
    pub fn is_valid(&self) -> bool {
        self.integrity && self.signature == Signature::Valid
    }

    /// `valid`, `unverified` or `invalid`.
    pub fn verdict(&self) -> &'static str {
        if !self.integrity || self.signature == Signature::Invalid {
            "invalid"
        } else if self.is_valid() {
            "valid"
        } else {
            "unverified"
        }
    }

    /// Whether a check passed. The signature's passes unless it is [`Signature::Invalid`].
    pub fn passed(&self, check: Check) -> bool {
        self.failures.iter().all(|failure| failure.check != check)
    }

    /// The result as JSON text.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`]
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        let mut out = Writer::default();
        out.object(|out| {
            out.name("valid").bool(self.is_valid());
            out.name("verdict").string(self.verdict().as_bytes());
            out.name("integrity").bool(self.integrity);
            out.name("checks").object(|out| self.write_checks(out));
            out.name("consistency_failures").strings(&self.contradictions);
            out.name("meta").object(|out| self.meta.write(out));
            out.name("failures").array(|out| {
                self.failures.iter().for_each(|failure| out.object(|out| failure.write(out)));
            });
        });
        out.finish()
    }

    fn write_checks(&self, out: &mut Writer) {
        for check in [Check::Schema, Check::Chain, Check::Digest, Check::Cassette, Check::Consistent] {
            out.name(check.name()).bool(self.passed(check));
        }
        out.name("signature").string(self.signature.name().as_bytes());
        match self.algorithm {
            Some(algorithm) => out.name("signature_alg").string(algorithm.name().as_bytes()),
            None => out.name("signature_alg").raw(b"null"),
        }
    }
}

impl Meta {
    fn write(&self, out: &mut Writer) {
        out.name("schema").raw(&self.schema.0);
        write_if_any(out, "run_id", self.run_id.as_ref());
        out.name("event_count").integer(self.event_count);
        write_if_any(out, "generated_at", self.generated_at.as_ref());
        out.name("spec_url").raw(&self.spec_url.0);
    }
}

impl Failure {
    fn write(&self, out: &mut Writer) {
        out.name("check").string(self.check.name().as_bytes());
        if let Some(index) = self.index {
            out.name("index").integer(index);
        }
        out.name("pointer").string(self.pointer.as_bytes());
        if let Some(evidence) = &self.evidence {
            out.name("evidence").string(evidence.as_bytes());
        }
        write_if_any(out, "expected", self.expected.as_ref());
        write_if_any(out, "actual", self.actual.as_ref());
    }
}

fn write_if_any(out: &mut Writer, name: &str, value: Option<&Json>) {
    if let Some(value) = value {
        out.name(name).raw(&value.0);
    }
}
