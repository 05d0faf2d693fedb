//! A match between two players: many games, several at once, from openings with colours exchanged.

mod game;
mod pairing;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crownhead_tablebase::Tablebase;

pub use game::{GameRecord, Pace};
pub use pairing::Pairing;

use crate::player::{PlayerError, PlayerSpec};
use crate::rating::{Decision, Sprt, Tally};
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
}

/// Where a match stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The results for the first player.
    pub tally: Tally,
    /// Games lost by an illegal move, by either player.
    pub illegal: u64,
    /// Games lost on time, by either player.
    pub timeouts: u64,
    /// The longest time that somebody took beyond what was allowed.
    pub overshoot: Duration,
}

/// Both games of an opening. The first player has Black in the first one.
pub type Pair = [GameRecord; 2];

type Played = Result<(usize, Pair), PlayerError>;

impl Contest {
    /// Plays the match. `watch` sees the standing after each pair, and the pair with its place in the list of
    /// pairings.
    ///
    /// # Errors
    /// If a player cannot be brought to the board, or leaves it.
    pub fn play(&self, watch: &mut dyn FnMut(&Standing, usize, Pair)) -> Result<Standing, PlayerError> {
        let next = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..self.concurrency.clamp(1, self.pairings.len().max(1)) {
                let (sender, next, over) = (sender.clone(), &next, &over);
                scope.spawn(move || {
                    if let Err(error) = self.play_pile(next, over, &sender) {
                        // If nobody listens any more, the match has ended already.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let standing = self.follow(results, watch);
            over.store(true, Ordering::Relaxed);
            standing
        })
    }

    /// Adds up results as they come in.
    fn follow(
        &self,
        results: mpsc::Receiver<Played>,
        watch: &mut dyn FnMut(&Standing, usize, Pair),
    ) -> Result<Standing, PlayerError> {
        let mut standing = Standing::default();
        for result in results {
            let (place, pair) = result?;
            standing.add(&pair);
            watch(&standing, place, pair);
            if self.sprt.is_some_and(|sprt| sprt.decision(&standing.tally) != Decision::Open) {
                break;
            }
        }
        Ok(standing)
    }

    /// One thread: takes pairings from the common pile until there are none left or the match is over.
    fn play_pile(
        &self,
        next: &AtomicUsize,
        over: &AtomicBool,
        sender: &Sender<Played>,
    ) -> Result<(), PlayerError> {
        let [first, second] = &self.players;
        let (first, second) = (&mut Seat::new(0, first, self.pace)?, &mut Seat::new(1, second, self.pace)?);
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(pairing) = self.pairings.get(place) else { return Ok(()) };
            let with_black = game::play(pairing, &self.tables, first, second)?;
            if over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let with_white = game::play(pairing, &self.tables, second, first)?;
            if sender.send(Ok((place, [with_black, with_white]))).is_err() {
                return Ok(());
            }
        }
    }
}

impl Standing {
    fn add(&mut self, pair: &Pair) {
        let [with_black, with_white] = pair;
        self.tally.add([with_black.for_black(), with_white.for_black().reversed()]);
        for game in pair {
            self.illegal += u64::from(game.illegal);
            self.timeouts += u64::from(game.is_timeout());
            self.overshoot = self.overshoot.max(game.overshoot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(first: &str, second: &str, pairs: usize) -> Contest {
        Contest {
            players: [first, second].map(|text| text.parse().unwrap()),
            pace: Pace::Nodes(200),
            pairings: Pairing::by_lot(pairs, 11),
            concurrency: 2,
            sprt: None,
            tables: Tablebase::embedded(),
        }
    }

    #[test]
    fn every_opening_is_played_from_both_sides() {
        let mut seen = Vec::new();
        let contest = contest("random", "novice", 6);
        let standing = contest.play(&mut |_, place, pair| seen.push((place, pair))).unwrap();
        assert_eq!(standing.tally.games(), 12);
        assert_eq!((standing.illegal, standing.timeouts), (0, 0));
        seen.sort_by_key(|(place, _)| *place);
        for (place, pair) in &seen {
            for game in pair {
                let opening = contest.pairings[*place].opening.history();
                assert_eq!(game.history.moves()[..3], *opening.moves());
            }
            assert_eq!([&pair[0].black, &pair[0].white], [&pair[1].white, &pair[1].black]);
        }
    }

    #[test]
    fn games_can_be_written_and_read_again() {
        let mut texts = Vec::new();
        let contest = contest("self", "random", 2);
        contest.play(&mut |_, place, pair| texts.push((pair[0].to_pdn("test", place), pair))).unwrap();
        for (game, [with_black, _]) in texts {
            let read = crownhead_pdn::read_str(&game.to_string()).next().unwrap();
            assert!(read.replayed && read.warnings.is_empty());
            assert_eq!(read.game.history(), with_black.history);
            assert_eq!(read.game.tags.get("Black"), Some("self"));
        }
    }

    #[test]
    fn players_of_one_game_have_different_luck() {
        // With the same luck the second game of a pair would be the first one with the players exchanged.
        let mut differ = 0;
        contest("level=1", "level=1", 6)
            .play(&mut |_, _, [first, second]| differ += u32::from(first.history != second.history))
            .unwrap();
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
        let mut contest = contest("self,node-ns=250", "self,node-ns=250", 4);
        contest.pace = Pace::Clock { time: Duration::from_millis(10), increment: Duration::from_millis(1) };
        let standing = contest.play(&mut |_, _, _| {}).unwrap();
        assert_eq!((standing.tally.games(), standing.timeouts), (8, 0));
        assert_eq!(standing.overshoot, Duration::ZERO);
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
