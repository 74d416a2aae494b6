//! What the checks of a record found, and its JSON text.

use super::canonical::Form;
use super::signature::{Algorithm, Signature};
use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::jcs;

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
    pub fn to_json(&self) -> Vec<u8> {
        let mut out = Object::default();
        out.bool("valid", self.is_valid());
        out.string("verdict", self.verdict().as_bytes());
        out.bool("integrity", self.integrity);
        out.raw("checks", &self.checks());
        let mut messages = Vec::new();
        for message in &self.contradictions {
            messages.push(if messages.is_empty() { b'[' } else { b',' });
            jcs::push_string(message, &mut messages);
        }
        out.raw("consistency_failures", &closed(messages));
        out.raw("meta", &self.meta.to_json());
        let mut failures = Vec::new();
        for failure in &self.failures {
            failures.push(if failures.is_empty() { b'[' } else { b',' });
            failures.extend(failure.to_json());
        }
        out.raw("failures", &closed(failures));
        out.finish()
    }

    fn checks(&self) -> Vec<u8> {
        let mut out = Object::default();
        for check in [Check::Schema, Check::Chain, Check::Digest, Check::Cassette, Check::Consistent] {
            out.bool(check.name(), self.passed(check));
        }
        out.string("signature", self.signature.name().as_bytes());
        match self.algorithm {
            Some(algorithm) => out.string("signature_alg", algorithm.name().as_bytes()),
            None => out.raw("signature_alg", b"null"),
        }
        out.finish()
    }
}

impl Meta {
    fn to_json(&self) -> Vec<u8> {
        let mut out = Object::default();
        out.raw("schema", &self.schema.0);
        out.json("run_id", self.run_id.as_ref());
        out.raw("event_count", self.event_count.to_string().as_bytes());
        out.json("generated_at", self.generated_at.as_ref());
        out.raw("spec_url", &self.spec_url.0);
        out.finish()
    }
}

impl Failure {
    fn to_json(&self) -> Vec<u8> {
        let mut out = Object::default();
        out.string("check", self.check.name().as_bytes());
        if let Some(index) = self.index {
            out.raw("index", index.to_string().as_bytes());
        }
        out.string("pointer", self.pointer.as_bytes());
        if let Some(evidence) = &self.evidence {
            out.string("evidence", evidence.as_bytes());
        }
        out.json("expected", self.expected.as_ref());
        out.json("actual", self.actual.as_ref());
        out.finish()
    }
}

pub(super) fn closed(mut array: Vec<u8>) -> Vec<u8> {
    if array.is_empty() {
        array.push(b'[');
    }
    array.push(b']');
    array
}

/// Text of an object with known names.
#[derive(Default)]
pub(super) struct Object(Vec<u8>);

impl Object {
    pub(super) fn raw(&mut self, name: &str, value: &[u8]) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        jcs::push_member_name(name.as_bytes(), &mut self.0);
        self.0.extend_from_slice(value);
    }

    pub(super) fn string(&mut self, name: &str, value: &[u8]) {
        self.raw(name, b"");
        jcs::push_string(value, &mut self.0);
    }

    pub(super) fn bool(&mut self, name: &str, value: bool) {
        self.raw(name, if value { b"true" } else { b"false" });
    }

    pub(super) fn json(&mut self, name: &str, value: Option<&Json>) {
        if let Some(value) = value {
            self.raw(name, &value.0);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        self.0
    }
}
