//! The values of the embedded tables against what is known from elsewhere.

use crownhead_rules::{Position, Side};
use crownhead_tablebase::Tablebase;

/// Black men and kings, white men and kings; then positions, wins, losses and draws with Black to move; then the longest
/// win, how many there are of it, the longest loss, and how many there are of that. Computed by another program.
#[rustfmt::skip]
const TWO_AND_THREE_PIECES: [(&str, [u64; 4], [u32; 4]); 16] = [
    ("0101", [992, 230, 108, 654], [11, 34, 10, 34]),
    ("0110", [868, 331, 6, 531], [11, 49, 4, 1]),
    ("1001", [868, 53, 241, 574], [11, 4, 12, 33]),
    ("1010", [760, 102, 47, 611], [13, 1, 6, 10]),
    ("0102", [14_880, 412, 13_018, 1_450], [11, 50, 34, 296]),
    ("0111", [26_040, 1_103, 22_349, 2_588], [13, 49, 48, 88]),
    ("0120", [11_340, 687, 9_411, 1_242], [13, 53, 62, 30]),
    ("0201", [14_880, 14_846, 0, 34], [33, 220, 0, 0]),
    ("0210", [13_020, 13_018, 0, 2], [33, 90, 0, 0]),
    ("1002", [13_020, 58, 12_248, 714], [11, 3, 34, 126]),
    ("1011", [22_800, 154, 21_181, 1_465], [13, 3, 48, 42]),
    ("1020", [9_936, 96, 9_083, 757], [13, 3, 62, 17]),
    ("1101", [26_040, 25_941, 10, 89], [47, 64, 14, 1]),
    ("1110", [22_800, 22_792, 1, 7], [47, 41, 0, 1]),
    ("2001", [11_340, 11_215, 4, 121], [61, 19, 14, 1]),
    ("2010", [9_936, 9_928, 0, 8], [61, 8, 0, 0]),
];

#[test]
fn statistics_of_two_and_three_pieces_are_the_known_ones() {
    let stats = Tablebase::embedded().stats(2..=3);
    assert_eq!(stats.classes.len(), 2 * TWO_AND_THREE_PIECES.len());
    for class in stats.classes {
        let white_to_move = class.side == "white";
        let [own, opp] = [(class.bm, class.bk), (class.wm, class.wk)];
        let [own, opp] = if white_to_move { [opp, own] } else { [own, opp] };
        let name = format!("{}{}{}{}", own.0, own.1, opp.0, opp.1);
        let known = TWO_AND_THREE_PIECES.iter().find(|row| row.0 == name).unwrap();
        let totals = class.totals;
        assert_eq!([totals.positions, totals.wins, totals.losses, totals.draws], known.1, "{name}");
        let longest = [totals.longest_win.unwrap(), totals.longest_loss.unwrap()];
        assert_eq!(longest, [known.2[0], known.2[2]], "{name}");
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
fn every_embedded_value_follows_from_its_successors() {
    let tables = Tablebase::embedded();
    assert_eq!((tables.max_pieces(), tables.max_distance_pieces()), (4, 4));
    tables.verify(2, &|_| ()).unwrap();
}

#[test]
fn values_follow_by_the_rules_themselves() {
    Tablebase::embedded().verify_sample(20_000, 1, &|_| ()).unwrap();
}
