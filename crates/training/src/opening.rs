//! Openings of self-play: random, different for every game, and reproducible from the seed and the game's number.

use crownhead_rules::{History, OPENINGS, Position, Rng};

/// Candidates for the opening of one game.
pub(super) struct Openings {
    rng: Rng,
    /// Start from a three-move ballot instead of the start position?
    from_ballot: bool,
    /// Random moves to play.
    choices: u64,
}

/// The fewest random moves after a ballot and from the start position. With fewer, many games would repeat an opening.
const MIN_CHOICES: [u64; 2] = [4, 7];
/// The most random moves beyond that.
const MAX_MORE_CHOICES: u64 = 4;

impl Openings {
    /// The openings of a game. All have the same number of random moves: if each had its own, short ones would be
    /// playable more often, and most games would begin with them.
    pub(super) fn new(seed: u64, number: u64) -> Openings {
        let mut rng = rng(seed, number);
        let from_ballot = rng.below(2) == 0;
        let min = MIN_CHOICES[usize::from(!from_ballot)];
        let choices = min + rng.below(MAX_MORE_CHOICES + 1);
        Openings { rng, from_ballot, choices }
    }

    /// The next candidate.
    pub(super) fn draw(&mut self) -> History {
        let mut game = if self.from_ballot {
            self.rng.pick(&OPENINGS).history()
        } else {
            History::new(Position::start())
        };
        game.play_random_moves(self.choices, &mut self.rng);
        game
    }
}

/// The generator of a game. Seed and number are mixed one after the other, so that no two games share a part of their
/// sequences: where the first opening of one is not playable, the next would be that of the other.
fn rng(seed: u64, number: u64) -> Rng {
    let mixed = Rng::new(seed).next_u64() ^ number;
    Rng::new(Rng::new(mixed).next_u64())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn games_of_nearby_seeds_and_numbers_share_no_random_number() {
        let mut numbers = HashSet::new();
        for (seed, number) in (0..8).flat_map(|seed| (0..64).map(move |number| (seed, number))) {
            let mut rng = Openings::new(seed, number).rng;
            for _ in 0..64 {
                assert!(numbers.insert(rng.next_u64()), "game {number} of seed {seed}");
            }
        }
    }

    #[test]
    fn openings_end_quietly_and_seldom_repeat() {
        let openings = (0..2000).map(|number| *Openings::new(1, number).draw().position());
        let openings: Vec<Position> = openings.filter(Position::has_move).collect();
        assert!(openings.iter().all(Position::is_quiet));
        let different: HashSet<u64> = openings.iter().map(Position::zobrist_hash).collect();
        assert!(different.len() > 1950, "{} of {} openings", different.len(), openings.len());
    }
}
