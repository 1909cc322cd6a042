//! The screen as text, after keys, against `crates/cli/tests/screen`. `BLESS=1` writes them anew; look at the difference.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::palette::Palette;
use super::{Screen, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use std::path::Path;
use unshade::Source;
use unshade::debug::{Options, Session};
use unshade::run_json::Document;

fn screen(file: &str, item: &str, inputs: &str) -> Screen {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(file);
    let bytes = std::fs::read(path).unwrap();
    let source = Source { bytes: &bytes, dictionaries: None };
    let (_, stage) = unshade::programs(source, &[], Some(item)).unwrap().stages.remove(0);
    let session = Session::new(&stage, &Document::inputs(inputs).unwrap(), Options::default()).unwrap();
    Screen::new(session, format!("{file}#{item}"), Palette::new(true))
}

fn press(screen: &mut Screen, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            other => KeyCode::Char(other),
        };
        assert!(screen.key(KeyEvent::new(code, KeyModifiers::NONE)), "{key:?} ends it");
    }
}

fn drawn(screen: &Screen, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::draw(screen, frame)).unwrap();
    terminal
}

fn text(terminal: &Terminal<TestBackend>) -> String {
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let row: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn same(name: &str, terminal: &Terminal<TestBackend>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screen").join(format!("{name}.txt"));
    let actual = text(terminal);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(actual, expected, "{} differs; BLESS=1 writes it anew", path.display());
}

#[test]
fn small_screens_of_each_family() {
    for (file, item, inputs, keys) in [
        ("loops.shbin", "dvle:0", r#"{"in":{"v":{"0":"3f800000 3f000000 3e800000 3f800000"}}}"#, "sssss"),
        ("lambert.vert.mbs", "cver", "", "ssss"),
        (
            "phong.frag.mbs",
            "cfra",
            r#"{"lanes":4,"in":{"vary":{"0":["3f800000","40000000","0","bf800000"]}}}"#,
            "ss",
        ),
        ("blur.gsh", "pixel0", r#"{"lanes":4,"in":{}}"#, "ssss"),
        ("texture.frag.dksh", "program:0", r#"{"lanes":4,"in":{}}"#, "sss"),
    ] {
        let mut screen = screen(file, item, inputs);
        press(&mut screen, keys);
        same(&format!("{}-80x24", file.split('.').next().unwrap()), &drawn(&screen, 80, 24));
    }
}

#[test]
fn a_large_screen_has_all_panes() {
    let mut screen = screen("phong.frag.mbs", "cfra", r#"{"lanes":4,"in":{}}"#);
    press(&mut screen, "vv v ss");
    same("phong-140x40", &drawn(&screen, 140, 40));
}

#[test]
fn keys_do_what_they_say() {
    let mut screen = screen("loops.shbin", "dvle:0", "");
    press(&mut screen, "ss>");
    assert_eq!(screen.view.step, 3);
    press(&mut screen, "<b");
    assert_eq!(screen.view.step, 1);
    press(&mut screen, ":goto 9\n");
    assert_eq!(screen.view.step, 9);
    press(&mut screen, ":goto x\n");
    assert_eq!(screen.message.as_deref(), Some("`goto`: expected a number, found \"x\""));
    press(&mut screen, "g ");
    assert_eq!((screen.view.step, screen.view.breakpoints.len()), (0, 1));
    press(&mut screen, " ");
    assert!(screen.view.breakpoints.is_empty());
    press(&mut screen, "G");
    assert!(screen.view.ended.is_some());
    press(&mut screen, "r?");
    assert_eq!((screen.view.step, screen.help), (0, true));
    same("help-80x24", &drawn(&screen, 80, 24));
    press(&mut screen, "x\tf\tff");
    let help = screen.help;
    assert!(!help);
    assert!(!screen.key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE)));
    assert!(!screen.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
}

/// No size is too small.
#[test]
fn any_size_is_drawn() {
    let mut screen = screen("phong.frag.mbs", "cfra", r#"{"lanes":4,"in":{}}"#);
    press(&mut screen, "sss");
    for pane in 0..3 {
        for (width, height) in
            [(1, 1), (3, 2), (10, 5), (20, 6), (39, 11), (80, 24), (119, 31), (120, 32), (300, 90)]
        {
            drawn(&screen, width, height);
            screen.help = !screen.help;
        }
        screen.help = false;
        press(&mut screen, "\t");
        let _ = pane;
    }
}

/// What changed is marked; without colour too.
#[test]
fn changes_are_marked() {
    for coloured in [true, false] {
        let mut screen =
            screen("loops.shbin", "dvle:0", r#"{"in":{"v":{"0":"3f800000 3f000000 3e800000 3f800000"}}}"#);
        screen.palette = Palette::new(coloured);
        press(&mut screen, "s");
        let terminal = drawn(&screen, 80, 24);
        let buffer = terminal.backend().buffer();
        let marked = buffer
            .content
            .iter()
            .filter(|cell| cell.modifier.contains(Modifier::BOLD) && (cell.fg == Color::Yellow) == coloured);
        assert!(marked.count() > 3, "{coloured}");
        let colours = buffer.content.iter().any(|cell| cell.fg != Color::Reset);
        assert_eq!(colours, coloured);
    }
}
