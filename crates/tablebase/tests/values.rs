//! Tests of the values in the embedded tables against independently computed ones.

use std::collections::BTreeMap;

use crownhead_rules::{Piece, Position, Setup, Side, Square};
use crownhead_tablebase::{Tablebase, Wdl};

/// The known values of the positions with a given material and Black to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    /// Wins, losses and draws.
    all: [u64; 3],
    /// The same for positions in which no capture is due.
    quiet: [u64; 3],
    /// The plies of the longest win and the number of such wins, then the same for the longest loss.
    longest: [u32; 4],
}

const fn known(all: [u64; 3], quiet: [u64; 3], longest: [u32; 4]) -> Known {
    Known { all, quiet, longest }
}

/// By black men, black kings, white men and white kings. Computed by another program.
#[rustfmt::skip]
const TWO_AND_THREE_PIECES: [(&str, Known); 16] = [
    ("0101", known([230, 108, 654], [158, 108, 654], [11, 34, 10, 34])),
    ("0110", known([331, 6, 531], [259, 6, 531], [11, 49, 4, 1])),
    ("1001", known([53, 241, 574], [17, 241, 574], [11, 4, 12, 33])),
    ("1010", known([102, 47, 611], [66, 47, 611], [13, 1, 6, 10])),
    ("0102", known([412, 13_018, 1_450], [0, 12_790, 66], [11, 50, 34, 296])),
    ("0111", known([1_103, 22_349, 2_588], [12, 22_095, 161], [13, 49, 48, 88])),
    ("0120", known([687, 9_411, 1_242], [8, 9_379, 205], [13, 53, 62, 30])),
    ("0201", known([14_846, 0, 34], [12_830, 0, 34], [33, 220, 0, 0])),
    ("0210", known([13_018, 0, 2], [11_002, 0, 2], [33, 90, 0, 0])),
    ("1002", known([58, 12_248, 714], [0, 11_988, 0], [11, 3, 34, 126])),
    ("1011", known([154, 21_181, 1_465], [0, 20_874, 0], [13, 3, 48, 42])),
    ("1020", known([96, 9_083, 757], [0, 9_032, 10], [13, 3, 62, 17])),
    ("1101", known([25_941, 10, 89], [23_157, 10, 89], [47, 64, 14, 1])),
    ("1110", known([22_792, 1, 7], [20_008, 1, 7], [47, 41, 0, 1])),
    ("2001", known([11_215, 4, 121], [10_327, 4, 121], [61, 19, 14, 1])),
    ("2010", known([9_928, 0, 8], [9_040, 0, 8], [61, 8, 0, 0])),
];

fn known_of(name: &str) -> Known {
    TWO_AND_THREE_PIECES.iter().find(|row| row.0 == name).unwrap().1
}

/// Visits every position that arises by adding `pieces` pieces on squares from `from` on to a setup with Black to move.
fn placements(setup: &mut Setup, from: usize, pieces: u32, visit: &mut impl FnMut(Position)) {
    if pieces == 0 {
        setup.to_position().into_iter().for_each(visit);
        return;
    }
    for square in from..Square::COUNT {
        for side in Side::BOTH {
            for piece in [Piece::man(side), Piece::king(side)] {
                setup.pieces[square] = Some(piece);
                placements(setup, square + 1, pieces - 1, visit);
            }
        }
        setup.pieces[square] = None;
    }
}

fn name(position: &Position) -> String {
    let count = |side| format!("{}{}", position.men(side).len(), position.kings(side).len());
    count(Side::Black) + &count(Side::White)
}

impl Known {
    fn add(&mut self, position: &Position, tables: &Tablebase) {
        let (kind, longest) = match tables.probe(position).unwrap() {
            Wdl::Win => (0, Some(0)),
            Wdl::Loss => (1, Some(2)),
            Wdl::Draw => (2, None),
        };
        self.all[kind] += 1;
        self.quiet[kind] += u64::from(!position.is_capture_due());
        let (Some(plies), Some(place)) = (tables.distance(position), longest) else { return };
        if plies > self.longest[place] || self.longest[place + 1] == 0 {
            self.longest[place..place + 2].copy_from_slice(&[plies, 1]);
        } else if plies == self.longest[place] {
            self.longest[place + 1] += 1;
        }
    }
}

#[test]
fn every_position_of_two_and_three_pieces_has_its_known_value() {
    let tables = Tablebase::embedded();
    let mut found = BTreeMap::new();
    for pieces in [2, 3] {
        placements(&mut Setup::empty(Side::Black), 0, pieces, &mut |position| {
            if Side::BOTH.iter().all(|&side| !position.pieces(side).is_empty()) {
                found.entry(name(&position)).or_insert_with(Known::default).add(&position, &tables);
            }
        });
    }
    assert_eq!(found.len(), TWO_AND_THREE_PIECES.len());
    for (name, found) in found {
        assert_eq!(found, known_of(&name), "{name}");
    }
}

#[test]
fn statistics_of_two_and_three_pieces_are_the_known_ones() {
    let stats = Tablebase::embedded().stats(2..=3);
    assert_eq!(stats.classes.len(), 2 * TWO_AND_THREE_PIECES.len());
    for class in stats.classes {
        let white_to_move = class.side == "white";
        let [own, opp] = [(class.bm, class.bk), (class.wm, class.wk)];
        let [own, opp] = if white_to_move { [opp, own] } else { [own, opp] };
        let name = format!("{}{}{}{}", own.0, own.1, opp.0, opp.1);
        let (known, totals) = (known_of(&name), class.totals);
        assert_eq!([totals.wins, totals.losses, totals.draws], known.all, "{name}");
        assert_eq!(totals.positions, known.all.iter().sum::<u64>(), "{name}");
        let longest = [totals.longest_win.unwrap(), totals.longest_loss.unwrap()];
        assert_eq!(longest, [known.longest[0], known.longest[2]], "{name}");
        let example: Position = class.example_win.unwrap().parse().unwrap();
        assert_eq!(Tablebase::embedded().distance(&example), Some(longest[0]), "{example}");
        assert_eq!(example.side_to_move() == Side::White, white_to_move);
    }
}

#[test]
fn longest_wins_are_the_known_ones() {
    let longest = |pieces| Tablebase::embedded().stats([pieces]).totals.longest_win;
    assert_eq!([2, 3, 4].map(longest), [Some(13), Some(61), Some(109)]);
    let position: Position = "B:W29,30:B4,24".parse().unwrap();
    assert_eq!(Tablebase::embedded().distance(&position), Some(109));
}

#[test]
fn tables_without_distances_know_who_wins_but_not_how_soon() {
    let tables = Tablebase::embedded().with_distances_up_to(3);
    assert_eq!((tables.max_pieces(), tables.max_distance_pieces()), (4, 3));
    let position: Position = "B:W29,30:B4,24".parse().unwrap();
    assert_eq!((tables.probe(&position), tables.distance(&position)), (Some(Wdl::Win), None));
}

#[test]
fn every_embedded_value_follows_from_its_successors() {
    let tables = Tablebase::embedded();
    assert_eq!((tables.max_pieces(), tables.max_distance_pieces()), (4, 4));
    tables.verify(2, &|_| ()).unwrap();
}

#[test]
fn values_follow_by_the_rules_themselves() {
    Tablebase::embedded().verify_sample(20_000, 1, &|_| ()).unwrap();
}
