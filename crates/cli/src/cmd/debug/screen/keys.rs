//! What keys mean.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unshade::debug::Command;

/// What a key asks for.
pub enum Wish {
    Nothing,
    Quit,
    Do(Command),
    /// A breakpoint at the cursor, on or off.
    Toggle,
    /// Run to the cursor.
    Here,
    Cursor(isize),
    Scroll(isize),
    Pane,
    Format,
    Lane(i32),
    Help,
    /// A letter of a command; none: the start of one.
    Type(Option<char>),
    Erase,
    Escape,
    Enter,
}

/// Keys with what they do, as the help shows them.
pub const KEYS: [(&str, &str); 16] = [
    ("s, right", "step"),
    ("n", "step over calls"),
    ("o", "out of the call"),
    ("b, left", "step back"),
    ("p", "step back over calls"),
    ("u", "back to the call"),
    ("c / r", "forward / back to a breakpoint"),
    ("g / G", "to the start / to the end"),
    ("up, down", "move in the listing"),
    ("space", "breakpoint here, on or off"),
    ("enter", "run to here"),
    ("tab", "registers, outputs, quad"),
    ("pgup, pgdn", "more registers"),
    ("f", "numbers as float, int, hex"),
    ("[ / ]", "other quads of the warp"),
    (":", "type a command (goto 12, break 0x8 if r0.x > 1, print c4)"),
];

/// The keys on the last line.
pub const SHORT: &str = "s step  b back  c/r run  space break  tab pane  : command  ? keys  q quit";

/// What a key asks for; `typing`: a command is being typed.
pub fn wish(key: KeyEvent, typing: bool) -> Wish {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Wish::Quit,
            _ => Wish::Nothing,
        };
    }
    if typing {
        return match key.code {
            KeyCode::Char(letter) => Wish::Type(Some(letter)),
            KeyCode::Backspace => Wish::Erase,
            KeyCode::Esc => Wish::Escape,
            KeyCode::Enter => Wish::Enter,
            _ => Wish::Nothing,
        };
    }
    match key.code {
        KeyCode::Char('q') => Wish::Quit,
        KeyCode::Char('s') | KeyCode::Right | KeyCode::F(11) => Wish::Do(Command::Step { count: 1 }),
        KeyCode::Char('n') | KeyCode::F(10) => Wish::Do(Command::Next { count: 1 }),
        KeyCode::Char('o') => Wish::Do(Command::Out),
        KeyCode::Char('b') | KeyCode::Left => Wish::Do(Command::Back { count: 1 }),
        KeyCode::Char('p') => Wish::Do(Command::BackOver { count: 1 }),
        KeyCode::Char('u') => Wish::Do(Command::BackOut),
        KeyCode::Char('c') | KeyCode::F(5) => Wish::Do(Command::Continue),
        KeyCode::Char('r') => Wish::Do(Command::Reverse),
        KeyCode::Char('g') | KeyCode::Home => Wish::Do(Command::Start),
        KeyCode::Char('G') | KeyCode::End => Wish::Do(Command::End),
        KeyCode::Char(' ') => Wish::Toggle,
        KeyCode::Enter => Wish::Here,
        KeyCode::Up | KeyCode::Char('k') => Wish::Cursor(-1),
        KeyCode::Down | KeyCode::Char('j') => Wish::Cursor(1),
        KeyCode::PageUp => Wish::Scroll(-8),
        KeyCode::PageDown => Wish::Scroll(8),
        KeyCode::Tab => Wish::Pane,
        KeyCode::Char('f') => Wish::Format,
        KeyCode::Char('[') => Wish::Lane(-1),
        KeyCode::Char(']') => Wish::Lane(1),
        KeyCode::Char('?') | KeyCode::F(1) => Wish::Help,
        KeyCode::Char(':') => Wish::Type(None),
        KeyCode::Esc => Wish::Escape,
        _ => Wish::Nothing,
    }
}
