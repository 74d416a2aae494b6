//! The check digit of payment cards (ISO/IEC 7812-1, annex B).

/// Whether the last of these digits is the check digit of those before it.
///
/// Takes the values of the digits, last one first.
pub(super) fn is_valid(digits_from_last: impl Iterator<Item = u8>) -> bool {
    let sum: u32 = digits_from_last
        .enumerate()
        .map(|(place, digit)| {
            let weighted = if place % 2 == 1 { digit * 2 } else { digit };
            u32::from(if weighted > 9 { weighted - 9 } else { weighted })
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn the_check_digit_is_the_only_one_that_passes() {
        for number in ["4111111111111111", "378282246310005", "5555555555554444", "79927398713", "0"] {
            let check = number.as_bytes()[number.len() - 1];
            for digit in b'0'..=b'9' {
                let digits = number.bytes().rev().enumerate();
                let digits = digits.map(|(place, found)| if place == 0 { digit } else { found } - b'0');
                assert_eq!(is_valid(digits), digit == check, "{number} with {digit}");
            }
        }
    }
}
