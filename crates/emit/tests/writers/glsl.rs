//! The GLSL printer: golden files, and glslangValidator where it is installed.

use crate::tools;
use crate::trees;
use unshade_emit::{ErrorKind, GlslVersion, Options, glsl};
use unshade_stage::StageKind;

fn options(kind: StageKind, version: GlslVersion, strict: bool) -> Options {
    Options {
        glsl: version,
        strict,
        header: vec!["example.shbin #0, for PICA200".to_owned()],
        ..Options::new(kind)
    }
}

#[test]
fn golden_files() {
    for (name, kind, program) in trees::programs::all() {
        let strict = name == "exact";
        let source = glsl::print(&program, &options(kind, GlslVersion::Core450, strict)).unwrap();
        tools::golden(&format!("{name}.glsl"), &source.text);
    }
    for (name, kind, program) in trees::fragments::all() {
        for version in [GlslVersion::Es100, GlslVersion::Core450] {
            let options = Options { by_name: true, ..options(kind, version, false) };
            let source = glsl::print(&program, &options).unwrap();
            tools::golden(&format!("{name}.{}.glsl", version.name()), &source.text);
        }
    }
    for (name, version) in
        [("arrays", GlslVersion::Es300), ("exact", GlslVersion::Core330), ("kept", GlslVersion::Es320)]
    {
        let (_, kind, program) =
            trees::programs::all().into_iter().find(|(program, ..)| *program == name).unwrap();
        let source = glsl::print(&program, &options(kind, version, true)).unwrap();
        tools::golden(&format!("{name}.{}.glsl", version.name()), &source.text);
    }
}

#[test]
fn every_version_is_valid() {
    let mut texts = Vec::new();
    let mut old = 0;
    for (name, kind, program) in trees::programs::all().into_iter().chain(trees::fragments::all()) {
        for version in GlslVersion::ALL {
            if !version.kinds().contains(&kind) {
                let error = glsl::print(&program, &options(kind, version, false)).unwrap_err();
                assert_eq!(error.kind, ErrorKind::Unsupported);
                assert!(error.message.contains(kind.name()), "{error}");
                continue;
            }
            for strict in [false, true] {
                let source = match glsl::print(&program, &options(kind, version, strict)) {
                    Ok(source) => source,
                    Err(error) => {
                        assert!(is_too_old(version, &error), "{name}: {error}");
                        continue;
                    }
                };
                old += u32::from(version == GlslVersion::Es100);
                let name = format!("{name}-{}-{strict}", version.name());
                texts.push((name, kind, source.text));
            }
        }
    }
    assert!(old >= 24, "{old} texts in ES 1.00");
    tools::validate_glsl(&texts);
}

/// ES 1.00 cannot say everything, the other older ones no doubles, and they say so.
fn is_too_old(version: GlslVersion, error: &unshade_emit::Error) -> bool {
    let doubles = format!("doubles, floats of 64 bits, in GLSL {}", version.name());
    let lacks_doubles = version != GlslVersion::Core450 && error.message == doubles;
    let is_old = version == GlslVersion::Es100 && error.message.ends_with("in GLSL es100");
    error.kind == ErrorKind::Unsupported && (lacks_doubles || is_old)
}

/// Members stand at their offsets in every version: with a qualifier, or behind members that fill the gap.
#[test]
fn blocks_are_laid_out() {
    let program = trees::buffers::blocks();
    let mut texts = Vec::new();
    for version in GlslVersion::ALL {
        for strict in [false, true] {
            match glsl::print(&program, &options(StageKind::Vertex, version, strict)) {
                Ok(source) => {
                    texts.push((format!("{} {strict}", version.name()), StageKind::Vertex, source.text));
                }
                Err(error) => assert!(is_too_old(version, &error), "{error}"),
            }
        }
    }
    let text = |name: &str| texts.iter().find(|(found, ..)| found == name).map(|(.., text)| text.as_str());
    tools::golden("blocks.glsl", text("450 false").unwrap());
    tools::golden("blocks.es300.glsl", text("es300 false").unwrap());
    tools::validate_glsl(&texts);
    if !tools::installed("glslangValidator") {
        return;
    }
    let code = tools::spirv_text(StageKind::Vertex, &texts[0].2);
    let offset = |name: &str| {
        let line =
            code.lines().find(|line| line.contains("MemberName") && line.ends_with(&format!("\"{name}\"")));
        let words: Vec<&str> = line.unwrap().split_whitespace().collect();
        let (block, member) = (words[1].split('(').next().unwrap(), words[2]);
        let place = code.lines().find(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            matches!(words[..], ["MemberDecorate", of, at, "Offset", _]
                if of.starts_with(&format!("{block}(")) && at == member)
        });
        place.unwrap().split_whitespace().last().unwrap().parse::<u32>().unwrap()
    };
    for variable in &program.globals {
        let global = &variable.global;
        if global.space == unshade_ir::Space::Uniform && global.name != "loose" {
            // Members of structures have places in those.
            let (name, start) = match global.name.split_once("[].") {
                Some((_, member)) => (member, 8),
                None => (&global.name[..], 0),
            };
            assert_eq!(offset(name), 4 * (global.offset - start), "{}", global.name);
        }
    }
}

/// Everything that the pipeline gives and takes has a form in some version, or is refused by name.
#[test]
fn pipelines_are_valid_or_named() {
    let mut texts = Vec::new();
    let mut accepted = std::collections::BTreeMap::<&str, u32>::new();
    for (name, kind, program) in trees::pipeline::all() {
        for version in GlslVersion::ALL.into_iter().filter(|version| version.kinds().contains(&kind)) {
            for strict in [false, true] {
                match glsl::print(&program, &options(kind, version, strict)) {
                    Ok(source) => {
                        *accepted.entry(version.name()).or_default() += 1;
                        texts.push((format!("{name} {} {strict}", version.name()), kind, source.text));
                    }
                    Err(error) => {
                        assert_eq!(error.kind, ErrorKind::Unsupported, "{name}: {error}");
                        let version = version.name();
                        assert!(error.message.ends_with(&format!(" in GLSL {version}")), "{name}: {error}");
                    }
                }
            }
        }
    }
    let count = |version: &str| accepted[version];
    assert_eq!(count("450"), 2 * trees::pipeline::all().len() as u32, "{accepted:?}");
    for (version, least) in [("330", 60), ("es100", 6), ("es300", 26), ("es320", 44)] {
        assert!(count(version) >= least, "{accepted:?}");
    }
    tools::validate_glsl(&texts);
    let text = |name: &str| &texts.iter().find(|(found, ..)| found.starts_with(name)).unwrap().2;
    assert!(text("positions").contains("gl_in[2].gl_Position"));
    assert!(text("triangles").contains("layout(triangles) in;"));
    assert!(text("stream-out").contains("xfb_buffer = 1, xfb_offset = 20"));
}

/// Every question to every kind of texture has a form that a compiler takes, or is refused by name.
#[test]
fn textures_are_valid_or_named() {
    let mut texts = Vec::new();
    let mut refused = std::collections::BTreeMap::<String, u32>::new();
    let mut accepted = std::collections::BTreeMap::<&str, u32>::new();
    for (texture, texel) in trees::textures::all() {
        for whole in [false, true] {
            let program = trees::textures::program(texture, texel, whole);
            for version in GlslVersion::ALL {
                for kind in [StageKind::Fragment, StageKind::Vertex] {
                    let name = trees::textures::name(texture, texel);
                    match glsl::print(&program, &options(kind, version, false)) {
                        Ok(source) => {
                            *accepted.entry(version.name()).or_default() += 1;
                            texts.push((
                                format!("{name} {} {kind} {whole}", version.name()),
                                kind,
                                source.text,
                            ));
                        }
                        Err(error) => {
                            assert_eq!(error.kind, ErrorKind::Unsupported, "{name}: {error}");
                            *refused.entry(error.message).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    for message in refused.keys() {
        assert!(message.contains(" in "), "{message}");
    }
    let expected = [("330", 400), ("450", 430), ("es100", 30), ("es300", 180), ("es320", 270)];
    for (version, least) in expected {
        assert!(accepted[version] >= least, "{accepted:?}");
    }
    tools::validate_glsl(&texts);
}

#[test]
fn what_es_100_cannot_say_is_named() {
    for (name, what) in [("precedence", "operations on bits"), ("exact", "in GLSL es100")] {
        let (_, kind, program) =
            trees::programs::all().into_iter().find(|(program, ..)| *program == name).unwrap();
        let error = glsl::print(&program, &options(kind, GlslVersion::Es100, true)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains(what), "{name}: {error}");
    }
}

#[test]
fn lines_are_not_too_long() {
    for (name, kind, program) in trees::programs::all() {
        let source = glsl::print(&program, &options(kind, GlslVersion::Core450, true)).unwrap();
        for line in source.text.lines() {
            assert!(line.len() <= glsl::WIDTH + 2, "{name}: {line}");
        }
    }
}

#[test]
fn random_programs_are_valid() {
    let mut texts = Vec::new();
    for seed in tools::seeds(150) {
        for kind in [StageKind::Vertex, StageKind::Geometry, StageKind::Fragment] {
            let recipe = trees::random::Recipe { kind, comparable: false, doubles: seed % 3 == 1 };
            let program = trees::random::program(seed, recipe);
            let versions = GlslVersion::ALL.into_iter().filter(|version| version.kinds().contains(&kind));
            for version in versions {
                let strict = seed % 2 == 0;
                let source = match glsl::print(&program, &options(kind, version, strict)) {
                    Ok(source) => source,
                    Err(error) if is_too_old(version, &error) => continue,
                    Err(error) => panic!("{kind} program {seed}: {error}"),
                };
                texts.push((format!("{kind} program {seed}, {}", version.name()), kind, source.text));
            }
        }
    }
    tools::validate_glsl(&texts);
}

/// The compiler has to see that no sum or product may be fused or reordered. (Compound functions such as
/// `dot` have no such promise in SPIR-V; strict trees spell them out.)
#[test]
fn strict_arithmetic_is_precise() {
    if !tools::installed("glslangValidator") {
        return;
    }
    for name in ["exact", "long_lines", "functions", "quad", "kept"] {
        let (_, kind, program) =
            trees::programs::all().into_iter().find(|(program, ..)| *program == name).unwrap();
        let source = glsl::print(&program, &options(kind, GlslVersion::Core450, true)).unwrap();
        let code = tools::spirv_text(kind, &source.text);
        let decorated: Vec<&str> =
            code.lines().filter(|line| line.ends_with("NoContraction")).filter_map(id).collect();
        let arithmetic = [" FAdd ", " FSub ", " FMul ", " VectorTimesScalar ", " MatrixTimesVector "];
        let operations: Vec<&str> = code
            .lines()
            .filter(|line| arithmetic.iter().any(|operation| line.contains(operation)))
            .filter_map(|line| line.split(':').next().map(str::trim))
            .collect();
        assert!(!operations.is_empty(), "{name}");
        for operation in operations {
            let number = operation.split('(').next().unwrap();
            assert!(decorated.contains(&number), "{name}: {operation}\n{}\n{code}", source.text);
        }
    }
}

/// The number that a `Decorate` line is about.
fn id(line: &str) -> Option<&str> {
    line.trim().strip_prefix("Decorate ")?.split(['(', ' ']).next()
}
