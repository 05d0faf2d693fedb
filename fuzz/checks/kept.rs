//! The inputs that fuzzing found worth keeping, for the tests.

use std::fs;

/// Checks every input that was kept for a target.
pub(crate) fn replay(target: &str, check: fn(&[u8])) {
    let folder = format!("{}/../fuzz/corpus-kept/{target}", env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "{folder} is empty");
    for file in files {
        println!("{}", file.display());
        check(&fs::read(file).unwrap());
    }
}
