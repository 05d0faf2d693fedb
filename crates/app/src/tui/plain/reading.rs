//! Steps through a PDN file in the line-by-line interface.

use crownhead_game::View;

use super::console::Console;
use crate::tui::recorded::Recorded;
use crate::tui::{text_board, words};

const HELP: &str = "\
next, back: a move forward or back; an empty line is next. first, last: to the ends. go 12: to after that move.
game 3: another game of the file.
board: the board as text. pieces: where the pieces are, in words. list: all moves. fen: the position as text.
quit: leave.";

/// A dialogue about the games of a file.
pub(super) struct Reading<'a> {
    pub(super) recorded: Recorded,
    pub(super) talk: Console<'a>,
}

impl Reading<'_> {
    /// Runs until the end of input or until the player quits.
    ///
    /// # Errors
    /// If the output is closed, or the program rejected lines of a script.
    pub(super) fn hold(mut self) -> anyhow::Result<()> {
        self.introduce()?;
        while let Some(line) = self.talk.listen()? {
            let (word, number) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let (plies, number) = (self.recorded.plies(), number.trim().parse::<usize>());
            match (word.to_lowercase().as_str(), number) {
                ("" | "next" | "n", _) if plies == self.recorded.end() => {
                    self.talk.say("That was the last move.")?;
                }
                ("" | "next" | "n", _) => self.go_to(plies + 1)?,
                ("back", _) if plies == 0 => self.talk.say("This is the beginning.")?,
                ("back", _) => self.go_to(plies - 1)?,
                ("first", _) => self.go_to(0)?,
                ("last", _) => self.go_to(self.recorded.end())?,
                ("go", Ok(plies)) => self.go_to(plies)?,
                ("game", Ok(number)) => match self.recorded.open_other(number) {
                    Ok(()) => self.introduce()?,
                    Err(why) => self.talk.refuse(&why)?,
                },
                ("board" | "b", _) => self.show(text_board::board)?,
                ("pieces" | "p", _) => self.show(text_board::pieces)?,
                ("list" | "l", _) => self.show(words::list)?,
                ("fen", _) => self.show(|view| view.fen.clone())?,
                ("help" | "h" | "?", _) => self.talk.say(HELP)?,
                ("quit" | "q" | "exit", _) => break,
                _ => {
                    let excerpt = crownhead_rules::Excerpt::from(line.as_str());
                    self.talk.refuse(&format!("{excerpt} is not understood. Type next, back or help."))?;
                }
            }
        }
        self.talk.end()
    }

    fn show(&mut self, text: impl Fn(&View) -> String) -> anyhow::Result<()> {
        Ok(self.talk.say(&text(&self.recorded.view()))?)
    }

    fn introduce(&mut self) -> anyhow::Result<()> {
        let (view, result) = (self.recorded.view(), self.recorded.read().game.result);
        self.talk.say(&format!(
            "Game {} of {}: {} against {}, {} moves, result {result}.",
            self.recorded.number(),
            self.recorded.count(),
            view.players.black.name,
            view.players.white.name,
            self.recorded.end(),
        ))?;
        if let Some(trouble) = self.recorded.trouble() {
            self.talk.say(&trouble)?;
        }
        self.tell_comment()?;
        Ok(self.talk.say("Type next, back or help.")?)
    }

    fn go_to(&mut self, plies: usize) -> anyhow::Result<()> {
        self.recorded.go_to(plies);
        let last = self.recorded.view().last_move;
        self.talk.say(&last.map_or_else(|| "The beginning.".to_owned(), |last| last.sentence))?;
        self.tell_comment()
    }

    fn tell_comment(&mut self) -> anyhow::Result<()> {
        if let Some(comment) = self.recorded.comment() {
            self.talk.say(&comment)?;
        }
        Ok(())
    }
}
