//! T(text), read from the hashing specification a second time: step after step, with a copy at each.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

const LF: u16 = 0x0a;
const CR: u16 = 0x0d;
const SPACE: u16 = 0x20;
const BACKTICK: u16 = 0x60;

/// The whole of T.
pub fn normalized(text: &[u16]) -> Vec<u16> {
    match media(text) {
        Some(digest) => digest.encode_utf16().collect(),
        None => laid_out(&nfc(text)),
    }
}

/// Steps 1 and 2: the digest that stands for media.
pub fn media(text: &[u16]) -> Option<String> {
    let payload = match data_url(text) {
        Some(payload) => payload,
        None if text.len() >= 1024 && is_base64(text) => text,
        None => return None,
    };
    let digest: Vec<String> =
        Sha256::digest(decoded(payload)).iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = digest.concat();
    Some(format!("sha256:{hex}"))
}

/// Group 1 of `/^data:[^;,]*;base64,([A-Za-z0-9+/=\s]+)$/`.
fn data_url(text: &[u16]) -> Option<&[u16]> {
    let rest = after(text, "data:")?;
    let media_type = rest.iter().take_while(|&&unit| !is_any(unit, ";,")).count();
    let group = after(&rest[media_type..], ";base64,")?;
    let belongs = |&unit: &u16| is_alphabet(unit) || is_any(unit, "=") || is_space(unit);
    (!group.is_empty() && group.iter().all(belongs)).then_some(group)
}

/// `/^[A-Za-z0-9+/\s]+={0,2}$/`.
fn is_base64(text: &[u16]) -> bool {
    (0..=2).any(|padding| {
        let Some(body) = text.len().checked_sub(padding).filter(|&body| body > 0) else { return false };
        text[..body].iter().all(|&unit| is_alphabet(unit) || is_space(unit))
            && text[body..].iter().all(|&unit| is_any(unit, "="))
    })
}

fn after<'a>(text: &'a [u16], prefix: &str) -> Option<&'a [u16]> {
    text.strip_prefix(prefix.encode_utf16().collect::<Vec<_>>().as_slice())
}

fn is_any(unit: u16, chars: &str) -> bool {
    chars.encode_utf16().any(|char| char == unit)
}

fn is_alphabet(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}

/// `Buffer.from(text, 'base64')`, which looks at the low byte of each unit.
fn decoded(text: &[u16]) -> Vec<u8> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for &unit in text {
        let value = match unit as u8 {
            byte @ b'A'..=b'Z' => byte - b'A',
            byte @ b'a'..=b'z' => byte - b'a' + 26,
            byte @ b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// NFC, where a lone surrogate is a wall.
pub fn nfc(text: &[u16]) -> Vec<u16> {
    let mut out = Vec::new();
    let mut run = String::new();
    for char in char::decode_utf16(text.iter().copied()).map(Some).chain([None]) {
        if let Some(Ok(char)) = char {
            run.push(char);
            continue;
        }
        out.extend(run.nfc().collect::<String>().encode_utf16());
        run.clear();
        if let Some(Err(lone)) = char {
            out.push(lone.unpaired_surrogate());
        }
    }
    out
}

/// Step 3 after NFC: line ends, fences, white space, blank lines.
pub fn laid_out(text: &[u16]) -> Vec<u16> {
    let text = with_line_feeds(text);
    let mut pieces = Vec::new();
    let mut rest = text.as_slice();
    while !rest.is_empty() {
        let (prose, fenced) = rest.split_at(fence(rest).unwrap_or(rest.len()));
        let lines: Vec<_> = prose.split(|&unit| unit == LF).map(line).collect();
        pieces.extend(lines.join(&LF));
        let end = match fenced {
            [] => 0,
            _ => fence(&fenced[3..]).map_or(fenced.len(), |close| 3 + close + 3),
        };
        pieces.extend(&fenced[..end]);
        rest = &fenced[end..];
    }
    let lines: Vec<_> = pieces.split(|&unit| unit == LF).collect();
    let is_text = |line: &&[u16]| !line.iter().all(|&unit| is_space(unit));
    match (lines.iter().position(is_text), lines.iter().rposition(is_text)) {
        (Some(first), Some(last)) => lines[first..=last].join(&LF),
        _ => Vec::new(),
    }
}

fn with_line_feeds(text: &[u16]) -> Vec<u16> {
    let mut out = Vec::new();
    for (at, &unit) in text.iter().enumerate() {
        match unit {
            CR => out.push(LF),
            LF if at > 0 && text[at - 1] == CR => {}
            _ => out.push(unit),
        }
    }
    out
}

/// Where the next three backticks are.
fn fence(text: &[u16]) -> Option<usize> {
    text.windows(3).position(|window| window == [BACKTICK; 3])
}

/// One line outside of fences.
fn line(line: &[u16]) -> Vec<u16> {
    let mut out: Vec<u16> = Vec::new();
    for &unit in line {
        if !is_space(unit) {
            out.push(unit);
        } else if out.last() != Some(&SPACE) {
            out.push(SPACE);
        }
    }
    while out.last() == Some(&SPACE) {
        out.pop();
    }
    out
}

/// `\s` of JavaScript.
pub fn is_space(unit: u16) -> bool {
    is_any(unit, "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}")
        || (0x2000..=0x200a).contains(&unit)
}
