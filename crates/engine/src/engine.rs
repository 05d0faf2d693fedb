//! The engine facade: its settings, its transposition table, and searches with one or more threads (lazy SMP).

use std::sync::Arc;
use std::thread;

use crownhead_rules::{History, Rulebook};

use crate::search::{Purpose, Root, Searcher, SharedState};
use crate::search_result::SearchResult;
use crate::tablebase::EmbeddedOnly;
use crate::tt::TranspositionTable;
use crate::{Control, Evaluation, Limits, Probe};

/// Searches positions. Keeps its transposition table from one search to the next.
pub struct Engine {
    tt: TranspositionTable,
    evaluation: Evaluation,
    threads: usize,
    tablebase: Option<Arc<dyn Probe>>,
}

/// Why an engine cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The memory for the transposition table is not available.
    #[error("not enough memory for a hash table of {} MB; ask for less", bytes >> 20)]
    HashTooLarge {
        /// The requested size.
        bytes: usize,
    },
}

/// The size of the transposition table of a search below the highest level.
const HANDICAP_HASH_BYTES: usize = 1 << 20;

impl Engine {
    /// The default size of the transposition table in the native program.
    pub const DEFAULT_HASH_BYTES: usize = 64 << 20;
    /// The largest transposition table that programs offer, in megabytes.
    pub const MAX_HASH_MB: usize = 1 << 16;
    /// The largest number of threads of a search.
    pub const MAX_THREADS: usize = 256;
    /// The size of the transposition table in the browser.
    pub const PAGE_HASH_BYTES: usize = 16 << 20;

    /// An engine with one thread and a transposition table of this size.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(hash_bytes: usize) -> Result<Engine, EngineError> {
        Ok(Engine {
            tt: TranspositionTable::new(hash_bytes)?,
            evaluation: Evaluation::default(),
            threads: 1,
            tablebase: None,
        })
    }

    /// Sets the number of threads, at most [`MAX_THREADS`](Engine::MAX_THREADS). With more than one, results differ
    /// from run to run.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, Engine::MAX_THREADS);
    }

    /// Sets the evaluation, and clears the transposition table.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
        self.tt.clear();
    }

    /// Sets the endgame tablebase, and clears the transposition table: scores found without it would hide exact values.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<dyn Probe>>) {
        self.tablebase = tablebase;
        self.tt.clear();
    }

    /// Clears the transposition table, for example before a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
    }

    /// Searches the last position of a game, and reports after each depth. The scores follow the rule book. `None` if
    /// there is no move.
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

    /// Searches for a move to play. Unlike [`search`](Engine::search), it scores any repetition of a position of the
    /// game as a draw, even where the rule book allows some, so that play makes progress.
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
        // The tablebase probes at the root take time too.
        let started = control.now(0);
        let root = Root::new(game, rulebook, purpose, self.probe())?;
        self.tt.next_generation();
        let shared = SharedState::new(&self.tt, &self.evaluation, self.probe(), control, limits, started);
        Some(search(&shared, &root, self.threads, report))
    }

    /// Searches for a move with one thread, an empty transposition table and the embedded tablebase only, so that
    /// neither earlier searches nor installed tables affect the result.
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

/// Lazy SMP: all threads search the same root and share only the transposition table. The first one reports, and all
/// stop with it. If the system refuses a thread, the search goes on with fewer.
fn search(
    shared: &SharedState,
    root: &Root,
    threads: usize,
    report: &mut dyn FnMut(&SearchResult),
) -> SearchResult {
    thread::scope(|scope| {
        let _stop = StopOnDrop(shared);
        for _ in 1..threads {
            let helper = || Searcher::new(shared, root, false).iterative_deepening(root, &mut |_| {});
            if thread::Builder::new().spawn_scoped(scope, helper).is_err() {
                break;
            }
        }
        Searcher::new(shared, root, true).iterative_deepening(root, report)
    })
}

/// Stops the helper threads when the main thread leaves the scope, even by a panic: the scope waits for them.
struct StopOnDrop<'a>(&'a SharedState<'a>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
