//! Builds the WDL and DTW tables of one number of pieces from the finished tables of fewer pieces.

use super::partial_table::{PartialSlice, PartialTable};
use super::{Build, Progress};
use crate::atomic_file::{self, Durability};
use crate::error::Error;
use crate::expand::expand;
use crate::header::Kind;
use crate::index::SliceIndex;
use crate::material::Material;
use crate::retrograde::{Method, SlicePair};
use crate::section;
use crate::solved_slices::SolvedSlices;
use crate::value::Value;

/// The build of the tables of one number of pieces.
pub(super) struct TableBuild<'a> {
    build: &'a Build,
    pieces: u32,
    with_distances: bool,
    parts: PartialTable,
    /// All slices with fewer pieces, and those with this number of pieces that are in memory.
    solved: &'a mut SolvedSlices,
}

impl<'a> TableBuild<'a> {
    pub(super) fn new(
        build: &'a Build,
        pieces: u32,
        with_distances: bool,
        solved: &'a mut SolvedSlices,
    ) -> Result<TableBuild<'a>, Error> {
        let parts = PartialTable::open(&build.folder, pieces)?;
        Ok(TableBuild { build, pieces, with_distances, parts, solved })
    }

    pub(super) fn build(mut self, progress: &(impl Fn(Progress) + Sync)) -> Result<(), Error> {
        for pair in Material::pairs(self.pieces) {
            let mut files = pair.iter().flat_map(|&m| self.kinds().iter().map(move |&kind| (kind, m)));
            if files.all(|(kind, material)| self.parts.contains(kind, material)) {
                progress(Progress::Found(pair.iter().map(|&m| SliceIndex::new(m).positions()).sum()));
            } else {
                progress(Progress::Slice(pair[0]));
                self.make_room(&pair)?;
                self.load_crowned(&pair);
                self.solve(&pair, progress)?;
            }
        }
        for &kind in self.kinds() {
            let whole = self.parts.join(kind).expect("every slice has just been made or found");
            let path = self.build.folder.join(kind.file_name(self.pieces));
            atomic_file::write_atomically(&path, &whole, Durability::PowerLoss)?;
        }
        PartialTable::remove(&self.build.folder, self.pieces)
    }

    fn kinds(&self) -> &'static [Kind] {
        if self.with_distances { &[Kind::Wdl, Kind::Dtw] } else { &[Kind::Wdl] }
    }

    fn solve(&mut self, pair: &[Material], progress: &(impl Fn(Progress) + Sync)) -> Result<(), Error> {
        let threads = self.build.threads.get();
        let method = Method { distances: self.with_distances, threads };
        let done = |positions| progress(Progress::Done(positions));
        let solved = SlicePair::solve(pair[0], self.solved, method, &done);
        for (&material, values) in pair.iter().zip(solved) {
            if values.iter().any(|&value| Value(value) == Value::TOO_FAR) {
                return Err(Error::TooFar(material.to_string()));
            }
            for &kind in self.kinds() {
                let section = self.pack(kind, material, &values);
                self.parts.write(kind, material, &section)?;
            }
            self.solved.insert(material, values, self.with_distances);
        }
        Ok(())
    }

    fn pack(&self, kind: Kind, material: Material, values: &[u8]) -> Vec<u8> {
        let (indexing, threads) = (SliceIndex::new(material), self.build.threads.get());
        let compact = !self.with_distances && self.pieces >= self.build.compact_from;
        match kind {
            Kind::Wdl => section::pack_wdl(&indexing, values, compact, threads),
            Kind::Dtw => section::pack_dtw(&indexing, values, threads),
        }
    }

    /// Loads the slices with this number of pieces that a pair leads to by crowning a man.
    fn load_crowned(&mut self, pair: &[Material]) {
        for material in pair.iter().filter_map(|material| material.crowned()) {
            if self.solved.contains(material) {
                continue;
            }
            let twins = material.twins();
            // Values that are not stored depend on the slices that these lead to in turn.
            self.load_crowned(&twins);
            let found: Vec<_> = twins.iter().filter_map(|&material| self.parts.read(material)).collect();
            let packed: Vec<_> = found.iter().map(PartialSlice::packed).collect();
            let values = expand(&packed, &*self.solved, self.build.threads.get());
            for (material, values) in twins.into_iter().zip(values) {
                self.solved.insert(material, values, self.with_distances);
            }
        }
    }

    /// Drops slices that a pair does not need if the memory is too small for all of them.
    fn make_room(&mut self, pair: &[Material]) -> Result<(), Error> {
        let positions = |material: &Material| SliceIndex::new(*material).positions();
        let mut needed = Vec::new();
        self.collect_needed(pair, &mut needed);
        let missing = || needed.iter().filter(|&&material| !self.solved.contains(material)).map(positions);
        // Solving takes a byte for each position, about as much again for packing, and working memory for one subslice
        // per thread: three bytes for each position with either side to move.
        let units = 3 * 2 * SliceIndex::new(pair[0]).kings() * self.build.threads.get() as u64;
        let solving = 2 * pair.iter().map(positions).sum::<u64>() + units;
        // Loading takes the values that stay in memory, and two copies of a pair until it is complete.
        let per_byte = if self.with_distances { 1 } else { 4 };
        let loading = missing().sum::<u64>() / per_byte + 2 * 2 * missing().max().unwrap_or(0);
        let own = solving + loading;
        let (pieces, men) = (self.pieces, pair[0].men());
        if self.solved.bytes() + own > self.build.memory {
            // Pairs come in order of their number of men, and crowning removes one man: no later pair leads to
            // slices with still fewer men.
            self.solved.retain(|m| m.pieces() < pieces || m.men() + 1 >= men || needed.contains(&m));
        }
        if self.solved.bytes() + own > self.build.memory {
            self.solved.retain(|m| m.pieces() < pieces || needed.contains(&m));
        }
        let total = self.solved.bytes() + own;
        if total > self.build.memory {
            return Err(Error::Memory {
                slice: pair[0].to_string(),
                needed: total.div_ceil(1 << 20),
                allowed: self.build.memory >> 20,
            });
        }
        Ok(())
    }

    /// Collects the slices that [`load_crowned`](TableBuild::load_crowned) will need.
    fn collect_needed(&self, pair: &[Material], needed: &mut Vec<Material>) {
        for material in pair.iter().filter_map(|material| material.crowned()) {
            if !needed.contains(&material) {
                needed.extend(material.twins());
                if !self.solved.contains(material) {
                    self.collect_needed(&material.twins(), needed);
                }
            }
        }
    }
}
