//! A piece on its way: where it is at a time.

use crownhead_game::{MoveView, Time};

use crate::tui::scene::Figure;

/// A step takes this long.
const STEP_MS: u64 = 180;
/// Each jump takes this long.
const JUMP_MS: u64 = 220;

/// A move as the eye can follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Animation {
    pub(crate) figure: Figure,
    pub(crate) path: Vec<u8>,
    pub(crate) captured: Vec<u8>,
    begun: Time,
    /// Landings that were seen before.
    seen: usize,
}

/// How far a piece is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// From 0 to 1.
    pub(crate) share: f32,
    /// How many pieces are jumped by now.
    pub(crate) jumped: usize,
}

impl Animation {
    /// Begins now; the first landings may have been seen already.
    pub(crate) fn new(mv: &MoveView, figure: Figure, seen: usize, now: Time) -> Animation {
        let seen = seen.min(mv.path.len().saturating_sub(2));
        Animation { figure, path: mv.path.clone(), captured: mv.captured.clone(), begun: now, seen }
    }

    fn leg_ms(&self) -> u64 {
        if self.captured.is_empty() { STEP_MS } else { JUMP_MS }
    }

    /// When it is over.
    pub(crate) fn end(&self) -> Time {
        let legs = self.path.len().saturating_sub(1 + self.seen) as u64;
        self.begun.plus(legs * self.leg_ms())
    }

    /// Where the piece is; nowhere special once it has arrived.
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
