//! The animation of a move: the position of the piece over time.

use crownhead_game::{MoveView, Time};

use crate::tui::scene::Figure;

/// The duration of a simple move.
const STEP_MS: u64 = 180;
/// The duration of each jump.
const JUMP_MS: u64 = 220;

/// An animated move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Animation {
    pub(crate) figure: Figure,
    pub(crate) path: Vec<u8>,
    pub(crate) captured: Vec<u8>,
    begun: Time,
    /// Landings that the player has already made by hand.
    seen: usize,
}

/// The progress of a piece between two squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// The fraction of the way, from 0 to 1.
    pub(crate) share: f32,
    /// The number of pieces jumped so far.
    pub(crate) jumped: usize,
}

impl Animation {
    /// Starts now, after the landings that have already been shown.
    pub(crate) fn new(mv: &MoveView, figure: Figure, seen: usize, now: Time) -> Animation {
        let seen = seen.min(mv.path.len().saturating_sub(2));
        Animation { figure, path: mv.path.clone(), captured: mv.captured.clone(), begun: now, seen }
    }

    fn leg_ms(&self) -> u64 {
        if self.captured.is_empty() { STEP_MS } else { JUMP_MS }
    }

    /// The time at which it ends.
    pub(crate) fn end(&self) -> Time {
        let legs = self.path.len().saturating_sub(1 + self.seen) as u64;
        self.begun.plus(legs * self.leg_ms())
    }

    /// The current leg of the piece; `None` once it has arrived.
    pub(crate) fn leg(&self, now: Time) -> Option<Leg> {
        if now >= self.end() {
            return None;
        }
        let passed = now.since(self.begun);
        let leg = self.seen + (passed / self.leg_ms()) as usize;
        let time = (passed % self.leg_ms()) as f32 / self.leg_ms() as f32;
        // Ease out: fast at first, gentle at the end.
        let share = 1.0 - (1.0 - time).powi(2);
        let (from, to) = (*self.path.get(leg)?, *self.path.get(leg + 1)?);
        Some(Leg { from, to, share, jumped: leg + usize::from(share > 0.5) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_rules::Side;

    fn jump(seen: usize) -> Animation {
        let mv = MoveView {
            exact: "10x19x26".to_owned(),
            text: "10x26".to_owned(),
            path: vec![10, 19, 26],
            captured: vec![15, 23],
            crowns: false,
        };
        Animation::new(&mv, Figure { side: Side::Black, king: false }, seen, Time(1_000))
    }

    #[test]
    fn a_jump_goes_landing_by_landing() {
        let animation = jump(0);
        let at = |ms: u64| animation.leg(Time(1_000 + ms)).map(|leg| (leg.from, leg.to, leg.jumped));
        assert_eq!(at(0), Some((10, 19, 0)));
        assert_eq!(at(200), Some((10, 19, 1)));
        assert_eq!(at(221), Some((19, 26, 1)));
        assert_eq!(at(430), Some((19, 26, 2)));
        assert_eq!(at(440), None);
        assert_eq!(animation.end(), Time(1_440));
    }

    #[test]
    fn landings_that_were_chosen_by_hand_are_not_shown_again() {
        let animation = jump(1);
        assert_eq!(animation.leg(Time(1_000)).map(|leg| leg.from), Some(19));
        assert_eq!(animation.end(), Time(1_220));
    }
}
