//! What leaves programs by other ways than exports: stream-out words and the ring in front of a geometry program,
//! against what the original GLSL computed. The corpus lies next to the checkout; without it this test says so and
//! passes.

use serde_json::Value;
use std::path::Path;
use unshade::{Isa, StageKind};
use unshade_isa::latte::exec::{End, Lane, Program, Region, Resources};
use unshade_isa::texture::NoTextures;

fn words(value: &Value) -> Vec<u32> {
    value.as_str().unwrap().split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

/// Runs the cases of a vectors file in another program and compares a region, `(first word, GLSL name)`.
fn compare(
    folder: &Path,
    vectors: &str,
    program: &str,
    region: fn(&Lane) -> &Region,
    layout: &[(usize, &str)],
) -> usize {
    let text = std::fs::read_to_string(folder.join("vectors").join(vectors)).unwrap();
    let vectors: Value = serde_json::from_str(&text).unwrap();
    let code = unshade::words_from_bytes(&std::fs::read(folder.join(program)).unwrap()).unwrap();
    let mut stage = unshade::raw_stage(Isa::Latte, code, Vec::new());
    stage.kind = StageKind::Vertex;
    let machine = Program::new(&stage);
    let cases = vectors["cases"].as_array().unwrap();
    for case in cases {
        let mut lane = Lane::default();
        for (register, value) in case["machine_in"]["gpr"].as_object().unwrap() {
            let number: usize = register[1..].parse().unwrap();
            lane.registers[number].copy_from_slice(&words(&value[0]));
        }
        let mut resources = Resources::default();
        if let Some(buffer) = case["machine_in"].get("cb0") {
            resources.constants[0] = words(buffer);
        }
        let outcome = machine.run(std::slice::from_mut(&mut lane), &resources, &mut NoTextures, 10_000);
        assert_eq!(outcome.end, End::Ended);
        let got = &region(&lane).words;
        for (first, name) in layout {
            let want = words(&case["out"][*name]);
            assert_eq!(got[*first..first + want.len()], want, "{program} {name}");
        }
    }
    cases.len()
}

#[test]
fn streams_and_rings_hold_what_the_source_wrote() {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
    if !folder.is_dir() {
        println!("skipped: no corpus at {}", folder.display());
        return;
    }
    let mut cases = 0;
    for program in ["xfb.vs.bin", "xfb.vs.opt.bin"] {
        cases += compare(&folder, "xfb.vs.json", program, |lane| &lane.streams[0], &[(0, "vA"), (4, "vB")]);
    }
    for program in ["gs_tri.vs.bin", "gs_tri.es.opt.bin"] {
        cases +=
            compare(&folder, "gs_tri.vs.json", program, |lane| &lane.ring, &[(0, "gl_Position"), (4, "gA")]);
    }
    println!("{cases} cases");
    assert!(cases >= 96);
}
