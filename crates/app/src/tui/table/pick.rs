//! Choosing a move on the board, square by square, out of the moves that the game allows.

use crownhead_game::{MoveView, View};

use crate::tui::scene::Target;

/// The squares of a move that were chosen so far: where the piece stands, and where it has landed since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pick {
    path: Vec<u8>,
}

/// What came of choosing a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// A piece was picked up, put down or moved on, and there is more to choose.
    Going,
    /// This is to be asked of the game. It may refuse, and says why.
    Move(String),
    /// The piece cannot be picked up, for this reason.
    Not(String),
    /// An empty square, and nothing is chosen.
    Nothing,
}

impl Pick {
    /// Chooses a square.
    pub(crate) fn choose(&mut self, view: &View, square: u8) -> Picked {
        let Some(&from) = self.path.first() else { return self.pick_up(view, square) };
        let is_whole = {
            let next = self.candidates(view).find(|mv| mv.path.get(self.path.len()) == Some(&square));
            next.map(|mv| mv.path.len() == self.path.len() + 1)
        };
        if is_whole.is_some() {
            self.path.push(square);
        }
        match is_whole {
            Some(true) => return Picked::Move(self.text()),
            Some(false) => return Picked::Going,
            None => {}
        }
        let ends_here: Vec<&MoveView> =
            self.candidates(view).filter(|mv| mv.path.last() == Some(&square)).collect();
        if let Some((first, others)) = ends_here.split_first() {
            let same = others.iter().all(|mv| takes(mv) == takes(first));
            return Picked::Move(if same {
                first.exact.clone()
            } else {
                format!("{}x{square}", self.text())
            });
        }
        if self.is_under_way() {
            return Picked::Move(self.text());
        }
        if square == from {
            self.path.clear();
            return Picked::Going;
        }
        if view.pieces.iter().any(|piece| piece.square == square) {
            return self.pick_up(view, square);
        }
        Picked::Move(format!("{from}-{square}"))
    }

    fn pick_up(&mut self, view: &View, square: u8) -> Picked {
        if view.moves.iter().any(|piece| piece.from == square) {
            self.path = vec![square];
            return Picked::Going;
        }
        let piece = view.pieces.iter().find(|piece| piece.square == square);
        piece.and_then(|piece| piece.why_not.clone()).map_or(Picked::Nothing, Picked::Not)
    }

    /// Puts the piece down again. A jump that was begun cannot be given up; then this is what to ask the game.
    pub(crate) fn cancel(&mut self) -> Option<String> {
        if self.is_under_way() {
            return Some(self.text());
        }
        self.clear();
        None
    }

    pub(crate) fn clear(&mut self) {
        self.path.clear();
    }

    /// The piece that was picked up: where it stood, and where it is now.
    pub(crate) fn held(&self) -> Option<(u8, u8)> {
        Some((*self.path.first()?, *self.path.last()?))
    }

    /// Has the piece made a jump that must go on?
    pub(crate) fn is_under_way(&self) -> bool {
        self.path.len() > 1
    }

    /// How many landings were chosen.
    pub(crate) fn landings(&self) -> usize {
        self.path.len().saturating_sub(1)
    }

    /// The squares that were jumped so far.
    pub(crate) fn jumped(&self, view: &View) -> Vec<u8> {
        let first = self.candidates(view).next();
        first.map(|mv| mv.captured.iter().take(self.landings()).copied().collect()).unwrap_or_default()
    }

    /// Where the piece can go: the next landings, and the ends of longer jumps.
    pub(crate) fn targets(&self, view: &View) -> Vec<(u8, Target)> {
        if self.path.is_empty() {
            return Vec::new();
        }
        let target = |mv: &MoveView| if mv.captured.is_empty() { Target::Step } else { Target::Jump };
        self.candidates(view)
            .flat_map(|mv| {
                [mv.path.get(self.path.len()), mv.path.last()]
                    .into_iter()
                    .flatten()
                    .map(move |&to| (to, target(mv)))
            })
            .collect()
    }

    /// The moves that begin as chosen.
    fn candidates<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a MoveView> {
        view.moves.iter().flat_map(|piece| &piece.moves).filter(|mv| mv.path.starts_with(&self.path))
    }

    fn text(&self) -> String {
        self.path.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
    }
}

/// What a move takes, whatever the order.
fn takes(mv: &MoveView) -> Vec<u8> {
    let mut squares = mv.captured.clone();
    squares.sort_unstable();
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Command, Game, Moment, Player, Start, Time, Who};

    fn game(fen: &str) -> Game {
        let mut start = Start::new([Player::human(""), Player::human("")], 1);
        start.position = Some(fen.to_owned());
        Game::start(start, Time(0)).unwrap().0
    }

    fn view(game: &Game) -> View {
        game.view(Who::Screen, Moment::at(Time(0)))
    }

    #[test]
    fn a_step_is_two_squares() {
        let view = view(&game("B:W21-32:B1-12"));
        let mut pick = Pick::default();
        assert_eq!(pick.choose(&view, 11), Picked::Going);
        assert_eq!(pick.targets(&view).len(), 4, "two squares, each the next and the last");
        assert_eq!(pick.choose(&view, 15), Picked::Move("11x15".to_owned()));
    }

    #[test]
    fn another_piece_can_be_picked_up_instead() {
        let view = view(&game("B:W21-32:B1-12"));
        let mut pick = Pick::default();
        pick.choose(&view, 11);
        pick.choose(&view, 10);
        assert_eq!(pick.held(), Some((10, 10)));
        pick.choose(&view, 10);
        assert_eq!(pick.held(), None);
        assert!(matches!(pick.choose(&view, 1), Picked::Not(why) if why.contains("nowhere to go")));
        assert_eq!(pick.choose(&view, 18), Picked::Nothing);
    }

    #[test]
    fn a_jump_goes_landing_by_landing_or_at_once() {
        let mut game = game("B:W15,22,23:B10");
        let seen = view(&game);
        let mut pick = Pick::default();
        pick.choose(&seen, 10);
        assert_eq!(pick.choose(&seen, 19), Picked::Going);
        assert_eq!((pick.held(), pick.jumped(&seen)), (Some((10, 19)), vec![15]));
        assert_eq!(pick.cancel(), Some("10x19".to_owned()), "it must go on");
        assert_eq!(pick.choose(&seen, 26), Picked::Move("10x19x26".to_owned()));
        let mut at_once = Pick::default();
        at_once.choose(&seen, 10);
        let Picked::Move(text) = at_once.choose(&seen, 26) else { panic!("a move") };
        game.handle(Who::Screen, &Command::Move { text }, Moment::at(Time(1))).expect("legal");
    }

    #[test]
    fn a_last_square_with_two_ways_to_it_is_left_to_the_game() {
        let mut game = game("B:W14,15,22,23:B10");
        let seen = view(&game);
        let mut pick = Pick::default();
        pick.choose(&seen, 10);
        let Picked::Move(text) = pick.choose(&seen, 26) else { panic!("asked of the game") };
        let refusal = game.handle(Who::Screen, &Command::Move { text }, Moment::at(Time(1))).unwrap_err();
        assert_eq!(refusal.to_string(), "That can mean several moves: 10x17x26 or 10x19x26.");
    }

    #[test]
    fn where_a_piece_cannot_go_is_told_by_the_game() {
        let mut game = game("B:W21-32:B1-12");
        let seen = view(&game);
        let mut pick = Pick::default();
        pick.choose(&seen, 11);
        let Picked::Move(text) = pick.choose(&seen, 20) else { panic!("asked of the game") };
        let refusal = game.handle(Who::Screen, &Command::Move { text }, Moment::at(Time(1))).unwrap_err();
        assert_eq!(refusal.to_string(), "A man moves one square diagonally forward; 11 does not reach 20.");
    }
}
