//! Keys as PEM, once more: what stands in the one block of a label.

/// The last 32 of the bytes in the one block of this label, where those before them are `head`.
pub fn key(text: &[u8], label: &str, head: &[u8]) -> Option<[u8; 32]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines = lines(text);
    let places = |word: &str| -> Vec<usize> {
        let marker = format!("-----{word} {label}-----");
        let is_marker = |&(line, terminator): &(&[u8], &[u8])| {
            if word == "BEGIN" && !terminator.ends_with(b"\n") {
                return false;
            }
            let blanks = line.iter().rev().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
            line[..line.len() - blanks] == *marker.as_bytes()
        };
        (0..lines.len()).filter(|&at| is_marker(&lines[at])).collect()
    };
    let (begins, ends) = (places("BEGIN"), places("END"));
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(&begin) = begins.iter().find(|&&at| at >= from) {
        let Some(&end) = ends.iter().find(|&&at| at > begin) else { break };
        blocks.push(
            lines[begin + 1..end].iter().flat_map(|(line, _)| line.iter().copied()).collect::<Vec<u8>>(),
        );
        from = end + 1;
    }
    let [block] = &blocks[..] else { return None };
    let digits: String = str::from_utf8(block).ok()?.chars().filter(|&it| !is_white_space(it)).collect();
    let bytes = decode(&digits)?;
    bytes.strip_prefix(head)?.try_into().ok()
}

/// Each line, and what ends it: CR and LF, or one of the line terminators of ECMAScript.
fn lines(mut text: &[u8]) -> Vec<(&[u8], &[u8])> {
    const TERMINATORS: [&[u8]; 5] = [b"\r\n", b"\n", b"\r", "\u{2028}".as_bytes(), "\u{2029}".as_bytes()];
    let mut lines = Vec::new();
    loop {
        let end = (0..text.len())
            .find_map(|at| TERMINATORS.iter().find(|it| text[at..].starts_with(it)).map(|it| (at, it.len())));
        let Some((at, len)) = end else { break };
        lines.push((&text[..at], &text[at..at + len]));
        text = &text[at + len..];
    }
    lines.push((text, b""));
    lines
}

fn is_white_space(character: char) -> bool {
    character == '\u{feff}' || character != '\u{85}' && character.is_whitespace()
}

/// Base64 by its bits.
fn decode(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let body = digits.strip_suffix("==").or_else(|| digits.strip_suffix('=')).unwrap_or(digits);
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    let bits: String =
        body.bytes().map(|digit| Some(format!("{:06b}", value(digit)?))).collect::<Option<_>>()?;
    let bytes =
        bits.as_bytes().chunks_exact(8).map(|byte| u8::from_str_radix(str::from_utf8(byte).ok()?, 2).ok());
    bytes.collect()
}
