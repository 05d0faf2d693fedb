//! The history of a game on the board: its positions and moves, and the outcome by rule.

use alloc::vec;
use alloc::vec::Vec;

use crate::rulebook::Progress;
use crate::{DrawReason, IllegalMove, Move, MoveError, Outcome, Position, Rank, Rulebook, WinReason};

/// A game from its first position to the current one.
///
/// Repetitions and moves without progress are counted from the stored positions, never kept in counters, so taking a
/// move back restores them too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// One more than `moves`.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl History {
    /// A game that starts from a position.
    pub fn new(start: Position) -> History {
        History { positions: vec![start], moves: Vec::new() }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a history has its first position")
    }

    /// All positions, the first one first.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Each move with the position it was made in.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (&Position, Move)> + ExactSizeIterator {
        self.positions.iter().zip(self.moves.iter().copied())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is illegal; then the game is unchanged.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.positions.push(self.position().play(mv)?);
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal; see [`Position::play_unchecked`].
    pub fn push_unchecked(&mut self, mv: Move) {
        self.positions.push(self.position().play_unchecked(mv));
        self.moves.push(mv);
    }

    /// Reads a move and plays it.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; then the game is unchanged.
    pub fn play(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.position().parse_move(text)?;
        self.push_unchecked(mv);
        Ok(mv)
    }

    /// Takes the last move back.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The number of moves, of both sides, since the last progress.
    pub fn plies_since(&self, progress: Progress) -> usize {
        let is_progress = |(position, mv): (&Position, Move)| {
            let man = position.piece_at(mv.from()).is_some_and(|piece| piece.rank == Rank::Man);
            mv.is_capture() || man && progress == Progress::CaptureOrManMove
        };
        self.steps().rev().take_while(|&step| !is_progress(step)).count()
    }

    /// How often the current position has occurred since the last progress, including now.
    pub fn occurrences(&self, since: Progress) -> usize {
        let recent = self.plies_since(since) + 1;
        self.positions.iter().rev().take(recent).filter(|&position| position == self.position()).count()
    }

    /// The outcome of the game, if the current position ends it under this rule book.
    pub fn outcome(&self, rulebook: &Rulebook) -> Option<Outcome> {
        let position = self.position();
        let loser = position.side_to_move();
        if !position.has_move() {
            let reason =
                if position.pieces(loser).is_empty() { WinReason::NoPieces } else { WinReason::Blocked };
            return Some(Outcome::Win { winner: !loser, reason });
        }
        if rulebook.repetition.is_some_and(|rule| self.occurrences(rule.resets) >= rule.times as usize) {
            return Some(Outcome::Draw(DrawReason::Repetition));
        }
        if rulebook.move_limit.is_some_and(|rule| self.plies_since(rule.resets) >= rule.plies as usize) {
            return Some(Outcome::Draw(DrawReason::MoveLimit));
        }
        None
    }
}

impl Default for History {
    fn default() -> History {
        History::new(Position::start())
    }
}
