//! The engine thread: carries out the effects of a game that need a search.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use anyhow::Context;
use crownhead_computer::{Analysis, Computer, ComputerError};
use crownhead_engine::{Control, Engine, Stopwatch};
use crownhead_game::{Command, Effect, Work};
use crownhead_tablebase::Tablebase;

/// A message from the engine thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thought {
    /// The result of an effect, for the game.
    Answer(Command),
    /// The principal variation so far while it searches for a move, as text.
    Line(String),
    /// The search failed, with the reason.
    Failed(String),
}

/// The name of the thread, by which the panic hook recognizes it.
pub(crate) const THREAD_NAME: &str = "computer";

/// A handle to the engine thread. Clones share one thread, which handles one effect after the other.
#[derive(Clone)]
pub(crate) struct Thinker {
    orders: Sender<Order>,
    /// The effects requested by this clone, with the stopwatch that stops each.
    under_way: Vec<((Work, u32), Stopwatch)>,
}

enum Order {
    CarryOut {
        effect: Effect,
        watch: Stopwatch,
    },
    /// Another game starts.
    Forget,
}

impl Thinker {
    /// Starts the thread. The engine is created on the first search.
    pub(crate) fn start(
        tables: Tablebase,
        deliver: impl Fn(Thought) + Send + 'static,
    ) -> anyhow::Result<Thinker> {
        let (orders, taken) = mpsc::channel();
        thread::Builder::new()
            .name(THREAD_NAME.to_owned())
            .spawn(move || work(&taken, &tables, &deliver))
            .context("cannot start a thread for the computer")?;
        Ok(Thinker { orders, under_way: Vec::new() })
    }

    /// Carries out an effect, or stops one. The results arrive as messages.
    pub(crate) fn carry_out(&mut self, effect: Effect) {
        if let Effect::Stop { work, request } = effect {
            self.stop(|key| key == (work, request));
        } else if let Some(key) = effect.key() {
            let watch = Stopwatch::start();
            self.under_way.push((key, watch.clone()));
            // The thread ends only with the program.
            let _ = self.orders.send(Order::CarryOut { effect, watch });
        }
    }

    /// Clears what the engine remembers from another game.
    pub(crate) fn forget(&self) {
        let _ = self.orders.send(Order::Forget);
    }

    /// Stops all effects requested by this clone.
    pub(crate) fn stop_all(&mut self) {
        self.stop(|_| true);
    }

    fn stop(&mut self, which: impl Fn((Work, u32)) -> bool) {
        self.under_way.retain(|(key, watch)| {
            if which(*key) {
                watch.stop();
            }
            !which(*key)
        });
    }
}

fn work(orders: &Receiver<Order>, tables: &Tablebase, deliver: &dyn Fn(Thought)) {
    let mut kept: Option<Computer> = None;
    for order in orders {
        let Order::CarryOut { effect, watch } = order else {
            kept.iter_mut().for_each(Computer::clear);
            continue;
        };
        if watch.stopped() {
            continue;
        }
        let mut computer = match kept.take().map_or_else(|| new_computer(tables), Ok) {
            Ok(computer) => computer,
            Err(error) => {
                deliver(Thought::Failed(error.to_string()));
                continue;
            }
        };
        // An engine that has panicked is dropped; the next effect creates a new one.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let mut report = |analysis: &Analysis| deliver(Thought::Line(line(analysis)));
            (computer.carry_out_with_report(&effect, &watch, &mut report), computer)
        }));
        if let Ok((answer, computer)) = answered {
            kept = Some(computer);
            deliver(answer.map_or_else(|error| Thought::Failed(error.to_string()), Thought::Answer));
        } else {
            deliver(Thought::Failed(
                "The computer lost the thread. Take a move back or start anew.".to_owned(),
            ));
        }
    }
}

fn new_computer(tables: &Tablebase) -> Result<Computer, ComputerError> {
    let mut computer = Computer::new(Engine::DEFAULT_HASH_BYTES, tables.clone())?;
    computer.set_threads(thread::available_parallelism().map_or(1, NonZero::get));
    Ok(computer)
}

/// “depth 9, +0.42: 22-18 15x22 25x18”.
fn line(analysis: &Analysis) -> String {
    let best = &analysis.lines[0];
    format!("depth {}, {}: {}", analysis.depth, best.assessment, best.text.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Game, Moment, Player, Start, Time, Who};

    fn thinker() -> (Thinker, Receiver<Thought>) {
        let (sender, thoughts) = mpsc::channel();
        let deliver = move |thought| {
            let _ = sender.send(thought);
        };
        (Thinker::start(Tablebase::embedded(), deliver).expect("a thread"), thoughts)
    }

    /// A game in which the computer is to move in a position outside its book.
    fn computer_first(level: u8) -> (Game, Effect) {
        let computer = Player::computer(crownhead_game::Level::new(level).expect("1 to 8"));
        let mut start = Start::new([computer, Player::human("")], 5);
        start.position = Some("B:W21-24,27,30-32:B1,4,7,9,11,12,14,16".to_owned());
        let (game, step) = Game::start(start, Time(0)).expect("a game");
        let effect = step.effects.into_iter().next().expect("the computer begins");
        (game, effect)
    }

    #[test]
    fn the_computer_moves_and_tells_its_line_on_the_way() {
        let (mut thinker, thoughts) = thinker();
        let (mut game, effect) = computer_first(4);
        thinker.carry_out(effect);
        let mut lines = 0;
        let command = loop {
            match thoughts.recv().expect("the thread lives") {
                Thought::Line(text) => {
                    assert!(text.starts_with("depth "), "{text}");
                    lines += 1;
                }
                Thought::Answer(command) => break command,
                Thought::Failed(why) => panic!("{why}"),
            }
        };
        assert!(lines > 0);
        game.handle(Who::House, &command, Moment::at(Time(9))).expect("a legal move");
        assert_eq!(game.history().moves().len(), 1);
    }

    #[test]
    fn a_stop_ends_the_strongest_level_at_once() {
        let (mut thinker, thoughts) = thinker();
        let (_, effect) = computer_first(8);
        let (work, request) = effect.key().expect("a task");
        thinker.carry_out(effect);
        let first = thoughts.recv().expect("it has begun");
        assert!(matches!(first, Thought::Line(_)), "{first:?}");
        thinker.carry_out(Effect::Stop { work, request });
        assert!(thinker.under_way.is_empty());
        assert!(thoughts.iter().any(|thought| matches!(thought, Thought::Answer(_))));
    }
}
