//! What the host of a server does: backups, `crownhead admin`, and files that something is wrong with.

use std::fs;
use std::path::Path;

use crownhead_game::Command as GameCommand;
use crownhead_rules::Outcome;
use crownhead_testkit::{Browser, GameClient, Postgres};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::{ended, served};
use crate::{crownhead, failure, stdout};

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &str {
        self.0.path().to_str().expect("a plain name")
    }

    fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }
}

/// A game of two scripted players that has begun.
async fn begun(server: std::net::SocketAddr) -> [GameClient; 2] {
    let [mut anna, mut ben] = [Browser::new(server), Browser::new(server)];
    let id = anna.invite(&json!({"name": "Anna", "colour": "black"})).await.expect("an invitation");
    ben.join(&id).await.expect("a seat");
    let mut players = [GameClient::new(anna, &id, "a"), GameClient::new(ben, &id, "b")];
    for player in &mut players {
        player.connect().await.expect("a connection");
    }
    players
}

async fn moves_in(server: std::net::SocketAddr, id: &str) -> usize {
    let mut watcher = GameClient::new(Browser::new(server), id, "w");
    watcher.connect().await.expect("a connection");
    watcher.game.expect("it has begun").history().moves().len()
}

/// The program as `crownhead admin …` with `--json`.
fn admin(arguments: &[&str], database: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[&["admin"], arguments, database, &["--json"]].concat())).expect("JSON")
}

fn refused(arguments: &[&str], words: &str) {
    let (code, message) = failure(arguments);
    assert_eq!(code, Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("crownhead: ") && message.contains(words), "{message}");
}

#[cfg(unix)]
fn mode(file: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).expect("a file").permissions().mode() & 0o777
}

#[tokio::test]
async fn a_backup_of_a_running_server_is_restored_when_it_has_stopped() {
    let folder = Folder::new();
    let (data, backup) = (["--data", folder.path()], folder.file("backup.sqlite"));
    let (server, address) = served(&data);
    let [mut anna, mut ben] = begun(address).await;
    anna.play("11-15").await.expect("a move");
    let report: Value =
        serde_json::from_str(&stdout(&[&["backup", &backup, "--json"], &data[..]].concat())).expect("JSON");
    assert_eq!((&report["file"], &report["games"]), (&json!(backup), &json!(1)));
    assert_eq!(report["bytes"], fs::metadata(&backup).expect("a file").len());
    ben.play("22-18").await.expect("a move");
    assert_eq!(moves_in(address, &anna.game_id).await, 2);
    refused(&[&["restore", &backup], &data[..]].concat(), "in use by another server");
    assert_eq!(moves_in(address, &anna.game_id).await, 2, "a refusal changes nothing");
    assert!(ended(server, "-TERM").success());

    let restored = crownhead(&[&["restore", &backup], &data[..]].concat());
    let told = String::from_utf8(restored.stderr).expect("text");
    let kept = folder.file("games.sqlite.before-restore");
    assert!(restored.status.success() && told.contains(&format!("is now {kept}")), "{told}");
    let (server, address) = served(&data);
    assert_eq!(moves_in(address, &anna.game_id).await, 1);
    assert!(ended(server, "-TERM").success());

    // And back again, from the database that was kept.
    stdout(&[&["restore", &kept], &data[..]].concat());
    let (server, address) = served(&data);
    assert_eq!(moves_in(address, &anna.game_id).await, 2);
    assert!(ended(server, "-TERM").success());
    assert!(Path::new(&folder.file("games.sqlite.before-restore-2")).exists());
    #[cfg(unix)]
    for file in
        ["backup.sqlite", "games.sqlite", "games.sqlite.before-restore", "games.sqlite.before-restore-2"]
    {
        assert_eq!(mode(&folder.file(file)), 0o600, "{file}");
    }
}

#[tokio::test]
async fn backups_during_moves_are_whole_and_leave_nothing_behind() {
    let (folder, copies) = (Folder::new(), Folder::new());
    let data = ["--data", folder.path()];
    let (server, address) = served(&[&data[..], &["--max-messages-per-second", "1000000"]].concat());
    let mut players = begun(address).await;
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let moving = tokio::spawn({
        let stop = stop.clone();
        async move {
            let mut moves = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let turn = moves % 2;
                let game = players[turn].game.as_ref().expect("it has begun");
                if game.outcome().is_some() {
                    break;
                }
                let text = game.history().position().moves()[0].to_string();
                players[turn].play(&text).await.expect("a move");
                let length = players[turn].log.len();
                players[1 - turn].wait_for_records(length).await.expect("news");
                moves += 1;
            }
            moves
        }
    });
    let mut seen = Vec::new();
    for n in 0..5 {
        let file = copies.file(&format!("{n}.sqlite"));
        let arguments = ["backup".to_owned(), file.clone(), "--data".to_owned(), folder.path().to_owned()];
        let backup = move || crownhead(&arguments.each_ref().map(String::as_str));
        let output = tokio::task::spawn_blocking(backup).await.expect("a backup");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let database = format!("sqlite://{file}");
        let games = admin(&["list"], &["--database", &database]);
        let id = games["games"][0]["id"].as_str().expect("a game");
        let shown = admin(&["show", id], &["--database", &database]);
        seen.push(shown["moves"].as_array().expect("moves").len());
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let moves = moving.await.expect("moves");
    assert!(seen.is_sorted() && seen.iter().all(|&seen| seen <= moves), "{seen:?}, {moves} moves");
    assert!(ended(server, "-TERM").success());
    let names = fs::read_dir(copies.path()).expect("a folder").map(|file| file.expect("a file").file_name());
    let names: Vec<_> = names.map(|name| name.into_string().expect("text")).collect();
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
}

#[test]
fn a_backup_overwrites_nothing_unless_told_to() {
    let folder = Folder::new();
    let (data, file) = (["--data", folder.path()], folder.file("backup"));
    refused(&[&["backup", &file], &data[..]].concat(), "there is no database at");
    assert!(ended(served(&data).0, "-TERM").success());
    fs::write(&file, "precious").expect("a file");
    refused(&[&["backup", &file], &data[..]].concat(), "is there already; give another name, or --force");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "precious");
    stdout(&[&["backup", &file, "--force"], &data[..]].concat());
    assert!(fs::read(&file).expect("a file").starts_with(b"SQLite format 3"));
    refused(&[&["backup", folder.path()], &data[..]].concat(), "is a folder");
    refused(&[&["backup", &folder.file("no/such")], &data[..]].concat(), "cannot write");
    assert_eq!(failure(&["backup"]).0, Some(2));
}

#[test]
fn a_backup_that_is_damaged_or_none_is_refused_and_changes_nothing() {
    let folder = Folder::new();
    let (data, file) = (["--data", folder.path()], folder.file("backup"));
    assert!(ended(served(&data).0, "-TERM").success());
    stdout(&[&["backup", &file], &data[..]].concat());
    let before = fs::read(folder.file("games.sqlite")).expect("a database");
    let whole = fs::read(&file).expect("a backup");
    let mut altered = whole.clone();
    altered[whole.len() / 2..][..4_096].fill(0xa5);
    // An empty file is a database to SQLite, but none of ours.
    let damaged = [&whole[..whole.len() / 2], b"no database", b"", &altered];
    for bytes in damaged {
        fs::write(&file, bytes).expect("a file");
        refused(&[&["restore", &file], &data[..]].concat(), &format!("{file} cannot be used"));
    }
    refused(&[&["restore", &folder.file("none")], &data[..]].concat(), "there is no file");
    refused(&[&["restore", &folder.file("games.sqlite")], &data[..]].concat(), "is the database itself");
    assert_eq!(fs::read(folder.file("games.sqlite")).expect("a database"), before);
    assert!(!Path::new(&folder.file("games.sqlite.before-restore")).exists());
}

#[test]
fn postgres_is_backed_up_by_its_own_program_and_no_password_is_shown() {
    let address = "postgres://me:secret@db.example.org/checkers?sslmode=require";
    for (command, program) in [("backup", "pg_dump "), ("restore", "pg_restore ")] {
        let (code, message) = failure(&[command, "Cargo.toml", "--database", address]);
        assert_eq!((code, message.lines().count()), (Some(1), 1), "{message}");
        assert!(!message.contains("secret") && message.contains(program), "{message}");
        assert!(message.contains("'postgres://me@db.example.org/checkers?sslmode=require'"), "{message}");
    }
}

#[tokio::test]
async fn games_on_sqlite_are_listed_shown_ended_and_deleted_while_the_server_runs() {
    let folder = Folder::new();
    let data = ["--data", folder.path()];
    let (server, address) = served(&data);
    manage(address, &data).await;
    assert!(ended(server, "-TERM").success());
}

#[tokio::test]
async fn games_on_postgres_are_listed_shown_ended_and_deleted_while_the_server_runs() {
    let database = Postgres::shared().database();
    let options = ["--database", &database];
    let (server, address) = served(&options);
    manage(address, &options).await;
    // Here players learn of it without doing anything.
    let [mut anna, _ben] = begun(address).await;
    admin(&["end", &anna.game_id], &options);
    anna.wait_for_records(2).await.expect("the end");
    let [mut anna, _ben] = begun(address).await;
    admin(&["delete", &anna.game_id, "--yes"], &options);
    while anna.recv().await.expect("messages that fit").is_ok() {}
    assert!(anna.connect().await.is_err(), "there is no such game");
    assert!(ended(server, "-TERM").success());
}

async fn manage(address: std::net::SocketAddr, database: &[&str]) {
    let [mut anna, mut ben] = begun(address).await;
    anna.play("11-15").await.expect("a move");
    let id = anna.game_id.clone();
    let beginning = &id[..8];

    let games = admin(&["list"], database);
    let [game] = games["games"].as_array().expect("games").as_slice() else { panic!("{games}") };
    assert_eq!((&game["id"], &game["phase"], &game["plies"]), (&json!(id), &json!("playing"), &json!(1)));
    assert_eq!(game["names"][0], "Anna");
    let list = stdout(&[&["admin", "list", "--limit", "1"], database].concat());
    assert!(list.starts_with(beginning) && !list.contains(&id) && list.contains("Anna – White"), "{list}");
    let shown = admin(&["show", beginning], database);
    assert_eq!((&shown["moves"], &shown["events"]), (&json!(["11-15"]), &json!(2)));

    assert_eq!(admin(&["end", beginning], database), json!({"id": id, "ended": "abandoned"}));
    // The game is over: the move is refused, and the player learns why.
    let answer = ben.command(GameCommand::Move { text: "22-18".to_owned() }).await.expect("an answer");
    assert_eq!(answer["type"], "refused", "{answer}");
    assert_eq!(ben.game.as_ref().expect("a game").outcome(), Some(Outcome::Abandoned));
    refused(&[&["admin", "end", beginning], database].concat(), "is over already");

    let mut inviter = Browser::new(address);
    let waiting = inviter.invite(&json!({})).await.expect("an invitation");
    assert_eq!(admin(&["end", &waiting], database)["ended"], "withdrawn");
    assert!(Browser::new(address).join(&waiting).await.is_err());

    let [mut clara, _dora] = begun(address).await;
    refused(&[&["admin", "delete", &clara.game_id], database].concat(), "add --yes");
    assert_eq!(admin(&["delete", &clara.game_id, "--yes"], database)["deleted"], true);
    // On PostgreSQL the connection may be closed already.
    let _ = clara.send(GameCommand::Move { text: "11-15".to_owned() }).await;
    while !clara.pending.is_empty() && clara.recv().await.expect("messages that fit").is_ok() {}
    assert!(clara.acknowledged.is_empty(), "a move in a deleted game is not acknowledged");
    assert!(clara.connect().await.is_err(), "there is no such game");
    refused(&[&["admin", "show", &clara.game_id], database].concat(), "there is no game");
    refused(&[&["admin", "show", "short"], database].concat(), "first 8 letters and digits");
    assert_eq!(admin(&["list"], database)["games"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_second_server_on_a_folder_does_not_start_and_says_why() {
    let folder = Folder::new();
    let data = ["--data", folder.path()];
    let (server, _) = served(&data);
    let words = format!("in use by another server (process {})", server.id());
    refused(&[&["serve", "--no-open", "--port", "0"], &data[..]].concat(), &words);
    assert!(ended(server, "-KILL").code().is_none());
    // However a server ends, its lock goes with it.
    assert!(ended(served(&data).0, "-TERM").success());
}

#[test]
fn a_database_that_cannot_be_used_is_named_at_once() {
    let serve = ["serve", "--no-open", "--port", "0", "--data"];
    let folder = Folder::new();
    fs::write(folder.file("games.sqlite"), "no database".repeat(1_000)).expect("a file");
    let damaged = format!("{} cannot be used: it is damaged or not a database", folder.file("games.sqlite"));
    refused(&[&serve[..], &[folder.path()]].concat(), &damaged);
    refused(&["admin", "list", "--data", folder.path()], &damaged);
    refused(&["backup", &folder.file("backup"), "--data", folder.path()], &damaged);
    let folder = Folder::new();
    fs::create_dir(folder.file("games.sqlite")).expect("a folder");
    let words = format!("{} cannot be used: Is a directory", folder.file("games.sqlite"));
    refused(&[&serve[..], &[folder.path()]].concat(), &words);
}
