//! Which openings a match is played from.

use crownhead_engine::Dice;
use crownhead_rules::{Class, OPENINGS, Opening};

/// An opening to be played from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The opening.
    pub opening: &'static Opening,
    /// What each of the two players draws its chances from, the same in both games. With one seed for both they would
    /// have the same luck, and a bad day of one would always meet a bad day of the other.
    pub seeds: [u64; 2],
}

impl Pairing {
    fn new(opening: &'static Opening, dice: &mut Dice) -> Pairing {
        Pairing { opening, seeds: [dice.roll(), dice.roll()] }
    }

    /// So many openings by lot, from those played over the board: each comes once before one comes again.
    pub fn by_lot(count: usize, seed: u64) -> Vec<Pairing> {
        let mut dice = Dice::new(seed);
        let mut hat: Vec<&Opening> = Opening::of_class(Class::Crossboard).collect();
        let mut pairings = Vec::with_capacity(count);
        while pairings.len() < count {
            dice.shuffle(&mut hat);
            let left = count - pairings.len();
            pairings.extend(hat.iter().take(left).map(|&opening| Pairing::new(opening, &mut dice)));
        }
        pairings
    }

    /// Every opening of these classes once, in the order of their numbers.
    pub fn each_once(classes: &[Class], seed: u64) -> Vec<Pairing> {
        let mut dice = Dice::new(seed);
        OPENINGS
            .iter()
            .filter(|opening| classes.contains(&opening.class))
            .map(|opening| Pairing::new(opening, &mut dice))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(Pairing::by_lot(500, 1).iter().all(|p| p.opening.class == Class::Crossboard));
        assert_eq!(Pairing::each_once(&[Class::Barred, Class::MailPlay], 1).len(), 30);
    }
}
