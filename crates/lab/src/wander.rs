//! Moves by lot, so that games go different ways.

use crownhead_engine::Dice;
use crownhead_rules::History;

use crate::train::Sample;

/// Goes on with so many moves by lot, and with as many more as it takes to come to a quiet position or to the end. A
/// forced move is no choice: exchanges would lead many games to the same position.
pub(crate) fn wander(game: &mut History, choices: u64, dice: &mut Dice) {
    let mut chosen = 0;
    while chosen < choices || !Sample::is_quiet(game.position()) {
        let moves = game.position().distinct_moves();
        if moves.is_empty() {
            break;
        }
        game.push_unchecked(*dice.pick(&moves));
        chosen += u64::from(moves.len() > 1);
    }
}
