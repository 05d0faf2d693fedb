//! Won endings of 5 and 6 pieces and drawn ones of 5, a thousand of each, played out against the best defence there is.

use std::path::{Path, absolute};

use crate::steps::cargo;

/// Built here, which takes a while, unless `CROWNHEAD_TABLEBASE` says where the tables are.
const FOLDER: &str = "target/proof-of-6-pieces";
const ENDINGS: &str = "1000";
/// As many as the program looks at in a fraction of a second.
const NODES: &str = "50000";

pub(crate) fn prove() -> anyhow::Result<()> {
    let given = std::env::var_os("CROWNHEAD_TABLEBASE");
    if given.is_none() {
        let program = ["run", "--release", "--package", "crownhead", "--", "tablebase"];
        let build = ["build", "--pieces", "6", "--tablebase", FOLDER];
        cargo("build", &[&program[..], &build].concat(), &[])?;
    }
    let folder = given.unwrap_or_else(|| FOLDER.into());
    let folder = absolute(Path::new(&folder))?.to_string_lossy().into_owned();
    // Of 6 pieces there are no distances.
    for (pieces, tests) in [("5", "endings"), ("6", "distances_begin_with_one_piece_less")] {
        let test = ["test", "--release", "--package", "crownhead-engine", "--test", "endings", tests];
        let variables = [
            ("CROWNHEAD_TABLEBASE", &*folder),
            ("CROWNHEAD_ENDINGS", ENDINGS),
            ("CROWNHEAD_ENDING_NODES", NODES),
            ("CROWNHEAD_ENDING_PIECES", pieces),
        ];
        let alone = ["--", "--nocapture", "--test-threads", "1"];
        cargo(&format!("endings of {pieces} pieces"), &[&test[..], &alone].concat(), &variables)?;
    }
    Ok(())
}
