//! Two programs on one database are one server.

use crownhead_rules::Rng;
use crownhead_testkit::{Postgres, play_random_game};

use crate::serve::{ended, served};

#[tokio::test]
async fn two_programs_on_one_database_play_a_whole_game_with_a_player_at_each() {
    let database = Postgres::shared().database();
    // Scripted players move faster than people.
    let options = ["--database", &database, "--max-messages-per-second", "1000000"];
    let [(one, here), (two, there)] = [served(&options), served(&options)];
    let played = play_random_game([here, there], there, &mut Rng::new(1)).await;
    for server in [one, two] {
        assert!(ended(server, "-TERM").success());
    }
    played.expect("both saw the game that is stored");
}
