//! A match between two players: many games, several at once, from openings with colours exchanged.

mod game;
mod pairing;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crownhead_tablebase::Tablebase;

pub use game::{GameRecord, Pace};
pub use pairing::Pairing;

use crate::player::{PlayerError, PlayerSpec};
use crate::rating::{Decision, Sprt, Tally};
use crownhead_engine::StopFlag;
use game::Seat;

/// How a match is played.
#[derive(Clone)]
pub struct Contest {
    /// The two players; the score is told from the first one's side.
    pub players: [PlayerSpec; 2],
    /// What each may use for a move.
    pub pace: Pace,
    /// The openings; each is played twice, with colours exchanged.
    pub pairings: Vec<Pairing>,
    /// Games played at the same time.
    pub concurrency: usize,
    /// Ends the match as soon as it decides.
    pub sprt: Option<Sprt>,
    /// Games that they decide are not played on.
    pub tables: Tablebase,
    /// Ends the match when it is pressed; games under way are given up.
    pub stop: StopFlag,
}

/// Where a match stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The results for the first player.
    pub tally: Tally,
    /// Games lost by an illegal move, by either player.
    pub illegal: u64,
    /// Games lost because a player had gone, fell silent or complained.
    pub failures: u64,
    /// Games lost on time, by either player.
    pub timeouts: u64,
    /// The longest time that somebody took beyond the time for a move or, on a clock, beyond what it meant to take; beyond
    /// all that it had left, if it did not tell.
    pub overshoot: Duration,
}

/// A game that was played, with its round.
type Played = Result<(Round, GameRecord), PlayerError>;

/// The number of a game in a match, from 0. Each opening has two rounds; the first player has Black in the even ones.
pub type Round = usize;

impl Contest {
    /// Plays the match. `watch` sees every game as it ends, and where the match stands; games count there as soon as
    /// both of their opening are over. A player who fails loses that game and is called anew for the next. A match that is
    /// stopped stands where it stood.
    ///
    /// # Errors
    /// If a player cannot be brought to the board.
    pub fn play(
        &self,
        watch: &mut dyn FnMut(&Standing, Round, &GameRecord),
    ) -> Result<Standing, PlayerError> {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..self.concurrency.clamp(1, self.pairings.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    // A player may fail only because it was called away.
                    if let Err(error) = self.play_pile(next, &sender)
                        && !self.stop.is_set()
                    {
                        // If nobody listens any more, the match has ended already.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            self.follow(results, watch)
        })
    }

    /// Adds up results as they come in.
    fn follow(
        &self,
        results: mpsc::Receiver<Played>,
        watch: &mut dyn FnMut(&Standing, Round, &GameRecord),
    ) -> Result<Standing, PlayerError> {
        let mut standing = Standing::default();
        // The first games of openings whose second is still under way.
        let mut halves = HashMap::new();
        for result in results {
            if self.stop.is_set() {
                break;
            }
            let (round, game) = result?;
            let Some(with_black) = halves.remove(&(round / 2)) else {
                watch(&standing, round, &game);
                halves.insert(round / 2, game);
                continue;
            };
            standing.add([&with_black, &game]);
            watch(&standing, round, &game);
            if self.sprt.is_some_and(|sprt| sprt.decision(&standing.tally) != Decision::Open) {
                break;
            }
        }
        Ok(standing)
    }

    /// One thread: takes pairings from the common pile until there are none left or nobody listens any more.
    fn play_pile(&self, next: &AtomicUsize, sender: &Sender<Played>) -> Result<(), PlayerError> {
        let [first, second] = &self.players;
        let seat = |place, spec| Seat::new(place, spec, self.pace, &self.stop);
        let (first, second) = (&mut seat(0, first)?, &mut seat(1, second)?);
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(pairing) = self.pairings.get(place) else { return Ok(()) };
            let with_black = game::play(pairing, &self.tables, first, second)?;
            if self.stop.is_set() || sender.send(Ok((2 * place, with_black))).is_err() {
                return Ok(());
            }
            let with_white = game::play(pairing, &self.tables, second, first)?;
            if self.stop.is_set() || sender.send(Ok((2 * place + 1, with_white))).is_err() {
                return Ok(());
            }
        }
    }
}

impl Standing {
    /// Adds both games of an opening, the one where the first player had Black first.
    fn add(&mut self, pair: [&GameRecord; 2]) {
        let [with_black, with_white] = pair;
        self.tally.add([with_black.for_black(), with_white.for_black().reversed()]);
        for game in pair {
            self.illegal += u64::from(game.illegal.is_some());
            self.failures += u64::from(game.failure.is_some());
            self.timeouts += u64::from(game.is_timeout());
            self.overshoot = self.overshoot.max(game.overshoot);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crownhead_rules::Position;
    use crownhead_tablebase::Wdl;

    use super::*;

    fn contest(first: &str, second: &str, pairs: usize) -> Contest {
        Contest {
            players: [first, second].map(|text| text.parse().unwrap()),
            pace: Pace::Nodes(200),
            pairings: Pairing::by_lot(pairs, 11),
            concurrency: 2,
            sprt: None,
            tables: Tablebase::embedded(),
            stop: StopFlag::default(),
        }
    }

    #[test]
    fn a_match_that_is_stopped_gives_up_the_games_under_way() {
        for player in ["self", "self,node-ns=1"] {
            let mut contest = contest(player, player, 4);
            contest.pace = Pace::Move(Duration::from_secs(600));
            let stop = contest.stop.clone();
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_millis(200));
                stop.set();
            });
            let standing = contest.play(&mut |_, _, _| panic!("a game ended")).unwrap();
            assert_eq!(standing, Standing::default());
            stopper.join().unwrap();
        }
    }

    #[test]
    fn who_watches_can_stop_the_match() {
        let contest = contest("random", "random", 200);
        let mut seen = 0;
        let watch = &mut |_: &_, _, _: &_| {
            seen += 1;
            contest.stop.set();
        };
        contest.play(watch).unwrap();
        assert_eq!(seen, 1);
    }

    #[test]
    fn every_opening_is_played_from_both_sides() {
        let mut seen = Vec::new();
        let contest = contest("random", "novice", 6);
        let standing = contest.play(&mut |_, round, game| seen.push((round, game.clone()))).unwrap();
        assert_eq!(standing.tally.games(), 12);
        assert_eq!((standing.illegal, standing.timeouts), (0, 0));
        seen.sort_by_key(|(round, _)| *round);
        assert!(seen.iter().map(|(round, _)| *round).eq(0..12));
        for (round, game) in &seen {
            let opening = contest.pairings[round / 2].opening.history();
            assert_eq!(game.history.moves()[..3], *opening.moves());
            let players = if round % 2 == 0 { ["random", "novice"] } else { ["novice", "random"] };
            assert_eq!([&game.black, &game.white], players);
        }
    }

    #[test]
    fn a_game_that_the_tables_decide_is_not_played_on() {
        let (mut decided, contest) = (0, contest("random", "random", 10));
        let known = |position: &Position| contest.tables.probe(position).is_some();
        let watch = &mut |_: &_, _, game: &GameRecord| {
            let (last, before) = game.history.positions().split_last().unwrap();
            assert!(!before.iter().any(known), "{:?}", game.history);
            if known(last) && last.has_move() {
                decided += 1;
                let winner = match contest.tables.probe(last) {
                    Some(Wdl::Win) => Some(last.side_to_move()),
                    Some(Wdl::Loss) => Some(!last.side_to_move()),
                    _ => None,
                };
                assert_eq!(game.outcome.winner(), winner, "{last}");
            }
        };
        contest.play(watch).unwrap();
        assert!(decided > 0);
    }

    #[test]
    fn games_can_be_written_and_read_again() {
        let mut texts = Vec::new();
        let contest = contest("self", "random", 2);
        let watch =
            &mut |_: &_, round, game: &GameRecord| texts.push((game.to_pdn("test", round), game.clone()));
        contest.play(watch).unwrap();
        assert_eq!(texts.len(), 4);
        for (text, game) in texts {
            let read = crownhead_pdn::read_str(&text.to_string()).next().unwrap();
            assert!(read.replayed && read.warnings.is_empty());
            assert_eq!(read.game.history(), game.history);
            assert_eq!(read.game.tags.get("Black"), Some(&*game.black));
        }
    }

    #[test]
    fn players_of_one_game_have_different_luck() {
        // With the same luck the second game of an opening would be the first one with the players exchanged.
        let mut games = BTreeMap::new();
        contest("level=1", "level=1", 6)
            .play(&mut |_, round, game| {
                games.insert(round, game.history.clone());
            })
            .unwrap();
        let differ = (0..12).step_by(2).filter(|round| games[round] != games[&(round + 1)]).count();
        assert!(differ >= 4, "{differ} pairs of 6 differ");
    }

    #[test]
    fn who_plays_better_scores_more() {
        let standing = contest("novice", "random", 20).play(&mut |_, _, _| {}).unwrap();
        assert!(standing.tally.score() > 0.8, "{:?}", standing.tally);
    }

    #[test]
    fn the_same_match_ends_the_same_way() {
        let result = || contest("self", "novice", 4).play(&mut |_, _, _| {}).unwrap().tally;
        assert_eq!(result(), result());
    }

    #[test]
    fn the_shortest_clock_is_not_overrun() {
        // Each node takes 250 ns, so that a busy machine makes no difference. `cargo xtask prove clock` plays more.
        for [first, second] in [["self", "self"], ["level=8", "level=7"]] {
            let mut contest = contest(&format!("{first},node-ns=250"), &format!("{second},node-ns=250"), 4);
            contest.pace =
                Pace::Clock { time: Duration::from_millis(10), increment: Duration::from_millis(1) };
            let standing = contest.play(&mut |_, _, _| {}).unwrap();
            assert_eq!((standing.tally.games(), standing.timeouts), (8, 0));
            // The 256 nodes between two looks at the clock.
            assert!(standing.overshoot <= Duration::from_micros(64), "{:?}", standing.overshoot);
        }
    }

    #[test]
    fn a_sequential_test_ends_the_match_early() {
        let mut contest = contest("novice", "random", 200);
        contest.sprt = Sprt::new(0.0, 50.0);
        let standing = contest.play(&mut |_, _, _| {}).unwrap();
        assert!(standing.tally.games() < 400, "{:?}", standing.tally);
    }

    #[test]
    fn a_player_that_does_not_come_is_told() {
        let error = contest("hub:no-such-program", "random", 2).play(&mut |_, _, _| {}).unwrap_err();
        assert!(error.to_string().contains("no-such-program"), "{error}");
    }
}
