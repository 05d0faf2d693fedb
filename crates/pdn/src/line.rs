//! Moves in a row, each with what is said about it and what might have been played instead.

use crownhead_rules::{Move, MoveError, Position};

use crate::{Comment, Nag};

/// The moves of a game, or of a variation.
///
/// The board may be set up anew between two moves, as some analyses do; then the position that a move is made in is
/// not the one that the move before led to.
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
    /// Most moves have none.
    notes: Option<Box<Notes>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Notes {
    nags: Vec<Nag>,
    comments: Vec<Comment>,
    variations: Vec<Line>,
}

impl Line {
    /// A line without a move yet.
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

    /// The moves, to add notes to.
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
    /// As [`Position::parse_move`]; then nothing changes.
    pub fn play(&mut self, text: &str) -> Result<&mut Ply, MoveError> {
        let mv = self.position.parse_move(text)?;
        Ok(self.push(mv))
    }

    /// Sets the board up anew: the next move is made in this position. Before the first move it is the start.
    pub fn set_up(&mut self, position: Position) {
        self.position = position;
    }

    /// What is said before the first move.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Says something before the first move. A text without a word adds nothing.
    pub fn add_comment(&mut self, text: &str) {
        self.comments.extend(Comment::new(text));
    }
}

impl Ply {
    /// The position that the move is made in.
    pub const fn before(&self) -> &Position {
        &self.before
    }

    /// The move.
    pub const fn mv(&self) -> Move {
        self.mv
    }

    /// The position after it.
    pub fn after(&self) -> Position {
        self.before.play_unchecked(self.mv)
    }

    /// The marks of the move.
    pub fn nags(&self) -> &[Nag] {
        self.notes.as_ref().map_or(&[], |notes| &notes.nags)
    }

    /// What is said about it.
    pub fn comments(&self) -> &[Comment] {
        self.notes.as_ref().map_or(&[], |notes| &notes.comments)
    }

    /// What might have been played instead: each line begins with another move in the same position.
    pub fn variations(&self) -> &[Line] {
        self.notes.as_ref().map_or(&[], |notes| &notes.variations)
    }

    /// The variations, to add notes to.
    pub fn variations_mut(&mut self) -> &mut [Line] {
        self.notes.as_mut().map_or(&mut [], |notes| &mut notes.variations)
    }

    /// Marks the move.
    pub fn add_nag(&mut self, nag: Nag) {
        self.notes_mut().nags.push(nag);
    }

    /// Says something about it. A text without a word adds nothing.
    pub fn add_comment(&mut self, text: &str) {
        if let Some(comment) = Comment::new(text) {
            self.notes_mut().comments.push(comment);
        }
    }

    /// Adds moves that might have been played instead, the first one in place of this, each legal in its turn. The
    /// line is given back for notes; no moves make no line.
    pub fn add_variation(&mut self, moves: impl IntoIterator<Item = Move>) -> Option<&mut Line> {
        let mut line = Line::new(self.before);
        for mv in moves {
            line.push(mv);
        }
        self.add_line(line)
    }

    /// Takes the last mark away.
    pub fn pop_nag(&mut self) -> Option<Nag> {
        self.notes.as_mut()?.nags.pop()
    }

    /// Takes away what was said last.
    pub fn pop_comment(&mut self) -> Option<Comment> {
        self.notes.as_mut()?.comments.pop()
    }

    /// Takes the last variation away.
    pub fn pop_variation(&mut self) -> Option<Line> {
        self.notes.as_mut()?.variations.pop()
    }

    /// A line without moves is none.
    pub(crate) fn add_line(&mut self, line: Line) -> Option<&mut Line> {
        if line.plies.is_empty() {
            return None;
        }
        let variations = &mut self.notes_mut().variations;
        variations.push(line);
        variations.last_mut()
    }

    /// The notes, for one to be added.
    fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }
}
