//! Every program of the corpus in every language: all of it has to be accepted by the validators.
//! `KEEP=FOLDER` leaves the texts there.

use crate::corpus_programs::{Sample, programs};
use crate::tools;
use std::path::Path;
use unshade_emit::{Error, ErrorKind, GlslVersion, Options, glsl, naga};
use unshade_stage::StageKind;

fn keep(name: &str, text: &str) {
    if let Some(folder) = std::env::var_os("KEEP") {
        std::fs::write(Path::new(&folder).join(name), text).unwrap();
    }
}

#[test]
fn glsl_is_valid() {
    let mut texts = Vec::new();
    for Sample { name, kind, strict, by_name, program } in programs() {
        for version in GlslVersion::ALL {
            let header = vec![name.clone()];
            let options = Options { glsl: version, strict, by_name, header, ..Options::new(kind) };
            match glsl::print(&program, &options) {
                Ok(source) => {
                    keep(&format!("{name}.{}.glsl", version.name()), &source.text);
                    texts.push((format!("{name}.{}", version.name()), kind, source.text));
                }
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Unsupported, "{name}: {error}");
                    let old = version == GlslVersion::Es100;
                    assert!(old || !version.kinds().contains(&kind), "{name}: {error}");
                }
            }
        }
    }
    println!("{} texts", texts.len());
    tools::validate_glsl(&texts);
}

#[test]
fn naga_languages_are_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for Sample { name, kind, strict, program, .. } in programs() {
        let options = Options { strict, header: vec![name.clone()], ..Options::new(kind) };
        if kind == StageKind::Geometry {
            assert_eq!(naga::wgsl(&program, &options).unwrap_err().kind, ErrorKind::Unsupported);
            continue;
        }
        // These two have neither the size of a point nor a place in it.
        let has_points =
            |error: &Error| error.kind == ErrorKind::Unsupported && error.to_string().contains("gl_Point");
        match naga::wgsl(&program, &options) {
            Ok(wgsl) => {
                keep(&format!("{name}.wgsl"), &wgsl.text);
                tools::validate_wgsl(&name, &wgsl.text);
            }
            Err(error) => assert!(has_points(&error), "{name}: {error}"),
        }
        match naga::hlsl(&program, &options) {
            Ok(source) => {
                keep(&format!("{name}.hlsl"), &source.text);
                hlsl.push((name.clone(), kind, source.text));
            }
            Err(error) => assert!(has_points(&error), "{name}: {error}"),
        }
        let text = naga::msl(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text;
        keep(&format!("{name}.metal"), &text);
        let words = naga::spirv(&program, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        spirv.push((name, words.bytes()));
    }
    println!("{} programs", spirv.len());
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}
