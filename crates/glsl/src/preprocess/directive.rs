//! Lines that begin with `#`.

use super::{Include, Input, Open, Preprocessor};
use crate::errors::{Kind, Problem};
use crate::language::{self, Behaviour, Extension, Profile, Version};
use crate::lex::{Lexer, Sign, Token, TokenKind};
use crate::place::Span;

const DIRECTIVES: [&str; 15] = [
    "define",
    "undef",
    "if",
    "ifdef",
    "ifndef",
    "else",
    "elif",
    "endif",
    "error",
    "pragma",
    "extension",
    "version",
    "line",
    "include",
    "warning",
];

impl Preprocessor<'_> {
    /// Reads a directive; its `#` was taken.
    pub(super) fn directive(&mut self, hash: Token) {
        let name = self.of_file();
        let text = match name.kind {
            // A line with nothing but `#`.
            TokenKind::LineEnd => return,
            TokenKind::End => {
                self.at_line = Some(name);
                return;
            }
            TokenKind::Word(symbol) => self.names.text(symbol).to_owned(),
            _ => String::new(),
        };
        let span = hash.span.to(name.span);
        if text != "version" && text != "define" {
            self.is_anything_seen = true;
        }
        match text.as_str() {
            "define" => {
                if let Some(mut input) = self.files.pop() {
                    self.define(&mut input.lexer);
                    self.files.push(input);
                }
                self.is_anything_seen = true;
            }
            "undef" => self.undefine(name),
            "if" | "ifdef" | "ifndef" => self.open(&text, span),
            "elif" | "else" => self.otherwise(&text, span),
            "endif" => {
                self.nothing_more("#endif");
                if let Some(input) = self.files.last_mut()
                    && input.conditions.pop().is_none()
                {
                    self.error(span, "`#endif` without a condition that it ends");
                }
            }
            "error" => {
                let (_, message) = self.rest();
                self.error(span, format!("#error {message}"));
            }
            "warning" => {
                let (_, message) = self.rest();
                self.problems.push(Problem::warning(Kind::Preprocessor, span, format!("#warning {message}")));
            }
            "pragma" => {
                let (_, pragma) = self.rest();
                self.pragmas.push(pragma);
            }
            "extension" => self.extension(name),
            "version" => self.version(hash, name),
            "line" => self.line(span),
            "include" => self.include(span),
            _ => {
                let shown = if text.is_empty() { self.spelling(name) } else { text.clone() };
                let problem =
                    Problem::error(Kind::Preprocessor, span, format!("there is no directive `#{shown}`"));
                self.problems.push(problem.near(&text, DIRECTIVES));
                self.rest();
            }
        }
    }

    /// The rest of the line as it stands.
    fn rest(&mut self) -> (Span, String) {
        self.at_line = None;
        self.files.last_mut().map_or((Span::default(), String::new()), |input| input.lexer.rest_of_line())
    }

    /// The rest of the line as tokens.
    fn tokens_of_line(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        loop {
            let token = self.of_file();
            match token.kind {
                TokenKind::LineEnd => return tokens,
                TokenKind::End => {
                    self.at_line = Some(token);
                    return tokens;
                }
                _ => tokens.push(token),
            }
        }
    }

    fn nothing_more(&mut self, behind: &str) {
        let tokens = self.tokens_of_line();
        if let Some(token) = tokens.first() {
            let message = format!("`{}` behind `{behind}` means nothing", self.spelling(*token));
            match self.has_profile(Profile::Es) && self.version.number < 300 {
                true => self.error(token.span, message),
                false => self.problems.push(Problem::warning(Kind::Preprocessor, token.span, message)),
            }
        }
    }

    fn undefine(&mut self, directive: Token) {
        let tokens = self.tokens_of_line();
        let Some(Token { kind: TokenKind::Word(symbol), span, .. }) = tokens.first().copied() else {
            self.error(directive.span, "`#undef` needs the name of a macro");
            return;
        };
        if let Some(extra) = tokens.get(1) {
            let message = format!("`{}` behind `#undef` means nothing", self.spelling(*extra));
            self.error(extra.span, message);
        }
        let text = self.names.text(symbol);
        if text.starts_with("GL_") && self.is_defined(symbol) && self.has_profile(Profile::None) {
            self.undefined.push(symbol);
            return;
        }
        if self.may_define(symbol, span, "undefined") {
            self.macros.remove(&symbol);
        }
    }

    /// `#if`, `#ifdef`, `#ifndef`
    fn open(&mut self, directive: &str, span: Span) {
        let depth = self.files.last().map_or(0, |input| input.conditions.len());
        if depth >= self.limits.macro_depth {
            let message =
                format!("conditions are more than {} deep (limit `macro_depth`)", self.limits.macro_depth);
            self.problems.push(Problem::error(Kind::Limit, span, message));
            self.is_over = true;
            return;
        }
        let tokens = self.tokens_of_line();
        let holds = match directive {
            "if" => self.condition(&tokens, span),
            _ => match tokens.first().map(|token| (token.kind, token.span)) {
                Some((TokenKind::Word(symbol), _)) => {
                    if let Some(extra) = tokens.get(1) {
                        let message =
                            format!("`{}` behind `#{directive}` means nothing", self.spelling(*extra));
                        self.problems.push(Problem::warning(Kind::Preprocessor, extra.span, message));
                    }
                    self.is_defined(symbol) == (directive == "ifdef")
                }
                other => {
                    let place = other.map_or(span.after(), |other| other.1);
                    self.error(place, format!("`#{directive}` needs the name of a macro"));
                    false
                }
            },
        };
        if let Some(input) = self.files.last_mut() {
            input.conditions.push(Open { span, is_taken: holds, is_active: holds, has_else: false });
        }
        if !holds {
            self.skip();
        }
    }

    /// `#elif`, `#else` behind a branch that was read: the rest is skipped.
    fn otherwise(&mut self, directive: &str, span: Span) {
        let Some(open) = self.files.last_mut().and_then(|input| input.conditions.last_mut()) else {
            self.error(span, format!("`#{directive}` without a condition before it"));
            self.rest();
            return;
        };
        let (had_else, begun) = (open.has_else, open.span);
        open.is_active = false;
        open.has_else |= directive == "else";
        if had_else {
            let problem = Problem::error(Kind::Preprocessor, span, format!("`#{directive}` behind `#else`"));
            self.problems.push(problem.note(Some(begun), "the condition begins here"));
        }
        match directive {
            "else" => self.nothing_more("#else"),
            _ => {
                self.rest();
            }
        }
        self.skip();
    }

    /// Skips to a branch that is read, or to the end of the condition.
    fn skip(&mut self) {
        let mut depth = 0usize;
        loop {
            self.at_line = None;
            let Some(input) = self.files.last_mut() else { return };
            input.lexer.skip_to_directive();
            let hash = self.of_file();
            if hash.kind == TokenKind::End {
                self.at_line = Some(hash);
                return;
            }
            let name = self.of_file();
            let span = hash.span.to(name.span);
            let TokenKind::Word(symbol) = name.kind else {
                if matches!(name.kind, TokenKind::LineEnd | TokenKind::End) {
                    self.at_line = Some(name);
                }
                continue;
            };
            let text = self.names.text(symbol).to_owned();
            match text.as_str() {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.nothing_more("#endif");
                    if let Some(input) = self.files.last_mut() {
                        input.conditions.pop();
                    }
                    return;
                }
                "else" | "elif" if depth == 0 => {
                    let Some(open) = self.files.last().and_then(|input| input.conditions.last()).copied()
                    else {
                        return;
                    };
                    if open.has_else {
                        let problem =
                            Problem::error(Kind::Preprocessor, span, format!("`#{text}` behind `#else`"));
                        self.problems.push(problem.note(Some(open.span), "the condition begins here"));
                    }
                    let is_else = text == "else";
                    let holds = match is_else {
                        true => {
                            self.nothing_more("#else");
                            !open.is_taken
                        }
                        false if open.is_taken => {
                            self.rest();
                            false
                        }
                        false => {
                            let tokens = self.tokens_of_line();
                            self.condition(&tokens, span)
                        }
                    };
                    if let Some(open) = self.files.last_mut().and_then(|input| input.conditions.last_mut()) {
                        open.is_taken |= holds;
                        open.is_active = holds;
                        open.has_else |= is_else;
                    }
                    if holds || self.is_over {
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            self.rest();
        }
    }

    fn extension(&mut self, directive: Token) {
        let tokens = self.tokens_of_line();
        let tokens = match tokens.first().map(|token| token.kind) {
            // Names of extensions are macros too; they are not expanded here.
            Some(TokenKind::Word(_)) => tokens,
            _ => self.expand_list(&tokens),
        };
        let word = |at: usize| match tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Word(symbol)) => Some(self.names.text(symbol)),
            _ => None,
        };
        let span = directive.span;
        let place = |at: usize| tokens.get(at).map_or(span, |token| token.span);
        let is_colon = tokens.get(1).map(|token| token.kind) == Some(TokenKind::Sign(Sign::Colon));
        let (Some(name), true, Some(behaviour)) = (word(0), is_colon, word(2)) else {
            let problem = Problem::error(Kind::Preprocessor, span, "this is not how an extension is named");
            self.problems.push(problem.help("`#extension NAME : enable`"));
            return;
        };
        let behaviour = match behaviour {
            "require" => Behaviour::Require,
            "enable" => Behaviour::Enable,
            "warn" => Behaviour::Warn,
            "disable" => Behaviour::Disable,
            other => {
                let problem =
                    Problem::error(Kind::Preprocessor, place(2), format!("nothing is done by `{other}`"));
                self.problems.push(problem.near(other, ["require", "enable", "warn", "disable"]));
                return;
            }
        };
        if let Some(extra) = tokens.get(3) {
            let message = format!("`{}` behind `#extension` means nothing", self.spelling(*extra));
            self.error(extra.span, message);
            return;
        }
        let name = name.to_owned();
        let es = self.has_profile(Profile::Es);
        if name == "all" {
            if matches!(behaviour, Behaviour::Require | Behaviour::Enable) {
                self.error(place(2), "`all` can be `warn` or `disable` only");
            }
        } else if !language::is_known(&name, es) {
            if behaviour != Behaviour::Require && !self.problems.takes_warnings() {
                return;
            }
            let known = language::KNOWN.iter().filter(|known| if es { known.es } else { known.desktop });
            let message = format!("there is no extension `{name}` here");
            let problem = match behaviour {
                Behaviour::Require => Problem::error(Kind::Unsupported, place(0), message),
                _ => Problem::warning(Kind::Unsupported, place(0), message),
            };
            self.problems.push(problem.near(&name, known.map(|known| known.name)));
            return;
        }
        let at = self.output.len();
        self.extensions.push((at, Extension { name, behaviour, span: span.to(place(2)) }));
    }

    fn version(&mut self, hash: Token, directive: Token) {
        let tokens = self.tokens_of_line();
        let span = hash.span.to(directive.span);
        if std::mem::replace(&mut self.is_versioned, true) || self.is_anything_seen {
            self.error(span, "`#version` must be the first thing in the text");
            return;
        }
        self.is_anything_seen = true;
        let number = match tokens.first() {
            Some(Token { kind: TokenKind::Number(symbol), .. }) => {
                self.names.text(*symbol).parse::<u16>().ok()
            }
            _ => None,
        };
        let Some(number) = number else {
            let problem = Problem::error(Kind::Preprocessor, span, "`#version` needs a number");
            self.problems.push(problem.help("`#version 450`, `#version 300 es`"));
            return;
        };
        let place = tokens.first().map_or(span, |token| token.span);
        let word = match tokens.get(1).map(|token| (token.kind, token.span)) {
            Some((TokenKind::Word(symbol), at)) => Some((self.names.text(symbol).to_owned(), at)),
            Some((_, at)) => Some((String::new(), at)),
            None => None,
        };
        let in_es = Version::ES.contains(&number);
        let in_desktop = Version::DESKTOP.contains(&number);
        let profile = match &word {
            None if number == 100 => Profile::Es,
            None if in_es => {
                let problem =
                    Problem::error(Kind::Version, place, format!("version {number} is one of GLSL ES"));
                self.problems.push(problem.help(format!("`#version {number} es`")));
                Profile::Es
            }
            None if number < 150 => Profile::None,
            None => Profile::Core,
            Some((word, at)) => match word.as_str() {
                "es" if number == 100 => {
                    self.error(*at, "version 100 is of GLSL ES without that word");
                    Profile::Es
                }
                "es" => Profile::Es,
                _ if number == 100 || in_es => {
                    self.error(*at, format!("version {number} is one of GLSL ES"));
                    Profile::Es
                }
                "core" | "compatibility" if number < 150 => {
                    self.error(*at, format!("version {number} has no profiles; 150 is the first that has"));
                    Profile::None
                }
                "core" => Profile::Core,
                "compatibility" => Profile::Compatibility,
                other => {
                    let problem =
                        Problem::error(Kind::Preprocessor, *at, format!("there is no profile `{other}`"));
                    self.problems.push(problem.near(other, ["core", "compatibility", "es"]));
                    Profile::Core
                }
            },
        };
        if let Some(extra) = tokens.get(2) {
            let message = format!("`{}` behind `#version` means nothing", self.spelling(*extra));
            self.error(extra.span, message);
        }
        let is_there = if profile == Profile::Es { in_es } else { in_desktop };
        if !is_there {
            let list: Vec<String> = match profile {
                Profile::Es => Version::ES.iter().map(u16::to_string).collect(),
                _ => Version::DESKTOP.iter().map(u16::to_string).collect(),
            };
            let problem = Problem::error(Kind::Version, place, format!("there is no version {number}"));
            self.problems.push(problem.help(format!("versions are {}", list.join(", "))));
            // The nearest one below, so that what follows has a meaning.
            let all: &[u16] = if profile == Profile::Es { &Version::ES } else { &Version::DESKTOP };
            let number = all.iter().rev().find(|known| **known <= number).or(all.first()).copied();
            self.version = Version { number: number.unwrap_or(450), profile };
            return;
        }
        self.version = Version { number, profile };
        let before = Span { start: 0, end: hash.span.start, ..hash.span };
        if profile == Profile::Es && number >= 300 && !self.sources.at(before).is_empty() {
            self.error(
                span,
                "GLSL ES from 3.00 on asks for `#version` in the first line, with nothing before it",
            );
        }
    }

    fn line(&mut self, span: Span) {
        let tokens = self.tokens_of_line();
        let end = tokens.last().map_or(span, |token| token.span);
        let tokens = self.expand_list(&tokens);
        let numbers = match self.numbers(&tokens, span) {
            Ok(numbers) => numbers,
            Err(problem) => {
                self.problems.push(*problem);
                return;
            }
        };
        let (line, string) = match numbers.as_slice() {
            [line] => (*line, None),
            [line, string] => (*line, Some(*string)),
            _ => {
                let problem = Problem::error(Kind::Preprocessor, span, "`#line` needs the number of a line");
                self.problems
                    .push(problem.help("`#line 10`, or `#line 10 2` with the number of a source string"));
                return;
            }
        };
        // Before these versions the line itself had the number.
        let is_old =
            if self.has_profile(Profile::Es) { self.version.number < 300 } else { self.version.number < 330 };
        let at = Span { start: end.end, ..end };
        self.sources.renumber(
            at,
            if is_old { line } else { line.saturating_sub(1) }.saturating_add(1),
            string,
        );
    }

    fn include(&mut self, span: Span) {
        let (place, text) = self.rest();
        // A macro may stand for the name.
        let text = match text.as_bytes().first() {
            Some(b'"' | b'<') | None => text,
            Some(_) => {
                let file = self.sources.add("#include", &text);
                let mut lexer = Lexer::new(file, self.sources.shared_text(file));
                let mut tokens = Vec::new();
                loop {
                    let token = lexer.next(&mut self.names);
                    if token.kind == TokenKind::End || !self.charge(place) {
                        break;
                    }
                    tokens.push(Token { span: place, ..token });
                }
                self.sources.forget(file);
                let tokens = self.expand_list(&tokens);
                tokens.iter().map(|token| self.spelling(*token)).collect()
            }
        };
        let name = |open: char, close: char| {
            let rest = text.strip_prefix(open)?;
            let (name, behind) = rest.split_once(close)?;
            let behind = behind.trim_start();
            (behind.is_empty() || behind.starts_with("//") || behind.starts_with("/*")).then_some(name)
        };
        let (name, is_system) = match (name('"', '"'), name('<', '>')) {
            (Some(name), _) => (name, false),
            (None, Some(name)) => (name, true),
            (None, None) => {
                let problem = Problem::error(Kind::Preprocessor, span, "`#include` needs the name of a file");
                self.problems.push(problem.help("`#include \"name.glsl\"`"));
                return;
            }
        };
        if self.files.len() > self.limits.include_depth {
            let message = format!(
                "files are included more than {} deep (limit `include_depth`)",
                self.limits.include_depth
            );
            self.problems.push(Problem::error(Kind::Limit, place, message));
            self.is_over = true;
            return;
        }
        let from = self.files.last().map_or("", |input| {
            self.sources.files().get(input.lexer.file().0 as usize).map_or("", |file| file.name.as_str())
        });
        let Some(include) = self.include.as_mut() else {
            let problem = Problem::error(Kind::Preprocessor, place, "no files are included here");
            self.problems.push(problem);
            return;
        };
        match include(Include { name, is_system, from }) {
            Ok((name, text)) => {
                self.bytes = self.bytes.saturating_add(text.len());
                if self.bytes > self.limits.bytes {
                    let message =
                        format!("all files have more than {} bytes (limit `bytes`)", self.limits.bytes);
                    self.problems.push(Problem::error(Kind::Limit, place, message));
                    self.is_over = true;
                    return;
                }
                let file = self.sources.add(&name, &text);
                let lexer = Lexer::new(file, self.sources.shared_text(file));
                self.files.push(Input { lexer, conditions: Vec::new() });
            }
            Err(why) => {
                let message = format!("`{name}` cannot be included: {why}");
                self.error(place, message);
            }
        }
    }
}
