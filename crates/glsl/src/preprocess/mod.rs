//! The preprocessor: directives, conditions, macros, included files. What comes out are the tokens of the language.

mod condition;
mod directive;
mod macros;

use crate::errors::{Kind, Problem, Problems};
use crate::language::{Extension, Profile, Target, Version};
use crate::lex::{Lexer, Names, Quick, Symbol, Token, TokenKind};
use crate::limits::Limits;
use crate::place::{Sources, Span};
use macros::{Frame, Macro};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A file that is to be included.
#[derive(Debug, Clone, Copy)]
pub struct Include<'a> {
    /// The name as it is written.
    pub name: &'a str,
    /// Whether it stands in `<` and `>`.
    pub is_system: bool,
    /// Name of the file that includes it.
    pub from: &'a str,
}

/// Finds an included file: its full name and its text, or why there is none.
pub type Includer<'a> = dyn FnMut(Include<'_>) -> Result<(String, String), String> + 'a;

/// What the preprocessor is told.
pub struct Settings<'a> {
    /// Name of the text.
    pub name: &'a str,
    /// The API.
    pub target: Target,
    /// The version of a text that says none.
    pub version: Version,
    /// Macros that are defined from outside, with their values.
    pub defines: &'a [(String, String)],
    /// Finds included files.
    pub include: Option<&'a mut Includer<'a>>,
    /// What it may cost.
    pub limits: Limits,
}

/// What the preprocessor gives.
#[derive(Debug)]
pub struct Preprocessed {
    /// The tokens of the language, the last one [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The version.
    pub version: Version,
    /// Lines `#extension`, with the number of the token before which each stands.
    pub extensions: Vec<(usize, Extension)>,
    /// Lines `#pragma`.
    pub pragmas: Vec<String>,
    /// All names.
    pub names: Names,
    /// Macros that are defined at the end, and where.
    pub macros: Vec<(Symbol, Span)>,
    /// All files.
    pub sources: Sources,
    /// What is wrong.
    pub problems: Problems,
}

/// Runs the preprocessor over a text.
pub fn preprocess(text: &str, settings: Settings<'_>) -> Preprocessed {
    let limits = settings.limits;
    let mut sources = Sources::default();
    let mut problems = Problems::new(limits.errors);
    let mut shown = text;
    if text.len() > limits.bytes || u32::try_from(text.len()).is_err() {
        shown = "";
    }
    let file = sources.add(settings.name, shown);
    if shown.len() != text.len() {
        let message = format!("the text has more than {} bytes (limit `bytes`)", limits.bytes);
        problems.push(Problem::error(Kind::Limit, Span::default(), message));
    }
    let lexer = Lexer::new(file, sources.shared_text(file));
    let mut this = Preprocessor {
        sources,
        names: Names::with_capacity(256),
        problems,
        limits,
        target: settings.target,
        version: settings.version,
        is_versioned: false,
        is_anything_seen: false,
        macros: HashMap::default(),
        undefined: Vec::new(),
        files: vec![Input { lexer, conditions: Vec::new() }],
        frames: Vec::new(),
        is_isolated: false,
        // A token has three or four letters, with the space behind it.
        output: Vec::with_capacity(shown.len() / 3),
        extensions: Vec::new(),
        pragmas: Vec::new(),
        include: settings.include,
        bytes: shown.len(),
        work: 0,
        depth: 0,
        is_over: false,
        at_line: None,
        well_known: WellKnown::default(),
    };
    this.begin(settings.defines);
    this.run();
    this.finish()
}

/// A file that is read, with the conditions that are open in it.
#[derive(Debug)]
struct Input {
    lexer: Lexer,
    conditions: Vec<Open>,
}

/// A condition that is open.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Where its `#if` stands.
    span: Span,
    /// Whether a branch was taken.
    is_taken: bool,
    /// Whether the branch here is read.
    is_active: bool,
    /// Whether its `#else` was there.
    has_else: bool,
}

#[derive(Debug, Default)]
struct WellKnown {
    defined: Option<Symbol>,
    line: Option<Symbol>,
    file: Option<Symbol>,
}

struct Preprocessor<'a> {
    sources: Sources,
    names: Names,
    problems: Problems,
    limits: Limits,
    target: Target,
    version: Version,
    /// Whether there was a `#version`.
    is_versioned: bool,
    /// Whether anything but spaces and comments was seen.
    is_anything_seen: bool,
    macros: HashMap<Symbol, Macro, BuildHasherDefault<Quick>>,
    /// Extensions whose macro was taken away.
    undefined: Vec<Symbol>,
    files: Vec<Input>,
    frames: Vec<Frame>,
    /// Whether only what is in `frames` is read: arguments of macros, conditions.
    is_isolated: bool,
    output: Vec<Token>,
    extensions: Vec<(usize, Extension)>,
    pragmas: Vec<String>,
    include: Option<&'a mut Includer<'a>>,
    bytes: usize,
    work: usize,
    depth: usize,
    is_over: bool,
    /// A token of a file that was looked at and not taken.
    at_line: Option<Token>,
    well_known: WellKnown,
}

impl Preprocessor<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Problem::error(Kind::Preprocessor, span, message));
    }

    /// Charges for a token; false where the limit is reached.
    fn charge(&mut self, span: Span) -> bool {
        self.work = self.work.saturating_add(1);
        if self.work > self.limits.tokens {
            if !self.is_over {
                let message = format!("more than {} tokens (limit `tokens`)", self.limits.tokens);
                self.problems.push(Problem::error(Kind::Limit, span, message));
            }
            self.is_over = true;
        }
        !self.is_over
    }

    /// Defines what is there from the start.
    fn begin(&mut self, defines: &[(String, String)]) {
        self.well_known = WellKnown {
            defined: Some(self.names.add("defined")),
            line: Some(self.names.add("__LINE__")),
            file: Some(self.names.add("__FILE__")),
        };
        for (name, value) in defines {
            let file = self.sources.add(&format!("-D{name}"), &format!("{name} {value}"));
            let mut lexer = Lexer::new(file, self.sources.shared_text(file));
            self.define(&mut lexer);
        }
    }

    fn run(&mut self) {
        while !self.is_over && !self.problems.is_full() {
            let token = self.next();
            match token.kind {
                TokenKind::End => match self.files.len() {
                    0 | 1 => break,
                    _ => self.close_file(),
                },
                TokenKind::LineEnd => {}
                TokenKind::Sign(crate::lex::Sign::Hash) if token.starts_line && self.frames.is_empty() => {
                    self.directive(token);
                }
                TokenKind::Word(symbol) if !token.is_painted => {
                    if !self.is_anything_seen {
                        self.settle_version();
                    }
                    if !self.expand(symbol, token) {
                        self.put(token);
                    }
                }
                _ => {
                    if !self.is_anything_seen {
                        self.settle_version();
                    }
                    self.put(token);
                }
            }
        }
    }

    /// From here on the version is known.
    fn settle_version(&mut self) {
        self.is_anything_seen = true;
    }

    fn put(&mut self, token: Token) {
        match token.kind {
            TokenKind::Other(other) => {
                let message = format!("`{other}` is no character of the language");
                self.problems.push(Problem::error(
                    Kind::Syntax,
                    token.span,
                    message.escape_debug().to_string(),
                ));
            }
            TokenKind::Text(_) => {
                self.problems.push(
                    Problem::error(Kind::Syntax, token.span, "the language has no texts in quotes")
                        .help("only `#include` and `#line` take a name in quotes"),
                );
            }
            TokenKind::Sign(sign @ (crate::lex::Sign::Hash | crate::lex::Sign::Paste)) => {
                let message = format!("`{}` stands for a directive at the start of a line only", sign.text());
                self.problems.push(Problem::error(Kind::Syntax, token.span, message));
            }
            _ => self.output.push(token),
        }
    }

    /// The next token of a file, not of a macro.
    fn of_file(&mut self) -> Token {
        if let Some(token) = self.at_line.take() {
            return token;
        }
        let end = Token {
            kind: TokenKind::End,
            span: Span::default(),
            after_space: false,
            starts_line: false,
            is_painted: false,
        };
        let Some(input) = self.files.last_mut() else { return end };
        let token = input.lexer.next(&mut self.names);
        if let Some(span) = input.lexer.unfinished.take() {
            let start = Span { end: span.start.saturating_add(2), ..span };
            self.problems.push(
                Problem::error(Kind::Syntax, start, "a comment begins here and does not end")
                    .help("close it with `*/`"),
            );
        }
        if !self.charge(token.span) {
            return Token { kind: TokenKind::End, ..token };
        }
        token
    }

    /// Leaves an included file.
    fn close_file(&mut self) {
        if let Some(input) = self.files.pop() {
            self.unclosed(&input.conditions);
        }
    }

    fn unclosed(&mut self, conditions: &[Open]) {
        for open in conditions.iter().rev() {
            let problem = Problem::error(Kind::Preprocessor, open.span, "a condition that no `#endif` ends");
            self.problems.push(problem.label("begins here"));
        }
    }

    fn finish(mut self) -> Preprocessed {
        if !self.is_over && !self.problems.is_full() {
            while let Some(input) = self.files.pop() {
                self.unclosed(&input.conditions);
            }
        }
        let end = self.output.last().map_or(Span::default(), |token| token.span.after());
        self.output.push(Token {
            kind: TokenKind::End,
            span: end,
            after_space: true,
            starts_line: true,
            is_painted: false,
        });
        let macros = self.macros.iter().map(|(name, known)| (*name, known.span)).collect();
        Preprocessed {
            macros,
            tokens: self.output,
            version: self.version,
            extensions: self.extensions,
            pragmas: self.pragmas,
            names: self.names,
            sources: self.sources,
            problems: self.problems,
        }
    }

    fn has_profile(&self, profile: Profile) -> bool {
        self.version.profile == profile
    }
}
