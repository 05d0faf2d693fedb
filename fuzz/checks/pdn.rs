//! Whatever reads as games is written and read back the same without a warning, and it does not matter in what
//! pieces it comes.

use std::num::NonZero;

use crownhead_pdn::{ReadGame, Reader, Warning, read_str};

pub(crate) fn check(bytes: &[u8]) {
    let Some((games, leftovers)) = read(bytes, 64 * 1024) else { return };
    // The first byte says how large the pieces are; that it is part of the file too does no harm.
    let chunk = usize::from(bytes.first().copied().unwrap_or_default()) + 1;
    assert!(read(bytes, chunk) == Some((games.clone(), leftovers)), "read in pieces of {chunk} it differs");
    for read in games {
        let text = read.game.to_string();
        let again: Vec<_> = read_str(&text).collect();
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].game, read.game, "{text}");
        assert_eq!(again[0].warnings, [], "{text}");
        assert!(again[0].replayed, "{text}");
    }
}

fn read(bytes: &[u8], chunk: usize) -> Option<(Vec<ReadGame>, Vec<Warning>)> {
    let mut reader = Reader::with_chunk(bytes, NonZero::new(chunk)?);
    let games = reader.by_ref().collect::<Result<_, _>>().ok()?;
    Some((games, reader.leftovers().to_vec()))
}
