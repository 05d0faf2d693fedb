//! Benchmarks of probing and building tables. `CROWNHEAD_TABLEBASE` may name a folder of larger tables to probe.

use std::hint::black_box;
use std::num::NonZero;
use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use crownhead_rules::{Piece, Position, Setup, Side, Square};
use crownhead_tablebase::{Build, COMPACT_FROM, Tablebase};

const POSITIONS: usize = 10_000;

/// Random positions with this many pieces, always the same ones.
fn positions(pieces: u32) -> Vec<Position> {
    let mut state = u64::from(pieces);
    let mut lot = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut setup = Setup::empty(Side::BOTH[lot(2)]);
        for number in 0..pieces {
            let side = Side::BOTH[number as usize % 2];
            let piece = if lot(2) == 0 { Piece::man(side) } else { Piece::king(side) };
            setup.pieces[lot(Square::COUNT)] = Some(piece);
        }
        let complete = setup.pieces.iter().flatten().count() == pieces as usize;
        positions.extend(setup.to_position().ok().filter(|_| complete));
    }
    positions
}

fn ask(criterion: &mut Criterion) {
    let (tables, _) = match std::env::var_os("CROWNHEAD_TABLEBASE") {
        Some(folder) => Tablebase::embedded().with_folder(Path::new(&folder)),
        None => (Tablebase::embedded(), Vec::new()),
    };
    let mut group = criterion.benchmark_group("warm");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    for pieces in 2..=tables.max_pieces() {
        let positions = positions(pieces);
        group.bench_function(format!("value of {pieces} pieces"), |bencher| {
            bencher.iter(|| {
                positions.iter().filter_map(|p| tables.probe(p)).filter(|&w| w == black_box(w)).count()
            });
        });
        if pieces <= tables.max_distance_pieces() {
            group.bench_function(format!("distance of {pieces} pieces"), |bencher| {
                bencher
                    .iter(|| positions.iter().filter_map(|p| tables.distance(p)).map(u64::from).sum::<u64>());
            });
        }
    }
    group.finish();
    let positions = positions(tables.max_pieces());
    criterion.bench_function("cold: first value of a block", |bencher| {
        let mut next = positions.iter().cycle();
        // A cache of size 0 decodes a block for every probe of a stored position.
        let cold = tables.with_cache(0);
        bencher.iter_batched(|| next.next(), |p| p.and_then(|p| cold.probe(p)), BatchSize::SmallInput);
    });
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10);
    for pieces in [3, 4] {
        group.bench_function(format!("up to {pieces} pieces"), |bencher| {
            bencher.iter_batched(
                || tempfile::tempdir().expect("there is a folder for temporary files"),
                |folder| {
                    let threads = NonZero::new(2).expect("2 is not 0");
                    let folder = folder.path().to_owned();
                    Build {
                        folder,
                        pieces,
                        distances: pieces,
                        compact_from: COMPACT_FROM,
                        memory: 1 << 30,
                        threads,
                    }
                    .run(&|_| ())
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, ask, build);
criterion_main!(benches);
