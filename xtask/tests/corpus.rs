//! What fuzzing found and kept, checked as the fuzzer does.

#[path = "../../fuzz/checks/fen.rs"]
mod fen;
#[path = "../../fuzz/checks/kept.rs"]
mod kept;
#[path = "../../fuzz/checks/moves.rs"]
mod moves;
#[path = "../../fuzz/checks/pdn.rs"]
mod pdn;

#[test]
fn kept_positions_are_written_and_read_back_the_same() {
    kept::replay("fen", fen::check);
}

#[test]
fn kept_moves_are_legal_and_read_back_with_the_same_effect() {
    kept::replay("moves", moves::check);
}

#[test]
fn kept_files_are_written_and_read_back_the_same() {
    kept::replay("pdn", pdn::check);
}
