//! The games of a file, one of them open at one of its moves. It looks like a game at the table: the same log, the same
//! view.

use crownhead_game::{Event, Game, Moment, Place, Player, Record, Started, Time, View, Who, rulebook_of};
use crownhead_pdn::{Ply, ReadGame};
use crownhead_rules::{Rulebook, Side};

/// A file of games that is being looked through.
pub(crate) struct Recorded {
    games: Vec<ReadGame>,
    /// The open one, from 0.
    at: usize,
    game: Game,
    /// How many of its moves are on the board.
    plies: usize,
}

impl Recorded {
    /// Opens a game of a file, counted from 1.
    ///
    /// # Errors
    /// If there is no such game, in a sentence.
    pub(crate) fn open(games: Vec<ReadGame>, number: usize) -> Result<Recorded, String> {
        let at = find(&games, number)?;
        Ok(Recorded { game: replayed(&games[at]), games, at, plies: 0 })
    }

    /// Opens another game of the file.
    ///
    /// # Errors
    /// If there is no such game, in a sentence; then this one stays open.
    pub(crate) fn open_other(&mut self, number: usize) -> Result<(), String> {
        self.at = find(&self.games, number)?;
        self.game = replayed(&self.games[self.at]);
        self.plies = 0;
        Ok(())
    }

    /// Goes to where so many moves are made, or as near as there is.
    pub(crate) fn go_to(&mut self, plies: usize) {
        self.plies = plies.min(self.end());
    }

    /// The number of the open game, from 1.
    pub(crate) fn number(&self) -> usize {
        self.at + 1
    }

    /// How many games the file has.
    pub(crate) fn count(&self) -> usize {
        self.games.len()
    }

    /// How many moves are on the board.
    pub(crate) fn plies(&self) -> usize {
        self.plies
    }

    /// How many moves the game has.
    pub(crate) fn end(&self) -> usize {
        self.game.history().moves().len()
    }

    /// The game as it stands in the file.
    pub(crate) fn read(&self) -> &ReadGame {
        &self.games[self.at]
    }

    /// The game as it is at the table.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The game as it is shown, with the turn of the side that moved next.
    pub(crate) fn view(&self) -> View {
        let turn = self.game.history().positions()[self.plies].side_to_move();
        View { turn: Some(turn), ..self.game.view_at(Who::Watcher, Moment::at(Time(0)), self.plies) }
    }

    /// What is wrong with the game, in a sentence.
    pub(crate) fn trouble(&self) -> Option<String> {
        let warning = self.read().warnings.first()?;
        Some(format!("Line {}: {}.", warning.place.line, warning.problem))
    }

    /// What the file says about the last move on the board, or before the first one.
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

/// The game with all moves that could be read.
fn replayed(read: &ReadGame) -> Game {
    let tag = |name: &str| read.game.tags.get(name).unwrap_or_default();
    let started = Started {
        rulebook: Rulebook::of(rulebook_of(&read.game)),
        black: Player::human(tag("Black")),
        white: Player::human(tag("White")),
        bottom: Side::Black,
        clock: None,
        position: read.game.start().to_string(),
        opening: None,
        place: Place::Screen,
        seed: 0,
    };
    let history = read.game.history();
    let moved = |text: String| Event::Moved { text, lag_ms: 0 };
    let moves = history.moves().iter().map(|mv| moved(mv.to_string()));
    let events = std::iter::once(Event::Started(Box::new(started))).chain(moves);
    let log: Vec<Record> = events.map(|event| Record::new(Time(0), event)).collect();
    Game::replay(&log).expect("the moves of a history can be made")
}

#[cfg(test)]
mod tests {
    use super::*;

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
