//! Faults that real hosts see, once each: a full disk, a pause of the process, a lock on the database. `cargo xtask prove
//! faults` does the same many times.

use std::path::Path;
use std::time::Duration;

use crownhead_testkit::faults::FaultReport;
use crownhead_testkit::faults::clock_faults::{self, Fault};
use crownhead_testkit::faults::full_disk::{self, Database};
use crownhead_testkit::{ServerProcess, SmallDisk, serve};
use tokio::runtime::Runtime;

const PROGRAM: &str = env!("CARGO_BIN_EXE_crownhead");
const CLOCK: Duration = Duration::from_secs(2);
/// Longer than the clock and the grace for a move that is under way.
const GAP: Duration = Duration::from_secs(3);
const SEED: u64 = 19;

#[test]
fn a_full_disk_loses_no_acknowledged_move() {
    let again = ["--exact", "faults::a_full_disk_loses_no_acknowledged_move", "--nocapture"];
    match SmallDisk::run_where_it_mounts(&again) {
        Ok(None) => Runtime::new().expect("a runtime").block_on(fill_a_disk()),
        Ok(Some(status)) => assert!(status.success(), "the disk was filled in a user namespace; see above"),
        Err(error) => println!("not tried: {error:#}"),
    }
}

async fn fill_a_disk() {
    // The number stands for: nobody moves while the disk is full, and the server is killed after.
    let report =
        full_disk::round(Path::new(PROGRAM), Database::Sqlite, 3, SEED, None).await.expect("a round");
    for what in ["acknowledged moves lost", "moves stored twice", "games that cannot be opened"] {
        assert_eq!(report.failed(what), Some(0), "seed {SEED}: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_server_loses_nobody_a_game() {
    let data = tempfile::tempdir().expect("a folder");
    let server = start(data.path());
    judge(&clock_faults::round(&server, &Fault::Pause(GAP), CLOCK, SEED).await.expect("a round"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_loses_nobody_a_game() {
    let data = tempfile::tempdir().expect("a folder");
    let server = start(data.path());
    let fault = Fault::SqliteLock(data.path().join("games.sqlite"), GAP);
    judge(&clock_faults::round(&server, &fault, CLOCK, SEED).await.expect("a round"));
}

fn start(data: &Path) -> ServerProcess {
    ServerProcess::start(serve(PROGRAM, 0).arg("--data").arg(data)).expect("the program starts")
}

/// How much the clocks were charged depends on how busy this machine is; who lost does not.
fn judge(report: &FaultReport) {
    for what in ["games lost on time", "games that cannot go on"] {
        assert_eq!(report.failed(what), Some(0), "seed {SEED}: {report}");
    }
}
