//! The finished slices of an unfinished table, one file each, from which a build resumes.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file::{self, Durability};
use crate::error::Error;
use crate::expand::Packed;
use crate::header::{self, HEADER_BYTES, Kind};
use crate::index::SliceIndex;
use crate::material::Material;
use crate::section::{DtwSection, Section, WdlSection};
use crate::table_file;

/// The length of the material, four digits, which precedes the section.
const NAME: usize = 4;
const SECTION: usize = HEADER_BYTES + NAME;

/// Slices with fewer positions are not synced: solving them again is faster than a sync.
const SYNCED_POSITIONS: u64 = 1 << 23;

/// The finished slices of an unfinished table. Their packed bytes stay in memory too.
pub(super) struct PartialTable {
    folder: PathBuf,
    pieces: u32,
    files: HashMap<(Kind, Material), Vec<u8>>,
}

impl PartialTable {
    /// Creates the folder, or reads the slices that are in it. Ignores damaged files.
    pub(super) fn open(tables: &Path, pieces: u32) -> Result<PartialTable, Error> {
        let folder = folder(tables, pieces);
        fs::create_dir_all(&folder).map_err(Error::io("make the folder", &folder))?;
        atomic_file::remove_leftovers(&folder)?;
        let mut parts = PartialTable { folder, pieces, files: HashMap::new() };
        for material in Material::all(pieces) {
            for kind in [Kind::Wdl, Kind::Dtw] {
                let path = parts.path(kind, material);
                match fs::read(&path) {
                    Ok(bytes) if is_whole(&bytes, kind, material) => {
                        parts.files.insert((kind, material), bytes);
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(Error::io("read", &path)(error)),
                }
            }
        }
        Ok(parts)
    }

    fn path(&self, kind: Kind, material: Material) -> PathBuf {
        self.folder.join(format!("{material}.{}", kind.extension()))
    }

    pub(super) fn contains(&self, kind: Kind, material: Material) -> bool {
        self.files.contains_key(&(kind, material))
    }

    /// Writes the section of a slice.
    pub(super) fn write(&mut self, kind: Kind, material: Material, section: &[u8]) -> Result<(), Error> {
        let content = [material.to_string().as_bytes(), section].concat();
        let bytes = header::prepend(kind, self.pieces, &content);
        let work = SliceIndex::new(material).positions();
        let durability = if work >= SYNCED_POSITIONS { Durability::PowerLoss } else { Durability::Process };
        atomic_file::write_atomically(&self.path(kind, material), &bytes, durability)?;
        self.files.insert((kind, material), bytes);
        Ok(())
    }

    /// The sections of a slice, ready to be expanded; `None` if it is not finished.
    pub(super) fn read(&self, material: Material) -> Option<PartialSlice<'_>> {
        let indexing = SliceIndex::new(material);
        let wdl = self.files.get(&(Kind::Wdl, material))?;
        let dtw = self.files.get(&(Kind::Dtw, material));
        let read_dtw = |bytes: &Vec<u8>| DtwSection::read(&indexing, &bytes[SECTION..], SECTION);
        Some(PartialSlice {
            indexing,
            wdl: (wdl, WdlSection::read(&indexing, &wdl[SECTION..], SECTION)?),
            dtw: dtw.and_then(|bytes| Some((&bytes[..], read_dtw(bytes)?))),
        })
    }

    /// The complete table file, if all its slices are finished.
    pub(super) fn join(&self, kind: Kind) -> Option<Vec<u8>> {
        let sections = Material::all(self.pieces)
            .into_iter()
            .map(|material| self.files.get(&(kind, material)).map(|bytes| &bytes[SECTION..]));
        Some(table_file::join(kind, self.pieces, &sections.collect::<Option<Vec<_>>>()?))
    }

    /// Removes the slices of a table that is now complete, if there are any.
    pub(super) fn remove(tables: &Path, pieces: u32) -> Result<(), Error> {
        let folder = folder(tables, pieces);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", &folder)(error)),
            _ => Ok(()),
        }
    }
}

fn folder(tables: &Path, pieces: u32) -> PathBuf {
    tables.join(format!("{pieces}-pieces.parts"))
}

/// The parsed sections of a finished slice.
pub(super) struct PartialSlice<'a> {
    indexing: SliceIndex,
    wdl: (&'a [u8], WdlSection),
    dtw: Option<(&'a [u8], DtwSection)>,
}

impl PartialSlice<'_> {
    pub(super) fn packed(&self) -> Packed<'_> {
        Packed {
            indexing: self.indexing,
            wdl: (self.wdl.0, &self.wdl.1),
            dtw: self.dtw.as_ref().map(|(bytes, section)| (*bytes, section)),
        }
    }
}

fn is_whole(bytes: &[u8], kind: Kind, material: Material) -> bool {
    let indexing = SliceIndex::new(material);
    header::check(bytes) == Ok((kind, material.pieces()))
        && bytes.get(HEADER_BYTES..SECTION) == Some(material.to_string().as_bytes())
        && match kind {
            Kind::Wdl => WdlSection::read(&indexing, &bytes[SECTION..], SECTION).is_some(),
            Kind::Dtw => DtwSection::read(&indexing, &bytes[SECTION..], SECTION).is_some(),
        }
}
