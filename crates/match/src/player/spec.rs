//! Parses the specification of a match player: `self`, `self,hash=64`, `self,tablebase=DIR`, `self,weights=FILE`,
//! `level=3`, `random`, `novice`, `hub:COMMAND`, `hub,book=false:COMMAND`.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use crownhead_engine::{Engine, Level, Limits, StopFlag};
use crownhead_hub::Client;
use crownhead_tablebase::Tablebase;

use super::{EnginePlayer, NodeClock, Novice, Player, PlayerError, Random, TableFolder, WeightsFile};

/// The specification of a player, as on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The original text.
    text: String,
    who: Who,
    /// Nodes for each move, instead of the time control of the match.
    nodes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Engine(EngineSpec),
    /// Another program, with the parameters to set.
    Program {
        command: String,
        parameters: Vec<(String, String)>,
    },
    Random,
    Novice,
}

/// This engine with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EngineSpec {
    hash_mb: usize,
    threads: usize,
    level: Option<Level>,
    tables: Option<TableFolder>,
    weights: Option<WeightsFile>,
    clock: Option<NodeClock>,
}

/// Why a text does not specify a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not one of the known words.
    #[error("{0:?} is not a player; players are self, level=1 to level=8, random, novice and hub:COMMAND")]
    Unknown(String),
    /// An unknown option.
    #[error(
        "{0:?} is not an option of a player; options are hash=MB, threads=N, tablebase=DIR, weights=FILE, level=1-8, nodes=N \
         and node-ns=N"
    )]
    Option(String),
    /// A parameter of another program that is not a name and a value.
    #[error(
        "{0:?} is not a player; write the parameters of another program as hub,NAME=VALUE,NAME=VALUE:COMMAND"
    )]
    Parameter(String),
    /// An option with a value that it cannot have.
    #[error("{option:?} is out of range or malformed; write {expected}")]
    Value {
        /// As it was written.
        option: String,
        /// The values that are allowed.
        expected: String,
    },
    /// An option without effect at this level.
    #[error("{option:?} has no effect at level {level}, which has its own limits; it needs level=8")]
    NoEffect {
        /// As it was written.
        option: String,
        /// The level that it was meant for.
        level: u8,
    },
    /// Another program without a command.
    #[error("{0:?} names no program; write hub:COMMAND")]
    NoCommand(String),
}

/// Options without effect below the highest level: each of those levels has its own node limit, a small hash table, one
/// thread and the embedded tables.
const NO_EFFECT_BELOW_HIGHEST: [&str; 4] = ["hash", "threads", "tablebase", "nodes"];

/// Matches play many games in parallel, so each player gets less than a single engine.
const MATCH_HASH_MB: usize = 16;

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec {
            hash_mb: MATCH_HASH_MB,
            threads: 1,
            level: None,
            tables: None,
            weights: None,
            clock: None,
        }
    }
}

impl EngineSpec {
    /// Parses an option, `NAME=VALUE`. The nodes for a move are not an option of the engine and are returned.
    fn set(&mut self, option: &str) -> Result<Option<u64>, SpecError> {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let wrong = |expected: String| SpecError::Value { option: option.to_owned(), expected };
        let number = |most: u64| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| wrong(format!("{name}=N with a whole number from 1 to {most}")))
        };
        let path = |kind: &str| {
            if value.is_empty() { Err(wrong(format!("{name}={kind}"))) } else { Ok(value) }
        };
        match name {
            "hash" => self.hash_mb = number(Engine::MAX_HASH_MB as u64)? as usize,
            "threads" => self.threads = number(Engine::MAX_THREADS as u64)? as usize,
            "level" => self.level = Level::new(number(Level::HIGHEST.number().into())? as u8),
            "tablebase" => self.tables = Some(TableFolder::at(path("DIR")?)),
            "weights" => self.weights = Some(WeightsFile::named(path("FILE")?)),
            "node-ns" => {
                self.clock = Some(NodeClock { per_node: Duration::from_nanos(number(u64::MAX)?) });
            }
            "nodes" => return number(u64::MAX).map(Some),
            _ => return Err(SpecError::Option(option.to_owned())),
        }
        Ok(None)
    }
}

impl PlayerSpec {
    /// Starts the player. It plays until `stop` is set.
    ///
    /// # Errors
    /// If a program cannot be started, the hash table cannot be allocated, or tables or weights cannot be used.
    pub fn start(&self, stop: &StopFlag) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match &self.who {
            Who::Engine(spec) => {
                let mut own = EnginePlayer::new(spec.hash_mb << 20, spec.threads)?;
                // Levels are measured with the tables that ship.
                let embedded = spec.level.map(|_| Ok(Tablebase::embedded()));
                if let Some(tables) = spec.tables.as_ref().map(TableFolder::open).or(embedded) {
                    own = own.with_tables(tables?);
                }
                if let Some(file) = &spec.weights {
                    own = own.with_evaluation(file.open()?);
                }
                Box::new(own.at_level(spec.level).on_node_clock(spec.clock).until(stop))
            }
            Who::Program { command, parameters } => {
                let client = Client::start(command, parameters, stop);
                Box::new(
                    client.map_err(|error| PlayerError::NotStarted { player: self.text.clone(), error })?,
                )
            }
            Who::Random => Box::new(Random::default()),
            Who::Novice => Box::new(Novice::default()),
        })
    }

    /// This engine at a level.
    pub fn level(level: Level) -> PlayerSpec {
        PlayerSpec {
            text: format!("level {}", level.number()),
            who: Who::Engine(EngineSpec { level: Some(level), ..EngineSpec::default() }),
            nodes: None,
        }
    }

    /// The limits of this player, given those of the match.
    pub fn limits(&self, limits: Limits) -> Limits {
        self.nodes.map_or(limits, Limits::nodes)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let spec = |who| PlayerSpec { text: text.to_owned(), who, nodes: None };
        if let Some(program) = program(text) {
            return Ok(spec(program?));
        }
        match text {
            "random" => return Ok(spec(Who::Random)),
            "novice" => return Ok(spec(Who::Novice)),
            _ => {}
        }
        let unknown = || SpecError::Unknown(text.to_owned());
        let options = match text.strip_prefix("self") {
            Some(rest) if rest.is_empty() => rest,
            Some(rest) => rest.strip_prefix(',').ok_or_else(unknown)?,
            None if text.starts_with("level=") => text,
            None => return Err(unknown()),
        };
        let (mut own, mut nodes) = (EngineSpec::default(), None);
        for option in options.split(',').filter(|option| !option.is_empty()) {
            nodes = own.set(option)?.or(nodes);
        }
        if let Some(level) = own.level.filter(|&level| level < Level::HIGHEST) {
            let has_no_effect = |option: &&str| {
                NO_EFFECT_BELOW_HIGHEST.contains(&option.split_once('=').map_or(*option, |(name, _)| name))
            };
            if let Some(option) = options.split(',').find(has_no_effect) {
                return Err(SpecError::NoEffect { option: option.to_owned(), level: level.number() });
            }
        }
        Ok(PlayerSpec { nodes, ..spec(Who::Engine(own)) })
    }
}

/// Parses `hub[,NAME=VALUE…]:COMMAND`, if the text begins like that. The command is everything after the first colon.
fn program(text: &str) -> Option<Result<Who, SpecError>> {
    let (options, command) = text.strip_prefix("hub")?.split_once(':')?;
    let options = if options.is_empty() { options } else { options.strip_prefix(',')? };
    if command.trim().is_empty() {
        return Some(Err(SpecError::NoCommand(text.to_owned())));
    }
    let parameters = options.split(',').filter(|option| !option.is_empty()).map(|option| {
        let (name, value) = option.split_once('=').filter(|(name, _)| !name.is_empty())?;
        Some((name.to_owned(), value.to_owned()))
    });
    let parameters = parameters.collect::<Option<_>>().ok_or_else(|| SpecError::Parameter(text.to_owned()));
    Some(parameters.map(|parameters| Who::Program { command: command.trim().to_owned(), parameters }))
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_from_text() {
        let who = |text: &str| text.parse::<PlayerSpec>().unwrap().who;
        let own = EngineSpec::default();
        assert_eq!(who("self"), Who::Engine(own.clone()));
        assert_eq!(
            who("self,hash=4,threads=2"),
            Who::Engine(EngineSpec { hash_mb: 4, threads: 2, ..own.clone() })
        );
        let clock = Some(NodeClock { per_node: Duration::from_nanos(250) });
        assert_eq!(
            who("level=3,node-ns=250"),
            Who::Engine(EngineSpec { level: Level::new(3), clock, ..own.clone() })
        );
        let tables = Some(TableFolder::at("/some/where"));
        assert_eq!(
            who("self,tablebase=/some/where,hash=4"),
            Who::Engine(EngineSpec { hash_mb: 4, tables, ..own })
        );
        let program = |parameters: &[[&str; 2]], command: &str| Who::Program {
            command: command.into(),
            parameters: parameters.iter().map(|pair| pair.map(str::to_owned).into()).collect(),
        };
        assert_eq!(who("hub:./old hub"), program(&[], "./old hub"));
        assert_eq!(
            who("hub,book=false,hash=16:./old hub --a=b,c:d"),
            program(&[["book", "false"], ["hash", "16"]], "./old hub --a=b,c:d")
        );
        assert_eq!(who("novice"), Who::Novice);
        let own_limits = "self,nodes=500".parse::<PlayerSpec>().unwrap().limits(Limits::depth(3));
        assert_eq!(own_limits, Limits::nodes(500));
    }

    #[test]
    fn malformed_players_are_rejected() {
        for text in [
            "",
            "selfish",
            "me",
            "level=9",
            "self,level=0",
            "self,hash=x",
            "self,hash=65537",
            "self,hash=99999999999999999999",
            "self,threads=257",
            "self,colour=3",
            "self,hash",
            "self,tablebase=",
            "self,weights=",
            "hub,book",
            "hub,book:./old",
            "hub,=3:./old",
            "hubris:./old",
        ] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_option_is_told_from_a_wrong_value() {
        let told = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(
            told("self,colour=3")
                .starts_with("\"colour=3\" is not an option of a player; options are hash=MB")
        );
        for (text, expected) in [
            (
                "level=9",
                "\"level=9\" is out of range or malformed; write level=N with a whole number from 1 to 8",
            ),
            (
                "self,hash=0",
                "\"hash=0\" is out of range or malformed; write hash=N with a whole number from 1 to 65536",
            ),
            (
                "self,threads",
                "\"threads\" is out of range or malformed; write threads=N with a whole number from 1 to 256",
            ),
            ("self,weights=", "\"weights=\" is out of range or malformed; write weights=FILE"),
            ("hub:", "\"hub:\" names no program; write hub:COMMAND"),
            ("hub,book=false: ", "\"hub,book=false: \" names no program; write hub:COMMAND"),
        ] {
            assert_eq!(told(text), expected);
        }
    }

    #[test]
    fn an_option_without_effect_is_rejected() {
        for (text, option) in [
            ("level=3,nodes=100", "nodes=100"),
            ("level=1,hash=64", "hash=64"),
            ("self,threads=2,level=7", "threads=2"),
            ("level=3,tablebase=/some/where", "tablebase=/some/where"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err();
            assert!(matches!(&error, SpecError::NoEffect { option: told, .. } if told == option), "{error}");
        }
        for text in ["level=8,nodes=100,hash=64,threads=2", "level=3,weights=hand", "level=3,node-ns=250"] {
            assert!(text.parse::<PlayerSpec>().is_ok(), "{text}");
        }
    }

    #[test]
    fn an_empty_folder_of_tables_is_allowed_and_a_missing_one_is_not() {
        let start = |text: &str| text.parse::<PlayerSpec>().unwrap().start(&StopFlag::default());
        assert!(start(concat!("self,tablebase=", env!("CARGO_MANIFEST_DIR"))).is_ok());
        let Err(error) = start("self,tablebase=/no/such/folder") else { panic!("it was accepted") };
        assert_eq!(error.to_string(), "there is no folder /no/such/folder of endgame tables");
    }

    #[test]
    fn weights_are_loaded_or_rejected() {
        let start = |text: &str| text.parse::<PlayerSpec>().unwrap().start(&StopFlag::default());
        assert!(start("self,weights=hand").is_ok());
        let Err(error) = start("self,weights=/no/such/file") else { panic!("it was accepted") };
        assert!(error.to_string().starts_with("cannot read the weights in /no/such/file: "), "{error}");
        let Err(error) = start(concat!("self,weights=", file!())) else { panic!("it was accepted") };
        assert!(error.to_string().contains("spec.rs"), "{error}");
    }
}
