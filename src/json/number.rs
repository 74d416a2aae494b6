//! Numbers as ECMAScript prints them.

/// The largest magnitude below which every integer is a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Two decimal digits each, `00` to `99`.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut value = 0;
    while value < 100 {
        pairs[value] = [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
        value += 1;
    }
    pairs
};

/// Appends `Number::toString` of a double (ECMA-262, base 10): `-0` gives `0`, `1e21` gives `1e+21`.
///
/// NaN and the infinities give their names; a caller that writes JSON has to look first.
pub fn write(value: f64, out: &mut Vec<u8>) {
    #[expect(clippy::float_cmp, reason = "asks whether the value is an integer")]
    if value.abs() < EXACT && value == value.trunc() {
        if value < 0.0 {
            out.push(b'-');
        }
        #[expect(clippy::cast_sign_loss, reason = "a magnitude")]
        write_integer(value.abs() as u64, out);
    } else if write_decimal(value, out).is_none() {
        out.extend_from_slice(ryu_js::Buffer::new().format(value).as_bytes());
    }
}

/// Appends a number of up to three places after the point, as temperatures and prices are; `None` for any other.
///
/// A decimal of at most 15 digits that reads as `value` is its shortest: no two of them read as the same double. And it
/// does read so when the quotient of two exact doubles, which is rounded as a reader rounds, is `value`.
fn write_decimal(value: f64, out: &mut Vec<u8>) -> Option<()> {
    const MAX_DIGITS: f64 = 1e15;
    let magnitude = value.abs();
    #[expect(clippy::float_cmp, reason = "asks whether nothing is lost")]
    let (scaled, scale) = [10_u16, 100, 1000].into_iter().find_map(|scale| {
        let scaled = magnitude * f64::from(scale);
        let exact = scaled < MAX_DIGITS && scaled == scaled.trunc() && scaled / f64::from(scale) == magnitude;
        #[expect(clippy::cast_sign_loss, reason = "a magnitude")]
        exact.then_some((scaled as u64, u64::from(scale)))
    })?;
    if scaled % 10 == 0 {
        return None;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    write_integer(scaled / scale, out);
    out.push(b'.');
    let (mut fraction, mut place) = (scaled % scale, scale / 10);
    while place > 0 {
        out.push(b'0' + (fraction / place) as u8);
        (fraction, place) = (fraction % place, place / 10);
    }
    Some(())
}

/// Appends the decimal digits of an integer.
pub fn write_integer(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    while value >= 100 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if value >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[value as usize]);
    } else {
        at -= 1;
        digits[at] = b'0' + value as u8;
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        write(value, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    #[test]
    fn prints_as_ecmascript() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (-10.0, "-10"),
            (100.0, "100"),
            (12345.0, "12345"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (-9_007_199_254_740_993.0, "-9007199254740992"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (0.1, "0.1"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    #[test]
    fn decimals_print_as_any_other_number() {
        let mut short = 0;
        let mut compare = |value: f64| {
            short += u32::from(write_decimal(value, &mut Vec::new()).is_some());
            assert_eq!(text(value), ryu_js::Buffer::new().format(value));
        };
        for n in 0..200_000_u32 {
            for scale in [10.0, 100.0, 1000.0] {
                let value = f64::from(n) / scale;
                for value in [value, -value, value.next_up(), value.next_down(), value + 1e9, value + 1e12] {
                    compare(value);
                }
            }
        }
        assert!(short > 1_000_000, "{short}");
    }

    #[test]
    fn integers_print_as_the_standard_library_prints_them() {
        for shift in 0..64 {
            for value in [1_u64 << shift, (1 << shift) - 1, u64::MAX >> shift, 10_u64.wrapping_pow(shift)] {
                let mut out = Vec::new();
                write_integer(value, &mut out);
                assert_eq!(out, value.to_string().into_bytes());
            }
        }
    }
}
