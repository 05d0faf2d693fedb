//! The view: everything that a screen needs to draw a game, as data, so that no screen needs to know a rule.

mod board;
mod buttons;
mod seats;

use crownhead_rules::{Move, Opening, Outcome, Position, Side, Square};
use serde::Serialize;

use crate::event::Offer;
use crate::game::{Game, Hint, Pending};
use crate::player::Who;
use crate::time::{Moment, Time};
use crate::words;

pub use board::{LastMove, MoveView, PieceMoves, PieceView, RulebookView};
pub use buttons::{Button, Buttons};
pub use seats::{Captured, ClockView, Seat, Seats};

/// A game as one viewer sees it at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The rules, as far as a screen shows them.
    pub rulebook: RulebookView,
    /// How many records the log has.
    pub seq: usize,
    /// The side that the viewer plays; with two players on one screen, the side to move. `null` for spectators.
    pub you: Option<Side>,
    /// The side of the player who made the link; `null` on one screen.
    pub inviter: Option<Side>,
    /// The side whose pieces are at the bottom of the board.
    pub bottom: Side,
    /// The side to move, `null` when the game is over.
    pub turn: Option<Side>,
    /// May the viewer make a move now?
    pub your_turn: bool,
    /// Is the computer thinking?
    pub thinking: bool,
    /// The status line: “Your move.”, “You must jump: 22 or 23.”
    pub status: String,
    /// What else happened since the last move: “Red declines the draw.”
    pub notice: Option<String>,
    /// Both players.
    pub players: Seats,
    /// How many moves of the list the board below shows; fewer than all when looking back.
    pub shown: usize,
    /// The position shown, as FEN.
    pub fen: String,
    /// The pieces on the board shown.
    pub pieces: Vec<PieceView>,
    /// The squares of the pieces that must jump now; empty when looking back.
    pub must_jump: Vec<u8>,
    /// The moves that the viewer may make now, by piece. Empty when it is not their turn or when looking back.
    pub moves: Vec<PieceMoves>,
    /// The move that led to the board shown.
    pub last_move: Option<LastMove>,
    /// The move of a hint for the player to move.
    pub hint: Option<MoveView>,
    /// The list of all moves.
    pub list: Vec<ListedMove>,
    /// The opening, once three moves are made.
    pub opening: Option<OpeningView>,
    /// The first position, as FEN.
    pub start: String,
    /// The pending offers that the viewer should see.
    pub offers: Vec<OfferView>,
    /// The question whether the side to move is still there, shown to the two players.
    pub still_there: Option<StillThereView>,
    /// The outcome, if the game is over.
    pub outcome: Option<OutcomeView>,
    /// The buttons.
    pub buttons: Buttons,
    /// When to send `tick` at the latest.
    pub wake_at: Option<Time>,
}

/// A move in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedMove {
    /// The number before the pair of moves, from 1.
    pub number: usize,
    /// The side that made it.
    pub side: Side,
    /// As the rule book writes it: `22x15`, in Numbered `22-15`.
    pub text: String,
    /// From the first to the last square.
    pub path: Vec<u8>,
    /// Was it on the board when the game began?
    pub given: bool,
}

/// A three-move opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningView {
    /// 1 to 174.
    pub number: u8,
    /// Its name, or its moves if it has none.
    pub name: String,
}

/// An offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferView {
    /// What is offered.
    pub offer: Offer,
    /// The side that made the offer.
    pub by: Side,
    /// “Red offers a draw.”
    pub sentence: String,
    /// May the viewer answer it?
    pub answerable: bool,
}

/// The question whether the side to move is still there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StillThereView {
    /// “Are you still there? …” for the player who was asked; for the one who asked, what they asked.
    pub sentence: String,
    /// May the viewer answer it, with the command `still_here`?
    pub answerable: bool,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeView {
    /// The outcome itself.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// In a few words: “You win.”
    pub headline: String,
    /// With the reason: “Red wins: Black has no move left.”
    pub sentence: String,
    /// As in PDN files: `1-0` if the side that moved first won.
    pub score: &'static str,
}

impl Game {
    /// The game as `who` sees it, with the board after the last move.
    pub fn view(&self, who: Who, moment: Moment) -> View {
        self.view_at(who, moment, self.history.moves().len())
    }

    /// The same, with the board as it was after `plies` moves.
    pub fn view_at(&self, who: Who, moment: Moment, plies: usize) -> View {
        let shown = plies.min(self.history.moves().len());
        let is_now = shown == self.history.moves().len();
        let you = self.eyes(who);
        let your_turn = is_now && self.outcome.is_none() && you == Some(self.side_to_move());
        let position = &self.history.positions()[shown];
        View {
            rulebook: RulebookView::of(self.rulebook()),
            seq: self.seq,
            you,
            inviter: self.is_over_link().then_some(self.started.bottom),
            bottom: self.bottom(who),
            turn: self.outcome.is_none().then_some(self.side_to_move()),
            your_turn,
            thinking: self.is_thinking(),
            status: self.status(you),
            notice: self.notice_sentence(),
            players: self.seats(moment.clock_time(), shown),
            shown,
            fen: position.to_string(),
            pieces: self.pieces(position, you, is_now),
            must_jump: if is_now && self.outcome.is_none() {
                position.must_jump().iter().map(Square::number).collect()
            } else {
                Vec::new()
            },
            moves: if your_turn { self.moves_by_piece() } else { Vec::new() },
            last_move: self.last_move(shown),
            hint: match self.hint {
                Some(Hint::Given(mv)) if is_now => Some(self.move_view(position, mv)),
                _ => None,
            },
            list: self.list(),
            opening: Opening::of_game(&self.history).map(OpeningView::of),
            start: self.started.position.clone(),
            offers: self.offers(who),
            still_there: self.still_there_view(you),
            outcome: self.outcome_view(you),
            buttons: self.buttons(who, moment),
            wake_at: self.wake_at().map(|at| at.plus(moment.outage_ms)),
        }
    }

    /// The side that `who` plays.
    fn eyes(&self, who: Who) -> Option<Side> {
        match who {
            Who::Seat(side) => Some(side).filter(|&side| self.is_human(side)),
            Who::Screen if self.is_over_link() => None,
            Who::Screen => {
                self.only_human().or(Some(self.side_to_move())).filter(|&side| self.is_human(side))
            }
            Who::Watcher | Who::House => None,
        }
    }

    fn bottom(&self, who: Who) -> Side {
        match who {
            Who::Seat(side) => side,
            Who::Screen => self.only_human().unwrap_or(self.started.bottom),
            Who::Watcher | Who::House => self.started.bottom,
        }
    }

    fn list(&self) -> Vec<ListedMove> {
        // In a game that starts with White's move, the first number has only one move.
        let skipped = usize::from(self.history.start().side_to_move() == Side::White);
        let listed = |(i, (position, mv)): (usize, (&Position, Move))| {
            let MoveView { text, path, .. } = self.move_view(position, mv);
            ListedMove {
                number: 1 + (i + skipped).div_euclid(2),
                side: position.side_to_move(),
                text,
                path,
                given: i < self.given,
            }
        };
        self.history.steps().enumerate().map(listed).collect()
    }

    fn offers(&self, who: Who) -> Vec<OfferView> {
        let shared = who == Who::Screen && self.only_human().is_none();
        let view = |pending: &Pending| OfferView {
            offer: pending.offer,
            by: pending.by,
            sentence: self.offer_sentence(pending.offer, pending.by),
            answerable: if shared { self.is_human(!pending.by) } else { self.eyes(who) == Some(!pending.by) },
        };
        self.pending.iter().map(view).collect()
    }

    fn still_there_view(&self, you: Option<Side>) -> Option<StillThereView> {
        let you = you.filter(|_| self.outcome.is_none() && self.silence.asked_at.is_some())?;
        let answerable = you == self.side_to_move();
        Some(StillThereView { sentence: self.still_there_sentence(answerable), answerable })
    }

    fn outcome_view(&self, you: Option<Side>) -> Option<OutcomeView> {
        let outcome = self.outcome?;
        Some(OutcomeView {
            outcome,
            headline: self.headline(you)?,
            sentence: outcome.sentence(self.rulebook()),
            score: score(outcome),
        })
    }
}

/// The score as PDN files have it: Black's points first.
fn score(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win { winner: Side::Black, .. } => "1-0",
        Outcome::Win { winner: Side::White, .. } => "0-1",
        Outcome::Draw(_) => "1/2-1/2",
        Outcome::Abandoned => "*",
    }
}

impl OpeningView {
    fn of(opening: &Opening) -> OpeningView {
        let name = opening.name.map_or_else(|| opening.moves.join(" "), str::to_owned);
        OpeningView { number: opening.number, name }
    }
}
