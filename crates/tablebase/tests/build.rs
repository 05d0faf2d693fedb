//! Tests of building tables: reproducible bytes, resumed builds, damaged files and errors.

use std::fs;
use std::num::NonZero;
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crownhead_tablebase::{Build, Error, Flaw, Progress, Tablebase};

const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

fn build(folder: &Path, pieces: u32) -> Build {
    let threads = NonZero::new(2).unwrap();
    Build { folder: folder.to_owned(), pieces, distances: pieces, compact_from: 6, memory: 1 << 30, threads }
}

/// The names and contents of all files in a folder except the lock file.
fn tables(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut tables: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name != "building.lock")
        .collect();
    tables.sort();
    tables
}

fn embedded(pieces: u32) -> Vec<(String, Vec<u8>)> {
    let up_to = |(name, _): &(String, Vec<u8>)| name[..1].parse::<u32>().unwrap() <= pieces;
    tables(Path::new(EMBEDDED)).into_iter().filter(up_to).collect()
}

#[test]
fn embedded_tables_are_built_anew_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), 4).run(&|_| ()).unwrap();
    assert!(tables(folder.path()) == embedded(4), "build them with: crownhead tablebase build --pieces 4");
}

#[test]
fn embedded_tables_keep_within_their_size() {
    let size = |names: &[&str]| {
        let tables = embedded(4);
        let sizes = names.iter().map(|name| tables.iter().find(|table| table.0 == *name).unwrap().1.len());
        sizes.sum::<usize>()
    };
    let everywhere = ["2-pieces.wdl", "3-pieces.wdl", "4-pieces.wdl", "2-pieces.plies", "3-pieces.plies"];
    assert!(size(&everywhere) <= 250_000, "{} bytes", size(&everywhere));
    assert!(size(&["4-pieces.plies"]) <= 1_000_000);
}

#[test]
fn little_memory_makes_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let threads = NonZero::new(1).unwrap();
    // Not enough memory to keep all slices of 4 pieces.
    Build { memory: 5 << 20, threads, ..build(folder.path(), 4) }.run(&|_| ()).unwrap();
    assert!(tables(folder.path()) == embedded(4));
}

#[test]
fn compact_tables_have_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let compact = Build { distances: 0, compact_from: 2, ..build(folder.path(), 4) };
    compact.run(&|_| ()).unwrap();
    let whole = tables(folder.path());
    assert!(whole[2].1.len() < embedded(4)[5].1.len(), "nothing was gained");
    let (tables_compact, _) = Tablebase::empty().with_folder(folder.path());
    tables_compact.verify(2, &|_| ()).unwrap();
    let counts = |tables: &Tablebase| {
        tables
            .stats([4])
            .classes
            .into_iter()
            .map(|class| (class.totals.wins, class.totals.losses, class.totals.draws))
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(&tables_compact), counts(&Tablebase::embedded()));
    tables_compact.verify_sample(20_000, 2, &|_| ()).unwrap();
}

/// Starts a build and ends it as soon as work on a slice begins.
fn interrupt(build: &Build, slice: &str) {
    let run = || {
        build.run(&|progress| {
            if let Progress::Slice(material) = progress {
                // Unwinds without printing a message.
                if material.to_string() == slice {
                    panic::resume_unwind(Box::new(()));
                }
            }
        })
    };
    assert!(panic::catch_unwind(panic::AssertUnwindSafe(run)).is_err(), "the build never came to {slice}");
}

#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    for (distances, compact_from) in [(4, 6), (0, 2), (0, 6)] {
        let folder = tempfile::tempdir().unwrap();
        let build = Build { distances, compact_from, ..build(folder.path(), 4) };
        for slice in ["0103", "0112", "1111", "2020"] {
            interrupt(&build, slice);
        }
        let slices = AtomicUsize::new(0);
        let count = |progress| {
            slices.fetch_add(usize::from(matches!(progress, Progress::Slice(_))), Ordering::Relaxed);
        };
        build.run(&count).unwrap();
        assert_eq!(slices.into_inner(), 1, "only the last slice was left to do");
        let (interrupted, fresh) = (tables(folder.path()), tempfile::tempdir().unwrap());
        Build { folder: fresh.path().to_owned(), ..build }.run(&|_| ()).unwrap();
        assert!(interrupted == tables(fresh.path()));
    }
}

#[test]
fn too_little_memory_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = Build { memory: 100_000, ..build(folder.path(), 4) }.run(&|_| ()).unwrap_err();
    assert!(matches!(error, Error::Memory { allowed: 0, .. }), "{error}");
}

#[test]
fn a_finished_table_is_not_built_again() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), 3).run(&|_| ()).unwrap();
    build(folder.path(), 3)
        .run(&|progress| assert!(matches!(progress, Progress::Found(_)), "{progress:?}"))
        .unwrap();
}

#[test]
fn tables_without_distances_get_them_later() {
    let folder = tempfile::tempdir().unwrap();
    Build { distances: 0, ..build(folder.path(), 3) }.run(&|_| ()).unwrap();
    let (tables_without, complaints) = Tablebase::empty().with_folder(folder.path());
    assert!(complaints.is_empty());
    assert_eq!((tables_without.max_pieces(), tables_without.max_distance_pieces()), (3, 1));
    build(folder.path(), 3).run(&|_| ()).unwrap();
    assert!(tables(folder.path()) == embedded(3));
}

#[test]
fn a_damaged_table_is_complained_about_and_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), 3).run(&|_| ()).unwrap();
    let path = folder.path().join("3-pieces.wdl");
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let mut newer = whole.clone();
    newer[8] = 9;
    let length = |found: usize| Flaw::Length { expected: whole.len() as u64, found: found as u64 };
    for (bytes, expected) in [
        (flipped, Flaw::Damaged),
        (whole[..whole.len() - 1].to_vec(), length(whole.len() - 1)),
        (newer, Flaw::Newer(9)),
        (b"something else".to_vec(), Flaw::Foreign),
        (fs::read(folder.path().join("2-pieces.wdl")).unwrap(), Flaw::Misnamed),
    ] {
        fs::write(&path, bytes).unwrap();
        let (tables, complaints) = Tablebase::empty().with_folder(folder.path());
        assert_eq!(tables.max_pieces(), 2, "the damaged table is left out");
        let [Error::Flawed { name, flaw }] = &complaints[..] else { panic!("{complaints:?}") };
        assert_eq!((name.as_str(), *flaw), (path.to_str().unwrap(), expected));
        build(folder.path(), 3).run(&|_| ()).unwrap();
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn a_folder_that_cannot_be_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = build(&file, 2).run(&|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("cannot make the folder"), "{error}");
    let (tables, complaints) = Tablebase::embedded().with_folder(&file);
    assert_eq!(tables.max_pieces(), 4);
    let [complaint] = &complaints[..] else { panic!("{complaints:?}") };
    assert!(complaint.to_string().starts_with("cannot read the folder"), "{complaint}");
    assert!(std::error::Error::source(complaint).is_none(), "what the system says is told twice");
    let (tables, complaints) = Tablebase::embedded().with_folder(&folder.path().join("nowhere"));
    assert_eq!((tables.max_pieces(), complaints.len()), (4, 0));
}

#[test]
fn two_builds_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let lock = fs::File::create(folder.path().join("building.lock")).unwrap();
    lock.lock().unwrap();
    let error = build(folder.path(), 2).run(&|_| ()).unwrap_err();
    assert!(matches!(error, Error::Busy(_)), "{error}");
}

#[test]
fn what_a_killed_build_left_aside_is_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("3-pieces.wdl.tmp"), "half a table").unwrap();
    let parts = folder.path().join("3-pieces.parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("0102.wdl.tmp"), "half a slice").unwrap();
    fs::write(parts.join("0102.wdl"), "half a slice that was renamed before a power cut").unwrap();
    build(folder.path(), 3).run(&|_| ()).unwrap();
    assert!(tables(folder.path()) == embedded(3));
    // Killed after the last file was written, but before its parts were removed.
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("0102.wdl"), "a slice").unwrap();
    build(folder.path(), 3).run(&|_| ()).unwrap();
    assert!(!parts.exists());
}

#[test]
fn too_many_pieces_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for pieces in [0, 1, 9] {
        assert!(matches!(build(folder.path(), pieces).run(&|_| ()), Err(Error::Pieces(_))));
    }
}

#[test]
fn a_table_without_the_smaller_ones_is_complained_about() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["2-pieces.wdl", "4-pieces.wdl", "2-pieces.plies"] {
        fs::copy(Path::new(EMBEDDED).join(name), folder.path().join(name)).unwrap();
    }
    let complaints = |tables: Tablebase| {
        let (_, complaints) = tables.with_folder(folder.path());
        complaints.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        complaints(Tablebase::empty()),
        ["4-pieces.wdl is of no use without 3-pieces.wdl; build or copy that too"]
    );
    assert!(complaints(Tablebase::embedded()).is_empty());
    fs::remove_file(folder.path().join("2-pieces.wdl")).unwrap();
    assert_eq!(
        complaints(Tablebase::empty())[1],
        "2-pieces.plies is of no use without 2-pieces.wdl; build or copy that too"
    );
}
