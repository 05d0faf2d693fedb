//! Key bindings: maps key events to actions.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// An action of the player, by key or by a click on its hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Go(Arrow),
    /// Pick up or drop a piece at the cursor, or submit the typed text.
    Enter,
    Cancel,
    /// Move the cursor to the next movable piece, or to the next destination of the selected piece.
    NextPiece,
    PreviousPiece,
    Type(char),
    Erase,
    Undo,
    Redo,
    Hint,
    OfferDraw,
    ClaimDraw,
    Abandon,
    Resign,
    NewGame,
    Setup,
    Flip,
    Numbers,
    Thoughts,
    Save,
    Back,
    Forward,
    First,
    Last,
    PlayFromHere,
    Help,
    Quit,
    Suspend,
    Redraw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrow {
    Up,
    Down,
    Left,
    Right,
}

/// Can this character be part of a typed move?
fn belongs_to_move(letter: char, is_begun: bool) -> bool {
    letter.is_ascii_digit() || is_begun && matches!(letter, '-' | 'x' | 'X' | ':')
}

/// The action of a key, which depends on whether a move is being typed.
pub(crate) fn action(key: KeyEvent, is_typing: bool) -> Option<Action> {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return with_control(key);
    }
    Some(match key.code {
        KeyCode::Up => Action::Go(Arrow::Up),
        KeyCode::Down => Action::Go(Arrow::Down),
        KeyCode::Left => Action::Go(Arrow::Left),
        KeyCode::Right => Action::Go(Arrow::Right),
        KeyCode::Enter => Action::Enter,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Tab => Action::NextPiece,
        KeyCode::BackTab => Action::PreviousPiece,
        KeyCode::Backspace | KeyCode::Delete => Action::Erase,
        KeyCode::PageUp => Action::Back,
        KeyCode::PageDown => Action::Forward,
        KeyCode::Home => Action::First,
        KeyCode::End => Action::Last,
        KeyCode::Char(letter) if belongs_to_move(letter, is_typing) => Action::Type(letter),
        KeyCode::Char(letter) => return of_letter(letter),
        _ => return None,
    })
}

fn of_letter(letter: char) -> Option<Action> {
    Some(match letter {
        ' ' => Action::Enter,
        'u' => Action::Undo,
        'U' => Action::Redo,
        'h' => Action::Hint,
        'd' => Action::OfferDraw,
        'c' => Action::ClaimDraw,
        'a' => Action::Abandon,
        'r' => Action::Resign,
        'n' => Action::NewGame,
        'o' => Action::Setup,
        'f' => Action::Flip,
        '#' => Action::Numbers,
        't' => Action::Thoughts,
        's' => Action::Save,
        'p' => Action::PlayFromHere,
        '[' | '<' | ',' => Action::Back,
        ']' | '>' | '.' => Action::Forward,
        '?' => Action::Help,
        'q' => Action::Quit,
        _ => return None,
    })
}

fn with_control(key: KeyEvent) -> Option<Action> {
    let KeyCode::Char(letter) = key.code else { return None };
    if !key.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    Some(match letter.to_ascii_lowercase() {
        'c' | 'd' => Action::Quit,
        'r' => Action::Redo,
        'z' => Action::Suspend,
        'l' => Action::Redraw,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: KeyCode, is_typing: bool) -> Option<Action> {
        action(KeyEvent::new(code, KeyModifiers::NONE), is_typing)
    }

    #[test]
    fn signs_of_moves_are_typed_only_behind_a_number() {
        assert_eq!(of(KeyCode::Char('1'), false), Some(Action::Type('1')));
        assert_eq!(of(KeyCode::Char('x'), true), Some(Action::Type('x')));
        assert_eq!(of(KeyCode::Char('x'), false), None);
        assert_eq!(of(KeyCode::Char('u'), true), Some(Action::Undo));
    }

    #[test]
    fn control_c_leaves_and_control_z_suspends() {
        let control = |letter| action(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), false);
        assert_eq!(control('c'), Some(Action::Quit));
        assert_eq!(control('z'), Some(Action::Suspend));
        assert_eq!(control('u'), None);
    }
}
