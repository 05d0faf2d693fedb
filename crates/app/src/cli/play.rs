//! `crownhead play`: options and start of the terminal user interface.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::{ArgAction, Args};
use crownhead_game::{ClockRule, Level, OpeningChoice, Player, Start};
use crownhead_rules::RulebookId;

use super::tables::Tables;
use crate::tui::{self, Charset, Colours, Options, SideWish, Wish};

/// Play in the terminal, against the computer or with two players, or step through a PDN file.
#[derive(Args)]
pub(crate) struct Play {
    /// A PDN file to step through.
    #[arg(value_name = "GAME.pdn", conflicts_with_all = ["GameArgs", "resume"])]
    file: Option<PathBuf>,
    /// Number of the game in the file [default: 1].
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Resume the last unfinished game.
    #[arg(long, conflicts_with = "GameArgs")]
    resume: bool,
    /// Play line by line instead of on a full screen, for screen readers, pipes and scripts.
    #[arg(long)]
    plain: bool,
    /// Folder for unfinished games and settings [default: the user's data folder].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    start: GameArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// The options of a new game. Any of them skips the setup screen.
#[derive(Args)]
#[group(multiple = true)]
#[command(next_help_heading = "The game")]
struct GameArgs {
    /// Playing strength of the computer, 1 to 8.
    #[arg(long, value_name = "1-8", value_parser = level)]
    level: Option<Level>,
    /// Number of human players: one against the computer, or two.
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    players: Option<u8>,
    /// Your side: first, second, random, or a colour.
    #[arg(long, value_name = "SIDE")]
    side: Option<SideWish>,
    /// The rule book: american, win-only, light, numbered or quick.
    #[arg(long, value_name = "RULES")]
    rules: Option<RulebookId>,
    /// Minutes per player and increment in seconds per move, such as 5+3; or none.
    #[arg(long, value_name = "MIN+SEC", value_parser = clock)]
    clock: Option<ClockWish>,
    /// Three-move opening: its number, 1 to 174, or random.
    #[arg(long, value_name = "N|random", value_parser = opening, conflicts_with = "fen")]
    opening: Option<OpeningChoice>,
    /// The position to start from.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Your name.
    #[arg(long)]
    name: Option<String>,
    /// Seed of all random choices.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

/// The options of the display.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are independent of each other")]
#[command(next_help_heading = "The screen")]
struct ScreenArgs {
    /// Number of colours [default: as many as the terminal supports].
    #[arg(long, value_name = "COLOURS", alias = "colors")]
    colours: Option<Colours>,
    /// Use no colours; the same as --colours mono.
    #[arg(long, conflicts_with = "colours")]
    mono: bool,
    /// Use only ASCII characters.
    #[arg(long)]
    ascii: bool,
    /// Use Unicode characters, whatever the locale.
    #[arg(long, conflicts_with = "ascii")]
    unicode: bool,
    /// Do not animate moves.
    #[arg(long = "no-animation", action = ArgAction::SetFalse)]
    animation: bool,
    /// Do not capture the mouse.
    #[arg(long = "no-mouse", action = ArgAction::SetFalse)]
    mouse: bool,
    /// Flip the board.
    #[arg(long)]
    flip: bool,
    /// Hide the square numbers.
    #[arg(long = "no-numbers", action = ArgAction::SetFalse)]
    numbers: bool,
}

/// A clock, or explicitly none.
#[derive(Clone, Copy)]
struct ClockWish(Option<ClockRule>);

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let is_plain = self.plain;
        let options = self.options()?;
        if is_plain { tui::play_plain(options) } else { tui::play(options) }
    }

    fn options(self) -> anyhow::Result<Options> {
        let data = match self.data {
            Some(data) => data,
            None => directories::ProjectDirs::from("", "", "crownhead")
                .context("there is no home folder to keep games in; name one with --data DIR")?
                .data_dir()
                .to_owned(),
        };
        let is_chosen = self.start.is_given();
        let charset = match (self.screen.ascii, self.screen.unicode) {
            (true, _) => Some(Charset::Ascii),
            (_, true) => Some(Charset::Unicode),
            (false, false) => None,
        };
        let colours = if self.screen.mono { Some(Colours::Mono) } else { self.screen.colours };
        Ok(Options {
            start: self.start.start(),
            is_chosen,
            resume: self.resume,
            file: self.file,
            game_number: self.game.map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
            data,
            tables: self.tables.open()?,
            wish: Wish { colours, charset },
            animation: self.screen.animation,
            mouse: self.screen.mouse,
            flipped: self.screen.flip,
            numbers: self.screen.numbers,
        })
    }
}

impl GameArgs {
    fn is_given(&self) -> bool {
        let GameArgs { level, players, side, rules, clock, opening, fen, name, seed } = self;
        level.is_some()
            || players.is_some()
            || side.is_some()
            || rules.is_some()
            || clock.is_some()
            || opening.is_some()
            || fen.is_some()
            || name.is_some()
            || seed.is_some()
    }

    fn start(self) -> Start {
        let level = self.level.unwrap_or_else(tui::usual_level);
        if self.players == Some(2) && self.level.is_some() {
            usage("two players need no level; leave out --level or --players 2");
        }
        let opponent = if self.players == Some(2) { Player::human("") } else { Player::computer(level) };
        let rulebook = self.rules.unwrap_or(RulebookId::American);
        let colour = self.side.map(|side| side.choice(rulebook).unwrap_or_else(|why| usage(&why)));
        let player = Player::human(self.name.as_deref().unwrap_or_default());
        Start {
            rulebook,
            colour,
            clock: self.clock.and_then(|wish| wish.0),
            opening: self.opening,
            position: self.fen,
            ..Start::new([player, opponent], self.seed.unwrap_or_else(seed))
        }
    }
}

/// Ends the program with clap's usage error for conflicting flags.
fn usage(why: &str) -> ! {
    clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, format!("{why}\n")).exit()
}

/// A seed that differs from run to run.
fn seed() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.subsec_nanos() ^ since.as_secs() as u32 ^ std::process::id().rotate_left(16)
}

fn level(text: &str) -> Result<Level, String> {
    let number = text.parse::<u8>().ok();
    number.and_then(Level::new).ok_or_else(|| "levels go from 1 to 8".to_owned())
}

fn opening(text: &str) -> Result<OpeningChoice, String> {
    match text.parse() {
        Ok(number @ 1..=174) => Ok(OpeningChoice::Number(number)),
        _ if text == "random" => Ok(OpeningChoice::Random),
        _ => Err("openings are numbered 1 to 174; or say random".to_owned()),
    }
}

fn clock(text: &str) -> Result<ClockWish, String> {
    if text == "none" {
        return Ok(ClockWish(None));
    }
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let millis = |text: &str, unit_ms: f64| {
        let number = text.parse::<f64>().ok().filter(|number| (0.0..=100_000.0).contains(number));
        number.map(|number| (number * unit_ms).round() as u64)
    };
    match (millis(minutes, 60_000.0), millis(seconds, 1_000.0)) {
        (Some(initial_ms), Some(increment_ms)) => {
            Ok(ClockWish(Some(ClockRule::Game { initial_ms, increment_ms })))
        }
        _ => Err("a clock is minutes and seconds, such as 5+3; or none".to_owned()),
    }
}
