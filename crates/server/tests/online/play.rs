//! Whole games of two, with everything that players do.

use crownhead_game::Command;
use crownhead_guests::{Guest, Lottery};
use crownhead_rules::Side;
use crownhead_server::SharedTablebase;
use crownhead_server::online::Limits;
use serde_json::json;

use crate::house::{Base, House, on_both};

/// Plays random moves to the end.
pub(crate) async fn to_the_end(black: &mut Guest, white: &mut Guest, lottery: &mut Lottery) {
    loop {
        let records = black.log.len().max(white.log.len());
        black.reach(records).await.expect("events");
        white.reach(records).await.expect("events");
        let game = black.game.as_ref().expect("it has started");
        if game.outcome().is_some() {
            return;
        }
        let moves = game.history().position().moves();
        let mv = moves[lottery.below(moves.len())].to_string();
        let mover = if game.side_to_move() == Side::Black { &mut *black } else { &mut *white };
        mover.play(&mv).await.expect("a move");
    }
}

on_both! {
    async fn a_whole_game_with_a_watcher_and_a_rematch(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        assert_eq!((black.you, white.you), (Some(Side::Black), Some(Side::White)));
        let mut watcher = Guest::new(house.browser(), &black.game_id, "w");
        watcher.connect().await.expect("a connection");
        to_the_end(&mut black, &mut white, &mut Lottery::new(1)).await;
        watcher.reach(black.log.len()).await.expect("events");
        assert_eq!((&black.log, &black.log), (&white.log, &watcher.log));
        let stored = house.store.game(black.game_id.parse().expect("an id")).await.expect("an answer").expect("it");
        assert_eq!(stored.events.iter().map(|event| &event.record).collect::<Vec<_>>(), black.log.iter().collect::<Vec<_>>());

        black.command(Command::Rematch).await.expect("an answer");
        white.command(Command::Rematch).await.expect("an answer");
        while black.next.is_none() || white.next.is_none() {
            for guest in [&mut black, &mut white] {
                if guest.next.is_none() {
                    guest.hear().await.expect("a promise").expect("a connection");
                }
            }
        }
        assert_eq!(black.next, white.next);
        let mut again = Guest::new(black.browser.clone(), &black.next.expect("the next game"), "a");
        again.connect().await.expect("a connection");
        assert_eq!(again.you, Some(Side::White), "the colours are exchanged");
        let mut other = Guest::new(white.browser.clone(), &again.game_id, "b");
        other.connect().await.expect("a connection");
        other.play("11-15").await.expect("a move");
    }

    async fn a_command_that_is_sent_again_is_carried_out_once(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        let again = black.pending.clone();
        black.answered(&id).await.expect("an answer");
        // The page did not hear the answer, connects again and sends it again, by then after White's move.
        white.reach(2).await.expect("Black's move");
        white.play("22-18").await.expect("a move");
        black.pending = again;
        black.connect().await.expect("a connection");
        let answer = black.answered(&id).await.expect("an answer");
        assert_eq!((&answer["type"], &answer["seq"]), (&json!("ack"), &json!(2)));
        assert_eq!(black.log.len(), 3);
    }

    async fn a_new_server_knows_what_the_old_one_carried_out(house: House) {
        let (mut black, _white) = house.plain_pair().await;
        let id = black.send(Command::Move { text: "11-15".into() }).await.expect("a connection");
        let again = black.pending.clone();
        black.answered(&id).await.expect("an answer");
        let house = house.again(Limits::default()).await;
        black.browser.server = house.server;
        black.pending = again;
        black.connect().await.expect("a connection");
        assert_eq!(black.answered(&id).await.expect("an answer")["seq"], 2);
        assert_eq!(black.log.len(), 2);
    }

    async fn a_client_resumes_where_it_was(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        black.play("11-15").await.expect("a move");
        black.hang_up();
        white.reach(2).await.expect("Black's move");
        white.play("22-18").await.expect("a move");
        // Taking the events in fails if one is missing or comes twice.
        black.connect().await.expect("a connection");
        assert_eq!(black.log, white.log);
    }

    async fn a_refused_move_changes_nothing_and_says_why(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        let answer = black.command(Command::Move { text: "11-8".into() }).await.expect("an answer");
        assert_eq!((&answer["type"], &answer["error"]), (&json!("refused"), &json!("Square 8 is taken.")));
        let answer = white.command(Command::Move { text: "22-18".into() }).await.expect("an answer");
        assert_eq!(answer["error"], "It is Black's turn.");
        assert_eq!((black.log.len(), white.log.len()), (1, 1));
    }

    async fn a_draw_is_offered_and_a_move_taken_back(house: House) {
        let (mut black, mut white) = house.plain_pair().await;
        black.play("11-15").await.expect("a move");
        black.command(Command::AskTakeback).await.expect("a question");
        white.reach(3).await.expect("the question");
        white.command(Command::AnswerTakeback { accept: true }).await.expect("an answer");
        assert_eq!(white.game.as_ref().expect("a game").history().moves().len(), 0);
        white.command(Command::OfferDraw).await.expect("an offer");
        black.reach(5).await.expect("the offer");
        black.command(Command::AnswerDraw { accept: true }).await.expect("an answer");
        white.reach(6).await.expect("the end");
        assert_eq!(white.game.as_ref().and_then(crownhead_game::Game::outcome), black.game.as_ref().and_then(crownhead_game::Game::outcome));
        assert!(white.game.expect("a game").outcome().is_some());
    }

    async fn the_tables_judge_a_claim(house: House) {
        let (mut black, _white) = house.pair(json!({"colour": "black", "rulebook": "numbered"})).await;
        black.command(Command::ClaimDraw).await.expect("an answer");
        black.reach(3).await.expect("the verdict");
        assert_eq!(serde_json::to_value(&black.log[2].event).expect("JSON")["type"], "claim_refused");
    }

    async fn a_browser_lists_its_games_and_saves_them(house: House) {
        let (mut black, mut white) = house.pair(json!({"colour": "black", "name": "Anna"})).await;
        black.play("11-15").await.expect("a move");
        white.browser.invite(&json!({})).await.expect("an invitation");
        let mine = white.browser.get("/api/games").await.expect("an answer").json();
        assert_eq!(mine.as_array().map(Vec::len), Some(2));
        assert_eq!((&mine[0]["id"], &mine[0]["your_turn"]), (&json!(black.game_id), &json!(true)));
        assert_eq!((&mine[1]["phase"], &mine[0]["names"][0]), (&json!("waiting"), &json!("Anna")));
        assert_eq!(house.browser().get("/api/games").await.expect("an answer").json(), json!([]));
        let pdn = house.browser().get(&format!("/api/games/{}/pdn", black.game_id)).await.expect("an answer");
        assert!(pdn.text.contains("[Black \"Anna\"]") && pdn.text.contains("11-15"), "{}", pdn.text);
        assert!(pdn.text.contains("[Date \"2026.02.28\"]"), "{}", pdn.text);
    }
}

#[tokio::test]
async fn a_claim_that_cannot_be_judged_keeps_nobody_out() {
    let house =
        House::with_tables(Base::sqlite(), SharedTablebase::new(|| panic!("the disk is broken"))).await;
    let (mut black, _white) = house.pair(json!({"colour": "black", "rulebook": "numbered"})).await;
    black.command(Command::ClaimDraw).await.expect("an answer");
    black.connect().await.expect("a connection");
    black.play("11-15").await.expect("the game goes on");
}
