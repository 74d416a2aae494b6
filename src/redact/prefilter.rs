//! One fast pass that tells which matchers a text gives work to.
//!
//! Most text holds no finding, and of that most shows it by the characters that it does not hold. The pass is written
//! so that the compiler makes vectors of it.
#![expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vectors away")]

use super::matchers::{Matcher, Matchers};

/// What a text holds, one bit a sign.
type Signs = u16;

/// An `@`.
const AT: Signs = 1;
/// How a token of the default preset begins: `Bea`, `k-` or `k_`, `xox`, `KIA`, `eyJ`.
const TOKEN: Signs = 1 << 1;
/// Enough digits close together for a phone number; a card, a social security number and an IBAN have more.
const DIGITS: Signs = 1 << 2;
/// `--`, as around PEM.
const DASHES: Signs = 1 << 3;
/// `k-` and `k_`, as in `sk-` and `rk_`.
const KEY: Signs = 1 << 4;
/// `_`, as in `ghp_`.
const UNDERSCORE: Signs = 1 << 5;
/// `t-`, as in `glpat-`.
const T_DASH: Signs = 1 << 6;
/// `Iz`, as in `AIza`.
const IZ: Signs = 1 << 7;
/// `xo` and `p-`, as in `xoxb-` and `xapp-`.
const SLACK: Signs = 1 << 8;
/// `/T` and `/E`, as in the path of a webhook.
const PATH: Signs = 1 << 9;
/// `IA` and `CC`, as in `AKIA` and `ACCA`.
const KEY_ID: Signs = 1 << 10;
/// A `k` where a second word begins, as in `secret key` and `AccessKey`.
const LABEL: Signs = 1 << 11;
/// `y=`, `g=` and `==`, as in `AccountKey=`, `sig=` and at the end of long base64.
const EQUALS: Signs = 1 << 12;
/// `yJ`, as in `eyJ`.
const JOSE: Signs = 1 << 13;
/// `be` before an `a`, in either case, as in `Bearer`.
const BEARER: Signs = 1 << 14;
/// A capital before a digit, as in an IBAN.
const COUNTRY: Signs = 1 << 15;

/// Of these matchers, the ones that may find something. Those in [`Matchers::OPT_IN`] always may.
pub(super) fn candidates(text: &[u16], wanted: Matchers) -> Matchers {
    let signs_in = if wanted.only(Matchers::EXTENDED).is_empty() { default_signs } else { all_signs };
    let signs = signs(text, signs_in);
    let mut found = Matchers::OPT_IN;
    for (sign, matchers) in NEEDS {
        if signs & sign == sign {
            found = found.or(Matchers::of(matchers));
        }
    }
    wanted.only(found)
}

/// Which signs, all of them, a matcher needs.
const NEEDS: [(Signs, &[Matcher]); 16] = [
    (AT, &[Matcher::DefaultEmail, Matcher::UrlCredentials, Matcher::Email]),
    (TOKEN, &[Matcher::DefaultToken]),
    (DIGITS, &[Matcher::DefaultCard, Matcher::DefaultPhone, Matcher::UsSsn, Matcher::Card, Matcher::Phone]),
    (DASHES, &[Matcher::PrivateKey]),
    (KEY, &[Matcher::Anthropic, Matcher::OpenAi, Matcher::Stripe]),
    (UNDERSCORE, &[Matcher::GitHub, Matcher::HuggingFace, Matcher::Npm, Matcher::Stripe]),
    (T_DASH, &[Matcher::GitLab]),
    (IZ, &[Matcher::Google]),
    (SLACK, &[Matcher::Slack]),
    (PATH, &[Matcher::SlackWebhook]),
    (KEY_ID, &[Matcher::AwsKeyId, Matcher::AwsSecret]),
    (LABEL, &[Matcher::AwsSecret]),
    (EQUALS, &[Matcher::AzureKey, Matcher::AzureSas]),
    (JOSE, &[Matcher::Jwe, Matcher::Jwt]),
    (BEARER, &[Matcher::Bearer]),
    (COUNTRY | DIGITS, &[Matcher::Iban]),
];

/// The units that are looked at together, narrowed to bytes. Nothing beyond ASCII is a sign.
const BLOCK: usize = 64;

/// A block and the two units after it.
type Block = [u8; BLOCK + 2];

/// A phone number has no fewer digits, and a card has as many within 15 units.
const FEWEST_DIGITS: u8 = 8;

/// They are closer together than this, so that two neighbouring spans hold them.
const SPAN: usize = 32;

#[inline]
fn signs(text: &[u16], signs_in: impl Fn(&Block) -> Signs) -> Signs {
    let mut signs = 0;
    let mut digits_before = 0;
    for at in (0..text.len()).step_by(BLOCK) {
        let block = block(&text[at..]);
        signs |= signs_in(&block);
        for span in block[..BLOCK].chunks_exact(SPAN) {
            let digits = span.iter().map(|unit| u8::from(unit.is_ascii_digit())).sum();
            signs |= when(digits_before + digits >= FEWEST_DIGITS, DIGITS);
            digits_before = digits;
        }
    }
    signs
}

/// The first units of a text. Where it ends, zeros follow: they are a sign of nothing.
#[inline]
fn block(text: &[u16]) -> Block {
    let mut block = [0; BLOCK + 2];
    let units = text.first_chunk().unwrap_or_else(|| {
        block[..text.len()].copy_from_slice(text);
        &block
    });
    units.map(|unit| unit.min(0xff) as u8)
}

#[inline]
const fn when(condition: bool, sign: Signs) -> Signs {
    if condition { sign } else { 0 }
}

/// Whether some unit, with the two after it, is a sign.
#[inline]
fn any(block: &Block, is_sign: impl Fn(u8, u8, u8) -> bool) -> bool {
    let units = block.iter().zip(&block[1..]).zip(&block[2..]);
    units.fold(false, |any, ((&unit, &next), &third)| any | is_sign(unit, next, third))
}

fn default_signs(block: &Block) -> Signs {
    when(any(block, |unit, _, _| unit == b'@'), AT) | when(any(block, begins_token), TOKEN)
}

fn all_signs(block: &Block) -> Signs {
    let pair = |expected: [u8; 2]| any(block, |unit, next, _| (unit == expected[0]) & (next == expected[1]));
    default_signs(block)
        | when(pair(*b"--"), DASHES)
        | when(any(block, |unit, next, _| (unit == b'k') & ((next == b'-') | (next == b'_'))), KEY)
        | when(any(block, |unit, _, _| unit == b'_'), UNDERSCORE)
        | when(pair(*b"t-"), T_DASH)
        | when(pair(*b"Iz"), IZ)
        | when(pair(*b"xo") || pair(*b"p-"), SLACK)
        | when(pair(*b"/T") || pair(*b"/E"), PATH)
        | when(pair(*b"IA") || pair(*b"CC"), KEY_ID)
        | when(any(block, begins_key), LABEL)
        | when(
            any(block, |unit, next, _| ((unit == b'y') | (unit == b'g') | (unit == b'=')) & (next == b'=')),
            EQUALS,
        )
        | when(pair(*b"yJ"), JOSE)
        | when(any(block, |b, e, a| (b | 0x20 == b'b') & (e | 0x20 == b'e') & (a | 0x20 == b'a')), BEARER)
        | when(any(block, |unit, next, _| unit.is_ascii_uppercase() & next.is_ascii_digit()), COUNTRY)
}

#[inline]
const fn begins_token(unit: u8, next: u8, third: u8) -> bool {
    ((unit == b'B') & (next == b'e') & (third == b'a'))
        | ((unit == b'k') & ((next == b'-') | (next == b'_')))
        | ((unit == b'x') & (next == b'o') & (third == b'x'))
        | ((unit == b'K') & (next == b'I') & (third == b'A'))
        | ((unit == b'e') & (next == b'y') & (third == b'J'))
}

/// `ke` as the start of a word, also of one that only a capital separates from the word before.
#[inline]
const fn begins_key(unit: u8, k: u8, e: u8) -> bool {
    let separator = (unit == b'_') | (unit == b'-') | (unit == b' ');
    let word_end = (unit | 0x20 == b's') | (unit | 0x20 == b't');
    (separator | word_end & (k == b'K')) & (k | 0x20 == b'k') & (e | 0x20 == b'e')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates_in(text: &str, wanted: Matchers) -> Vec<Matcher> {
        candidates(&text.encode_utf16().collect::<Vec<_>>(), wanted).into_iter().collect()
    }

    #[test]
    fn each_sign_is_seen_in_every_place() {
        for len in 0..200 {
            for (sign, expected) in [
                ("@", &[Matcher::DefaultEmail][..]),
                ("k_", &[Matcher::DefaultToken]),
                ("12 345678", &[Matcher::DefaultCard, Matcher::DefaultPhone]),
                ("1234567", &[]),
                ("\u{140}\u{ff10}", &[]),
            ] {
                let padding = "e".repeat(len);
                assert_eq!(
                    candidates_in(&format!("{padding}{sign}"), Matchers::DEFAULT),
                    expected,
                    "{sign} after {len}"
                );
                assert_eq!(
                    candidates_in(&format!("{sign}{padding}"), Matchers::DEFAULT),
                    expected,
                    "{sign} before {len}"
                );
            }
        }
    }

    #[test]
    fn digits_far_apart_are_no_sign() {
        let text = format!("1234567{}", "e".repeat(57)).repeat(2);
        assert_eq!(candidates_in(&text, Matchers::DEFAULT), []);
    }

    #[test]
    fn opt_ins_are_always_candidates() {
        assert_eq!(candidates_in("", Matchers::OPT_IN).len(), 3);
        assert_eq!(candidates_in("", Matchers::EXTENDED), []);
    }
}
