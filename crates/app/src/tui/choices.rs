//! Stores the settings of the last game as defaults for the next one.

use std::fs;
use std::io::Write;
use std::path::Path;

use crownhead_game::Start;

use crate::atomic_file::AtomicFile;

const FILE: &str = "terminal.json";

/// The settings of the last game, if they can be read.
pub(crate) fn load(data: &Path) -> Option<Start> {
    serde_json::from_slice(&fs::read(data.join(FILE)).ok()?).ok()
}

/// Stores the settings of a game, without its start position, which belongs to that game only.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn store(data: &Path, start: &Start) -> anyhow::Result<()> {
    fs::create_dir_all(data)?;
    let mut file = AtomicFile::create(&data.join(FILE))?;
    serde_json::to_writer(&mut file, &Start { position: None, ..start.clone() })?;
    file.flush()?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_game::{Level, Player};
    use crownhead_rules::RulebookId;

    #[test]
    fn a_choice_comes_back_without_its_position() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("new");
        assert_eq!(load(&data), None);
        let computer = Player::computer(Level::new(6).unwrap());
        let mut start = Start::new([Player::human("Ann"), computer], 5);
        start.rulebook = RulebookId::Quick;
        let expected = start.clone();
        start.position = Some("B:W30:B1".to_owned());
        store(&data, &start).unwrap();
        assert_eq!(load(&data), Some(expected));
        fs::write(data.join(FILE), "{").unwrap();
        assert_eq!(load(&data), None);
    }
}
