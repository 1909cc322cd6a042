#![allow(warnings)]
use unshade_stage::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let strict = args.iter().any(|a| a == "--strict");
    let ir = args.iter().any(|a| a == "--ir");
    for path in args[1..].iter().filter(|a| !a.starts_with("--")) {
        let bytes = std::fs::read(path).unwrap();
        let words = unshade::words_from_bytes(&bytes[..bytes.len() / 4 * 4]).unwrap();
        let kind = if path.contains(".ps") {
            StageKind::Fragment
        } else if path.contains(".gs") {
            StageKind::Geometry
        } else {
            StageKind::Vertex
        };
        let stage = Stage {
            id: StageId("0".into()),
            kind,
            isa: Isa::Latte,
            code: Code { words: words.into(), ..Code::default() },
            interface: Interface {
                latte: Some(Box::new(Latte { profile: latte::Profile::Mesa, ..Latte::default() })),
                ..Interface::default()
            },
        };
        if args.iter().any(|a| a == "--verify") {
            let v = unshade::verify(&stage, 100, 1);
            let f = |s: &unshade::verify::Section| match &s.failure {
                None => format!("ok({}, out {})", s.compared, s.outside),
                Some(f) => format!("{f}"),
            };
            if let Some(unshade::verify::Failure::Differs(e)) = &v.strict.failure {
                for r in &e.inputs {
                    println!("{:?} {} {:08x?}", r.space, r.binding, &r.words[..r.words.len().min(16)]);
                }
            }
            println!("{path}: strict {} | readable {}", f(&v.strict), f(&v.readable));
            continue;
        }
        let mut o = unshade::DecompileOptions { strict, ..Default::default() };
        if ir {
            o.target = unshade::Target::Ir;
        }
        match unshade::decompile(&stage, &o) {
            Ok(d) => println!("// ==== {path}\n// {:?}\n{}", d.structure, d.text),
            Err(e) => println!("// ==== {path} ERROR {e}"),
        }
    }
}
