//! Two files, through the wrappers around what is in them.

use super::{
    bytes,
    programs::{Named, ProgramDifference, ProgramFate, pair, programs},
    sequence::align,
    sources::{SourceDifference, sources},
    structure::{BytesDifference, FieldDifference, PartDifference, Side, StructureDifference, structure},
};
use crate::{Inner, OpenError, Opened, SourceText, UnknownName, open_at, source_texts};
use serde::Serialize;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};
use unshade_containers::{
    Container, Node,
    wrap::{
        layer::Layer,
        nest::{Bounds, Chain, Found, Piece, Source, Wrapper, walk_within},
        zstd::Dictionaries,
    },
};

/// One of the two things that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The outermost file.
    pub source: Source<'a>,
    /// What is meant in it, see [`open_at`](crate::open_at).
    pub names: &'a [String],
    /// Which programs, see [`Opened::require`]; without it everything is compared.
    pub item: Option<&'a str>,
}

/// What is different between two files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// Whether every byte that was compared is the same.
    pub same: bool,
    /// Files that are not the same, in the order of the old archive; the file itself where nothing is around it. Wrappers
    /// come before what is inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileDifference>,
    /// Programs that are not the same, where programs were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramDifference>,
    /// Sources that are not the same, where sources were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceDifference>,
    /// What could not be looked into, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FileFate {
    /// It holds something else.
    Changed,
    /// It is the same under another name.
    Renamed,
    /// It is in the old archive only.
    Removed,
    /// It is in the new archive only.
    Added,
}

/// A file that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileDifference {
    /// What happened to it.
    pub fate: FileFate,
    /// Which wrapper it is, where it is one: what is told is what it says beside what is inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<String>,
    /// What stands behind `:` of the old file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What stands behind `:` of the new file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Its size in the old archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_bytes: Option<u64>,
    /// Its size in the new archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_bytes: Option<u64>,
    /// The containers in it that are not the same, or the wrapper that it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub containers: Vec<ContainerDifference>,
    /// Ranges of bytes that belong to no container.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<BytesDifference>,
}

/// A container, or a wrapper, that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerDifference {
    /// Where it starts in the old file; none where it is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_offset: Option<u64>,
    /// Where it starts in the new file; none where it is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_offset: Option<u64>,
    /// What it was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub old_format: String,
    /// What it is. Where that is something else, the structures are not compared.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub new_format: String,
    /// Fields with other values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldDifference>,
    /// Parts of one file only, or elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartDifference>,
    /// Offsets, sizes and counts that are others because of what is different.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follows: Vec<FieldDifference>,
    /// Programs that are not the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramDifference>,
    /// How many programs are the same.
    pub same_programs: u64,
    /// Sources that are not the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceDifference>,
    /// Bytes that differ behind values that do not, or that nothing else explains.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<BytesDifference>,
}

/// Why two files cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffError {
    /// Whether it is the new file that is wrong.
    pub new: bool,
    /// What is wrong.
    pub error: OpenError,
}

impl DiffError {
    fn old(error: OpenError) -> Self {
        Self { new: false, error }
    }

    fn new(error: OpenError) -> Self {
        Self { new: true, error }
    }
}

/// Compares two files, or what is meant in them.
///
/// # Errors
///
/// Where nothing has the name that was asked for, or programs are asked for in a file that does not open.
pub fn diff(old: &Place<'_>, new: &Place<'_>) -> Result<Difference, DiffError> {
    if old.item.is_some() || new.item.is_some() {
        return items(old, new);
    }
    let mut found = Difference::default();
    if old.names.is_empty() && new.names.is_empty() && old.source.bytes == new.source.bytes {
        found.same = true;
        return Ok(found);
    }
    let before = Contents::read(old, &mut found.notes).map_err(DiffError::old)?;
    let after = Contents::read(new, &mut found.notes).map_err(DiffError::new)?;
    wrappers(&before, &after, &mut found.files);
    files(&before, &after, &mut found);
    found.same = found.files.is_empty() && before.bytes() == after.bytes();
    Ok(found)
}

/// Compares the programs that are asked for.
fn items(old: &Place<'_>, new: &Place<'_>) -> Result<Difference, DiffError> {
    let named = |place: &Place<'_>| -> Result<Vec<Named<'static>>, OpenError> {
        let found = crate::programs(place.source, place.names, place.item)?;
        Ok(found.stages.into_iter().map(|(item, stage)| Named { item, stage }).collect())
    };
    let (before, after) = (named(old).map_err(DiffError::old)?, named(new).map_err(DiffError::new)?);
    if before.is_empty() && after.is_empty() {
        let (old, new) = (texts(old).map_err(DiffError::old)?, texts(new).map_err(DiffError::new)?);
        let sources = match (old.as_slice(), new.as_slice()) {
            ([x], [y]) => super::sources::pair(x, y).into_iter().filter(|_| x.text != y.text).collect(),
            _ => sources(&old, &new),
        };
        return Ok(Difference { same: sources.is_empty(), sources, ..Difference::default() });
    }
    let programs = match (before.as_slice(), after.as_slice()) {
        // One that was chosen on each side is compared whatever it is called.
        ([x], [y]) if crate::code_hash::code_hash(&x.stage) == crate::code_hash::code_hash(&y.stage) => {
            Vec::new()
        }
        ([x], [y]) => vec![pair(x, y, ProgramFate::Changed)],
        _ => programs(&before, &after).0,
    };
    Ok(Difference { same: programs.is_empty(), programs, ..Difference::default() })
}

/// The sources that are asked for.
fn texts(place: &Place<'_>) -> Result<Vec<SourceText>, OpenError> {
    Ok(source_texts(&open_at(place.source, place.names)?, place.item))
}

/// A file with what is in it.
struct Contents<'a> {
    file: &'a [u8],
    files: Vec<Part>,
    wrappers: Vec<(Wrapper, Part)>,
    dictionaries: Dictionaries,
}

/// A file in it.
struct Part {
    chain: Chain,
    piece: Piece,
    /// Of a container in a blob that was chosen: where it starts and ends.
    chosen: Option<Box<Inner>>,
}

impl<'a> Contents<'a> {
    fn read(place: &Place<'a>, notes: &mut Vec<String>) -> Result<Self, OpenError> {
        let file = place.source.bytes;
        let mut contents =
            Self { file, files: Vec::new(), wrappers: Vec::new(), dictionaries: Dictionaries::default() };
        let bounds = Bounds { in_bytes: !place.names.is_empty(), ..Bounds::default() };
        let mut walk = walk_within(place.source, place.names, bounds);
        for found in walk.by_ref() {
            match found {
                Found::Wrapper { chain, kind, piece, names } if names.is_empty() => {
                    contents.wrappers.push((kind, Part { chain, piece, chosen: None }));
                }
                Found::Wrapper { .. } => {}
                Found::File { chain, piece, names } => {
                    let chosen = match names.is_empty() {
                        true => None,
                        false => {
                            let mut opened = Opened::default();
                            opened.file(file, chain.clone(), piece.clone(), &names)?;
                            opened.containers.pop().map(Box::new)
                        }
                    };
                    contents.files.push(Part { chain, piece, chosen });
                }
                Found::Failed { chain, error } => {
                    let name = chain.name().map(|name| format!(":{name}: ")).unwrap_or_default();
                    notes.push(format!("{name}compared as bytes: {error}"));
                    if chain.0.is_empty() {
                        contents.files.push(Part { chain, piece: Piece::whole(file.len()), chosen: None });
                    }
                }
                Found::Unknown { chain, wanted, known } => {
                    let above = chain.name().map(|name| format!(":{name}")).unwrap_or_default();
                    let known = known.iter().map(|name| format!("{above}:{name}")).collect();
                    return Err(UnknownName { wanted: format!("{above}:{wanted}"), known }.into());
                }
            }
        }
        contents.dictionaries = walk.dictionaries().clone();
        Ok(contents)
    }

    /// All bytes that are compared: of the outermost wrapper that was chosen, or of the files.
    fn bytes(&self) -> Vec<&[u8]> {
        match self.wrappers.first() {
            Some((_, part)) => vec![part.bytes(self.file)],
            None => self.files.iter().map(|part| part.bytes(self.file)).collect(),
        }
    }

    /// Places of the files in a wrapper, from its start.
    fn inside(&self, wrapper: &Part) -> Vec<Range<u64>> {
        let same_bytes = |a: &Option<Arc<Vec<u8>>>, b: &Option<Arc<Vec<u8>>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let start = wrapper.piece.range.start;
        let parts = self.files.iter().chain(self.wrappers.iter().map(|(_, part)| part));
        parts
            .filter(|part| part.chain.0.len() > wrapper.chain.0.len())
            .filter(|part| same_bytes(&part.piece.unpacked, &wrapper.piece.unpacked))
            .map(|part| {
                let place =
                    part.piece.range.start.saturating_sub(start)..part.piece.range.end.saturating_sub(start);
                place.start as u64..place.end as u64
            })
            .collect()
    }
}

impl Part {
    fn bytes<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        match &self.chosen {
            Some(inner) => {
                let bytes = inner.original(file);
                let len = inner.container.tree().size;
                bytes.get(..usize::try_from(len).unwrap_or(usize::MAX)).unwrap_or(bytes)
            }
            None => self.piece.bytes(file),
        }
    }

    fn name(&self) -> Option<String> {
        match &self.chosen {
            Some(inner) => inner.name.clone(),
            None => self.chain.name(),
        }
    }

    /// The containers in it.
    fn containers(&self, file: &[u8], notes: &mut Vec<String>) -> Vec<Inner> {
        if let Some(inner) = &self.chosen {
            return vec![inner.as_ref().clone()];
        }
        let mut opened = Opened::default();
        // What is no container, and holds none, is compared as bytes.
        let _ = opened.file(file, self.chain.clone(), self.piece.clone(), &[]);
        notes.extend(opened.failed.iter().map(|error| format!("compared as bytes: {error}")));
        opened.containers
    }
}

/// Pairs of parts: by name, then by contents, then the only ones that are left.
fn pairs(old: &[&Part], new: &[&Part], before: &[u8], after: &[u8]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut to: Vec<Option<usize>> = vec![None; old.len()];
    let mut free: Vec<bool> = vec![true; new.len()];
    fn take<K: Hash + Eq>(
        to: &mut [Option<usize>],
        free: &mut [bool],
        old: impl Fn(usize) -> K,
        new: impl Fn(usize) -> K,
    ) {
        let mut places: HashMap<K, Vec<usize>> = HashMap::new();
        (0..free.len()).rev().filter(|&y| free[y]).for_each(|y| places.entry(new(y)).or_default().push(y));
        for (x, to) in to.iter_mut().enumerate().filter(|(_, to)| to.is_none()) {
            *to = places.get_mut(&old(x)).and_then(Vec::pop);
            if let Some(y) = *to {
                free[y] = false;
            }
        }
    }
    take(&mut to, &mut free, |x| old[x].name(), |y| new[y].name());
    take(&mut to, &mut free, |x| hash(old[x].bytes(before)), |y| hash(new[y].bytes(after)));
    let left: Vec<usize> = (0..old.len()).filter(|&x| to[x].is_none()).collect();
    let right: Vec<usize> = (0..new.len()).filter(|&y| free[y]).collect();
    if let ([x], [y]) = (left.as_slice(), right.as_slice())
        && old.len() == 1
        && new.len() == 1
    {
        to[*x] = Some(*y);
        free[*y] = false;
    }
    let added = (0..new.len()).filter(|&y| free[y]).map(|y| (None, Some(y)));
    to.iter().enumerate().map(|(x, y)| (Some(x), *y)).chain(added).collect()
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// A file that is not the same, without what is different in it.
fn file(fate: FileFate, old: Option<(&Part, &[u8])>, new: Option<(&Part, &[u8])>) -> FileDifference {
    let bytes = |side: Option<(&Part, &[u8])>| side.map(|(part, file)| part.bytes(file).len() as u64);
    FileDifference {
        fate,
        wrapper: None,
        old: old.and_then(|(part, _)| part.name()),
        new: new.and_then(|(part, _)| part.name()),
        old_bytes: bytes(old),
        new_bytes: bytes(new),
        containers: Vec::new(),
        bytes: Vec::new(),
    }
}

/// Compares what wrappers say beside what is in them.
fn wrappers(before: &Contents<'_>, after: &Contents<'_>, found: &mut Vec<FileDifference>) {
    // A compressed file and what is in it have one name: the kinds are compared with their own.
    for kind in [Wrapper::Yaz0, Wrapper::Zstd, Wrapper::Sarc, Wrapper::Bfres] {
        let of = |contents: &'_ Contents<'_>| -> Vec<usize> {
            let all = contents.wrappers.iter().enumerate();
            all.filter(|(_, (other, _))| *other == kind).map(|(at, _)| at).collect()
        };
        let (left, right) = (of(before), of(after));
        let old: Vec<&Part> = left.iter().map(|&at| &before.wrappers[at].1).collect();
        let new: Vec<&Part> = right.iter().map(|&at| &after.wrappers[at].1).collect();
        for pair in pairs(&old, &new, before.file, after.file) {
            let (old, new) = (pair.0.map(|x| old[x]), pair.1.map(|y| new[y]));
            let (a, b) = (old.map(|part| part.bytes(before.file)), new.map(|part| part.bytes(after.file)));
            if a == b {
                continue;
            }
            let read = |bytes: Option<&[u8]>, dictionaries: &Dictionaries| {
                Some(Layer::read(kind, bytes?, dictionaries).ok()?.tree())
            };
            let trees = (read(a, &before.dictionaries), read(b, &after.dictionaries));
            let mut difference = ContainerDifference {
                old_offset: Some(0),
                new_offset: Some(0),
                old_format: kind.name().to_owned(),
                new_format: kind.name().to_owned(),
                ..ContainerDifference::default()
            };
            if let ((Some(x), Some(y)), Some(a), Some(b), Some(old)) = (&trees, a, b, old) {
                let differs =
                    structure(&Side { tree: x, bytes: a, code: &[] }, &Side { tree: y, bytes: b, code: &[] });
                let inside = before.inside(old);
                difference.take(differs, a, b);
                // What is inside is compared as what it is; what is compressed says nothing.
                difference.bytes.retain(|range| {
                    kind == Wrapper::Bfres && !inside.iter().any(|file| file.contains(&range.old_offset))
                });
                if difference.is_empty() {
                    continue;
                }
            }
            let fate = match (old, new) {
                (Some(_), None) => FileFate::Removed,
                (None, Some(_)) => FileFate::Added,
                _ => FileFate::Changed,
            };
            let mut told =
                file(fate, old.map(|part| (part, before.file)), new.map(|part| (part, after.file)));
            told.wrapper = Some(kind.name().to_owned());
            if old.is_some() && new.is_some() {
                told.containers.push(difference);
            }
            found.push(told);
        }
    }
}

/// Compares the files in wrappers, or the files themselves.
fn files(before: &Contents<'_>, after: &Contents<'_>, found: &mut Difference) {
    let old: Vec<&Part> = before.files.iter().collect();
    let new: Vec<&Part> = after.files.iter().collect();
    for (x, y) in pairs(&old, &new, before.file, after.file) {
        let left = x.map(|x| (old[x], before.file));
        let right = y.map(|y| (new[y], after.file));
        let (Some((a, _)), Some((b, _))) = (left, right) else {
            let fate = if left.is_some() { FileFate::Removed } else { FileFate::Added };
            found.files.push(file(fate, left, right));
            continue;
        };
        let alone = old.len() == 1 && new.len() == 1;
        if a.bytes(before.file) == b.bytes(after.file) {
            if a.name() != b.name() && !alone {
                found.files.push(file(FileFate::Renamed, left, right));
            }
            continue;
        }
        let mut told = file(FileFate::Changed, left, right);
        contents((a, before.file), (b, after.file), &mut told, &mut found.notes);
        found.files.push(told);
    }
}

/// Compares what two files hold.
fn contents(old: (&Part, &[u8]), new: (&Part, &[u8]), told: &mut FileDifference, notes: &mut Vec<String>) {
    let (before, after) = (old.0.containers(old.1, notes), new.0.containers(new.1, notes));
    let (a, b) = (old.0.bytes(old.1), new.0.bytes(new.1));
    if before.is_empty() && after.is_empty() {
        told.bytes = bytes::differences("", (0, a), (0, b));
        return;
    }
    let keys = |containers: &[Inner], file: &[u8]| -> Vec<u64> {
        containers.iter().map(|inner| hash(own(inner, file))).collect()
    };
    let aligned = align(&keys(&before, old.1), &keys(&after, new.1));
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for gap in aligned.gaps(before.len(), after.len()) {
        let zipped = gap.old.len().min(gap.new.len());
        pairs.extend((0..zipped).map(|at| (Some(gap.old.start + at), Some(gap.new.start + at))));
        pairs.extend((gap.old.start + zipped..gap.old.end).map(|x| (Some(x), None)));
        pairs.extend((gap.new.start + zipped..gap.new.end).map(|y| (None, Some(y))));
    }
    for (x, y) in pairs {
        let (x, y) = (x.map(|x| (&before[x], old.1)), y.map(|y| (&after[y], new.1)));
        told.containers.push(container(x, y));
    }
    // Around the containers of a blob.
    let rest = |containers: &[Inner], file: &[u8], len: usize| -> Vec<Range<usize>> {
        let mut at = 0;
        let mut rest = Vec::new();
        for inner in containers {
            let start = usize::try_from(inner.offset).unwrap_or(len).min(len);
            rest.push(at.min(start)..start);
            at = start.saturating_add(own(inner, file).len()).min(len);
        }
        rest.push(at..len);
        rest
    };
    let chosen = old.0.chosen.is_some() || new.0.chosen.is_some();
    let (left, right) = (rest(&before, old.1, a.len()), rest(&after, new.1, b.len()));
    if chosen || before.is_empty() || after.is_empty() {
        return;
    }
    if left.len() == right.len() {
        for (x, y) in left.into_iter().zip(right) {
            let (start_x, start_y) = (x.start as u64, y.start as u64);
            told.bytes.extend(bytes::differences("", (start_x, &a[x]), (start_y, &b[y])));
        }
    } else {
        told.bytes = bytes::differences("", (0, a), (0, b));
    }
}

/// The bytes of a container, without what lies behind it in a blob.
fn own<'b>(inner: &'b Inner, file: &'b [u8]) -> &'b [u8] {
    let bytes = inner.original(file);
    if inner.is_whole() {
        return bytes;
    }
    let len = usize::try_from(inner.container.tree().size).unwrap_or(usize::MAX);
    bytes.get(..len).unwrap_or(bytes)
}

fn container(old: Option<(&Inner, &[u8])>, new: Option<(&Inner, &[u8])>) -> ContainerDifference {
    let format =
        |side: Option<(&Inner, &[u8])>| side.map(|(inner, _)| inner.container.describe()).unwrap_or_default();
    let mut told = ContainerDifference {
        old_offset: old.map(|(inner, _)| inner.offset),
        new_offset: new.map(|(inner, _)| inner.offset),
        old_format: format(old),
        new_format: format(new),
        ..ContainerDifference::default()
    };
    let (Some((x, before)), Some((y, after))) = (old, new) else { return told };
    let (left, right) = (named(x), named(y));
    (told.programs, told.same_programs) = programs(&left, &right);
    if x.container.format() != y.container.format() {
        return told;
    }
    let (code_x, code_y) = (code(&left), code(&right));
    let texts = |inner: &Inner| {
        let alone = Inner { name: None, ..inner.clone() };
        source_texts(&Opened { containers: vec![alone], ..Opened::default() }, None)
    };
    if matches!((&x.container, &y.container), (Container::Sharc(_), Container::Sharc(_))) {
        told.sources = sources(&texts(x), &texts(y));
    }
    let (tree_x, tree_y) = (x.container.tree(), y.container.tree());
    let (a, b) = (own(x, before), own(y, after));
    let differs = structure(
        &Side { tree: &tree_x, bytes: a, code: &code_x },
        &Side { tree: &tree_y, bytes: b, code: &code_y },
    );
    told.take(differs, a, b);
    if !told.sources.is_empty() {
        // Their texts are told line by line.
        let is_text = |path: &str| path.starts_with("sources[") && path.ends_with(".text");
        told.fields.retain(|field| !is_text(&field.path));
        told.bytes.retain(|range| !is_text(&range.path));
    }
    if told.is_empty() && a != b {
        told.bytes = unexplained(&tree_x, a, b);
    }
    told
}

/// Where the code of programs lies: sorted, what overlaps joined.
fn code(programs: &[Named<'_>]) -> Vec<Range<u64>> {
    let mut places: Vec<Range<u64>> = programs
        .iter()
        .map(|program| {
            let code = &program.stage.code;
            code.file_offset..code.file_offset.saturating_add(4 * code.words.len() as u64)
        })
        .collect();
    places.sort_unstable_by_key(|place| (place.start, place.end));
    places.dedup_by(|place, before| {
        let joins = place.start <= before.end;
        if joins {
            before.end = before.end.max(place.end);
        }
        joins
    });
    places
}

/// Bytes that differ, with the fields that they belong to.
fn unexplained(tree: &Node, old: &[u8], new: &[u8]) -> Vec<BytesDifference> {
    let coverage = tree.coverage(old.len() as u64);
    let mut found = bytes::differences("", (0, old), (0, new));
    for range in &mut found {
        range.path = coverage.owner(range.old_offset).unwrap_or_default().to_owned();
    }
    found
}

/// The programs of a container, with what stands behind its file to name each.
fn named(inner: &Inner) -> Vec<Named<'_>> {
    inner.container.stages().map(|stage| Named { item: format!("#{}", stage.id), stage }).collect()
}

impl ContainerDifference {
    fn take(&mut self, found: StructureDifference, old: &[u8], new: &[u8]) {
        let StructureDifference { fields, parts, follows, bytes } = found;
        (self.fields, self.parts, self.follows) = (fields, parts, follows);
        let slice = |bytes: &[u8], at: u64, len: u64| -> Vec<u8> {
            let place = usize::try_from(at).ok().zip(usize::try_from(at.saturating_add(len)).ok());
            place.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default().to_vec()
        };
        for range in bytes {
            let a = slice(old, range.old_offset, range.old_bytes);
            let b = slice(new, range.new_offset, range.new_bytes);
            self.bytes.extend(bytes::differences(
                &range.path,
                (range.old_offset, &a),
                (range.new_offset, &b),
            ));
        }
    }

    /// Whether nothing in it is told.
    fn is_empty(&self) -> bool {
        self.fields.is_empty()
            && self.parts.is_empty()
            && self.follows.is_empty()
            && self.programs.is_empty()
            && self.sources.is_empty()
            && self.bytes.is_empty()
    }
}
