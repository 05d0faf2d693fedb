//! The fast generator against its slow twin, on twenty million positions that nobody has tried before.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::steps::cargo;

const ROUNDS: u64 = 10;
const POSITIONS_OF_EACH_KIND: &str = "1000000";

pub(crate) fn prove() -> anyhow::Result<()> {
    let start = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    for seed in start..start + ROUNDS {
        let variables =
            [("CROWNHEAD_TWIN_POSITIONS", POSITIONS_OF_EACH_KIND), ("CROWNHEAD_SEED", &*seed.to_string())];
        let test = ["test", "--package", "crownhead-rules", "--test", "rules", "twin", "--", "--nocapture"];
        cargo(&format!("twin with seed {seed}"), &test, &variables)?;
    }
    Ok(())
}
