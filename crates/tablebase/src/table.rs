//! One file in memory: the win, draw and loss, or the distances, of all positions with a number of pieces.

use std::borrow::Cow;
use std::sync::Arc;

use crate::build::MAX_DISTANCE_PIECES;
use crate::envelope::{self, HEAD, Kind};
use crate::error::Flaw;
use crate::index::Layout;
use crate::material::{MAX_PIECES, Material};
use crate::section::{PliesSection, Section, WdlSection, put_number, take_number};

/// A file that has been checked, with its slices in the order of [`Material::all`].
pub(crate) struct Table<S> {
    pub(crate) pieces: u32,
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) sections: Vec<S>,
}

/// A table of either kind.
#[derive(Clone)]
pub(crate) enum AnyTable {
    Wdl(Arc<Table<WdlSection>>),
    Plies(Arc<Table<PliesSection>>),
}

impl AnyTable {
    pub(crate) fn read(bytes: Cow<'static, [u8]>) -> Result<AnyTable, Flaw> {
        let (kind, pieces) = envelope::unseal(&bytes)?;
        let most = if kind == Kind::Wdl { MAX_PIECES } else { MAX_DISTANCE_PIECES };
        if !(2..=most).contains(&pieces) {
            return Err(Flaw::Malformed);
        }
        Ok(match kind {
            Kind::Wdl => AnyTable::Wdl(Arc::new(Table::read(pieces, bytes)?)),
            Kind::Plies => AnyTable::Plies(Arc::new(Table::read(pieces, bytes)?)),
        })
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            AnyTable::Wdl(_) => Kind::Wdl,
            AnyTable::Plies(_) => Kind::Plies,
        }
    }

    pub(crate) fn pieces(&self) -> u32 {
        match self {
            AnyTable::Wdl(table) => table.pieces,
            AnyTable::Plies(table) => table.pieces,
        }
    }
}

impl<S: Section> Table<S> {
    fn read(pieces: u32, bytes: Cow<'static, [u8]>) -> Result<Table<S>, Flaw> {
        let mut rest = &bytes[HEAD..];
        let sections = Material::all(pieces).into_iter().map(|material| {
            let len = usize::try_from(take_number(&mut rest)?).ok()?;
            let (section, after) = rest.split_at_checked(len)?;
            let base = bytes.len() - rest.len();
            rest = after;
            S::read(&Layout::new(material), section, base)
        });
        let sections = sections.collect::<Option<_>>().ok_or(Flaw::Malformed)?;
        if !rest.is_empty() {
            return Err(Flaw::Malformed);
        }
        Ok(Table { pieces, bytes, sections })
    }
}

/// A whole file from the sections of all its slices.
pub(crate) fn join(kind: Kind, pieces: u32, sections: &[&[u8]]) -> Vec<u8> {
    let mut content = Vec::new();
    for section in sections {
        put_number(&mut content, section.len() as u64);
        content.extend(*section);
    }
    envelope::seal(kind, pieces, &content)
}
