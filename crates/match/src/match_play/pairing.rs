//! The openings of a match and the seeds of its games.

use crownhead_rules::{History, OPENINGS, Opening, OpeningClass, Position, Rng, Side};

/// An opening to be played from both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The opening.
    pub opening: &'static Opening,
    /// Random moves after it.
    random_moves: u64,
    /// The seeds of the two players, the same in both games. With a shared seed, the random errors of the two players
    /// would be correlated.
    pub seeds: [u64; 2],
}

/// Random moves after an opening that is repeated.
const RANDOM_MOVES: u64 = 4;

impl Pairing {
    fn new(opening: &'static Opening, rng: &mut Rng) -> Pairing {
        Pairing { opening, random_moves: 0, seeds: [rng.next_u64(), rng.next_u64()] }
    }

    /// The opening on the board.
    pub fn history(&self) -> History {
        if self.random_moves == 0 {
            return self.opening.history();
        }
        let mut rng = Rng::new(self.seeds[0]);
        loop {
            let mut game = self.opening.history();
            game.play_random_moves(self.random_moves, &mut rng);
            if is_even(game.position()) {
                return game;
            }
        }
    }

    /// `count` random openings of those for crossboard play. Each occurs once before any repeats, and a repeated one
    /// continues with random moves, since deterministic players would repeat the game.
    pub fn random(count: usize, seed: u64) -> Vec<Pairing> {
        let mut rng = Rng::new(seed);
        let mut openings: Vec<&Opening> = Opening::of_class(OpeningClass::Crossboard).collect();
        let mut pairings = Vec::with_capacity(count);
        while pairings.len() < count {
            rng.shuffle(&mut openings);
            let left = count - pairings.len();
            let random_moves = if pairings.is_empty() { 0 } else { RANDOM_MOVES };
            let pairing = |&opening| Pairing { random_moves, ..Pairing::new(opening, &mut rng) };
            pairings.extend(openings.iter().take(left).map(pairing));
        }
        pairings
    }

    /// Every opening of these classes, in the order of their numbers.
    pub fn all_of(classes: &[OpeningClass], seed: u64) -> Vec<Pairing> {
        let mut rng = Rng::new(seed);
        OPENINGS
            .iter()
            .filter(|opening| classes.contains(&opening.class))
            .map(|opening| Pairing::new(opening, &mut rng))
            .collect()
    }
}

/// Is the material even, and can the side to move play on?
fn is_even(position: &Position) -> bool {
    let [black, white] = Side::BOTH.map(|side| position.pieces(side).len());
    black == white && position.has_move()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_repeated_opening_continues_with_random_moves() {
        let pairings = Pairing::random(1440, 5);
        let (first, again) = pairings.split_at(144);
        assert!(first.iter().all(|pairing| pairing.history() == pairing.opening.history()));
        let longer = |pairing: &Pairing| {
            let (game, opening) = (pairing.history(), pairing.opening.history());
            game.moves().starts_with(opening.moves()) && game.moves().len() >= 3 + RANDOM_MOVES as usize
        };
        assert!(again.iter().all(longer));
        let different: HashSet<u64> =
            again.iter().map(|pairing| pairing.history().position().zobrist_hash()).collect();
        assert!(different.len() > 1200, "{} of {} positions", different.len(), again.len());
    }

    #[test]
    fn openings_are_drawn_without_replacement() {
        let mut numbers: Vec<u8> = Pairing::random(144, 5).iter().map(|p| p.opening.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 144);
        assert_eq!(Pairing::random(300, 5).len(), 300);
        assert_eq!(Pairing::random(20, 5), Pairing::random(20, 5));
        assert_ne!(Pairing::random(20, 5), Pairing::random(20, 6));
    }

    #[test]
    fn barred_openings_are_played_only_on_request() {
        assert!(Pairing::random(500, 1).iter().all(|p| p.opening.class == OpeningClass::Crossboard));
        assert_eq!(Pairing::all_of(&[OpeningClass::Barred, OpeningClass::MailPlay], 1).len(), 30);
    }
}
