//! The header of every table file: magic bytes, version, kind, number of pieces, length and checksum.
//!
//! | bytes | |
//! |---|---|
//! | 0–7 | the letters `CrownTab` |
//! | 8–9 | the version of the format |
//! | 10 | the kind of values |
//! | 11 | the number of pieces |
//! | 12–19 | the length of the file |
//! | 20–23 | CRC-32 of bytes 0–19 and of everything from byte 24 on |
//!
//! Numbers are little-endian.

use crate::error::Flaw;

const MAGIC: &[u8; 8] = b"CrownTab";
const VERSION: u16 = 1;
const CHECKED_BYTES: usize = 20;
/// Where the content begins.
pub(crate) const HEADER_BYTES: usize = 24;

/// The kind of values in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Win, draw or loss.
    Wdl,
    /// The distance to win (DTW) in plies, stored for losses.
    Dtw,
}

impl Kind {
    /// The extension of its file names.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "wdl",
            Kind::Dtw => "plies",
        }
    }

    /// The name of the file for a number of pieces.
    pub(crate) fn file_name(self, pieces: u32) -> String {
        format!("{pieces}-pieces.{}", self.extension())
    }
}

/// Prepends the header to the content.
pub(crate) fn prepend(kind: Kind, pieces: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + content.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([kind as u8, pieces as u8]);
    bytes.extend(((HEADER_BYTES + content.len()) as u64).to_le_bytes());
    bytes.extend([0; HEADER_BYTES - CHECKED_BYTES]);
    bytes.extend(content);
    let sum = checksum(&bytes);
    bytes[CHECKED_BYTES..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Checks the header, the length and the checksum; returns the kind and the number of pieces.
pub(crate) fn check(bytes: &[u8]) -> Result<(Kind, u32), Flaw> {
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        // A prefix of the magic bytes is a truncated table, not a foreign file.
        let cut = !bytes.is_empty() && MAGIC.starts_with(bytes);
        return Err(if cut { too_short(bytes) } else { Flaw::Foreign });
    }
    let number = |range: std::ops::Range<usize>| {
        bytes.get(range).map(|part| part.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    match number(8..10) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => return Err(Flaw::Newer(version as u16)),
        None => return Err(too_short(bytes)),
    }
    let (Some(expected), Some(sum)) = (number(12..20), number(CHECKED_BYTES..HEADER_BYTES)) else {
        return Err(too_short(bytes));
    };
    let found = bytes.len() as u64;
    if found != expected {
        return Err(Flaw::Length { expected, found });
    }
    if u64::from(checksum(bytes)) != sum {
        return Err(Flaw::Damaged);
    }
    let kind = match bytes[10] {
        0 => Kind::Wdl,
        1 => Kind::Dtw,
        _ => return Err(Flaw::Malformed),
    };
    Ok((kind, bytes[11].into()))
}

fn too_short(bytes: &[u8]) -> Flaw {
    Flaw::Length { expected: HEADER_BYTES as u64, found: bytes.len() as u64 }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKED_BYTES]);
    hasher.update(&bytes[HEADER_BYTES..]);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_is_known_again() {
        assert_eq!(check(&prepend(Kind::Dtw, 5, b"values")), Ok((Kind::Dtw, 5)));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let sealed = prepend(Kind::Wdl, 4, b"some values");
        for bit in 0..sealed.len() * 8 {
            let mut bytes = sealed.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(check(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let sealed = prepend(Kind::Wdl, 4, b"some values");
        for len in 1..sealed.len() {
            let flaw = check(&sealed[..len]).unwrap_err();
            assert!(matches!(flaw, Flaw::Length { found, .. } if found == len as u64), "{len}: {flaw}");
        }
        assert_eq!(check(&[]), Err(Flaw::Foreign));
        assert_eq!(check(&[sealed, vec![0]].concat()).map_err(|flaw| flaw != Flaw::Damaged), Err(true));
    }

    #[test]
    fn newer_and_foreign_files_are_told_apart() {
        let mut newer = prepend(Kind::Wdl, 4, b"values");
        newer[8] = 2;
        assert_eq!(check(&newer), Err(Flaw::Newer(2)));
        assert_eq!(check(b"PNG and so on, not a table"), Err(Flaw::Foreign));
    }
}
