//! The speed of reading and writing game files, in bytes a second: parsing and replaying together.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crownhead_pdn::{Game, GameResult, Reader, TagName};

const GAMES: usize = 700;
const PLIES: usize = 60;
const SEED: u64 = 0x0063_726f_776e;

/// Games of random moves, about as long as those that people play.
fn random_games() -> Vec<Game> {
    let mut state = SEED;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut game = |_| {
        let mut game = Game { result: GameResult::Draw, ..Game::default() };
        game.tags.set(TagName::EVENT, "State Tourney 1946");
        game.tags.set(TagName::BLACK, "A. Player");
        game.tags.set(TagName::WHITE, "Another One");
        for _ in 0..PLIES {
            let moves = game.line.position().moves();
            if moves.is_empty() {
                break;
            }
            game.line.push(moves[random(moves.len())]);
        }
        game
    };
    (0..GAMES).map(&mut game).collect()
}

fn files(criterion: &mut Criterion) {
    let games = random_games();
    let file = games.iter().map(Game::to_string).collect::<Vec<_>>().join("\n");
    let mut group = criterion.benchmark_group("file");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function("read", |bench| {
        bench.iter(|| {
            let replayed = Reader::new(black_box(file.as_bytes())).filter(|read| {
                let read = read.as_ref().expect("bytes in memory can be read");
                read.replayed && read.warnings.is_empty()
            });
            assert_eq!(replayed.count(), GAMES);
        });
    });
    group.bench_function("write", |bench| {
        bench.iter(|| {
            let mut text = String::with_capacity(file.len());
            for game in black_box(&games) {
                write!(text, "{game}").expect("a string takes all");
            }
            text
        });
    });
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
