//! One event of a record, its members found in one walk.

use super::document::Document;
use super::value::Value;
use crate::json::value::NodeId;

/// An event. Members that are missing, or those of an event that is no object, are `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event<'a> {
    pub(super) value: Value<'a>,
    pub(super) hash: Option<Value<'a>>,
    pub(super) r#type: Option<Value<'a>>,
    pub(super) phase: Option<Value<'a>>,
    pub(super) run_id: Option<Value<'a>>,
    pub(super) status: Option<Value<'a>>,
    pub(super) model: Option<Value<'a>>,
    pub(super) request: Option<Value<'a>>,
    pub(super) response: Option<Value<'a>>,
    pub(super) tool_name: Option<Value<'a>>,
    pub(super) input: Option<Value<'a>>,
    pub(super) output: Option<Value<'a>>,
    pub(super) error: Option<Value<'a>>,
    pub(super) kind: Option<Value<'a>>,
    pub(super) key: Option<Value<'a>>,
    pub(super) key_projection: Option<Value<'a>>,
}

impl<'a> Event<'a> {
    /// The event at a node.
    pub(super) fn read(doc: &'a Document, id: NodeId) -> Self {
        let value = Value { doc, id };
        let mut event = Self {
            value,
            hash: None,
            r#type: None,
            phase: None,
            run_id: None,
            status: None,
            model: None,
            request: None,
            response: None,
            tool_name: None,
            input: None,
            output: None,
            error: None,
            kind: None,
            key: None,
            key_projection: None,
        };
        for (name, id) in value.members() {
            let member = match name {
                b"_hash" => &mut event.hash,
                b"type" => &mut event.r#type,
                b"phase" => &mut event.phase,
                b"run_id" => &mut event.run_id,
                b"status" => &mut event.status,
                b"model" => &mut event.model,
                b"request" => &mut event.request,
                b"response" => &mut event.response,
                b"tool_name" => &mut event.tool_name,
                b"input" => &mut event.input,
                b"output" => &mut event.output,
                b"error" => &mut event.error,
                b"kind" => &mut event.kind,
                b"key" => &mut event.key,
                b"key_projection" => &mut event.key_projection,
                _ => continue,
            };
            *member = Value::new(doc, id);
        }
        event
    }

    /// Whether this says how the run ended.
    pub(super) fn is_run_end(&self) -> bool {
        self.r#type.is_some_and(|value| value.is_text(b"run"))
            && self.phase.is_some_and(|value| value.is_text(b"end"))
    }
}
