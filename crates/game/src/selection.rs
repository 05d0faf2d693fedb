//! The selection of a move square by square: first the piece, then its landing squares. The view lists every state that
//! a selection can be in, so a screen looks up what a touch means and needs no rules.

use serde::Serialize;

use crate::view::{MoveView, View};
use crate::words;

/// A move that is being chosen on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    path: Vec<u8>,
}

/// The result of touching a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A piece was picked up, put down or moved on; the move is not complete yet.
    Changed,
    /// The move is complete: its text, for [`Command::Move`](crate::Command::Move).
    Complete(String),
    /// That square cannot be chosen, for the reason in this sentence.
    Refused(String),
    /// The piece was put down, because it cannot go there. The game refuses the move with this text and says why.
    Illegal(String),
    /// An empty square was touched with no piece picked up.
    Nothing,
}

/// A state of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SelectionState {
    /// The squares chosen so far: the square of the piece, and its landings since.
    pub path: Vec<u8>,
    /// The squares jumped so far.
    pub jumped: Vec<u8>,
    /// The squares that can be chosen next.
    pub targets: Vec<Target>,
    /// Why no other square can be chosen, once a jump has begun: “The jump goes on: 18 or 20.”
    pub goes_on: Option<String>,
}

/// A square that can be chosen next: the next landing, or the last square of a long jump if only one capture leads there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The square.
    pub square: u8,
    /// Does the piece jump on the way?
    pub jumps: bool,
    /// The path of the selection with this choice.
    pub path: Vec<u8>,
    /// The move that this choice completes, to be sent back.
    #[serde(rename = "move")]
    pub complete: Option<String>,
}

impl Selection {
    /// Chooses a square.
    pub fn touch(&mut self, view: &View, square: u8) -> Touch {
        let from = self.path.first().copied();
        if let Some(state) = self.state(view) {
            if let Some(Target { path, complete, .. }) =
                state.targets.iter().find(|target| target.square == square)
            {
                // A shortcut leaves the piece where it was, because the landings in between have not been shown.
                if path.len() == self.path.len() + 1 {
                    self.path.clone_from(path);
                }
                return complete.clone().map_or(Touch::Changed, Touch::Complete);
            }
            if let Some(sentence) = &state.goes_on {
                return Touch::Refused(sentence.clone());
            }
        }
        self.clear();
        if from == Some(square) {
            return Touch::Changed;
        }
        match (view.pieces.iter().find(|piece| piece.square == square), from) {
            (Some(piece), _) => {
                if let Some(why) = &piece.why_not {
                    return Touch::Refused(why.clone());
                }
                self.path.push(square);
                Touch::Changed
            }
            (None, Some(from)) => Touch::Illegal(format!("{from}-{square}")),
            (None, None) => Touch::Nothing,
        }
    }

    /// Puts the piece down. Once a jump has begun it must continue, as the returned sentence says.
    pub fn cancel(&mut self, view: &View) -> Option<String> {
        let goes_on = self.state(view).and_then(|state| state.goes_on.clone());
        if goes_on.is_none() {
            self.clear();
        }
        goes_on
    }

    /// Clears the selection.
    pub fn clear(&mut self) {
        self.path.clear();
    }

    /// The piece that is picked up: where it stood, and where it is now.
    pub fn held(&self) -> Option<(u8, u8)> {
        Some((*self.path.first()?, *self.path.last()?))
    }

    /// The number of landings chosen.
    pub fn landings(&self) -> usize {
        self.path.len().saturating_sub(1)
    }

    /// The state of the selection, if a piece is picked up.
    pub fn state<'a>(&self, view: &'a View) -> Option<&'a SelectionState> {
        view.moves.iter().flat_map(|piece| &piece.states).find(|state| state.path == self.path)
    }
}

/// All states of selecting one of the moves of a piece.
pub(crate) fn states(moves: &[MoveView]) -> Vec<SelectionState> {
    let mut states: Vec<SelectionState> = Vec::new();
    for mv in moves {
        for length in 1..mv.path.len() {
            let path = &mv.path[..length];
            if states.iter().all(|state| state.path != path) {
                states.push(SelectionState::new(path, moves));
            }
        }
    }
    states
}

impl SelectionState {
    fn new(path: &[u8], moves: &[MoveView]) -> SelectionState {
        let open: Vec<&MoveView> =
            moves.iter().filter(|mv| mv.path.len() > path.len() && mv.path.starts_with(path)).collect();
        let mut targets: Vec<Target> = Vec::new();
        let mut add = |mv: &MoveView, length: usize| {
            let path = &mv.path[..length];
            let is_known = |target: &Target| Some(&target.square) == path.last();
            if let Some(&square) = path.last().filter(|_| !targets.iter().any(is_known)) {
                let complete = (length == mv.path.len()).then(|| mv.exact.clone());
                targets.push(Target {
                    square,
                    jumps: !mv.captured.is_empty(),
                    path: path.to_vec(),
                    complete,
                });
            }
        };
        for mv in &open {
            add(mv, path.len() + 1);
        }
        for mv in &open {
            let is_rival = |other: &&&MoveView| other.path.last() == mv.path.last();
            if open.iter().filter(is_rival).all(|rival| captures(rival) == captures(mv)) {
                add(mv, mv.path.len());
            }
        }
        let landings = targets.iter().filter(|target| target.path.len() == path.len() + 1);
        let goes_on = (path.len() > 1).then(|| words::goes_on(landings.map(|target| target.square)));
        let jumped = open.first().map(|mv| mv.captured.iter().take(path.len() - 1).copied().collect());
        SelectionState { path: path.to_vec(), jumped: jumped.unwrap_or_default(), targets, goes_on }
    }
}

/// The squares that a move captures, regardless of order.
fn captures(mv: &MoveView) -> Vec<u8> {
    let mut squares = mv.captured.clone();
    squares.sort_unstable();
    squares
}
