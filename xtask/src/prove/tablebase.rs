//! A build of 5 pieces, killed again and again, makes the same files as one in peace, and all their values are right.

use crate::steps::cargo;

const TEST: &str = "tablebase::a_build_that_is_killed_again_and_again_makes_the_same_tables";

pub(crate) fn prove() -> anyhow::Result<()> {
    let killed = ["test", "--release", "--package", "crownhead", "--test", "program", "--", "--exact", TEST];
    let long =
        [("CROWNHEAD_KILLS", "60"), ("CROWNHEAD_KILL_PIECES", "5"), ("CROWNHEAD_KILL_MILLISECONDS", "4000")];
    cargo("killed builds", &[&killed[..], &["--nocapture"]].concat(), &long)?;
    let folder = "target/proof-of-5-pieces";
    let program = ["run", "--release", "--package", "crownhead", "--", "tablebase"];
    let build = ["build", "--pieces", "5", "--tablebase", folder];
    cargo("build", &[&program[..], &build].concat(), &[])?;
    cargo("verification", &[&program[..], &["verify", "--tablebase", folder]].concat(), &[])
}
