//! The section of a table file for one slice: its counts, and its values in blocks that are decoded one at a time.

use crate::board_cursor::BoardCursor;
use crate::cached_block::CachedBlock;
use crate::dtw::{self, DtwModel, LossDistances};
use crate::index::SliceIndex;
use crate::model::{Code, Model};
use crate::packed_wdl::{self, PackedWdl};
use crate::runs::{self, Run, RunModel};
use crate::threads;
use crate::value::Value;
use crate::value_source::ValueSource;

/// The number of positions in a block. Larger blocks make smaller files, smaller ones are decoded faster.
pub(crate) const BLOCK: usize = 1 << 14;
const _: () = assert!(BLOCK <= runs::MAX_BLOCK);

/// The form byte of a slice whose values are coded in blocks. A smaller form byte is the value of all its positions.
const CODED: u8 = 3;
/// This bit of the form byte is set if threatened positions are left out.
const COMPACT: u8 = 0x80;

/// One slice of a table.
pub(crate) trait Section: Sized {
    /// Parses a section that lies at `base` in a file.
    fn read(indexing: &SliceIndex, bytes: &[u8], base: usize) -> Option<Self>;

    /// The number of coded blocks.
    fn blocks(&self) -> usize;
}

/// A slice of win, draw and loss.
pub(crate) struct WdlSection {
    pub(crate) counts: WdlCounts,
    /// Are threatened positions left out?
    pub(crate) compact: bool,
    values: Blocks<RunModel>,
}

/// A slice of the distances of losses.
pub(crate) struct DtwSection {
    pub(crate) longest: LongestDtw,
    values: Blocks<DtwModel>,
}

/// The numbers of wins, losses and draws for the side to move in a slice, including positions with a capture due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WdlCounts {
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    pub(crate) draws: u64,
}

/// The longest win and the longest loss of a slice in plies, each with the index of the first such position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LongestDtw {
    pub(crate) win: Option<(u8, u64)>,
    pub(crate) loss: Option<(u8, u64)>,
}

/// The location of the values of the blocks.
enum Blocks<M> {
    /// Every value is this one.
    Uniform(u8),
    /// Block `n` lies between `starts[n]` and `starts[n + 1]`, relative to `base`.
    Coded { model: Box<M>, base: usize, starts: Box<[u32]> },
}

impl WdlCounts {
    pub(crate) fn of(values: &[u8]) -> WdlCounts {
        let mut counts = [0; 3];
        for &value in values {
            counts[usize::from(packed_wdl::code(Value(value)))] += 1;
        }
        let [losses, wins, draws] = counts;
        WdlCounts { wins, losses, draws }
    }
}

impl LongestDtw {
    pub(crate) fn of(values: &[u8]) -> LongestDtw {
        let first_of = |win: bool| {
            let plies = values.iter().filter_map(|&value| Value(value).plies());
            let longest = plies.filter(|plies| (plies % 2 == 1) == win).max()?;
            let index = values.iter().position(|&value| value == longest)?;
            Some((longest, index as u64))
        };
        LongestDtw { win: first_of(true), loss: first_of(false) }
    }
}

/// Packs the WDL section of a slice; `values` has one byte for each position.
pub(crate) fn pack_wdl(indexing: &SliceIndex, values: &[u8], compact: bool, threads: usize) -> Vec<u8> {
    let blocks = map_blocks(indexing, values, compact, threads, |stored| runs::runs(stored));
    let WdlCounts { wins, losses, draws } = WdlCounts::of(values);
    let mut bytes = Vec::new();
    for count in [wins, losses, draws] {
        write_varint(&mut bytes, count);
    }
    let form = bytes.len();
    match uniform_code(&blocks) {
        Some(code) => bytes.push(code),
        None => pack_blocks::<{ runs::PROBABILITIES }>(&mut bytes, &blocks, threads),
    }
    bytes[form] |= if compact { COMPACT } else { 0 };
    bytes
}

/// Packs the DTW section of a slice; `values` has one byte for each position.
pub(crate) fn pack_dtw(indexing: &SliceIndex, values: &[u8], threads: usize) -> Vec<u8> {
    let blocks =
        map_blocks(indexing, values, false, threads, |stored| LossDistances::new(stored, indexing.stride()));
    let LongestDtw { win, loss } = LongestDtw::of(values);
    let mut bytes = Vec::new();
    for example in [win, loss] {
        // A leading 0 means that there is none.
        write_varint(&mut bytes, example.map_or(0, |(plies, _)| u64::from(plies) + 1));
        write_varint(&mut bytes, example.map_or(0, |(_, index)| index));
    }
    if blocks.iter().all(LossDistances::is_empty) {
        bytes.push(0);
    } else {
        pack_blocks::<{ dtw::PROBABILITIES }>(&mut bytes, &blocks, threads);
    }
    bytes
}

/// The results of `pack` for each block, given its values, `None` where none is stored.
fn map_blocks<T: Send>(
    indexing: &SliceIndex,
    values: &[u8],
    compact: bool,
    threads: usize,
    pack: impl Fn(&mut dyn Iterator<Item = Option<Value>>) -> T + Sync,
) -> Vec<T> {
    debug_assert_eq!(values.len() as u64, indexing.positions());
    threads::map(threads, values.len().div_ceil(BLOCK), |number| {
        let start = number * BLOCK;
        let mut cursor = BoardCursor::new(indexing, start as u64);
        pack(&mut values[start..values.len().min(start + BLOCK)].iter().map(|&value| {
            let stored = ValueSource::of(cursor.board(), compact) == ValueSource::Stored;
            cursor.step();
            stored.then_some(Value(value))
        }))
    })
}

fn uniform_code(blocks: &[Vec<Run>]) -> Option<u8> {
    let mut codes = blocks.iter().flatten().map(|run| run.code);
    let first = codes.next()?;
    codes.all(|code| code == first).then_some(first)
}

fn pack_blocks<const N: usize>(bytes: &mut Vec<u8>, blocks: &[impl Code + Sync], threads: usize) {
    let model: Model<N> = Model::fit(blocks.iter());
    let coded = threads::map(threads, blocks.len(), |number| model.encode(&blocks[number]));
    bytes.push(CODED);
    bytes.extend(model.bytes());
    for block in &coded {
        write_varint(bytes, block.len() as u64);
    }
    bytes.extend(coded.into_iter().flatten());
}

impl Section for WdlSection {
    fn read(indexing: &SliceIndex, bytes: &[u8], base: usize) -> Option<WdlSection> {
        let mut rest = bytes;
        let mut number = || read_varint(&mut rest);
        let counts = WdlCounts { wins: number()?, losses: number()?, draws: number()? };
        let (&form, rest) = rest.split_first()?;
        let values = Blocks::read(indexing, form & !COMPACT, rest, base + bytes.len() - rest.len())?;
        Some(WdlSection { counts, compact: form & COMPACT != 0, values })
    }

    fn blocks(&self) -> usize {
        self.values.len()
    }
}

impl WdlSection {
    /// The value of all stored positions, if it is the same.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<Value> {
        match self.values {
            Blocks::Uniform(code) => Some(packed_wdl::value(code)),
            Blocks::Coded { .. } => None,
        }
    }

    /// Visits the runs of equal values of a block. Values of positions that are not stored are meaningless.
    #[inline]
    fn each_run(
        &self,
        file: &[u8],
        indexing: &SliceIndex,
        block: usize,
        mut visit: impl FnMut(usize, usize, Value),
    ) {
        let len = block_len(indexing, block);
        match &self.values {
            Blocks::Uniform(code) => visit(0, len, packed_wdl::value(*code)),
            Blocks::Coded { model, base, starts } => {
                let bytes = &file[base + starts[block] as usize..base + starts[block + 1] as usize];
                runs::decode(model, bytes, len, visit);
            }
        }
    }

    /// Decodes a block for a pass over all its values.
    pub(crate) fn decode(&self, file: &[u8], indexing: &SliceIndex, block: usize) -> PackedWdl {
        let mut values = PackedWdl::new(block_len(indexing, block));
        self.each_run(file, indexing, block, |start, end, value| values.fill(start, end, value));
        values
    }

    /// Decodes a block in the form that the cache holds.
    pub(crate) fn decode_for_cache(&self, file: &[u8], indexing: &SliceIndex, block: usize) -> CachedBlock {
        let mut runs = Vec::new();
        self.each_run(file, indexing, block, |start, _, value| runs.push((start as u16, value)));
        CachedBlock::new(&runs, block_len(indexing, block))
    }
}

impl Section for DtwSection {
    fn read(indexing: &SliceIndex, bytes: &[u8], base: usize) -> Option<DtwSection> {
        let mut rest = bytes;
        let mut example = || {
            let (plies, index) = (read_varint(&mut rest)?, read_varint(&mut rest)?);
            let possible = plies <= u64::from(Value::MAX_PLIES) + 1 && index < indexing.positions();
            possible.then(|| plies.checked_sub(1).map(|plies| (plies as u8, index)))
        };
        let longest = LongestDtw { win: example()?, loss: example()? };
        let (&form, rest) = rest.split_first()?;
        let values = Blocks::read(indexing, form, rest, base + bytes.len() - rest.len())?;
        Some(DtwSection { longest, values })
    }

    fn blocks(&self) -> usize {
        self.values.len()
    }
}

impl DtwSection {
    /// Decodes the distances of all stored losses of a block.
    pub(crate) fn decode(
        &self,
        file: &[u8],
        indexing: &SliceIndex,
        block: usize,
        wdl: &PackedWdl,
    ) -> LossDistances {
        let mut cursor = BoardCursor::new(indexing, (block * BLOCK) as u64);
        let stored = (0..block_len(indexing, block)).map(|index| {
            let stored =
                wdl.get(index).is_loss() && ValueSource::of(cursor.board(), false) == ValueSource::Stored;
            cursor.step();
            stored
        });
        match &self.values {
            Blocks::Uniform(_) => LossDistances::none(stored.len()),
            Blocks::Coded { model, base, starts } => {
                let bytes = &file[base + starts[block] as usize..base + starts[block + 1] as usize];
                dtw::decode(model, bytes, indexing.stride(), stored)
            }
        }
    }
}

impl<const N: usize> Blocks<Model<N>> {
    fn read(indexing: &SliceIndex, form: u8, bytes: &[u8], base: usize) -> Option<Blocks<Model<N>>> {
        if form < CODED {
            return bytes.is_empty().then_some(Blocks::Uniform(form));
        }
        let (model, mut rest) = Model::split_from(bytes)?;
        let count = usize::try_from(indexing.positions().div_ceil(BLOCK as u64)).ok()?;
        let mut starts = vec![0_u32];
        for _ in 0..count {
            let start = starts[starts.len() - 1];
            starts.push(start.checked_add(u32::try_from(read_varint(&mut rest)?).ok()?)?);
        }
        if form != CODED || rest.len() != starts[count] as usize {
            return None;
        }
        let base = base + bytes.len() - rest.len();
        Some(Blocks::Coded { model: model.into(), base, starts: starts.into() })
    }

    fn len(&self) -> usize {
        match self {
            Blocks::Uniform(_) => 0,
            Blocks::Coded { starts, .. } => starts.len() - 1,
        }
    }
}

/// The number of positions in a block; the last one may have fewer.
pub(crate) fn block_len(indexing: &SliceIndex, block: usize) -> usize {
    (indexing.positions() - (block * BLOCK) as u64).min(BLOCK as u64) as usize
}

/// Writes a number as LEB128: seven bits per byte, the lowest first; all bytes but the last have their highest bit set.
pub(crate) fn write_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads what [`write_varint`] wrote; `None` if it is malformed.
pub(crate) fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
