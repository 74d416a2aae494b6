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
    } else {
        out.extend_from_slice(ryu_js::Buffer::new().format(value).as_bytes());
    }
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
