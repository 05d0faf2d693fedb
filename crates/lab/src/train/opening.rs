//! How games of self-play begin: each in its own way, and none with somebody far ahead from the start.

use crownhead_engine::Dice;
use crownhead_rules::{History, OPENINGS, Position};

use crate::wander::wander;

/// Openings for one game, until one of them is playable.
pub(super) struct Openings {
    dice: Dice,
    /// With one of the three-move ballots, or else from the start.
    from_ballot: bool,
    /// So many moves are chosen by lot.
    choices: u64,
}

/// The fewest moves by lot after a ballot and from the start. With fewer there are so few openings that many games come
/// again and again.
const LEAST_CHOICES: [u64; 2] = [4, 7];
/// At most so many moves by lot more.
const MORE_CHOICES: u64 = 4;

impl Openings {
    /// The openings for a game. It is settled here how many moves are random: if each opening had its own number, those
    /// with few would be playable more often, and most games would begin with them.
    pub(super) fn new(seed: u64, number: u64) -> Openings {
        let mut dice = dice(seed, number);
        let from_ballot = dice.below(2) == 0;
        let least = LEAST_CHOICES[usize::from(!from_ballot)];
        let choices = least + dice.below(MORE_CHOICES + 1);
        Openings { dice, from_ballot, choices }
    }

    /// An opening.
    pub(super) fn draw(&mut self) -> History {
        let mut game = if self.from_ballot {
            self.dice.pick(&OPENINGS).history()
        } else {
            History::new(Position::start())
        };
        wander(&mut game, self.choices, &mut self.dice);
        game
    }
}

/// The dice of a game. Seed and number are scrambled one after the other, so that no game goes on with the rolls of
/// another one: where the first opening of one is not playable, the next would be that of the other.
fn dice(seed: u64, number: u64) -> Dice {
    let scrambled = Dice::new(seed).roll() ^ number;
    Dice::new(Dice::new(scrambled).roll())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn games_of_nearby_seeds_and_numbers_share_no_roll() {
        let mut rolls = HashSet::new();
        for (seed, number) in (0..8).flat_map(|seed| (0..64).map(move |number| (seed, number))) {
            let mut dice = Openings::new(seed, number).dice;
            for _ in 0..64 {
                assert!(rolls.insert(dice.roll()), "game {number} of seed {seed}");
            }
        }
    }

    #[test]
    fn openings_end_quietly_and_seldom_come_again() {
        let openings = (0..2000).map(|number| *Openings::new(1, number).draw().position());
        let openings: Vec<Position> = openings.filter(Position::has_move).collect();
        assert!(openings.iter().all(Sample::is_quiet));
        let different: HashSet<u64> = openings.iter().map(Position::zobrist_hash).collect();
        assert!(different.len() > 1950, "{} of {} openings", different.len(), openings.len());
    }
}
