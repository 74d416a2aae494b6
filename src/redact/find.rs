//! Runs matchers over a text.

use super::matchers::{Matcher, Matchers};
use super::prefilter;
use super::scan::{Span, Spans};
use super::tokens::Tokens;
use crate::error::Error;
use crate::memory;

/// A place in a text, and what was found there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What found it.
    pub matcher: Matcher,
    /// Its first code unit.
    pub start: usize,
    /// The code unit after its last.
    pub end: usize,
}

/// What stands in a found place for the matchers after.
///
/// Invariant: no matcher takes a bracket, and all see the same in one as in a token's first and last character. Nor
/// does any find something inside a token, since its name holds nothing of interest and its number is shut in between
/// a colon and a bracket. So a matcher finds the same here as it would in the text with tokens, and positions stay.
const FOUND: u16 = b'[' as u16;

/// Adds to `findings` all that the matchers find, in the order in which tokens are given out: matcher by matcher, each
/// over the previous one's output, and from left to right.
///
/// A NUL ends a text for every matcher, so that short texts may be looked at together, joined by it.
///
/// Findings do not overlap. A text without any costs one pass and no allocation.
///
/// # Errors
/// [`ErrorKind::Memory`](crate::error::ErrorKind::Memory)
pub fn find(text: &[u16], matchers: Matchers, findings: &mut Vec<Finding>) -> Result<(), Error> {
    let mut rest: Option<Vec<u16>> = None;
    let mut found = Spans::default();
    for matcher in prefilter::candidates(text, matchers) {
        matcher.scan(rest.as_deref().unwrap_or(text), &mut found);
        let spans = found.take()?;
        if spans.len() == 0 {
            continue;
        }
        memory::room(findings, spans.len())?;
        let rest = match &mut rest {
            Some(rest) => rest,
            None => rest.insert(memory::copy(text)?),
        };
        for Span { start, end } in spans {
            rest[start..end].fill(FOUND);
            findings.push(Finding { matcher, start, end });
        }
    }
    Ok(())
}

/// The text with a token for every finding; nothing when there is none.
///
/// # Errors
/// As [`find`].
pub fn scrub(text: &[u16], matchers: Matchers, tokens: &mut Tokens) -> Result<Option<Vec<u16>>, Error> {
    let mut findings = Vec::new();
    find(text, matchers, &mut findings)?;
    if findings.is_empty() {
        return Ok(None);
    }
    let mut replacements: Vec<(Span, Vec<u16>)> = findings
        .into_iter()
        .map(|Finding { matcher, start, end }| {
            let token = tokens.token(matcher.name(), &text[start..end]);
            (start..end, token.encode_utf16().collect())
        })
        .collect();
    replacements.sort_unstable_by_key(|(span, _)| span.start);
    let mut scrubbed = Vec::with_capacity(text.len());
    let mut rest = 0;
    for (Span { start, end }, token) in replacements {
        scrubbed.extend_from_slice(&text[rest..start]);
        scrubbed.extend_from_slice(&token);
        rest = end;
    }
    scrubbed.extend_from_slice(&text[rest..]);
    Ok(Some(scrubbed))
}
