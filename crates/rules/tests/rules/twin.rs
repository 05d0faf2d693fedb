//! The slow, obviously right generator on an 8×8 array, and its agreement with the fast one.

use crownhead_rules::{Piece, Position, Rank, Setup, Side, Square};

use crate::random::{SEED, placed, played};

type Grid = [[Option<Piece>; 8]; 8];

/// A move as the twin knows it: every square it touches, what it captures, and the board afterwards.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SlowMove {
    path: Vec<u8>,
    captured: Vec<u8>,
    board: Grid,
}

fn grid(position: &Position) -> Grid {
    let mut grid = [[None; 8]; 8];
    for square in Square::all() {
        grid[square.row()][square.column()] = position.piece_at(square);
    }
    grid
}

/// The number of a playing square, counted out by hand along the rows.
fn number(row: i8, column: i8) -> u8 {
    let mut number = 0;
    for r in 0..8 {
        for c in 0..8 {
            if (r + c) % 2 == 1 {
                number += 1;
            }
            if (r, c) == (row, column) {
                return number;
            }
        }
    }
    unreachable!("{row}/{column} is on the board")
}

fn on_board(row: i8, column: i8) -> bool {
    (0..8).contains(&row) && (0..8).contains(&column)
}

fn at(grid: &Grid, row: i8, column: i8) -> Option<Piece> {
    if on_board(row, column) { grid[row as usize][column as usize] } else { None }
}

fn is_free(grid: &Grid, row: i8, column: i8) -> bool {
    on_board(row, column) && at(grid, row, column).is_none()
}

fn last_row(side: Side) -> i8 {
    if side == Side::Black { 7 } else { 0 }
}

fn ways(piece: Piece) -> Vec<(i8, i8)> {
    let forward = if piece.side == Side::Black { 1 } else { -1 };
    let mut ways = vec![(forward, -1), (forward, 1)];
    if piece.rank == Rank::King {
        ways.extend([(-forward, -1), (-forward, 1)]);
    }
    ways
}

/// All legal moves, in order.
fn slow_moves(grid: &Grid, side: Side) -> Vec<SlowMove> {
    let (mut jumps, mut steps) = (Vec::new(), Vec::new());
    for row in 0..8 {
        for column in 0..8 {
            let Some(piece) = at(grid, row, column) else { continue };
            if piece.side == side {
                let mut lifted = *grid;
                lifted[row as usize][column as usize] = None;
                jump_on(&lifted, piece, (row, column), &[number(row, column)], &[], &mut jumps);
                step(&lifted, piece, (row, column), &mut steps);
            }
        }
    }
    let mut moves = if jumps.is_empty() { steps } else { jumps };
    moves.sort();
    moves
}

fn step(lifted: &Grid, piece: Piece, (row, column): (i8, i8), steps: &mut Vec<SlowMove>) {
    for (down, right) in ways(piece) {
        let to = (row + down, column + right);
        if is_free(lifted, to.0, to.1) {
            let path = vec![number(row, column), number(to.0, to.1)];
            steps.push(SlowMove { path, captured: Vec::new(), board: put_down(lifted, piece, to, &[]) });
        }
    }
}

/// `lifted` is the board without the jumping piece; `captured` pieces still stand on it.
fn jump_on(
    lifted: &Grid,
    piece: Piece,
    (row, column): (i8, i8),
    path: &[u8],
    captured: &[(i8, i8)],
    jumps: &mut Vec<SlowMove>,
) {
    let crowned = piece.rank == Rank::Man && row == last_row(piece.side);
    let mut went_on = false;
    for (down, right) in ways(piece) {
        let over = (row + down, column + right);
        let to = (row + 2 * down, column + 2 * right);
        let enemy = at(lifted, over.0, over.1).is_some_and(|other| other.side != piece.side);
        if crowned || !enemy || captured.contains(&over) || !is_free(lifted, to.0, to.1) {
            continue;
        }
        went_on = true;
        let path = [path, &[number(to.0, to.1)]].concat();
        jump_on(lifted, piece, to, &path, &[captured, &[over]].concat(), jumps);
    }
    if !went_on && !captured.is_empty() {
        let mut taken: Vec<u8> = captured.iter().map(|&(row, column)| number(row, column)).collect();
        taken.sort_unstable();
        let board = put_down(lifted, piece, (row, column), captured);
        jumps.push(SlowMove { path: path.to_vec(), captured: taken, board });
    }
}

fn put_down(lifted: &Grid, piece: Piece, (row, column): (i8, i8), captured: &[(i8, i8)]) -> Grid {
    let mut grid = *lifted;
    for &(row, column) in captured {
        grid[row as usize][column as usize] = None;
    }
    let rank = if row == last_row(piece.side) { Rank::King } else { piece.rank };
    grid[row as usize][column as usize] = Some(Piece { rank, ..piece });
    grid
}

fn fast_moves(position: &Position) -> Vec<SlowMove> {
    let mut moves: Vec<SlowMove> = position
        .moves()
        .into_iter()
        .map(|mv| SlowMove {
            path: [mv.from()].into_iter().chain(mv.landings()).map(Square::number).collect(),
            captured: mv.captured().iter().map(Square::number).collect(),
            board: grid(&position.play_unchecked(mv)),
        })
        .collect();
    moves.sort();
    moves
}

fn assert_agree(position: &Position, seed: u64) {
    let slow = slow_moves(&grid(position), position.side_to_move());
    assert_eq!(fast_moves(position), slow, "seed {seed}, {position}");
    assert_eq!(position.count_moves(), slow.len(), "seed {seed}, {position}");
    assert_eq!(position.has_move(), !slow.is_empty(), "seed {seed}, {position}");
    let jumpers = slow.iter().filter(|mv| !mv.captured.is_empty()).map(|mv| mv.path[0]);
    let jumpers = jumpers.collect::<std::collections::BTreeSet<u8>>();
    assert!(position.must_jump().iter().map(Square::number).eq(jumpers), "seed {seed}, {position}");
}

/// A longer proof asks for more positions (`CROWNHEAD_TWIN_POSITIONS` of each kind) and another seed
/// (`CROWNHEAD_SEED`).
fn asked(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |value| value.parse().expect("the variable holds a number"))
}

fn assert_agree_on(positions: impl Iterator<Item = Position>, usual: u64, seed: u64) {
    let count = asked("CROWNHEAD_TWIN_POSITIONS", usual) as usize;
    println!("{count} positions, seed {seed}");
    positions.take(count).for_each(|position| assert_agree(&position, seed));
}

#[test]
fn the_twin_agrees_on_100_000_positions_from_play() {
    let seed = asked("CROWNHEAD_SEED", SEED);
    assert_agree_on(played(seed), 100_000, seed);
}

#[test]
fn the_twin_agrees_on_120_000_positions_placed_at_random() {
    let seed = asked("CROWNHEAD_SEED", SEED);
    assert_agree_on(placed(seed), 120_000, seed);
}

#[test]
fn threats_are_the_captures_that_a_pass_would_allow() {
    for position in placed(SEED).take(20_000) {
        let mut passed = Setup::from(&position);
        passed.side_to_move = !passed.side_to_move;
        assert_eq!(position.threats(), passed.to_position().unwrap().must_jump(), "{position}");
    }
}
