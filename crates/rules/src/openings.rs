//! The three-move openings: the 174 ballots of the American Checker Federation.

use alloc::string::ToString;

use crate::{History, Position};

/// A three-move opening, or ballot. [`OPENINGS`] lists all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// Its number in the list of the American Checker Federation, 1 to 174.
    pub number: u8,
    /// The first three moves.
    pub moves: [&'static str; 3],
    /// Where it is in use.
    pub class: OpeningClass,
    /// Its name, if it has one.
    pub name: Option<&'static str>,
}

/// Where an opening is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum OpeningClass {
    /// Drawn in games over the board.
    Crossboard,
    /// So one-sided that only correspondence players, who have days for a move, use it.
    MailPlay,
    /// Barred, because one side loses.
    Barred,
}

impl Opening {
    /// The openings of a class, in the order of their numbers.
    pub fn of_class(class: OpeningClass) -> impl Iterator<Item = &'static Opening> + Clone {
        OPENINGS.iter().filter(move |opening| opening.class == class)
    }

    /// The opening with this number.
    pub fn numbered(number: u8) -> Option<&'static Opening> {
        OPENINGS.get(usize::from(number).checked_sub(1)?)
    }

    /// The opening that a game from the initial position reached with its first three moves, in any order.
    pub fn of_game(game: &History) -> Option<&'static Opening> {
        let third = game.positions().get(3).filter(|_| *game.start() == Position::start())?;
        // White's only move is the same in every move order, so most openings can be skipped without replaying them.
        let reply = game.moves()[1].to_string();
        OPENINGS.iter().find(|opening| opening.moves[1] == reply && opening.position() == *third)
    }

    /// The position after the three moves.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(Position::start(), |position, text| {
            let mv = position.parse_move(text).expect("the moves of the openings are legal");
            position.play_unchecked(mv)
        })
    }

    /// The three moves as a game.
    pub fn history(&self) -> History {
        let mut game = History::default();
        for text in self.moves {
            game.play(text).expect("the moves of the openings are legal");
        }
        game
    }
}

/// All openings; number n is at index n - 1.
pub static OPENINGS: [Opening; 174] = {
    use OpeningClass::{Barred, Crossboard, MailPlay};
    [
        opening(1, ["9-13", "21-17", "5-9"], Crossboard, None),
        opening(2, ["9-13", "21-17", "6-9"], Crossboard, None),
        opening(3, ["9-13", "21-17", "10-14"], Barred, None),
        opening(4, ["9-13", "22-17", "13x22"], Crossboard, None),
        opening(5, ["9-13", "22-18", "6-9"], Crossboard, Some("Dreaded Edinburgh")),
        opening(6, ["9-13", "22-18", "10-14"], MailPlay, Some("Inferno")),
        opening(7, ["9-13", "22-18", "10-15"], Crossboard, None),
        opening(8, ["9-13", "22-18", "11-15"], Crossboard, Some("Edinburgh Single")),
        opening(9, ["9-13", "22-18", "11-16"], MailPlay, Some("Wilderness I")),
        opening(10, ["9-13", "22-18", "12-16"], Crossboard, None),
        opening(11, ["9-13", "23-18", "5-9"], Crossboard, None),
        opening(12, ["9-13", "23-18", "6-9"], Crossboard, None),
        opening(13, ["9-13", "23-18", "10-14"], Barred, None),
        opening(14, ["9-13", "23-18", "10-15"], Crossboard, None),
        opening(15, ["9-13", "23-18", "11-15"], Crossboard, None),
        opening(16, ["9-13", "23-18", "11-16"], MailPlay, Some("Wilderness II")),
        opening(17, ["9-13", "23-18", "12-16"], Crossboard, None),
        opening(18, ["9-13", "23-19", "5-9"], Crossboard, None),
        opening(19, ["9-13", "23-19", "6-9"], Crossboard, None),
        opening(20, ["9-13", "23-19", "10-14"], Crossboard, None),
        opening(21, ["9-13", "23-19", "10-15"], MailPlay, None),
        opening(22, ["9-13", "23-19", "11-16"], Crossboard, None),
        opening(23, ["9-13", "24-19", "5-9"], Crossboard, None),
        opening(24, ["9-13", "24-19", "6-9"], Crossboard, None),
        opening(25, ["9-13", "24-19", "10-14"], Crossboard, None),
        opening(26, ["9-13", "24-19", "10-15"], Barred, None),
        opening(27, ["9-13", "24-19", "11-15"], Crossboard, None),
        opening(28, ["9-13", "24-19", "11-16"], Crossboard, None),
        opening(29, ["9-13", "24-20", "5-9"], Crossboard, None),
        opening(30, ["9-13", "24-20", "6-9"], Crossboard, None),
        opening(31, ["9-13", "24-20", "10-14"], Crossboard, None),
        opening(32, ["9-13", "24-20", "10-15"], Crossboard, None),
        opening(33, ["9-13", "24-20", "11-15"], Crossboard, None),
        opening(34, ["9-13", "24-20", "11-16"], MailPlay, Some("Twilight Zone")),
        opening(35, ["9-13", "24-20", "12-16"], Barred, Some("Dundee Barred")),
        opening(36, ["9-14", "22-17", "5-9"], Crossboard, None),
        opening(37, ["9-14", "22-17", "6-9"], Crossboard, None),
        opening(38, ["9-14", "22-17", "11-15"], Crossboard, None),
        opening(39, ["9-14", "22-17", "11-16"], Crossboard, None),
        opening(40, ["9-14", "22-18", "5-9"], Crossboard, None),
        opening(41, ["9-14", "22-18", "10-15"], Crossboard, None),
        opening(42, ["9-14", "22-18", "11-15"], Crossboard, None),
        opening(43, ["9-14", "22-18", "11-16"], Crossboard, None),
        opening(44, ["9-14", "22-18", "12-16"], Barred, None),
        opening(45, ["9-14", "22-18", "14-17"], Barred, None),
        opening(46, ["9-14", "23-18", "14x23"], Crossboard, Some("Double Cross")),
        opening(47, ["9-14", "23-19", "5-9"], Crossboard, None),
        opening(48, ["9-14", "23-19", "10-15"], Barred, Some("Rattlesnake")),
        opening(49, ["9-14", "23-19", "11-16"], Crossboard, None),
        opening(50, ["9-14", "23-19", "14-18"], Crossboard, None),
        opening(51, ["9-14", "24-19", "5-9"], Crossboard, None),
        opening(52, ["9-14", "24-19", "10-15"], Barred, None),
        opening(53, ["9-14", "24-19", "11-15"], Crossboard, None),
        opening(54, ["9-14", "24-19", "11-16"], Crossboard, None),
        opening(55, ["9-14", "24-20", "5-9"], Crossboard, None),
        opening(56, ["9-14", "24-20", "10-15"], Crossboard, None),
        opening(57, ["9-14", "24-20", "11-15"], Crossboard, None),
        opening(58, ["9-14", "24-20", "11-16"], Crossboard, None),
        opening(59, ["10-14", "22-17", "7-10"], Crossboard, None),
        opening(60, ["10-14", "22-17", "9-13"], MailPlay, Some("Black Hole")),
        opening(61, ["10-14", "22-17", "11-15"], MailPlay, None),
        opening(62, ["10-14", "22-17", "11-16"], MailPlay, Some("Gemini I")),
        opening(63, ["10-14", "22-17", "14-18"], Crossboard, None),
        opening(64, ["10-14", "22-18", "6-10"], Crossboard, None),
        opening(65, ["10-14", "22-18", "7-10"], Crossboard, Some("Fraser's Inferno")),
        opening(66, ["10-14", "22-18", "11-15"], Crossboard, None),
        opening(67, ["10-14", "22-18", "11-16"], Crossboard, None),
        opening(68, ["10-14", "22-18", "12-16"], Crossboard, Some("White Doctor")),
        opening(69, ["10-14", "23-18", "14x23"], Crossboard, None),
        opening(70, ["10-14", "23-19", "6-10"], Crossboard, None),
        opening(71, ["10-14", "23-19", "7-10"], Crossboard, Some("Diabolical Denny")),
        opening(72, ["10-14", "23-19", "11-15"], Crossboard, None),
        opening(73, ["10-14", "23-19", "11-16"], Crossboard, None),
        opening(74, ["10-14", "23-19", "14-18"], Crossboard, None),
        opening(75, ["10-14", "24-19", "6-10"], Crossboard, None),
        opening(76, ["10-14", "24-19", "7-10"], Crossboard, None),
        opening(77, ["10-14", "24-19", "11-15"], Barred, None),
        opening(78, ["10-14", "24-19", "11-16"], Crossboard, None),
        opening(79, ["10-14", "24-19", "14-18"], Crossboard, None),
        opening(80, ["10-14", "24-20", "6-10"], Crossboard, None),
        opening(81, ["10-14", "24-20", "7-10"], Crossboard, None),
        opening(82, ["10-14", "24-20", "11-15"], Crossboard, None),
        opening(83, ["10-14", "24-20", "11-16"], Crossboard, None),
        opening(84, ["10-14", "24-20", "14-18"], Crossboard, None),
        opening(85, ["10-15", "21-17", "6-10"], Crossboard, None),
        opening(86, ["10-15", "21-17", "7-10"], Crossboard, Some("Octopus")),
        opening(87, ["10-15", "21-17", "9-13"], Crossboard, Some("Tyne")),
        opening(88, ["10-15", "21-17", "9-14"], Barred, None),
        opening(89, ["10-15", "21-17", "11-16"], Crossboard, None),
        opening(90, ["10-15", "21-17", "15-18"], Crossboard, None),
        opening(91, ["10-15", "22-17", "6-10"], Crossboard, None),
        opening(92, ["10-15", "22-17", "7-10"], Crossboard, None),
        opening(93, ["10-15", "22-17", "9-13"], Crossboard, None),
        opening(94, ["10-15", "22-17", "9-14"], Barred, Some("Nutcracker")),
        opening(95, ["10-15", "22-17", "11-16"], Crossboard, None),
        opening(96, ["10-15", "22-17", "15-19"], Crossboard, Some("Skull-Cracker")),
        opening(97, ["10-15", "22-18", "15x22"], Crossboard, None),
        opening(98, ["10-15", "23-18", "6-10"], Crossboard, None),
        opening(99, ["10-15", "23-18", "7-10"], Crossboard, None),
        opening(100, ["10-15", "23-18", "9-14"], Crossboard, None),
        opening(101, ["10-15", "23-18", "11-16"], Crossboard, None),
        opening(102, ["10-15", "23-18", "12-16"], Crossboard, None),
        opening(103, ["10-15", "23-19", "6-10"], Crossboard, None),
        opening(104, ["10-15", "23-19", "7-10"], Crossboard, None),
        opening(105, ["10-15", "23-19", "11-16"], MailPlay, Some("Gemini II")),
        opening(106, ["10-15", "24-19", "15x24"], Crossboard, None),
        opening(107, ["10-15", "24-20", "6-10"], Crossboard, None),
        opening(108, ["10-15", "24-20", "7-10"], Crossboard, None),
        opening(109, ["10-15", "24-20", "11-16"], Barred, None),
        opening(110, ["10-15", "24-20", "15-19"], Crossboard, None),
        opening(111, ["11-15", "21-17", "8-11"], Crossboard, None),
        opening(112, ["11-15", "21-17", "9-13"], Crossboard, None),
        opening(113, ["11-15", "21-17", "9-14"], Crossboard, None),
        opening(114, ["11-15", "21-17", "10-14"], Barred, None),
        opening(115, ["11-15", "21-17", "15-19"], Crossboard, None),
        opening(116, ["11-15", "22-17", "8-11"], Crossboard, None),
        opening(117, ["11-15", "22-17", "9-13"], Crossboard, None),
        opening(118, ["11-15", "22-17", "15-18"], Crossboard, None),
        opening(119, ["11-15", "22-17", "15-19"], Crossboard, None),
        opening(120, ["11-15", "22-18", "15x22"], Crossboard, None),
        opening(121, ["11-15", "23-18", "8-11"], Crossboard, None),
        opening(122, ["11-15", "23-18", "9-14"], Crossboard, None),
        opening(123, ["11-15", "23-18", "10-14"], Crossboard, None),
        opening(124, ["11-15", "23-18", "12-16"], Crossboard, None),
        opening(125, ["11-15", "23-18", "15-19"], Crossboard, None),
        opening(126, ["11-15", "23-19", "8-11"], Crossboard, None),
        opening(127, ["11-15", "23-19", "9-13"], Crossboard, None),
        opening(128, ["11-15", "23-19", "9-14"], Crossboard, None),
        opening(129, ["11-15", "24-19", "15x24"], Crossboard, None),
        opening(130, ["11-15", "24-20", "8-11"], Crossboard, None),
        opening(131, ["11-15", "24-20", "12-16"], Crossboard, None),
        opening(132, ["11-15", "24-20", "15-18"], Crossboard, None),
        opening(133, ["11-16", "21-17", "7-11"], Crossboard, Some("Octopus")),
        opening(134, ["11-16", "21-17", "8-11"], Crossboard, None),
        opening(135, ["11-16", "21-17", "9-13"], Crossboard, None),
        opening(136, ["11-16", "21-17", "9-14"], Crossboard, None),
        opening(137, ["11-16", "21-17", "10-14"], Barred, Some("Shark")),
        opening(138, ["11-16", "21-17", "16-20"], Crossboard, None),
        opening(139, ["11-16", "22-17", "7-11"], Crossboard, None),
        opening(140, ["11-16", "22-17", "8-11"], Crossboard, None),
        opening(141, ["11-16", "22-17", "9-13"], MailPlay, None),
        opening(142, ["11-16", "22-17", "16-20"], Crossboard, None),
        opening(143, ["11-16", "22-18", "7-11"], Crossboard, None),
        opening(144, ["11-16", "22-18", "8-11"], Crossboard, None),
        opening(145, ["11-16", "22-18", "10-15"], Barred, Some("Cheetah")),
        opening(146, ["11-16", "22-18", "16-19"], Crossboard, None),
        opening(147, ["11-16", "22-18", "16-20"], Crossboard, None),
        opening(148, ["11-16", "23-18", "7-11"], Crossboard, None),
        opening(149, ["11-16", "23-18", "8-11"], Crossboard, None),
        opening(150, ["11-16", "23-18", "9-14"], Crossboard, None),
        opening(151, ["11-16", "23-18", "10-14"], Crossboard, None),
        opening(152, ["11-16", "23-18", "16-20"], Crossboard, None),
        opening(153, ["11-16", "23-19", "16x23"], MailPlay, Some("Black Widow")),
        opening(154, ["11-16", "24-19", "7-11"], Crossboard, None),
        opening(155, ["11-16", "24-19", "8-11"], Crossboard, None),
        opening(156, ["11-16", "24-19", "10-15"], Barred, None),
        opening(157, ["11-16", "24-19", "16-20"], Crossboard, None),
        opening(158, ["11-16", "24-20", "7-11"], Crossboard, None),
        opening(159, ["11-16", "24-20", "16-19"], Crossboard, None),
        opening(160, ["12-16", "21-17", "9-13"], Crossboard, None),
        opening(161, ["12-16", "21-17", "9-14"], Crossboard, None),
        opening(162, ["12-16", "21-17", "16-19"], Crossboard, None),
        opening(163, ["12-16", "21-17", "16-20"], Crossboard, None),
        opening(164, ["12-16", "22-17", "16-19"], Crossboard, None),
        opening(165, ["12-16", "22-17", "16-20"], Crossboard, None),
        opening(166, ["12-16", "22-18", "16-19"], Crossboard, None),
        opening(167, ["12-16", "22-18", "16-20"], Crossboard, None),
        opening(168, ["12-16", "23-18", "9-14"], Barred, None),
        opening(169, ["12-16", "23-18", "16-19"], Crossboard, None),
        opening(170, ["12-16", "23-18", "16-20"], Crossboard, None),
        opening(171, ["12-16", "23-19", "16x23"], Barred, None),
        opening(172, ["12-16", "24-19", "16-20"], Crossboard, None),
        opening(173, ["12-16", "24-20", "8-12"], Crossboard, None),
        opening(174, ["12-16", "24-20", "10-15"], MailPlay, Some("Skunk")),
    ]
};

const fn opening(
    number: u8,
    moves: [&'static str; 3],
    class: OpeningClass,
    name: Option<&'static str>,
) -> Opening {
    Opening { number, moves, class, name }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn every_opening_is_legal_and_stands_at_its_number() {
        for (i, opening) in OPENINGS.iter().enumerate() {
            assert_eq!(usize::from(opening.number), i + 1);
            assert_eq!(Opening::numbered(opening.number), Some(opening));
            assert_eq!(Opening::of_game(&opening.history()), Some(opening));
        }
        let sample = |number| Opening::numbered(number).map(|opening| (opening.name, opening.class));
        assert_eq!(sample(5), Some((Some("Dreaded Edinburgh"), OpeningClass::Crossboard)));
        assert_eq!(sample(6), Some((Some("Inferno"), OpeningClass::MailPlay)));
        assert_eq!(sample(3), Some((None, OpeningClass::Barred)));
        assert_eq!(Opening::numbered(0), None);
        assert_eq!(Opening::numbered(175), None);
    }

    #[test]
    fn another_order_of_moves_is_the_same_opening() {
        let mut game = History::default();
        for text in ["10-15", "23-19", "9-14"] {
            game.play(text).expect("the moves are legal");
        }
        assert_eq!(Opening::of_game(&game).and_then(|opening| opening.name), Some("Rattlesnake"));
    }

    #[test]
    fn the_opening_of_a_game_is_the_one_that_leads_to_its_third_position() {
        let positions = OPENINGS.each_ref().map(Opening::position);
        let mut games = vec![History::default()];
        for _ in 0..3 {
            games = games
                .iter()
                .flat_map(|game| game.position().moves().into_iter().map(move |mv| (game.clone(), mv)))
                .map(|(mut game, mv)| {
                    game.push(mv).expect("the move is listed");
                    game
                })
                .collect();
        }
        assert_eq!(games.len(), 302);
        for game in games {
            let expected = positions.iter().position(|position| position == game.position());
            let found = Opening::of_game(&game).map(|opening| usize::from(opening.number) - 1);
            assert_eq!(found, expected, "{:?}", game.moves());
        }
    }

    #[test]
    fn most_openings_are_played_over_the_board() {
        let count = |class| Opening::of_class(class).count();
        assert_eq!(
            [OpeningClass::Crossboard, OpeningClass::MailPlay, OpeningClass::Barred].map(count),
            [144, 12, 18]
        );
    }
}
