//! Executables of a SHBIN: code that was moved does what it did, word by word along every way that control can go.

use crate::programs::{file, holds, id, ids, same_program};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::collections::BTreeMap;
use unshade_containers::shbin::{
    Code as PicaCode, Descriptor, Dvlb, Dvle, Dvlp, Executable, Layout, Line, Producer, Shbin,
};
use unshade_containers::{Container, NewProgram, Strings};
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

/// A step of a random procedure.
#[derive(Debug, Clone)]
enum Step {
    /// An addition with that descriptor, and some other bits.
    Add(usize, u32),
    /// A multiply-add with that descriptor.
    Mad(usize, u32),
    /// Calls one of the procedures that were made before.
    Call(Index),
    /// So many additions in an if, and so many behind it in its else.
    If(u32, u32),
    /// So many in a loop.
    Loop(u32),
    /// Goes on behind the next word.
    Jump,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..40_usize, 0..0x4000_u32).prop_map(|(descriptor, bits)| Step::Add(descriptor, bits)),
        2 => (0..20_usize, 0..0x4000_u32).prop_map(|(descriptor, bits)| Step::Mad(descriptor, bits)),
        2 => any::<Index>().prop_map(Step::Call),
        1 => (1..4_u32, 0..3_u32).prop_map(|(then, other)| Step::If(then, other)),
        1 => (1..4_u32).prop_map(Step::Loop),
        1 => Just(Step::Jump),
    ];
    vec(step, 1..8)
}

/// The words of some procedures one behind the other, and where each starts and ends. The last ones are programs.
fn assemble(procedures: &[Vec<Step>], programs: usize) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut words: Vec<u32> = Vec::new();
    let mut places: Vec<(u32, u32)> = Vec::new();
    let flow = |operation: u32, target: u32, count: u32| operation << 26 | target << 10 | count;
    for (number, steps) in procedures.iter().enumerate() {
        let libraries = number.min(procedures.len() - programs);
        let start = words.len() as u32;
        for step in steps {
            let at = words.len() as u32;
            let add = |words: &mut Vec<u32>, count: u32| words.extend((0..count).map(|bits| bits << 12 | 3));
            match step {
                Step::Add(descriptor, bits) => words.push(bits << 12 | *descriptor as u32),
                Step::Mad(descriptor, bits) => words.push(0x38 << 26 | bits << 10 | *descriptor as u32),
                Step::Call(which) if libraries > 0 => {
                    let (first, end) = places[which.index(libraries)];
                    words.push(flow(0x24, first, end - first));
                }
                Step::Call(_) => add(&mut words, 1),
                Step::If(then, other) => {
                    words.push(flow(0x27, at + 1 + then, *other));
                    add(&mut words, then + other + 1);
                }
                Step::Loop(count) => {
                    words.push(flow(0x29, at + count, 0));
                    add(&mut words, *count);
                }
                Step::Jump => {
                    words.push(flow(0x2D, at + 2, 0));
                    add(&mut words, 2);
                }
            }
        }
        // No block ends where its procedure does.
        words.push(0x21 << 26);
        if number >= procedures.len() - programs {
            words.push(0x22 << 26);
        }
        places.push((start, words.len() as u32));
    }
    (words, places)
}

/// A linked binary of several programs that share procedures, in any order, with room between.
fn linked() -> impl Strategy<Value = Dvlb> {
    let descriptors = vec((0..64_u32, 0..3_u32), 40..60);
    (vec(steps(), 0..4), vec(steps(), 1..4), descriptors, any::<bool>(), vec(any::<u8>(), 4)).prop_map(
        |(libraries, programs, descriptors, lined, noise)| {
            let count = programs.len();
            let (mut words, places) = assemble(&[libraries, programs].concat(), count);
            // Words that nobody needs.
            words.extend(noise.iter().take(usize::from(noise[0] & 3)).map(|byte| u32::from(*byte)));
            let descriptor = |(bits, high)| Descriptor { bits, high };
            let descriptors = descriptors.into_iter().map(descriptor).collect();
            let line = |at: usize| Line { file: if at.is_multiple_of(3) { 0 } else { 6 }, line: at as u32 };
            let lines = if lined { (0..words.len()).map(line).collect() } else { Vec::new() };
            let executables = places[places.len() - count..].iter().zip(0..).map(|(&(entry, end), index)| {
                let symbols = Strings((0..=index).flat_map(|n| [b'a' + n, 0]).collect());
                Dvle {
                    entry,
                    end,
                    executable: Executable { version: 0x1002, symbols, ..Executable::default() },
                }
            });
            let file_names = if lined { Strings(b"a.vsh\0b.vsh\0".to_vec()) } else { Strings::default() };
            let code = PicaCode { words, descriptors, lines };
            Dvlb {
                program: Dvlp { code, file_names, ..Dvlp::default() },
                executables: executables.collect(),
                layout: Layout::Standard(if lined { Producer::Official } else { Producer::Picasso }),
                ..Dvlb::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::programs::cases(400), failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn programs_of_any_shape_live_together(first in linked(), second in linked(), places in vec((0..3_u8, any::<Index>(), any::<Index>()), 1..5)) {
        let (mut edited, other) = (Container::Shbin(Shbin::Linked(first)), Container::Shbin(Shbin::Linked(second)));
        prop_assert!(edited.write().is_ok() && other.write().is_ok());
        let (mut stack, mut told) = (Vec::new(), Vec::new());
        for (op, a, b) in places {
            let before = edited.clone();
            let bytes = before.write().unwrap();
            let count = before.stages().count();
            let from = id(&b.index(other.stages().count()).to_string());
            let loose = other.take(&from).unwrap();
            if op == 0 || count == 0 {
                let new = NewProgram { stages: vec![loose.clone()], at: Some(a.index(count + 1)), ..NewProgram::default() };
                let Ok(names) = edited.add(&new) else { continue };
                same_program(&edited, &names[0], &loose, "added");
                let others = ids(&edited).into_iter().filter(|id| *id != names[0]);
                for (here, there) in others.zip(ids(&before)) {
                    same_code(&edited.stage(&here).unwrap().code, &before.stage(&there).unwrap().code, "beside one that was added");
                }
                told.push(format!("{from} added as {}", names[0]));
                stack.push((Err(names[0].0.clone()), bytes));
            } else {
                let place = id(&a.index(count).to_string());
                let old = before.take(&place).unwrap();
                let others = || ids(&before).into_iter().filter(|id| *id != place);
                if op == 1 {
                    if edited.put(&place, &loose).is_err() {
                        continue;
                    }
                    same_program(&edited, &place, &loose, "put");
                    for id in others() {
                        same_code(&edited.stage(&id).unwrap().code, &before.stage(&id).unwrap().code, "beside one that was put");
                    }
                    told.push(format!("{from} put in place of {place}"));
                    stack.push((Ok((Some(place), NewProgram { stages: vec![old], ..NewProgram::default() })), bytes));
                } else {
                    let removed = edited.remove(&place.0).unwrap();
                    for (here, there) in ids(&edited).into_iter().zip(others()) {
                        same_code(&edited.stage(&here).unwrap().code, &before.stage(&there).unwrap().code, "beside one that was removed");
                    }
                    told.push(format!("{place} removed"));
                    stack.push((Ok((None, removed.again)), bytes));
                }
            }
        }
        while let Some((undo, bytes)) = stack.pop() {
            match undo {
                Ok((Some(place), old)) => edited.put(&place, &old.stages[0]).unwrap(),
                Ok((None, again)) => drop(edited.add(&again).unwrap()),
                Err(item) => drop(edited.remove(&item).unwrap()),
            }
            let differs = edited.difference(&bytes).unwrap();
            prop_assert!(differs.is_none(), "{}, {told:?}", differs.unwrap());
        }
    }
}
