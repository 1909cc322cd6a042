//! Which outputs of a vertex program a fragment program reads textures with: the n-th of them is the n-th texture coordinate
//! of a machine whose textures have one each.

use super::{
    Files, expand,
    scan::{Token, tokens},
};
use std::collections::HashMap;

/// Statements of a text that are followed.
const STATEMENTS: usize = 4096;

/// Names of the inputs of a fragment program that it samples with, in the order in which it does.
pub(crate) fn sampled(text: &str, defines: &[(String, String)]) -> Vec<String> {
    let text = expand((0, "", text), 1, defines, &mut Files::none()).text;
    let words: Vec<Token<'_>> = tokens(&text).filter(|token| !token.text.starts_with('#')).collect();
    let word = |at: usize| words.get(at).map_or("", |token| token.text);
    let mut inputs: Vec<&str> = Vec::new();
    // What a variable was computed from.
    let mut from: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut found: Vec<String> = Vec::new();
    let mut depth = 0usize;
    for (at, token) in words.iter().enumerate().take(STATEMENTS * 16) {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "in" | "varying" if depth == 0 => {
                let end = (at..words.len()).find(|at| matches!(word(*at), ";" | "(" | ")")).unwrap_or(at);
                // A block has its members between braces; what is read of it has their names.
                let names = (at + 1..end).filter(|at| matches!(word(at + 1), ";" | "," | "[" | "}"));
                inputs.extend(names.map(word));
            }
            "=" => {
                let end = (at..words.len()).find(|at| word(*at) == ";").unwrap_or(words.len());
                let of = (at + 1..end).flat_map(|at| origins(word(at), &inputs, &from)).take(4).collect();
                if let Some(name) = at.checked_sub(1).map(word) {
                    from.entry(name).or_insert(of);
                }
            }
            "texture" | "texture2D" | "texture2DProj" | "textureProj" | "texture2DLod" | "textureLod"
            | "texture2DBias" => {
                let mut brackets = 0usize;
                let mut argument = 0usize;
                for inner in at + 1..words.len() {
                    match word(inner) {
                        "(" => brackets += 1,
                        ")" if brackets <= 1 => break,
                        ")" => brackets -= 1,
                        "," if brackets == 1 => argument += 1,
                        name if argument == 1 => {
                            for origin in origins(name, &inputs, &from) {
                                if !found.iter().any(|known| known == origin) {
                                    found.push(origin.to_owned());
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The inputs that a name stands for.
fn origins<'t>(name: &'t str, inputs: &[&'t str], from: &HashMap<&'t str, Vec<&'t str>>) -> Vec<&'t str> {
    match inputs.iter().find(|input| **input == name) {
        Some(input) => vec![input],
        None => from.get(name).cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_found_in_order() {
        let text = "#version 330\nin vec2 a, b;\nvarying vec3 c;\nuniform sampler2D s, t;\n#define READ(x) texture(t, x)\n\
            void main() { vec2 moved = b * 2.0; vec4 k = texture(s, moved + vec2(1.0)); k += READ(a); k.x += c.x; }";
        assert_eq!(sampled(text, &[]), ["b", "a"]);
        assert_eq!(sampled("texture(", &[]), Vec::<String>::new());
    }
}
