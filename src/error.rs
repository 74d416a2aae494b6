//! The one error type of the crate.
//!
//! A verdict on a record is data; only misuse and unreadable input are errors. A message says where, what kind
//! and which digest. It never echoes an input value.

use std::{fmt, io};

/// What went wrong, and where in the value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    kind: ErrorKind,
    pointer: Option<String>,
    offset: Option<usize>,
    reason: Option<&'static str>,
}

/// The class of JavaScript exception that stands for an error at the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `Error`
    Error,
    /// `TypeError`
    Type,
    /// `RangeError`
    Range,
    /// `SyntaxError`
    Syntax,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident => $code:literal, $class:ident, $text:literal;)*) => {
        /// The kinds of error, each with its stable code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[$doc])* $name,)* }

        impl ErrorKind {
            /// Every kind there is; codes are only ever added.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable code, `ERR_TAPEPROOF_*`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => concat!("ERR_TAPEPROOF_", $code),)* }
            }

            /// The class of JavaScript exception.
            pub const fn class(self) -> Class {
                match self { $(Self::$name => Class::$class,)* }
            }

            const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    /// A request that is `null` or `undefined`.
    Request => "REQUEST", Type, "expected a request, found null or undefined";
    /// `tool_schemas` that cannot be iterated.
    ToolSchemas => "TOOL_SCHEMAS", Type, "expected an iterable of tool schemas";
    /// Something other than a string where text is normalized or parsed.
    Text => "TEXT", Type, "expected a string";
    /// A `BigInt` has no canonical text.
    BigInt => "BIGINT", Type, "a BigInt has no canonical text";
    /// NaN has no canonical text.
    NaN => "NAN", Error, "NaN is not allowed";
    /// Infinity has no canonical text.
    Infinity => "INFINITY", Error, "Infinity is not allowed";
    /// `undefined`, a function or a symbol as a whole state.
    NotJson => "NOT_JSON", Error, "stateHash: value is not JSON";
    /// Nesting beyond [`MAX_DEPTH`](crate::limits::MAX_DEPTH), or a cycle.
    Depth => "DEPTH", Range, "the value is cyclic or nested too deeply";
    /// A length that cannot be allocated.
    Memory => "MEMORY", Range, "the value does not fit in memory";
    /// Text that is not JSON.
    Syntax => "SYNTAX", Syntax, "not JSON";
    /// Bytes that are not UTF-8.
    Utf8 => "UTF8", Syntax, "not UTF-8";
    /// Tool schemas that only JavaScript's own sort can put in order.
    ToolOrder => "TOOL_ORDER", Error, "tool schemas without string names need JavaScript's sort";
    /// No build of the addon for this platform. Only JavaScript meets it.
    Addon => "ADDON", Error, "no addon for this platform";
    /// A bug in tapeproof. The call failed, the process goes on.
    Panic => "PANIC", Error, "a bug in tapeproof, please report it";
    /// A frame that this version did not write.
    Frame => "FRAME", Error, "malformed frame";
    /// A value without a manifest or an array of events.
    Record => "RECORD", Type, "expected a record, found no manifest or no array of events";
    /// `null` or `undefined` where an event is.
    Event => "EVENT", Type, "expected an event, found null or undefined";
    /// `key_projection` whose `keep` or `drop` is no list of strings.
    Projection => "PROJECTION", Type, "expected a list of strings";
    /// An object whose conversion to a string throws in JavaScript.
    Conversion => "CONVERSION", Type, "the object cannot be converted to a string";
    /// A pinned or revoked key that is no Ed25519 `PUBLIC KEY` PEM.
    PublicKey => "PUBLIC_KEY", Type, "expected one Ed25519 PUBLIC KEY PEM";
    /// A key to seal with that is no Ed25519 `PRIVATE KEY` PEM.
    PrivateKey => "PRIVATE_KEY", Type, "expected one Ed25519 PRIVATE KEY PEM (PKCS#8)";
    /// An HMAC key that is neither text nor bytes.
    SigningKey => "SIGNING_KEY", Type, "expected text or bytes as HMAC key";
    /// A value that JSON text would change or lose.
    Seal => "SEAL", Type, "expected JSON values only";
    /// A configuration that is no object.
    Config => "CONFIG", Type, "expected an object";
    /// A name that is no preset and no matcher, or the default preset beside others of its names.
    Preset => "PRESET", Type, "expected names of presets or matchers, 'default' not beside others of its names";
    /// `fields` that cannot be iterated.
    Fields => "FIELDS", Type, "expected an iterable of field names";
    /// Something other than an array of RegExp-like objects.
    Custom => "CUSTOM", Type, "expected an array of regular expressions";
    /// A run or a cassette whose hashes were made by other rules. Only JavaScript meets it.
    HashVersion => "HASH_VERSION", Error, "recorded under another hash version";
    /// A file of a recording that does not hold what the recorder writes. Only JavaScript meets it.
    Recording => "RECORDING", Error, "not what the recorder writes of one run";
    /// A run id or a ref that cannot be a part of a path. Only JavaScript meets it.
    Name => "NAME", Type, "expected letters, digits, - . _ as the name of a run or a cassette";
    /// A run that is not there. Only JavaScript meets it.
    Run => "RUN", Error, "expected a recorded run, found none of this id";
    /// A run that is no complete account of what happened. Only JavaScript meets it.
    Partial => "PARTIAL", Error, "expected a complete recording, found a partial one";
    /// A step without a cassette that is its own. Only JavaScript meets it.
    Cassette => "CASSETTE", Error, "expected the cassette of this step, found none or another";
    /// A server that did not take what it was sent. Only JavaScript meets it.
    Ingest => "INGEST", Error, "the server did not take the writes";
    /// A file that cannot be read.
    File => "FILE", Error, "the file cannot be read";
    /// A file that was changed while it was read.
    Changed => "CHANGED", Error, "the file changed while it was read";
}

impl Error {
    /// An error whose place is not known yet.
    #[cold]
    pub const fn new(kind: ErrorKind) -> Self {
        Self { kind, pointer: None, offset: None, reason: None }
    }

    /// The same error, at a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// The same error, at an offset into the input text, in bytes.
    #[must_use]
    pub const fn at_offset(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    /// The same error, with the reason that the system gives, as `ENOENT`.
    #[must_use]
    pub const fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// The same error, in the whole of which the text was a part: after so many bytes, at this pointer. Without memory
    /// for that, [`ErrorKind::Memory`].
    #[must_use]
    pub fn within(mut self, bytes: usize, pointer: &str) -> Self {
        self.offset = self.offset.map(|offset| bytes + offset);
        if let Some(inner) = &mut self.pointer {
            if inner.try_reserve(pointer.len()).is_err() {
                return Self::new(ErrorKind::Memory);
            }
            inner.insert_str(0, pointer);
        }
        self
    }

    /// What went wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The stable code, `ERR_TAPEPROOF_*`.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// JSON Pointer to the offending value, where there is one.
    pub fn pointer(&self) -> Option<&str> {
        self.pointer.as_deref()
    }

    /// The reason that the system gives, where there is one.
    pub const fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// Byte offset into the input text, where there is one.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Self {
        Self::new(ErrorKind::File).because(match cause.kind() {
            io::ErrorKind::NotFound => "ENOENT",
            io::ErrorKind::NotADirectory => "ENOTDIR",
            io::ErrorKind::IsADirectory => "EISDIR",
            io::ErrorKind::PermissionDenied => "EACCES",
            io::ErrorKind::InvalidFilename => "ENAMETOOLONG",
            io::ErrorKind::OutOfMemory => "ENOMEM",
            io::ErrorKind::InvalidInput => "EINVAL",
            _ => "EIO",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.text())?;
        match (&self.pointer, self.offset) {
            (Some(pointer), _) if !pointer.is_empty() => write!(f, " (at {pointer})"),
            (_, Some(offset)) => write!(f, " (at byte {offset})"),
            _ if self.reason.is_some() => write!(f, " ({})", self.reason.unwrap_or_default()),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
