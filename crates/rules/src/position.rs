//! A valid position: the pieces, the side to move, and the Zobrist hash of both.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::board::{BlackToMove, Board, Change, Turn, WhiteToMove};
use crate::moves::{Move, MoveList};
use crate::spot::each_spot;
use crate::{MAX_PIECES, Piece, Rank, Setup, SetupError, Side, Square, Squares, zobrist};

/// The pieces on the board and the side to move. Immutable; [`play`](Position::play) returns a new one.
///
/// Every position obeys the limits that [`Position::from_squares`] checks. A side may have no pieces left: it has lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: Board,
    side: Side,
    hash: u64,
}

impl Position {
    /// The initial position.
    pub fn start() -> Position {
        Position::new(
            Board {
                own: Squares::from_bits(0x0000_0fff).word(),
                opp: Squares::from_bits(0xfff0_0000).word(),
                kings: 0,
            },
            Side::Black,
        )
    }

    /// The position with these men and kings, each by [`Side::index`].
    ///
    /// ```
    /// # use crownhead_rules::{Position, Side, Square, Squares};
    /// let set = |numbers: &[u8]| -> Squares { numbers.iter().filter_map(|&n| Square::new(n)).collect() };
    /// let men = [set(&[9, 13]), set(&[21])];
    /// let kings = [set(&[]), set(&[32])];
    /// assert_eq!(Position::from_squares(Side::White, men, kings)?.to_string(), "W:W21,K32:B9,13");
    /// # Ok::<(), crownhead_rules::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// If two sets share a square, a man stands on its king row, a side has more than twelve pieces, or the board is
    /// empty.
    pub fn from_squares(
        side_to_move: Side,
        men: [Squares; 2],
        kings: [Squares; 2],
    ) -> Result<Position, SetupError> {
        let mut occupied = Squares::EMPTY;
        for side in Side::BOTH {
            let (men, kings) = (men[side.index()], kings[side.index()]);
            if let Some(square) = (men & kings | occupied & (men | kings)).first() {
                return Err(SetupError::SharedSquare { square });
            }
            if let Some(square) = (men & side.king_row()).first() {
                return Err(SetupError::ManOnKingRow { side, square });
            }
            let count = (men | kings).len() as usize;
            if count > MAX_PIECES {
                return Err(SetupError::TooManyPieces { side, count });
            }
            occupied = occupied | men | kings;
        }
        if occupied.is_empty() {
            return Err(SetupError::NoPieces);
        }
        let pieces = |side: Side| (men[side.index()] | kings[side.index()]).word();
        let board = Board {
            own: pieces(side_to_move),
            opp: pieces(!side_to_move),
            kings: (kings[0] | kings[1]).word(),
        };
        Ok(Position::new(board, side_to_move))
    }

    /// The board must obey the limits of a position.
    pub(crate) fn new(board: Board, side: Side) -> Position {
        let mut position = Position { board, side, hash: 0 };
        position.hash = position.fresh_hash();
        position
    }

    #[inline]
    pub(crate) const fn from_parts(board: Board, side: Side, hash: u64) -> Position {
        Position { board, side, hash }
    }

    /// The side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// All pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> Squares {
        Squares::from_word(if side == self.side { self.board.own } else { self.board.opp })
    }

    /// The kings of both sides.
    #[inline]
    pub const fn all_kings(&self) -> Squares {
        Squares::from_word(self.board.kings)
    }

    /// The kings of a side.
    #[inline]
    pub fn kings(&self, side: Side) -> Squares {
        self.pieces(side) & self.all_kings()
    }

    /// The men of a side.
    #[inline]
    pub fn men(&self, side: Side) -> Squares {
        self.pieces(side) - self.all_kings()
    }

    /// The occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Squares {
        Squares::from_word(self.board.own | self.board.opp)
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> Squares {
        Squares::from_word(self.board.empty())
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|&side| self.pieces(side).contains(square))?;
        let rank = if self.all_kings().contains(square) { Rank::King } else { Rank::Man };
        Some(Piece { side, rank })
    }

    /// The Zobrist hash: equal for equal positions and almost always different for different ones. It is updated
    /// incrementally with every move and is the same on every machine.
    #[inline]
    pub const fn zobrist_hash(&self) -> u64 {
        self.hash
    }

    /// All legal moves. Two paths that capture the same pieces are two moves here and one in
    /// [`distinct_moves`](Position::distinct_moves).
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.each_move(|mv| list.push(mv));
        list
    }

    /// Calls `visit` with every legal move.
    #[inline]
    pub(crate) fn each_move(&self, mut visit: impl FnMut(Move)) {
        let mut visit = |change| visit(Move::of(change));
        match self.side {
            Side::Black => self.board.each_move::<BlackToMove>(&mut visit),
            Side::White => self.board.each_move::<WhiteToMove>(&mut visit),
        }
    }

    /// The legal moves that differ in effect: captures from the same square, to the same square, over the same pieces
    /// count as one move, whatever the path.
    pub fn distinct_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        for mv in self.moves() {
            if !list.iter().any(|other| other.same_effect(mv)) {
                list.push(mv);
            }
        }
        list
    }

    /// The pieces of the side to move that have a capture. If there are any, one of them must move.
    #[inline]
    pub fn must_jump(&self) -> Squares {
        Squares::from_word(match self.side {
            Side::Black => self.board.jumpers::<BlackToMove>(),
            Side::White => self.board.jumpers::<WhiteToMove>(),
        })
    }

    /// Must the side to move capture?
    #[inline]
    pub fn is_capture_due(&self) -> bool {
        !self.must_jump().is_empty()
    }

    /// The opponent's pieces that could capture if it were their turn.
    #[inline]
    pub fn threats(&self) -> Squares {
        let Board { own, opp, kings } = self.board;
        let theirs = Board { own: opp, opp: own, kings };
        Squares::from_word(match self.side {
            Side::Black => theirs.jumpers::<WhiteToMove>(),
            Side::White => theirs.jumpers::<BlackToMove>(),
        })
    }

    /// Is the position quiet: no capture for the side to move, and none for the opponent if it were to move?
    #[inline]
    pub fn is_quiet(&self) -> bool {
        !self.is_capture_due() && self.threats().is_empty()
    }

    /// Does the side to move have a legal move?
    #[inline]
    pub fn has_move(&self) -> bool {
        self.is_capture_due() || self.count_moves() != 0
    }

    /// The number of moves that [`moves`](Position::moves) would list.
    #[inline]
    pub fn count_moves(&self) -> usize {
        match self.side {
            Side::Black => self.board.count_moves::<BlackToMove>() as usize,
            Side::White => self.board.count_moves::<WhiteToMove>() as usize,
        }
    }

    /// The position after a move.
    ///
    /// ```
    /// # use crownhead_rules::Position;
    /// let start = Position::start();
    /// let mv = start.parse_move("11-15")?;
    /// let next = start.play(mv)?;
    /// assert_eq!(next.to_string(), "W:W21-32:B1-10,12,15");
    /// assert_eq!(next.play(mv).unwrap_err().to_string(), "11-15 is not a legal move in W:W21-32:B1-10,12,15");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the move is illegal here.
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove { mv, position: *self }) }
    }

    /// The position after a move that is known to be legal, because it comes from [`moves`](Position::moves),
    /// [`parse_move`](Position::parse_move) or [`is_legal`](Position::is_legal) of this very position. For hot loops;
    /// [`play`](Position::play) checks.
    ///
    /// With any other move the result is meaningless: pieces may appear or vanish, and the hash may not match the board.
    /// Memory stays safe. Builds with debug assertions panic instead.
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        debug_assert!(self.is_legal(mv), "{mv} is not a legal move in {self}");
        let change = mv.change(self.board.kings);
        match self.side {
            Side::Black => self.apply::<BlackToMove>(change),
            Side::White => self.apply::<WhiteToMove>(change),
        }
    }

    /// Does a man become a king with this move?
    pub fn crowns(&self, mv: Move) -> bool {
        self.men(self.side).contains(mv.from()) && self.side.king_row().contains(mv.to())
    }

    /// The same position with the board turned by 180° and the sides swapped.
    #[must_use]
    pub fn turned(&self) -> Position {
        let turned = |word| Squares::from_word(word).turned().word();
        let Board { own, opp, kings } = self.board;
        Position::new(Board { own: turned(own), opp: turned(opp), kings: turned(kings) }, !self.side)
    }

    #[inline]
    pub(crate) fn board(&self) -> Board {
        self.board
    }

    #[inline]
    pub(crate) fn apply<T: Turn>(&self, change: Change) -> Position {
        let Change { from, to, captured, king, .. } = change;
        let mut hash =
            self.hash ^ zobrist::TURN ^ zobrist::piece(T::SIDE, from) ^ zobrist::piece(T::SIDE, to);
        if king {
            hash ^= zobrist::crown(from) ^ zobrist::crown(to);
        } else if to.bit & T::KING_ROW != 0 {
            hash ^= zobrist::crown(to);
        }
        for spot in each_spot(captured) {
            hash ^= zobrist::piece(!T::SIDE, spot);
        }
        for spot in each_spot(captured & self.board.kings) {
            hash ^= zobrist::crown(spot);
        }
        Position { board: self.board.after::<T>(change), side: !T::SIDE, hash }
    }

    fn fresh_hash(&self) -> u64 {
        let mut hash = if self.side == Side::White { zobrist::TURN } else { 0 };
        for side in Side::BOTH {
            for spot in each_spot(self.pieces(side).word()) {
                hash ^= zobrist::piece(side, spot);
            }
        }
        each_spot(self.board.kings).fold(hash, |hash, spot| hash ^ zobrist::crown(spot))
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Position, SetupError> {
        setup.to_position()
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The error for a move that is illegal in the position where it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The position.
    pub position: Position,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move in {}", self.mv, self.position)
    }
}

impl core::error::Error for IllegalMove {}
