//! A table file in memory: the WDL or the DTW of all positions with a given number of pieces.

use std::borrow::Cow;
use std::sync::Arc;

use crate::build::MAX_DISTANCE_PIECES;
use crate::error::Flaw;
use crate::header::{self, HEADER_BYTES, Kind};
use crate::index::SliceIndex;
use crate::material::{MAX_PIECES, Material};
use crate::section::{DtwSection, Section, WdlSection, read_varint, write_varint};

/// A file that has been checked, with its slices in the order of [`Material::all`].
pub(crate) struct TableFile<S> {
    pub(crate) pieces: u32,
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) sections: Vec<S>,
}

/// A table of either kind.
#[derive(Clone)]
pub(crate) enum AnyTableFile {
    Wdl(Arc<TableFile<WdlSection>>),
    Dtw(Arc<TableFile<DtwSection>>),
}

impl AnyTableFile {
    pub(crate) fn read(bytes: Cow<'static, [u8]>) -> Result<AnyTableFile, Flaw> {
        let (kind, pieces) = header::check(&bytes)?;
        let most = if kind == Kind::Wdl { MAX_PIECES } else { MAX_DISTANCE_PIECES };
        if !(2..=most).contains(&pieces) {
            return Err(Flaw::Malformed);
        }
        Ok(match kind {
            Kind::Wdl => AnyTableFile::Wdl(Arc::new(TableFile::read(pieces, bytes)?)),
            Kind::Dtw => AnyTableFile::Dtw(Arc::new(TableFile::read(pieces, bytes)?)),
        })
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            AnyTableFile::Wdl(_) => Kind::Wdl,
            AnyTableFile::Dtw(_) => Kind::Dtw,
        }
    }

    pub(crate) fn pieces(&self) -> u32 {
        match self {
            AnyTableFile::Wdl(table) => table.pieces,
            AnyTableFile::Dtw(table) => table.pieces,
        }
    }
}

impl<S: Section> TableFile<S> {
    fn read(pieces: u32, bytes: Cow<'static, [u8]>) -> Result<TableFile<S>, Flaw> {
        let mut rest = &bytes[HEADER_BYTES..];
        let sections = Material::all(pieces).into_iter().map(|material| {
            let len = usize::try_from(read_varint(&mut rest)?).ok()?;
            let (section, after) = rest.split_at_checked(len)?;
            let base = bytes.len() - rest.len();
            rest = after;
            S::read(&SliceIndex::new(material), section, base)
        });
        let sections = sections.collect::<Option<_>>().ok_or(Flaw::Malformed)?;
        if !rest.is_empty() {
            return Err(Flaw::Malformed);
        }
        Ok(TableFile { pieces, bytes, sections })
    }
}

/// Joins the sections of all slices to a complete file.
pub(crate) fn join(kind: Kind, pieces: u32, sections: &[&[u8]]) -> Vec<u8> {
    let mut content = Vec::new();
    for section in sections {
        write_varint(&mut content, section.len() as u64);
        content.extend(*section);
    }
    header::prepend(kind, pieces, &content)
}

#[cfg(test)]
mod tests {
    use crownhead_rules::Position;

    use super::*;
    use crate::embedded;
    use crate::tablebase::Tablebase;

    /// A changed file with a corrected checksum gives wrong values or an error, but no panic.
    #[test]
    fn nonsense_with_a_right_checksum_does_no_harm() {
        let positions =
            ["W:W8:B3", "B:WK1:BK9", "W:WK1:BK32", "B:W32:B1", "W:WK29:B5", "B:W11:BK30", "W:W20:B24"];
        let positions = positions.map(|fen| fen.parse::<Position>().unwrap());
        let two_pieces = |kind| {
            embedded::FILES.iter().find(|file| header::check(file) == Ok((kind, 2))).expect("is embedded")
        };
        let (mut values, mut distances) = (0, 0);
        for kind in [Kind::Wdl, Kind::Dtw] {
            let content = &two_pieces(kind)[HEADER_BYTES..];
            for bit in (0..content.len() * 8).step_by(5) {
                let mut content = content.to_vec();
                content[bit / 8] ^= 1 << (bit % 8);
                let changed = Tablebase::empty().with(*two_pieces(Kind::Wdl)).unwrap();
                let changed = changed.with(*two_pieces(Kind::Dtw)).unwrap();
                let Ok(changed) = changed.with(header::prepend(kind, 2, &content)) else { continue };
                values += positions.iter().filter_map(|position| changed.probe(position)).count();
                distances += positions.iter().filter_map(|position| changed.distance(position)).count();
            }
        }
        assert!(values > 1000 && distances > 1000, "only {values} and {distances} were tried");
    }
}
