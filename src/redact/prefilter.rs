//! One fast pass that tells which matchers a text gives work to.
//!
//! Most text holds no finding, and of that most shows it by the characters that it does not hold. The pass is written
//! so that the compiler makes vectors of it.

use super::matchers::{Matcher, Matchers};
use super::preset::is_token_anchor;
use super::scan::is_digit;

/// What a text holds, one bit a sign.
type Signs = u16;

/// An `@`.
const AT: Signs = 1;
/// Two neighbours that only a token of the default preset needs.
const ANCHOR: Signs = 1 << 1;
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
    let signs = if wanted.only(Matchers::EXTENDED).is_empty() {
        signs(text, default_signs)
    } else {
        signs(text, all_signs)
    };
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
    (ANCHOR, &[Matcher::DefaultToken]),
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

/// The units that are looked at together.
const BLOCK: usize = 64;

/// The fewest digits of a phone number. It is shorter than a block, so that two neighbouring blocks hold it.
const FEWEST_DIGITS: u8 = 8;

#[inline]
fn signs(text: &[u16], signs_of: impl Fn(u8, u8, u8) -> Signs + Copy) -> Signs {
    let mut signs = 0;
    let mut digits_before = 0;
    for at in (0..text.len()).step_by(BLOCK) {
        let (found, digits) = match text[at..].first_chunk() {
            Some(block) => signs_in(block, signs_of),
            // Zeros are a sign of nothing.
            None => {
                let mut block = [0; BLOCK + 2];
                let rest = text.len() - at;
                block[..rest].copy_from_slice(&text[at..]);
                signs_in(&block, signs_of)
            }
        };
        signs |= found;
        if digits_before + digits >= FEWEST_DIGITS {
            signs |= DIGITS;
        }
        digits_before = digits;
    }
    signs
}

/// The signs in a block, given with the two units after it, and the number of its digits.
#[inline]
fn signs_in(units: &[u16; BLOCK + 2], signs_of: impl Fn(u8, u8, u8) -> Signs) -> (Signs, u8) {
    // Nothing beyond ASCII is a sign.
    let units = units.map(|unit| unit.min(0xff) as u8);
    let mut signs = 0;
    let mut digits = 0;
    for ((&unit, &next), &third) in units[..BLOCK].iter().zip(&units[1..]).zip(&units[2..]) {
        signs |= signs_of(unit, next, third);
        digits += u8::from(is_digit(unit.into()));
    }
    (signs, digits)
}

#[inline]
const fn when(condition: bool, sign: Signs) -> Signs {
    if condition { sign } else { 0 }
}

#[inline]
const fn default_signs(unit: u8, next: u8, _third: u8) -> Signs {
    when(unit == b'@', AT) | when(is_token_anchor(unit as u16, next as u16), ANCHOR)
}

#[inline]
const fn all_signs(unit: u8, next: u8, third: u8) -> Signs {
    let separator = (unit == b'_') | (unit == b'-') | (unit == b' ');
    let word_end = (unit | 0x20 == b's') | (unit | 0x20 == b't');
    default_signs(unit, next, third)
        | when((unit == b'-') & (next == b'-'), DASHES)
        | when((unit == b'k') & ((next == b'-') | (next == b'_')), KEY)
        | when(unit == b'_', UNDERSCORE)
        | when((unit == b't') & (next == b'-'), T_DASH)
        | when((unit == b'I') & (next == b'z'), IZ)
        | when((unit == b'x') & (next == b'o') | (unit == b'p') & (next == b'-'), SLACK)
        | when((unit == b'/') & ((next == b'T') | (next == b'E')), PATH)
        | when((unit == b'I') & (next == b'A') | (unit == b'C') & (next == b'C'), KEY_ID)
        | when(
            (separator & (next | 0x20 == b'k') | word_end & (next == b'K')) & (third | 0x20 == b'e'),
            LABEL,
        )
        | when(((unit == b'y') | (unit == b'g') | (unit == b'=')) & (next == b'='), EQUALS)
        | when((unit == b'y') & (next == b'J'), JOSE)
        | when((unit | 0x20 == b'b') & (next | 0x20 == b'e') & (third | 0x20 == b'a'), BEARER)
        | when(unit.is_ascii_uppercase() & next.is_ascii_digit(), COUNTRY)
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
        let text = format!("1234567{}", "e".repeat(121)).repeat(2);
        assert_eq!(candidates_in(&text, Matchers::DEFAULT), []);
    }

    #[test]
    fn opt_ins_are_always_candidates() {
        assert_eq!(candidates_in("", Matchers::OPT_IN).len(), 3);
        assert_eq!(candidates_in("", Matchers::EXTENDED), []);
    }
}
