//! Whether the unsigned summary of a record says what its events say.

use super::canonical::Form;
use super::event::Event;
use super::value::Value;
use crate::error::Error;
use crate::json::value::Kind;

/// What the events say, noted one by one.
#[derive(Debug)]
pub(super) struct Witness<'a> {
    /// The run that the manifest claims to be about.
    claimed: Option<Value<'a>>,
    is_confirmed: bool,
    /// The first `run_id` among the events that is truthy.
    pub(super) run_id: Option<Value<'a>>,
    end: Option<Event<'a>>,
}

/// A contradiction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// What it says, in WTF-8.
    pub(super) message: Vec<u8>,
    /// The pointer to the claim.
    pub(super) claim: String,
    /// The pointer to what the events say, the event itself if they say nothing.
    pub(super) evidence: String,
}

impl<'a> Witness<'a> {
    /// Before any event.
    pub(super) fn new(manifest: Value<'a>) -> Self {
        let claimed = manifest.get(b"run_id").filter(|run_id| run_id.is_truthy());
        Self { claimed, is_confirmed: false, run_id: None, end: None }
    }

    /// Notes an event.
    pub(super) fn note(&mut self, event: &Event<'a>) {
        if let Some(run_id) = event.run_id.filter(|run_id| run_id.is_truthy()) {
            self.run_id = self.run_id.or(Some(run_id));
            self.is_confirmed =
                self.is_confirmed || self.claimed.is_some_and(|claimed| claimed.is_same(run_id));
        }
        if self.end.is_none() && event.is_run_end() {
            self.end = Some(*event);
        }
    }

    /// What contradicts the events.
    pub(super) fn contradictions(&self, run: Option<Value>) -> Result<Vec<Contradiction>, Error> {
        let mut out = Vec::new();
        if let (Some(claimed), Some(run_id), false) = (self.claimed, self.run_id, self.is_confirmed) {
            out.push(Contradiction {
                message: message(
                    b"manifest.run_id (",
                    Some(claimed),
                    b") is not the run_id in the signed events",
                )?,
                claim: claimed.pointer(),
                evidence: run_id.pointer(),
            });
        }
        let (Some(end), Some(run)) = (self.end, run.filter(|run| run.is_truthy())) else { return Ok(out) };
        let evidence = |value: Option<Value>| value.unwrap_or(end.value).pointer();
        if let Some(status) = run.get(b"status")
            && !end.status.is_some_and(|sealed| status.is_same(sealed))
        {
            let mut text =
                message(b"run.status (", Some(status), b") contradicts the sealed run-end event (")?;
            text.extend(message(b"", end.status, b")")?);
            out.push(Contradiction {
                message: text,
                claim: status.pointer(),
                evidence: evidence(end.status),
            });
        }
        for (name, sealed) in [("output", end.output), ("error", end.error)] {
            if let Some(value) = run.get(name.as_bytes()) {
                let sealed_text =
                    sealed.map_or_else(|| Ok(b"null".to_vec()), |sealed| sealed.written(Form::Canonical));
                if value.written(Form::Canonical)? != sealed_text? {
                    out.push(Contradiction {
                        message: format!("run.{name} does not match the sealed run-end event").into_bytes(),
                        claim: value.pointer(),
                        evidence: evidence(sealed),
                    });
                }
            }
        }
        Ok(out)
    }
}

/// A value between two texts: a primitive as a JavaScript template prints it, a container as its canonical text.
fn message(before: &[u8], value: Option<Value>, after: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = before.to_vec();
    match value {
        Some(value) if matches!(value.kind(), Kind::Array | Kind::Object) => {
            out.extend(value.written(Form::Canonical)?);
        }
        Some(value) => value.print(&mut out)?,
        None => out.extend_from_slice(b"undefined"),
    }
    out.extend_from_slice(after);
    Ok(out)
}
