//! Lookups of programs against a search over all keys by choices, written without masks.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_containers::bfsha;
use unshade_containers::bfsha::options::{OptionTable, Packed, ShaderOption, packing};
use unshade_containers::bfsha::pick::{Picker, Query};

/// Numbers that look random and are always the same (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// A table with options of all sizes and programs of random choices.
fn table(random: &mut Random, options: usize, programs: usize) -> OptionTable {
    let counts: Vec<u32> =
        (0..options).map(|_| [1, 2, 2, 2, 3, 4, 7, 9, 33, 200][random.below(10)]).collect();
    let fixed = options - options / 4;
    let (mut packed, first) = packing(&counts[..fixed], 0);
    let (moving, second) = packing(&counts[fixed..], first);
    packed.extend(moving);
    let words = (first + second) as usize;
    let options: Vec<ShaderOption> = packed
        .iter()
        .zip(&counts)
        .enumerate()
        .map(|(index, (packed, count))| ShaderOption {
            name: format!("option_{index}"),
            is_static: index < fixed,
            choices: (0..*count).map(|choice| format!("c{choice}")).collect(),
            values: (0..*count).collect(),
            default: random.below(*count as usize) as u32,
            packed: *packed,
            branch_offset: None,
            flags: 0,
        })
        .collect();
    let mut rows = std::collections::BTreeSet::new();
    for _ in 0..programs {
        let mut key = vec![0; words];
        for option in &options {
            let choice =
                if random.below(3) > 0 { option.default } else { random.below(option.choices.len()) as u32 };
            option.packed.set(&mut key, choice);
        }
        rows.insert(key);
    }
    let programs = rows.len();
    let keys = rows.into_iter().flatten().collect();
    OptionTable { model: "random".to_owned(), options, words, keys, programs, default_program: None }
}

fn choice(packed: Packed, key: &[u32]) -> u32 {
    key[packed.word as usize] >> packed.shift & packed.mask >> packed.shift
}

/// What fits, and how far each program is.
fn brute(table: &OptionTable, wanted: &[Option<u32>]) -> (Vec<usize>, Vec<usize>) {
    let mut distances = Vec::new();
    for program in 0..table.programs {
        let key = table.key(program);
        let differs = |(option, wanted): (&ShaderOption, &Option<u32>)| {
            wanted.is_some_and(|wanted| choice(option.packed, key) != wanted)
        };
        distances.push(table.options.iter().zip(wanted).filter(|pair| differs(*pair)).count());
    }
    let fits = (0..table.programs).filter(|program| distances[*program] == 0).collect();
    (fits, distances)
}

fn agree(table: &OptionTable, random: &mut Random, count: usize) -> [usize; 2] {
    let picker = Picker::new(table);
    let mut found = [0; 2];
    for round in 0..count {
        // A third asks for a program that is there, a third near one, a third for anything.
        let base = table.key(random.below(table.programs));
        let mut wanted: Vec<Option<u32>> = Vec::new();
        let mut pairs = Vec::new();
        let open = round % 2 == 0;
        for option in &table.options {
            let here = choice(option.packed, base);
            let kind = random.below(20);
            let any = random.below(option.choices.len()) as u32;
            let picked = match round % 3 {
                0 => Some(here),
                1 if kind == 0 => Some(any),
                1 => Some(here),
                _ => (kind < 4).then_some(any),
            };
            match picked {
                _ if open && random.below(6) == 0 => {
                    wanted.push(None);
                    pairs.push((option.name.clone(), "*".to_owned()));
                }
                Some(choice) => {
                    wanted.push(Some(choice));
                    pairs.push((option.name.clone(), option.choices[choice as usize].clone()));
                }
                None => wanted.push(Some(option.default)),
            }
        }
        let query = Query::new(table, pairs.iter().map(|(a, b)| (a.as_str(), b.as_str()))).unwrap();
        let picked = picker.pick(&query);
        let (fits, distances) = brute(table, &wanted);
        assert_eq!(picked.programs, fits, "round {round}");
        if fits.is_empty() {
            let fewest = *distances.iter().min().unwrap();
            let nearest: Vec<usize> =
                (0..table.programs).filter(|program| distances[*program] == fewest).take(8).collect();
            assert_eq!(picked.nearest.iter().map(|near| near.program).collect::<Vec<_>>(), nearest);
            for near in &picked.nearest {
                assert_eq!(near.differences.len(), fewest);
                for difference in &near.differences {
                    let option = table.option(&difference.option).unwrap();
                    let position = table.options.iter().position(|known| known == option).unwrap();
                    let choice = choice(option.packed, table.key(near.program));
                    assert_eq!(difference.found, option.choices[choice as usize]);
                    assert_eq!(difference.wanted, option.choices[wanted[position].unwrap() as usize]);
                }
            }
        } else {
            assert!(picked.nearest.is_empty());
        }
        found[usize::from(fits.is_empty())] += 1;
    }
    found
}

#[test]
fn ten_thousand_questions() {
    let mut random = Random(0x5EED);
    let mut found = [0; 2];
    for (options, programs) in [(1, 2), (5, 20), (40, 300), (200, 1500)] {
        let table = table(&mut random, options, programs);
        let [some, none] = agree(&table, &mut random, 2500);
        found = [found[0] + some, found[1] + none];
    }
    println!("{} questions with programs, {} without", found[0], found[1]);
    assert!(found[0] > 3000 && found[1] > 1000);
}

#[test]
fn rows_that_are_not_sorted() {
    let mut random = Random(77);
    let mut table = table(&mut random, 20, 100);
    let words = table.words;
    let mut rows: Vec<Vec<u32>> = table.keys.chunks(words).map(<[u32]>::to_vec).collect();
    rows.swap(0, 50);
    rows.swap(10, 70);
    table.keys = rows.concat();
    agree(&table, &mut random, 500);
}

#[test]
fn corpus_keys() {
    let mut random = Random(3);
    for (path, bytes) in common::nx("bfsha") {
        let file = bfsha::read(&bytes).unwrap();
        let texts = file.image.texts();
        for model in 0..file.model_count() {
            let table = file.options(model, &texts).unwrap();
            // A static and a dynamic option may have one name; then the first is meant.
            let mut names: Vec<_> = table.options.iter().map(|option| &option.name).collect();
            names.sort();
            names.dedup();
            if table.programs > 0 && table.words > 0 && names.len() == table.options.len() {
                let [some, none] = agree(&table, &mut random, 200);
                assert!(some > 0, "{path}: {some} {none}");
            }
            assert!(Query::new(&table, [("no such option", "1")]).is_err());
            if let Some(option) = table.options.first() {
                assert!(Query::new(&table, [(option.name.as_str(), "no such choice")]).is_err());
                assert!(Query::new(&table, [(option.name.as_str(), "<Default Value>")]).is_ok());
            }
        }
    }
}

#[test]
fn static_and_dynamic_options_that_differ_are_both_named() {
    let sample = format!("{}/../../samples/options.bfsha", env!("CARGO_MANIFEST_DIR"));
    let file = bfsha::read(&std::fs::read(sample).unwrap()).unwrap();
    let table = file.options(0, &file.image.texts()).unwrap();
    let picker = Picker::new(&table);
    let query = Query::new(&table, [("o_unused", "1"), ("gsys_weight", "5")]).unwrap();
    let picked = picker.pick(&query);
    assert!(picked.programs.is_empty());
    let shader = table.option("shader").unwrap();
    assert_eq!((table.programs, shader.choices.len()), (2, 2), "one program for each choice of it");
    assert_eq!(picked.nearest.len(), 1, "the other program differs in three");
    let named: Vec<_> = picked.nearest[0]
        .differences
        .iter()
        .map(|found| (found.option.as_str(), found.wanted.as_str(), found.found.as_str()))
        .collect();
    assert_eq!(named, [("o_unused", "1", "0"), ("gsys_weight", "5", "0")]);
    assert!(table.option("o_unused").unwrap().is_static && !table.option("gsys_weight").unwrap().is_static);
    // Any of the static ones: only the dynamic one is left to differ, for both programs.
    let query = Query::new(&table, [("o_unused", "*"), ("shader", "*"), ("gsys_weight", "5")]).unwrap();
    let picked = picker.pick(&query);
    assert_eq!(picked.nearest.iter().map(|near| near.program).collect::<Vec<_>>(), [0, 1]);
    assert!(picked.nearest.iter().all(|near| near.differences.len() == 1));
}
