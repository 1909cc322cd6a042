//! What the reader of GLSL says, in the language's own words: what it says of itself is not for people who write shaders.

use super::{Offsets, lower_first};
use naga::front::glsl::{Error, ErrorKind, ExpectedToken};
use std::collections::BTreeSet;
use unshade_bytes::problem::Problem;

/// What is wrong with a text that does not read.
pub(super) fn syntax(error: &Error, changed: &str, text: &str, offsets: &Offsets) -> Box<Problem> {
    let range = error.meta.to_range().unwrap_or(0..0);
    let found = changed.get(range.clone()).filter(|found| !found.is_empty());
    let message = match (&error.kind, found) {
        (ErrorKind::EndOfFile, _) => "the text ends too early: a `}`, `)` or `;` is missing".to_owned(),
        (ErrorKind::InvalidToken(_, expected), Some(found)) => {
            format!("expected {}, found `{}`", expectation(expected), first_line(found))
        }
        (ErrorKind::UnknownVariable(name), _) => format!("there is no variable or function `{name}`"),
        (ErrorKind::UnknownType(name), _) => format!("there is no type `{name}`"),
        (ErrorKind::UnknownField(name), _) => format!("there is no member `{name}`"),
        (ErrorKind::UnknownLayoutQualifier(name), _) => format!("`{name}` says nothing in a `layout` here"),
        (ErrorKind::VariableAlreadyDeclared(name), _) => format!("`{name}` is declared already"),
        (ErrorKind::UnsupportedMatrixWithTwoRowsInStd140 { columns }, _) => {
            format!("a `mat{columns}x2` cannot stand in a block; declare it as a uniform of its own")
        }
        (ErrorKind::NotImplemented(_), _) => "a declaration of this kind is not known here".to_owned(),
        (ErrorKind::PreprocessorError(error), found) => {
            let number =
                found.is_some_and(|found| found.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
            match format!("{error:?}") {
                text if text.contains("Overflow") => "this number is too large".to_owned(),
                _ if number => "this is no number of GLSL that the machine knows".to_owned(),
                _ => "this is no word, number or sign of GLSL".to_owned(),
            }
        }
        (ErrorKind::SemanticError(why), found) => semantic(why, found),
        (ErrorKind::InternalError(_), _) => "the text cannot be read from here on".to_owned(),
        (kind, _) => plain(kind.to_string()),
    };
    if let ErrorKind::SemanticError(why) = &error.kind
        && why.starts_with("Missing entry point")
    {
        return Problem::new("compile.entry", 0..0, "there is no `void main()` in this text")
            .note("where a macro says which part of a text counts, define it: `-D NAME`");
    }
    let problem = Problem::new("compile.syntax", offsets.to_text(range, text.len()), message);
    match &error.kind {
        ErrorKind::SemanticError(why) if why.starts_with("Unknown function") => problem.note(
            "functions stand in front of their calls, and none calls itself: the machine has no recursion",
        ),
        _ => problem,
    }
}

fn first_line(found: &str) -> &str {
    found.lines().next().unwrap_or_default()
}

/// What could stand at a place.
fn expectation(expected: &[ExpectedToken]) -> String {
    let mut words: Vec<String> = Vec::new();
    for token in expected {
        let word = match token {
            ExpectedToken::TypeName => "a type".to_owned(),
            ExpectedToken::Identifier => "a name".to_owned(),
            ExpectedToken::IntLiteral => "a whole number".to_owned(),
            ExpectedToken::FloatLiteral => "a number".to_owned(),
            ExpectedToken::BoolLiteral => "`true` or `false`".to_owned(),
            ExpectedToken::Eof => "a declaration".to_owned(),
            ExpectedToken::Token(token) => sign(&format!("{token:?}")),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.as_slice() {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A token as it is written.
fn sign(token: &str) -> String {
    let sign = match token {
        "Semicolon" => ";",
        "Comma" => ",",
        "LeftBrace" => "{",
        "RightBrace" => "}",
        "LeftParen" => "(",
        "RightParen" => ")",
        "LeftBracket" => "[",
        "RightBracket" => "]",
        "Assign" => "=",
        "Colon" => ":",
        "While" => "while",
        "Case" => "case",
        "Default" => "default",
        "Void" | "Struct" => return "a type".to_owned(),
        token if token.starts_with("PrecisionQualifier") => return "a precision".to_owned(),
        _ => return "something else".to_owned(),
    };
    format!("`{sign}`")
}

/// What is wrong with the meaning of a text.
fn semantic(why: &str, found: Option<&str>) -> String {
    let quoted = why.split('"').filter(|part| !part.is_empty()).nth(1).unwrap_or_default();
    let named = why.split('\'').nth(1).unwrap_or_default();
    let starts = |front: &str| why.starts_with(front);
    if why.contains("runtime-expression") || starts("Expression is not const-expression") {
        return "a constant can only be made of constants".to_owned();
    }
    if starts("Unknown function") {
        return format!("there is no function `{named}` that takes these arguments");
    }
    if starts("Ambiguous best function") {
        return format!("several functions `{named}` take these arguments equally well");
    }
    if starts("Cannot apply operat") {
        return "this operation does not take values of these types".to_owned();
    }
    if starts("Invalid swizzle") || starts("Bad swizzle size") {
        return format!("`.{quoted}` chooses no components of this vector");
    }
    if starts("swizzle cannot have duplicate") {
        return format!("`.{quoted}` names a component twice, so nothing can be assigned to it");
    }
    if starts("Can't lookup field") {
        return format!("a value of this type has no member `{quoted}`");
    }
    if why.contains("left hand side") || why.contains("LHS") {
        let what = found.filter(|found| found.len() <= 40).map(|found| format!("`{found}`"));
        return format!("{} cannot be assigned to", what.unwrap_or_else(|| "this".to_owned()));
    }
    if starts("uniform/buffer blocks require") {
        return "the machine has no storage buffers: only uniforms".to_owned();
    }
    if starts("Expected a uint constant") {
        return "expected a whole number that is constant".to_owned();
    }
    if starts("Can't resolve type") || starts("Bad call") {
        return "the type of this cannot be told".to_owned();
    }
    plain(why.to_owned())
}

/// What is wrong with a program that reads, but makes no sense.
pub(super) fn valid(message: String) -> String {
    let number = |behind: &str| {
        let rest = message.split_once(behind)?.1;
        Some(rest.split_whitespace().next()?.to_owned())
    };
    let said = [
        ("can't work with", "this operation does not take values of these types"),
        ("component type is not expected", "a part of this value has another type than it needs"),
        ("Composing of type", "a value of this type cannot be made like that"),
        ("via a negative index", "an index is negative"),
        ("as expression", "an argument of this function has a type that it does not take"),
        ("Invalid argument count", "this function takes another number of arguments"),
        ("doesn't match the type", "a value has another type than what takes it"),
        (
            "does not match the declared return type",
            "what is returned has another type than the function declares",
        ),
        ("Expected selection", "the two values of `? :` have different types, or the condition is no `bool`"),
        ("condition", "a condition is no `bool`"),
        ("`switch` value", "`switch` takes a whole number"),
        ("Multiple `switch` cases", "`switch` has two cases for the same number"),
        ("can't be dynamically-sized", "an array needs a size here"),
        ("doesn't relate to a valid destination", "this cannot be assigned to"),
        ("can't be stored in a local variable", "a variable cannot have this type"),
        ("Relational argument", "this function does not take values of this type"),
        ("Swizzle component", "a component is chosen that the vector does not have"),
        ("Accessing with index", "an index is no whole number"),
        ("Loading of", "this is no value"),
    ];
    if message.starts_with("Accessing index")
        && let Some(number) = number("Accessing index ")
    {
        return format!("index {number} is outside of what is indexed");
    }
    // A message without names of types and parts of another program's inside is plain enough.
    if is_plain(&message) {
        return lower_first(message);
    }
    let known = said.iter().find(|(part, _)| message.contains(part));
    known.map_or_else(|| "this makes no sense here".to_owned(), |(_, text)| (*text).to_owned())
}

fn plain(message: String) -> String {
    if is_plain(&message) { lower_first(message) } else { "this makes no sense here".to_owned() }
}

/// Whether a message has nothing in it that only its writer knows: handles in brackets, and names of kinds.
fn is_plain(message: &str) -> bool {
    let inside: BTreeSet<&str> = [
        "Scalar",
        "Vector",
        "Matrix",
        "Pointer",
        "Expression",
        "Handle",
        "TypeInner",
        "ValuePointer",
        "BinaryOperator",
        "https:",
        "Capabilit",
        "capabilit",
        "const-expression",
        "Sint",
        "Uint",
        "Subtract",
        "Multiply",
    ]
    .into();
    let has_handle = message.match_indices('[').any(|(at, _)| {
        message.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    !has_handle && !message.contains('{') && !inside.iter().any(|word| message.contains(word))
}
