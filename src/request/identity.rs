//! `canonical(req)`: which fields of a request are its identity.

use super::keys::Keys;
use super::write::{Form, Writer};
use super::{Failure, Strings};
use crate::error::{Error, ErrorKind};
use crate::json::value::{Doc, Kind, NodeId, Text};
use crate::memory;
use crate::text::wtf8;

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// A field of a request that counts, in the order in which `canonical` gives them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Field { $($(#[$doc])* $field,)* }

        impl Field {
            /// All of them, in that order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$field),*];

            /// The property's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$field => $name,)* }
            }
        }
    };
}

fields! {
    /// Model call, tool call, or a counter of another kind.
    Kind = "kind",
    /// The tool's name, of a tool call.
    ToolName = "tool_name",
    /// The tool's arguments.
    Args = "args",
    /// The counter of any other kind.
    Counter = "counter",
    /// Who serves the model.
    Provider = "provider",
    /// The model.
    ModelId = "model_id",
    /// The conversation.
    Messages = "messages",
    /// Digest of the system prompt.
    SystemPromptSha = "system_prompt_sha",
    /// The tools on offer.
    ToolSchemas = "tool_schemas",
    /// The form the answer shall have.
    ResponseFormat = "response_format",
    /// Sampling parameter.
    Temperature = "temperature",
    /// Sampling parameter.
    TopP = "top_p",
    /// Sampling parameter.
    TopK = "top_k",
    /// Sampling parameter.
    Seed = "seed",
    /// Sampling parameter.
    MaxTokens = "max_tokens",
    /// Which tool may or must be called.
    ToolChoice = "tool_choice",
}

/// In the order of UTF-16 units, as canonical text has them.
const TOOL_SORTED: [Field; 3] = [Field::Args, Field::Kind, Field::ToolName];
const OTHER_SORTED: [Field; 2] = [Field::Counter, Field::Kind];
const MODEL_SORTED: [Field; 13] = [
    Field::Kind,
    Field::MaxTokens,
    Field::Messages,
    Field::ModelId,
    Field::Provider,
    Field::ResponseFormat,
    Field::Seed,
    Field::SystemPromptSha,
    Field::Temperature,
    Field::ToolChoice,
    Field::ToolSchemas,
    Field::TopK,
    Field::TopP,
];

impl Field {
    /// How the field's value is written.
    pub const fn form(self) -> Form {
        match self {
            Self::Kind
            | Self::ToolName
            | Self::Counter
            | Self::Provider
            | Self::ModelId
            | Self::SystemPromptSha => Form::Raw,
            _ => Form::Normalized,
        }
    }

    /// Whether `null` is the same as nothing.
    const fn omits_null(self) -> bool {
        matches!(
            self,
            Self::ResponseFormat
                | Self::Temperature
                | Self::TopP
                | Self::TopK
                | Self::Seed
                | Self::MaxTokens
                | Self::ToolChoice
        )
    }

    /// Whether `canonical` has the property even when it is `undefined`.
    const fn is_always_there(self) -> bool {
        !self.omits_null() && !matches!(self, Self::SystemPromptSha | Self::ToolSchemas)
    }
}

/// Who puts the tool schemas in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolOrder {
    /// They are in order.
    AsGiven,
    /// They are sorted by name here.
    ByName,
}

/// The fields of one request that count.
#[derive(Debug)]
pub struct Identity {
    fields: &'static [Field],
    nodes: [Option<NodeId>; Field::ALL.len()],
    /// The elements of `tool_schemas` in order.
    tools: Vec<NodeId>,
}

impl Identity {
    /// Finds the fields of the request that `doc` holds.
    pub(crate) fn of(doc: &Doc, keys: &Keys, order: ToolOrder) -> Result<Self, Failure> {
        let mut found = [None; Field::ALL.len()];
        match doc.node(0).kind {
            Kind::Null | Kind::Undefined => return Err((ErrorKind::Request.into(), 0)),
            Kind::Object => {
                for id in doc.children(0) {
                    if let Some(field) = keys.field(doc, doc.node(id).key) {
                        found[field as usize] = Some(id);
                    }
                }
            }
            // Any other value has no such property.
            _ => {}
        }
        let fields = match found[Field::Kind as usize].map(|id| doc.node(id).kind) {
            Some(Kind::String(kind)) if is(doc, kind, "model") => &MODEL_SORTED[..],
            Some(Kind::String(kind)) if is(doc, kind, "tool") => &TOOL_SORTED,
            _ => &OTHER_SORTED,
        };
        let mut nodes = [None; Field::ALL.len()];
        for &field in fields {
            nodes[field as usize] = found[field as usize].filter(|&id| counts(field, doc.node(id).kind));
        }
        let tools = match nodes[Field::ToolSchemas as usize] {
            Some(schemas) => tools(doc, keys, schemas, order).map_err(|error| (error, schemas))?,
            None => Vec::new(),
        };
        Ok(Self { fields, nodes, tools })
    }

    fn node(&self, field: Field) -> Option<NodeId> {
        self.nodes[field as usize]
    }

    /// The properties of the canonical object in their order, each with its value unless that is `undefined`.
    pub fn properties(&self) -> impl Iterator<Item = (Field, Option<NodeId>)> {
        Field::ALL.into_iter().map(|field| (field, self.node(field))).filter(|&(field, node)| {
            node.is_some() || self.fields.contains(&field) && field.is_always_there()
        })
    }

    /// The elements of `tool_schemas` in order.
    pub fn tools(&self) -> &[NodeId] {
        &self.tools
    }

    /// The values that are normalized, in the order in which their ids take ordinals.
    pub(crate) fn normalized(&self) -> impl Iterator<Item = NodeId> {
        const ALL: &[Field] = &Field::ALL;
        let (before, after) = ALL.split_at(Field::ToolSchemas as usize);
        let nodes = |fields: &'static [Field]| {
            let normalized = fields.iter().filter(|field| field.form() == Form::Normalized);
            normalized.filter_map(|&field| self.node(field))
        };
        nodes(before).chain(self.tools.iter().copied()).chain(nodes(&after[1..]))
    }

    /// Writes the canonical text.
    pub(crate) fn write<S: Strings>(&self, writer: &mut Writer<'_, S>) -> Result<(), Failure> {
        let mut first = true;
        writer.out.push(b"{");
        for &field in self.fields {
            let Some(node) = self.node(field) else { continue };
            if matches!(writer.doc.node(node).kind, Kind::Symbol(_)) {
                continue;
            }
            writer.out.push(writer.keys.table().member_name(field as u16, first));
            first = false;
            if field == Field::ToolSchemas {
                writer.array(&self.tools)?;
            } else {
                writer.value(node, field.form())?;
            }
        }
        writer.out.push(b"}");
        Ok(())
    }
}

/// Whether a string is this ASCII text.
fn is(doc: &Doc, text: Text, ascii: &str) -> bool {
    match text {
        Text::Bytes { start, len } => doc.text(start, len) == ascii.as_bytes(),
        Text::Units { start, len } => ascii.encode_utf16().eq(doc.units(start, len).iter().copied()),
        Text::External { .. } => false,
    }
}

/// Whether a value under this field says anything.
const fn counts(field: Field, kind: Kind) -> bool {
    match kind {
        Kind::Undefined => false,
        Kind::Null => !field.omits_null(),
        _ => true,
    }
}

/// The elements of `tool_schemas` in the order of their names.
fn tools(doc: &Doc, keys: &Keys, schemas: NodeId, order: ToolOrder) -> Result<Vec<NodeId>, Error> {
    match (doc.node(schemas).kind, order) {
        (Kind::Array, ToolOrder::AsGiven) => memory::collect(doc.children(schemas).map(Ok)),
        (Kind::Array, ToolOrder::ByName) => {
            let named =
                |id| name(doc, keys, id).map(|name| (name, id)).ok_or_else(|| ErrorKind::ToolOrder.into());
            let mut named = memory::collect(doc.children(schemas).map(named))?;
            // Of one name, as they stand: ids ascend. A stable sort would need memory.
            named.sort_unstable_by(|(a, one), (b, other)| wtf8::compare(a, b).then(one.cmp(other)));
            memory::collect(named.into_iter().map(|(_, id)| Ok(id)))
        }
        // A string is iterable: its characters are the elements, and JavaScript sorts them.
        (Kind::String(_), _) => Err(ErrorKind::ToolOrder.into()),
        _ => Err(ErrorKind::ToolSchemas.into()),
    }
}

/// The string under an object's `name`.
fn name<'a>(doc: &'a Doc, keys: &Keys, tool: NodeId) -> Option<&'a [u8]> {
    if doc.node(tool).kind != Kind::Object {
        return None;
    }
    let name = doc.children(tool).find(|&id| keys.text(doc, doc.node(id).key) == b"name")?;
    match doc.node(name).kind {
        Kind::String(Text::Bytes { start, len }) => Some(doc.text(start, len)),
        _ => None,
    }
}
