//! The two fixed points of the scale of levels. They never change, so that levels can be measured by them for ever.

use crownhead_engine::{Dice, Limits};
use crownhead_rules::{History, Move, Position};

use super::{Answer, Player, PlayerError};

/// Plays any legal move.
#[derive(Debug, Default)]
pub struct Random {
    dice: Dice,
}

impl Player for Random {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.dice = Dice::new(seed);
        Ok(())
    }

    fn play(&mut self, game: &History, _limits: &Limits) -> Result<Answer, PlayerError> {
        Ok(Answer::bare(*self.dice.pick(&game.position().distinct_moves())))
    }
}

/// Looks two plies ahead and counts pieces; among equals any move.
#[derive(Debug, Default)]
pub struct Novice {
    dice: Dice,
}

impl Player for Novice {
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        self.dice = Dice::new(seed);
        Ok(())
    }

    fn play(&mut self, game: &History, _limits: &Limits) -> Result<Answer, PlayerError> {
        let moves = game.position().distinct_moves();
        let worth = |&mv: &Move| worst_after_reply(&game.position().play_unchecked(mv));
        let most = moves.iter().map(worth).max();
        let best: Vec<Move> = moves.into_iter().filter(|mv| Some(worth(mv)) == most).collect();
        Ok(Answer::bare(*self.dice.pick(&best)))
    }
}

/// The lead in pieces that the side not on move keeps, whatever the reply. Without a reply the game is won.
fn worst_after_reply(position: &Position) -> i32 {
    let replier = position.side_to_move();
    let lead = |after: Position| after.pieces(!replier).len() as i32 - after.pieces(replier).len() as i32;
    position.moves().into_iter().map(|reply| lead(position.play_unchecked(reply))).min().unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn novice_plays(fen: &str, seed: u64) -> String {
        let mut novice = Novice::default();
        novice.new_game(seed).unwrap();
        let game = History::new(fen.parse().unwrap());
        novice.play(&game, &Limits::default()).unwrap().mv.to_string()
    }

    #[test]
    fn novice_does_not_give_a_piece_away() {
        // 11-15 loses the man to 19x10 and 11-16 to 19x12, with nothing in return; moves of the other man are safe.
        let fen = "B:W19,24:B11,1";
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.distinct_moves().len(), 4);
        let played: BTreeSet<String> = (0..100).map(|seed| novice_plays(fen, seed)).collect();
        assert_eq!(played, ["1-5", "1-6"].map(str::to_owned).into());
    }

    #[test]
    fn novice_takes_the_larger_capture() {
        assert_eq!(novice_plays("W:W22:B18,11,17,10", 3), "22x15x8");
    }

    #[test]
    fn the_same_seed_draws_the_same_moves() {
        let line = |seed| {
            let mut random = Random::default();
            random.new_game(seed).unwrap();
            let mut game = History::default();
            for _ in 0..20 {
                game.push_unchecked(random.play(&game, &Limits::default()).unwrap().mv);
            }
            game
        };
        assert_eq!(line(1), line(1));
        assert_ne!(line(1), line(2));
    }
}
