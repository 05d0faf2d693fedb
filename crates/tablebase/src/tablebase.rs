//! A set of tables: from the program itself, from bytes, from a folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::{fmt, fs, io};

use crate::cache::Cache;
use crate::embedded;
use crate::envelope::Kind;
use crate::error::{Error, Flaw};
use crate::expand::Packed;
use crate::index::Layout;
use crate::kept::Kept;
use crate::material::{MAX_PIECES, Material};
use crate::plies::Losses;
use crate::section::{PliesSection, Section, WdlSection};
use crate::table::{AnyTable, Table};
use crate::value::Value;

/// The memory for decoded blocks of each kind, if nothing else is said: room for all values of 6 pieces and for all
/// distances of 5.
const CACHE_BYTES: usize = 256 << 20;

/// Tables of all positions with few pieces. Cheap to clone; may be asked from many threads at once.
#[derive(Clone)]
pub struct Tablebase {
    pub(crate) shelf: Arc<Shelf>,
}

/// Tables ready to be asked.
pub(crate) struct Shelf {
    tables: BTreeMap<(Kind, u32), AnyTable>,
    /// By [`Material::code`].
    slices: Vec<Option<Slice>>,
    pub(crate) wdl_cache: Cache<Kept>,
    pub(crate) plies_cache: Cache<Losses>,
    max_pieces: u32,
    max_distance_pieces: u32,
}

/// Where the values of a slice are.
pub(crate) struct Slice {
    pub(crate) layout: Layout,
    /// The value of all stored positions, if it is the same.
    pub(crate) same: Option<Value>,
    /// Are threatened positions left out?
    pub(crate) compact: bool,
    pub(crate) wdl: Stored<WdlSection>,
    pub(crate) plies: Option<Stored<PliesSection>>,
}

/// A section of a table.
pub(crate) struct Stored<S> {
    pub(crate) table: Arc<Table<S>>,
    /// Its place in the table.
    section: usize,
    /// The slot of its first block in the cache.
    pub(crate) slot: usize,
}

impl Tablebase {
    /// The tables that come with the program: win, draw and loss of up to 4 pieces, and distances of up to 4 (3 in
    /// the browser).
    pub fn embedded() -> Tablebase {
        static EMBEDDED: OnceLock<Tablebase> = OnceLock::new();
        let read = |&bytes| AnyTable::read(Cow::Borrowed(bytes)).expect("a test reads the embedded files");
        EMBEDDED.get_or_init(|| Tablebase::of(embedded::FILES.iter().map(read), CACHE_BYTES)).clone()
    }

    /// Tables of no position at all.
    pub fn empty() -> Tablebase {
        Tablebase::of([], CACHE_BYTES)
    }

    /// The same tables and one more, given as the bytes of its file. It replaces one for the same number of pieces.
    ///
    /// # Errors
    /// If the bytes are not those of a whole, undamaged table.
    pub fn with(&self, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Tablebase, Flaw> {
        Ok(self.and([AnyTable::read(bytes.into())?]))
    }

    /// The same tables and those of a folder, and complaints about files there that cannot be used. A folder that
    /// does not exist has none.
    pub fn with_folder(&self, folder: &Path) -> (Tablebase, Vec<Error>) {
        let (mut tables, mut complaints) = (Vec::new(), Vec::new());
        match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (self.clone(), complaints),
            Err(error) => return (self.clone(), vec![Error::io("read the folder", folder)(error)]),
            Ok(_) => {}
        }
        let files = (2..=MAX_PIECES).flat_map(|pieces| [(Kind::Wdl, pieces), (Kind::Plies, pieces)]);
        for (kind, pieces) in files {
            match read_file(folder, kind, pieces) {
                Ok(table) => tables.extend(table),
                Err(error) => complaints.push(error),
            }
        }
        let all = self.and(tables);
        // A table that could not be read has been complained about, and what it takes with it need not be.
        if complaints.is_empty() {
            complaints.extend(all.shelf.unusable());
        }
        (all, complaints)
    }

    /// The same tables with another limit to the memory for decoded blocks, once for values and once for distances.
    pub fn with_cache(&self, bytes: usize) -> Tablebase {
        Tablebase::of(self.shelf.tables.values().cloned(), bytes)
    }

    /// The same tables with distances for so many pieces at most: beyond that who wins, but not how soon.
    pub fn with_distances_up_to(&self, pieces: u32) -> Tablebase {
        let kept = |table: &&AnyTable| table.kind() == Kind::Wdl || table.pieces() <= pieces;
        Tablebase::of(self.shelf.tables.values().filter(kept).cloned(), self.shelf.wdl_cache.limit())
    }

    /// Every position with this many pieces or fewer is in the tables. 1 if there are none: with a single piece on the
    /// board there is nothing to look up.
    #[inline]
    pub fn max_pieces(&self) -> u32 {
        self.shelf.max_pieces
    }

    /// Distances are known with this many pieces or fewer.
    #[inline]
    pub fn max_distance_pieces(&self) -> u32 {
        self.shelf.max_distance_pieces
    }

    fn and(&self, more: impl IntoIterator<Item = AnyTable>) -> Tablebase {
        let tables = self.shelf.tables.values().cloned();
        Tablebase::of(tables.chain(more), self.shelf.wdl_cache.limit())
    }

    fn of(tables: impl IntoIterator<Item = AnyTable>, cache_bytes: usize) -> Tablebase {
        let tables: BTreeMap<_, _> =
            tables.into_iter().map(|table| ((table.kind(), table.pieces()), table)).collect();
        let mut slices: Vec<_> = (0..Material::CODES).map(|_| None).collect();
        let (mut wdl_slots, mut plies_slots) = (0, 0);
        let (mut max_pieces, mut max_distance_pieces) = (1, 1);
        // Positions lead to others with fewer pieces, so a table is of use only if all smaller ones are there.
        while let Some(AnyTable::Wdl(wdl)) = tables.get(&(Kind::Wdl, max_pieces + 1)) {
            let plies = match tables.get(&(Kind::Plies, wdl.pieces)) {
                Some(AnyTable::Plies(plies)) if max_distance_pieces == max_pieces => Some(plies),
                _ => None,
            };
            for (section, material) in Material::all(wdl.pieces).into_iter().enumerate() {
                let wdl = Stored::new(wdl, section, &mut wdl_slots);
                slices[material.code()] = Some(Slice {
                    layout: Layout::new(material),
                    same: wdl.section().same(),
                    compact: wdl.section().compact,
                    wdl,
                    plies: plies.map(|plies| Stored::new(plies, section, &mut plies_slots)),
                });
            }
            max_pieces += 1;
            max_distance_pieces += u32::from(plies.is_some());
        }
        let wdl_cache = Cache::new(wdl_slots, cache_bytes);
        let plies_cache = Cache::new(plies_slots, cache_bytes);
        let shelf = Shelf { tables, slices, wdl_cache, plies_cache, max_pieces, max_distance_pieces };
        Tablebase { shelf: Arc::new(shelf) }
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

impl Shelf {
    /// Complaints about tables that lack a smaller one, or one of the other kind.
    fn unusable(&self) -> impl Iterator<Item = Error> {
        let missing = |kind, pieces| match kind {
            Kind::Wdl => (pieces > self.max_pieces).then(|| Kind::Wdl.file_name(self.max_pieces + 1)),
            Kind::Plies => (pieces > self.max_distance_pieces).then(|| {
                let kind = if self.max_distance_pieces == self.max_pieces { Kind::Wdl } else { Kind::Plies };
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
        let plies = match &slice.plies {
            Some(plies) if distances => Some((&plies.table.bytes[..], plies.section())),
            None if distances => return None,
            _ => None,
        };
        Some(Packed { layout: slice.layout, wdl: (&slice.wdl.table.bytes, slice.wdl.section()), plies })
    }
}

impl<S: Section> Stored<S> {
    fn new(table: &Arc<Table<S>>, section: usize, slots: &mut usize) -> Stored<S> {
        let slot = *slots;
        *slots += table.sections[section].blocks();
        Stored { table: Arc::clone(table), section, slot }
    }

    pub(crate) fn section(&self) -> &S {
        &self.table.sections[self.section]
    }
}

/// The table of a folder for a number of pieces, if it has one.
pub(crate) fn read_file(folder: &Path, kind: Kind, pieces: u32) -> Result<Option<AnyTable>, Error> {
    let path = folder.join(kind.file_name(pieces));
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("read", &path)(error)),
    };
    let table = AnyTable::read(bytes.into()).and_then(|table| {
        let as_named = table.kind() == kind && table.pieces() == pieces;
        if as_named { Ok(table) } else { Err(Flaw::Misnamed) }
    });
    table.map(Some).map_err(Error::flawed(path.display().to_string()))
}
