//! The two players beside the board: names, captured pieces, clocks.

use crownhead_rules::{Colour, Side};
use serde::Serialize;

use crate::game::Game;
use crate::player::Level;
use crate::time::Time;

/// Both players, by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seats {
    /// Moves first.
    pub black: Seat,
    /// Moves second.
    pub white: Seat,
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// The player's name, or else the colour, or “Computer”.
    pub name: String,
    /// The colour of the pieces.
    pub colour: Colour,
    /// The level, if it is the computer.
    pub level: Option<Level>,
    /// The pieces that this player has captured up to the position shown.
    pub captured: Captured,
    /// The clock, if there is one.
    pub clock: Option<ClockView>,
}

/// Captured pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Captured {
    /// Captured men.
    pub men: u32,
    /// Captured kings.
    pub kings: u32,
}

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockView {
    /// The time left at the moment of the view.
    pub left_ms: u64,
    /// Is it running?
    pub running: bool,
}

impl Seats {
    /// The player on a side.
    pub const fn of(&self, side: Side) -> &Seat {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

impl Game {
    pub(super) fn seats(&self, now: Time, shown: usize) -> Seats {
        Seats { black: self.seat(Side::Black, now, shown), white: self.seat(Side::White, now, shown) }
    }

    fn seat(&self, side: Side, now: Time, shown: usize) -> Seat {
        let player = self.started.player(side);
        let colour = self.rulebook().colour(side);
        let name = match (player.name(), player.level()) {
            ("", Some(_)) => "Computer".to_owned(),
            ("", None) => colour.to_string(),
            (name, _) => name.to_owned(),
        };
        let turn = self.side_to_move();
        let clock = self.clock.as_ref().map(|clock| ClockView {
            left_ms: clock.left_ms(side, turn, now),
            running: clock.is_running() && side == turn,
        });
        Seat { name, colour, level: player.level(), captured: self.captured_by(side, shown), clock }
    }

    fn captured_by(&self, side: Side, shown: usize) -> Captured {
        let mut captured = Captured::default();
        for (position, mv) in self.history.steps().take(shown) {
            if position.side_to_move() == side && mv.is_capture() {
                let kings = (mv.captured() & position.all_kings()).len();
                captured.kings += kings;
                captured.men += mv.capture_count() - kings;
            }
        }
        captured
    }
}
