//! How games are written: the head of a file, which says what it is and how its games were made, and then a block for
//! each game, with the number of its samples, which is not 0, a checksum over them, and the samples.

use std::num::{NonZeroU8, NonZeroU16};

use super::super::sample::Sample;
use super::super::self_play::Recipe;

const MAGIC: [u8; MAGIC_BYTES] = *b"CHGAMES3";
/// The version before. Its head is shorter; its games are written in the same way.
const MAGIC_BEFORE: [u8; MAGIC_BYTES] = *b"CHGAMES2";
/// What a file is, and of which version.
pub(super) const MAGIC_BYTES: usize = 8;
/// The first bytes: the magic ones, the seed, the nodes a move, the checksum of the weights, whether there are any, the
/// pieces of the tables, the scale of the scores, the way of playing, and a checksum over all of these.
pub(super) const HEAD_BYTES: usize = 40;
/// Where the checksum of the head is.
const SUM_AT: usize = HEAD_BYTES - 4;
/// The head of the version before ended with the pieces of the tables and two zeros.
const HEAD_BYTES_BEFORE: usize = 32;
/// The version before does not tell its scale: the one that the engine has had since the files in use were made.
const SCALE_BEFORE: NonZeroU16 = NonZeroU16::new(86).expect("86 is not 0");
/// Before the samples of a game: how many there are, and their checksum.
pub(super) const BLOCK_HEAD_BYTES: usize = 8;
/// No game has more samples.
pub(super) const MOST_SAMPLES: u32 = 1000;

/// The head of a file of such games.
pub(super) fn head(recipe: Recipe) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head[..8].copy_from_slice(&MAGIC);
    head[8..16].copy_from_slice(&recipe.seed.to_le_bytes());
    head[16..24].copy_from_slice(&recipe.nodes.to_le_bytes());
    head[24..28].copy_from_slice(&recipe.weights.unwrap_or(0).to_le_bytes());
    head[28] = u8::from(recipe.weights.is_some());
    head[29] = recipe.table_pieces.map_or(0, NonZeroU8::get);
    head[30..32].copy_from_slice(&recipe.scale.get().to_le_bytes());
    head[32..36].copy_from_slice(&recipe.play_version.unwrap_or(0).to_le_bytes());
    let sum = crc32fast::hash(&head[..SUM_AT]);
    head[SUM_AT..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// How long a head is that begins in this way, if one does.
pub(super) fn head_bytes(magic: &[u8]) -> Option<usize> {
    let lengths = [(MAGIC, HEAD_BYTES), (MAGIC_BEFORE, HEAD_BYTES_BEFORE)];
    lengths.iter().find(|(version, _)| magic == version).map(|&(_, bytes)| bytes)
}

/// How the games under this head were made, if it is whole.
pub(super) fn recipe(head: &[u8]) -> Option<Recipe> {
    let recipe = |scale, play_version| Recipe {
        seed: u64::from_le_bytes(field(head, 8)),
        nodes: u64::from_le_bytes(field(head, 16)),
        weights: (head[28] != 0).then(|| u32::from_le_bytes(field(head, 24))),
        // The first files did not tell.
        table_pieces: NonZeroU8::new(head[29]),
        scale,
        play_version,
    };
    if head.len() == HEAD_BYTES_BEFORE && head.starts_with(&MAGIC_BEFORE) {
        return Some(recipe(SCALE_BEFORE, None));
    }
    if head.len() != HEAD_BYTES
        || !head.starts_with(&MAGIC)
        || crc32fast::hash(&head[..SUM_AT]).to_le_bytes() != head[SUM_AT..]
    {
        return None;
    }
    let scale = NonZeroU16::new(u16::from_le_bytes(field(head, 30)))?;
    Some(recipe(scale, Some(u32::from_le_bytes(field(head, 32)))))
}

/// The bytes of a head from a place on.
fn field<const BYTES: usize>(head: &[u8], at: usize) -> [u8; BYTES] {
    head[at..at + BYTES].try_into().expect("as many as were asked for")
}

/// Are these the bytes of a head that was cut off, or of which zeros took the rest?
pub(super) fn is_begun(head: &[u8]) -> bool {
    let kept = head.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let kept = &head[..kept];
    [MAGIC, MAGIC_BEFORE].iter().any(|magic| kept.starts_with(magic) || magic.starts_with(kept))
}

/// The block of a game.
pub(super) fn block(game: &[Sample]) -> Vec<u8> {
    let samples: Vec<u8> = game.iter().flat_map(|sample| sample.to_bytes()).collect();
    let mut block = (game.len() as u32).to_le_bytes().to_vec();
    block.extend(crc32fast::hash(&samples).to_le_bytes());
    block.extend(samples);
    block
}

/// The game that these bytes begin with, if it is whole.
pub(super) fn whole_game(bytes: &[u8]) -> Option<Vec<Sample>> {
    let (&count, bytes) = bytes.split_first_chunk()?;
    let (&sum, bytes) = bytes.split_first_chunk()?;
    let samples = bytes.get(..(u32::from_le_bytes(count) as usize).saturating_mul(Sample::BYTES))?;
    if samples.is_empty() || crc32fast::hash(samples) != u32::from_le_bytes(sum) {
        return None;
    }
    samples.as_chunks().0.iter().map(|&bytes| Sample::from_bytes(bytes)).collect()
}

/// Is the number of samples wrong, at the head of a block that is too short for it? Then the samples that are there are
/// whole, or whole games follow; where a file was cut off it is neither.
pub(super) fn is_miscounted(block: &[u8]) -> bool {
    let fewer = block[BLOCK_HEAD_BYTES..].len() / Sample::BYTES;
    let recounted = [&(fewer as u32).to_le_bytes(), &block[4..]].concat();
    whole_game(&recounted).is_some() || (1..block.len()).any(|at| whole_game(&block[at..]).is_some())
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
    fn a_recipe_is_read_back_as_it_was_written() {
        for recipe in [RECIPE, Recipe { weights: None, ..RECIPE }, Recipe { table_pieces: None, ..RECIPE }] {
            let head = head(recipe);
            assert_eq!(head_bytes(&head[..MAGIC_BYTES]), Some(head.len()));
            assert_eq!(self::recipe(&head), Some(recipe));
        }
    }

    #[test]
    fn a_head_with_a_wrong_bit_or_cut_off_is_none() {
        let head = head(RECIPE);
        for (at, bit) in (0..HEAD_BYTES).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut head = head;
            head[at] ^= 1 << bit;
            assert_eq!(recipe(&head), None, "bit {bit} of byte {at}");
        }
        for cut in 0..HEAD_BYTES {
            assert_eq!(recipe(&head[..cut]), None, "cut at {cut}");
        }
    }
}
