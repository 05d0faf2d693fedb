//! The engine parameters that a Hub client can set with `set-param`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use crownhead_engine::{Engine, Level};
use crownhead_rules::Excerpt;
use crownhead_tablebase::Tablebase;

use super::{Host, ServerError};
use crate::line::Line;

#[derive(Clone)]
pub(super) struct Parameters {
    host: Host,
    hash_mb: usize,
    threads: usize,
    /// The folder of additional tables; empty for the user's data folder.
    tablebase: String,
    /// The tables, once they have been opened.
    tables: Option<Tablebase>,
    /// Play opening moves from the book?
    pub(super) book: bool,
    pub(super) level: Level,
    /// The seed set by the client; 0 for a new seed in every game.
    seed: u64,
    /// The seed of the current game.
    pub(super) game_seed: u64,
}

/// The largest seed. Other programs may store it as a signed number.
const MAX_SEED: u64 = i64::MAX as u64;
const MIN_HASH_MB: usize = 1;

impl Parameters {
    pub(super) fn new(host: Host) -> Parameters {
        Parameters {
            host,
            hash_mb: Engine::DEFAULT_HASH_BYTES >> 20,
            threads: 1,
            tablebase: String::new(),
            tables: None,
            book: true,
            level: Level::HIGHEST,
            seed: 0,
            game_seed: 0,
        }
    }

    /// The `param` lines of the greeting.
    pub(super) fn lines(&self) -> Vec<Line> {
        let param = |name: &str, value: &dyn core::fmt::Display, kind: &str| {
            Line::new("param").with("name", name).with("value", value).with("type", kind)
        };
        let int = |name: &str, value: u64, min: u64, max: u64| {
            param(name, &value, "int").with("min", min).with("max", max)
        };
        vec![
            param("variant", &"english", "enum").with("values", "english"),
            int("hash", self.hash_mb as u64, MIN_HASH_MB as u64, Engine::MAX_HASH_MB as u64),
            int("threads", self.threads as u64, 1, Engine::MAX_THREADS as u64),
            param("tablebase", &self.tablebase, "string"),
            param("book", &self.book, "bool"),
            int("level", self.level.number().into(), 1, Level::HIGHEST.number().into()),
            int("seed", self.seed, 0, MAX_SEED),
        ]
    }

    /// Sets a parameter, also in an existing engine. On an error nothing changes, except that the engine may have lost
    /// the contents of its hash table.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        engine: &mut Option<Engine>,
    ) -> Result<(), ServerError> {
        let in_game = engine.is_some();
        let was_deterministic = !self.is_random();
        match name {
            "variant" if value == "english" => {}
            "variant" => return Err(ServerError::Variant(value.into())),
            "hash" => self.set_hash(in_range("hash", value, MIN_HASH_MB, Engine::MAX_HASH_MB)?, engine)?,
            "threads" => {
                self.threads = in_range("threads", value, 1, Engine::MAX_THREADS)?;
                if let Some(engine) = engine {
                    engine.set_threads(self.threads);
                }
            }
            "tablebase" => self.set_tables(value, engine)?,
            "book" => self.book = value.parse().map_err(|_| ServerError::Book(value.into()))?,
            "level" => {
                let number = in_range("level", value, 1, usize::from(Level::HIGHEST.number()))?;
                self.level = Level::new(number as u8).expect("the number is in range");
            }
            "seed" => {
                self.seed = in_range("seed", value, 0, MAX_SEED as usize)? as u64;
                if in_game {
                    self.new_game();
                }
            }
            _ => return Err(ServerError::UnknownParameter(name.into())),
        }
        if in_game && was_deterministic {
            self.report_seed();
        }
        Ok(())
    }

    fn set_hash(&mut self, hash_mb: usize, engine: &mut Option<Engine>) -> Result<(), ServerError> {
        let before = core::mem::replace(&mut self.hash_mb, hash_mb);
        if hash_mb == before || engine.is_none() {
            return Ok(());
        }
        // The old table is freed before the new one is allocated: memory need not hold both.
        *engine = None;
        let error = match self.engine() {
            Ok(new) => {
                *engine = Some(new);
                return Ok(());
            }
            Err(error) => error,
        };
        for hash_mb in [before, MIN_HASH_MB] {
            self.hash_mb = hash_mb;
            *engine = self.engine().ok();
            if engine.is_some() {
                return Err(ServerError::HashReplaced { error: error.into(), hash_mb });
            }
        }
        Err(error)
    }

    fn set_tables(&mut self, folder: &str, engine: &mut Option<Engine>) -> Result<(), ServerError> {
        let tables = self.open_tables(folder)?;
        if let Some(engine) = engine {
            engine.set_tablebase(Some(Arc::new(tables.clone())));
        }
        folder.clone_into(&mut self.tablebase);
        self.tables = Some(tables);
        Ok(())
    }

    /// Chooses the seed of a new game, unless the client has set one. The protocol cannot report a seed that was chosen
    /// here, so the host reports it if it matters; setting it as the parameter repeats the game.
    pub(super) fn new_game(&mut self) {
        self.game_seed = self.seed;
        if self.seed == 0 {
            self.game_seed = RandomState::new().build_hasher().finish() % MAX_SEED + 1;
        }
        self.report_seed();
    }

    fn report_seed(&self) {
        if self.seed == 0 && self.is_random() {
            (self.host.report_seed)(self.game_seed);
        }
    }

    /// Does the seed make a difference?
    fn is_random(&self) -> bool {
        self.book || self.level < Level::HIGHEST
    }

    /// An engine with these parameters. Tables that are open stay open.
    pub(super) fn engine(&mut self) -> Result<Engine, ServerError> {
        let mut engine = Engine::new(self.hash_mb << 20)?;
        engine.set_threads(self.threads);
        let tables = match self.tables.take() {
            Some(tables) => tables,
            None => self.open_tables(&self.tablebase)?,
        };
        engine.set_tablebase(Some(Arc::new(tables.clone())));
        self.tables = Some(tables);
        Ok(engine)
    }

    fn open_tables(&self, folder: &str) -> Result<Tablebase, ServerError> {
        (self.host.open_tables)(folder).map_err(ServerError::Tablebase)
    }
}

fn in_range(name: &'static str, value: &str, min: usize, max: usize) -> Result<usize, ServerError> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| ServerError::OutOfRange { name, value: Excerpt::from(value), min, max })
}
