//! One fast pass that tells which matchers a text gives work to.
//!
//! Most text holds no finding, and of that most shows it by the characters that it does not hold. The pass is written
//! so that the compiler makes vectors of it.
#![expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps vectors away")]

use super::matchers::{Matcher, Matchers};

/// What a text holds, one bit a sign.
type Signs = u32;

/// An `@`.
const AT: Signs = 1;
/// How a token of the default preset begins: `Bea`, `k-` or `k_`, `xox`, `KIA`, `eyJ`.
const TOKEN: Signs = 1 << 1;
/// Enough digits close together for a phone number; a card and a social security number have more.
const DIGITS: Signs = 1 << 2;
/// `--B`, as in `-----BEGIN`.
const PEM: Signs = 1 << 3;
/// `sk-`
const SK: Signs = 1 << 4;
/// `hp_` and the like, as in `ghp_`, and `b_p`, as in `github_pat_`.
const GITHUB: Signs = 1 << 5;
/// `glp` and the like, as in `glpat-`.
const GITLAB: Signs = 1 << 6;
/// `Iza`, as in `AIza`.
const GOOGLE: Signs = 1 << 7;
/// `hf_`
const HUGGING_FACE: Signs = 1 << 8;
/// `pm_`, as in `npm_`.
const NPM: Signs = 1 << 9;
/// `xox` and `pp-`, as in `xapp-`.
const SLACK: Signs = 1 << 10;
/// `s/` and a capital, as in `services/T`.
const WEBHOOK: Signs = 1 << 11;
/// `k_l` and `k_t`, as in `sk_live_` and `sk_test_`, and `ec_`, as in `whsec_`.
const STRIPE: Signs = 1 << 12;
/// `KIA` and the like, as in `AKIA`.
const KEY_ID: Signs = 1 << 13;
/// `key` in any case.
const KEY: Signs = 1 << 14;
/// `=`, the end of base64.
const EQUALS: Signs = 1 << 15;
/// `ig=`, as in `sig=`.
const AZURE_SAS: Signs = 1 << 16;
/// `eyJ`
const JOSE: Signs = 1 << 17;
/// `bea` in any case.
const BEARER: Signs = 1 << 18;
/// Two capitals and a digit, as in an IBAN.
const COUNTRY: Signs = 1 << 19;

/// Which signs, all of them, a matcher needs. Those in [`Matchers::OPT_IN`] need none.
const NEEDS: [(Signs, Matchers); 21] = [
    (AT, Matchers::of(&[Matcher::DefaultEmail, Matcher::UrlCredentials, Matcher::Email])),
    (TOKEN, Matchers::of(&[Matcher::DefaultToken])),
    (DIGITS, Matchers::of(&[Matcher::DefaultCard, Matcher::DefaultPhone])),
    (DIGITS, Matchers::of(&[Matcher::UsSsn, Matcher::Card, Matcher::Phone])),
    (PEM, Matchers::of(&[Matcher::PrivateKey])),
    (SK, Matchers::of(&[Matcher::Anthropic, Matcher::OpenAi])),
    (GITHUB, Matchers::of(&[Matcher::GitHub])),
    (GITLAB, Matchers::of(&[Matcher::GitLab])),
    (GOOGLE, Matchers::of(&[Matcher::Google])),
    (HUGGING_FACE, Matchers::of(&[Matcher::HuggingFace])),
    (NPM, Matchers::of(&[Matcher::Npm])),
    (SLACK, Matchers::of(&[Matcher::Slack])),
    (WEBHOOK, Matchers::of(&[Matcher::SlackWebhook])),
    (STRIPE, Matchers::of(&[Matcher::Stripe])),
    (KEY_ID, Matchers::of(&[Matcher::AwsKeyId, Matcher::AwsSecret])),
    (KEY, Matchers::of(&[Matcher::AwsSecret])),
    (KEY | EQUALS, Matchers::of(&[Matcher::AzureKey])),
    (AZURE_SAS, Matchers::of(&[Matcher::AzureSas])),
    (JOSE, Matchers::of(&[Matcher::Jwe, Matcher::Jwt])),
    (BEARER, Matchers::of(&[Matcher::Bearer])),
    (COUNTRY, Matchers::of(&[Matcher::Iban])),
];

/// Of these matchers, the ones that may find something.
pub(super) fn candidates(text: &[u16], wanted: Matchers) -> Matchers {
    let signs = if wanted.only(Matchers::EXTENDED).is_empty() {
        signs(text, default_signs)
    } else {
        signs(text, |block| default_signs(block) | extended_signs(block))
    };
    let found = NEEDS.iter().filter(|(needed, _)| signs & needed == *needed);
    wanted.only(found.fold(Matchers::OPT_IN, |found, &(_, matchers)| found.or(matchers)))
}

/// The units that are looked at together, narrowed to bytes. Nothing beyond ASCII is a sign.
const BLOCK: usize = 64;

/// A block and the two units after it.
type Block = [u8; BLOCK + 2];

/// A phone number has no fewer digits, and a card has as many within 13 units.
const FEWEST_DIGITS: u8 = 7;

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

fn extended_signs(block: &Block) -> Signs {
    let three = |expected: [u8; 3]| any(block, |unit, next, third| is(unit, next, third, expected));
    when(three(*b"--B"), PEM)
        | when(three(*b"sk-"), SK)
        | when(any(block, begins_github), GITHUB)
        | when(any(block, begins_gitlab), GITLAB)
        | when(three(*b"Iza"), GOOGLE)
        | when(three(*b"hf_"), HUGGING_FACE)
        | when(three(*b"pm_"), NPM)
        | when(any(block, |x, o, z| is(x, o, z, *b"xox") | is(x, o, z, *b"pp-")), SLACK)
        | when(any(block, |s, slash, id| (s == b's') & (slash == b'/') & id.is_ascii_uppercase()), WEBHOOK)
        | when(any(block, begins_stripe), STRIPE)
        | when(any(block, begins_key_id), KEY_ID)
        | when(any(block, |k, e, y| is(k | 0x20, e | 0x20, y | 0x20, *b"key")), KEY)
        | when(any(block, |unit, _, _| unit == b'='), EQUALS)
        | when(three(*b"ig="), AZURE_SAS)
        | when(three(*b"eyJ"), JOSE)
        | when(any(block, |b, e, a| is(b | 0x20, e | 0x20, a | 0x20, *b"bea")), BEARER)
        | when(
            any(block, |c, d, n| c.is_ascii_uppercase() & d.is_ascii_uppercase() & n.is_ascii_digit()),
            COUNTRY,
        )
}

/// Whether three units are these.
#[inline]
const fn is(unit: u8, next: u8, third: u8, expected: [u8; 3]) -> bool {
    (unit == expected[0]) & (next == expected[1]) & (third == expected[2])
}

#[inline]
const fn begins_token(a: u8, b: u8, c: u8) -> bool {
    is(a, b, c, *b"Bea")
        | ((a == b'k') & ((b == b'-') | (b == b'_')))
        | is(a, b, c, *b"xox")
        | is(a, b, c, *b"KIA")
        | is(a, b, c, *b"eyJ")
}

#[inline]
const fn begins_github(a: u8, b: u8, c: u8) -> bool {
    let kind = (b == b'p') | (b == b'o') | (b == b'u') | (b == b's') | (b == b'r');
    ((a == b'h') & kind & (c == b'_')) | is(a, b, c, *b"b_p")
}

#[inline]
const fn begins_gitlab(a: u8, b: u8, c: u8) -> bool {
    let kind = (c == b'p') | (c == b'd') | (c == b'r') | (c == b'f') | (c == b'c') | (c == b's');
    (a == b'g') & (b == b'l') & kind
}

#[inline]
const fn begins_stripe(a: u8, b: u8, c: u8) -> bool {
    ((a == b'k') & (b == b'_') & ((c == b'l') | (c == b't'))) | is(a, b, c, *b"ec_")
}

#[inline]
const fn begins_key_id(a: u8, b: u8, c: u8) -> bool {
    (((a == b'K') | (a == b'S') | (a == b'B')) & (b == b'I') & (c == b'A')) | is(a, b, c, *b"CCA")
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
                ("12 34567", &[Matcher::DefaultCard, Matcher::DefaultPhone]),
                ("123456", &[]),
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
        let text = format!("123456{}", "e".repeat(58)).repeat(2);
        assert_eq!(candidates_in(&text, Matchers::DEFAULT), []);
    }

    #[test]
    fn opt_ins_are_always_candidates() {
        assert_eq!(candidates_in("", Matchers::OPT_IN).len(), 3);
        assert_eq!(candidates_in("", Matchers::EXTENDED), []);
    }
}
