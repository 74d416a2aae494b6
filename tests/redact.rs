//! Redaction as users of the crate see it.

use tapeproof::redact::{Finding, Matcher, Matchers, Tokens, find, scrub};

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[test]
fn what_is_found_is_replaced_in_one_table() {
    let mut tokens = Tokens::default();
    for (text, expected) in [
        ("ada@example.com", Some("[redacted:email:0]")),
        ("nothing here", None),
        ("555-123-4567 bob@example.com ada@example.com", {
            Some("[redacted:phone:0] [redacted:email:1] [redacted:email:0]")
        }),
    ] {
        let scrubbed = scrub(&units(text), Matchers::DEFAULT, &mut tokens);
        assert_eq!(scrubbed, Ok(expected.map(units)), "{text}");
    }
    let map: Vec<_> = tokens.map().collect();
    assert_eq!(
        map,
        [("[redacted:email:0]", "email"), ("[redacted:email:1]", "email"), ("[redacted:phone:0]", "phone")]
    );
}

#[test]
fn lone_surrogates_survive() {
    let mut text = vec![0xd800];
    text.extend(units("a@b.co"));
    text.push(0xdc00);
    let mut expected = vec![0xd800];
    expected.extend(units("[redacted:email:0]"));
    expected.push(0xdc00);
    assert_eq!(scrub(&text, Matchers::DEFAULT, &mut Tokens::default()), Ok(Some(expected)));
}

#[test]
fn findings_come_matcher_by_matcher_and_do_not_overlap() {
    let text = units("4111 1111 1111 1111 https://ada:s3cret@example.com ada@example.com");
    let mut findings = Vec::new();
    assert_eq!(find(&text, Matchers::EXTENDED, &mut findings), Ok(()));
    let found: Vec<_> =
        findings.iter().map(|&Finding { matcher, start, end }| (matcher, start, end)).collect();
    assert_eq!(found, [(Matcher::UrlCredentials, 28, 38), (Matcher::Email, 51, 66), (Matcher::Card, 0, 19)]);
}

#[test]
fn a_nul_ends_a_text() {
    let texts =
        ["4111 1111", "1111 1111", "Bearer", "abcdef", "AKIAIOSFODNN7EXAMPLE", "a@b.co", "a", "@b.co"];
    for matchers in [Matchers::DEFAULT, Matchers::EXTENDED] {
        let mut apart = Vec::new();
        let mut joined = Vec::new();
        for text in texts {
            let start = joined.len();
            joined.extend(units(text));
            joined.push(0);
            let mut findings = Vec::new();
            assert_eq!(find(&units(text), matchers, &mut findings), Ok(()));
            apart.extend(findings.into_iter().map(|Finding { matcher, start: from, end }| Finding {
                matcher,
                start: start + from,
                end: start + end,
            }));
        }
        let mut together = Vec::new();
        assert_eq!(find(&joined, matchers, &mut together), Ok(()));
        together.sort_by_key(|finding| finding.start);
        assert_eq!(together, apart);
    }
}
