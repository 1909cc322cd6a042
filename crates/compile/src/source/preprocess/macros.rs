//! Macros: what they stand for, and how it comes into the text.

use super::{
    lex::{Kind, Token},
    map::Place,
};
use std::collections::{BTreeMap, BTreeSet};

/// A piece that goes through macros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub kind: Kind,
    pub text: String,
    pub place: Place,
    /// The name is that of a macro that is being expanded, and stays as it is.
    pub is_spent: bool,
}

impl Piece {
    pub fn of(token: &Token, text: &str, file: usize) -> Self {
        let place = Place { file, start: token.span.start, end: token.span.end };
        Self { kind: token.kind, text: token.text(text).to_owned(), place, is_spent: false }
    }

    pub fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    /// A blank, which keeps neighbours apart.
    fn blank(place: Place) -> Self {
        Self { kind: Kind::Space, text: " ".to_owned(), place, is_spent: false }
    }
}

/// A macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Macro {
    /// `None` for one without brackets.
    pub parameters: Option<Vec<String>>,
    pub body: Vec<Piece>,
}

/// What waits to be looked at: pieces, and ends of expansions.
enum Item {
    Piece(Piece),
    End(String),
}

/// All macros that are defined.
#[derive(Debug, Default)]
pub(super) struct Macros {
    pub known: BTreeMap<String, Macro>,
    /// Pieces that expansions have made so far.
    made: usize,
}

/// Pieces that all expansions of a text may make, and expansions inside the arguments of others.
const MADE: usize = 1 << 17;
const DEPTH: u8 = 32;

/// Why an expansion ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stopped {
    /// It makes too much.
    TooLong,
    /// A call has another number of arguments: name, wanted, found.
    Arguments(String, usize, usize),
    /// A call has no end.
    Open(String),
}

impl Macros {
    pub fn is_macro(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Expands a piece with all that follows from it. `next` gives what stands behind it in the text, for macros with
    /// arguments; it is asked only for pieces that belong to the call.
    pub fn expand(
        &mut self,
        first: Piece,
        next: &mut dyn FnMut(bool) -> Option<Piece>,
    ) -> Result<Vec<Piece>, Stopped> {
        let mut done = Vec::new();
        self.run(vec![Item::Piece(first)], next, &mut done, DEPTH)?;
        Ok(done)
    }

    /// Expands all pieces of a list.
    pub fn expand_all(&mut self, pieces: Vec<Piece>, depth: u8) -> Result<Vec<Piece>, Stopped> {
        let mut done = Vec::new();
        let waiting = pieces.into_iter().rev().map(Item::Piece).collect();
        self.run(waiting, &mut |_| None, &mut done, depth)?;
        Ok(done)
    }

    fn run(
        &mut self,
        mut waiting: Vec<Item>,
        next: &mut dyn FnMut(bool) -> Option<Piece>,
        done: &mut Vec<Piece>,
        depth: u8,
    ) -> Result<(), Stopped> {
        let mut open: Vec<String> = Vec::new();
        while let Some(item) = waiting.pop() {
            let mut piece = match item {
                Item::End(name) => {
                    open.retain(|other| *other != name);
                    continue;
                }
                Item::Piece(piece) => piece,
            };
            self.made += 1;
            if self.made > MADE {
                return Err(Stopped::TooLong);
            }
            let found = self.known.get(&piece.text).filter(|_| piece.kind == Kind::Word && !piece.is_spent);
            let Some(found) = found.cloned() else {
                done.push(piece);
                continue;
            };
            if open.contains(&piece.text) {
                piece.is_spent = true;
                done.push(piece);
                continue;
            }
            let body = match &found.parameters {
                None => pasted(&found.body, &BTreeMap::new(), piece.place),
                Some(parameters) => {
                    if !calls(&waiting, next) {
                        done.push(piece);
                        continue;
                    }
                    let arguments = arguments(&piece, parameters, &mut waiting, &mut open, next)?;
                    let mut ready = BTreeMap::new();
                    for (name, raw) in parameters.iter().zip(arguments) {
                        let Some(depth) = depth.checked_sub(1) else { return Err(Stopped::TooLong) };
                        ready.insert(name.clone(), (self.expand_all(raw.clone(), depth)?, raw));
                    }
                    pasted(&found.body, &ready, piece.place)
                }
            };
            self.made += body.len();
            waiting.push(Item::Piece(Piece::blank(piece.place)));
            waiting.push(Item::End(piece.text.clone()));
            waiting.extend(body.into_iter().rev().map(Item::Piece));
            waiting.push(Item::Piece(Piece::blank(piece.place)));
            open.push(piece.text);
        }
        Ok(())
    }
}

/// Whether a bracket opens behind the name of a macro with arguments.
fn calls(waiting: &[Item], next: &mut dyn FnMut(bool) -> Option<Piece>) -> bool {
    let inside = waiting.iter().rev().find_map(|item| match item {
        Item::Piece(piece) if !matches!(piece.kind, Kind::Space | Kind::Line) => Some(piece.is("(")),
        _ => None,
    });
    inside.unwrap_or_else(|| next(true).is_some_and(|piece| piece.is("(")))
}

/// The arguments of a call, without the blanks around them.
fn arguments(
    name: &Piece,
    parameters: &[String],
    waiting: &mut Vec<Item>,
    open: &mut Vec<String>,
    next: &mut dyn FnMut(bool) -> Option<Piece>,
) -> Result<Vec<Vec<Piece>>, Stopped> {
    let mut list: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut depth = 0usize;
    loop {
        let piece = match waiting.pop() {
            Some(Item::End(name)) => {
                open.retain(|other| *other != name);
                continue;
            }
            Some(Item::Piece(piece)) => Some(piece),
            None => next(false),
        };
        let Some(mut piece) = piece else { return Err(Stopped::Open(name.text.clone())) };
        if piece.kind == Kind::Line {
            (piece.kind, piece.text) = (Kind::Space, " ".to_owned());
        }
        if piece.is("(") {
            depth += 1;
        } else if piece.is(")") {
            depth = depth.saturating_sub(1);
        }
        match depth {
            0 if piece.is(")") => break,
            // The bracket of the call itself.
            1 if piece.is("(") => {}
            1 if piece.is(",") => list.push(Vec::new()),
            _ => {
                if let Some(last) = list.last_mut()
                    && !(last.is_empty() && piece.kind == Kind::Space)
                {
                    last.push(piece);
                }
            }
        }
    }
    for argument in &mut list {
        while argument.last().is_some_and(|piece| piece.kind == Kind::Space) {
            argument.pop();
        }
    }
    if parameters.is_empty() && list.iter().all(Vec::is_empty) && list.len() == 1 {
        list.clear();
    }
    if list.len() != parameters.len() {
        return Err(Stopped::Arguments(name.text.clone(), parameters.len(), list.len()));
    }
    Ok(list)
}

/// A body with its arguments in it, and what `##` joins as one piece. All of it comes from where the macro was used.
fn pasted(
    body: &[Piece],
    arguments: &BTreeMap<String, (Vec<Piece>, Vec<Piece>)>,
    place: Place,
) -> Vec<Piece> {
    let is_paste = |at: usize| {
        body.get(at).is_some_and(|piece| piece.is("#")) && body.get(at + 1).is_some_and(|piece| piece.is("#"))
    };
    let beside = |at: usize, step: isize| {
        let mut at = at.checked_add_signed(step);
        while let Some(index) = at.filter(|at| body.get(*at).is_some_and(|piece| piece.kind == Kind::Space)) {
            at = index.checked_add_signed(step);
        }
        at
    };
    let mut made: Vec<Piece> = Vec::new();
    let mut joins = false;
    let mut at = 0;
    while let Some(piece) = body.get(at) {
        if is_paste(at) {
            while made.last().is_some_and(|last| last.kind == Kind::Space) {
                made.pop();
            }
            joins = true;
            at += 2;
            continue;
        }
        if joins && piece.kind == Kind::Space {
            at += 1;
            continue;
        }
        let is_pasted = joins || beside(at, 1).is_some_and(is_paste);
        let mut pieces = match arguments.get(&piece.text).filter(|_| piece.kind == Kind::Word) {
            Some((_, raw)) if is_pasted => raw.clone(),
            Some((ready, _)) => {
                let mut ready = ready.clone();
                ready.insert(0, Piece::blank(place));
                ready.push(Piece::blank(place));
                ready
            }
            None => vec![piece.clone()],
        };
        for piece in &mut pieces {
            piece.place = place;
        }
        let mut pieces = pieces.into_iter();
        if std::mem::take(&mut joins)
            && let Some(last) = made.last_mut()
            && let Some(first) = pieces.next()
        {
            last.text.push_str(&first.text);
            last.is_spent = false;
        }
        made.extend(pieces);
        at += 1;
    }
    made
}

/// Names of parameters that stand twice in a list.
pub(super) fn repeated(parameters: &[String]) -> Option<&String> {
    let mut seen = BTreeSet::new();
    parameters.iter().find(|name| !seen.insert(name.as_str()))
}
