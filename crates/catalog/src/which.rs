//! From what an emulator says to the programs it may mean: hashes in logs, names of dumped files, and dumps themselves.

use crate::{
    catalog::Catalog,
    emulators::Scheme,
    load,
    row::Row,
    scan,
    stage::{HEAD, head_hash, hex},
};
use serde::Serialize;
use std::collections::HashMap;
use unshade::Stage;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// As it was given.
    pub text: String,
    /// Hashes in it, as lower-case hexadecimal digits: 8 or 16.
    pub hashes: Vec<String>,
    /// It is a name that Cemu gives a vertex or geometry program, which no file alone can explain.
    pub needs_layout: bool,
    /// Code that was dumped, with the places where a program may start in it.
    pub dump: Option<Vec<u8>>,
}

/// The stage suffixes of Cemu's names.
const CEMU_STAGES: [&str; 3] = ["vs", "gs", "ps"];

impl Query {
    /// Takes a hash, a line of a log or the name of a file apart. `None` where no hash is in it: a run of 8 or 16
    /// hexadecimal digits.
    pub fn of_text(text: &str) -> Option<Self> {
        let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
        let stem = name.split('.').next().unwrap_or(name);
        let parts: Vec<&str> = stem.split('_').collect();
        // Names of dumped files hold more hashes than that of the program.
        let (wanted, needs_layout) = match parts.as_slice() {
            [base, aux, stage, ..] if is_hash(base) && is_hash(aux) && CEMU_STAGES.contains(stage) => {
                (vec![*base], *stage != "ps")
            }
            [pipeline, stage, shader] if is_hash(pipeline) && stage.len() == 2 && is_hash(shader) => {
                (vec![*shader], false)
            }
            _ => (Vec::new(), false),
        };
        let mut hashes: Vec<String> = wanted.into_iter().map(str::to_ascii_lowercase).collect();
        if hashes.is_empty() {
            let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
            let digits = words.map(|word| word.strip_prefix("0x").unwrap_or(word));
            hashes.extend(digits.filter(|word| is_hash(word)).map(str::to_ascii_lowercase));
            hashes.dedup();
        }
        (!hashes.is_empty()).then(|| Self { text: text.to_owned(), hashes, needs_layout, dump: None })
    }

    /// Takes a dumped file: its code, and the hash in its name where there is one.
    pub fn of_dump(name: &str, bytes: Vec<u8>) -> Self {
        let of_name = Self::of_text(name);
        let (hashes, needs_layout) =
            of_name.map(|query| (query.hashes, query.needs_layout)).unwrap_or_default();
        Self { text: name.to_owned(), hashes, needs_layout, dump: Some(bytes) }
    }
}

fn is_hash(word: &str) -> bool {
    matches!(word.len(), 8 | 16) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// How a program was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// By a hash of our own: `code_hash`, `normal_hash`.
    Column(String),
    /// By what an emulator calls it.
    Emulator(String),
    /// By its code, of which so many bytes stand in the dump one after the other from its start on.
    Content {
        /// Bytes that are the same.
        same: u64,
        /// Bytes of the program.
        of: u64,
    },
}

/// How sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// The hash is of the program alone.
    Exact,
    /// The hash is this one under a condition that the rule says.
    Conditional,
    /// The bytes are the same.
    Content,
}

/// A program that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Match {
    /// What names it on the command line.
    pub place: String,
    /// By which rule.
    pub rule: Rule,
    /// That rule in words.
    pub meaning: String,
    /// How sure it is.
    pub certainty: Certainty,
    /// Hash of the program, as `ls` prints it.
    pub code_hash: String,
    /// Options or macros that it was compiled for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub options: String,
}

/// What `which --json` prints for a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// What was asked for.
    pub query: String,
    /// In the order of the catalog.
    pub found: Vec<Match>,
}

/// Looks through a catalog and gives every program that a query may mean.
///
/// # Errors
/// Where the catalog cannot be read.
pub fn which(catalog: &Catalog, query: &Query, found: &mut dyn FnMut(Match)) -> Result<(), scan::Error> {
    let heads = query.dump.as_deref().map(heads).unwrap_or_default();
    // Programs that are the same are the same everywhere: each is read once.
    let mut loaded: HashMap<String, Option<u64>> = HashMap::new();
    for row in catalog.rows()? {
        let row = row.map_err(catalog.fault())?;
        if !row.is_stage() {
            continue;
        }
        if let Some((rule, meaning, certainty)) = by_hash(&row, query) {
            found(of_row(&row, rule, meaning, certainty));
            continue;
        }
        let Some(dump) = query.dump.as_deref().filter(|_| heads.contains(&row.head_hash)) else { continue };
        let same = loaded
            .entry(row.code_hash.clone())
            .or_insert_with(|| load::stage(&row).ok().and_then(|stage| same(&stage, dump)));
        if let Some(same) = *same {
            let meaning = match same == row.code_bytes {
                true => "the dump holds all of its code".to_owned(),
                false => format!("the dump holds the first {same} of its {} bytes of code", row.code_bytes),
            };
            found(of_row(&row, Rule::Content { same, of: row.code_bytes }, meaning, Certainty::Content));
        }
    }
    Ok(())
}

fn of_row(row: &Row, rule: Rule, meaning: String, certainty: Certainty) -> Match {
    Match {
        place: row.place(),
        rule,
        meaning,
        certainty,
        code_hash: row.code_hash.clone(),
        options: row.options.clone(),
    }
}

fn by_hash(row: &Row, query: &Query) -> Option<(Rule, String, Certainty)> {
    let wanted = |hash: &str| query.hashes.iter().any(|wanted| wanted == hash);
    for (name, hash, meaning) in [
        ("code_hash", &row.code_hash, "the hash that `ls` prints"),
        (
            "normal_hash",
            &row.normal_hash,
            "the hash that does not depend on names of registers and constants",
        ),
    ] {
        if wanted(hash) {
            return Some((Rule::Column(name.to_owned()), meaning.to_owned(), Certainty::Exact));
        }
    }
    // Caches name programs by what their emulators call them.
    if let Some((emulator, meaning)) = own_names(&row.format)
        && row.item.split(['_', '.']).any(wanted)
    {
        return Some((Rule::Emulator(emulator.to_owned()), meaning.to_owned(), Certainty::Exact));
    }
    let pairs = row.emulator_hashes.split(' ').filter_map(|pair| pair.split_once(':'));
    let (scheme, _) = pairs.into_iter().find(|(_, hash)| wanted(hash))?;
    let known = Scheme::named(scheme);
    let certainty = match known {
        Some(Scheme::Yuzu) => Certainty::Exact,
        _ => Certainty::Conditional,
    };
    let meaning = known.map_or("", Scheme::describe).to_owned();
    Some((Rule::Emulator(scheme.to_owned()), meaning, certainty))
}

/// Whose names the programs of a cache have, and what that means.
fn own_names(format: &str) -> Option<(&'static str, &'static str)> {
    match format {
        "cemu" => Some(("cemu", "what Cemu calls it, by its own cache")),
        "citra" => Some(("citra", "what Citra or Azahar call it, by their own cache")),
        "vkch" => Some(("azahar", "what Azahar calls it, by its own cache")),
        _ => None,
    }
}

/// Where a program's code may start in a dump: at once, behind a header of the Switch's graphics programs, or behind the
/// front of a code section and that header.
const STARTS: [usize; 4] = [0, 0x50, 0x30, 0x80];

fn heads(dump: &[u8]) -> Vec<String> {
    let starts = STARTS.into_iter().filter_map(|start| dump.get(start..)).filter(|code| code.len() >= HEAD);
    starts.map(|code| hex(head_hash(code))).collect()
}

/// How many bytes of a program a dump holds, where that is all up to zeros, branches and what the emulator left out at its
/// end; `None` where the code is another.
fn same(stage: &Stage<'_>, dump: &[u8]) -> Option<u64> {
    let code: Vec<u8> = stage.code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let best = STARTS.into_iter().filter_map(|start| dump.get(start..)).map(|dumped| {
        let same = code.iter().zip(dumped).take_while(|(one, other)| one == other).count();
        let rest = dumped.get(same..).unwrap_or_default();
        // What the emulator wrote behind the code is zeros; a longer dump of something else is something else.
        (same, same == code.len() || rest.iter().all(|byte| *byte == 0))
    });
    let (same, whole) = best.max()?;
    (whole && same >= HEAD.min(code.len())).then_some(same as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str) -> Vec<String> {
        Query::of_text(text).map(|query| query.hashes).unwrap_or_default()
    }

    #[test]
    fn hashes_in_logs_and_names() {
        assert_eq!(hashes("0C693049D8C2C68D"), ["0c693049d8c2c68d"]);
        assert_eq!(hashes("0x0c693049d8c2c68d"), ["0c693049d8c2c68d"]);
        assert_eq!(hashes("Shader 0c693049d8c2c68d: unimplemented"), ["0c693049d8c2c68d"]);
        assert_eq!(hashes("dump/shaders/1111111111111111_FS_0c693049d8c2c68d.ash"), ["0c693049d8c2c68d"]);
        assert_eq!(hashes("92492491236c9124_0000000000000079_ps.txt"), ["92492491236c9124"]);
        assert_eq!(hashes("3b952d71"), ["3b952d71"]);
        assert!(hashes("nothing here 123").is_empty());
        let vertex = Query::of_text("92492491236c9124_0000000000000000_vs.txt");
        assert!(vertex.is_some_and(|query| query.needs_layout));
    }

    #[test]
    fn dumps_as_emulators_write_them() {
        let words: Vec<u32> = (1..40).collect();
        let stage = unshade::raw_stage(unshade::Isa::Maxwell, words.clone(), Vec::new());
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let all = code.len() as u64;
        assert_eq!(same(&stage, &code), Some(all));
        // Behind a header, cut in front of the last instruction, zeros behind it.
        let dump = [vec![7; 0x50], code[..code.len() - 8].to_vec(), vec![0; 24]].concat();
        assert_eq!(same(&stage, &dump), Some(all - 8));
        let mut other = code.clone();
        other[100] ^= 1;
        assert_eq!(same(&stage, &other), None);
    }
}
