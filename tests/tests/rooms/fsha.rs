//! Archives of shading models of the Wii U: the shading model's tables name what its programs use.

use unshade::{
    Container, DecompileOptions, Stage, StageKind,
    bfsha::{self, index::Index},
    debug::{Command, Options, Session},
    report,
    run_json::{self, Document},
};
use unshade_tests::fsha::{PIXEL, VERTEX, archive, twin};

fn source(stage: &Stage<'_>) -> String {
    unshade::decompile(stage, &DecompileOptions::default()).unwrap().text
}

#[test]
fn the_models_names_are_those_of_the_programs() {
    for wide in [true, false] {
        let bytes = archive(wide);
        let container = Container::read(&bytes).unwrap();
        assert_eq!(container.write().unwrap(), bytes);
        let stages: Vec<_> = container.stages().collect();
        let ids: Vec<_> = stages.iter().map(|stage| stage.id.0.as_str()).collect();
        assert_eq!(ids, ["skin/0/vertex", "skin/0/fragment", "skin/1/vertex", "skin/1/fragment"]);
        for stage in &stages {
            let gfd = twin(if stage.kind == StageKind::Vertex { VERTEX } else { PIXEL });
            let other = gfd.stages().next().unwrap();
            let (mut own, latte) =
                (stage.interface.latte.clone().unwrap(), other.interface.latte.clone().unwrap());
            let (text, expected) = (source(stage), source(&other));
            // A sampler that the code does not use has a unit too, and is declared.
            let count = own.samplers.len();
            own.samplers.retain(|sampler| sampler.name != "sky");
            let sky = "layout(binding = 7) uniform samplerCube sky;\n";
            assert_eq!(text.contains(sky), count > own.samplers.len(), "{}\n{text}", stage.id);
            own.samplers.sort_by(|a, b| a.name.cmp(&b.name));
            assert_eq!(own, latte, "{}", stage.id);
            let lines = |text: &str| {
                let kept = text.lines().filter(|line| !line.is_empty() && format!("{line}\n") != sky);
                kept.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(lines(&text), lines(&expected), "{}", stage.id);
        }
        let text = source(&stages[1]);
        for line in [
            "uniform material {",
            "vec4 tint;",
            "float weights[3];",
            "uniform sampler2D albedo;",
            "uniform sampler2DArray layers;",
            "uniform sampler2DArrayShadow shadows;",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(source(&stages[0]).contains("in vec4 position;"));
    }
}

#[test]
fn they_are_sound_and_show_what_they_bind() {
    for wide in [true, false] {
        let bytes = archive(wide);
        let report = report::check(&bytes[..], &[], None);
        assert_eq!(report.diagnostics, []);
        assert_eq!(report.unowned, []);
        // What is read on demand is the same.
        let Container::Bfsha(file) = Container::read(&bytes).unwrap() else { unreachable!() };
        let index = Index::open(&bytes).unwrap();
        let bindings = index.bindings(index.model_named("skin").unwrap(), 1).unwrap();
        let slots: Vec<_> =
            bindings.samplers.iter().map(|bound| (bound.name.as_str(), bound.slots.clone())).collect();
        let slot = |stage: &str, slot| vec![(stage.to_owned(), slot)];
        let expected = [
            ("albedo", slot("fragment", 0)),
            ("rooms", Vec::new()),
            ("shadows", slot("fragment", 1)),
            ("layers", slot("fragment", 2)),
            ("sky", slot("vertex", 7)),
        ];
        assert_eq!(slots, expected);
        assert_eq!(bindings.variables, [("tint".to_owned(), 0), ("weights".to_owned(), 16)]);
        let model = file.wiiu_model(0).unwrap();
        let table = file.wiiu_slots(file.wiiu_program_of(model, 0).unwrap().tables[1]);
        assert_eq!(table, [-1, -1, 5, -1, -1, -1, 2, -1, 0]);
        // The material's values.
        let names = Container::Bfsha(file).names();
        let value =
            |name: &str| names.iter().find(|named| named.name == name).and_then(|named| named.value.clone());
        assert_eq!(value("uniforms.tint").as_deref(), Some("0.0, 0.25, 0.5, 0.75"));
    }
}

/// Words of floats, as documents of runs have them.
fn words(values: impl IntoIterator<Item = f32>) -> String {
    values.into_iter().map(|value| format!("{:08x}", value.to_bits())).collect::<Vec<_>>().join(" ")
}

#[test]
fn they_run_and_are_stepped_through() {
    let uniforms = words((0..28_u8).map(f32::from));
    let json = format!(
        r#"{{"in":{{"gpr":{{"1":"{}","2":"{}"}},"cb":{{"2":"{uniforms}"}}}}}}"#,
        words([1.0, 2.0, 3.0, 4.0]),
        words([0.25, 0.75, 0.0, 1.0])
    );
    let document = Document::inputs(&json).unwrap();
    for wide in [true, false] {
        let container = Container::read(&archive(wide)).unwrap();
        let stage = container.stages().next().unwrap();
        let runs = run_json::run(&stage, &document, 100).unwrap();
        assert_eq!(runs[0].unfinished, None);
        let mut session = Session::new(&stage, &document, Options::default()).unwrap();
        let end = session.run(&Command::Continue).unwrap();
        assert!(end.ended.is_some_and(|ended| ended.finished));
        // bones[0][0].x, bones[0][1].x, bones[1][1].x and fade, each the number of its word.
        assert_eq!(end.outputs["exp"]["POS60"], words([4.0, 16.0, 72.0, 0.0]));
        assert_eq!(end.outputs["exp"]["PARAM0"], words([0.25, 0.75, 0.0, 1.0]));
        // What the source computes, at other inputs.
        for stage in container.stages().take(2).filter(|_| wide) {
            let verdict = unshade::verify(&stage, 16, 1);
            for section in [&verdict.strict, &verdict.readable] {
                assert_eq!(section.failure, None, "{}", stage.id);
            }
        }
    }
}

#[test]
fn their_options_choose_programs() {
    for wide in [true, false] {
        let bytes = archive(wide);
        let report = report::options(&bytes, &[], None).unwrap();
        let [model] = &report.models[..] else { panic!("{report:?}") };
        assert_eq!((model.item.as_str(), model.programs), ("#skin", 2));
        let [fog] = &model.options[..] else { panic!("{model:?}") };
        let choices: Vec<_> = fog.choices.iter().map(|one| (one.value.as_str(), one.programs)).collect();
        assert_eq!((fog.name.as_str(), fog.default.as_str()), ("fog", "off"));
        assert_eq!(choices, [("off", 1), ("on", 1)]);
        for (value, program) in [("off", 0), ("on", 1)] {
            let answer = report::pick_any(&bytes, &[], Some("skin"), &[("fog", value)]).unwrap();
            let report::Answer::Model(picked) = answer else { panic!("{answer:?}") };
            let [found] = &picked.picked[..] else { panic!("{picked:?}") };
            let items: Vec<_> = found.stages.iter().map(|stage| stage.item.as_str()).collect();
            let expected = ["vertex", "fragment"].map(|stage| format!("#skin/{program}/{stage}"));
            assert_eq!((found.program, items), (program, expected.iter().map(String::as_str).collect()));
        }
    }
}

#[test]
fn a_copy_of_a_program_keeps_its_tables() {
    for wide in [true, false] {
        let Container::Bfsha(file) = Container::read(&archive(wide)).unwrap() else { unreachable!() };
        let mut without = file.clone();
        without.remove_wiiu("skin/1").unwrap();
        let bytes = without.write().unwrap();
        let again = bfsha::read(&bytes).unwrap();
        assert_eq!(again, without);
        let (a, b) = (file.stages().next().unwrap(), again.stages().next().unwrap());
        assert_eq!(a.interface, b.interface);
    }
}
