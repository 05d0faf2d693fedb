//! Bytes as text: UTF-8, or what older programs wrote.

use std::borrow::Cow;

/// Bytes 0x80 to 0x9f where they are no UTF-8. ISO 8859-1 has control characters there, which nobody writes; the
/// Windows code page 1252, its usual impostor, has these. The five that it leaves open are U+FFFD.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}',
    '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// The text of a piece of a file: UTF-8 if it can be, else a byte is a character.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| latin(byte)).collect(),
    }
}

fn latin(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte) - 0x80],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_give_the_same_text() {
        assert_eq!(decode("Düsseldorf".as_bytes()), "Düsseldorf");
        assert_eq!(decode(b"D\xfcsseldorf"), "Düsseldorf");
        assert_eq!(decode(b"Black\x92s \x93shot\x94"), "Black’s “shot”");
    }
}
