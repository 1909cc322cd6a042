//! From text to tokens: names, numbers, punctuation. Comments and joined lines are gone.

mod names;
mod number;
mod scan;

pub use names::{Names, Quick, Symbol};
pub use number::{Literal, literal};
pub use scan::Lexer;

use crate::place::Span;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands; of what a macro made, where the macro is used.
    pub span: Span,
    /// Whether a space stands before it.
    pub after_space: bool,
    /// Whether it is the first of its line.
    pub starts_line: bool,
    /// Whether it is the name of a macro that is being expanded: it is no longer a macro.
    pub is_painted: bool,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a word of the language.
    Word(Symbol),
    /// Something that begins with a digit, or a point and a digit.
    Number(Symbol),
    /// A text in quotes, of directives.
    Text(Symbol),
    /// Punctuation.
    Sign(Sign),
    /// A character that the language does not have.
    Other(char),
    /// The end of a line; only between lexer and preprocessor.
    LineEnd,
    /// The end of the text.
    End,
}

macro_rules! signs {
    ($($name:ident $text:literal),* $(,)?) => {
        /// Punctuation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Sign { $($name),* }

        impl Sign {
            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// All of them, the longer ones first.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];
        }
    };
}

signs! {
    ShiftLeftAssign "<<=", ShiftRightAssign ">>=",
    Increment "++", Decrement "--", LessEqual "<=", GreaterEqual ">=", Equal "==", NotEqual "!=", And "&&", Or "||", Xor "^^",
    ShiftLeft "<<", ShiftRight ">>", AddAssign "+=", SubtractAssign "-=", MultiplyAssign "*=", DivideAssign "/=",
    RemainderAssign "%=", AndAssign "&=", OrAssign "|=", XorAssign "^=", Paste "##",
    LeftParenthesis "(", RightParenthesis ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
    Dot ".", Comma ",", Semicolon ";", Colon ":", Question "?", Assign "=", Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
    Less "<", Greater ">", Bang "!", Tilde "~", Ampersand "&", Bar "|", Caret "^", Hash "#",
}
