//! What only the inside can tell: how much is kept.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::run_json::Document;
use unshade_stage::Isa;

/// Two words of the 3DS that never end: an addition, and a jump back to it where b0 is false.
fn endless() -> unshade_stage::Stage<'static> {
    crate::raw_stage(Isa::Pica200, vec![0, 0x2D << 26 | 1], vec![0x0000_00AF])
}

#[test]
fn long_runs_keep_few_states() {
    let document = Document::inputs("").unwrap();
    let options = Options { fuel: 200_000, states: 200_000, ..Options::default() };
    let mut session = Session::new(&endless(), &document, options).unwrap();
    session.go(&Command::End).unwrap();
    assert_eq!(session.step(), 200_000);
    assert!(session.view().ended.unwrap().why.unwrap().starts_with("still running"));
    session.go(&Command::Goto { step: 123_456 }).unwrap();
    session.go(&Command::Back { count: 1 }).unwrap();
    assert_eq!(session.step(), 123_455);
    assert!(session.kept() <= 200_000 + 200_000 / 4, "{}", session.kept());
}
