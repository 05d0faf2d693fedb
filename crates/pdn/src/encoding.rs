//! Character encodings of PDN files: UTF-8, with Windows-1252 as the fallback for older programs.

use std::borrow::Cow;

/// Bytes 0x80 to 0x9f in text that is not UTF-8. ISO 8859-1 has control characters there, which do not occur in
/// practice; Windows code page 1252, which is often mislabelled as ISO 8859-1, has these. The five that it leaves
/// undefined are U+FFFD.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}',
    '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// Decodes a piece of a file: as UTF-8 if it is valid, otherwise one character per byte.
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
