//! The tablebase: loads tables that are embedded in the program, given as bytes, or stored in a folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::{fmt, fs, io};

use crate::cache::Cache;
use crate::cached_block::CachedBlock;
use crate::dtw::LossDistances;
use crate::embedded;
use crate::error::{Error, Flaw};
use crate::expand::Packed;
use crate::header::Kind;
use crate::index::SliceIndex;
use crate::material::{MAX_PIECES, Material};
use crate::section::{DtwSection, Section, WdlSection};
use crate::table_file::{AnyTableFile, TableFile};
use crate::value::Value;

/// The default memory limit of each cache of decoded blocks: room for all values of 6 pieces and all distances of 5.
const CACHE_BYTES: usize = 256 << 20;

/// Tables of all positions with few pieces. Cheap to clone; many threads can probe it at once.
#[derive(Clone)]
pub struct Tablebase {
    pub(crate) loaded: Arc<LoadedTables>,
}

/// The tables with their caches, ready to be probed.
pub(crate) struct LoadedTables {
    tables: BTreeMap<(Kind, u32), AnyTableFile>,
    /// By [`Material::code`].
    slices: Vec<Option<Slice>>,
    pub(crate) wdl_cache: Cache<CachedBlock>,
    pub(crate) dtw_cache: Cache<LossDistances>,
    max_pieces: u32,
    max_distance_pieces: u32,
}

/// The location of the values of a slice.
pub(crate) struct Slice {
    pub(crate) indexing: SliceIndex,
    /// The value of all stored positions, if it is the same.
    pub(crate) uniform: Option<Value>,
    /// Are threatened positions left out?
    pub(crate) compact: bool,
    pub(crate) wdl: SectionRef<WdlSection>,
    pub(crate) dtw: Option<SectionRef<DtwSection>>,
}

/// A reference to a section of a table.
pub(crate) struct SectionRef<S> {
    pub(crate) table: Arc<TableFile<S>>,
    /// Its index in the table.
    section: usize,
    /// The cache slot of its first block.
    pub(crate) slot: usize,
}

impl Tablebase {
    /// The tables that come with the program: win, draw and loss of up to 4 pieces, and distances of up to 4 (3 in
    /// the browser).
    pub fn embedded() -> Tablebase {
        static EMBEDDED: OnceLock<Tablebase> = OnceLock::new();
        let read =
            |&bytes| AnyTableFile::read(Cow::Borrowed(bytes)).expect("a test reads the embedded files");
        EMBEDDED.get_or_init(|| Tablebase::of(embedded::FILES.iter().map(read), CACHE_BYTES)).clone()
    }

    /// A tablebase without tables.
    pub fn empty() -> Tablebase {
        Tablebase::of([], CACHE_BYTES)
    }

    /// The same tables and one more, given as the bytes of its file. It replaces a table of the same kind for the same
    /// number of pieces.
    ///
    /// # Errors
    /// If the bytes are not a complete, undamaged table.
    pub fn with(&self, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Tablebase, Flaw> {
        Ok(self.and([AnyTableFile::read(bytes.into())?]))
    }

    /// The same tables and those of a folder, with an error for each file there that cannot be used. A missing folder
    /// counts as an empty one.
    pub fn with_folder(&self, folder: &Path) -> (Tablebase, Vec<Error>) {
        let (mut tables, mut complaints) = (Vec::new(), Vec::new());
        match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (self.clone(), complaints),
            Err(error) => return (self.clone(), vec![Error::io("read the folder", folder)(error)]),
            Ok(_) => {}
        }
        let files = (2..=MAX_PIECES).flat_map(|pieces| [(Kind::Wdl, pieces), (Kind::Dtw, pieces)]);
        for (kind, pieces) in files {
            match read_file(folder, kind, pieces) {
                Ok(table) => tables.extend(table),
                Err(error) => complaints.push(error),
            }
        }
        let all = self.and(tables);
        // Tables that depend on an unreadable one need no complaint of their own.
        if complaints.is_empty() {
            complaints.extend(all.loaded.unusable());
        }
        (all, complaints)
    }

    /// The same tables with another memory limit for decoded blocks, which holds for values and for distances
    /// separately.
    pub fn with_cache(&self, bytes: usize) -> Tablebase {
        Tablebase::of(self.loaded.tables.values().cloned(), bytes)
    }

    /// The same tables with distances for at most this many pieces; beyond that, WDL only.
    pub fn with_distances_up_to(&self, pieces: u32) -> Tablebase {
        let kept = |table: &&AnyTableFile| table.kind() == Kind::Wdl || table.pieces() <= pieces;
        Tablebase::of(self.loaded.tables.values().filter(kept).cloned(), self.loaded.wdl_cache.limit())
    }

    /// Every position with this many pieces or fewer is in the tables. 1 if there are none: a single piece on the
    /// board needs no table.
    #[inline]
    pub fn max_pieces(&self) -> u32 {
        self.loaded.max_pieces
    }

    /// Distances are known with this many pieces or fewer.
    #[inline]
    pub fn max_distance_pieces(&self) -> u32 {
        self.loaded.max_distance_pieces
    }

    fn and(&self, more: impl IntoIterator<Item = AnyTableFile>) -> Tablebase {
        let tables = self.loaded.tables.values().cloned();
        Tablebase::of(tables.chain(more), self.loaded.wdl_cache.limit())
    }

    fn of(tables: impl IntoIterator<Item = AnyTableFile>, cache_bytes: usize) -> Tablebase {
        let tables: BTreeMap<_, _> =
            tables.into_iter().map(|table| ((table.kind(), table.pieces()), table)).collect();
        let mut slices: Vec<_> = (0..Material::CODES).map(|_| None).collect();
        let (mut wdl_slots, mut dtw_slots) = (0, 0);
        let (mut max_pieces, mut max_distance_pieces) = (1, 1);
        // Captures lead to positions with fewer pieces, so a table needs all smaller ones.
        while let Some(AnyTableFile::Wdl(wdl)) = tables.get(&(Kind::Wdl, max_pieces + 1)) {
            let dtw = match tables.get(&(Kind::Dtw, wdl.pieces)) {
                Some(AnyTableFile::Dtw(dtw)) if max_distance_pieces == max_pieces => Some(dtw),
                _ => None,
            };
            for (section, material) in Material::all(wdl.pieces).into_iter().enumerate() {
                let wdl = SectionRef::new(wdl, section, &mut wdl_slots);
                slices[material.code()] = Some(Slice {
                    indexing: SliceIndex::new(material),
                    uniform: wdl.section().uniform(),
                    compact: wdl.section().compact,
                    wdl,
                    dtw: dtw.map(|dtw| SectionRef::new(dtw, section, &mut dtw_slots)),
                });
            }
            max_pieces += 1;
            max_distance_pieces += u32::from(dtw.is_some());
        }
        let wdl_cache = Cache::new(wdl_slots, cache_bytes);
        let dtw_cache = Cache::new(dtw_slots, cache_bytes);
        let loaded = LoadedTables { tables, slices, wdl_cache, dtw_cache, max_pieces, max_distance_pieces };
        Tablebase { loaded: Arc::new(loaded) }
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("max_pieces", &self.max_pieces())
            .field("max_distance_pieces", &self.max_distance_pieces())
            .finish_non_exhaustive()
    }
}

impl LoadedTables {
    /// Errors for tables that lack a smaller one, or one of the other kind.
    fn unusable(&self) -> impl Iterator<Item = Error> {
        let missing = |kind, pieces| match kind {
            Kind::Wdl => (pieces > self.max_pieces).then(|| Kind::Wdl.file_name(self.max_pieces + 1)),
            Kind::Dtw => (pieces > self.max_distance_pieces).then(|| {
                let kind = if self.max_distance_pieces == self.max_pieces { Kind::Wdl } else { Kind::Dtw };
                kind.file_name(self.max_distance_pieces + 1)
            }),
        };
        self.tables.keys().filter_map(move |&(kind, pieces)| {
            Some(Error::Alone { name: kind.file_name(pieces), missing: missing(kind, pieces)? })
        })
    }

    #[inline]
    pub(crate) fn slice(&self, material: Material) -> Option<&Slice> {
        self.slices.get(material.code())?.as_ref()
    }

    /// The packed values of a slice.
    pub(crate) fn packed(&self, material: Material, distances: bool) -> Option<Packed<'_>> {
        let slice = self.slice(material)?;
        let dtw = match &slice.dtw {
            Some(dtw) if distances => Some((&dtw.table.bytes[..], dtw.section())),
            None if distances => return None,
            _ => None,
        };
        Some(Packed { indexing: slice.indexing, wdl: (&slice.wdl.table.bytes, slice.wdl.section()), dtw })
    }
}

impl<S: Section> SectionRef<S> {
    fn new(table: &Arc<TableFile<S>>, section: usize, slots: &mut usize) -> SectionRef<S> {
        let slot = *slots;
        *slots += table.sections[section].blocks();
        SectionRef { table: Arc::clone(table), section, slot }
    }

    pub(crate) fn section(&self) -> &S {
        &self.table.sections[self.section]
    }
}

/// Reads the table for a number of pieces from a folder, if it has one.
pub(crate) fn read_file(folder: &Path, kind: Kind, pieces: u32) -> Result<Option<AnyTableFile>, Error> {
    let path = folder.join(kind.file_name(pieces));
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path)(error)),
    };
    let table = AnyTableFile::read(bytes.into()).and_then(|table| {
        let as_named = table.kind() == kind && table.pieces() == pieces;
        if as_named { Ok(table) } else { Err(Flaw::Misnamed) }
    });
    table.map(Some).map_err(Error::flawed(path.display().to_string()))
}
