//! Scanning a made-up tree: everything that was planted is found, once per place, in the same order whoever looks; what was
//! ended goes on, what has not changed is not looked at again, and parts add up to the whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use unshade::Dictionaries;
use unshade_catalog::{
    Catalog, load,
    row::Row,
    scan::{Options, Progress, scan},
    table, unique,
    which::{Query, which},
};
use unshade_tests::{
    corpus,
    tree::{HOSTILE, plant},
};

/// Files in the tree; `UNSHADE_TREE` says another number.
fn count() -> usize {
    std::env::var("UNSHADE_TREE").ok().and_then(|count| count.parse().ok()).unwrap_or(1500)
}

fn scanned(roots: &[PathBuf], out: &Path, options: &Options) -> Progress {
    scan(roots, out, options, &mut |_| true).unwrap()
}

fn rows(table: &Path) -> Vec<Row> {
    table::read(table).unwrap().map(Result::unwrap).collect()
}

fn threads(threads: usize) -> Options {
    Options { threads, ..Options::default() }
}

#[test]
fn a_tree_is_found_completely() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    let planted = plant(&root, count()).unwrap();
    let roots = [root.clone()];
    let out = |name: &str| folder.path().join(name);

    // Everything, once per place.
    let one = out("one.jsonl");
    let progress = scanned(&roots, &one, &threads(1));
    let found = rows(&one);
    let relative = |row: &Row| row.path.strip_prefix(root.to_str().unwrap()).unwrap()[1..].to_owned();
    let stages: Vec<_> = found
        .iter()
        .filter(|row| row.is_stage() && !relative(row).starts_with(HOSTILE))
        .map(|row| (relative(row), row.inner.clone(), row.item.clone()))
        .collect();
    let set: BTreeSet<_> = stages.iter().cloned().collect();
    assert_eq!(set.len(), stages.len(), "a program was found twice");
    let missing: Vec<_> = planted.difference(&set).take(5).collect();
    let more: Vec<_> = set.difference(&planted).take(5).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing {missing:?}, not planted {more:?}");
    let errors = found.iter().filter(|row| row.record == "error");
    // Caches of Cemu are packed with dictionaries that are not here.
    let is_known =
        |row: &Row| relative(row).starts_with(HOSTILE) || row.version.contains("Cemu's dictionaries");
    assert!(errors.clone().all(is_known), "{:?}", errors.clone().find(|row| !is_known(row)));
    assert_eq!(progress.stages as usize, found.iter().filter(|row| row.is_stage()).count());
    assert_eq!((progress.errors as usize, progress.files), (errors.count(), progress.all_files));
    println!(
        "{} files, {} programs planted and found, {} in damaged files, {} errors",
        progress.all_files,
        planted.len(),
        progress.stages as usize - planted.len(),
        progress.errors
    );

    // Whoever looks, the table is the same; in the other format, too.
    let (two, parquet) = (out("two.jsonl"), out("three.parquet"));
    scanned(&roots, &two, &threads(2));
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap(), "two threads give another table");
    scanned(&roots, &parquet, &threads(3));
    assert!(rows(&parquet) == found, "Parquet holds other rows");

    // A second time nothing is looked at; what has changed is.
    let again = scanned(&roots, &parquet, &threads(2));
    assert_eq!((again.unchanged, again.stages), (again.all_files, progress.stages));
    assert!(rows(&parquet) == found);
    let (changed, gone, new) = (&stages[0].0, &stages[stages.len() / 2].0, "00/aaa_new.shbin");
    fs::copy(corpus::root().join("samples/loops.shbin"), root.join(changed)).unwrap();
    fs::remove_file(root.join(gone)).unwrap();
    fs::copy(corpus::root().join("samples/lighting.shbin"), root.join(new)).unwrap();
    let third = scanned(&roots, &parquet, &threads(2));
    assert_eq!(third.unchanged, third.all_files - 2);
    let fresh = out("fresh.parquet");
    scanned(&roots, &fresh, &threads(2));
    let expected = rows(&fresh);
    assert!(rows(&parquet) == expected, "what was looked at before differs");

    // Ended early, several times, it goes on.
    let ended = out("ended.parquet");
    for stop in [1, 100, 400] {
        let mut looked = 0;
        let part = scan(&roots, &ended, &threads(2), &mut |progress| {
            looked = progress.files - progress.unchanged;
            looked < stop
        });
        assert!(looked >= stop && part.is_ok() && !ended.exists());
    }
    let last = scanned(&roots, &ended, &threads(2));
    assert!(last.unchanged >= 400, "{last:?}");
    assert!(rows(&ended) == expected && !out("ended.parquet.parts").exists());

    // Parts add up.
    let mut parts = Vec::new();
    for index in 1..=3 {
        let part = out(&format!("part{index}.parquet"));
        scanned(&roots, &part, &Options { shard: Some((index, 3)), ..threads(1) });
        parts.extend(rows(&part));
    }
    parts.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(parts == expected, "the parts are not the whole");
}

/// Each distinct program once, and a list of all places; the code is that of the program.
#[test]
fn distinct_programs_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    plant(&root, 200).unwrap();
    let (out, to) = (folder.path().join("a.parquet"), folder.path().join("programs"));
    let options = Options { unique_to: Some(to.clone()), ..threads(2) };
    let progress = scanned(std::slice::from_ref(&root), &out, &options);
    let stages: Vec<Row> = rows(&out).into_iter().filter(Row::is_stage).collect();
    let distinct: BTreeMap<(String, String), &Row> =
        stages.iter().map(|row| ((row.code_hash.clone(), row.kind.clone()), row)).collect();
    let written = |to: &Path| -> BTreeSet<String> {
        let names = fs::read_dir(to).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".bin") && !name.ends_with(".descriptors.bin")).collect()
    };
    assert_eq!((written(&to).len(), progress.unique as usize), (distinct.len(), distinct.len()));
    let places = fs::read_to_string(to.join(unique::PLACES)).unwrap();
    assert_eq!(places.lines().count(), stages.len());
    let catalog = Catalog::open(&out, &Dictionaries::default()).unwrap();
    for row in distinct.values().step_by(7) {
        let bytes = fs::read(to.join(format!("{}.{}.{}.bin", row.code_hash, row.isa, row.kind))).unwrap();
        let stage = load::stage(row).unwrap();
        let code: Vec<u8> = stage.code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(bytes.ends_with(&code), "{}", row.place());
        // And a dump is found again.
        let mut places = Vec::new();
        which(&catalog, &Query::of_dump("dump.bin", bytes), &mut |found| places.push(found.place)).unwrap();
        assert!(code.len() < 32 || places.contains(&row.place()), "{}", row.place());
    }
    // From a table alone, the programs come from the files that it names.
    fs::remove_dir_all(&to).unwrap();
    let progress = scanned(&[root], &out, &options);
    assert_eq!((progress.unchanged, progress.unique as usize), (progress.all_files, distinct.len()));
    assert_eq!(written(&to).len(), distinct.len());
}

/// A file of more than one part: what lies across the border of two parts is found once, and nothing inside of it.
#[test]
fn images_are_looked_at_part_by_part() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image.bin");
    let sample = |name: &str| fs::read(corpus::root().join("samples").join(name)).unwrap();
    let (shader, archive, nested) = (sample("loops.shbin"), sample("options.bfsha"), sample("nested.szs"));
    let mut file = fs::File::create(&image).unwrap();
    const PART: u64 = 16 << 20;
    let places = [
        (0x1000, &shader),
        (PART - 8, &archive),
        (PART + 0x10000, &nested),
        (2 * PART - 0x20, &nested),
        (2 * PART + 0x8000, &shader),
    ];
    for (at, bytes) in places {
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(bytes).unwrap();
    }
    file.set_len(2 * PART + (1 << 20)).unwrap();
    drop(file);
    let out = folder.path().join("a.jsonl");
    let progress = scanned(std::slice::from_ref(&image), &out, &threads(2));
    let mut found = rows(&out);
    found.retain(Row::is_stage);
    let mut expected = BTreeSet::new();
    for (at, bytes) in places {
        for (inner, stage) in unshade::open(bytes).unwrap().stages(None) {
            let inner = inner.name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
            expected.insert((format!(":{at:#x}{inner}"), stage.id.0.clone()));
        }
    }
    let stages: BTreeSet<_> = found.iter().map(|row| (row.inner.clone(), row.item.clone())).collect();
    assert_eq!(stages, expected);
    assert_eq!((found.len(), progress.errors), (expected.len(), 0));
    for row in found {
        assert_eq!(load::stage(&row).unwrap().id.0, row.item);
    }
}

/// What unpacks to more than the memory setting leaves is an error row, beside which everything else is found.
#[test]
fn what_needs_more_memory_is_a_row() {
    use unshade::wrap::yaz0::{Level, Yaz0, encode};
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    fs::create_dir_all(&root).unwrap();
    let packed = |len: usize| {
        let data = [fs::read(corpus::root().join("samples/loops.shbin")).unwrap(), vec![0; len]].concat();
        let stream = encode(&data, Level::Fast).into();
        Yaz0 { alignment: 0, reserved: 0, stream, tail: Vec::new().into(), data }.write().unwrap()
    };
    // Fits beside others; fits alone; does not fit.
    for (name, len) in [("a", 4 << 20), ("b", 12 << 20), ("c", 40 << 20)] {
        fs::write(root.join(name), packed(len)).unwrap();
    }
    let out = folder.path().join("a.jsonl");
    let options = Options { memory: 64 << 20, ..threads(4) };
    scanned(std::slice::from_ref(&root), &out, &options);
    let found = rows(&out);
    let records: Vec<&str> = found.iter().map(|row| row.record.as_str()).collect();
    assert_eq!(records, ["stage", "stage", "error"], "{found:?}");
    assert!(found[2].message.starts_with("[scan.memory]"), "{}", found[2].message);
    // With more memory it is looked at again, and what was found is kept.
    let progress = scanned(&[root], &out, &threads(4));
    assert_eq!((progress.unchanged, progress.stages, progress.errors), (2, 3, 0));
}
