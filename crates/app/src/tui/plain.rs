//! The line-by-line interface (`--plain`) for screen readers, pipes and scripts.

mod console;
mod orders;
mod reading;

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver};

use anyhow::bail;
use crownhead_game::{Command, Event, View, clock_text};

use self::console::Console;
use self::orders::Order;
use self::reading::Reading;
use super::options::{NOTHING_TO_RESUME, Options};
use super::pdn_file;
use super::recorded::Recorded;
use super::saved_games::{SavedGames, Unfinished, can_go_on};
use super::session::{Session, now};
use super::text_board;
use super::thinker::{Thinker, Thought};
use super::words;
use crate::stderr::tell;

/// Plays line by line on the standard streams.
///
/// # Errors
/// If the options do not describe a possible game, the output is closed, or the program rejected lines of a script.
pub(crate) fn play_plain(options: Options) -> anyhow::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let talk = Console::new(&mut input, &mut output, io::stdin().is_terminal());
    if let Some(file) = &options.file {
        let games = pdn_file::read(file)?;
        let recorded = Recorded::open(games, options.game_number.unwrap_or(1)).map_err(anyhow::Error::msg)?;
        return Reading { recorded, talk }.hold();
    }
    let (sender, thoughts) = mpsc::channel();
    let deliver = move |thought| drop(sender.send(thought));
    let thinker = Thinker::start(options.tables, deliver)?;
    let saved_games = SavedGames::in_folder(&options.data);
    let (unfinished, troubles) = saved_games.unfinished();
    let mut unfinished = unfinished.into_iter().next();
    for trouble in troubles {
        tell(format_args!("crownhead: {trouble}"));
    }
    let session = match unfinished.take_if(|_| options.resume) {
        Some(found) => Session::resume(found, saved_games.clone(), thinker.clone(), now()),
        None if options.resume => bail!(NOTHING_TO_RESUME),
        None => Session::start(options.start, saved_games.clone(), thinker.clone(), now())?,
    };
    Plain { session, saved_games, thinker, thoughts, unfinished, talk, question: None }.hold()
}

/// A dialogue about a game.
struct Plain<'a> {
    session: Session,
    saved_games: SavedGames,
    thinker: Thinker,
    thoughts: Receiver<Thought>,
    /// An unfinished game that can be resumed until this one begins.
    unfinished: Option<Unfinished>,
    talk: Console<'a>,
    question: Option<Question>,
}

/// A question that waits for yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Resign,
    NewGame,
}

impl Plain<'_> {
    /// Runs until the end of input or until the player quits.
    ///
    /// # Errors
    /// If the output is closed, or the program rejected lines of a script.
    fn hold(mut self) -> anyhow::Result<()> {
        self.greet()?;
        loop {
            self.wait_for_computer()?;
            let Some(line) = self.talk.listen()? else { break };
            match line.parse() {
                Ok(Order::Quit) => break,
                Ok(order) => self.obey(order)?,
                Err(why) => self.refuse(&why)?,
            }
        }
        if self.talk.is_interactive() && can_go_on(self.session.game()) {
            self.say("The game is kept. Type resume the next time to go on with it.")?;
        }
        self.session.close();
        self.talk.end()
    }

    fn say(&mut self, sentence: &str) -> anyhow::Result<()> {
        Ok(self.talk.say(sentence)?)
    }

    fn refuse(&mut self, why: &str) -> anyhow::Result<()> {
        Ok(self.talk.refuse(why)?)
    }

    fn greet(&mut self) -> anyhow::Result<()> {
        if let Some(unfinished) = &self.unfinished {
            let sentence = words::unfinished(unfinished, now());
            self.say(&format!("{sentence} Type resume to go on with it."))?;
        }
        let view = self.session.view(now());
        self.say(&words::introduction(&view))?;
        self.say("Type a move such as 11-15, or help.")?;
        self.tell_status(&view)
    }

    /// Waits for the computer's move and prints it.
    fn wait_for_computer(&mut self) -> anyhow::Result<()> {
        while !self.session.game().outstanding().is_empty() {
            self.talk.flush()?;
            match self.thoughts.recv() {
                Ok(Thought::Answer(command)) => {
                    if let Ok(events) = self.session.command(&command, now()) {
                        self.tell(&events)?;
                    }
                }
                Ok(Thought::Line(_)) => {}
                Ok(Thought::Failed(why)) => return self.say(&why),
                Err(_) => return self.say("The computer is gone. Type quit; the game is kept."),
            }
        }
        Ok(())
    }

    fn obey(&mut self, order: Order) -> anyhow::Result<()> {
        let question = self.question.take();
        match (order, question) {
            (Order::Nothing, question) => self.question = question,
            (Order::Yes, Some(Question::Resign)) => self.give(&Command::Resign)?,
            (Order::Yes, Some(Question::NewGame)) => {
                self.give(&Command::Forfeit)?;
                self.give(&Command::Rematch)?;
            }
            (Order::No, Some(_)) => self.say("The game goes on.")?,
            (Order::Yes | Order::No, None) => self.refuse("Nothing was asked.")?,
            (Order::Give(command), _) => self.give(&command)?,
            (Order::Answer(accept), _) => self.answer(accept)?,
            (Order::Resign, _) => self.ask_to_resign()?,
            (Order::New, _) => self.new_game()?,
            (Order::Resume, _) => self.resume()?,
            (Order::Save(path), _) => self.save(&path)?,
            (Order::Help, _) => self.say(orders::HELP)?,
            (Order::Board, _) => self.show(text_board::board)?,
            (Order::Pieces, _) => self.show(text_board::pieces)?,
            (Order::Moves, _) => self.show(words::moves)?,
            (Order::List, _) => self.show(words::list)?,
            (Order::Fen, _) => self.show(|view| view.fen.clone())?,
            (Order::Rules, _) => self.show(|view| view.rulebook.summary.to_owned())?,
            (Order::Status, _) => {
                let view = self.session.view(now());
                self.tell_clocks(&view)?;
                self.tell_status(&view)?;
            }
            (Order::Quit, _) => {}
        }
        Ok(())
    }

    fn show(&mut self, text: impl Fn(&View) -> String) -> anyhow::Result<()> {
        let text = text(&self.session.view(now()));
        self.say(&text)
    }

    /// Passes a command to the game and prints the result.
    fn give(&mut self, command: &Command) -> anyhow::Result<()> {
        match self.session.command(command, now()) {
            Ok(events) => {
                self.unfinished = None;
                self.tell(&events)?;
            }
            Err(refusal) => self.refuse(&refusal.to_string())?,
        }
        if let Some(trouble) = self.session.take_trouble() {
            self.say(&trouble)?;
        }
        if let Some(start) = self.session.take_next() {
            match Session::start(start, self.saved_games.clone(), self.thinker.clone(), now()) {
                Ok(session) => {
                    std::mem::replace(&mut self.session, session).close();
                    self.greet()?;
                }
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
        }
        Ok(())
    }

    fn answer(&mut self, accept: bool) -> anyhow::Result<()> {
        let view = self.session.view(now());
        match view.offers.iter().find(|offer| offer.answerable) {
            Some(offer) => {
                let command = words::answer(offer.offer, accept);
                self.give(&command)
            }
            None => self.refuse("Nothing was offered."),
        }
    }

    fn ask_to_resign(&mut self) -> anyhow::Result<()> {
        let resign = self.session.view(now()).buttons.resign;
        match resign.why_not {
            Some(why) => self.refuse(&why),
            None => self.ask(Question::Resign, resign.confirm),
        }
    }

    fn new_game(&mut self) -> anyhow::Result<()> {
        let view = self.session.view(now());
        if view.outcome.is_some() {
            return self.give(&Command::Rematch);
        }
        match view.buttons.new_game.confirm {
            Some(question) => self.ask(Question::NewGame, Some(question)),
            None => self.say("This game has not begun yet. Type a move such as 11-15."),
        }
    }

    fn ask(&mut self, question: Question, sentence: Option<String>) -> anyhow::Result<()> {
        self.question = Some(question);
        self.say(&format!("{} Type yes or no.", sentence.unwrap_or_default()))
    }

    fn resume(&mut self) -> anyhow::Result<()> {
        let Some(unfinished) = self.unfinished.take() else {
            return self.refuse("There is no game to resume.");
        };
        let session = Session::resume(unfinished, self.saved_games.clone(), self.thinker.clone(), now());
        std::mem::replace(&mut self.session, session).close();
        let view = self.session.view(now());
        self.say(&words::introduction(&view))?;
        if let Some(last) = &view.last_move {
            self.say(&last.sentence)?;
        }
        self.tell_status(&view)
    }

    fn save(&mut self, path: &str) -> anyhow::Result<()> {
        match pdn_file::save(self.session.game(), path.as_ref()) {
            Ok(sentence) => self.say(&sentence),
            Err(why) => self.refuse(&why),
        }
    }

    /// Prints the events and the new state of the game.
    fn tell(&mut self, events: &[Event]) -> anyhow::Result<()> {
        let view = self.session.view(now());
        for event in events {
            match event {
                Event::Moved { .. } | Event::Redone { .. } => {
                    let sentence = view.last_move.as_ref().map(|last| last.sentence.clone());
                    self.say(&sentence.unwrap_or_default())?;
                }
                Event::HintGiven { .. } => self.say(&words::hint(&view).unwrap_or_default())?,
                Event::Offered { .. } => {
                    for offer in view.offers.iter().filter(|offer| offer.answerable) {
                        self.say(&format!("{} Type accept or decline.", offer.sentence))?;
                    }
                }
                Event::TakenBack { .. } | Event::Declined { .. } | Event::ClaimRefused { .. } => {
                    self.say(&view.notice.clone().unwrap_or_default())?;
                }
                Event::Started(_)
                | Event::Withdrawn
                | Event::Claimed { .. }
                | Event::StillThereAsked { .. }
                | Event::StillHere { .. }
                | Event::HintAsked
                | Event::Interrupted { .. }
                | Event::Ended { .. }
                | Event::RematchAgreed { .. } => {}
            }
        }
        let has_changed = |event: &Event| {
            matches!(
                event,
                Event::Moved { .. } | Event::TakenBack { .. } | Event::Redone { .. } | Event::Ended { .. }
            )
        };
        let is_told = view.outcome.is_some() || view.your_turn;
        if is_told && events.iter().any(has_changed) { self.tell_status(&view) } else { Ok(()) }
    }

    fn tell_status(&mut self, view: &View) -> anyhow::Result<()> {
        if let Some(outcome) = &view.outcome {
            self.say(&format!("{} {} Type new for another game.", outcome.headline, outcome.sentence))
        } else {
            self.say(&view.status)
        }
    }

    fn tell_clocks(&mut self, view: &View) -> anyhow::Result<()> {
        for seat in [&view.players.black, &view.players.white] {
            if let Some(clock) = &seat.clock {
                self.say(&format!("{} has {} left.", seat.colour, clock_text(clock.left_ms)))?;
            }
        }
        Ok(())
    }
}
