//! Players as text: `self`, `self,hash=64`, `self,tablebase=DIR`, `self,weights=FILE`, `level=3`, `random`, `novice`,
//! `hub:COMMAND`, `hub,book=false:COMMAND`.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use crownhead_engine::{Engine, Level, Limits};
use crownhead_tablebase::Tablebase;

use super::{NodeClock, Novice, Own, Player, PlayerError, Random, TableFolder, WeightsFile};
use crate::hub::Client;
use crownhead_engine::StopFlag;

/// Who is to play, before anybody has sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// As it was written.
    text: String,
    who: Who,
    /// What it may use for a move, if not what the match says.
    nodes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Own(OwnSpec),
    /// Another program, with the parameters that it is to set.
    Program {
        command: String,
        parameters: Vec<(String, String)>,
    },
    Random,
    Novice,
}

/// This engine with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OwnSpec {
    hash_mb: usize,
    threads: usize,
    level: Option<Level>,
    tables: Option<TableFolder>,
    weights: Option<WeightsFile>,
    clock: Option<NodeClock>,
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not one of the known words.
    #[error("{0:?} is no player; there are self, level=1 to level=8, random, novice and hub:COMMAND")]
    Unknown(String),
    /// An option that there is not.
    #[error(
        "{0:?} is no option of a player; there are hash=MB, threads=N, tablebase=DIR, weights=FILE, level=1-8, nodes=N \
         and node-ns=N"
    )]
    Option(String),
    /// A parameter of another program that is not a name and a value.
    #[error(
        "{0:?} is no player; parameters of another program are written hub,NAME=VALUE,NAME=VALUE:COMMAND"
    )]
    Parameter(String),
    /// An option that there is, with a value that it cannot have.
    #[error("{option:?} does not fit; write {expected}")]
    Value {
        /// As it was written.
        option: String,
        /// How it could be written.
        expected: String,
    },
    /// An option that there is, and that changes nothing here.
    #[error("{option:?} changes nothing at level {level}, which has its own limits; level=8 may have it")]
    Idle {
        /// As it was written.
        option: String,
        /// The level that it was meant for.
        level: u8,
    },
    /// Another program without a command to start it by.
    #[error("{0:?} names no program; write hub:COMMAND")]
    NoCommand(String),
}

/// Options that change nothing below the highest level: each of those has its own positions for a move, a small hash table,
/// one thread and the tables of every build.
const IDLE_BELOW_HIGHEST: [&str; 4] = ["hash", "threads", "tablebase", "nodes"];

/// Matches play many games at once, so each player gets less than a lone engine.
const MATCH_HASH_MB: usize = 16;

impl Default for OwnSpec {
    fn default() -> OwnSpec {
        OwnSpec { hash_mb: MATCH_HASH_MB, threads: 1, level: None, tables: None, weights: None, clock: None }
    }
}

impl OwnSpec {
    /// Reads an option, `NAME=VALUE`. What the engine may use for a move is no setting of it and is given back.
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
    /// The player, ready to play until the button is pressed.
    ///
    /// # Errors
    /// If a program cannot be started, there is no room for the hash table, or the endgame tables cannot be used.
    pub fn sit_down(&self, stop: &StopFlag) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match &self.who {
            Who::Own(spec) => {
                let mut own = Own::new(spec.hash_mb << 20, spec.threads)?;
                // Levels are measured as they ship.
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
                Box::new(client.map_err(|error| PlayerError::Absent { player: self.text.clone(), error })?)
            }
            Who::Random => Box::new(Random::default()),
            Who::Novice => Box::new(Novice::default()),
        })
    }

    /// This engine at a level.
    pub fn level(level: Level) -> PlayerSpec {
        PlayerSpec {
            text: format!("level {}", level.number()),
            who: Who::Own(OwnSpec { level: Some(level), ..OwnSpec::default() }),
            nodes: None,
        }
    }

    /// What it may use, where the match allows `limits`.
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
        let (mut own, mut nodes) = (OwnSpec::default(), None);
        for option in options.split(',').filter(|option| !option.is_empty()) {
            nodes = own.set(option)?.or(nodes);
        }
        if let Some(level) = own.level.filter(|&level| level < Level::HIGHEST) {
            let is_idle = |option: &&str| {
                IDLE_BELOW_HIGHEST.contains(&option.split_once('=').map_or(*option, |(name, _)| name))
            };
            if let Some(option) = options.split(',').find(is_idle) {
                return Err(SpecError::Idle { option: option.to_owned(), level: level.number() });
            }
        }
        Ok(PlayerSpec { nodes, ..spec(Who::Own(own)) })
    }
}

/// Another program, if it is meant to be one. Its parameters come before the first colon, so that whatever comes behind
/// it is the command.
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
        let own = OwnSpec::default();
        assert_eq!(who("self"), Who::Own(own.clone()));
        assert_eq!(who("self,hash=4,threads=2"), Who::Own(OwnSpec { hash_mb: 4, threads: 2, ..own.clone() }));
        let clock = Some(NodeClock { per_node: Duration::from_nanos(250) });
        assert_eq!(
            who("level=3,node-ns=250"),
            Who::Own(OwnSpec { level: Level::new(3), clock, ..own.clone() })
        );
        let tables = Some(TableFolder::at("/some/where"));
        assert_eq!(who("self,tablebase=/some/where,hash=4"), Who::Own(OwnSpec { hash_mb: 4, tables, ..own }));
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
    fn wrong_players_are_refused() {
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
    fn an_option_that_there_is_not_is_told_from_a_value_that_it_cannot_have() {
        let told = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        assert!(
            told("self,colour=3").starts_with("\"colour=3\" is no option of a player; there are hash=MB")
        );
        for (text, expected) in [
            ("level=9", "\"level=9\" does not fit; write level=N with a whole number from 1 to 8"),
            ("self,hash=0", "\"hash=0\" does not fit; write hash=N with a whole number from 1 to 65536"),
            ("self,threads", "\"threads\" does not fit; write threads=N with a whole number from 1 to 256"),
            ("self,weights=", "\"weights=\" does not fit; write weights=FILE"),
            ("hub:", "\"hub:\" names no program; write hub:COMMAND"),
            ("hub,book=false: ", "\"hub,book=false: \" names no program; write hub:COMMAND"),
        ] {
            assert_eq!(told(text), expected);
        }
    }

    #[test]
    fn an_option_that_changes_nothing_is_refused() {
        for (text, option) in [
            ("level=3,nodes=100", "nodes=100"),
            ("level=1,hash=64", "hash=64"),
            ("self,threads=2,level=7", "threads=2"),
            ("level=3,tablebase=/some/where", "tablebase=/some/where"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err();
            assert!(matches!(&error, SpecError::Idle { option: told, .. } if told == option), "{error}");
        }
        for text in ["level=8,nodes=100,hash=64,threads=2", "level=3,weights=hand", "level=3,node-ns=250"] {
            assert!(text.parse::<PlayerSpec>().is_ok(), "{text}");
        }
    }

    #[test]
    fn a_folder_without_tables_is_no_mistake_and_one_that_is_not_there_is() {
        let sit_down = |text: &str| text.parse::<PlayerSpec>().unwrap().sit_down(&StopFlag::default());
        assert!(sit_down(concat!("self,tablebase=", env!("CARGO_MANIFEST_DIR"))).is_ok());
        let Err(error) = sit_down("self,tablebase=/no/such/folder") else { panic!("nobody noticed") };
        assert_eq!(error.to_string(), "there is no folder /no/such/folder of endgame tables");
    }

    #[test]
    fn weights_are_read_or_refused() {
        let sit_down = |text: &str| text.parse::<PlayerSpec>().unwrap().sit_down(&StopFlag::default());
        assert!(sit_down("self,weights=hand").is_ok());
        let Err(error) = sit_down("self,weights=/no/such/file") else { panic!("nobody noticed") };
        assert!(error.to_string().starts_with("cannot read the weights in /no/such/file: "), "{error}");
        let Err(error) = sit_down(concat!("self,weights=", file!())) else { panic!("nobody noticed") };
        assert!(error.to_string().contains("spec.rs"), "{error}");
    }
}
