//! Whether the unsigned summary of a record says what its events say.

use super::canonical::Form;
use super::document::Document;
use super::event::Event;
use super::report::Json;
use super::value::Value;
use crate::error::Error;
use crate::json::value::Kind;
use crate::memory;

/// What the events say, noted one by one. It holds nothing of their documents.
#[derive(Debug, Default)]
pub(super) struct Witness {
    /// Whether an event is of the run that the manifest claims to be about.
    is_confirmed: bool,
    /// The first `run_id` among the events that is truthy, and which event has it.
    pub(super) run_id: Option<(usize, Json)>,
    end: Option<End>,
}

/// The event that says how the run ended.
#[derive(Debug)]
struct End {
    index: usize,
    status: Option<Document>,
    /// In canonical text.
    output: Option<Vec<u8>>,
    error: Option<Vec<u8>>,
}

/// The run that a manifest claims to be about.
pub(super) fn claimed(manifest: Value) -> Option<Value> {
    manifest.get(b"run_id").filter(|run_id| run_id.is_truthy())
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

impl Witness {
    /// Notes an event, and whether it is of the run that is claimed.
    ///
    /// # Errors
    /// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
    pub(super) fn note(&mut self, index: usize, event: &Event, claimed: Option<Value>) -> Result<(), Error> {
        if let Some(run_id) = event.run_id.filter(|run_id| run_id.is_truthy()) {
            if self.run_id.is_none() {
                self.run_id = Some((index, Json::of(run_id)?));
            }
            if let Some(claimed) = claimed
                && !self.is_confirmed
            {
                self.is_confirmed = claimed.is_same(run_id)?;
            }
        }
        if self.end.is_none() && event.is_run_end() {
            let written = |value: Option<Value>, form| value.map(|value| value.written(form)).transpose();
            self.end = Some(End {
                index,
                status: written(event.status, Form::Exact)?.map(Document::from_wtf8).transpose()?,
                output: written(event.output, Form::Canonical)?,
                error: written(event.error, Form::Canonical)?,
            });
        }
        Ok(())
    }

    /// What contradicts the events.
    pub(super) fn contradictions(
        &self,
        manifest: Value,
        run: Option<Value>,
    ) -> Result<Vec<Contradiction>, Error> {
        let mut out = Vec::new();
        if let (Some(claimed), Some((index, _)), false) = (claimed(manifest), &self.run_id, self.is_confirmed)
        {
            let mut message = b"manifest.run_id (".to_vec();
            show(Some(claimed), &mut message)?;
            memory::append(&mut message, b") is not the run_id in the signed events")?;
            out.push(Contradiction {
                message,
                claim: claimed.pointer()?,
                evidence: format!("/events/{index}/run_id"),
            });
        }
        let (Some(end), Some(run)) = (&self.end, run.filter(|run| run.is_truthy())) else { return Ok(out) };
        let evidence = |name: &str, is_there: bool| {
            let member = if is_there { format!("/{name}") } else { String::new() };
            format!("/events/{}{member}", end.index)
        };
        let sealed = end.status.as_ref().and_then(|status| Value::new(status, 0));
        if let Some(status) = run.get(b"status")
            && !sealed.map_or(Ok(false), |sealed| status.is_same(sealed))?
        {
            let mut message = b"run.status (".to_vec();
            show(Some(status), &mut message)?;
            memory::append(&mut message, b") contradicts the sealed run-end event (")?;
            show(sealed, &mut message)?;
            memory::push(&mut message, b')')?;
            out.push(Contradiction {
                message,
                claim: status.pointer()?,
                evidence: evidence("status", sealed.is_some()),
            });
        }
        for (name, sealed) in [("output", &end.output), ("error", &end.error)] {
            if let Some(value) = run.get(name.as_bytes())
                && value.written(Form::Canonical)? != *sealed.as_deref().unwrap_or(b"null")
            {
                out.push(Contradiction {
                    message: format!("run.{name} does not match the sealed run-end event").into_bytes(),
                    claim: value.pointer()?,
                    evidence: evidence(name, sealed.is_some()),
                });
            }
        }
        Ok(out)
    }
}

/// Appends a primitive as a JavaScript template prints it, a container as its canonical text.
fn show(value: Option<Value>, out: &mut Vec<u8>) -> Result<(), Error> {
    match value {
        Some(value) if matches!(value.kind(), Kind::Array | Kind::Object) => {
            value.write(Form::Canonical, out)
        }
        Some(value) => value.print(out),
        None => memory::append(out, b"undefined"),
    }
}
