//! The sentences that a game shows: short, friendly, exact. Screens show them and write no sentences of their own about
//! the rules.

use crownhead_rules::{Colour, Move, MoveError, Position, Rank, Rulebook, Side};

use crate::event::{Offer, Verdict};
use crate::game::{Game, Notice};
use crate::silence::ANSWER_WITHIN_MS;

/// Why a move is illegal, with the colours of the rule book.
pub(crate) fn wrong_move(error: &MoveError, rulebook: &Rulebook) -> String {
    let shown = |moves: &[String]| either(moves.iter().map(|text| shown_text(text, rulebook)));
    match error {
        MoveError::CaptureDue { captures } => format!("You must jump: {}.", shown(captures)),
        MoveError::Unfinished { continuations } => {
            goes_on(continuations.iter().map(|text| shown_text(text, rulebook)))
        }
        MoveError::Ambiguous { candidates, .. } => {
            format!("That can mean several moves: {}.", shown(candidates))
        }
        MoveError::NoMoveLeft { side } => format!("{} has no move left.", rulebook.colour(*side)),
        MoveError::NotYourTurn { square, side } => format!(
            "{} stands on {square}, and it is {}'s turn.",
            rulebook.colour(!*side),
            rulebook.colour(*side)
        ),
        MoveError::Occupied { square } => format!("Square {square} is taken."),
        MoveError::Backwards { .. } => "A man does not move backwards; only a king does.".to_owned(),
        MoveError::StopsOnKingRow { square } => {
            format!("A man that reaches the last row stops there, on {square}, and becomes a king.")
        }
        MoveError::OneStepOnly { .. } => "Nothing can be taken, so a piece moves one square.".to_owned(),
        MoveError::Unreadable(_)
        | MoveError::OffTheBoard(_)
        | MoveError::NoPiece { .. }
        | MoveError::OutOfReach { .. } => sentence(&error.to_string()),
    }
}

/// “The jump goes on: 18 or 20.”
pub(crate) fn goes_on<T: ToString>(ways: impl IntoIterator<Item = T>) -> String {
    format!("The jump goes on: {}.", either(ways))
}

/// The text with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// “22”, “22 or 23”, “22, 23 or 26”.
fn either<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// A move as this rule book shows it.
pub(crate) fn shown_text(text: &str, rulebook: &Rulebook) -> String {
    text.replace('x', rulebook.jump_sign.encode_utf8(&mut [0; 4]))
}

/// A move as a sentence, for screen readers: “Red jumps from 22 to 15 and takes a man.”
pub(crate) fn move_sentence(position: &Position, mv: Move, rulebook: &Rulebook) -> String {
    let colour = rulebook.colour(position.side_to_move());
    let (from, to) = (mv.from(), mv.to());
    let taken = match mv.capture_count() {
        0 => String::new(),
        1 if !(mv.captured() & position.all_kings()).is_empty() => " and takes a king".to_owned(),
        1 => " and takes a man".to_owned(),
        count => format!(" and takes {count} pieces"),
    };
    let verb = if mv.is_capture() { "jumps" } else { "moves" };
    let crowned = if position.crowns(mv) { ". The man becomes a king" } else { "" };
    format!("{colour} {verb} from {from} to {to}{taken}{crowned}.")
}

fn rank_name(rank: Rank) -> &'static str {
    match rank {
        Rank::Man => "man",
        Rank::King => "king",
    }
}

/// Why a piece of the side to move has no move.
pub(crate) fn stuck(position: &Position, rank: Rank) -> String {
    let name = rank_name(rank);
    if position.is_capture_due() {
        format!("That {name} cannot move: another one has to jump.")
    } else {
        format!("That {name} has nowhere to go.")
    }
}

/// Why a piece of the other side cannot be moved.
pub(crate) fn not_yours(rank: Rank, owner: Colour, you: Colour) -> String {
    format!("That {} is {owner}'s; you play {you}.", rank_name(rank))
}

impl Game {
    /// The status line, for a viewer who plays `you` or watches.
    pub(crate) fn status(&self, you: Option<Side>) -> String {
        let book = self.rulebook();
        if let Some(outcome) = self.outcome {
            return outcome.sentence(book);
        }
        let turn = self.side_to_move();
        let colour = book.colour(turn);
        if !self.is_human(turn) {
            return "The computer is thinking.".to_owned();
        }
        let must = self.history.position().must_jump();
        let mine = you == Some(turn);
        let shared = !self.is_over_link() && self.only_human().is_none();
        match (mine, shared, must.is_empty()) {
            (true, false, true) => "Your move.".to_owned(),
            (true, false, false) => format!("You must jump: {}.", either(must.iter())),
            (true, true, false) => format!("{colour} must jump: {}.", either(must.iter())),
            (false, _, _) if you.is_some() => format!("Waiting for {colour}."),
            _ => format!("{colour} to move."),
        }
    }

    /// The result in a few words, for a headline.
    pub(crate) fn headline(&self, you: Option<Side>) -> Option<String> {
        let outcome = self.outcome?;
        let you = you.filter(|_| self.is_over_link() || self.only_human().is_some());
        Some(match (outcome.winner(), you) {
            (Some(winner), Some(you)) if winner == you => "You win.".to_owned(),
            (Some(_), Some(_)) => "You lose.".to_owned(),
            (Some(winner), None) => format!("{} wins.", self.rulebook().colour(winner)),
            (None, _) if outcome == crownhead_rules::Outcome::Abandoned => "No result.".to_owned(),
            (None, _) => "A draw.".to_owned(),
        })
    }

    /// The notice that the players should see besides the status.
    pub(crate) fn notice_sentence(&self) -> Option<String> {
        Some(match self.notice? {
            Notice::Declined { offer, by } => {
                let who = self.who(by);
                match offer {
                    Offer::Draw => format!("{who} declines the draw."),
                    Offer::Abandon => format!("{who} wants to play on."),
                    Offer::Takeback => format!("{who} does not let the move be taken back."),
                    Offer::Rematch => format!("{who} does not want another game."),
                }
            }
            Notice::ClaimRefused(Verdict::NoDraw) => {
                "The claim is refused: the tables show that this can still be won.".to_owned()
            }
            Notice::ClaimRefused(Verdict::Unknown | Verdict::Draw) => {
                "The claim is refused: there are too many pieces on the board to prove a draw.".to_owned()
            }
            Notice::TakenBack => match self.undone.last().map_or(0, Vec::len) {
                1 => "One move was taken back.".to_owned(),
                plies => format!("{plies} moves were taken back."),
            },
            Notice::Hint(mv) => {
                let text = self.history.position().move_text(mv);
                format!("Hint: {}.", shown_text(&text, self.rulebook()))
            }
        })
    }

    /// The offer as a sentence for the player who answers it.
    pub(crate) fn offer_sentence(&self, offer: Offer, by: Side) -> String {
        let who = self.who(by);
        match offer {
            Offer::Draw => format!("{who} offers a draw."),
            Offer::Abandon => format!("{who} wants to leave the game without a result."),
            Offer::Takeback => format!("{who} asks to take the last move back."),
            Offer::Rematch => format!("{who} wants to play again."),
        }
    }

    /// The question whether a player is still there, for the player who was asked or for the one who asked.
    pub(crate) fn still_there_sentence(&self, is_asked: bool) -> String {
        let minutes = ANSWER_WITHIN_MS / 60_000;
        if is_asked {
            format!(
                "Are you still there? Make a move or say so; otherwise your opponent can claim the game in {minutes} minutes."
            )
        } else {
            let colour = self.rulebook().colour(self.side_to_move());
            format!(
                "You asked whether {colour} is still there. Without an answer you can claim the game in {minutes} minutes."
            )
        }
    }

    /// The confirmation before a player resigns.
    pub(crate) fn resign_question(&self, side: Side) -> String {
        let (loser, winner) = (self.rulebook().colour(side), self.rulebook().colour(!side));
        if self.only_human().is_some() || self.is_over_link() {
            format!("Do you resign? {winner} wins.")
        } else {
            format!("Does {loser} resign? {winner} wins.")
        }
    }

    /// The confirmation before a player leaves a game for another.
    pub(crate) fn leave_question(&self, side: Side) -> String {
        let winner = self.rulebook().colour(!side);
        format!("Leave this game? It counts as forfeited, and {winner} wins.")
    }

    fn who(&self, side: Side) -> String {
        if self.is_human(side) { self.rulebook().colour(side).to_string() } else { "The computer".to_owned() }
    }
}
