//! What fuzzing found and kept, checked as the fuzzer does.

#[path = "../../../fuzz/checks/kept.rs"]
mod kept;
#[path = "../../../fuzz/checks/pdn.rs"]
mod pdn;

#[test]
fn kept_files_are_written_and_read_back_the_same() {
    kept::replay("pdn", pdn::check);
}
