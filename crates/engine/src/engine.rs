//! The engine as others use it: what it has, and searching with it.

use std::sync::Arc;
use std::thread;

use crownhead_rules::{History, Rulebook};

use crate::search::{Purpose, Root, Searcher, SharedState};
use crate::search_result::SearchResult;
use crate::tablebase::EmbeddedOnly;
use crate::tt::TranspositionTable;
use crate::{Control, Evaluation, Limits, Probe};

/// A player and analyst. Keeps what it learnt about positions from one search to the next.
pub struct Engine {
    tt: TranspositionTable,
    evaluation: Evaluation,
    threads: usize,
    tablebase: Option<Arc<dyn Probe>>,
}

/// Why the engine cannot do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is not so much memory.
    #[error("there is no room for a hash table of {} MB; ask for less", bytes >> 20)]
    HashTooLarge {
        /// What was asked for.
        bytes: usize,
    },
}

/// Enough for a search of a level below the highest.
const HANDICAP_HASH_BYTES: usize = 1 << 20;

impl Engine {
    /// The hash table of the native program unless told otherwise.
    pub const DEFAULT_HASH_BYTES: usize = 64 << 20;
    /// The largest hash table that programs offer, in megabytes.
    pub const MAX_HASH_MB: usize = 1 << 16;
    /// The most threads that a search uses.
    pub const MAX_THREADS: usize = 256;
    /// The hash table in the page.
    pub const PAGE_HASH_BYTES: usize = 16 << 20;

    /// An engine with one thread and a hash table of this size.
    ///
    /// # Errors
    /// If there is no room for the table.
    pub fn new(hash_bytes: usize) -> Result<Engine, EngineError> {
        Ok(Engine {
            tt: TranspositionTable::new(hash_bytes)?,
            evaluation: Evaluation::default(),
            threads: 1,
            tablebase: None,
        })
    }

    /// Searches with so many threads from now on, [`MAX_THREADS`](Engine::MAX_THREADS) at most. More than one give
    /// different results from run to run.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, Engine::MAX_THREADS);
    }

    /// Values positions this way from now on.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.tt.clear();
    }

    /// Uses these endgame tables from now on. What was found without them would hide what they know.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Probe>>) {
        self.tablebase = tablebase;
        self.tt.clear();
    }

    /// Forgets what it learnt, as before a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
    }

    /// Searches the position on the board, by the rule book, and reports after each depth. Nothing is found where there is
    /// no move.
    pub fn search(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        self.search_for(Purpose::Analysis, game, rulebook, limits, control, report)
    }

    /// The same to find a move to play: it goes back to no position that has been on the board if it can do better than
    /// draw, although a rule book may allow that for a while.
    pub fn find_move(
        &mut self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        self.search_for(Purpose::Play, game, rulebook, limits, control, report)
    }

    fn search_for(
        &mut self,
        purpose: Purpose,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        // To look the root up in the tables takes its time too.
        let started = control.now(0);
        let root = Root::new(game, rulebook, purpose, self.probe())?;
        self.tt.next_generation();
        let shared = SharedState::new(&self.tt, &self.evaluation, self.probe(), control, limits, started);
        Some(search(&shared, &root, self.threads, report))
    }

    /// A move to play, found with one thread, nothing learnt before and no larger tables than everybody has, so that the result
    /// depends on nothing but the position.
    pub(crate) fn search_reproducibly(
        &self,
        game: &History,
        rulebook: &Rulebook,
        limits: &Limits,
        control: &dyn Control,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let started = control.now(0);
        let tablebase = self.probe().map(EmbeddedOnly);
        let tablebase = tablebase.as_ref().map(|tablebase| tablebase as &dyn Probe);
        let root = Root::new(game, rulebook, Purpose::Play, tablebase)?;
        let tt = TranspositionTable::new(HANDICAP_HASH_BYTES).ok()?;
        let shared = SharedState::new(&tt, &self.evaluation, tablebase, control, limits, started);
        Some(search(&shared, &root, 1, report))
    }

    fn probe(&self) -> Option<&dyn Probe> {
        self.tablebase.as_deref().map(|tablebase| tablebase as &dyn Probe)
    }
}

/// Searches with so many threads, or as many as the system has room for. Each of them looks for the stop; the first one
/// reports, and all end with it.
fn search(
    shared: &SharedState,
    root: &Root,
    threads: usize,
    report: &mut dyn FnMut(&SearchResult),
) -> SearchResult {
    thread::scope(|scope| {
        let _end = StopOnDrop(shared);
        for _ in 1..threads {
            let help = || Searcher::new(shared, root, false).iterative_deepening(root, &mut |_| {});
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        Searcher::new(shared, root, true).iterative_deepening(root, report)
    })
}

/// Sends the other threads home when the first one leaves, in whatever way: they are waited for.
struct StopOnDrop<'a>(&'a SharedState<'a>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
