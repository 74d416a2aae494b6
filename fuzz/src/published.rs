//! The default preset once more: its published patterns, run by a regular expression engine.

use std::sync::LazyLock;

use fancy_regex::{Match, Regex};
use tapeproof::redact::Tokens;

/// Each name with its pattern, where `\w` and `\d` stand for ASCII, `\b` for both kinds of word boundary and `\s` for
/// the white space of ECMAScript.
const PATTERNS: [(&str, &str); 4] = [
    ("email", r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    (
        "token",
        concat!(
            r"\b(?:Bearer\s+[\w.\-~+/]+=*|(?:sk|pk|rk)[-_](?:live|test)?[-_]?[A-Za-z0-9]{12,}|",
            r"xox[baprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})",
        ),
    ),
    ("card", r"\b(?:\d[ -]?){13,19}\b"),
    ("phone", r"(?<![\w-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{2,4})[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])"),
];

static COMPILED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let white_space =
        r"[\x09-\x0d\x20\xa0\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}]";
    let boundary = "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
    let compiled = PATTERNS.map(|(name, pattern)| {
        let pattern = pattern.replace(r"[\w", "[A-Za-z0-9_").replace(r"\d", "[0-9]");
        let pattern = pattern.replace(r"\b", boundary).replace(r"\s", white_space);
        (name, Regex::new(&pattern).expect("a pattern"))
    });
    compiled.into()
});

/// The text with tokens, or nothing where the engine gives up.
pub fn scrub(text: &[u16], tokens: &mut Tokens) -> Option<Vec<u16>> {
    let mut text: String = text.iter().map(|&unit| character(unit)).collect();
    for (name, pattern) in &*COMPILED {
        let found: Vec<Match> = pattern.find_iter(&text).collect::<Result<_, _>>().ok()?;
        let mut scrubbed = String::new();
        let mut rest = 0;
        for found in found.iter().filter(|found| *name != "card" || is_card(found.as_str())) {
            scrubbed.push_str(&text[rest..found.start()]);
            scrubbed.push_str(tokens.token(name, &units(found.as_str())));
            rest = found.end();
        }
        scrubbed.push_str(&text[rest..]);
        text = scrubbed;
    }
    Some(units(&text))
}

/// One character a unit: surrogates stand in a private plane, by their last sixteen bits.
fn character(unit: u16) -> char {
    char::from_u32(unit.into()).or_else(|| char::from_u32(0xf_0000 + u32::from(unit))).unwrap_or_default()
}

fn units(text: &str) -> Vec<u16> {
    text.chars().map(|character| character as u16).collect()
}

fn is_card(text: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "4", "51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27", "34", "37", "6011", "65",
        "62", "35",
    ];
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let sum: u32 = (0..)
        .zip(digits.bytes().rev())
        .map(|(place, digit)| u32::from(digit - b'0') << (place & 1))
        .map(|value| value / 10 + value % 10)
        .sum();
    digits.len() >= 13 && sum.is_multiple_of(10) && PREFIXES.iter().any(|prefix| digits.starts_with(prefix))
}
