//! Lines of moves: the main line or a variation, each move with its comments, marks and variations.

use crownhead_rules::{Move, MoveError, Position};

use crate::{Comment, Nag};

/// The moves of a game or of a variation.
///
/// The board may be set up anew between two moves, as some analyses do; then a move does not start from the position
/// after the move before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    comments: Vec<Comment>,
    plies: Vec<Ply>,
    position: Position,
}

/// One move of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    before: Position,
    mv: Move,
    /// Most moves have no notes.
    notes: Option<Box<Notes>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Notes {
    nags: Vec<Nag>,
    comments: Vec<Comment>,
    variations: Vec<Line>,
}

impl Line {
    /// A line without moves.
    pub const fn new(start: Position) -> Line {
        Line { comments: Vec::new(), plies: Vec::new(), position: start }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        self.plies.first().map_or(&self.position, |first| &first.before)
    }

    /// The position at the end of the line.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves with their notes.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves, to add notes to them.
    pub fn plies_mut(&mut self) -> &mut [Ply] {
        &mut self.plies
    }

    /// The bare moves.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(Ply::mv)
    }

    /// Adds a move that is legal at the end of the line (see [`Position::play_unchecked`]).
    pub fn push(&mut self, mv: Move) -> &mut Ply {
        let before = self.position;
        self.position = before.play_unchecked(mv);
        self.plies.push(Ply { before, mv, notes: None });
        self.plies.last_mut().expect("a ply was just added")
    }

    /// Reads a move and adds it.
    ///
    /// # Errors
    /// As [`Position::parse_move`]; then the line is unchanged.
    pub fn play(&mut self, text: &str) -> Result<&mut Ply, MoveError> {
        let mv = self.position.parse_move(text)?;
        Ok(self.push(mv))
    }

    /// Sets the board up anew: the next move starts from this position. Before the first move it becomes the start.
    pub fn set_up(&mut self, position: Position) {
        self.position = position;
    }

    /// The comments before the first move.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Adds a comment before the first move. A text without words adds nothing.
    pub fn add_comment(&mut self, text: &str) {
        self.comments.extend(Comment::new(text));
    }
}

impl Ply {
    /// The position before the move.
    pub const fn before(&self) -> &Position {
        &self.before
    }

    /// The move.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// The position after the move.
    pub fn after(&self) -> Position {
        self.before.play_unchecked(self.mv)
    }

    /// The marks (NAGs) of the move.
    pub fn nags(&self) -> &[Nag] {
        self.notes.as_ref().map_or(&[], |notes| &notes.nags)
    }

    /// The comments on the move.
    pub fn comments(&self) -> &[Comment] {
        self.notes.as_ref().map_or(&[], |notes| &notes.comments)
    }

    /// The alternatives to the move: each line begins with another move in the same position.
    pub fn variations(&self) -> &[Line] {
        self.notes.as_ref().map_or(&[], |notes| &notes.variations)
    }

    /// The variations, to add notes to them.
    pub fn variations_mut(&mut self) -> &mut [Line] {
        self.notes.as_mut().map_or(&mut [], |notes| &mut notes.variations)
    }

    /// Marks the move.
    pub fn add_nag(&mut self, nag: Nag) {
        self.notes_mut().nags.push(nag);
    }

    /// Adds a comment on the move. A text without words adds nothing.
    pub fn add_comment(&mut self, text: &str) {
        if let Some(comment) = Comment::new(text) {
            self.notes_mut().comments.push(comment);
        }
    }

    /// Adds a variation that begins in place of this move; each of its moves must be legal in turn. Returns the line,
    /// to add notes to it, or `None` if there are no moves.
    pub fn add_variation(&mut self, moves: impl IntoIterator<Item = Move>) -> Option<&mut Line> {
        let mut line = Line::new(self.before);
        for mv in moves {
            line.push(mv);
        }
        self.add_line(line)
    }

    /// Removes the last mark.
    pub fn pop_nag(&mut self) -> Option<Nag> {
        self.notes.as_mut()?.nags.pop()
    }

    /// Removes the last comment.
    pub fn pop_comment(&mut self) -> Option<Comment> {
        self.notes.as_mut()?.comments.pop()
    }

    /// Removes the last variation.
    pub fn pop_variation(&mut self) -> Option<Line> {
        self.notes.as_mut()?.variations.pop()
    }

    /// Adds a line, unless it has no moves.
    pub(crate) fn add_line(&mut self, line: Line) -> Option<&mut Line> {
        if line.plies.is_empty() {
            return None;
        }
        let variations = &mut self.notes_mut().variations;
        variations.push(line);
        variations.last_mut()
    }

    /// The notes, created if there are none yet.
    fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }
}
