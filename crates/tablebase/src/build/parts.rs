//! The slices of an unfinished table, each in a file of its own.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::envelope::{self, HEAD, Kind};
use crate::error::Error;
use crate::expand::Packed;
use crate::files::{self, Lasting};
use crate::index::Layout;
use crate::material::Material;
use crate::section::{PliesSection, Section, WdlSection};
use crate::table;

/// The material, four digits, comes before the section.
const NAME: usize = 4;
const SECTION: usize = HEAD + NAME;

/// Slices with fewer positions are solved again sooner than a disk has been synced.
const SYNCED_POSITIONS: u64 = 1 << 23;

/// The finished slices of one number of pieces. Their packed bytes are kept in memory too.
pub(super) struct Parts {
    folder: PathBuf,
    pieces: u32,
    files: HashMap<(Kind, Material), Vec<u8>>,
}

impl Parts {
    /// Makes the folder or finds what is there. Parts that are not whole do not count.
    pub(super) fn open(tables: &Path, pieces: u32) -> Result<Parts, Error> {
        let folder = folder(tables, pieces);
        fs::create_dir_all(&folder).map_err(Error::io("make the folder", &folder))?;
        files::remove_leftovers(&folder)?;
        let mut parts = Parts { folder, pieces, files: HashMap::new() };
        for material in Material::all(pieces) {
            for kind in [Kind::Wdl, Kind::Plies] {
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
        let bytes = envelope::seal(kind, self.pieces, &content);
        let work = Layout::new(material).positions();
        let lasting = if work >= SYNCED_POSITIONS { Lasting::PowerCut } else { Lasting::Program };
        files::write_whole(&self.path(kind, material), &bytes, lasting)?;
        self.files.insert((kind, material), bytes);
        Ok(())
    }

    /// The sections of a pair of slices, ready to be packed; `None` if one is not there.
    pub(super) fn read(&self, material: Material) -> Option<Part<'_>> {
        let layout = Layout::new(material);
        let wdl = self.files.get(&(Kind::Wdl, material))?;
        let plies = self.files.get(&(Kind::Plies, material));
        let read_plies = |bytes: &Vec<u8>| PliesSection::read(&layout, &bytes[SECTION..], SECTION);
        Some(Part {
            layout,
            wdl: (wdl, WdlSection::read(&layout, &wdl[SECTION..], SECTION)?),
            plies: plies.and_then(|bytes| Some((&bytes[..], read_plies(bytes)?))),
        })
    }

    /// The whole table, if all its slices are there.
    pub(super) fn join(&self, kind: Kind) -> Option<Vec<u8>> {
        let sections = Material::all(self.pieces)
            .into_iter()
            .map(|material| self.files.get(&(kind, material)).map(|bytes| &bytes[SECTION..]));
        Some(table::join(kind, self.pieces, &sections.collect::<Option<Vec<_>>>()?))
    }

    /// Removes the parts of a table, if there are any; the whole is there now.
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

/// A slice that has been found again.
pub(super) struct Part<'a> {
    layout: Layout,
    wdl: (&'a [u8], WdlSection),
    plies: Option<(&'a [u8], PliesSection)>,
}

impl Part<'_> {
    pub(super) fn packed(&self) -> Packed<'_> {
        Packed {
            layout: self.layout,
            wdl: (self.wdl.0, &self.wdl.1),
            plies: self.plies.as_ref().map(|(bytes, section)| (*bytes, section)),
        }
    }
}

fn is_whole(bytes: &[u8], kind: Kind, material: Material) -> bool {
    let layout = Layout::new(material);
    envelope::unseal(bytes) == Ok((kind, material.pieces()))
        && bytes.get(HEAD..SECTION) == Some(material.to_string().as_bytes())
        && match kind {
            Kind::Wdl => WdlSection::read(&layout, &bytes[SECTION..], SECTION).is_some(),
            Kind::Plies => PliesSection::read(&layout, &bytes[SECTION..], SECTION).is_some(),
        }
}
