//! The commands of the line-by-line interface and their parser.

use core::str::FromStr;

use crownhead_game::Command;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// A command for the game.
    Give(Command),
    /// The answer to the other player's offer.
    Answer(bool),
    Resign,
    New,
    Resume,
    Save(String),
    Board,
    Pieces,
    Moves,
    List,
    Fen,
    Rules,
    Status,
    Help,
    Yes,
    No,
    Quit,
    Nothing,
}

pub(super) const HELP: &str = "\
11-15, 22x15 or 22x15x8: make a move.
board: the board as text. pieces: where the pieces are, in words.
moves: what can be played. hint: what the computer would play.
undo, redo: take moves back, and make them again.
draw, claim, abandon: offer a draw, claim one, or leave the game without a result, as the rules allow.
accept, decline: answer the other player's offer.
resign: give the game up. new: play again.
list: all moves so far. status: whose turn it is, and the clocks. rules: what is special about these rules.
save FILE: write the game to a PDN file. fen: the position as text.
resume: go on with an unfinished game, before the first move.
quit: leave; the game is kept.";

impl FromStr for Order {
    type Err = String;

    fn from_str(line: &str) -> Result<Order, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match (word.to_lowercase().as_str(), rest.trim()) {
            ("", _) => Order::Nothing,
            ("save", "") => return Err("Say where to: save FILE.".to_owned()),
            ("save", path) => Order::Save(path.to_owned()),
            (word, "") => match word {
                "board" | "b" => Order::Board,
                "pieces" | "p" => Order::Pieces,
                "moves" | "m" => Order::Moves,
                "list" | "l" => Order::List,
                "fen" => Order::Fen,
                "rules" => Order::Rules,
                "status" | "s" | "clock" => Order::Status,
                "help" | "h" | "?" => Order::Help,
                "yes" | "y" => Order::Yes,
                "no" | "n" => Order::No,
                "quit" | "q" | "exit" => Order::Quit,
                "resign" => Order::Resign,
                "new" => Order::New,
                "resume" => Order::Resume,
                "accept" => Order::Answer(true),
                "decline" => Order::Answer(false),
                "undo" | "u" => Order::Give(Command::Undo),
                "redo" => Order::Give(Command::Redo),
                "hint" => Order::Give(Command::Hint),
                "draw" => Order::Give(Command::OfferDraw),
                "claim" => Order::Give(Command::ClaimDraw),
                "abandon" => Order::Give(Command::Abandon),
                _ if word.starts_with(|first: char| first.is_ascii_digit()) => {
                    Order::Give(Command::Move { text: word.to_owned() })
                }
                _ => return Err(unknown(line)),
            },
            _ if line.starts_with(|first: char| first.is_ascii_digit()) => {
                Order::Give(Command::Move { text: line.to_owned() })
            }
            _ => return Err(unknown(line)),
        })
    }
}

fn unknown(line: &str) -> String {
    format!("{} is not understood. Type a move such as 11-15, or help.", crownhead_rules::Excerpt::from(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_help_is_understood() {
        for line in HELP.lines().skip(1) {
            for part in line.split(". ") {
                let Some((words, _)) = part.split_once(':') else { continue };
                for word in words.split(", ") {
                    assert!(word.parse::<Order>().is_ok(), "{word}");
                }
            }
        }
    }

    #[test]
    fn moves_may_be_written_with_blanks() {
        let given = |text: &str| Ok(Order::Give(Command::Move { text: text.to_owned() }));
        assert_eq!("11-15".parse(), given("11-15"));
        assert_eq!("11 - 15".parse(), given("11 - 15"));
        assert_eq!("".parse(), Ok(Order::Nothing));
    }

    #[test]
    fn what_is_not_understood_is_said_in_a_sentence() {
        let why = "frobnicate".parse::<Order>().unwrap_err();
        assert!(why.ends_with("Type a move such as 11-15, or help."), "{why}");
        assert!("x".repeat(9_999).parse::<Order>().unwrap_err().len() < 200);
    }
}
