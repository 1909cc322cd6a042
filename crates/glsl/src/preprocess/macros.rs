//! Macros and their expansion.
//!
//! Tokens that a macro made stand in frames above the file; a macro whose frame is there is not expanded again, and its name is painted
//! when it is met, so that it stays a name for ever. What comes from a macro has the place where the outermost macro is used, but for
//! arguments, which stand in the text themselves.

use super::Preprocessor;
use crate::errors::{Kind, Problem};
use crate::language::{self, Profile, Target};
use crate::lex::{Lexer, Sign, Symbol, Token, TokenKind};
use crate::place::Span;
use std::rc::Rc;

/// Parameters of a macro at most.
const PARAMETERS: usize = 256;

/// A macro.
#[derive(Debug, Clone)]
pub(super) struct Macro {
    /// Its parameters; none is a macro without parentheses.
    pub parameters: Option<Vec<Symbol>>,
    /// What it stands for.
    pub body: Rc<[Token]>,
    /// Where its name is defined.
    pub span: Span,
    /// How many frames of it are open.
    pub open: u32,
}

/// Tokens that are read before the file goes on.
#[derive(Debug)]
pub(super) struct Frame {
    tokens: Rc<[Token]>,
    at: usize,
    /// The macro that made them.
    of: Option<Symbol>,
    /// Where the outermost macro is used: the place of all tokens. None keeps theirs.
    place: Option<Span>,
}

impl Preprocessor<'_> {
    /// The next token, of a macro or of the file.
    pub(super) fn next(&mut self) -> Token {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(token) = frame.tokens.get(frame.at).copied() {
                frame.at += 1;
                let token = Token { span: frame.place.unwrap_or(token.span), ..token };
                if !self.charge(token.span) {
                    return Token { kind: TokenKind::End, ..token };
                }
                return token;
            }
            self.close_frame();
        }
        match self.is_isolated {
            true => Token {
                kind: TokenKind::End,
                span: Span::default(),
                after_space: false,
                starts_line: false,
                is_painted: false,
            },
            false => self.of_file(),
        }
    }

    fn close_frame(&mut self) {
        if let Some(Frame { of: Some(symbol), .. }) = self.frames.pop()
            && let Some(known) = self.macros.get_mut(&symbol)
        {
            known.open = known.open.saturating_sub(1);
        }
    }

    /// Whether a name is a macro, those that the language defines among them.
    pub(super) fn is_defined(&mut self, symbol: Symbol) -> bool {
        self.macros.contains_key(&symbol) || self.built_in(symbol, Span::default()).is_some()
    }

    /// The value of a macro that the language defines.
    fn built_in(&self, symbol: Symbol, span: Span) -> Option<i64> {
        let text = self.names.text(symbol);
        let es = self.has_profile(Profile::Es);
        if Some(symbol) == self.well_known.line {
            return Some(
                self.sources.said(span).map_or_else(|| i64::from(self.sources.line(span)), |said| said.0),
            );
        }
        if Some(symbol) == self.well_known.file {
            return Some(self.sources.said(span).and_then(|said| said.1).unwrap_or(0));
        }
        let holds = |condition: bool| condition.then_some(1);
        match text {
            "__VERSION__" => Some(i64::from(self.version.number)),
            "GL_ES" | "GL_FRAGMENT_PRECISION_HIGH" => holds(es),
            "GL_es_profile" => holds(es && self.version.number >= 310),
            "GL_core_profile" => holds(!es && self.version.number >= 150),
            "GL_compatibility_profile" => holds(self.has_profile(Profile::Compatibility)),
            "VULKAN" => (self.target == Target::Vulkan).then_some(100),
            _ if text.starts_with("GL_") => {
                holds(language::is_known(text, es) && !self.undefined.contains(&symbol))
            }
            _ => None,
        }
    }

    /// Expands a name, if it is a macro: what it stands for is read next. Whether it is one.
    pub(super) fn expand(&mut self, symbol: Symbol, token: Token) -> bool {
        let Some(known) = self.macros.get(&symbol) else {
            let first = self.names.text(symbol).as_bytes().first().copied();
            if !matches!(first, Some(b'_' | b'G' | b'V')) {
                return false;
            }
            let Some(value) = self.built_in(symbol, token.span) else { return false };
            let number = TokenKind::Number(self.names.add(&value.to_string()));
            self.frames.push(Frame {
                tokens: [Token { kind: number, ..token }].into(),
                at: 0,
                of: None,
                place: None,
            });
            return true;
        };
        if known.open > 0 {
            // It stays a name, also when it is looked at again later.
            self.frames.push(Frame {
                tokens: [Token { is_painted: true, ..token }].into(),
                at: 0,
                of: None,
                place: None,
            });
            return true;
        }
        let (body, parameters) = (known.body.clone(), known.parameters.clone());
        let tokens: Rc<[Token]> = match parameters {
            None => match body.iter().any(|token| token.kind == TokenKind::Sign(Sign::Paste)) {
                true => self.substitute(&body, &[], &[], token.span).into(),
                false => body,
            },
            Some(parameters) => {
                if !self.parenthesis_follows() {
                    return false;
                }
                let Some(arguments) = self.arguments(symbol, &parameters, token) else { return true };
                let made = self.substitute(&body, &parameters, &arguments, token.span);
                self.push(symbol, made.into(), None, token.span);
                return true;
            }
        };
        self.push(symbol, tokens, Some(token.span), token.span);
        true
    }

    fn push(&mut self, symbol: Symbol, tokens: Rc<[Token]>, place: Option<Span>, span: Span) {
        // Frames that have ended need not stay: a chain of macros is not deep.
        while self.frames.last().is_some_and(|frame| frame.at >= frame.tokens.len() && frame.of.is_none()) {
            self.frames.pop();
        }
        if self.frames.len() >= self.limits.macro_depth.saturating_mul(16) {
            if !self.is_over {
                let message = format!(
                    "macros are more than {} deep (limit `macro_depth`)",
                    self.limits.macro_depth * 16
                );
                self.problems.push(Problem::error(Kind::Limit, span, message));
            }
            self.is_over = true;
            return;
        }
        if let Some(known) = self.macros.get_mut(&symbol) {
            known.open = known.open.saturating_add(1);
        }
        self.frames.push(Frame { tokens, at: 0, of: Some(symbol), place });
    }

    /// Whether `(` is the next token but for line ends, which are taken.
    fn parenthesis_follows(&mut self) -> bool {
        for frame in self.frames.iter().rev() {
            if let Some(token) = frame.tokens.get(frame.at) {
                return token.kind == TokenKind::Sign(Sign::LeftParenthesis);
            }
        }
        if self.is_isolated {
            return false;
        }
        loop {
            let token = self.of_file();
            match token.kind {
                TokenKind::LineEnd => {}
                kind => {
                    self.at_line = Some(token);
                    return kind == TokenKind::Sign(Sign::LeftParenthesis);
                }
            }
        }
    }

    /// The arguments of a macro, each with the place of its own tokens. None where they do not fit, which was reported.
    fn arguments(&mut self, symbol: Symbol, parameters: &[Symbol], name: Token) -> Option<Vec<Rc<[Token]>>> {
        let mut arguments: Vec<Rc<[Token]>> = Vec::new();
        let mut argument = Vec::new();
        let mut depth = 0usize;
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::LineEnd => continue,
                TokenKind::End => {
                    if !self.is_over {
                        let message =
                            format!("the arguments of the macro `{}` do not end", self.names.text(symbol));
                        let problem = Problem::error(Kind::Preprocessor, name.span, message);
                        self.problems.push(problem.help("close them with `)`"));
                    }
                    // The end of the file is to be seen again.
                    if !self.is_isolated {
                        self.at_line = Some(token);
                    }
                    return None;
                }
                TokenKind::Sign(Sign::Hash)
                    if token.starts_line && self.frames.is_empty() && !self.is_isolated =>
                {
                    let message =
                        format!("a directive among the arguments of the macro `{}`", self.names.text(symbol));
                    self.error(token.span, message);
                    self.at_line = Some(token);
                    return None;
                }
                TokenKind::Sign(Sign::LeftParenthesis) => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                TokenKind::Sign(Sign::RightParenthesis) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        arguments.push(std::mem::take(&mut argument).into());
                        break;
                    }
                }
                TokenKind::Sign(Sign::Comma) if depth == 1 => {
                    arguments.push(std::mem::take(&mut argument).into());
                    continue;
                }
                _ => {}
            }
            argument.push(token);
        }
        // `F()` is no argument for a macro without parameters, an empty one for a macro with one.
        if parameters.is_empty() && arguments.first().is_some_and(|only| only.is_empty()) {
            arguments.clear();
        }
        if arguments.len() != parameters.len() {
            let message = format!(
                "the macro `{}` takes {}, and is given {}",
                self.names.text(symbol),
                counted(parameters.len()),
                arguments.len()
            );
            let problem = Problem::error(Kind::Preprocessor, name.span, message);
            let defined = self.macros.get(&symbol).map(|known| known.span);
            self.problems.push(problem.note(defined, "it is defined here"));
            return None;
        }
        Some(arguments)
    }

    /// A body with its parameters replaced by arguments: as they are beside `##`, expanded elsewhere.
    fn substitute(
        &mut self,
        body: &[Token],
        parameters: &[Symbol],
        arguments: &[Rc<[Token]>],
        place: Span,
    ) -> Vec<Token> {
        let mut expanded: Vec<Option<Rc<[Token]>>> = vec![None; arguments.len()];
        let mut out: Vec<Token> = Vec::with_capacity(body.len());
        let paste = TokenKind::Sign(Sign::Paste);
        let mut is_pasted = false;
        for (at, token) in body.iter().enumerate() {
            if token.kind == paste {
                is_pasted = true;
                continue;
            }
            let pasted_next = body.get(at + 1).is_some_and(|next| next.kind == paste);
            let parameter = match token.kind {
                TokenKind::Word(symbol) => parameters.iter().position(|parameter| *parameter == symbol),
                _ => None,
            };
            let single = [Token { span: place, ..*token }];
            let argument: Rc<[Token]>;
            let tokens: &[Token] = match parameter {
                None => &single,
                Some(number) => {
                    let raw = arguments.get(number).cloned().unwrap_or_else(|| Rc::new([]));
                    argument = match is_pasted || pasted_next {
                        true => raw,
                        false => match expanded.get(number).cloned().flatten() {
                            Some(known) => known,
                            None => {
                                let list: Rc<[Token]> = self.expand_list(&raw).into();
                                if let Some(slot) = expanded.get_mut(number) {
                                    *slot = Some(list.clone());
                                }
                                list
                            }
                        },
                    };
                    &argument
                }
            };
            let mut tokens = tokens.iter();
            if std::mem::take(&mut is_pasted)
                && let Some(first) = tokens.next()
            {
                match out.pop() {
                    Some(before) => {
                        let joined = self.join(before, *first, place);
                        out.extend(joined);
                    }
                    None => out.push(*first),
                }
            }
            for token in tokens {
                if !self.charge(place) {
                    return out;
                }
                out.push(*token);
            }
        }
        out
    }

    /// Two tokens as one.
    fn join(&mut self, left: Token, right: Token, place: Span) -> Vec<Token> {
        let text = format!("{}{}", self.spelling(left), self.spelling(right));
        let file = self.sources.add("##", &text);
        let mut lexer = Lexer::new(file, self.sources.shared_text(file));
        let made = lexer.next(&mut self.names);
        let rest = lexer.next(&mut self.names);
        self.sources.forget(file);
        // A comment would begin, and take the rest with it.
        let is_nothing = made.kind == TokenKind::End && !text.is_empty();
        if rest.kind != TokenKind::End || is_nothing {
            self.error(place, format!("`##` makes `{text}`, which is no token"));
            return vec![left, right];
        }
        vec![Token { span: place, starts_line: false, ..made }]
    }

    /// How a token is written.
    pub(super) fn spelling(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Word(symbol) | TokenKind::Number(symbol) => self.names.text(symbol).to_owned(),
            TokenKind::Text(symbol) => format!("\"{}\"", self.names.text(symbol)),
            TokenKind::Sign(sign) => sign.text().to_owned(),
            TokenKind::Other(other) => other.to_string(),
            TokenKind::LineEnd | TokenKind::End => String::new(),
        }
    }

    /// Tokens with all their macros expanded, without anything behind them.
    pub(super) fn expand_list(&mut self, tokens: &[Token]) -> Vec<Token> {
        let words = |token: &Token| matches!(token.kind, TokenKind::Word(_)) && !token.is_painted;
        if !tokens.iter().any(words) {
            return tokens.to_vec();
        }
        if self.depth >= self.limits.macro_depth {
            if !self.is_over {
                let message = format!(
                    "arguments of macros are more than {} deep (limit `macro_depth`)",
                    self.limits.macro_depth
                );
                let span = tokens.first().map_or(Span::default(), |token| token.span);
                self.problems.push(Problem::error(Kind::Limit, span, message));
            }
            self.is_over = true;
            return Vec::new();
        }
        self.depth += 1;
        let frame = Frame { tokens: tokens.into(), at: 0, of: None, place: None };
        let frames = std::mem::replace(&mut self.frames, vec![frame]);
        let was_isolated = std::mem::replace(&mut self.is_isolated, true);
        let mut out = Vec::new();
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::End => break,
                TokenKind::Word(symbol) if !token.is_painted => {
                    if !self.expand(symbol, token) {
                        out.push(token);
                    }
                }
                _ => out.push(token),
            }
        }
        // Where a limit ended it, macros are still open.
        while !self.frames.is_empty() {
            self.close_frame();
        }
        self.frames = frames;
        self.is_isolated = was_isolated;
        self.depth -= 1;
        out
    }

    /// `#define`, from behind that word.
    pub(super) fn define(&mut self, lexer: &mut Lexer) {
        let name = lexer.next(&mut self.names);
        let TokenKind::Word(symbol) = name.kind else {
            self.error(name.span, "`#define` needs the name of a macro");
            lexer.rest_of_line();
            return;
        };
        let mut token = lexer.next(&mut self.names);
        let mut parameters = None;
        if token.kind == TokenKind::Sign(Sign::LeftParenthesis) && !token.after_space {
            let Some(list) = self.parameters(lexer) else {
                lexer.rest_of_line();
                return;
            };
            parameters = Some(list);
            token = lexer.next(&mut self.names);
        }
        let mut body = Vec::new();
        while !matches!(token.kind, TokenKind::LineEnd | TokenKind::End) {
            if !self.charge(token.span) {
                return;
            }
            body.push(token);
            token = lexer.next(&mut self.names);
        }
        let paste =
            |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Sign(Sign::Paste));
        if paste(body.first()) || paste(body.last()) {
            self.error(name.span, "`##` needs a token before and one behind it");
            return;
        }
        if self.has_profile(Profile::Es)
            && let Some(token) = body.iter().find(|token| token.kind == TokenKind::Sign(Sign::Paste))
        {
            let span = token.span;
            self.error(span, "GLSL ES has no `##`");
            return;
        }
        if !self.may_define(symbol, name.span, "defined") {
            return;
        }
        let made = Macro { parameters, body: body.into(), span: name.span, open: 0 };
        if let Some(known) = self.macros.get(&symbol) {
            if !self.is_same(known, &made) {
                let text = self.names.text(symbol);
                let message = format!("the macro `{text}` is defined already, as something else");
                let problem = Problem::error(Kind::Preprocessor, name.span, message)
                    .note(Some(known.span), "it is defined here")
                    .help(format!("`#undef {text}` before it"));
                self.problems.push(problem);
            }
            return;
        }
        self.macros.insert(symbol, made);
    }

    /// Whether a name may be a macro.
    pub(super) fn may_define(&mut self, symbol: Symbol, span: Span, verb: &str) -> bool {
        let text = self.names.text(symbol);
        let is_own = text.starts_with("GL_") || self.built_in(symbol, span).is_some();
        if text == "defined" || is_own {
            let why = if text == "defined" {
                "it is a word of `#if`"
            } else {
                "names in `GL_` and `__` are the language's"
            };
            let message = format!("`{text}` cannot be {verb}: {why}");
            self.error(span, message);
            return false;
        }
        if text.contains("__") {
            let message = format!("`{text}`: names with `__` are the language's");
            match self.has_profile(Profile::Es) && self.version.number < 300 {
                true => self.error(span, message),
                false => self.problems.push(Problem::warning(Kind::Preprocessor, span, message)),
            }
        }
        true
    }

    fn parameters(&mut self, lexer: &mut Lexer) -> Option<Vec<Symbol>> {
        let mut list = Vec::new();
        let mut token = lexer.next(&mut self.names);
        if token.kind == TokenKind::Sign(Sign::RightParenthesis) {
            return Some(list);
        }
        loop {
            let TokenKind::Word(symbol) = token.kind else {
                self.error(token.span, "the name of a parameter is missing here");
                return None;
            };
            if list.len() >= PARAMETERS {
                let message = format!("a macro of more than {PARAMETERS} parameters");
                self.problems.push(Problem::error(Kind::Limit, token.span, message));
                return None;
            }
            if list.contains(&symbol) {
                let message = format!("the parameter `{}` stands twice", self.names.text(symbol));
                self.error(token.span, message);
                return None;
            }
            list.push(symbol);
            token = lexer.next(&mut self.names);
            match token.kind {
                TokenKind::Sign(Sign::RightParenthesis) => return Some(list),
                TokenKind::Sign(Sign::Comma) => token = lexer.next(&mut self.names),
                _ => {
                    self.error(token.span, "`,` or `)` is missing behind a parameter");
                    return None;
                }
            }
        }
    }

    fn is_same(&self, one: &Macro, other: &Macro) -> bool {
        one.parameters == other.parameters
            && one.body.len() == other.body.len()
            && one
                .body
                .iter()
                .zip(other.body.iter())
                .enumerate()
                .all(|(at, (a, b))| a.kind == b.kind && (at == 0 || a.after_space == b.after_space))
    }
}

fn counted(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
