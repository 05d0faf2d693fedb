//! Builds tables in a folder: solves, compresses and writes them slice by slice, so that a killed build can resume.
//!
//! Each number of pieces has one WDL file and, for few pieces, one DTW file. During the build, finished slices lie in a
//! subfolder; at the end they are joined to a file and the subfolder is removed. The tables are the same byte for byte,
//! whatever the number of threads, the memory and the interruptions.

mod partial_table;
mod table_build;

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;

use crate::atomic_file::{self, BuildLock};
use crate::error::Error;
use crate::material::{MAX_PIECES, Material};
use crate::solved_slices::SolvedSlices;
use crate::tablebase::Tablebase;
use partial_table::PartialTable;
use table_build::TableBuild;

/// The largest number of pieces for which distances are built. Those of 6 pieces would take hundreds of megabytes.
pub const MAX_DISTANCE_PIECES: u32 = 5;
/// By default, tables without distances are compact from this many pieces on. With fewer there is little to gain.
pub const COMPACT_FROM: u32 = 6;

/// What to build, where, and with what.
#[derive(Clone, Debug)]
pub struct Build {
    /// The folder of the tables. Created if it does not exist.
    pub folder: PathBuf,
    /// The largest number of pieces; smaller tables are built too.
    pub pieces: u32,
    /// Distances are built for up to this many pieces, at most [`MAX_DISTANCE_PIECES`].
    pub distances: u32,
    /// From this many pieces on, tables without distances leave out values that compress badly and that a search of
    /// one ply can find. [`COMPACT_FROM`] is a good choice.
    pub compact_from: u32,
    /// The approximate memory limit, in bytes.
    pub memory: u64,
    /// The number of threads.
    pub threads: NonZero<usize>,
}

/// The progress of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// An earlier build has already finished this many positions.
    Found(u64),
    /// The build starts on a slice and its twin (the same material with the other side to move).
    Slice(Material),
    /// This many more positions are finished.
    Done(u64),
}

impl Build {
    /// The number of positions of all tables, including those already built.
    pub fn positions(&self) -> u64 {
        (2..=self.pieces).map(Material::positions).sum()
    }

    /// Builds the tables that are missing.
    ///
    /// # Errors
    /// If the number of pieces is too large, the memory too small, or the folder cannot be read or written.
    pub fn run(&self, progress: &(impl Fn(Progress) + Sync)) -> Result<(), Error> {
        if !(2..=MAX_PIECES).contains(&self.pieces) {
            return Err(Error::Pieces(self.pieces));
        }
        fs::create_dir_all(&self.folder).map_err(Error::io("make the folder", &self.folder))?;
        let _lock = BuildLock::take(&self.folder)?;
        atomic_file::remove_leftovers(&self.folder)?;
        let mut solved = SolvedSlices::new();
        for pieces in 2..=self.pieces {
            let (tables, _) = Tablebase::empty().with_folder(&self.folder);
            let with_distances = pieces <= self.distances.min(MAX_DISTANCE_PIECES);
            if tables.max_pieces() >= pieces && (!with_distances || tables.max_distance_pieces() >= pieces) {
                // A build may have been killed after it wrote the table and before it removed the slices.
                PartialTable::remove(&self.folder, pieces)?;
                progress(Progress::Found(Material::positions(pieces)));
                continue;
            }
            if !with_distances {
                solved.drop_distances();
            }
            solved.load(&tables, pieces - 1, with_distances, self.threads.get());
            TableBuild::new(self, pieces, with_distances, &mut solved)?.build(progress)?;
        }
        Ok(())
    }
}
