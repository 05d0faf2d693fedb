//! A recorded game: its header, moves, comments and result.

use crownhead_rules::{DrawReason, History, Move, Outcome, Position, WinReason};

use crate::{GameResult, Line, Ply, TagName, Tags};

/// A game with its header, its annotated moves and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The header.
    pub tags: Tags,
    /// The moves that were played, with comments and variations.
    pub line: Line,
    /// The result.
    pub result: GameResult,
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Game {
        Game { tags: Tags::default(), line: Line::new(start), result: GameResult::Unknown }
    }

    /// The record of a game that was played, finished or not.
    pub fn of(history: &History, outcome: Option<Outcome>) -> Game {
        let mut game = Game::new(*history.start());
        for &mv in history.moves() {
            game.line.push(mv);
        }
        game.result = outcome.into();
        if let Some(outcome) = outcome {
            game.tags.set(TagName::TERMINATION, termination(outcome));
        }
        game
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        self.line.start()
    }

    /// The moves that were played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.line.moves()
    }

    /// The ply with this index, counted from 0 over both sides, to add notes to it.
    pub fn ply_mut(&mut self, index: usize) -> Option<&mut Ply> {
        self.line.plies_mut().get_mut(index)
    }

    /// The game on the board, up to the first point where the board was set up anew.
    pub fn history(&self) -> History {
        let mut history = History::new(*self.start());
        for ply in self.line.plies() {
            if ply.before() != history.position() {
                break;
            }
            history.push_unchecked(ply.mv());
        }
        history
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}

/// The value of the tag `Termination`, in the usual words.
const fn termination(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win { reason: WinReason::Time, .. } => "time forfeit",
        Outcome::Win { reason: WinReason::Forfeit, .. } => "abandoned",
        Outcome::Draw(DrawReason::NeitherCanWin) => "adjudication",
        Outcome::Abandoned => "unterminated",
        Outcome::Win { .. } | Outcome::Draw(_) => "normal",
    }
}
