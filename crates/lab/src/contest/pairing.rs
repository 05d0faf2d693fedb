//! Which openings a match is played from.

use crownhead_engine::Dice;
use crownhead_rules::{History, OPENINGS, Opening, OpeningClass, Position, Side};

use crate::wander::wander;

/// An opening to be played from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The opening.
    pub opening: &'static Opening,
    /// So many moves by lot follow it.
    choices: u64,
    /// What each of the two players draws its chances from, the same in both games. With one seed for both they would
    /// have the same luck, and a bad day of one would always meet a bad day of the other.
    pub seeds: [u64; 2],
}

/// So many moves by lot follow an opening that comes again.
const CHOICES: u64 = 4;

impl Pairing {
    fn new(opening: &'static Opening, dice: &mut Dice) -> Pairing {
        Pairing { opening, choices: 0, seeds: [dice.roll(), dice.roll()] }
    }

    /// The opening on the board.
    pub fn history(&self) -> History {
        if self.choices == 0 {
            return self.opening.history();
        }
        let mut dice = Dice::new(self.seeds[0]);
        loop {
            let mut game = self.opening.history();
            wander(&mut game, self.choices, &mut dice);
            if is_even(game.position()) {
                return game;
            }
        }
    }

    /// So many openings by lot, from those played over the board: each comes once before one comes again, and then with
    /// moves by lot after it. Players who leave nothing to chance would play the same game once more.
    pub fn by_lot(count: usize, seed: u64) -> Vec<Pairing> {
        let mut dice = Dice::new(seed);
        let mut hat: Vec<&Opening> = Opening::of_class(OpeningClass::Crossboard).collect();
        let mut pairings = Vec::with_capacity(count);
        while pairings.len() < count {
            dice.shuffle(&mut hat);
            let left = count - pairings.len();
            let choices = if pairings.is_empty() { 0 } else { CHOICES };
            let pairing = |&opening| Pairing { choices, ..Pairing::new(opening, &mut dice) };
            pairings.extend(hat.iter().take(left).map(pairing));
        }
        pairings
    }

    /// Every opening of these classes once, in the order of their numbers.
    pub fn each_once(classes: &[OpeningClass], seed: u64) -> Vec<Pairing> {
        let mut dice = Dice::new(seed);
        OPENINGS
            .iter()
            .filter(|opening| classes.contains(&opening.class))
            .map(|opening| Pairing::new(opening, &mut dice))
            .collect()
    }
}

/// Is there something left to play for both sides?
fn is_even(position: &Position) -> bool {
    let [black, white] = Side::BOTH.map(|side| position.pieces(side).len());
    black == white && position.has_move()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_opening_that_comes_again_goes_on_in_another_way() {
        let pairings = Pairing::by_lot(1440, 5);
        let (first, again) = pairings.split_at(144);
        assert!(first.iter().all(|pairing| pairing.history() == pairing.opening.history()));
        let longer = |pairing: &Pairing| {
            let (game, opening) = (pairing.history(), pairing.opening.history());
            game.moves().starts_with(opening.moves()) && game.moves().len() >= 3 + CHOICES as usize
        };
        assert!(again.iter().all(longer));
        let different: HashSet<u64> =
            again.iter().map(|pairing| pairing.history().position().zobrist_hash()).collect();
        assert!(different.len() > 1200, "{} of {} positions", different.len(), again.len());
    }

    #[test]
    fn lots_are_drawn_without_putting_back() {
        let mut numbers: Vec<u8> = Pairing::by_lot(144, 5).iter().map(|p| p.opening.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 144);
        assert_eq!(Pairing::by_lot(300, 5).len(), 300);
        assert_eq!(Pairing::by_lot(20, 5), Pairing::by_lot(20, 5));
        assert_ne!(Pairing::by_lot(20, 5), Pairing::by_lot(20, 6));
    }

    #[test]
    fn barred_openings_come_only_on_request() {
        assert!(Pairing::by_lot(500, 1).iter().all(|p| p.opening.class == OpeningClass::Crossboard));
        assert_eq!(Pairing::each_once(&[OpeningClass::Barred, OpeningClass::MailPlay], 1).len(), 30);
    }
}
