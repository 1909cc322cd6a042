//! Bare compute code of NVIDIA's own compiler, with idioms that uam never makes: calls, tables of branches, halves,
//! votes, surfaces. It becomes compute programs in GLSL that the reference compiler takes, but for what the language
//! cannot say. The corpus lies next to the checkout, and glslangValidator may be missing; without it only what the
//! decompiler says is looked at.

use std::process::Command;
use unshade::{DecompileOptions, Isa, StageKind};

/// What is not decompiled, by mode, the words that refuse it, and why no source can say it.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("k_atom", "readable", "an atomic operation (Add) on U64", LONG_ATOMICS),
    ("k_atom", "strict", "an atomic operation (Add) on U64", LONG_ATOMICS),
    ("k_brx", "readable", "a table in c[0x2][0x0]", NO_TABLE),
    ("k_brx", "strict", "a table in c[0x2][0x0]", NO_TABLE),
    ("k_call", "readable", "a branch stack of more than 256 entries", RECURSION),
    ("k_call", "strict", "a branch stack of more than 256 entries", RECURSION),
    (
        "k_double",
        "strict",
        "FFma(FloatMode { width: F64, flush: false, round: Down }",
        "fused sums of doubles that are rounded downward",
    ),
    ("k_int", "readable", "a video operation that saturates", VIDEO),
    ("k_int", "strict", "a video operation that saturates", VIDEO),
    ("k_surf", "readable", "an image whose coordinates count bytes", BYTES),
    ("k_surf", "strict", "an image whose coordinates count bytes", BYTES),
    ("k_tex", "readable", "a lower limit of the level of detail", LIMIT),
    ("k_tex", "strict", "a lower limit of the level of detail", LIMIT),
    ("k_warp", "readable", "special register 3", MULTIPROCESSOR),
    ("k_warp", "strict", "special register 3", MULTIPROCESSOR),
];
const LONG_ATOMICS: &str = "no version of GLSL without extensions has atomic operations of 64 bits";
const NO_TABLE: &str = "the table of targets lies in a bank that the bare code does not bring";
const RECURSION: &str = "a function that calls itself, which GLSL forbids";
const VIDEO: &str = "saturating operations on parts of words are not lifted yet";
const BYTES: &str = "the size of a texel, which the code does not say, would be needed";
const LIMIT: &str = "GLSL has it in an extension only";
const MULTIPROCESSOR: &str = "which multiprocessor it is, nothing in GLSL says";

#[test]
fn kernels_become_compute_programs() {
    let folder = unshade_corpus::shared("corpus/maxwell/ptx-out");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return println!("skipped: no corpus at {}", folder.display());
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "bin"));
    paths.sort();
    assert!(paths.len() >= 12);
    let validates = Command::new("glslangValidator").arg("--version").output().is_ok();
    let made_in = std::env::temp_dir().join(format!("unshade-maxwell-kernels-{}", std::process::id()));
    std::fs::create_dir_all(&made_in).unwrap();
    let (mut failures, mut made) = (Vec::new(), 0);
    for path in &paths {
        let name = path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        let words = unshade::words_from_bytes(&std::fs::read(path).unwrap()).unwrap();
        let stage = unshade::raw_stage(Isa::Maxwell, words, Vec::new());
        assert_eq!(stage.kind, StageKind::Compute, "{name}");
        for mode in ["readable", "strict"] {
            let options = DecompileOptions { strict: mode == "strict", ..DecompileOptions::default() };
            let known = REFUSED.iter().find(|(of, at, ..)| *of == name && *at == mode);
            let source = match (unshade::decompile(&stage, &options), known) {
                (Ok(source), None) => source,
                (Ok(_), Some(_)) => {
                    failures.push(format!("{name} ({mode}): said after all"));
                    continue;
                }
                (Err(error), Some((.., words, why))) if error.to_string().contains(words) => {
                    println!("{name} ({mode}): {error}: {why}");
                    continue;
                }
                (Err(error), _) => {
                    failures.push(format!("{name} ({mode}): {error}"));
                    continue;
                }
            };
            made += 1;
            if source.structure.dispatchers > 0 {
                failures.push(format!("{name} ({mode}): a dispatcher"));
            }
            let file = made_in.join(format!("{name}.{mode}.comp"));
            std::fs::write(&file, source.bytes()).unwrap();
            if !validates {
                continue;
            }
            let answer = Command::new("glslangValidator").arg(&file).output().unwrap();
            let text = String::from_utf8_lossy(&answer.stdout);
            let first = text.lines().find(|line| line.starts_with("ERROR"));
            println!("{name} ({mode}): {} lines {}", source.text.lines().count(), first.unwrap_or("valid"));
            if !answer.status.success() {
                failures.push(format!("{name} ({mode}): {}", first.unwrap_or("not valid")));
            }
        }
    }
    if std::env::var_os("KEEP").is_none() {
        std::fs::remove_dir_all(&made_in).unwrap();
    }
    println!("{made} made of {} kernels", paths.len());
    assert!(failures.is_empty(), "{failures:#?}");
}
