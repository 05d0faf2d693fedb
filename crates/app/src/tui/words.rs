//! Sentences about a game as a whole: introduction, unfinished games, move list. The game crate words its events.

use crownhead_game::{Command, Game, Level, ListedMove, Moment, Offer, Time, View, Who};
use crownhead_rules::Side;

use super::saved_games::Unfinished;

/// “American checkers: you play Black against the computer, level 3 (Casual).”
pub(crate) fn introduction(view: &View) -> String {
    let title = view.rulebook.title;
    let computer =
        Side::BOTH.into_iter().find_map(|side| view.players.of(side).level.map(|level| (side, level)));
    if let Some((side, level)) = computer {
        let (you, level) = (view.rulebook.colour(!side), level_words(level));
        format!("{title} checkers: you play {you} against the computer, level {level}.")
    } else {
        let (black, white) = (view.rulebook.colour(Side::Black), view.rulebook.colour(Side::White));
        format!("{title} checkers: {black} and {white}, two players. {black} begins.")
    }
}

/// “3 (Casual)”.
pub(crate) fn level_words(level: Level) -> String {
    format!("{} ({})", level.number(), level.name())
}

/// “There is an unfinished game against the computer, level 3 (Casual): 12 moves, left 3 hours ago.”
pub(crate) fn unfinished(found: &Unfinished, now: Time) -> String {
    format!("There is an unfinished game {}.", summary(&found.game, found.alive, now))
}

fn summary(game: &Game, alive: Time, now: Time) -> String {
    let view = game.view(Who::Screen, Moment::at(now));
    let level = Side::BOTH.into_iter().find_map(|side| view.players.of(side).level);
    let against = match level {
        Some(level) => format!("against the computer, level {}", level_words(level)),
        None => "for two players".to_owned(),
    };
    let moves = match view.list.len() {
        1 => "one move".to_owned(),
        count => format!("{count} moves"),
    };
    format!("{against}: {moves}, left {}", ago(now.since(alive)))
}

fn ago(millis: u64) -> String {
    let minutes = millis / 60_000;
    let (count, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1_440 => (minutes / 60, "hour"),
        _ => (minutes / 1_440, "day"),
    };
    if count == 1 { format!("one {unit} ago") } else { format!("{count} {unit}s ago") }
}

/// The legal moves on one line.
pub(crate) fn moves(view: &View) -> String {
    let mut texts: Vec<&str> =
        view.moves.iter().flat_map(|piece| &piece.moves).map(|mv| mv.text.as_str()).collect();
    texts.dedup();
    if texts.is_empty() { view.status.clone() } else { texts.join(" ") }
}

/// “Hint: 22x15.”, if there is one.
pub(crate) fn hint(view: &View) -> Option<String> {
    view.hint.as_ref().map(|hint| format!("Hint: {}.", hint.text))
}

/// All moves so far: `1. 11-15 22-18`, a line for each pair.
pub(crate) fn list(view: &View) -> String {
    if view.list.is_empty() {
        return "No move has been made.".to_owned();
    }
    let line = |pair: &[ListedMove]| {
        let dots = if pair[0].side == Side::White { " ..." } else { "" };
        let texts: Vec<&str> = pair.iter().map(|mv| mv.text.as_str()).collect();
        format!("{}.{dots} {}", pair[0].number, texts.join(" "))
    };
    let pairs = view.list.chunk_by(|one, other| one.number == other.number);
    pairs.map(line).collect::<Vec<_>>().join("\n")
}

/// The command that answers an offer.
pub(crate) fn answer(offer: Offer, accept: bool) -> Command {
    match offer {
        Offer::Draw => Command::AnswerDraw { accept },
        Offer::Abandon => Command::AnswerAbandon { accept },
        Offer::Takeback => Command::AnswerTakeback { accept },
        Offer::Rematch => Command::AnswerRematch { accept },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Player, Start};

    fn view(moves: &[&str]) -> View {
        let computer = Player::computer(crownhead_game::Level::new(3).unwrap());
        let (mut game, _) = Game::start(Start::new([Player::human(""), computer], 1), Time(0)).unwrap();
        for text in moves {
            let command = match game.outstanding().first().and_then(crownhead_game::Effect::key) {
                Some((_, request)) => Command::ComputerMoved { request, text: (*text).to_owned() },
                None => Command::Move { text: (*text).to_owned() },
            };
            let who = if command.is_report() { Who::House } else { Who::Screen };
            game.handle(who, &command, Moment::at(Time(1))).unwrap();
        }
        game.view(Who::Screen, Moment::at(Time(1)))
    }

    #[test]
    fn a_game_is_introduced_by_its_rules_and_players() {
        assert_eq!(
            introduction(&view(&[])),
            "American checkers: you play Black against the computer, level 3 (Casual)."
        );
    }

    #[test]
    fn moves_are_listed_in_pairs() {
        assert_eq!(list(&view(&[])), "No move has been made.");
        assert_eq!(list(&view(&["11-15", "22-18", "15x22"])), "1. 11-15 22-18\n2. 15x22");
        assert_eq!(moves(&view(&["11-15", "22-18"])), "15x22");
    }

    #[test]
    fn times_past_are_told_roughly() {
        let minutes = |n: u64| ago(n * 60_000);
        assert_eq!(minutes(0), "just now");
        assert_eq!(minutes(1), "one minute ago");
        assert_eq!(minutes(119), "one hour ago");
        assert_eq!(minutes(3 * 1_440), "3 days ago");
    }
}
