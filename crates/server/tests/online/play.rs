//! Whole games of two, with everything that players do.

use crownhead_game::Command;
use crownhead_rules::Rng;
use crownhead_rules::Side;
use crownhead_server::SharedTablebase;
use crownhead_server::online::Limits;
use crownhead_testkit::GameClient;
use serde_json::json;

use crate::harness::{TestDatabase, TestServer, on_both};

/// Plays random moves to the end.
pub(crate) async fn to_the_end(black: &mut GameClient, white: &mut GameClient, rng: &mut Rng) {
    loop {
        let records = black.log.len().max(white.log.len());
        black.wait_for_records(records).await.expect("events");
        white.wait_for_records(records).await.expect("events");
        let game = black.game.as_ref().expect("it has started");
        if game.outcome().is_some() {
            return;
        }
        let moves = game.history().position().moves();
        let mv = rng.pick(&moves).to_string();
        let mover = if game.side_to_move() == Side::Black { &mut *black } else { &mut *white };
        mover.play(&mv).await.expect("a move");
    }
}

on_both! {
    async fn a_whole_game_with_a_watcher_and_a_rematch(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        assert_eq!((black.you, white.you), (Some(Side::Black), Some(Side::White)));
        let mut watcher = GameClient::new(server.browser(), &black.game_id, "w");
        watcher.connect().await.expect("a connection");
        to_the_end(&mut black, &mut white, &mut Rng::new(1)).await;
        watcher.wait_for_records(black.log.len()).await.expect("events");
        assert_eq!((&black.log, &black.log), (&white.log, &watcher.log));
        let stored = server.store.game(black.game_id.parse().expect("an id")).await.expect("an answer").expect("it");
        assert_eq!(stored.events.iter().map(|event| &event.record).collect::<Vec<_>>(), black.log.iter().collect::<Vec<_>>());

        black.command(Command::Rematch).await.expect("an answer");
        white.command(Command::Rematch).await.expect("an answer");
        while black.next.is_none() || white.next.is_none() {
            for guest in [&mut black, &mut white] {
                if guest.next.is_none() {
                    guest.recv().await.expect("a promise").expect("a connection");
                }
            }
        }
        assert_eq!(black.next, white.next);
        let mut again = GameClient::new(black.browser.clone(), &black.next.expect("the next game"), "a");
        again.connect().await.expect("a connection");
        assert_eq!(again.you, Some(Side::White), "the colours are exchanged");
        let mut other = GameClient::new(white.browser.clone(), &again.game_id, "b");
        other.connect().await.expect("a connection");
        other.play("11-15").await.expect("a move");
    }

    async fn a_command_that_is_sent_again_is_carried_out_once(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        let again = black.pending.clone();
        black.wait_for_answer(&id).await.expect("an answer");
        // The page did not hear the answer, connects again and sends it again, by then after White's move.
        white.wait_for_records(2).await.expect("Black's move");
        white.play("22-18").await.expect("a move");
        black.pending = again;
        black.connect().await.expect("a connection");
        let answer = black.wait_for_answer(&id).await.expect("an answer");
        assert_eq!((&answer["type"], &answer["seq"]), (&json!("ack"), &json!(2)));
        assert_eq!(black.log.len(), 3);
    }

    async fn a_new_server_knows_what_the_old_one_carried_out(server: TestServer) {
        let (mut black, _white) = server.plain_pair().await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        let again = black.pending.clone();
        black.wait_for_answer(&id).await.expect("an answer");
        let server = server.again(Limits::default()).await;
        black.browser.server = server.address;
        black.pending = again;
        black.connect().await.expect("a connection");
        assert_eq!(black.wait_for_answer(&id).await.expect("an answer")["seq"], 2);
        assert_eq!(black.log.len(), 2);
    }

    async fn a_client_resumes_where_it_was(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        black.play("11-15").await.expect("a move");
        black.disconnect();
        white.wait_for_records(2).await.expect("Black's move");
        white.play("22-18").await.expect("a move");
        // Taking the events in fails if one is missing or comes twice.
        black.connect().await.expect("a connection");
        assert_eq!(black.log, white.log);
    }

    async fn a_refused_move_changes_nothing_and_says_why(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        let answer = black.command(Command::Move { text: "11-8".into() }).await.expect("an answer");
        assert_eq!((&answer["type"], &answer["error"]), (&json!("refused"), &json!("Square 8 is taken.")));
        let answer = white.command(Command::Move { text: "22-18".into() }).await.expect("an answer");
        assert_eq!(answer["error"], "It is Black's turn.");
        assert_eq!((black.log.len(), white.log.len()), (1, 1));
    }

    async fn a_draw_is_offered_and_a_move_taken_back(server: TestServer) {
        let (mut black, mut white) = server.plain_pair().await;
        black.play("11-15").await.expect("a move");
        black.command(Command::AskTakeback).await.expect("a question");
        white.wait_for_records(3).await.expect("the question");
        white.command(Command::AnswerTakeback { accept: true }).await.expect("an answer");
        assert_eq!(white.game.as_ref().expect("a game").history().moves().len(), 0);
        white.command(Command::OfferDraw).await.expect("an offer");
        black.wait_for_records(5).await.expect("the offer");
        black.command(Command::AnswerDraw { accept: true }).await.expect("an answer");
        white.wait_for_records(6).await.expect("the end");
        assert_eq!(white.game.as_ref().and_then(crownhead_game::Game::outcome), black.game.as_ref().and_then(crownhead_game::Game::outcome));
        assert!(white.game.expect("a game").outcome().is_some());
    }

    async fn the_tables_judge_a_claim(server: TestServer) {
        let (mut black, _white) = server.pair(json!({"colour": "black", "rulebook": "numbered"})).await;
        black.command(Command::ClaimDraw).await.expect("an answer");
        black.wait_for_records(3).await.expect("the verdict");
        assert_eq!(serde_json::to_value(&black.log[2].event).expect("JSON")["type"], "claim_refused");
    }

    async fn a_browser_lists_its_games_and_saves_them(server: TestServer) {
        let (mut black, mut white) = server.pair(json!({"colour": "black", "name": "Anna"})).await;
        black.play("11-15").await.expect("a move");
        white.browser.invite(&json!({})).await.expect("an invitation");
        let mine = white.browser.get("/api/games").await.expect("an answer").json();
        assert_eq!(mine.as_array().map(Vec::len), Some(2));
        assert_eq!((&mine[0]["id"], &mine[0]["your_turn"]), (&json!(black.game_id), &json!(true)));
        assert_eq!((&mine[1]["phase"], &mine[0]["names"][0]), (&json!("waiting"), &json!("Anna")));
        assert_eq!(server.browser().get("/api/games").await.expect("an answer").json(), json!([]));
        let pdn = server.browser().get(&format!("/api/games/{}/pdn", black.game_id)).await.expect("an answer");
        assert!(pdn.text.contains("[Black \"Anna\"]") && pdn.text.contains("11-15"), "{}", pdn.text);
        assert!(pdn.text.contains("[Date \"2026.02.28\"]"), "{}", pdn.text);
    }
}

#[tokio::test]
async fn a_claim_that_cannot_be_judged_keeps_nobody_out() {
    let server = TestServer::with_tables(
        TestDatabase::sqlite(),
        SharedTablebase::new(|| panic!("the disk is broken")),
    )
    .await;
    let (mut black, _white) = server.pair(json!({"colour": "black", "rulebook": "numbered"})).await;
    black.command(Command::ClaimDraw).await.expect("an answer");
    black.connect().await.expect("a connection");
    black.play("11-15").await.expect("the game goes on");
}
