//! Which declarations of a program nobody uses, so that they do not count.
//!
//! A declaration stands outside of functions: a variable, a structure, a block, a function. It counts if `main`
//! mentions its name, or something that `main` needs does. Of several variables that one line declares, and of the
//! members of blocks and structures, each counts for itself; what they share (`uniform vec4`, `uniform Name { }`)
//! counts if one of them does. `precision` says nothing that a program does and never counts; a layout without a
//! variable (`layout(local_size_x = 8) in;`) always does.
//!
//! Names are compared as they are: a local variable or a parameter of the same name keeps a declaration alive, in
//! both texts alike.

use super::tokens::{is_name, tokens};
use std::collections::BTreeSet;

/// What counts of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counted {
    /// Tokens.
    pub tokens: usize,
    /// Loops: `for`, `while`, and `do` (whose `while` is its end).
    pub loops: usize,
    /// Functions without `main`.
    pub functions: usize,
    /// Bits that are read as another kind.
    pub bitcasts: usize,
    /// All names that occur, once.
    pub names: BTreeSet<String>,
}

/// A piece of a declaration that counts if one of its names is needed.
struct Piece<'a> {
    tokens: Vec<&'a str>,
    /// What it declares; empty: counts with whatever it belongs to.
    declares: Vec<&'a str>,
}

/// One declaration outside of functions.
struct Item<'a> {
    /// Counts as soon as one piece does.
    shared: Vec<&'a str>,
    /// Names that make all of it count.
    whole: Vec<&'a str>,
    pieces: Vec<Piece<'a>>,
    always: bool,
    function: bool,
}

/// Counts a program.
pub fn count(text: &str) -> Counted {
    let tokens = tokens(text);
    let items = items(&tokens);
    let mut needed: BTreeSet<&str> = BTreeSet::from(["main"]);
    let mut taken: Vec<Vec<bool>> = items.iter().map(|item| vec![false; item.pieces.len()]).collect();
    let mut alive = vec![false; items.len()];
    loop {
        let mut grew = false;
        for (index, item) in items.iter().enumerate() {
            let whole = item.whole.iter().any(|name| needed.contains(name));
            for (piece, taken) in item.pieces.iter().zip(&mut taken[index]) {
                let wanted = item.always
                    || piece.declares.iter().any(|name| needed.contains(name))
                    || item.function && whole;
                if wanted && !*taken {
                    (*taken, alive[index], grew) = (true, true, true);
                    needed.extend(uses(&piece.tokens));
                }
            }
            if (item.always || whole && item.pieces.is_empty()) && !alive[index] {
                (alive[index], grew) = (true, true);
            }
            if alive[index] {
                let before = needed.len();
                needed.extend(uses(&item.shared));
                grew |= needed.len() > before;
            }
        }
        if !grew {
            break;
        }
    }
    let mut counted = Counted::default();
    for (index, item) in items.iter().enumerate().filter(|(index, _)| alive[*index]) {
        let pieces = item.pieces.iter().zip(&taken[index]).filter(|(_, taken)| **taken);
        let all = item.shared.iter().chain(pieces.flat_map(|(piece, _)| &piece.tokens));
        let all: Vec<&str> = all.copied().collect();
        counted.tokens += all.len();
        counted.functions += usize::from(item.function && !item.whole.contains(&"main"));
        let of = |name: &str| all.iter().filter(|token| **token == name).count();
        counted.loops += of("for") + of("while");
        counted.bitcasts += ["floatBitsToInt", "floatBitsToUint", "intBitsToFloat", "uintBitsToFloat"]
            .map(of)
            .iter()
            .sum::<usize>();
        counted.names.extend(all.iter().filter(|token| is_name(token)).map(|token| (*token).to_owned()));
    }
    counted
}

/// The names that something mentions; what follows a dot is a component or a member, and members are names.
fn uses<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    tokens.iter().filter(|token| is_name(token)).copied().collect()
}

/// Where the bracket that opens at `at` ends: behind it.
fn behind(tokens: &[&str], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn items<'a>(tokens: &[&'a str]) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        // The head goes to the first `;`, `{` or `=` outside of brackets.
        let mut at = start;
        while at < tokens.len() && !matches!(tokens[at], ";" | "{" | "=") {
            at = if matches!(tokens[at], "(" | "[") { behind(tokens, at) } else { at + 1 };
        }
        let function = at < tokens.len() && tokens[at] == "{" && tokens[at - 1] == ")";
        let end = if function {
            behind(tokens, at)
        } else {
            let mut end = at;
            while end < tokens.len() && tokens[end] != ";" {
                end = if matches!(tokens[end], "(" | "[" | "{") { behind(tokens, end) } else { end + 1 };
            }
            (end + 1).min(tokens.len())
        };
        let item = &tokens[start..end];
        if item.first() != Some(&"precision") && !item.is_empty() {
            found.push(if function {
                self::function(item)
            } else if at < tokens.len() && tokens[at] == "{" {
                block(item, at - start)
            } else {
                variables(item)
            });
        }
        start = end.max(start + 1);
    }
    found
}

fn function<'a>(item: &[&'a str]) -> Item<'a> {
    let open = item.iter().position(|token| *token == "(").unwrap_or(0);
    let name = item[open.saturating_sub(1)];
    Item {
        shared: Vec::new(),
        whole: vec![name],
        pieces: vec![Piece { tokens: item.to_vec(), declares: vec![name] }],
        always: false,
        function: true,
    }
}

/// A structure or a block of an interface: its members are pieces.
fn block<'a>(item: &[&'a str], open: usize) -> Item<'a> {
    let close = behind(item, open) - 1;
    let mut shared = item[..=open].to_vec();
    shared.extend(&item[close..]);
    let mut pieces = Vec::new();
    for member in item[open + 1..close].split_inclusive(|token| *token == ";") {
        pieces.extend(declarators(member).1);
    }
    Item { shared, whole: Vec::new(), pieces, always: false, function: false }
}

fn variables<'a>(item: &[&'a str]) -> Item<'a> {
    let (shared, pieces) = declarators(item);
    let always = pieces.is_empty();
    let shared = if always { item.to_vec() } else { shared };
    Item { shared, whole: Vec::new(), pieces, always, function: false }
}

/// `layout(...) uniform vec4 a, b[4];` as what the variables share, and the variables.
///
/// A member of a block is one piece with its type: its own type counts with it.
fn declarators<'a>(item: &[&'a str]) -> (Vec<&'a str>, Vec<Piece<'a>>) {
    let body = if item.last() == Some(&";") { &item[..item.len() - 1] } else { item };
    // Commas outside of brackets part the variables.
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    let mut at = 0;
    while at < body.len() {
        if body[at] == "," {
            parts.push(Vec::new());
            at += 1;
            continue;
        }
        let end = if matches!(body[at], "(" | "[" | "{") { behind(body, at) } else { at + 1 };
        if let Some(last) = parts.last_mut() {
            last.extend(&body[at..end]);
        }
        at = end;
    }
    // In the first part, the variable is the last name in front of `[` or `=`, outside of brackets.
    let first = parts.remove(0);
    let mut name = None;
    let mut at = 0;
    while at < first.len() {
        match first[at] {
            "=" => break,
            "(" | "[" => at = behind(&first, at),
            token => {
                if is_name(token) {
                    name = Some(at);
                }
                at += 1;
            }
        }
    }
    let Some(name) = name.filter(|name| !matches!(first[*name], "in" | "out" | "buffer" | "uniform")) else {
        return (first, Vec::new());
    };
    // `float[5] a`: brackets of the type stand in front of the name.
    let mut shared = first[..name].to_vec();
    let mut pieces = vec![Piece { tokens: first[name..].to_vec(), declares: vec![first[name]] }];
    for part in parts {
        // A comma belongs to the variable behind it.
        let mut tokens = vec![","];
        let declares = part.first().copied().into_iter().collect();
        tokens.extend(part);
        pieces.push(Piece { tokens, declares });
    }
    shared.push(";");
    if let [only] = pieces.as_mut_slice() {
        // Type and variable come and go together.
        shared.append(&mut only.tokens);
        only.tokens = shared;
        return (Vec::new(), pieces);
    }
    (shared, pieces)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn what_nobody_uses_does_not_count() {
        let bare = "void main() { gl_Position = vec4(0.0); }";
        let more = "precision highp float; uniform vec4 a; uniform B { vec4 b; mat4 m; }; float f(float x) { return x; } \
                    layout(location = 0) in vec3 n; void main() { gl_Position = vec4(0.0); }";
        assert_eq!(count(bare).tokens, 13);
        assert_eq!(count(more), count(bare));
    }

    #[test]
    fn each_variable_counts_for_itself() {
        let both = "uniform vec4 a, b; void main() { c = a + b; }";
        let one = "uniform vec4 a, b; void main() { c = a; }";
        assert_eq!(count(both).tokens, 6 + 5 + 7);
        assert_eq!(count(one).tokens, 4 + 5 + 5);
    }

    #[test]
    fn members_count_where_they_are_used() {
        let text = "layout(std140) uniform B { vec4 a; mat4 m; } b; void main() { c = b.m; }";
        let less = "layout(std140) uniform B { mat4 m; } b; void main() { c = b.m; }";
        assert_eq!(count(text), count(less));
        assert_eq!(count(less).tokens, 13 + 12);
    }

    #[test]
    fn functions_and_loops_are_counted() {
        let text = "float g(float x) { return x; } float f(float x) { for (;;) { x = g(x); } return x; } \
                    float h() { return 1.0; } void main() { do { a = f(a); } while (a < 1.0); }";
        let counted = count(text);
        assert_eq!((counted.functions, counted.loops), (2, 2));
    }
}
