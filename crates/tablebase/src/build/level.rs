//! The tables of one number of pieces, when those of fewer are finished.

use super::parts::Parts;
use super::{Build, Progress};
use crate::envelope::Kind;
use crate::error::Error;
use crate::expand::expand;
use crate::files::{self, Lasting};
use crate::index::Layout;
use crate::material::Material;
use crate::section;
use crate::solve::{Method, Pair};
use crate::store::Store;
use crate::value::Value;

/// The work on one number of pieces.
pub(super) struct Level<'a> {
    build: &'a Build,
    pieces: u32,
    with_distances: bool,
    parts: Parts,
    /// All slices with fewer pieces, and those of this level that are at hand.
    store: &'a mut Store,
}

impl<'a> Level<'a> {
    pub(super) fn new(
        build: &'a Build,
        pieces: u32,
        with_distances: bool,
        store: &'a mut Store,
    ) -> Result<Level<'a>, Error> {
        let parts = Parts::open(&build.folder, pieces)?;
        Ok(Level { build, pieces, with_distances, parts, store })
    }

    pub(super) fn build(mut self, progress: &(impl Fn(Progress) + Sync)) -> Result<(), Error> {
        for pair in Material::pairs(self.pieces) {
            let mut files = pair.iter().flat_map(|&m| self.kinds().iter().map(move |&kind| (kind, m)));
            if files.all(|(kind, material)| self.parts.contains(kind, material)) {
                progress(Progress::Found(pair.iter().map(|&m| Layout::new(m).positions()).sum()));
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
            files::write_whole(&path, &whole, Lasting::PowerCut)?;
        }
        self.parts.remove()
    }

    fn kinds(&self) -> &'static [Kind] {
        if self.with_distances { &[Kind::Wdl, Kind::Plies] } else { &[Kind::Wdl] }
    }

    fn solve(&mut self, pair: &[Material], progress: &(impl Fn(Progress) + Sync)) -> Result<(), Error> {
        let threads = self.build.threads.get();
        let method = Method { distances: self.with_distances, threads };
        let done = |positions| progress(Progress::Done(positions));
        let solved = Pair::solve(pair[0], self.store, method, &done);
        for (&material, values) in pair.iter().zip(solved) {
            if values.iter().any(|&value| Value(value) == Value::TOO_FAR) {
                return Err(Error::TooFar(material.to_string()));
            }
            for &kind in self.kinds() {
                let section = section::pack(kind, &Layout::new(material), &values, threads);
                self.parts.write(kind, material, &section)?;
            }
            self.store.insert(material, values, self.with_distances);
        }
        Ok(())
    }

    /// Sees to it that the slices of this level which a pair leads to are at hand.
    fn load_crowned(&mut self, pair: &[Material]) {
        for material in pair.iter().filter_map(|material| material.crowned()) {
            if self.store.contains(material) {
                continue;
            }
            let twins = material.twins();
            if self.with_distances {
                // The distances of wins come from the slices that these lead to in turn.
                self.load_crowned(&twins);
            }
            let found: Vec<_> = twins.iter().filter_map(|&material| self.parts.read(material)).collect();
            let packed: Vec<_> = found.iter().map(|part| part.packed()).collect();
            let values = expand(&packed, &*self.store, self.build.threads.get());
            for (material, values) in twins.into_iter().zip(values) {
                self.store.insert(material, values, self.with_distances);
            }
        }
    }

    /// Drops what a pair does not need if the memory would not do for everything.
    fn make_room(&mut self, pair: &[Material]) -> Result<(), Error> {
        let positions: u64 = pair.iter().map(|&m| Layout::new(m).positions()).sum();
        let unit = 2 * Layout::new(pair[0]).kings();
        let needed: Vec<_> = pair.iter().filter_map(|m| m.crowned()).flat_map(Material::twins).collect();
        // A byte for each position, a few for each one of the units at work, and the slices that are still to be loaded.
        let to_load =
            needed.iter().filter(|&&m| !self.store.contains(m)).map(|&m| Layout::new(m).positions());
        let own = positions + 3 * unit * self.build.threads.get() as u64 + to_load.sum::<u64>();
        if self.store.bytes() + own > self.build.memory {
            self.store.retain(|m| m.pieces() < self.pieces || needed.contains(&m));
        }
        let total = self.store.bytes() + own;
        if total > self.build.memory {
            return Err(Error::Memory {
                slice: pair[0].to_string(),
                needed: total.div_ceil(1 << 20),
                allowed: self.build.memory >> 20,
            });
        }
        Ok(())
    }
}
