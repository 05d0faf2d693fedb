//! Building tables in a folder: solve, pack, write, slice by slice, so that a build can be killed and goes on later.
//!
//! For each number of pieces there is one file of win, draw and loss and, for few pieces, one of distances. While it is
//! made, every slice that is done lies in a folder beside it; when all are there they are joined and the folder goes.
//! The same tables come out byte for byte whatever the number of threads, the memory and the interruptions.

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

/// Distances are built for this many pieces at most. Those of 6 would take hundreds of megabytes.
pub const MAX_DISTANCE_PIECES: u32 = 5;
/// Tables without distances are compact from this many pieces on, if nothing else is said. With fewer there is little
/// to gain.
pub const COMPACT_FROM: u32 = 6;

/// What to build, where, and with what.
#[derive(Clone, Debug)]
pub struct Build {
    /// Where the tables go. It is made if it is not there.
    pub folder: PathBuf,
    /// Tables of 2 to so many pieces.
    pub pieces: u32,
    /// With distances for up to so many pieces, [`MAX_DISTANCE_PIECES`] at most.
    pub distances: u32,
    /// From so many pieces on, tables without distances leave out what is hard to compress and can be found by looking
    /// one move ahead. [`COMPACT_FROM`] is a good choice.
    pub compact_from: u32,
    /// The bytes of memory that may be used, about.
    pub memory: u64,
    /// How many threads work.
    pub threads: NonZero<usize>,
}

/// How a build gets on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// These many positions were done already, by a build before.
    Found(u64),
    /// Work on a slice and its turned twin begins.
    Slice(Material),
    /// These many more positions are done.
    Done(u64),
}

impl Build {
    /// How many positions there are to do, those that are done already included.
    pub fn positions(&self) -> u64 {
        (2..=self.pieces).map(Material::positions).sum()
    }

    /// Builds whatever is not there yet.
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
                // A build may have been killed between the last file and this.
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
