//! The computer, on a thread of its own: carries out those effects of a game that take thought.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use crownhead_engine::{ClockState, Control, Engine, EngineError, Level, Opponent, SearchResult, TimeLimit};
use crownhead_game::{Command, Effect, Task, Verdict, Work};
use crownhead_lab::Stopwatch;
use crownhead_rules::History;
use crownhead_tablebase::{Tablebase, Wdl};

/// What comes back from the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thought {
    /// The result of an effect, for the game.
    Answer(Command),
    /// What it holds best so far while it thinks about a move, in words.
    Line(String),
    /// It cannot think about that, and why.
    Failed(String),
}

/// The name of the thread, by which a panic in it is known.
pub(crate) const THREAD_NAME: &str = "computer";

/// Takes effects and delivers thoughts. Clones share one thread, which does one thing after the other.
#[derive(Clone)]
pub(crate) struct Thinker {
    orders: Sender<Order>,
    /// What was asked of this clone, with the button that stops it.
    under_way: Vec<((Work, u32), Stopwatch)>,
}

enum Order {
    CarryOut {
        effect: Effect,
        watch: Stopwatch,
    },
    /// Another game begins.
    Forget,
}

impl Thinker {
    /// Starts the thread. The engine itself is made when there is something to think about.
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

    /// Carries an effect out, or stops one. The results come as thoughts.
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

    /// Forgets what was found out in another game.
    pub(crate) fn forget(&self) {
        let _ = self.orders.send(Order::Forget);
    }

    /// Stops everything that this clone was asked for.
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
    let mut kept: Option<Engine> = None;
    for order in orders {
        let Order::CarryOut { effect, watch } = order else {
            kept.iter_mut().for_each(Engine::clear);
            continue;
        };
        if watch.stopped() {
            continue;
        }
        let mut engine = match kept.take().map_or_else(|| new_engine(tables), Ok) {
            Ok(engine) => engine,
            Err(error) => {
                deliver(Thought::Failed(format!("The computer cannot think: {error}.")));
                continue;
            }
        };
        // An engine that has panicked is not asked again; the next one starts afresh.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let thought = answer(&mut engine, tables, &effect, &watch, deliver);
            (thought, engine)
        }));
        if let Ok((thought, engine)) = answered {
            kept = Some(engine);
            deliver(thought);
        } else {
            deliver(Thought::Failed(
                "The computer lost the thread. Take a move back or start anew.".to_owned(),
            ));
        }
    }
}

fn new_engine(tables: &Tablebase) -> Result<Engine, EngineError> {
    let mut engine = Engine::new(Engine::DEFAULT_HASH_BYTES)?;
    engine.set_threads(thread::available_parallelism().map_or(1, NonZero::get));
    engine.set_tablebase(Some(Arc::new(tables.clone())));
    Ok(engine)
}

fn answer(
    engine: &mut Engine,
    tables: &Tablebase,
    effect: &Effect,
    watch: &Stopwatch,
    deliver: &dyn Fn(Thought),
) -> Thought {
    let (Effect::Think { task }
    | Effect::FindHint { task }
    | Effect::JudgeOffer { task, .. }
    | Effect::Adjudicate { task }) = effect
    else {
        return Thought::Failed("There is nothing to think about.".to_owned());
    };
    let game = match task.history() {
        Ok(game) => game,
        Err(damage) => return Thought::Failed(format!("The computer cannot read the game: {damage}.")),
    };
    let (request, book) = (task.request, &task.rulebook);
    let command = match effect {
        Effect::Think { task } => {
            let mut report = |found: &SearchResult| deliver(Thought::Line(line(&game, found)));
            let choice = engine.choose_with_report(&game, book, &opponent(task), watch, &mut report);
            choice.map(|choice| Command::ComputerMoved { request, text: choice.mv.to_string() })
        }
        Effect::FindHint { .. } => engine
            .hint(&game, book, watch)
            .map(|choice| Command::HintFound { request, text: choice.mv.to_string() }),
        Effect::JudgeOffer { offer, task } => {
            let to_mover = task.side == game.position().side_to_move();
            let accept = engine.answer_draw_offer(&game, book, to_mover, watch).accepts();
            Some(Command::ComputerAnswered { request, offer: *offer, accept })
        }
        Effect::Adjudicate { .. } => Some(Command::Adjudicated { request, verdict: verdict(tables, &game) }),
        Effect::Stop { .. } | Effect::NewGame { .. } => None,
    };
    command.map_or_else(|| Thought::Failed("There is no move to think about.".to_owned()), Thought::Answer)
}

fn opponent(task: &Task) -> Opponent {
    let time = task.clock.map(|clock| {
        TimeLimit::Clock(ClockState {
            remaining: Duration::from_millis(clock.left_ms),
            increment: Duration::from_millis(clock.increment_ms),
            moves: None,
        })
    });
    let level = Level::new(task.level.number()).expect("the game and the engine have the same eight levels");
    Opponent { level, seed: task.seed.into(), time }
}

fn verdict(tables: &Tablebase, game: &History) -> Verdict {
    match tables.probe(game.position()) {
        Some(Wdl::Draw) => Verdict::Draw,
        Some(Wdl::Win | Wdl::Loss) => Verdict::NoDraw,
        None => Verdict::Unknown,
    }
}

/// “depth 9, +0.42: 22-18 15x22 25x18”.
fn line(game: &History, found: &SearchResult) -> String {
    let mut position = *game.position();
    let moves = found.pv().iter().map(|&mv| {
        let text = position.move_text(mv);
        position = position.play_unchecked(mv);
        text
    });
    format!("depth {}, {}: {}", found.depth, found.score(), moves.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Game, Moment, Player, Start, Time, Who};
    use crownhead_rules::RulebookId;

    fn thinker() -> (Thinker, Receiver<Thought>) {
        let (sender, thoughts) = mpsc::channel();
        let deliver = move |thought| {
            let _ = sender.send(thought);
        };
        (Thinker::start(Tablebase::embedded(), deliver).expect("a thread"), thoughts)
    }

    /// The computer has to move in a position that is not in its book.
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

    #[test]
    fn a_claim_is_looked_up_in_the_tables() {
        let (mut thinker, thoughts) = thinker();
        for (fen, verdict) in [
            ("B:WK4:BK1", Verdict::Draw),
            ("B:WK32:BK14,K19", Verdict::NoDraw),
            ("B:W21-32:B1-12", Verdict::Unknown),
        ] {
            let mut start = Start::new([Player::human(""), Player::human("")], 1);
            start.position = Some(fen.to_owned());
            start.rulebook = RulebookId::Numbered;
            let (mut game, _) = Game::start(start, Time(0)).expect("a game");
            let step = game.handle(Who::Screen, &Command::ClaimDraw, Moment::at(Time(1))).expect("a claim");
            step.effects.into_iter().for_each(|effect| thinker.carry_out(effect));
            let thought = thoughts.recv().expect("an answer");
            let Thought::Answer(Command::Adjudicated { verdict: found, .. }) = thought else {
                panic!("{thought:?}")
            };
            assert_eq!(found, verdict, "{fen}");
        }
    }
}
