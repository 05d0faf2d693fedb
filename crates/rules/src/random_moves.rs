//! Random moves from a seed: varied openings for matches, training and tests.

use crate::{History, Rng};

impl History {
    /// Plays `choices` random moves, and then more until the position is quiet or the game is over. A forced move does
    /// not count as a choice, because exchanges would otherwise lead many games to the same position.
    pub fn play_random_moves(&mut self, choices: u64, rng: &mut Rng) {
        let mut chosen = 0;
        while chosen < choices || !self.position().is_quiet() {
            let moves = self.position().distinct_moves();
            if moves.is_empty() {
                break;
            }
            self.push_unchecked(*rng.pick(&moves));
            chosen += u64::from(moves.len() > 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn a_capture_of_either_side_makes_a_position_noisy() {
        assert!(Position::start().is_quiet());
        let is_quiet = |fen: &str| fen.parse::<Position>().unwrap().is_quiet();
        assert!(!is_quiet("B:W18,25:B15,1"));
        assert!(!is_quiet("W:W18:B15,6,1"), "Black would take 18");
    }

    #[test]
    fn random_moves_end_in_a_quiet_position_after_enough_choices() {
        for seed in 0..50 {
            let mut game = History::default();
            game.play_random_moves(8, &mut Rng::new(seed));
            assert!(game.moves().len() >= 8 && game.position().is_quiet(), "seed {seed}");
        }
    }
}
