//! Runs matchers over a text.

use super::matchers::{Matcher, Matchers};
use super::prefilter;
use super::scan::Span;
use super::tokens::Tokens;

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
pub fn find(text: &[u16], matchers: Matchers, findings: &mut Vec<Finding>) {
    let mut rest: Option<Vec<u16>> = None;
    let mut spans: Vec<Span> = Vec::new();
    for matcher in prefilter::candidates(text, matchers) {
        matcher.scan(rest.as_deref().unwrap_or(text), &mut spans);
        if spans.is_empty() {
            continue;
        }
        let rest = rest.get_or_insert_with(|| text.to_vec());
        for Span { start, end } in spans.drain(..) {
            rest[start..end].fill(FOUND);
            findings.push(Finding { matcher, start, end });
        }
    }
}

/// The text with a token for every finding; nothing when there is none.
pub fn scrub(text: &[u16], matchers: Matchers, tokens: &mut Tokens) -> Option<Vec<u16>> {
    let mut findings = Vec::new();
    find(text, matchers, &mut findings);
    if findings.is_empty() {
        return None;
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
    Some(scrubbed)
}
