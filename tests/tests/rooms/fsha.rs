//! Archives of shading models of the Wii U: the shading model's tables name what its programs use.

use unshade::{
    Container, DecompileOptions, Stage, StageKind,
    bfsha::{self, index::Index},
    report,
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
        let model = file.cafe_model(0).unwrap();
        let table = file.cafe_slots(file.cafe_program_of(model, 0).unwrap().tables[1]);
        assert_eq!(table, [-1, -1, 5, -1, -1, -1, 2, -1, 0]);
        // The material's values.
        let names = Container::Bfsha(file).names();
        let value =
            |name: &str| names.iter().find(|named| named.name == name).and_then(|named| named.value.clone());
        assert_eq!(value("uniforms.tint").as_deref(), Some("0.0, 0.25, 0.5, 0.75"));
    }
}

#[test]
fn a_copy_of_a_program_keeps_its_tables() {
    for wide in [true, false] {
        let Container::Bfsha(file) = Container::read(&archive(wide)).unwrap() else { unreachable!() };
        let mut without = file.clone();
        without.remove_cafe("skin/1").unwrap();
        let bytes = without.write().unwrap();
        let again = bfsha::read(&bytes).unwrap();
        assert_eq!(again, without);
        let (a, b) = (file.stages().next().unwrap(), again.stages().next().unwrap());
        assert_eq!(a.interface, b.interface);
    }
}
