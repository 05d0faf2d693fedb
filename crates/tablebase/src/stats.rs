//! Statistics of the tables: wins, losses, draws and longest distances by material.

use crownhead_rules::Side;
use serde::Serialize;

use crate::index::SliceIndex;
use crate::material::Material;
use crate::section::{LongestDtw, WdlCounts};
use crate::tablebase::Tablebase;

/// The statistics of tables. As JSON it is what `crownhead tablebase stats --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// One class for each material and side to move.
    pub classes: Vec<Class>,
    /// The totals of all classes.
    pub totals: Totals,
}

/// The positions with a given material and side to move, including those with a capture due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Class {
    /// Black men.
    pub bm: u32,
    /// Black kings.
    pub bk: u32,
    /// White men.
    pub wm: u32,
    /// White kings.
    pub wk: u32,
    /// The side to move, `black` or `white`.
    pub side: &'static str,
    /// Their values.
    #[serde(flatten)]
    pub totals: Totals,
    /// The FEN of a position with the longest win, if distances are known.
    pub example_win: Option<String>,
}

/// The values of a set of positions for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// The number of positions.
    pub positions: u64,
    /// The number of wins.
    pub wins: u64,
    /// The number of losses.
    pub losses: u64,
    /// The number of draws.
    pub draws: u64,
    /// The plies of the longest win, 0 if there is none; `None` if distances are not known.
    pub longest_win: Option<u32>,
    /// The plies of the longest loss, 0 if there is none; `None` if distances are not known.
    pub longest_loss: Option<u32>,
}

impl Tablebase {
    /// The statistics of the positions with these numbers of pieces; numbers without tables are left out.
    pub fn stats(&self, pieces: impl IntoIterator<Item = u32>) -> Stats {
        let materials = pieces.into_iter().filter(|&pieces| pieces >= 2).flat_map(Material::all);
        let classes: Vec<_> = materials
            .flat_map(|material| Side::BOTH.map(|side| (material, side)))
            .filter_map(|(material, side)| self.class(material, side))
            .collect();
        let none = Totals { longest_win: Some(0), longest_loss: Some(0), ..Totals::default() };
        let totals = classes.iter().map(|class| class.totals).fold(none, Totals::plus);
        Stats { classes, totals }
    }

    /// The class with this material, where `own` stands for Black.
    fn class(&self, material: Material, side: Side) -> Option<Class> {
        let stored = if side == Side::Black { material } else { material.turned() };
        let slice = self.loaded.slice(stored)?;
        let WdlCounts { wins, losses, draws } = slice.wdl.section().counts;
        let longest = slice.dtw.as_ref().map(|plies| plies.section().longest);
        let plies = |longest: Option<(u8, u64)>| longest.map_or(0, |(plies, _)| plies.into());
        let example = |index| SliceIndex::new(stored).board(index).to_position(side).to_string();
        Some(Class {
            bm: material.own_men,
            bk: material.own_kings,
            wm: material.opp_men,
            wk: material.opp_kings,
            side: if side == Side::Black { "black" } else { "white" },
            totals: Totals {
                positions: wins + losses + draws,
                wins,
                losses,
                draws,
                longest_win: longest.map(|LongestDtw { win, .. }| plies(win)),
                longest_loss: longest.map(|LongestDtw { loss, .. }| plies(loss)),
            },
            example_win: longest.and_then(|LongestDtw { win, .. }| win).map(|(_, index)| example(index)),
        })
    }
}

impl Totals {
    fn plus(self, other: Totals) -> Totals {
        let longest = |a: Option<u32>, b: Option<u32>| Some(a?.max(b?));
        Totals {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            longest_win: longest(self.longest_win, other.longest_win),
            longest_loss: longest(self.longest_loss, other.longest_loss),
        }
    }
}
