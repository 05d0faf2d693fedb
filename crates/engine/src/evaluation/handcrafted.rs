//! The handcrafted evaluation: material, placement, mobility, runaway men and the move (opposition).
//!
//! It is the baseline for the network, played the first self-play games, and guides the search in tablebase positions.
//! Each side is evaluated from its own perspective: the board is turned for White. It uses only integers, so that it is
//! the same on every machine.

use crownhead_rules::{Direction, Position, Side, Square, Squares};

/// The evaluation for the side to move, in hundredths of a man.
#[inline]
pub(super) fn evaluate(position: &Position) -> i32 {
    let side = position.side_to_move();
    let (own, opp) = (Perspective::of(position, side), Perspective::of(position, !side));
    material(&own, &opp) + own.value() - opp.value() + the_move(position) + TEMPO
}

/// The board from one side's perspective: its men go down the board, as Black's do.
struct Perspective {
    men: Squares,
    kings: Squares,
    opp_men: Squares,
    opp: Squares,
    empty: Squares,
}

const MAN: i32 = 100;
const KING: i32 = 132;
/// The bonus for the side to move (tempo).
const TEMPO: i32 = 3;
/// A lead counts more as pieces leave the board: it grows by `lead × this / all material`.
const TRADE: i32 = 240;

/// Material, with an incentive to exchange when ahead.
#[inline]
fn material(own: &Perspective, opp: &Perspective) -> i32 {
    let worth = |side: &Perspective| MAN * count(side.men) + KING * count(side.kings);
    let (own, opp) = (worth(own), worth(opp));
    (own - opp) + (own - opp) * TRADE / (own + opp).max(1)
}

/// The move (opposition) counts with at most this many pieces on each side.
const MOVE_PIECES: u32 = 5;
const HAS_THE_MOVE: i32 = 6;
/// The system of Black: the squares of the files that have a playing square on Black's back row.
const BLACK_SYSTEM: Squares = rows(&[0, 2, 4, 6]);

/// A bonus for having the move (opposition), if pieces are equal and few.
#[inline]
fn the_move(position: &Position) -> i32 {
    let side = position.side_to_move();
    let pieces = position.pieces(side).len();
    if pieces > MOVE_PIECES || pieces != position.pieces(!side).len() {
        return 0;
    }
    let system = if side == Side::Black { BLACK_SYSTEM } else { !BLACK_SYSTEM };
    if (position.occupied() & system).len() % 2 == 1 { HAS_THE_MOVE } else { -HAS_THE_MOVE }
}

const CENTRE: Squares = Squares::numbered(&[10, 11, 14, 15, 18, 19, 22, 23]);
const INNER_CENTRE: Squares = Squares::numbered(&[14, 15, 18, 19]);
const SIDES: Squares = Squares::numbered(&[5, 13, 21, 29, 4, 12, 20, 28]);
const RIM: Squares = Squares::numbered(&[1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32]);
const DOUBLE_CORNERS: Squares = Squares::numbered(&[1, 5, 28, 32]);
const BRIDGE: Squares = Squares::numbered(&[1, 3]);
const BACK_ROW: Squares = Squares::row(0);
/// The rows on which a man may count as a runaway.
const FAR_ROWS: Squares = rows(&[3, 4, 5, 6]);

/// The bonus of a man on rows 0 to 6.
const ADVANCE: [i32; 7] = [0, 1, 2, 4, 7, 12, 22];
const BACK_MAN: i32 = 5;
const BRIDGE_HELD: i32 = 8;
/// The guard of the back row counts in full while the opponent has this many men.
const MEN_TO_STOP: i32 = 8;
const CENTRE_MAN: i32 = 2;
const INNER_CENTRE_MAN: i32 = 3;
const SIDE_MAN: i32 = -2;
const CENTRE_KING: i32 = 5;
const RIM_KING: i32 = -6;
const CORNER_KING: i32 = 5;
const TRAPPED_KING: i32 = -28;
const SAFE_STEP: i32 = 2;
const STUCK_MAN: i32 = -2;
/// A runaway man, and its malus for each row that it has to go.
const RUNAWAY: i32 = 34;
const RUNAWAY_ROW: i32 = -5;

impl Perspective {
    #[inline]
    fn of(position: &Position, side: Side) -> Perspective {
        let seen = |set: Squares| if side == Side::Black { set } else { set.turned() };
        Perspective {
            men: seen(position.men(side)),
            kings: seen(position.kings(side)),
            opp_men: seen(position.men(!side)),
            opp: seen(position.pieces(!side)),
            empty: seen(position.empty()),
        }
    }

    #[inline]
    fn value(&self) -> i32 {
        self.placed_men() + self.placed_kings() + self.mobility() + self.runaways()
    }

    #[inline]
    fn placed_men(&self) -> i32 {
        let men = self.men;
        let advance = |row: usize| ADVANCE[row] * count(men & Squares::row(row as u32));
        let guard =
            BACK_MAN * count(men & BACK_ROW) + if (BRIDGE - men).is_empty() { BRIDGE_HELD } else { 0 };
        (1..7).map(advance).sum::<i32>()
            + CENTRE_MAN * count(men & CENTRE)
            + INNER_CENTRE_MAN * count(men & INNER_CENTRE)
            + SIDE_MAN * count(men & SIDES)
            + guard * count(self.opp_men).min(MEN_TO_STOP) / MEN_TO_STOP
    }

    #[inline]
    fn placed_kings(&self) -> i32 {
        if self.kings.is_empty() {
            return 0;
        }
        let reached = Direction::ALL.into_iter().fold(Squares::EMPTY, |set, way| set | self.empty.step(way));
        CENTRE_KING * count(self.kings & CENTRE)
            + RIM_KING * count(self.kings & RIM)
            + CORNER_KING * count(self.kings & DOUBLE_CORNERS)
            + TRAPPED_KING * count(self.kings - reached)
    }

    /// Mobility: steps of men that do not lose the man at once, and men without a step.
    #[inline]
    fn mobility(&self) -> i32 {
        let (left, right) = (Direction::DownLeft, Direction::DownRight);
        let mut can_step = Squares::EMPTY;
        let mut safe_steps = 0;
        for (way, other) in [(left, right), (right, left)] {
            let to = self.men.step(way) & self.empty;
            can_step |= to.step(way.back());
            // An enemy straight ahead captures onto the square just vacated; one on the other diagonal needs an empty
            // square to land on.
            let taken = self.opp.step(way.back()) | self.opp.step(other.back()) & self.empty.step(other);
            safe_steps += count(to - taken);
        }
        SAFE_STEP * safe_steps + STUCK_MAN * count(self.men - can_step)
    }

    /// Runaway men: no enemy can stop them on the way to the king row.
    #[inline]
    fn runaways(&self) -> i32 {
        let free = |square: &Square| (self.opp & SQUARES_AHEAD[square.index()]).is_empty();
        let worth = |square: Square| RUNAWAY + RUNAWAY_ROW * (7 - square.row() as i32);
        (self.men & FAR_ROWS).iter().filter(free).map(worth).sum()
    }
}

/// The squares that a black man can reach from each square without a capture.
static SQUARES_AHEAD: [Squares; Square::COUNT] = {
    let mut ahead = [Squares::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut at = Squares::from_bits(1 << i);
        let mut all = 0;
        while !at.is_empty() {
            let next = at.step(Direction::DownLeft).bits() | at.step(Direction::DownRight).bits();
            at = Squares::from_bits(next);
            all |= next;
        }
        ahead[i] = Squares::from_bits(all);
        i += 1;
    }
    ahead
};

const fn rows(list: &[u32]) -> Squares {
    let mut bits = 0;
    let mut i = 0;
    while i < list.len() {
        bits |= Squares::row(list[i]).bits();
        i += 1;
    }
    Squares::from_bits(bits)
}

#[inline]
const fn count(set: Squares) -> i32 {
    set.len() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        evaluate(&fen.parse().unwrap())
    }

    #[test]
    fn both_sides_are_evaluated_alike() {
        for fen in ["B:W21-32:B1-12", "W:W9,K12,22,30:BK2,5,14,K20", "B:WK1,27:B4,11"] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(evaluate(&position), evaluate(&position.turned()), "{fen}");
        }
    }

    #[test]
    fn the_first_position_is_nearly_level() {
        assert!(value("B:W21-32:B1-12").abs() < 10);
    }

    #[test]
    fn a_lead_weighs_more_with_fewer_pieces() {
        assert!(value("B:W21-31:B1-12") > 80);
        assert!(value("B:W30,31:B1,2,3") > value("B:W21-31:B1-12"));
    }

    #[test]
    fn an_unstoppable_man_is_worth_more_than_a_stopped_one() {
        assert!(value("B:W29,30:B20,1") > value("B:W29,32:B20,1") + 10);
    }

    #[test]
    fn a_king_without_a_step_is_worth_less() {
        assert!(value("B:W22,25:BK29,1") < value("B:W22,26:BK29,1") - 10);
    }

    #[test]
    fn the_side_to_move_in_opposition_does_not_have_the_move() {
        let kings = |fen: &str| the_move(&fen.parse().unwrap());
        assert_eq!(kings("B:WK23:BK15"), -HAS_THE_MOVE);
        assert_eq!(kings("B:WK27:BK15"), HAS_THE_MOVE);
        assert_eq!(kings("B:WK27,30:BK15"), 0, "it matters only with equal pieces");
    }
}
