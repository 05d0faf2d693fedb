//! How games are written: the head of a file, which says what it is and how its games were made, and then a block for
//! each game, with the number of its samples, which is not 0, a checksum over them, and the samples.

use std::num::NonZeroU8;

use super::super::sample::Sample;
use super::super::self_play::Recipe;

const MAGIC: [u8; 8] = *b"CHGAMES2";
/// The first bytes: the magic ones, the seed, the nodes a move, the checksum of the weights, whether there are any, and
/// the pieces of the tables. The last two are zero.
pub(super) const HEAD_BYTES: usize = 32;
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
    head
}

/// How the games under this head were made, if it is one.
pub(super) fn recipe(head: &[u8]) -> Option<Recipe> {
    if head.len() != HEAD_BYTES || !head.starts_with(&MAGIC) {
        return None;
    }
    let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let weights = (head[28] != 0).then_some(word(24) as u32);
    // The first files did not tell.
    let table_pieces = NonZeroU8::new(head[29]);
    Some(Recipe { seed: word(8), nodes: word(16), weights, table_pieces })
}

/// Are these the bytes of a head that was cut off, or of which zeros took the rest?
pub(super) fn is_begun(head: &[u8]) -> bool {
    let kept = head.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    head[..kept].starts_with(&MAGIC) || MAGIC.starts_with(&head[..kept])
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
