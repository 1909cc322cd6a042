//! Which place of the machine each output takes: the one that was asked for, the one that its name or its number says, the
//! one that the fragment program reads it as, and of those that are left the first that holds it.

use super::interface::{Meaning, Part};
use smallvec::{SmallVec, smallvec};

/// What somebody wants an output to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It has this meaning.
    Meaning(Meaning),
    /// Nothing: it is not written.
    Drop,
}

/// Why an output has its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was asked for.
    Asked,
    /// The name says it, or the language does.
    Name,
    /// The location in the text says it.
    Number,
    /// The fragment program reads a texture there.
    Sampled,
    /// The name says what it is like: a normal, a position, a colour, a coordinate.
    Like(&'static str),
    /// It was the next that is free.
    Free,
}

impl Reason {
    /// In words, behind "because of".
    pub fn text(self) -> &'static str {
        match self {
            Self::Asked => "asked for",
            Self::Name => "its name",
            Self::Number => "its location",
            Self::Sampled => "the fragment program samples with it",
            Self::Like(what) => what,
            Self::Free => "the next that is free",
        }
    }

    /// Whether the text itself, or who compiles it, says so.
    pub fn is_told(self) -> bool {
        matches!(self, Self::Asked | Self::Name | Self::Number)
    }
}

/// An output that wants a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Its name; elements of arrays have `[n]` behind it.
    pub name: &'a str,
    /// Components.
    pub width: u8,
    /// The language's own position.
    pub is_position: bool,
    /// The location that stands in the text.
    pub number: Option<u32>,
}

/// Where an output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// These components there, for this reason.
    At(SmallVec<[Part; 2]>, Reason),
    /// Nowhere, since that was asked for.
    Dropped,
    /// The meaning that was asked for is another output's.
    Taken(Meaning),
    /// There is none left.
    None,
}

/// Gives all outputs their places.
pub(super) fn places(wanted: &[Wanted<'_>], asked: &[(String, Choice)], sampled: &[String]) -> Vec<Place> {
    let mut found = Finder { wanted, taken: Vec::new(), places: vec![None; wanted.len()] };
    for (index, one) in wanted.iter().enumerate() {
        let choice = asked
            .iter()
            .rev()
            .find(|(name, choice)| name == one.name || (*choice == Choice::Drop && name == base(one.name)));
        match choice {
            Some((_, Choice::Drop)) => found.put(index, Place::Dropped),
            Some((_, Choice::Meaning(meaning))) if found.is_free(*meaning) => {
                found.take(index, &[*meaning], Reason::Asked);
            }
            Some((_, Choice::Meaning(meaning))) => found.put(index, Place::Taken(*meaning)),
            None if one.is_position => found.take(index, &[Meaning::Position], Reason::Name),
            None => {}
        }
    }
    // Where the language's own position is written, other names of positions are those of something else.
    let has_position = wanted.iter().any(|one| one.is_position);
    for (index, one) in found.open() {
        let named = Meaning::of_name(base(one.name));
        let named = named.filter(|meaning| !(has_position && *meaning == Meaning::Position));
        if let Some(meaning) = numbered(named, one.name).filter(|meaning| found.is_free(*meaning)) {
            found.take(index, &[meaning], Reason::Name);
        }
    }
    // Numbers that say something else to their pipeline, from 0 on, say nothing here.
    let is_numbered = wanted
        .iter()
        .filter_map(|one| one.number)
        .all(|number| Meaning::of_number(number).is_some_and(|meaning| meaning != Meaning::Position));
    for (index, one) in found.open().filter(|_| is_numbered) {
        let meaning = one.number.and_then(Meaning::of_number);
        if let Some(meaning) = meaning.filter(|meaning| found.is_free(*meaning)) {
            found.take(index, &[meaning], Reason::Number);
        }
    }
    for name in sampled {
        let index = found.open().find(|(_, one)| (2..=3).contains(&one.width) && one.name == name);
        if let Some((index, one)) = index
            && let Some(way) = found.way(&COORDINATES, one.width)
        {
            found.take(index, way, Reason::Sampled);
        }
    }
    for (index, one) in found.open() {
        if let Some((ways, text)) = like(&one)
            && let Some(way) = found.way(ways, one.width)
        {
            found.take(index, way, Reason::Like(text));
        }
    }
    // Wide ones first: they fit into fewer places.
    for width in (1..=4).rev() {
        let ways: &[&[Meaning]] = match width {
            4 => &[&[Meaning::Color], &[Meaning::NormalQuat], &[Meaning::TexCoord1, Meaning::TexCoord2]],
            3 => &[
                &[Meaning::Color],
                &[Meaning::View],
                &[Meaning::NormalQuat],
                &[Meaning::TexCoord0],
                &[Meaning::TexCoord1, Meaning::TexCoord2],
            ],
            _ => &NARROW,
        };
        for (index, _) in found.open().filter(|(_, one)| one.width == width) {
            match found.way(ways, width) {
                Some(way) => found.take(index, way, Reason::Free),
                None => found.put(index, Place::None),
            }
        }
    }
    found.places.into_iter().map(|place| place.unwrap_or(Place::None)).collect()
}

const COORDINATES: [&[Meaning]; 3] = [&[Meaning::TexCoord0], &[Meaning::TexCoord1], &[Meaning::TexCoord2]];
const NARROW: [&[Meaning]; 7] = [
    &[Meaning::TexCoord0],
    &[Meaning::TexCoord1],
    &[Meaning::TexCoord2],
    &[Meaning::Color],
    &[Meaning::View],
    &[Meaning::NormalQuat],
    &[Meaning::TexCoord0W],
];

/// A name without the number of an element.
pub(crate) fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// The meaning of an element of an array: that many further, where there are several of the kind.
fn numbered(meaning: Option<Meaning>, name: &str) -> Option<Meaning> {
    let Some((_, number)) = name.split_once('[') else { return meaning };
    match (meaning?, number.trim_end_matches(']')) {
        (meaning, "0") => Some(meaning),
        (Meaning::TexCoord0, "1") => Some(Meaning::TexCoord1),
        (Meaning::TexCoord0, "2") => Some(Meaning::TexCoord2),
        _ => None,
    }
}

/// The places for what a name is like, the best first, and what that is.
fn like(one: &Wanted<'_>) -> Option<(&'static [&'static [Meaning]], &'static str)> {
    let plain: String = base(one.name).chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    let has = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if one.width >= 3 && has(&["normal", "nrm"]) {
        return Some((&[&[Meaning::NormalQuat], &[Meaning::View]], "a normal"));
    }
    if one.width == 3 && has(&["pos", "view", "eye", "camera"]) {
        return Some((&[&[Meaning::View], &[Meaning::NormalQuat]], "a position or a way to one"));
    }
    if one.width >= 3 && has(&["color", "colour", "diffuse", "tint"]) {
        return Some((&[&[Meaning::Color]], "a colour"));
    }
    if (2..=3).contains(&one.width) && has(&["uv", "texcoord", "tcoord", "texc"]) {
        return Some((&COORDINATES, "a coordinate"));
    }
    None
}

/// Components that a place takes: the first texture coordinate has a third one beside it.
fn room(meaning: Meaning) -> u8 {
    if meaning == Meaning::TexCoord0 { 3 } else { meaning.width() }
}

struct Finder<'a> {
    wanted: &'a [Wanted<'a>],
    taken: Vec<Meaning>,
    places: Vec<Option<Place>>,
}

impl<'a> Finder<'a> {
    /// Outputs that have no place so far.
    fn open(&self) -> impl Iterator<Item = (usize, Wanted<'a>)> + use<'a> {
        let open: Vec<_> =
            (0..).zip(&self.places).filter(|(_, place)| place.is_none()).map(|(index, _)| index).collect();
        let wanted = self.wanted;
        open.into_iter().filter_map(|index| Some((index, *wanted.get(index)?)))
    }

    fn is_free(&self, meaning: Meaning) -> bool {
        !self.taken.contains(&meaning)
    }

    fn put(&mut self, index: usize, place: Place) {
        if let Some(entry) = self.places.get_mut(index) {
            *entry = Some(place);
        }
    }

    /// The first way of these that is free and takes all components.
    fn way<'w>(&self, ways: &[&'w [Meaning]], width: u8) -> Option<&'w [Meaning]> {
        ways.iter().copied().find(|way| {
            let is_free = way.iter().all(|meaning| self.is_free(*meaning))
                && (width < 3 || way != &[Meaning::TexCoord0] || self.is_free(Meaning::TexCoord0W));
            is_free && way.iter().map(|meaning| room(*meaning)).sum::<u8>() >= width
        })
    }

    /// Puts the components of an output into these places, one after the other. What is too much goes nowhere.
    fn take(&mut self, index: usize, way: &[Meaning], reason: Reason) {
        let Some(width) = self.wanted.get(index).map(|one| one.width) else { return };
        let mut parts: SmallVec<[Part; 2]> = smallvec![];
        let mut first = 0;
        for &meaning in way {
            let with_third = meaning == Meaning::TexCoord0 && self.is_free(Meaning::TexCoord0W);
            for meaning in [Some(meaning), with_third.then_some(Meaning::TexCoord0W)].into_iter().flatten() {
                let count = (width - first).min(meaning.width());
                if count > 0 {
                    parts.push(Part { meaning, first, count });
                    self.taken.push(meaning);
                }
                first += count;
            }
        }
        self.put(index, Place::At(parts, reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &[(&str, u8)], asked: &[(&str, Choice)], sampled: &[&str]) -> Vec<String> {
        let wanted: Vec<Wanted<'_>> = list
            .iter()
            .map(|&(name, width)| {
                let (name, number) = name.split_once('@').unwrap_or((name, ""));
                Wanted { name, width, is_position: name == "gl_Position", number: number.parse().ok() }
            })
            .collect();
        let asked: Vec<_> = asked.iter().map(|(name, choice)| ((*name).to_owned(), *choice)).collect();
        let sampled: Vec<_> = sampled.iter().map(|name| (*name).to_owned()).collect();
        let places = places(&wanted, &asked, &sampled);
        let text = places.iter().map(|place| match place {
            Place::At(parts, _) => parts.iter().map(|part| part.meaning.name()).collect::<Vec<_>>().join("+"),
            Place::Dropped => "dropped".to_owned(),
            Place::Taken(meaning) => format!("taken {}", meaning.name()),
            Place::None => "none".to_owned(),
        });
        text.collect()
    }

    #[test]
    fn names_come_before_what_is_free() {
        let list = [
            ("glow", 4),
            ("gl_Position", 4),
            ("color", 4),
            ("fragPosition", 3),
            ("fragNormal", 3),
            ("blah", 2),
        ];
        let places = ["texcoord1+texcoord2", "position", "color", "view", "normalquat", "texcoord0"];
        assert_eq!(found(&list, &[], &[]), places);
    }

    #[test]
    fn what_is_asked_for_comes_first() {
        let list = [("gl_Position", 4), ("color", 4), ("glow", 4), ("uv[0]", 2), ("uv[1]", 2)];
        let asked = [("glow", Choice::Meaning(Meaning::Color)), ("uv", Choice::Drop)];
        assert_eq!(found(&list, &asked, &[]), ["position", "normalquat", "color", "dropped", "dropped"]);
        let asked = [("glow", Choice::Meaning(Meaning::View)), ("color", Choice::Meaning(Meaning::View))];
        assert_eq!(found(&list, &asked, &[]), ["position", "view", "taken view", "texcoord0", "texcoord1"]);
    }

    #[test]
    fn the_fragment_program_says_which_coordinate_is_which() {
        let list = [("gl_Position", 4), ("a", 2), ("b", 2), ("c", 2)];
        assert_eq!(found(&list, &[], &["c", "a"]), ["position", "texcoord1", "texcoord2", "texcoord0"]);
    }

    #[test]
    fn numbers_count_only_where_all_are_meanings() {
        assert_eq!(
            found(&[("gl_Position", 4), ("a@5", 2), ("b@3", 3)], &[], &[]),
            ["position", "texcoord1", "texcoord0+texcoord0w"]
        );
        assert_eq!(
            found(&[("gl_Position", 4), ("a@0", 2), ("b@3", 3)], &[], &[]),
            ["position", "texcoord0", "color"]
        );
    }

    #[test]
    fn eighteen_components_find_room() {
        let list = [
            ("gl_Position", 4),
            ("a", 4),
            ("b", 4),
            ("c", 2),
            ("d", 2),
            ("e", 2),
            ("f", 3),
            ("g", 1),
            ("h", 1),
        ];
        let places = [
            "position",
            "color",
            "normalquat",
            "texcoord0",
            "texcoord1",
            "texcoord2",
            "view",
            "texcoord0w",
            "none",
        ];
        assert_eq!(found(&list, &[], &[]), places);
    }
}
