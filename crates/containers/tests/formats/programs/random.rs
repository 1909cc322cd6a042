//! Random sequences of edits, each undone in turn; files of generators that know nothing of this one.

use crate::common;
use crate::programs::{files, holds, ids, item};
use proptest::{collection::vec, prelude::*, sample::Index};
use std::{process::Command, sync::OnceLock};
use unshade_containers::opaque::from_hex;
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::StageId;

/// What takes an edit back.
enum Undo {
    Put(StageId, DetachedStage),
    Add(NewProgram),
    Remove(String),
}

/// Files of the generators beside the checkout: archives of random programs, MBS files of random chunks.
fn generated() -> Vec<(String, Container)> {
    let script = "import sys
sys.path.insert(0, sys.argv[1])
import make_sharcfb, make_mbs
for seed in range(40):
    recipe = make_sharcfb.random_recipe(seed, sys.argv[2])
    print(make_sharcfb.build(recipe, ['little', 'big'][seed % 2], 'random%d' % seed, sys.argv[2])[0].hex())
    print(make_mbs.build(make_mbs.rand_doc(seed, make_mbs.CODE)).hex())
";
    let (Some(tools), Some(r700)) =
        (common::shared("tools/make_sharcfb.py"), common::shared("corpus/gfd/r700"))
    else {
        return Vec::new();
    };
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", script])
        .arg(tools.parent().unwrap())
        .arg(r700)
        .output();
    let Ok(output) = output else {
        println!("skipped: no python3");
        return Vec::new();
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let files = text.lines().enumerate().filter_map(|(number, line)| {
        let bytes = from_hex(line).unwrap();
        Some((format!("generated {number}"), Container::read(&bytes).ok()?))
    });
    files.collect()
}

/// Small files of all formats.
fn pool() -> &'static [(String, Container)] {
    static POOL: OnceLock<Vec<(String, Container)>> = OnceLock::new();
    POOL.get_or_init(|| {
        let mut pool = files();
        pool.extend(generated());
        pool.retain(|(_, file)| file.write().unwrap().len() < 8 << 10 && file.stages().next().is_some());
        let of = |format: &str| pool.iter().filter(|(_, file)| file.format().name() == format).count();
        println!("{:?}", ["shbin", "mbs", "gfd", "sharcfb"].map(|format| (format, of(format))));
        pool
    })
}

/// Files that hold the same instruction sets.
fn kin(container: &Container) -> Vec<&'static (String, Container)> {
    let family = |file: &Container| match file.format().name() {
        "gfd" | "sharcfb" => "latte",
        name => name,
    };
    pool().iter().filter(|(_, other)| family(other) == family(container)).collect()
}

fn pick<T>(list: &[T], index: Index) -> Option<&T> {
    (!list.is_empty()).then(|| &list[index.index(list.len())])
}

/// The programs of a file by the names that take them out.
fn items(container: &Container) -> Vec<String> {
    let mut items: Vec<String> = ids(container).into_iter().map(|id| id.0).collect();
    if let Container::Sharcfb(file) = container {
        items = items
            .iter()
            .map(|item| item.rsplitn(3, '/').last().unwrap().to_owned())
            .chain(items.iter().map(|item| item.rsplit_once('/').unwrap().0.to_owned()))
            .collect();
        for (_, program) in file.programs() {
            let name = String::from_utf8_lossy(&program.name.0).trim_end_matches('\0').to_owned();
            for of in program.macro_list().macros {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                items.extend(of.values.iter().map(|v| format!("{name}/{}={}", text(of.name), text(v))));
            }
        }
        items.sort();
        items.dedup();
    }
    items
}

/// One edit, and what takes it back; `None` where it was refused, which must have changed nothing.
fn edit(
    container: &mut Container,
    (op, a, b, c): (u8, Index, Index, Index),
    told: &mut Vec<String>,
) -> Option<Undo> {
    let before = container.clone();
    let others = kin(container);
    let (path, other) = pick(&others, b)?;
    let what = format!("{op} with {path}");
    let done = match op {
        0..=2 => {
            let id = pick(&ids(container), a)?.clone();
            let loose = other.take(pick(&ids(other), c)?).ok()?;
            let old = container.take(&id).ok()?;
            container.put(&id, &loose).map(|()| Undo::Put(id, old))
        }
        3 => {
            let mut new = other.copy_of(pick(&items(other), c)?).ok()?;
            if let (Container::Sharcfb(_), None) = (&*container, &new.into) {
                new.name = Some(format!("added{}", a.index(4)));
            }
            container.add(&new).map(|names| Undo::Remove(item(container, &new, &names)))
        }
        4 => {
            let into = items(container).iter().find_map(|item| {
                let (program, value) = item.rsplit_once('/')?;
                Some((program.to_owned(), value.split_once('=')?.0.to_owned()))
            });
            let (into, name) = into?;
            let value = format!("new{}", a.index(4));
            let at = Some(c.index(3));
            let new =
                NewProgram { into: Some(into), values: vec![(name, value)], at, ..NewProgram::default() };
            let Container::Sharcfb(_) = container else { return None };
            let undo = Undo::Remove(format!(
                "{}/{}={}",
                new.into.as_ref().unwrap(),
                new.values[0].0,
                new.values[0].1
            ));
            container.add(&new).map(|_| undo)
        }
        _ => container.remove(pick(&items(container), a)?).map(|removed| Undo::Add(removed.again)),
    };
    match done {
        Ok(undo) => {
            let after = if op > 4 { format!("{what} removed") } else { what };
            holds(container, &before, &[&before, other], &after);
            let about = match &undo {
                Undo::Put(id, _) => format!("put {id}"),
                Undo::Add(new) => format!("removed {:?} {:?}", new.at, new.into),
                Undo::Remove(item) => format!("added {item}"),
            };
            told.push(format!("{about} from {path}"));
            Some(undo)
        }
        Err(error) => {
            assert!(*container == before, "{what}: half done");
            assert!(error.code.starts_with("programs."), "{what}: {error:?}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::programs::cases(300), failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn sequences_are_undone(file in any::<Index>(), edits in vec((0..8_u8, any::<Index>(), any::<Index>(), any::<Index>()), 1..7)) {
        let (path, first) = pick(pool(), file).unwrap();
        let mut container = first.clone();
        let (mut undone, mut told) = (Vec::new(), Vec::new());
        for choice in edits {
            let bytes = container.write().unwrap();
            if let Some(undo) = edit(&mut container, choice, &mut told) {
                undone.push((choice, undo, bytes));
            }
        }
        while let Some((_, undo, bytes)) = undone.pop() {
            let result = match undo {
                Undo::Put(id, old) => container.put(&id, &old),
                Undo::Add(new) => container.add(&new).map(drop),
                Undo::Remove(item) => container.remove(&item).map(drop),
            };
            prop_assert!(result.is_ok(), "{}: {:#?}: {:?}", path, told, result);
            let differs = container.difference(&bytes).unwrap();
            prop_assert!(differs.is_none(), "{}: {:#?}: {}", path, told, differs.unwrap());
            told.push("undone".to_owned());
        }
    }
}

#[test]
fn what_generators_make_is_taken_apart_and_put_together() {
    let (mut stages, mut programs, mut refused) = (0, 0, 0);
    for (path, container) in generated() {
        let bytes = container.write().unwrap();
        for id in ids(&container) {
            let mut put = container.clone();
            put.put(&id, &container.take(&id).unwrap()).unwrap();
            assert!(put.write().unwrap() == bytes, "{path}#{id}");
            stages += 1;
        }
        for item in items(&container) {
            let mut edited = container.clone();
            match edited.remove(&item) {
                Ok(removed) => {
                    holds(&edited, &container, &[&container], &format!("{path}#{item} removed"));
                    let names =
                        edited.add(&removed.again).unwrap_or_else(|error| panic!("{path}#{item}: {error}"));
                    assert_eq!(names, removed.stages, "{path}#{item}");
                    let differs = edited.difference(&bytes).unwrap();
                    assert!(differs.is_none(), "{path}#{item}: {}", differs.unwrap());
                    programs += 1;
                }
                Err(error) => {
                    assert!(error.code.starts_with("programs."), "{path}#{item}: {error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{stages} stages, {programs} programs, {refused} refused");
}
