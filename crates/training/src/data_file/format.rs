//! The binary format of training data files: a header with the recipe of the games, then a block for each game: the
//! number of its samples, which is not 0, a checksum over them, and the samples.

use std::num::{NonZeroU8, NonZeroU16};

use crate::sample::Sample;
use crate::self_play::Recipe;

const MAGIC: [u8; MAGIC_BYTES] = *b"CHGAMES3";
/// The previous version. Its header is shorter; its games are written in the same way.
const MAGIC_V2: [u8; MAGIC_BYTES] = *b"CHGAMES2";
/// The length of the magic number, which includes the version.
pub(super) const MAGIC_BYTES: usize = 8;
/// The header: magic number, seed, nodes a move, checksum of the weights, whether there are any, pieces of the tables,
/// scale of the scores, version of self-play, and a checksum over all of these.
pub(super) const HEADER_BYTES: usize = 40;
/// The offset of the checksum in the header.
const CHECKSUM_OFFSET: usize = HEADER_BYTES - 4;
/// The header of the previous version ended with the pieces of the tables and two zeros.
const HEADER_BYTES_V2: usize = 32;
/// The previous version does not state its scale: the one that the engine has had since the files in use were made.
const SCALE_V2: NonZeroU16 = NonZeroU16::new(86).expect("86 is not 0");
/// Before the samples of a game: their number and their checksum.
pub(super) const BLOCK_HEADER_BYTES: usize = 8;
/// No game has more samples.
pub(super) const MAX_SAMPLES: u32 = 1000;

/// The header of a file of such games.
pub(super) fn header(recipe: Recipe) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..16].copy_from_slice(&recipe.seed.to_le_bytes());
    header[16..24].copy_from_slice(&recipe.nodes.to_le_bytes());
    header[24..28].copy_from_slice(&recipe.weights.unwrap_or(0).to_le_bytes());
    header[28] = u8::from(recipe.weights.is_some());
    header[29] = recipe.table_pieces.map_or(0, NonZeroU8::get);
    header[30..32].copy_from_slice(&recipe.scale.get().to_le_bytes());
    header[32..36].copy_from_slice(&recipe.play_version.unwrap_or(0).to_le_bytes());
    let checksum = crc32fast::hash(&header[..CHECKSUM_OFFSET]);
    header[CHECKSUM_OFFSET..].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// The length of the header with this magic number, if it is one of ours.
pub(super) fn header_bytes(magic: &[u8]) -> Option<usize> {
    let lengths = [(MAGIC, HEADER_BYTES), (MAGIC_V2, HEADER_BYTES_V2)];
    lengths.iter().find(|(version, _)| magic == version).map(|&(_, bytes)| bytes)
}

/// The recipe in a header, if it is intact.
pub(super) fn recipe(header: &[u8]) -> Option<Recipe> {
    let recipe = |scale, play_version| Recipe {
        seed: u64::from_le_bytes(field(header, 8)),
        nodes: u64::from_le_bytes(field(header, 16)),
        weights: (header[28] != 0).then(|| u32::from_le_bytes(field(header, 24))),
        // The first files have a 0 here.
        table_pieces: NonZeroU8::new(header[29]),
        scale,
        play_version,
    };
    if header.len() == HEADER_BYTES_V2 && header.starts_with(&MAGIC_V2) {
        return Some(recipe(SCALE_V2, None));
    }
    if header.len() != HEADER_BYTES
        || !header.starts_with(&MAGIC)
        || crc32fast::hash(&header[..CHECKSUM_OFFSET]).to_le_bytes() != header[CHECKSUM_OFFSET..]
    {
        return None;
    }
    let scale = NonZeroU16::new(u16::from_le_bytes(field(header, 30)))?;
    Some(recipe(scale, Some(u32::from_le_bytes(field(header, 32)))))
}

/// The bytes of a header from an offset on.
fn field<const BYTES: usize>(header: &[u8], offset: usize) -> [u8; BYTES] {
    header[offset..offset + BYTES].try_into().expect("the slice has that length")
}

/// Is this the beginning of a header whose rest is missing or zero?
pub(super) fn is_partial_header(header: &[u8]) -> bool {
    let kept = header.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let kept = &header[..kept];
    [MAGIC, MAGIC_V2].iter().any(|magic| kept.starts_with(magic) || magic.starts_with(kept))
}

/// The block of a game.
pub(super) fn block(game: &[Sample]) -> Vec<u8> {
    let samples: Vec<u8> = game.iter().flat_map(|sample| sample.to_bytes()).collect();
    let mut block = (game.len() as u32).to_le_bytes().to_vec();
    block.extend(crc32fast::hash(&samples).to_le_bytes());
    block.extend(samples);
    block
}

/// The game that these bytes begin with, if it is intact.
pub(super) fn read_game(bytes: &[u8]) -> Option<Vec<Sample>> {
    let (&count, bytes) = bytes.split_first_chunk()?;
    let (&sum, bytes) = bytes.split_first_chunk()?;
    let samples = bytes.get(..(u32::from_le_bytes(count) as usize).saturating_mul(Sample::BYTES))?;
    if samples.is_empty() || crc32fast::hash(samples) != u32::from_le_bytes(sum) {
        return None;
    }
    samples.as_chunks().0.iter().map(|&bytes| Sample::from_bytes(bytes)).collect()
}

/// Is the number of samples wrong, at the start of a block that is too short for it? Then the samples that are there
/// match the checksum, or intact games follow; in a truncated file neither is the case.
pub(super) fn is_miscounted(block: &[u8]) -> bool {
    let actual = block[BLOCK_HEADER_BYTES..].len() / Sample::BYTES;
    let recounted = [&(actual as u32).to_le_bytes(), &block[4..]].concat();
    read_game(&recounted).is_some() || (1..block.len()).any(|at| read_game(&block[at..]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: Recipe = Recipe {
        seed: u64::MAX - 5,
        nodes: 100,
        weights: Some(0x1234_5678),
        table_pieces: NonZeroU8::new(6),
        scale: NonZeroU16::new(300).unwrap(),
        play_version: Some(70_000),
    };

    #[test]
    fn a_recipe_round_trips_through_the_header() {
        for recipe in [RECIPE, Recipe { weights: None, ..RECIPE }, Recipe { table_pieces: None, ..RECIPE }] {
            let header = header(recipe);
            assert_eq!(header_bytes(&header[..MAGIC_BYTES]), Some(header.len()));
            assert_eq!(self::recipe(&header), Some(recipe));
        }
    }

    #[test]
    fn a_header_with_a_wrong_bit_or_a_missing_end_is_rejected() {
        let header = header(RECIPE);
        for (at, bit) in (0..HEADER_BYTES).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut header = header;
            header[at] ^= 1 << bit;
            assert_eq!(recipe(&header), None, "bit {bit} of byte {at}");
        }
        for cut in 0..HEADER_BYTES {
            assert_eq!(recipe(&header[..cut]), None, "cut at {cut}");
        }
    }
}
