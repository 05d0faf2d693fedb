//! Two programs on one database are one server.

use crownhead_guests::{Lottery, Postgres, whole_game};

use crate::serve::{ended, served};

#[tokio::test]
async fn two_programs_on_one_database_play_a_whole_game_with_a_player_at_each() {
    let database = Postgres::shared().database();
    let (one, here) = served(&["--database", &database]);
    let (two, there) = served(&["--database", &database]);
    for (seed, server) in [(1, here), (2, there)] {
        let played = whole_game([here, there], server, &mut Lottery::new(seed)).await;
        played.expect("both saw the game that is stored");
    }
    for server in [one, two] {
        assert!(ended(server, "-TERM").success());
    }
}
