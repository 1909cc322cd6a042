//! Executables of a SHBIN: code that was moved does what it did, word by word along every way that control can go.

use crate::{file, holds, id, same_program};
use std::collections::BTreeMap;
use unshade_containers::shbin::{Layout, Shbin};
use unshade_containers::{Container, NewProgram};
use unshade_stage::Code;

/// The same words with the same descriptors, wherever they lie: from the entry points on each pair of words is equal
/// but for branch targets, which make further pairs, and for numbers of descriptors, which must hold the same.
pub fn same_code(here: &Code<'_>, there: &Code<'_>, what: &str) {
    let mut pairs: BTreeMap<u32, u32> = BTreeMap::new();
    let mut waiting = vec![(there.entry, here.entry)];
    while let Some((from, to)) = waiting.pop() {
        if let Some(known) = pairs.insert(from, to) {
            assert_eq!(known, to, "{what}: word {from:#x} is in two places");
            continue;
        }
        let word = |code: &Code<'_>, at: u32| code.words.get(at as usize).copied();
        let (Some(old), Some(new)) = (word(there, from), word(here, to)) else {
            assert_eq!(word(there, from), word(here, to), "{what}: word {from:#x}");
            continue;
        };
        let operation = old >> 26;
        let descriptor = match operation {
            0x30.. => 0x1F,
            0x20..=0x2D => 0,
            _ => 0x7F,
        };
        let branch = matches!(operation, 0x24..=0x29 | 0x2C | 0x2D);
        let moved = if branch { 0xFFF << 10 } else { descriptor };
        assert_eq!(old & !moved, new & !moved, "{what}: word {from:#x} is {old:#x} and {new:#x}");
        let entry = |code: &Code<'_>, word: u32| code.descriptors.get((word & descriptor) as usize).copied();
        if descriptor != 0 {
            assert_eq!(entry(there, old), entry(here, new), "{what}: descriptor of word {from:#x}");
        }
        let (a, b, count) = (old >> 10 & 0xFFF, new >> 10 & 0xFFF, old & 0xFF);
        match operation {
            0x22 => continue,
            0x24..=0x26 => {
                // Each word of the procedure, in order.
                waiting.extend((0..count).map(|step| (a + step, b + step)));
            }
            0x27 | 0x28 => waiting.extend([(a, b), (a + count, b + count)]),
            0x29 => waiting.push((a + 1, b + 1)),
            0x2C | 0x2D => waiting.push((a, b)),
            _ => {}
        }
        // Behind the last word of a procedure comes what called it, and not the next word.
        if word(there, from + 1).is_some() && word(here, to + 1).is_some() {
            let returns = there.words.iter().any(|&call| {
                matches!(call >> 26, 0x24..=0x26) && (call >> 10 & 0xFFF) + (call & 0xFF) == from + 1
            });
            if !returns {
                waiting.push((from + 1, to + 1));
            }
        }
    }
}

/// The number of words and descriptors of a linked binary.
fn sizes(container: &Container) -> (usize, usize) {
    let Container::Shbin(Shbin::Linked(file)) = container else { panic!("no linked binary") };
    (file.program.code.words.len(), file.program.code.descriptors.len())
}

#[test]
fn several_executables_share_their_program() {
    // Two vertex programs and a geometry program with a library.
    let (Some(shared), Some(other)) = (file("shared_transform.shbin"), file("loops.shbin")) else { return };
    let bytes = shared.write().unwrap();
    let loose = other.take(&id("0")).unwrap();
    for place in ["0", "1"] {
        let old = shared.take(&id(place)).unwrap();
        let mut edited = shared.clone();
        edited.put(&id(place), &loose).unwrap();
        holds(&edited, &shared, &[&other], place);
        same_program(&edited, &id(place), &loose, place);
        for rest in shared.stages().filter(|stage| stage.id.0 != place) {
            same_code(&edited.stage(&rest.id).unwrap().code, &rest.code, &rest.id.0);
        }
        edited.put(&id(place), &old).unwrap();
        assert!(edited.write().unwrap() == bytes, "{place}");
    }
    // A copy of an executable needs no further code.
    let mut edited = shared.clone();
    let copy = shared.copy_of("1").unwrap();
    assert_eq!(edited.add(&copy).unwrap(), [id("3")]);
    assert_eq!(sizes(&edited), sizes(&shared));
    edited.remove("3").unwrap();
    assert!(edited.write().unwrap() == bytes);
    // All of them go, in any order, and come back.
    for order in [[0, 0, 0], [2, 1, 0], [1, 1, 0], [1, 0, 0]] {
        let mut edited = shared.clone();
        let removed: Vec<_> = order.iter().map(|at| edited.remove(&at.to_string()).unwrap()).collect();
        assert_eq!(edited.stages().count(), 0);
        // Code in front of that of others stays where it is.
        let (left, all) = (sizes(&edited), sizes(&shared));
        assert!(left.0 < all.0 && left.1 <= all.1, "{left:?}");
        for removed in removed.iter().rev() {
            assert_eq!(edited.add(&removed.again).unwrap(), removed.stages);
        }
        assert!(edited.write().unwrap() == bytes, "{order:?}");
    }
}

#[test]
fn three_programs_in_one_file_keep_their_ways() {
    let Some(first) = file("passthrough.shbin") else { return };
    let mut edited = first.clone();
    let mut added = Vec::new();
    for name in ["lighting.shbin", "loops.shbin", "particles.shbin", "labels_and_lines.shbin"] {
        let Some(other) = file(name) else { continue };
        let loose = other.take(&id("0")).unwrap();
        let new = NewProgram { stages: vec![loose.clone()], ..NewProgram::default() };
        let place = edited.add(&new).unwrap();
        added.push((place[0].clone(), loose));
    }
    assert!(added.len() > 2);
    for (place, loose) in &added {
        same_program(&edited, place, loose, &place.0);
    }
    let again = Container::read(&edited.write().unwrap()).unwrap();
    for (place, loose) in added.iter().rev() {
        same_program(&again, place, loose, &place.0);
        edited.remove(&place.0).unwrap();
    }
    assert!(edited.write().unwrap() == first.write().unwrap());
}

#[test]
fn parts_stay_aligned_in_any_order() {
    let (Some(shared), Some(other)) = (file("shared_transform.shbin"), file("lighting.shbin")) else {
        return;
    };
    let Container::Shbin(Shbin::Linked(mut linked)) = shared else { panic!("no linked binary") };
    // Strings in front of code and other tables, without anything between that could be fitted.
    let mut items = Vec::new();
    for (index, dvle) in linked.executables.iter_mut().enumerate() {
        let symbols = &mut dvle.executable.symbols.0;
        symbols.resize(symbols.len().next_multiple_of(4), 0);
        for section in ["", ".symbols", ".constants", ".labels", ".outputs", ".uniforms"] {
            items.push(format!("dvle[{index}]{section}").parse().unwrap());
        }
    }
    for part in ["dvlp.file_names", "dvlp.code", "dvlp.descriptors", "dvlp.lines"] {
        items.push(part.parse().unwrap());
    }
    linked.layout = Layout::Explicit(items);
    let first = Container::Shbin(Shbin::Linked(linked));
    let bytes = first.write().unwrap();
    let first = Container::read(&bytes).unwrap();
    assert!(
        matches!(&first, Container::Shbin(Shbin::Linked(file)) if matches!(file.layout, Layout::Explicit(_)))
    );
    let loose = other.take(&id("0")).unwrap();
    for place in ["0", "1"] {
        let old = first.take(&id(place)).unwrap();
        let mut edited = first.clone();
        edited.put(&id(place), &loose).unwrap();
        holds(&edited, &first, &[&other], place);
        same_program(&edited, &id(place), &loose, place);
        edited.put(&id(place), &old).unwrap();
        assert!(edited.write().unwrap() == bytes, "{place}");
        let new = NewProgram { stages: vec![loose.clone()], at: place.parse().ok(), ..NewProgram::default() };
        edited.add(&new).unwrap();
        holds(&edited, &first, &[&other], place);
        edited.remove(place).unwrap();
        assert!(edited.write().unwrap() == bytes, "{place}");
    }
}
