//! Bounds that hold for every input and on every thread.

/// The deepest nesting that is read: a scalar has depth 0, `[]` depth 1, `[[]]` depth 2. One more is an error.
///
/// Fixed, so that the same value is accepted or refused alike on the main thread, in a worker and by every
/// implementation.
pub const MAX_DEPTH: usize = 2048;
