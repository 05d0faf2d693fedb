//! Match play between two players: many games, several in parallel, each opening with both colours.

mod game;
mod pairing;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crownhead_engine::StopFlag;
use crownhead_tablebase::Tablebase;

use game::Contender;
pub use game::{GameRecord, TimeControl};
pub use pairing::Pairing;

use crate::player::{PlayerError, PlayerSpec};
use crate::rating::{Decision, Results, Sprt};

/// How a match is played.
#[derive(Clone)]
pub struct Match {
    /// The two players; results are from the first one's point of view.
    pub players: [PlayerSpec; 2],
    /// The time control of both players.
    pub time_control: TimeControl,
    /// The openings; each is played twice, with colours reversed.
    pub pairings: Vec<Pairing>,
    /// Games to play in parallel.
    pub concurrency: usize,
    /// Ends the match as soon as it accepts or rejects.
    pub sprt: Option<Sprt>,
    /// Adjudicate games: one that the tables decide is not played on.
    pub tables: Tablebase,
    /// Ends the match when it is set; unfinished games are discarded.
    pub stop: StopFlag,
}

/// The statistics of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchStats {
    /// The results of the first player.
    pub results: Results,
    /// Games lost by an illegal move, by either player.
    pub illegal: u64,
    /// Games lost because a program exited, did not answer or reported an error.
    pub failures: u64,
    /// Games lost on time, by either player.
    pub timeouts: u64,
    /// The longest time that a player took beyond the time for a move or, on a clock, beyond its own plan for the move
    /// (beyond all of its remaining time, if the plan is unknown).
    pub overshoot: Duration,
}

/// A finished game with its round.
type Played = Result<(Round, GameRecord), PlayerError>;

/// The number of a game in a match, from 0. Each opening has two rounds; the first player has Black in the even ones.
pub type Round = usize;

impl Match {
    /// Plays the match. `watch` is called with every game as it ends and with the statistics so far, which count a game
    /// as soon as both games of its opening are over. A program that fails loses that game and is restarted for the
    /// next one. A match that is stopped returns the statistics so far.
    ///
    /// # Errors
    /// If a player cannot be started.
    pub fn play(
        &self,
        watch: &mut dyn FnMut(&MatchStats, Round, &GameRecord),
    ) -> Result<MatchStats, PlayerError> {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..self.concurrency.clamp(1, self.pairings.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    // A player may fail because of the stop.
                    if let Err(error) = self.play_pairings(next, &sender)
                        && !self.stop.is_set()
                    {
                        // Without receiver the match has ended already.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            self.collect(results, watch)
        })
    }

    /// Adds up the games as they end.
    fn collect(
        &self,
        results: mpsc::Receiver<Played>,
        watch: &mut dyn FnMut(&MatchStats, Round, &GameRecord),
    ) -> Result<MatchStats, PlayerError> {
        let mut stats = MatchStats::default();
        // Games whose opening has not been played from the other side yet.
        let mut halves = HashMap::new();
        for result in results {
            if self.stop.is_set() {
                break;
            }
            let (round, game) = result?;
            let Some(with_black) = halves.remove(&(round / 2)) else {
                watch(&stats, round, &game);
                halves.insert(round / 2, game);
                continue;
            };
            stats.add([&with_black, &game]);
            watch(&stats, round, &game);
            if self.sprt.is_some_and(|sprt| sprt.decision(&stats.results) != Decision::Open) {
                break;
            }
        }
        Ok(stats)
    }

    /// One thread: takes pairings from the shared counter until there are none left or the match is over.
    fn play_pairings(&self, next: &AtomicUsize, sender: &Sender<Played>) -> Result<(), PlayerError> {
        let [first, second] = &self.players;
        let seat = |place, spec| Contender::new(place, spec, self.time_control, &self.stop);
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

impl MatchStats {
    /// Adds both games of an opening; the first player has Black in the first one.
    fn add(&mut self, pair: [&GameRecord; 2]) {
        let [with_black, with_white] = pair;
        self.results.add([with_black.result_for_black(), -with_white.result_for_black()]);
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

    fn new_match(first: &str, second: &str, pairs: usize) -> Match {
        Match {
            players: [first, second].map(|text| text.parse().unwrap()),
            time_control: TimeControl::Nodes(200),
            pairings: Pairing::random(pairs, 11),
            concurrency: 2,
            sprt: None,
            tables: Tablebase::embedded(),
            stop: StopFlag::default(),
        }
    }

    #[test]
    fn a_match_that_is_stopped_discards_unfinished_games() {
        for player in ["self", "self,node-ns=1"] {
            let mut game_match = new_match(player, player, 4);
            game_match.time_control = TimeControl::Move(Duration::from_secs(600));
            let stop = game_match.stop.clone();
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_millis(200));
                stop.set();
            });
            let stats = game_match.play(&mut |_, _, _| panic!("a game ended")).unwrap();
            assert_eq!(stats, MatchStats::default());
            stopper.join().unwrap();
        }
    }

    #[test]
    fn the_watcher_can_stop_the_match() {
        let game_match = new_match("random", "random", 200);
        let mut seen = 0;
        let watch = &mut |_: &_, _, _: &_| {
            seen += 1;
            game_match.stop.set();
        };
        game_match.play(watch).unwrap();
        assert_eq!(seen, 1);
    }

    #[test]
    fn every_opening_is_played_from_both_sides() {
        let mut seen = Vec::new();
        let game_match = new_match("random", "novice", 6);
        let stats = game_match.play(&mut |_, round, game| seen.push((round, game.clone()))).unwrap();
        assert_eq!(stats.results.games(), 12);
        assert_eq!((stats.illegal, stats.timeouts), (0, 0));
        seen.sort_by_key(|(round, _)| *round);
        assert!(seen.iter().map(|(round, _)| *round).eq(0..12));
        for (round, game) in &seen {
            let opening = game_match.pairings[round / 2].opening.history();
            assert_eq!(game.history.moves()[..3], *opening.moves());
            let players = if round % 2 == 0 { ["random", "novice"] } else { ["novice", "random"] };
            assert_eq!([&game.black, &game.white], players);
        }
    }

    #[test]
    fn a_game_that_the_tables_decide_is_adjudicated() {
        let (mut decided, game_match) = (0, new_match("random", "random", 10));
        let known = |position: &Position| game_match.tables.probe(position).is_some();
        let watch = &mut |_: &_, _, game: &GameRecord| {
            let (last, before) = game.history.positions().split_last().unwrap();
            assert!(!before.iter().any(known), "{:?}", game.history);
            if known(last) && last.has_move() {
                decided += 1;
                let winner = match game_match.tables.probe(last) {
                    Some(Wdl::Win) => Some(last.side_to_move()),
                    Some(Wdl::Loss) => Some(!last.side_to_move()),
                    _ => None,
                };
                assert_eq!(game.outcome.winner(), winner, "{last}");
            }
        };
        game_match.play(watch).unwrap();
        assert!(decided > 0);
    }

    #[test]
    fn games_round_trip_through_pdn() {
        let mut texts = Vec::new();
        let game_match = new_match("self", "random", 2);
        let watch =
            &mut |_: &_, round, game: &GameRecord| texts.push((game.to_pdn("test", round), game.clone()));
        game_match.play(watch).unwrap();
        assert_eq!(texts.len(), 4);
        for (text, game) in texts {
            let read = crownhead_pdn::read_str(&text.to_string()).next().unwrap();
            assert!(read.replayed && read.warnings.is_empty());
            assert_eq!(read.game.history(), game.history);
            assert_eq!(read.game.tags.get("Black"), Some(&*game.black));
        }
    }

    #[test]
    fn the_players_of_a_game_have_different_seeds() {
        // With one seed the second game of an opening would be the first one with the players exchanged.
        let mut games = BTreeMap::new();
        new_match("level=1", "level=1", 6)
            .play(&mut |_, round, game| {
                games.insert(round, game.history.clone());
            })
            .unwrap();
        let differ = (0..12).step_by(2).filter(|round| games[round] != games[&(round + 1)]).count();
        assert!(differ >= 4, "{differ} pairs of 6 differ");
    }

    #[test]
    fn the_better_player_scores_more() {
        let stats = new_match("novice", "random", 20).play(&mut |_, _, _| {}).unwrap();
        assert!(stats.results.score() > 0.8, "{:?}", stats.results);
    }

    #[test]
    fn the_same_match_has_the_same_results() {
        let result = || new_match("self", "novice", 4).play(&mut |_, _, _| {}).unwrap().results;
        assert_eq!(result(), result());
    }

    #[test]
    fn the_shortest_clock_is_not_overrun() {
        // Each node takes 250 ns, so that a busy machine makes no difference. `cargo xtask prove clock` plays more.
        for [first, second] in [["self", "self"], ["level=8", "level=7"]] {
            let mut game_match =
                new_match(&format!("{first},node-ns=250"), &format!("{second},node-ns=250"), 4);
            game_match.time_control =
                TimeControl::Clock { time: Duration::from_millis(10), increment: Duration::from_millis(1) };
            let stats = game_match.play(&mut |_, _, _| {}).unwrap();
            assert_eq!((stats.results.games(), stats.timeouts), (8, 0));
            // The search checks the clock every 256 nodes.
            assert!(stats.overshoot <= Duration::from_micros(64), "{:?}", stats.overshoot);
        }
    }

    #[test]
    fn a_sequential_test_ends_the_match_early() {
        let mut game_match = new_match("novice", "random", 200);
        game_match.sprt = Sprt::new(0.0, 50.0);
        let stats = game_match.play(&mut |_, _, _| {}).unwrap();
        assert!(stats.results.games() < 400, "{:?}", stats.results);
    }

    #[test]
    fn a_player_that_cannot_be_started_is_named() {
        let error = new_match("hub:no-such-program", "random", 2).play(&mut |_, _, _| {}).unwrap_err();
        assert!(error.to_string().contains("no-such-program"), "{error}");
    }
}
