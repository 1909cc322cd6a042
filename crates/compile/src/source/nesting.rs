//! Refuses texts whose nesting could exhaust the stack of the parser behind, which goes down as deep as they do.

use super::scan::{Token, tokens};
use unshade_bytes::problem::{Problem, Result};

/// Brackets inside each other.
const BRACKETS: usize = 64;
/// Prefix operators in a row, and links of what nests without brackets (`else if`, `? :`) in one function.
const CHAIN: usize = 64;
const BRANCHES: usize = 128;
/// Operators that hang on each other: those of one list, in all brackets that are open.
const OPERATORS: usize = 256;

/// Checks the nesting of a text in either language.
pub(super) fn check(text: &str) -> Result<()> {
    let (mut depth, mut chain, mut branches) = (0usize, 0usize, 0usize);
    let mut assigned = 0usize;
    let mut operators = vec![0usize];
    let mut hanging = 0usize;
    for token in tokens(text) {
        let Token { span, text: word } = token;
        let deep = |what: &str, most: usize| {
            let message = format!("{what}; at most {most} are read");
            Err(Problem::new("compile.nesting", span.clone(), message))
        };
        chain = match word {
            "-" | "!" | "~" | "+" | "&" | "*" | "--" | "++" | "&&" | "<" => chain + 1,
            _ => 0,
        };
        if chain > CHAIN {
            return deep("operators stand in front of each other", CHAIN);
        }
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "else" | "?" => branches += 1,
            "=" => assigned += 1,
            _ => {}
        }
        if matches!(word, ";" | "{" | "}") {
            assigned = 0;
        }
        if let Some(here) = operators.last_mut() {
            match word {
                "," | ";" | "{" | "}" => hanging = hanging.saturating_sub(std::mem::take(here)),
                "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<" | ">" | "<=" | ">=" | "==" | "!="
                | "&&" | "||" | "." | "!" | "~" | "++" | "--" | "[" | "(" => {
                    *here += 1;
                    hanging += 1;
                }
                _ => {}
            }
        }
        match word {
            "(" | "[" => operators.push(0),
            ")" | "]" if operators.len() > 1 => {
                hanging = hanging.saturating_sub(operators.pop().unwrap_or(0))
            }
            _ => {}
        }
        if hanging > OPERATORS {
            return deep("operators of one expression hang on each other", OPERATORS);
        }
        if depth == 0 && word == "}" {
            branches = 0;
        }
        if depth > BRACKETS {
            return deep("brackets stand inside each other", BRACKETS);
        }
        if branches > BRANCHES || assigned > CHAIN {
            return deep("conditions or assignments hang on each other", BRANCHES);
        }
    }
    Ok(())
}
