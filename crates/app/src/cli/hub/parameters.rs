//! The settings that a Hub program may change.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use crownhead_engine::{Engine, Level};
use crownhead_lab::hub::Line;
use crownhead_rules::Excerpt;
use crownhead_tablebase::Tablebase;

use crate::cli::tables::Tables;
use crate::talk::tell;

#[derive(Clone)]
pub(super) struct Parameters {
    hash_mb: usize,
    threads: usize,
    /// The folder of larger tables; empty for that of the user.
    tablebase: String,
    /// What is there, once it has been opened.
    tables: Option<Tablebase>,
    /// Play opening moves from the book?
    pub(super) book: bool,
    pub(super) level: Level,
    /// 0 for another one in every game.
    seed: u64,
    /// What chance is drawn from in this game.
    pub(super) chance: u64,
}

/// Other programs may keep numbers with a sign.
const MAX_SEED: u64 = i64::MAX as u64;
const MIN_HASH_MB: usize = 1;

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            hash_mb: Engine::DEFAULT_HASH_BYTES >> 20,
            threads: 1,
            tablebase: String::new(),
            tables: None,
            book: true,
            level: Level::HIGHEST,
            seed: 0,
            chance: 0,
        }
    }
}

impl Parameters {
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

    /// Changes a parameter, and of an engine that is there already what the parameter concerns. What fails changes
    /// nothing, except that an engine may have lost what it learnt.
    pub(super) fn set(&mut self, name: &str, value: &str, engine: &mut Option<Engine>) -> anyhow::Result<()> {
        let excerpt = Excerpt::from(value);
        let in_game = engine.is_some();
        let chance_was_idle = !self.leaves_to_chance();
        match name {
            "variant" => ensure!(value == "english", "variant {excerpt} is not played here; english is"),
            "hash" => self.set_hash(in_range(name, value, MIN_HASH_MB, Engine::MAX_HASH_MB)?, engine)?,
            "threads" => {
                self.threads = in_range(name, value, 1, Engine::MAX_THREADS)?;
                if let Some(engine) = engine {
                    engine.set_threads(self.threads);
                }
            }
            "tablebase" => self.set_tables(value, engine)?,
            "book" => {
                let flag = value.parse().ok();
                self.book = flag.with_context(|| format!("book is true or false, not {excerpt}"))?;
            }
            "level" => {
                let number = in_range(name, value, 1, usize::from(Level::HIGHEST.number()))?;
                self.level = Level::new(number as u8).context("there are eight levels")?;
            }
            "seed" => {
                self.seed = in_range(name, value, 0, MAX_SEED as usize)? as u64;
                if in_game {
                    self.begin_game();
                }
            }
            _ => bail!(
                "unknown parameter {}; there are variant, hash, threads, tablebase, book, level and seed",
                Excerpt::from(name)
            ),
        }
        if in_game && chance_was_idle {
            self.tell_chance();
        }
        Ok(())
    }

    fn set_hash(&mut self, hash_mb: usize, engine: &mut Option<Engine>) -> anyhow::Result<()> {
        let before = core::mem::replace(&mut self.hash_mb, hash_mb);
        if hash_mb == before || engine.is_none() {
            return Ok(());
        }
        // The old table goes before the new one comes: memory is to hold what was asked for, not both.
        *engine = None;
        let refusal = match self.engine() {
            Ok(new) => {
                *engine = Some(new);
                return Ok(());
            }
            Err(refusal) => refusal,
        };
        for hash_mb in [before, MIN_HASH_MB] {
            self.hash_mb = hash_mb;
            *engine = self.engine().ok();
            ensure!(engine.is_none(), "{refusal}; now there is an empty one of {hash_mb} MB");
        }
        Err(refusal)
    }

    fn set_tables(&mut self, folder: &str, engine: &mut Option<Engine>) -> anyhow::Result<()> {
        let tables = Tables::at(folder).open()?;
        if let Some(engine) = engine {
            engine.set_tablebase(Some(Arc::new(tables.clone())));
        }
        folder.clone_into(&mut self.tablebase);
        self.tables = Some(tables);
        Ok(())
    }

    /// A new game has chances of its own, unless the seed is given. The protocol has no word for the one that was drawn,
    /// so it is told on stderr, where it makes a difference; given as the seed it repeats the game.
    pub(super) fn begin_game(&mut self) {
        self.chance = self.seed;
        if self.seed == 0 {
            self.chance = RandomState::new().build_hasher().finish() % MAX_SEED + 1;
        }
        self.tell_chance();
    }

    fn tell_chance(&self) {
        if self.seed == 0 && self.leaves_to_chance() {
            tell(format_args!("crownhead: seed {}", self.chance));
        }
    }

    /// Does chance make a difference?
    fn leaves_to_chance(&self) -> bool {
        self.book || self.level < Level::HIGHEST
    }

    /// An engine with these settings. Tables that are open stay so.
    pub(super) fn engine(&mut self) -> anyhow::Result<Engine> {
        let mut engine = Engine::new(self.hash_mb << 20)?;
        engine.set_threads(self.threads);
        let tables = match self.tables.take() {
            Some(tables) => tables,
            None => Tables::at(&self.tablebase).open()?,
        };
        engine.set_tablebase(Some(Arc::new(tables.clone())));
        self.tables = Some(tables);
        Ok(engine)
    }
}

fn in_range(name: &str, value: &str, min: usize, max: usize) -> anyhow::Result<usize> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    let excerpt = Excerpt::from(value);
    number.with_context(|| format!("{name} must be a whole number from {min} to {max}, not {excerpt}"))
}
