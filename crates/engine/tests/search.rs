//! Tests of the search: best moves, limits, draws by repetition and move limit, reproducible results.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crownhead_engine::{
    ClockState, Control, Engine, Level, Limits, Opponent, Score, ScoreKind, SearchResult, TimeLimit, Timeless,
};
use crownhead_rules::{History, Rulebook, RulebookId};

fn engine() -> Engine {
    Engine::new(1 << 20).unwrap()
}

fn game(fen: &str) -> History {
    History::new(fen.parse().unwrap())
}

fn search(engine: &mut Engine, fen: &str, limits: Limits) -> SearchResult {
    engine.search(&game(fen), &Rulebook::default(), &limits, &Timeless, &mut |_| {}).unwrap()
}

/// A clock that advances by a microsecond per node, and stops the search at a given check.
struct NodeClock {
    looks_left: AtomicU64,
}

impl Control for NodeClock {
    fn now(&self, nodes: u64) -> Duration {
        Duration::from_micros(nodes)
    }

    fn stopped(&self) -> bool {
        self.looks_left.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn a_shot_is_found() {
    let found = search(&mut engine(), "W:W32,28,23,19:B20,11,9,5", Limits::nodes(200_000));
    assert_eq!(found.best().to_string(), "28-24");
    assert!(found.score() > Score::men(100), "{:?}", found.score());
}

#[test]
fn a_win_is_told_with_its_distance() {
    let found = search(&mut engine(), "B:W14:B9,10,1", Limits::depth(6));
    assert_eq!(found.score().kind(), ScoreKind::Wins(Some(1)));
    let found = search(&mut engine(), "W:W14:B9,K17,1", Limits::depth(12));
    assert!(matches!(found.score().kind(), ScoreKind::Loses(_)), "{:?}", found.score());
}

#[test]
fn nothing_is_found_where_there_is_no_move() {
    let over = game("B:W14:B");
    assert_eq!(engine().search(&over, &Rulebook::default(), &Limits::depth(3), &Timeless, &mut |_| {}), None);
}

#[test]
fn nodes_and_depth_are_kept_exactly() {
    for nodes in [1, 2, 100, 1_000, 12_345] {
        let found = search(&mut engine(), "B:W21-32:B1-12", Limits::nodes(nodes));
        assert_eq!(found.nodes, nodes);
    }
    assert_eq!(search(&mut engine(), "B:W21-32:B1-12", Limits::depth(5)).depth, 5);
}

#[test]
fn the_same_search_gives_the_same_result() {
    let twice = || search(&mut engine(), "W:W18,21,23,24,26-32:B1-10,12,15", Limits::nodes(60_000));
    assert_eq!(twice(), twice());
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let found = search(&mut engine(), "B:W21-32:B1-12", Limits::depth(8).with_multi_pv(7));
    assert_eq!(found.lines.len(), 7);
    assert!(found.lines.is_sorted_by_key(|line| -line.score));
    let mut firsts: Vec<_> = found.lines.iter().map(|line| line.moves[0]).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 7);
}

#[test]
fn several_lines_are_in_order_wherever_the_search_is_broken_off() {
    for nodes in (1_000..30_000).step_by(700) {
        let found = search(&mut engine(), "B:W21-32:B1-12", Limits::nodes(nodes).with_multi_pv(7));
        assert_eq!(found.lines.len(), 7);
        assert!(found.lines.is_sorted_by_key(|line| -line.score), "{nodes} nodes: {:?}", found.lines);
    }
}

#[test]
fn lines_can_be_played() {
    let found = search(&mut engine(), "B:W21-32:B1-12", Limits::depth(9).with_multi_pv(3));
    for line in found.lines {
        let mut game = History::default();
        for mv in line.moves {
            assert!(game.position().is_legal(mv), "{mv} in {}", game.position());
            game.push_unchecked(mv);
        }
    }
}

#[test]
fn a_line_is_not_cut_short_where_the_search_is_broken_off() {
    for nodes in (2_000..60_000).step_by(500) {
        let (mut whole, mut engine) = (None, engine());
        let mut report = |found: &SearchResult| whole = Some(found.clone());
        let game = game("W:W18,21,23,24,26-32:B1-10,12,15");
        let found = engine
            .search(&game, &Rulebook::default(), &Limits::nodes(nodes), &Timeless, &mut report)
            .unwrap();
        let whole = whole.unwrap();
        let same_move = whole.best() == found.best();
        assert!(!same_move || found.pv().len() > 1, "{nodes} nodes: {:?} {:?}", whole.pv(), found.pv());
    }
}

#[test]
fn a_stop_is_obeyed_at_the_next_look() {
    let clock = NodeClock { looks_left: AtomicU64::new(100) };
    let start = History::default();
    let found =
        engine().search(&start, &Rulebook::default(), &Limits::default(), &clock, &mut |_| {}).unwrap();
    assert!((20_000..30_000).contains(&found.nodes), "{}", found.nodes);
}

#[test]
fn moves_that_nobody_looked_at_have_no_line() {
    let start = "B:W21-32:B1-12";
    for limits in [Limits::depth(0), Limits::nodes(1)] {
        let found = search(&mut engine(), start, limits.with_multi_pv(7));
        assert_eq!(found.lines.len(), 1, "{found:?}");
        assert!(matches!(found.score().kind(), ScoreKind::Men(_)), "{}", found.score());
    }
    let found = search(&mut engine(), start, Limits::nodes(10).with_multi_pv(7));
    assert!(found.lines.iter().all(|line| matches!(line.score.kind(), ScoreKind::Men(_))), "{found:?}");
}

#[test]
fn time_for_a_move_is_not_overrun() {
    let clock = NodeClock { looks_left: AtomicU64::new(u64::MAX) };
    let limits = Limits::move_time(Duration::from_millis(20));
    let found =
        engine().search(&History::default(), &Rulebook::default(), &limits, &clock, &mut |_| {}).unwrap();
    assert!(found.time <= Duration::from_millis(20), "{:?}", found.time);
    assert!(found.nodes > 10_000);
}

#[test]
fn a_forced_move_gets_its_time_but_costs_a_clock_nothing() {
    // Black must capture and then loses two men for one.
    let game = game("B:W13,19,20,21,24,25,27,29-32:B1-3,5,7,8,11,14-16,18");
    let clock = NodeClock { looks_left: AtomicU64::new(u64::MAX) };
    let search =
        |limits: &Limits| engine().search(&game, &Rulebook::default(), limits, &clock, &mut |_| {}).unwrap();
    let found = search(&Limits::move_time(Duration::from_millis(20)));
    assert!(found.score() < Score::men(-100), "{}", found.score());
    let remaining = Duration::from_secs(60);
    let time = Some(TimeLimit::Clock(ClockState { remaining, increment: Duration::ZERO, moves: None }));
    assert_eq!(search(&Limits { time, ..Limits::default() }).depth, 1);
}

/// White is a king down and can return, with 32-28, to a position that has occurred this many times.
fn going_back(times: usize) -> History {
    let mut game = game("B:WK32:BK1,K14");
    for text in ["1-5", "32-28", "5-1", "28-32"].into_iter().cycle().take(4 * times + 1) {
        game.play(text).unwrap();
    }
    game
}

#[test]
fn a_third_repetition_is_a_draw_in_the_tree_too() {
    let found = search_under(RulebookId::American, &going_back(2), 1);
    assert_eq!((found.score(), found.best().to_string().as_str()), (Score::DRAW, "32-28"));
}

#[test]
fn what_has_been_on_the_board_once_is_no_draw_yet() {
    let found = search_under(RulebookId::American, &going_back(1), 1);
    assert!(found.score() < Score::men(-50), "{}", found.score());
}

#[test]
fn who_plays_goes_back_to_nothing_that_has_been_on_the_board() {
    // White is a king up and can repeat a position of the game, but need not.
    let mut game = game("W:WK32,K14:BK1");
    for text in ["32-28", "1-5", "28-32", "5-1"] {
        game.play(text).unwrap();
    }
    let limits = Limits::depth(1);
    let found =
        engine().find_move(&game, &Rulebook::default(), &limits.with_multi_pv(9), &Timeless, &mut |_| {});
    let back = found.unwrap().lines.into_iter().find(|line| line.moves[0].to_string() == "32-28").unwrap();
    assert_eq!(back.score, Score::DRAW);
}

#[test]
fn where_no_rule_says_so_what_has_been_on_the_board_is_never_a_draw() {
    let found = search_under(RulebookId::WinOnly, &going_back(2), 1);
    assert!(found.score() < Score::men(-50), "{}", found.score());
}

/// Black is ahead by a king and a man; the kings have moved back and forth for this many plies.
fn to_and_fro(plies: usize) -> History {
    let mut game = game("W:WK32:BK1,K2,5");
    for text in ["32-28", "1-6", "28-32", "6-1"].into_iter().cycle().take(plies) {
        game.play(text).unwrap();
    }
    game
}

fn search_under(rules: RulebookId, game: &History, depth: u32) -> SearchResult {
    engine().search(game, &Rulebook::of(rules), &Limits::depth(depth), &Timeless, &mut |_| {}).unwrap()
}

#[test]
fn the_limit_of_moves_is_a_draw_in_the_tree_too() {
    // After 40 moves each without progress, every move but that of the man is a draw.
    let found = search_under(RulebookId::American, &to_and_fro(79), 3);
    assert_eq!(found.best().to_string(), "5-9");
    assert!(found.score() > Score::men(100), "{}", found.score());
}

#[test]
fn the_limit_of_moves_is_that_of_the_rule_book() {
    // 50 moves each, and only captures count as progress.
    assert!(search_under(RulebookId::Quick, &to_and_fro(79), 3).score() > Score::men(100));
    assert_eq!(search_under(RulebookId::Quick, &to_and_fro(99), 3).score(), Score::DRAW);
}

#[test]
fn draws_by_the_limit_of_moves_are_not_remembered_for_other_counts() {
    let mut engine = engine();
    let mut lines = |plies, depth| {
        let (game, rulebook) = (to_and_fro(plies), Rulebook::of(RulebookId::Quick));
        let limits = Limits::depth(depth).with_multi_pv(12);
        engine.search(&game, &rulebook, &limits, &Timeless, &mut |_| {}).unwrap().lines
    };
    assert!(lines(91, 12).iter().any(|line| line.score == Score::DRAW));
    for depth in 1..8 {
        let early = lines(1, depth);
        assert!(early.iter().all(|line| line.score > Score::men(100)), "depth {depth}: {early:?}");
    }
}

#[test]
fn two_threads_find_what_one_does() {
    for fen in ["W:W32,28,23,19:B20,11,9,5", "B:W21-32:B1-12"] {
        let mut engine = engine();
        engine.set_threads(2);
        let found = search(&mut engine, fen, Limits::nodes(200_000).with_multi_pv(2));
        assert!(found.lines.is_sorted_by_key(|line| -line.score), "{:?}", found.lines);
        for line in &found.lines {
            let mut game = game(fen);
            for &mv in &line.moves {
                assert!(game.position().is_legal(mv), "{mv} in {}", game.position());
                game.push_unchecked(mv);
            }
        }
        assert!(fen.starts_with('B') || found.best().to_string() == "28-24", "{:?}", found.lines);
    }
}

/// Stops all threads except the one that started the search.
struct OnlyToHelpers(ThreadId);

impl Control for OnlyToHelpers {
    fn now(&self, _nodes: u64) -> Duration {
        Duration::ZERO
    }

    fn stopped(&self) -> bool {
        thread::current().id() != self.0
    }
}

#[test]
fn whichever_thread_sees_the_stop_first_ends_the_search() {
    let mut engine = engine();
    engine.set_threads(2);
    let control = OnlyToHelpers(thread::current().id());
    let limits = Limits::nodes(50_000_000);
    let found = engine.search(&History::default(), &Rulebook::default(), &limits, &control, &mut |_| {});
    assert!(found.unwrap().nodes < 50_000_000);
}

#[test]
fn a_level_below_the_highest_plays_the_same_move_for_the_same_seed() {
    for level in Level::all().take(7) {
        let opponent = Opponent::new(level, 7, None);
        let play = || engine().choose(&History::default(), &Rulebook::default(), &opponent, &Timeless);
        assert_eq!(play(), play());
    }
}

#[test]
fn a_level_keeps_the_time_for_a_move() {
    for level in Level::all() {
        let clock = NodeClock { looks_left: AtomicU64::new(u64::MAX) };
        let time = Some(TimeLimit::Move(Duration::from_millis(1)));
        let game = game("W:W18,21,23,24,26-32:B1-10,12,15");
        let opponent = Opponent::new(level, 7, time);
        let choice = engine().choose(&game, &Rulebook::default(), &opponent, &clock).unwrap();
        assert!(choice.nodes <= 1_000, "level {level} looks at {} positions", choice.nodes);
    }
}

#[test]
fn a_choice_can_be_followed_thought_by_thought() {
    let opponent = Opponent::new(Level::new(5).unwrap(), 3, None);
    let game = game("W:W18,22,27,31:B9,10,12,20");
    let mut depths = Vec::new();
    let mut report = |found: &SearchResult| depths.push(found.depth);
    let aloud = engine().choose_with_report(&game, &Rulebook::default(), &opponent, &Timeless, &mut report);
    assert_eq!(aloud, engine().choose(&game, &Rulebook::default(), &opponent, &Timeless));
    assert!(depths.len() > 1 && depths.is_sorted(), "{depths:?}");
}
