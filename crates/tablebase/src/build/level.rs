//! The tables of one number of pieces, when those of fewer are finished.

use super::parts::{Part, Parts};
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
        Parts::remove(&self.build.folder, self.pieces)
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
                let section = self.pack(kind, material, &values);
                self.parts.write(kind, material, &section)?;
            }
            self.store.insert(material, values, self.with_distances);
        }
        Ok(())
    }

    fn pack(&self, kind: Kind, material: Material, values: &[u8]) -> Vec<u8> {
        let (layout, threads) = (Layout::new(material), self.build.threads.get());
        let compact = !self.with_distances && self.pieces >= self.build.compact_from;
        match kind {
            Kind::Wdl => section::pack_wdl(&layout, values, compact, threads),
            Kind::Plies => section::pack_plies(&layout, values, threads),
        }
    }

    /// Sees to it that the slices of this level which a pair leads to are at hand.
    fn load_crowned(&mut self, pair: &[Material]) {
        for material in pair.iter().filter_map(|material| material.crowned()) {
            if self.store.contains(material) {
                continue;
            }
            let twins = material.twins();
            // What is not stored is found from the slices that these lead to in turn.
            self.load_crowned(&twins);
            let found: Vec<_> = twins.iter().filter_map(|&material| self.parts.read(material)).collect();
            let packed: Vec<_> = found.iter().map(Part::packed).collect();
            let values = expand(&packed, &*self.store, self.build.threads.get());
            for (material, values) in twins.into_iter().zip(values) {
                self.store.insert(material, values, self.with_distances);
            }
        }
    }

    /// Drops what a pair does not need if the memory would not do for everything.
    fn make_room(&mut self, pair: &[Material]) -> Result<(), Error> {
        let positions = |material: &Material| Layout::new(*material).positions();
        let mut needed = Vec::new();
        self.collect_needed(pair, &mut needed);
        let missing = || needed.iter().filter(|&&material| !self.store.contains(material)).map(positions);
        // To solve: a byte for each position, about as much to pack them, a few for each one of the units at work.
        let units = 3 * 2 * Layout::new(pair[0]).kings() * self.build.threads.get() as u64;
        let solving = 2 * pair.iter().map(positions).sum::<u64>() + units;
        // To load: what stays, and a pair twice until it is complete.
        let per_byte = if self.with_distances { 1 } else { 4 };
        let loading = missing().sum::<u64>() / per_byte + 2 * 2 * missing().max().unwrap_or(0);
        let own = solving + loading;
        let (pieces, men) = (self.pieces, pair[0].men());
        if self.store.bytes() + own > self.build.memory {
            // Pairs come by their number of men, and a crowning takes one: these are done with.
            self.store.retain(|m| m.pieces() < pieces || m.men() + 1 >= men || needed.contains(&m));
        }
        if self.store.bytes() + own > self.build.memory {
            self.store.retain(|m| m.pieces() < pieces || needed.contains(&m));
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

    /// Collects the slices of this level that [`load_crowned`](Level::load_crowned) will need.
    fn collect_needed(&self, pair: &[Material], needed: &mut Vec<Material>) {
        for material in pair.iter().filter_map(|material| material.crowned()) {
            if !needed.contains(&material) {
                needed.extend(material.twins());
                if !self.store.contains(material) {
                    self.collect_needed(&material.twins(), needed);
                }
            }
        }
    }
}
