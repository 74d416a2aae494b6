//! The tokens that stand for what was found.

use std::collections::HashMap;

/// The token table of one redaction: one original, one token.
///
/// A token is `[redacted:<matcher>:<n>]`, where `n` counts from 0 for each matcher name. An original that was seen
/// before keeps the token it got then, whichever matcher meets it again.
#[derive(Debug, Default)]
pub struct Tokens {
    by_original: HashMap<Box<[u16]>, usize>,
    issued: Vec<Issued>,
    counts: HashMap<String, u32>,
}

#[derive(Debug)]
struct Issued {
    token: String,
    matcher: String,
}

impl Tokens {
    /// The token for `original`, a new one under this matcher name when it was not seen before.
    pub fn token(&mut self, matcher: &str, original: &[u16]) -> &str {
        let index = match self.by_original.get(original) {
            Some(&index) => index,
            None => self.issue(matcher, original),
        };
        &self.issued[index].token
    }

    fn issue(&mut self, matcher: &str, original: &[u16]) -> usize {
        let count = self.counts.entry(matcher.to_owned()).or_default();
        self.issued
            .push(Issued { token: format!("[redacted:{matcher}:{count}]"), matcher: matcher.to_owned() });
        *count += 1;
        let index = self.issued.len() - 1;
        self.by_original.insert(original.into(), index);
        index
    }

    /// The redaction map: each token and the name of its matcher, in the order in which they were given out.
    ///
    /// It never holds an original.
    pub fn map(&self) -> impl Iterator<Item = (&str, &str)> {
        self.issued.iter().map(|issued| (issued.token.as_str(), issued.matcher.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn an_original_keeps_its_token_whichever_matcher_meets_it() {
        let mut tokens = Tokens::default();
        for (matcher, original, token) in [
            ("email", &[1][..], "[redacted:email:0]"),
            ("card", &[2], "[redacted:card:0]"),
            ("email", &[3], "[redacted:email:1]"),
            ("card", &[1], "[redacted:email:0]"),
            ("card", &[0xd800], "[redacted:card:1]"),
            ("card", &[0xd801], "[redacted:card:2]"),
        ] {
            assert_eq!(tokens.token(matcher, original), token);
        }
        assert_eq!(tokens.map().count(), 5);
        assert_eq!(tokens.map().nth(2), Some(("[redacted:email:1]", "email")));
    }
}
