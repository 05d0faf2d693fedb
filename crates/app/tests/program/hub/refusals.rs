//! What `crownhead hub` does not take, and what becomes of the engine then.

use std::process::Command;

use super::{Hub, START};

#[test]
fn what_is_wrong_is_told_and_nothing_breaks() {
    let mut hub = Hub::start();
    hub.send(&format!("pos pos={START}\ngo think"));
    assert!(hub.last("error").contains("init"));
    hub.send("init");
    hub.until("ready");
    let endless = "x".repeat(30_000);
    let men_on_the_king_row = format!("Bw{}", "e".repeat(31));
    for (line, complaint) in [
        ("pos pos=Bbb", "33 letters"),
        (&format!("pos pos=X{}", "e".repeat(32)), "side to move"),
        (&format!("pos pos=B{}", "q".repeat(32)), "not a piece"),
        (&format!("pos pos={men_on_the_king_row}"), "would have become a king"),
        ("pos moves=\"11-18\"", "not a legal move"),
        ("pos moves=\"11-15 22-18 15x23\"", "move 3 of the list: “15x23” is not a legal move"),
        ("pos moves=\"11x15\"", "move 1 of the list: “11x15” is not a legal move"),
        ("level foo=3", "has no limit; write depth="),
        ("level inc=3", "has no limit"),
        ("level depth", "has no limit"),
        ("pos pos=\"", "no closing quotation mark"),
        ("set-param name=colour value=3", "unknown parameter"),
        ("set-param name=hash value=0", "from 1 to"),
        ("set-param name=hash value=99999999999999999999", "from 1 to"),
        ("set-param name=variant value=frisian", "not supported"),
        ("set-param name=tablebase value=/no/such/folder", "no folder"),
        ("set-param name=level value=9", "from 1 to 8"),
        ("set-param", "needs name="),
        ("level depth=x", "not a whole number"),
        ("level depth=0", "depth=“0” is not a whole number above 0; write for example depth=20"),
        ("level nodes=0", "nodes=“0” is not a whole number above 0; write for example nodes=20"),
        ("level nodes=-7", "nodes=“-7” is not a whole number above 0"),
        ("level moves=0 time=5", "moves=“0” is not a whole number above 0"),
        ("level move-time=-5", "move-time=-5 is negative; write seconds, for example move-time=0.5"),
        ("level time=5 inc=-0.5", "inc=-0.5 is negative"),
        ("level time=soon", "not a time in seconds"),
        ("level move-time=1e300", "not a time in seconds"),
        ("level time=1 inc=inf", "not a time in seconds"),
        (&format!("pos pos=B{}w\ngo think", "e".repeat(31)), "game is over"),
        (&format!("set-param name={endless} value=1"), "unknown parameter"),
        (&format!("set-param name=hash value={endless}"), "from 1 to"),
        (&format!("set-param name=variant value={endless}"), "not supported"),
        (&format!("set-param name=book value={endless}"), "true or false"),
        (&format!("level depth={endless}"), "not a whole number"),
        (&format!("level time={endless}"), "not a time in seconds"),
        (&format!("pos moves={endless}"), "not a legal move"),
        (&format!("pos {endless}=\""), "no closing quotation mark"),
        (&format!("ping {endless}{endless}{endless}"), "more than 65536 bytes"),
    ] {
        hub.send(line);
        let error = hub.last("error");
        assert!(error.contains(complaint) && error.len() < 200, "{line}: {error}");
    }
    hub.send(&format!("pos pos={START}\nlevel depth=3\ngo think"));
    hub.until("done");
    hub.ends_well();
}

#[test]
#[cfg(unix)]
fn a_table_without_room_is_refused_and_there_is_one_as_large_as_before() {
    let three_gigabytes = concat!("ulimit -v 3000000; exec ", env!("CARGO_BIN_EXE_crownhead"), " hub");
    let mut hub = Hub::run(Command::new("sh").args(["-c", three_gigabytes]));
    hub.greet();
    hub.send("set-param name=hash value=65536");
    let error = hub.last("error");
    assert!(error.contains("not enough memory") && error.contains("an empty one of 4 MB"), "{error}");
    hub.send("hub");
    assert!(hub.until("wait").iter().any(|line| line.starts_with("param name=hash value=4 ")));
    hub.send(&format!("set-param name=threads value=1\npos pos={START}\nlevel depth=3\ngo think"));
    let lines = hub.until("done");
    assert!(!lines.iter().any(|line| line.starts_with("error")), "{lines:?}");
    hub.ends_well();
}

#[test]
#[cfg(unix)]
fn there_are_never_two_hash_tables() {
    // Room for the program and one of them.
    let limited = concat!("ulimit -v 900000; exec ", env!("CARGO_BIN_EXE_crownhead"), " hub");
    let mut hub = Hub::run(Command::new("sh").args(["-c", limited]));
    hub.send("set-param name=book value=false\nset-param name=hash value=500\ninit");
    for next in ["init", "set-param name=hash value=501", "init"] {
        hub.send(&format!("{next}\npos pos={START}\nlevel depth=3\ngo think"));
        let lines = hub.until("done");
        assert!(!lines.iter().any(|line| line.starts_with("error")), "{next}: {lines:?}");
    }
    hub.ends_well();
}

#[test]
fn an_impossible_position_is_complained_of_once() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos=Bw{}", "e".repeat(31)));
    let error = hub.last("error");
    assert_eq!(error.matches("White has a man on 1").count(), 1, "{error}");
    hub.ends_well();
}

#[test]
fn a_refused_position_is_not_answered_by_the_old_one() {
    let mut hub = Hub::ready();
    let too_long = format!("pos moves=\"{}\"", "11-15 ".repeat(20_000));
    for refused in ["pos pos=Bbb", "pos moves=\"11-18\"", "pos pos=\"", &too_long] {
        hub.send(&format!("pos pos={START}\nlevel depth=2\n{refused}\nlevel depth=2"));
        hub.until("error");
        for errand in ["think", "analyze", "ponder"] {
            hub.send(&format!("go {errand}"));
            assert!(hub.last("error").contains("send a position first"), "{errand} after {refused:.40}");
        }
    }
    hub.send(&format!("pos pos={START}\ngo think"));
    hub.until("done");
    hub.ends_well();
}

#[test]
fn after_a_refused_level_no_search_begins() {
    let mut hub = Hub::ready();
    for refused in ["level depth=x", "level time=\"5"] {
        hub.send(&format!("pos pos={START}\n{refused}"));
        hub.until("error");
        for errand in ["think", "analyze", "ponder"] {
            hub.send(&format!("go {errand}"));
            assert!(hub.last("error").contains("send a level first"), "{errand} after {refused}");
        }
    }
    hub.send("level depth=2\ngo think");
    hub.until("done");
    hub.ends_well();
}

#[test]
fn a_position_that_comes_too_early_is_not_answered_by_the_one_before() {
    let mut hub = Hub::ready();
    hub.send(&format!("pos pos={START}\nlevel nodes=100\ngo ponder\npos pos={START}"));
    assert!(hub.last("error").contains("under way"));
    // The move that was pondered on was played all the same.
    hub.send("ponder-hit");
    hub.until("done");
    hub.send("go think");
    assert!(hub.last("error").contains("send a position first"));
    hub.ends_well();
}
