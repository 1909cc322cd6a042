use super::*;
use crate::{open, pica200};
use std::path::{Path, PathBuf};
use unshade_ir::{FloatMode, Multiply, Op, Origin, Type};
use unshade_stage::StageKind;

/// Files of the shared corpus next to the checkout, or nothing where there is none.
fn corpus() -> Vec<PathBuf> {
    let root = unshade_corpus::shared("corpus");
    let folders = ["picasso-out", "real", "nihstro-out", "synthetic"].map(|folder| format!("shbin/{folder}"));
    let mut files: Vec<_> = folders
        .into_iter()
        .chain(["lima-out", "real", "generated"].map(|folder| format!("mbs/{folder}")))
        .filter_map(|folder| std::fs::read_dir(root.join(folder)).ok())
        .flat_map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    if files.is_empty() {
        println!("no shared corpus at {}: skipped", root.display());
    }
    files
}

fn sample(name: &str) -> crate::Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    open(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_program_of_the_corpus() {
    let paths = corpus();
    let failures = |paths: &mut dyn Iterator<Item = &PathBuf>| {
        let mut failures = Vec::new();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(opened) = open(&std::fs::read(path).unwrap()) else { continue };
            for (_, stage) in opened.stages(None) {
                let verdict = verify(&stage, 4096, 1);
                for section in [&verdict.strict, &verdict.readable] {
                    if let Some(failure) = &section.failure {
                        failures.push(format!("{name}#{}: {failure}", stage.id));
                    }
                }
            }
        }
        failures
    };
    // It is the longest test of the crate: as many shares as there are cores.
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let share = |first| {
            let paths = &paths;
            scope.spawn(move || failures(&mut paths.iter().skip(first).step_by(shares)))
        };
        let running: Vec<_> = (0..shares).map(share).collect();
        running.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Changes the first operation that `wrong` finds something else for. Answers how many there were, 0 or 1.
fn plant(module: &mut Module, wrong: impl Fn(Op) -> Option<Op>) -> usize {
    for function in &mut module.functions {
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &mut function.insts[id.index()];
            if let Some(op) = wrong(inst.op) {
                inst.op = op;
                return 1;
            }
        }
    }
    0
}

fn add_becomes_multiply(op: Op) -> Option<Op> {
    matches!(op, Op::FAdd(_)).then_some(Op::FMul(FloatMode::F32, Multiply::Ieee))
}

fn infinities_are_forgotten(op: Op) -> Option<Op> {
    matches!(op, Op::FMul(..)).then_some(Op::FMul(FloatMode::F32, Multiply::Ieee))
}

fn stage_of(opened: &crate::Opened) -> Stage<'_> {
    opened.stages(None).next().unwrap().1
}

#[test]
fn samples_pass() {
    for name in ["lighting.shbin", "loops.shbin", "particles.shbin", "shared_transform.shbin", "object.dvoj"]
    {
        let opened = sample(name);
        for (_, stage) in opened.stages(None) {
            let verdict = verify(&stage, 500, 7);
            for section in [verdict.strict, verdict.readable] {
                assert_eq!(section.failure, None, "{name}#{}", stage.id);
                assert_eq!(section.compared + section.outside.total(), 500);
                assert!(section.outside.total() < 50, "{name}#{}: {section:?}", stage.id);
            }
        }
    }
}

/// A program of the PICA200 that reads four rows of an array by an index made of an input and a number.
fn indexed(add: f32) -> crate::Opened {
    let text = format!(
        ".fvec rows[4]\n.constf far({add:?}, 0.0, 0.0, 0.0)\n.out position position\n.in v\n.entry main\n.proc main\n\
         add r0, far, v\nmova a0.x, r0.x\nmul position, rows[a0.x], v\nend\n.end\n"
    );
    let source = unshade_isa::assembly::Source { name: "indexed", text: &text };
    open(&crate::assemble_shbin(&[source], Default::default()).unwrap().shbin.write().unwrap()).unwrap()
}

/// Wild numbers lead out of an array of four nearly always; what is drawn in their place does not. Where nothing leads into it the
/// verdict is weak, and says why.
#[test]
fn indices_are_drawn_inside() {
    let inside = indexed(0.5);
    let verdict = verify(&stage_of(&inside), 400, 3);
    assert_eq!(verdict.standing(), Standing::Pass, "{verdict:?}");
    assert!(verdict.readable.compared >= 380, "{verdict:?}");
    assert_eq!(verdict.strict.outside, Outside::default());

    let beyond = indexed(120.0);
    let verdict = verify(&stage_of(&beyond), 400, 3);
    assert_eq!((verdict.standing(), verdict.passed()), (Standing::Weak, false));
    let reasons = verdict.readable.outside.reasons();
    assert!(matches!(reasons[..], [(Reason::Index, 380..)]), "{verdict:?}");
}

/// Half of the cases is enough, less is not; a failure is one whatever the rest says.
#[test]
fn under_half_is_weak() {
    let verdict = |compared: u32, outside: u32| {
        let mut readable = Section { compared, ..Section::default() };
        (0..outside).for_each(|_| readable.outside.add(Reason::NotFinite));
        Verdict { cases: 10, seed: 1, strict: Section { compared: 10, ..Section::default() }, readable }
    };
    assert_eq!(verdict(5, 5).standing(), Standing::Pass);
    assert_eq!(verdict(4, 6).standing(), Standing::Weak);
    let mut failed = verdict(4, 6);
    failed.readable.failure = Some(Failure::Refused { point: "lift".to_owned(), message: String::new() });
    assert_eq!(failed.standing(), Standing::Fail);
}

#[test]
fn a_wrong_line_in_the_lift_is_found() {
    let opened = sample("lighting.shbin");
    let stage = stage_of(&opened);
    let machine = machine(&stage).unwrap();
    for wrong in [add_becomes_multiply, infinities_are_forgotten] {
        let mut lifted = pica200::lift::lift(&stage).unwrap();
        assert_eq!(plant(&mut lifted, wrong), 1);
        let section = Pipeline {
            lifted: &lifted,
            passes: passes::strict(),
            mode: Mode::Strict,
            exact: true,
            work: WORK,
            text: None,
        }
        .section(machine.as_ref(), 500, 1);
        let Some(Failure::Differs(example)) = section.failure else { panic!("{section:?}") };
        assert_eq!(example.point, "lift");
        // The counterexample shows the difference by itself.
        let form = Form::Module(exec::Program::new(&lifted).unwrap());
        let mut subject = Subject::new(&form, machine.as_ref());
        subject.run(&example.inputs, 1 << 20);
        let (result, _) = machine.run(&example.inputs, 1 << 20);
        let Difference::Word { word, expected, got, .. } = example.difference else { panic!() };
        assert_eq!(result.unwrap()[0][word], expected);
        assert_eq!(subject.result(machine.as_ref())[0][word], got);
    }
}

#[test]
fn a_wrong_pass_is_named() {
    let opened = sample("lighting.shbin");
    let stage = stage_of(&opened);
    let lifted = pica200::lift::lift(&stage).unwrap();
    let wrong = Pass { name: "wrong", run: |module| plant(module, add_becomes_multiply).into() };
    let mut list = passes::strict().to_vec();
    list.insert(3, wrong);
    let section =
        Pipeline { lifted: &lifted, passes: &list, mode: Mode::Strict, exact: true, work: WORK, text: None }
            .section(machine(&stage).unwrap().as_ref(), 500, 1);
    let Some(Failure::Differs(example)) = section.failure else { panic!("{section:?}") };
    assert_eq!(example.point, "pass 4 wrong");
}

/// Scales a value that the first store stores by a number so many units in the last place above 1.
fn scale(module: &mut Module, units: u32) -> usize {
    let factor = Op::B32(1.0_f32.to_bits() + units);
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            let store = |id: &unshade_ir::InstId| matches!(function.insts[id.index()].op, Op::Store(_));
            let Some(at) = function.blocks[block].insts.iter().position(store) else { continue };
            let id = function.blocks[block].insts[at];
            let stored = function.insts[id.index()].args[0];
            let origin = Origin::default();
            let factor = function.push_inst(factor, &[], &[Type::B32], origin);
            let by = function.result(factor, 0);
            let product = Op::FMul(FloatMode::F32, Multiply::Ieee);
            let product = function.push_inst(product, &[stored, by], &[Type::B32], origin);
            function.insts[id.index()].args[0] = function.result(product, 0);
            function.blocks[block].insts.splice(at..at, [factor, product]);
            return 1;
        }
    }
    0
}

#[test]
fn readable_mode_allows_rounding_and_nothing_more() {
    let opened = sample("lighting.shbin");
    let stage = stage_of(&opened);
    let lifted = pica200::lift::lift(&stage).unwrap();
    let with = |wrong: Pass| {
        let mut list = passes::readable().to_vec();
        list.push(wrong);
        Pipeline {
            lifted: &lifted,
            passes: &list,
            mode: Mode::Readable,
            exact: false,
            work: WORK,
            text: None,
        }
        .section(machine(&stage).unwrap().as_ref(), 300, 1)
    };
    let close = with(Pass { name: "close", run: |module| scale(module, 2).into() });
    assert_eq!(close.failure, None);
    let wrong = with(Pass { name: "wrong", run: |module| scale(module, 1 << 12).into() });
    let Some(Failure::Differs(example)) = wrong.failure else { panic!("{wrong:?}") };
    assert!(example.point.ends_with(" wrong"), "{}", example.point);
}

#[test]
fn what_never_ends_does_not_pass() {
    use unshade_stage::{Code, Interface, Isa, StageId};
    // jmpc cmp.x == 0 -> word 0: the flag is never set.
    let words = vec![0x2C << 26 | 2 << 22, 0x22 << 26];
    let stage = Stage {
        id: StageId("0".to_owned()),
        kind: StageKind::Vertex,
        isa: Isa::Pica200,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface::default(),
    };
    let verdict = verify(&stage, 20, 1);
    assert_eq!(verdict.standing(), Standing::Unfinished);
    assert_eq!((verdict.strict.failure, verdict.strict.unfinished), (None, 20));
    // jmpu b0 -> word 0: ends where b0 is false.
    let words = vec![0x2D << 26, 0x22 << 26];
    let stage = Stage { code: Code { words: words.into(), ..Code::default() }, ..stage };
    let verdict = verify(&stage, 200, 1);
    assert_eq!(verdict.strict.failure, None);
    assert!((1..=20).contains(&verdict.strict.unfinished), "{verdict:?}");
}

/// All words of a run, as `run` prints them.
fn words_of(value: &serde_json::Value, words: &mut std::collections::BTreeSet<u32>) {
    match value {
        serde_json::Value::String(text) => {
            words.extend(text.split(' ').filter_map(|word| u32::from_str_radix(word, 16).ok()));
        }
        serde_json::Value::Number(flag) => {
            words.extend(flag.as_u64().and_then(|flag| u32::try_from(flag).ok()))
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| words_of(value, words)),
        serde_json::Value::Object(values) => values.values().for_each(|value| words_of(value, words)),
        _ => {}
    }
}

/// What `verify` prints as inputs brings back the run that it had, textures included; with other texels it does not.
#[test]
fn printed_inputs_run_again() {
    use crate::run_json::{self, Document, Unbound};
    let mut others = 0;
    for name in [
        "phong.frag.mbs",
        "blur.gsh",
        "texture.frag.dksh",
        "two_stages.bnsh",
        "loops.shbin",
        "surface.sharcfb",
    ] {
        for (_, mut stage) in sample(name).stages(None) {
            // A pixel program whose first register is where it is, which the hardware puts there in its own way.
            if let (StageKind::Fragment, Some(latte)) = (stage.kind, &mut stage.interface.latte) {
                latte.frag_coord = Some(0);
            }
            let Some(drawn) = drawn_for_both(&stage, 7, Kind::Finite) else { continue };
            let left = machine(&stage).unwrap().run(&drawn.source, 1 << 16).0.unwrap();
            let lost = |unbound| -> Vec<u32> {
                let printed = run_json::inputs(&stage, &drawn.machine, unbound);
                let document = Document::inputs(&printed).unwrap();
                let run = run_json::run(&stage, &document, 1 << 16).unwrap().remove(0);
                let mut words = [0, 0x3F80_0000].into();
                words_of(&serde_json::Value::Object(run.outputs.to_json()), &mut words);
                left.iter().flatten().copied().filter(|word| !words.contains(word)).collect()
            };
            let none: [u32; 0] = [];
            assert_eq!(lost(Unbound::Hashed), none, "{name} {}", stage.id);
            others += usize::from(!lost(Unbound::Smooth).is_empty());
        }
    }
    assert!(others >= 2, "{others}");
}

/// Of the registers of the Wii U those alone are printed that a program reads.
#[test]
fn printed_registers_are_read() {
    let opened = sample("blur.gsh");
    let (_, stage) = opened.stages(None).find(|(_, stage)| stage.kind == StageKind::Fragment).unwrap();
    let printed = crate::run_json::drawn(&stage, 7, 1).unwrap();
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let spaces = printed["in"].as_object().unwrap();
    assert_eq!(spaces["gpr"].as_object().unwrap().keys().collect::<Vec<_>>(), ["0"], "{printed}");
    assert!(!spaces.contains_key("loop") && !spaces.contains_key("bool"), "{printed}");
}
