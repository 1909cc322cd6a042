//! Which stages of a file are one program.

use std::collections::BTreeMap;
use unshade_stage::{Isa, Stage, StageKind};

/// Stages that run together, or one that runs alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageGroup {
    /// What stands behind the file's name to name the program: `#model/12`. Empty where the file is the program.
    pub place: String,
    /// The stages, as they stand in the list that was asked for.
    pub stages: Vec<usize>,
}

/// What makes two stages parts of one program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'p> {
    /// The program's name: `#model/12` of `#model/12/vertex`.
    Name(&'p str),
    /// Shaders of a Wii U file with this number: `#vertex0` and `#pixel0`.
    Number(&'p str, &'p str),
    /// A file of one program.
    File(&'p str),
}

/// Groups stages, each with what stands behind the file's name to name it, by the programs that they are parts of. In
/// archives a program has a name; in a file without names for programs the shaders of the same number are one (GFD), or
/// all that the file has, where no two of them are of one kind (MBS, SHBIN, NVN).
pub fn by_program(stages: &[(String, Stage<'_>)]) -> Vec<StageGroup> {
    // Kinds of the stages that are named by nothing but their file.
    let mut kinds: BTreeMap<&str, Vec<StageKind>> = BTreeMap::new();
    for (place, stage) in stages {
        if let (front, Some(_)) = own(place) {
            kinds.entry(front).or_default().push(stage.kind);
        }
    }
    let one_each = |front: &str| {
        let kinds = kinds.get(front).map_or(&[][..], Vec::as_slice);
        let alone = |(at, kind): (usize, &StageKind)| !kinds.iter().skip(at + 1).any(|other| other == kind);
        kinds.len() <= MOST_KINDS
            && kinds.iter().enumerate().all(alone)
            && !kinds.contains(&StageKind::Compute)
    };
    let mut groups: Vec<StageGroup> = Vec::new();
    let mut known: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    for (index, (place, stage)) in stages.iter().enumerate() {
        let key = match own(place) {
            (program, None) => Some(Key::Name(program)),
            (front, Some(id)) if stage.isa == Isa::Latte => {
                let number = id.trim_start_matches(|c: char| !c.is_ascii_digit());
                (!number.is_empty()).then_some(Key::Number(front, number))
            }
            (front, Some(_)) => one_each(front).then_some(Key::File(front)),
        };
        let at = key.as_ref().and_then(|key| known.get(key)).copied();
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.stages.push(index),
            None => {
                known.extend(key.map(|key| (key, groups.len())));
                groups.push(StageGroup { place: String::new(), stages: vec![index] });
            }
        }
    }
    let only = groups.len() == 1;
    for group in &mut groups {
        let places = group.stages.iter().filter_map(|at| stages.get(*at)).map(|(place, _)| &place[..]);
        let places: Vec<&str> = places.collect();
        group.place = match places[..] {
            [one] => one.to_owned(),
            [first, ..] => match own(first) {
                (program, None) => program.to_owned(),
                (front, Some(_)) if only => front.to_owned(),
                (front, Some(_)) => {
                    let ids = places.iter().filter_map(|place| own(place).1);
                    format!("{front}#{}", ids.collect::<Vec<_>>().join(", #"))
                }
            },
            [] => String::new(),
        };
    }
    groups
}

/// Kinds of stages that can follow each other.
const MOST_KINDS: usize = 5;

/// The program of a stage, or its file with the stage's own name where programs have no names.
fn own(place: &str) -> (&str, Option<&str>) {
    let (front, id) = place.rsplit_once('#').unwrap_or((place, ""));
    match id.rsplit_once('/') {
        Some((program, _)) => (place.get(..front.len() + 1 + program.len()).unwrap_or(place), None),
        None => (front, Some(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(list: &[(&str, Isa, StageKind)]) -> Vec<(String, Vec<usize>)> {
        let stages: Vec<(String, Stage<'_>)> = list
            .iter()
            .map(|(place, isa, kind)| {
                let mut stage = crate::raw_stage(*isa, Vec::new(), Vec::new());
                stage.kind = *kind;
                ((*place).to_owned(), stage)
            })
            .collect();
        by_program(&stages).into_iter().map(|group| (group.place, group.stages)).collect()
    }

    #[test]
    fn programs_of_archives_have_names() {
        use Isa::Maxwell;
        use StageKind::{Fragment, Vertex};
        let found = groups(&[
            ("#model/0/vertex", Maxwell, Vertex),
            ("#model/0/fragment", Maxwell, Fragment),
            ("#model/1/vertex", Maxwell, Vertex),
        ]);
        assert_eq!(found, [("#model/0".into(), vec![0, 1]), ("#model/1/vertex".into(), vec![2])]);
    }

    #[test]
    fn shaders_of_a_number_are_a_program() {
        use Isa::Latte;
        use StageKind::{Fragment, Vertex};
        let found = groups(&[
            ("#vertex0", Latte, Vertex),
            ("#vertex1", Latte, Vertex),
            ("#pixel0", Latte, Fragment),
            ("#pixel1", Latte, Fragment),
        ]);
        assert_eq!(
            found,
            [("#vertex0, #pixel0".into(), vec![0, 2]), ("#vertex1, #pixel1".into(), vec![1, 3])]
        );
        assert_eq!(
            groups(&[("#vertex0", Latte, Vertex), ("#pixel0", Latte, Fragment)]),
            [(String::new(), vec![0, 1])]
        );
    }

    #[test]
    fn a_file_with_one_of_each_kind_is_a_program() {
        use StageKind::{Fragment, Geometry, Vertex};
        let linked = [("#frag", Isa::MaliPp, Fragment), ("#vert", Isa::MaliGp, Vertex)];
        assert_eq!(groups(&linked), [(String::new(), vec![0, 1])]);
        let several =
            [("#0", Isa::Pica200, Vertex), ("#1", Isa::Pica200, Vertex), ("#2", Isa::Pica200, Geometry)];
        assert_eq!(groups(&several).len(), 3);
        assert_eq!(groups(&several[1..]), [(String::new(), vec![0, 1])]);
    }
}
