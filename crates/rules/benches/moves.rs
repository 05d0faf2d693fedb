//! The speed of the move generator: lines of play a second from the start, the last move counted or made.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_rules::Position;
use crownhead_rules::perft::{perft, perft_no_bulk};
use std::hint::black_box;

const DEPTH: u32 = 9;

fn generator(criterion: &mut Criterion) {
    let start = Position::start();
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start, DEPTH)));
    group.bench_function("counting the last move", |bench| bench.iter(|| perft(black_box(&start), DEPTH)));
    group.bench_function("making every move", |bench| {
        bench.iter(|| perft_no_bulk(black_box(&start), DEPTH));
    });
    group.finish();
}

fn single_positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("moves");
    for (name, fen) in [
        ("start", "B:W21-32:B1-12"),
        ("long jumps", "B:W10,11,18,19,26,27:BK7,K3"),
        ("kings", "W:WK18,K15,K23:BK1,K5,K4"),
    ] {
        let position: Position = fen.parse().expect("the positions of the benchmark are right");
        group.bench_function(name, |bench| bench.iter(|| black_box(&position).moves()));
    }
    group.finish();
}

criterion_group!(benches, generator, single_positions);
criterion_main!(benches);
