//! The lifted form of every R700 program of the corpus against the interpreter. The corpus lies next to the checkout;
//! without it these tests say so and pass.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use unshade::verify::{Standing, verify, verify_undamaged};
use unshade::{Isa, Stage, StageKind};
use unshade_stage::Latte;
use unshade_stage::latte::{Profile, Uniform};

fn folder() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus at {}", folder.display());
    None
}

fn stage(path: &Path, name: &str) -> Stage<'static> {
    let words = unshade::words_from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let mut stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
    stage.kind = match name.split('.').nth(1).unwrap() {
        kind if kind.starts_with("ps") => StageKind::Fragment,
        kind if kind.starts_with("gs") => StageKind::Geometry,
        _ => StageKind::Vertex,
    };
    stage.interface.latte = Some(Box::new(Latte { profile: Profile::Mesa, ..Latte::default() }));
    stage
}

/// Bit for bit, as lifted, as values, behind the strict passes and as a tree. `UNSHADE_VERIFY_CASES` says how many cases.
#[test]
fn every_program_is_equal_in_strict_mode() {
    let Some(folder) = folder() else { return };
    let cases = std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".bin"))
        .collect();
    names.sort();
    let (mut wrong, mut readable, mut weak) = (Vec::new(), 0, Vec::new());
    for name in &names {
        let verdict = verify(&stage(&folder.join(name), name), cases, 1);
        if let Some(failure) = &verdict.strict.failure {
            println!("{name}: strict: {failure}");
            wrong.push(name.clone());
        }
        if let Some(failure) = &verdict.readable.failure {
            println!("{name}: readable: {failure}");
            readable += 1;
        } else if verdict.standing() == Standing::Weak {
            println!("{name}: weak, {:?}", verdict.readable.outside.reasons());
            weak.push(name.clone());
        }
    }
    println!(
        "{} programs, {cases} cases each: {} differ in strict mode, {readable} in readable mode",
        names.len(),
        wrong.len()
    );
    assert!(names.len() >= 99);
    assert_eq!((wrong, weak), Default::default());
}

/// Goes through the distinct programs of GFD files and SHARCFB archives, with where each stands and with the tables
/// that surround it. Says how many there were, `None` without a corpus.
fn programs_of_files(mut each: impl FnMut(&str, &Stage<'_>)) -> Option<usize> {
    let corpus = folder()?.join("../..");
    let mut seen = BTreeSet::new();
    for kind in ["gfd", "sharcfb"] {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(corpus.join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "gsh" || ending == "sharcfb"));
        assert!(paths.len() >= 8, "{kind}: {} files", paths.len());
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let bytes = std::fs::read(&path).unwrap();
            let opened = unshade::open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            for (inner, stage) in opened.stages(None) {
                assert_eq!(stage.isa, Isa::Latte);
                if seen.insert(stage.code.words.to_vec()) {
                    each(&format!("{name}{}", inner.item_name(&stage.id)), &stage);
                }
            }
        }
    }
    Some(seen.len())
}

/// As above, for every program that a file of the corpus holds.
#[test]
fn every_program_of_files_is_equal_in_strict_mode() {
    let cases = std::env::var("UNSHADE_VERIFY_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let (mut wrong, mut readable) = (Vec::new(), 0);
    let programs = programs_of_files(|place, stage| {
        let verdict = verify(stage, cases, 1);
        if let Some(failure) = &verdict.strict.failure {
            println!("{place}: strict: {failure}");
            wrong.push(place.to_owned());
        }
        if let Some(failure) = &verdict.readable.failure {
            println!("{place}: readable: {failure}");
            readable += 1;
        }
    });
    let Some(programs) = programs else { return };
    println!(
        "{programs} programs of files, {cases} cases each: {} differ in strict mode, {readable} in readable mode",
        wrong.len()
    );
    assert!(programs >= 40, "{programs}");
    assert_eq!(wrong, Vec::<String>::new());
}

/// The numbers behind each place of `mark` in a text: `t3, t5` with `t` gives 3 and 5.
fn numbers(text: &str, mark: &str) -> BTreeSet<u32> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.match_indices(mark).filter_map(|(at, _)| digits(&text[at + mark.len()..]).parse().ok()).collect()
}

/// What the listing says is used has the name in the source that the file's tables give it: textures, registers
/// of uniforms, and attributes that arrive in a register which is read before anything writes it.
#[test]
fn names_of_the_tables_are_the_names_of_the_source() {
    let (mut textures, mut uniforms, mut attributes) = (0, 0, 0);
    let programs = programs_of_files(|place, stage| {
        let tables = stage.interface.latte.as_deref().unwrap();
        if place.starts_with("own_") || place.starts_with("geometry") || place.starts_with("variants") {
            // Compiled by Mesa, whose numbers are not the console's.
            return;
        }
        let listing = unshade::disassemble_stage(stage, &unshade::ListingOptions::default());
        let source = unshade::decompile(stage, &unshade::DecompileOptions::default()).unwrap();
        let declared = |words: &[&str], name: &str| {
            source.text.lines().any(|line| {
                words.iter().all(|word| line.contains(word))
                    && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == name)
            })
        };
        for unit in numbers(listing.text(), ", t") {
            let Some(sampler) = tables.samplers.iter().find(|sampler| sampler.location == unit) else {
                continue;
            };
            assert!(
                declared(&["uniform", "sampler"], &sampler.name),
                "{place}: texture {unit}: {}",
                sampler.name
            );
            textures += 1;
        }
        for register in numbers(listing.text(), " C").into_iter().chain(numbers(listing.text(), "-C")) {
            let holds = |uniform: &&Uniform| {
                let rows = uniform.ty.shape().map_or(1, |(_, columns, _)| columns) * uniform.count.max(1);
                uniform.block.is_none() && (0..rows).contains(&register.wrapping_sub(uniform.offset / 4))
            };
            let Some(uniform) = tables.uniforms.iter().find(holds) else { continue };
            assert!(declared(&[";"], &uniform.name), "{place}: C{register}: {}", uniform.name);
            uniforms += 1;
        }
        for (register, location) in (1..).zip(&tables.semantics) {
            let Some(attribute) = tables
                .attributes
                .iter()
                .find(|attribute| Some(attribute.location) == location.map(u32::from))
            else {
                continue;
            };
            // Behind a comma stands a source, in front of it what is written.
            let (source, first) = (format!(", R{register}."), format!(" R{register}."));
            let read = listing.text().find(&source);
            if read.is_some_and(|read| listing.text().find(&first).is_some_and(|place| place > read)) {
                assert!(declared(&["in "], &attribute.name), "{place}: R{register}: {}", attribute.name);
                attributes += 1;
            }
        }
    });
    let Some(_) = programs else { return };
    println!("named: {textures} textures, {uniforms} uniform registers, {attributes} attributes");
    assert!(textures >= 7 && uniforms >= 60 && attributes >= 26);
}

/// `for (int i = 0; i < n; i++) t = sin(mix(v.y, t * v.z, u));` with `n` in a buffer, as Mesa's driver has it.
const BOUNDED: &str = "ALU:
0 x: MOV R1.x, R0.x
  y: MOV R1.y, 0.0f
LOOP_START_DX10 FAIL_JUMP_ADDR(8)
ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
1 y: SETGE_INT R2.y, R1.y, KC0[0].x
2 z: PRED_SETNE_INT ____, PV1.y, 0.0f UPDATE_EXEC_MASK
JUMP POP_CNT(1) ADDR(6)
LOOP_BREAK ADDR(7)
POP POP_CNT(1)
ALU: KCACHE0(CB0:0-15)
3 x: MULADD_IEEE R0.x, R1.x, R0.z, -R0.y
  y: ADD_INT R1.y, R1.y, 1
4 y: MULADD_IEEE R2.y, KC0[1].x, PV3.x, R0.y
5 x: MULADD_IEEE R0.x, PV4.y, (0x3E22F983, 0.15915494), 0.5f
6 y: FRACT R2.y, PV5.x
7 w: ADD R0.w, PV6.y, (0xBF000000, -0.5)
8 t: SIN R1.x, PV7.w SCL_210
LOOP_END CF_CONST(0) PASS_JUMP_ADDR(2)
ALU:
9 x: MOV R0.x, R1.x
  y: MOV R0.y, R1.x
  z: MOV R0.z, R1.x
  w: MOV R0.w, R1.x
EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(3)
END_OF_PROGRAM
";

fn assembled(text: &str) -> Stage<'static> {
    unshade::listed_stage(Isa::Latte, Some(StageKind::Fragment), text)
        .unwrap_or_else(|found| panic!("{}", found[0]))
}

/// What bounds a loop is mostly a small number, so that runs end; some are any number all the same.
#[test]
fn bounds_of_loops_are_small() {
    let verdict = verify(&assembled(BOUNDED), 1024, 1);
    assert_eq!(verdict.standing(), Standing::Pass, "{verdict:?}");
    assert_eq!((verdict.strict.left, verdict.readable.left), (0, 0));
    assert!((1..=16).contains(&verdict.strict.unfinished), "{verdict:?}");
}

/// Code whose end was lost is not what the text says: neither is equal to anything.
#[test]
fn damaged_code_is_said() {
    let mut stage = assembled(BOUNDED);
    assert_eq!(unshade::Damage::of(&stage), None);
    let words = stage.code.words.to_mut();
    let half = words.len() / 2;
    words[half..].fill(0);
    let damage = unshade::Damage::of(&stage).unwrap();
    assert!(damage.places >= 1 && damage.to_string().contains("cannot be read"), "{damage}");
    assert_eq!(verify_undamaged(&stage, 16, 1).standing(), Standing::Fail);
    let text = unshade::decompile(&stage, &unshade::DecompileOptions::default()).unwrap().text;
    assert!(text.lines().take(8).any(|line| line.contains("of the code cannot be read")), "{text}");
}

/// A sine of an angle of a thousand million turns is any number: where the compiler takes whole turns off, nothing is left, and
/// source that does not is as right. A wrong text still differs where the angles are small.
#[test]
fn angles_of_many_turns_say_nothing() {
    let text = "ALU:
0 x: MUL_IEEE R0.x, R0.x, (0x4E6E6B28, 1e9)
1 x: MULADD_IEEE R0.x, R0.x, (0x3E22F983, 0.15915494), 0.5f
2 x: FRACT R0.x, R0.x
3 x: ADD R0.x, R0.x, (0xBF000000, -0.5)
4 t: SIN R0.x, R0.x
EXP_DONE: PIX0, R0.xxxx ELEM_SIZE(3)
END_OF_PROGRAM
";
    let verdict = verify(&assembled(text), 256, 1);
    assert_eq!((&verdict.strict.failure, &verdict.readable.failure), (&None, &None), "{verdict:?}");
    let reasons = verdict.readable.outside.reasons();
    assert!(reasons.iter().any(|(reason, _)| *reason == unshade::verify::Reason::Turns), "{reasons:?}");
    let small = text.replace("(0x4E6E6B28, 1e9)", "0.5f");
    assert_eq!(verify(&assembled(&small), 256, 1).standing(), Standing::Pass);
}
