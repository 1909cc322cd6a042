//! Random edits of a file, each undone: what every format's edits must hold.

use std::collections::BTreeMap;
use unshade_bytes::{Owner, Severity};
use unshade_containers::edit::{Change, Changed, Renaming, Setting};
use unshade_containers::sharc::Source;
use unshade_containers::sharcfb::Record;
use unshade_containers::shbin::{Executable, Shbin};
use unshade_containers::{Container, FieldEncoding, Node};

/// Numbers that look random and are the same each time.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A name that no file has, from one to many letters long.
    pub fn name(&mut self) -> String {
        let len = match self.below(8) {
            0 => 1,
            1 => 40 + self.below(90),
            _ => 2 + self.below(20),
        };
        let letters = b"qxzjkvwyQXZJKVWY_0123456789";
        let text: String = (0..len).map(|_| char::from(letters[self.below(letters.len())])).collect();
        format!("{}{text}", ["q", "Zq", "x_"][self.below(3)])
    }
}

/// How often what was done.
#[derive(Debug, Default)]
pub struct Done {
    pub fields: usize,
    pub texts: usize,
    pub renames: usize,
    pub values: usize,
    pub refused: usize,
}

pub fn leaves(tree: &Node) -> Vec<(String, Node)> {
    let mut leaves = Vec::new();
    tree.walk(|path, node| {
        if node.children.is_empty() {
            leaves.push((path.to_owned(), node.clone()));
        }
    });
    leaves
}

/// The findings by their codes.
fn findings(container: &Container) -> BTreeMap<String, usize> {
    let mut findings = BTreeMap::new();
    for found in container.check() {
        *findings.entry(found.code.to_string()).or_default() += 1;
    }
    findings
}

fn set(path: &str, value: &str) -> Change {
    Change::Set(Setting { path: path.to_owned(), value: value.to_owned() })
}

/// What undoes a change: texts by the paths that they have now, values by their names, names by the names that they
/// have now.
fn undo(change: &Change, before: &Container, after: &Container, changed: &[Changed]) -> Vec<Change> {
    if let Change::Rename(renaming) = change {
        let (old, new) = (before.names(), after.names());
        assert_eq!(old.len(), new.len(), "a name came or went with {}", renaming.name);
        let index = old.iter().position(|named| named.name == renaming.name);
        if let Some(index) = index {
            let own = old[index].own.clone().unwrap();
            // In quotation marks, as blanks at its ends belong to it.
            let new = new[index].name.clone();
            return vec![Change::Rename(Renaming { name: new, new: format!("\"{own}\"") })];
        }
    }
    let texts: BTreeMap<u64, String> = leaves(&after.tree())
        .into_iter()
        .filter(|(_, node)| node.coding == FieldEncoding::Text)
        .map(|(path, node)| (node.offset, path))
        .collect();
    let paths: std::collections::BTreeSet<String> =
        leaves(&before.tree()).into_iter().map(|(path, _)| path).collect();
    changed
        .iter()
        .rev()
        .map(|change| match texts.get(&change.now.start).filter(|_| paths.contains(&change.path)) {
            Some(path) => set(path, &change.old),
            None => set(&change.path, &change.old),
        })
        .collect()
}

/// A change of some kind; nothing where the file has nothing of it.
fn choose(container: &Container, random: &mut Random, done: &mut Done) -> Option<(Change, bool)> {
    match random.below(4) {
        0 => {
            let leaves = leaves(&container.tree());
            let wanted: Vec<_> = leaves
                .iter()
                .filter(|(_, node)| {
                    matches!(
                        node.coding,
                        FieldEncoding::Number | FieldEncoding::Float | FieldEncoding::Float24
                    )
                })
                // A table that says otherwise where things are is a file that is laid out in another way.
                .filter(|(path, _)| !path.contains("relocation"))
                .collect();
            let (path, node) = wanted.get(random.below(wanted.len()))?;
            let value = match node.coding {
                FieldEncoding::Number => random.below(7).to_string(),
                _ => format!("{}.5", random.below(100)),
            };
            done.fields += 1;
            Some((set(path, &value), false))
        }
        1 => {
            let leaves = leaves(&container.tree());
            let wanted: Vec<_> =
                leaves.iter().filter(|(_, node)| node.coding == FieldEncoding::Text).collect();
            let (path, _) = wanted.get(random.below(wanted.len()))?;
            done.texts += 1;
            Some((set(path, &random.name()), true))
        }
        2 => {
            let names = container.names();
            let wanted: Vec<_> = names.iter().filter(|named| named.own.is_some()).collect();
            let named = wanted.get(random.below(wanted.len()))?;
            done.renames += 1;
            Some((Change::Rename(Renaming { name: named.name.clone(), new: random.name() }), true))
        }
        _ => {
            let names = container.names();
            let wanted: Vec<_> = names.iter().filter(|named| named.value.is_some()).collect();
            let named = wanted.get(random.below(wanted.len()))?;
            let takes = named.takes.clone().unwrap_or_default();
            let value = if let Some(choices) = takes.strip_prefix("one of ") {
                let choices: Vec<&str> = choices.split(", ").filter(|choice| *choice != "...").collect();
                choices.get(random.below(choices.len()))?.to_string()
            } else if takes.contains("or none") && random.below(4) == 0 {
                "none".to_owned()
            } else {
                let count = takes.split(' ').next()?.parse().unwrap_or(1_usize);
                let whole = random.below(2) == 0;
                let number = |random: &mut Random| match whole {
                    true => random.below(4).to_string(),
                    false => format!("{}.5", random.below(9)),
                };
                (0..count).map(|_| number(random)).collect::<Vec<_>>().join(", ")
            };
            done.values += 1;
            Some((set(&named.name, &value), false))
        }
    }
}

/// Whether the constants of a file stand in the order of registers: floats, integers, truth values.
fn has_order(container: &Container) -> bool {
    let Container::Shbin(file) = container else { return true };
    let executables: Vec<&Executable> = match file {
        Shbin::Linked(file) => file.executables.iter().map(|dvle| &dvle.executable).collect(),
        Shbin::Object(file) => vec![&file.executable],
    };
    executables.iter().all(|executable| {
        executable
            .constants
            .is_sorted_by_key(|constant| (u16::MAX - constant.value.kind(), constant.register))
    })
}

/// How many texts of an archive of sources have a second length that follows them, since it is theirs.
fn follow(container: &Container) -> usize {
    let Container::Sharc(file) = container else { return 0 };
    let sources = file.sources.iter().flat_map(|array| &array.items).filter_map(Record::known);
    let is_own =
        |source: &&Source| source.raw_len.is_none_or(|length| length as usize == source.text.0.len());
    sources.filter(is_own).count()
}

/// Does `steps` random edits, each after the other, and undoes them from the last to the first. After each the file is
/// sound, all its bytes have owners, and nothing is found that was not before; in the end it is as it was, at every step.
pub fn undone(label: &str, bytes: &[u8], random: &mut Random, steps: usize, done: &mut Done) {
    let Ok(mut container) = Container::read(bytes) else { return };
    // What an edit has mended, another may not damage again.
    if container.check().iter().any(|found| found.severity == Severity::Error) {
        return;
    }
    let mut back: Vec<(Vec<u8>, Vec<Change>, Change)> = Vec::new();
    for _ in 0..steps {
        let Some((change, is_text)) = choose(&container, random, done) else { continue };
        // Of two things of one name either may get another, but not that one again.
        let names = container.names();
        let different: std::collections::BTreeSet<&str> =
            names.iter().map(|named| named.name.as_str()).collect();
        if is_text && different.len() < names.len() {
            continue;
        }
        let (edited, changed) = match container.edit(std::slice::from_ref(&change)) {
            Ok(edited) => edited,
            Err(error) => {
                assert!(
                    !error.code.is_empty() && !error.to_string().is_empty(),
                    "{label}: {change:?}: {error:?}"
                );
                done.refused += 1;
                continue;
            }
        };
        let (before, after) = (findings(&container), findings(&edited));
        let new = after.iter().find(|(code, count)| before.get(*code).is_none_or(|known| known < count));
        if let Some((code, _)) = new {
            // A number may be one that makes no sense; a name may not.
            let all: Vec<String> = edited.check().iter().map(ToString::to_string).collect();
            assert!(!is_text, "{label}: {change:?} brings {code}: {}", all.join("\n"));
            continue;
        }
        let coverage = edited.coverage();
        assert_eq!(coverage.unowned().next(), None, "{label}: {change:?}");
        assert_eq!(coverage.len, edited.write().unwrap().len() as u64, "{label}: {change:?}");
        if is_text && !(keeps_padding(&container) && tells_alignment(&edited)) {
            continue;
        }
        if is_text && is_elsewhere(&changed, &edited) {
            continue;
        }
        // A length that was another and now is the text's own follows the text from then on.
        if follow(&edited) > follow(&container) {
            continue;
        }
        // What is taken out of a table in no order comes back behind the others.
        if matches!(&change, Change::Set(setting) if setting.value == "none") && !has_order(&container) {
            continue;
        }
        let undoing = undo(&change, &container, &edited, &changed);
        if changed.is_empty() {
            assert!(edited.write().unwrap() == container.write().unwrap(), "{label}: {change:?} is not told");
            continue;
        }
        back.push((container.write().unwrap(), undoing, change));
        container = edited;
    }
    while let Some((bytes, undoing, change)) = back.pop() {
        let (restored, _) = container
            .edit(&undoing)
            .unwrap_or_else(|error| panic!("{label}: {change:?} is not undone by {undoing:?}: {error}"));
        let written = restored.write().unwrap();
        let difference = restored.difference(&bytes).unwrap();
        assert!(
            written == bytes,
            "{label}: {change:?} is not undone by {undoing:?}: {} bytes of {}, {}, behind {:?}",
            written.len(),
            bytes.len(),
            difference.map(|difference| difference.to_string()).unwrap_or_default(),
            back.iter().map(|(_, _, change)| change).collect::<Vec<_>>()
        );
        container = restored;
    }
}

/// Whether padding in front of code is all zeros. Something else in it is lost where it becomes shorter.
fn keeps_padding(container: &Container) -> bool {
    let leaves = leaves(&container.tree());
    leaves.iter().all(|(path, node)| !path.contains(".data.padding") || node.owner == Owner::Padding(0))
}

/// Whether a text that went is still another one's in a file that keeps each string once, so that it would not come back
/// as a string of its own.
fn is_elsewhere(changed: &[Changed], edited: &Container) -> bool {
    if !matches!(edited, Container::Bnsh(_) | Container::Bfsha(_)) {
        return false;
    }
    let leaves = leaves(&edited.tree());
    let gone = |text: &str| leaves.iter().any(|(_, node)| node.value.as_deref() == Some(text));
    changed.iter().any(|change| gone(&change.old) || gone(&format!("\"{}\"", change.old)))
}

/// Whether the names of each GX2 header in a GFD show how they are aligned. Where all fit multiples of 4 by chance, nobody
/// can tell whether the next longer one is to be padded.
fn tells_alignment(container: &Container) -> bool {
    if !matches!(container, Container::Gfd(_)) {
        return true;
    }
    let mut ends: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (path, node) in leaves(&container.tree()) {
        if node.coding == FieldEncoding::Text {
            let block = path.split('.').next().unwrap_or_default().to_owned();
            ends.entry(block).or_default().push(node.size);
        }
    }
    ends.values().all(|sizes| sizes.iter().any(|size| !size.is_multiple_of(4)))
}

/// Texts that a file may not be able to hold, or that look like something else.
pub fn strange_texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        "\"",
        "\"\"",
        "\\",
        "\\0",
        "a\\0b",
        "\\q",
        "\\xff\\xfe",
        "\\x",
        "a.b[c]=d",
        "]",
        "[0]",
        "=",
        " ",
        "../x",
        "none",
        "n\u{e4}m\u{e9}",
        "\u{540d}\u{524d}",
        "\n",
        "a b",
    ]
    .map(str::to_owned)
    .into();
    texts.push("x".repeat(70_000));
    texts.push("long ".repeat((1 << 20) / 5));
    texts
}

/// Tries random edits with values that make sense or do not: each is refused with a reason, or gives a file that can be
/// read, is written the same way, and has an owner for each byte. How many were taken.
pub fn survives(label: &str, bytes: &[u8], random: &mut Random, steps: usize) -> usize {
    let Ok(mut container) = Container::read(bytes) else { return 0 };
    let strange = strange_texts();
    let mut taken = 0;
    for _ in 0..steps {
        let Some((mut change, _)) = choose(&container, random, &mut Done::default()) else { continue };
        if random.below(2) == 0 {
            let text = strange[random.below(strange.len())].clone();
            match &mut change {
                Change::Set(setting) => setting.value = text,
                Change::Rename(renaming) => renaming.new = text,
            }
        }
        match container.edit(&[change]) {
            Err(error) => {
                let message = error.to_string();
                assert!(!error.code.is_empty() && message.len() < 4096, "{label}: {error:?}");
            }
            Ok((edited, _)) => {
                let coverage = edited.coverage();
                let written = edited.write().unwrap();
                assert_eq!(coverage.len, written.len() as u64, "{label}");
                assert_eq!(Container::read(&written).unwrap().write().unwrap(), written, "{label}");
                taken += 1;
                container = edited;
            }
        }
        if container.write().unwrap().len() > 8 << 20 {
            break;
        }
    }
    taken
}
