//! A recorded game.

use crownhead_rules::{DrawReason, History, Move, Outcome, Position, WinReason};

use crate::{GameResult, Line, Ply, TagName, Tags};

/// A game with its header, its moves and what is said about them, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Who played where and when.
    pub tags: Tags,
    /// The moves that were played, with comments and variations.
    pub line: Line,
    /// Who won.
    pub result: GameResult,
}

impl Game {
    /// A game without a move yet.
    pub fn new(start: Position) -> Game {
        Game { tags: Tags::default(), line: Line::new(start), result: GameResult::Unknown }
    }

    /// The record of a game that was played, ended or not.
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

    /// The move number `index` of the game, counted from 0 over both sides, to add notes to.
    pub fn ply_mut(&mut self, index: usize) -> Option<&mut Ply> {
        self.line.plies_mut().get_mut(index)
    }

    /// The game on the board, up to where it was set up anew if it was.
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

/// The word for the tag `Termination`, of those that are usual there.
const fn termination(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win { reason: WinReason::Time, .. } => "time forfeit",
        Outcome::Win { reason: WinReason::Forfeit, .. } => "abandoned",
        Outcome::Draw(DrawReason::NeitherCanWin) => "adjudication",
        Outcome::Abandoned => "unterminated",
        Outcome::Win { .. } | Outcome::Draw(_) => "normal",
    }
}
