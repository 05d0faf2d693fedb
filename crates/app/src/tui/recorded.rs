//! A PDN file opened at one move of one game. It has the same log and view as a game in play.

use crownhead_game::{Game, Moment, Time, View, Who};
use crownhead_pdn::{Ply, ReadGame};

/// A PDN file with a current game and a current move.
pub(crate) struct Recorded {
    games: Vec<ReadGame>,
    /// The index of the open game, from 0.
    at: usize,
    game: Game,
    /// The number of its moves on the board.
    plies: usize,
}

impl Recorded {
    /// Opens a game of a file, counted from 1.
    ///
    /// # Errors
    /// A sentence if there is no such game.
    pub(crate) fn open(games: Vec<ReadGame>, number: usize) -> Result<Recorded, String> {
        let at = find(&games, number)?;
        Ok(Recorded { game: Game::from_pdn(&games[at].game), games, at, plies: 0 })
    }

    /// Opens another game of the file.
    ///
    /// # Errors
    /// A sentence if there is no such game; the current one then stays open.
    pub(crate) fn open_other(&mut self, number: usize) -> Result<(), String> {
        self.at = find(&self.games, number)?;
        self.game = Game::from_pdn(&self.games[self.at].game);
        self.plies = 0;
        Ok(())
    }

    /// Goes to the position after this many moves, or to the end if there are fewer.
    pub(crate) fn go_to(&mut self, plies: usize) {
        self.plies = plies.min(self.end());
    }

    /// The number of the open game, from 1.
    pub(crate) fn number(&self) -> usize {
        self.at + 1
    }

    /// The number of games in the file.
    pub(crate) fn count(&self) -> usize {
        self.games.len()
    }

    /// The number of moves on the board.
    pub(crate) fn plies(&self) -> usize {
        self.plies
    }

    /// The number of moves of the game.
    pub(crate) fn end(&self) -> usize {
        self.game.history().moves().len()
    }

    /// The game as read from the file.
    pub(crate) fn read(&self) -> &ReadGame {
        &self.games[self.at]
    }

    /// The game, replayed as if it had been played here.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The view of the current position, with the side to move.
    pub(crate) fn view(&self) -> View {
        let turn = self.game.history().positions()[self.plies].side_to_move();
        View { turn: Some(turn), ..self.game.view_at(Who::Watcher, Moment::at(Time(0)), self.plies) }
    }

    /// The reader's warning about the game, as a sentence.
    pub(crate) fn trouble(&self) -> Option<String> {
        let warning = self.read().warnings.first()?;
        Some(format!("Line {}: {}.", warning.place.line, warning.problem))
    }

    /// The comment on the last move on the board, or before the first move.
    pub(crate) fn comment(&self) -> Option<String> {
        let line = &self.read().game.line;
        let comments = match self.plies.checked_sub(1) {
            None => line.comments(),
            Some(i) => line.plies().get(i).map_or(&[][..], Ply::comments),
        };
        let text = comments.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Some(text).filter(|text| !text.is_empty())
    }
}

fn find(games: &[ReadGame], number: usize) -> Result<usize, String> {
    let at = number.checked_sub(1).filter(|&at| at < games.len());
    at.ok_or_else(|| format!("There is no game {number}; the file has {}.", games.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_rules::Side;

    const FILE: &str = "[Event \"One\"] {before} 1. 11-15 {the old way} 22-18 2. 15x22 1-0 \
                        [Event \"Crownhead, Numbered\"] 1. 11-15 23-19 2. 1-31 *";

    fn open(number: usize) -> Result<Recorded, String> {
        Recorded::open(crownhead_pdn::read_str(FILE).collect(), number)
    }

    #[test]
    fn comments_and_turns_go_with_the_moves() {
        let mut recorded = open(1).unwrap();
        assert_eq!(recorded.comment().as_deref(), Some("before"));
        assert_eq!(recorded.view().turn, Some(Side::Black));
        recorded.go_to(1);
        assert_eq!(recorded.comment().as_deref(), Some("the old way"));
        assert_eq!(recorded.view().turn, Some(Side::White));
        recorded.go_to(9);
        assert_eq!((recorded.plies(), recorded.comment(), recorded.trouble()), (3, None, None));
    }

    #[test]
    fn our_own_files_are_shown_by_their_rules() {
        let recorded = open(2).unwrap();
        assert_eq!(recorded.view().rulebook.title, "Numbered");
        assert_eq!(open(1).unwrap().view().rulebook.title, "American");
    }

    #[test]
    fn a_game_that_breaks_off_is_shown_as_far_as_it_goes() {
        let recorded = open(2).unwrap();
        assert_eq!(recorded.end(), 2);
        let trouble = recorded.trouble().unwrap();
        assert!(trouble.starts_with("Line 1: “1-31” cannot be played"), "{trouble}");
    }

    #[test]
    fn a_game_that_is_not_there_is_told() {
        assert_eq!(open(3).err().as_deref(), Some("There is no game 3; the file has 2."));
        assert!(open(0).is_err());
        let mut recorded = open(2).unwrap();
        assert!(recorded.open_other(7).is_err());
        assert_eq!(recorded.number(), 2);
    }
}
