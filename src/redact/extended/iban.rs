//! International bank account numbers (ISO 13616).

use super::begins_word;
use super::starts::{Starts, ahead, mask};
use crate::redact::scan::{ALNUM, Class, Spans, is, is_capital, is_digit, seek_pair};

/// Finds numbers of a known country, of that country's length, whose check digits are right: compact, or in groups of
/// four.
pub(in crate::redact) fn iban(text: &[u16], found: &mut Spans) {
    let search = |text: &[u16], from: usize| {
        let pair = seek_pair(text, from, |unit, next| is_capital(unit) & is_digit(next));
        pair.map(|at| at.saturating_sub(1).max(from))
    };
    // The letters of the country and the check digits.
    let mut starts = Starts::new(text, search, |units, _| {
        let (letters, digits) = (mask(units, is_capital), mask(units, is_digit));
        letters & ahead(letters, 1) & ahead(digits, 2) & ahead(digits, 3)
    });
    let mut from = 0;
    while let Some(start) = starts.seek(from) {
        let end = if begins_word(text, start) { end_of(text, start) } else { None };
        found.extend(end.map(|end| start..end));
        from = end.unwrap_or(start + 1);
    }
}

fn end_of(text: &[u16], start: usize) -> Option<usize> {
    static SYMBOL: Class = Class::of("A-Z0-9");
    let mut symbols = [0; LONGEST];
    let symbols = &mut symbols[..length_in(text.get(start..start + 2)?)?];
    let separator = [b' ', b'-'].into_iter().find(|&separator| is(text, start + 4, separator));
    let mut end = start;
    for group in symbols.chunks_mut(4) {
        end += usize::from(end > start && separator.is_some_and(|separator| is(text, end, separator)));
        for symbol in group {
            *symbol = *text.get(end).filter(|&&unit| SYMBOL.has(unit))?;
            end += 1;
        }
    }
    (!ALNUM.has_at(text, end) && is_valid(symbols)).then_some(end)
}

/// ISO 7064, MOD 97-10: the country and check digits moved to the end, letters as 10 to 35, the remainder is 1.
fn is_valid(symbols: &[u16]) -> bool {
    let remainder = symbols[4..].iter().chain(&symbols[..4]).fold(0_u32, |remainder, &unit| {
        let unit = u32::from(unit);
        if unit <= u32::from(b'9') {
            (remainder * 10 + (unit - u32::from(b'0'))) % 97
        } else {
            (remainder * 100 + (unit - u32::from(b'A') + 10)) % 97
        }
    });
    remainder == 1 && symbols[2..4].iter().all(|&unit| is_digit(unit))
}

/// The longest of all.
const LONGEST: usize = 33;

/// The length of a country's numbers, as the registry of ISO 13616 has it.
fn length_in(country: &[u16]) -> Option<usize> {
    let country = [u8::try_from(country[0]).ok()?, u8::try_from(country[1]).ok()?];
    let length = match &country {
        b"NO" => 15,
        b"BE" => 16,
        b"DK" | b"FI" | b"FK" | b"FO" | b"GL" | b"NL" | b"SD" => 18,
        b"MK" | b"SI" => 19,
        b"AT" | b"BA" | b"EE" | b"KZ" | b"LT" | b"LU" | b"MN" | b"XK" => 20,
        b"CH" | b"HR" | b"LI" | b"LV" => 21,
        b"BG" | b"BH" | b"CR" | b"DE" | b"GB" | b"GE" | b"IE" | b"ME" | b"RS" | b"VA" => 22,
        b"AE" | b"GI" | b"IL" | b"IQ" | b"OM" | b"SO" | b"TL" => 23,
        b"AD" | b"CZ" | b"ES" | b"MD" | b"PK" | b"RO" | b"SA" | b"SE" | b"SK" | b"TN" | b"VG" => 24,
        b"LY" | b"PT" | b"ST" => 25,
        b"IS" | b"TR" => 26,
        b"BI" | b"DJ" | b"FR" | b"GR" | b"IT" | b"MC" | b"MR" | b"SM" => 27,
        b"AL" | b"AZ" | b"BY" | b"CY" | b"DO" | b"GT" | b"HN" | b"HU" | b"LB" | b"NI" | b"PL" | b"SV" => 28,
        b"BR" | b"EG" | b"PS" | b"QA" | b"UA" => 29,
        b"JO" | b"KW" | b"MU" | b"YE" => 30,
        b"MT" | b"SC" => 31,
        b"LC" => 32,
        b"RU" => 33,
        _ => return None,
    };
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::iban;
    use crate::redact::extended::table::matches;

    #[test]
    fn takes_the_registrys_examples_and_no_wrong_digit() {
        // The examples of the registry, one for each way of writing.
        for number in ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "NO93-8601-1117-947"] {
            assert_eq!(matches(iban, &format!("to {number}.")), [number]);
            for (wrong, name) in [
                (number.replacen(|digit: char| digit.is_ascii_digit(), "1", 1), "check digit"),
                (format!("{number}0"), "too long"),
                (format!("X{number}"), "glued"),
                (number.replacen(&number[..2], "ZZ", 1), "country"),
                (number.to_lowercase(), "lower case"),
            ] {
                assert_eq!(matches(iban, &wrong), Vec::<String>::new(), "{name}");
            }
        }
    }
}
