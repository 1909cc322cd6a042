//! Every source of the corpus gives the bytes that the reference assembler gave.

use crate::asm::layout;
use std::path::PathBuf;

fn corpus() -> Option<PathBuf> {
    let path = unshade_corpus::shared("corpus/shbin");
    if !path.is_dir() {
        println!("skipped: no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn corpus_assembles_byte_for_byte() {
    let Some(corpus) = corpus() else { return };
    let mut expected: Vec<_> =
        std::fs::read_dir(corpus.join("picasso-out")).unwrap().map(|entry| entry.unwrap().path()).collect();
    expected.sort();
    for path in &expected {
        let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".shbin").unwrap();
        let (stem, no_nop) = name.strip_suffix(".nonop").map_or((name, false), |stem| (stem, true));
        let parts: Vec<String> = match stem {
            "t17_merge" => vec![format!("{stem}.v"), format!("{stem}.g")],
            "t18_multi" => ["lib.v", "a.v", "b.v", "c.g"].map(|part| format!("t18_{part}")).into(),
            _ if corpus.join(format!("src/{stem}.v.pica")).exists() => vec![format!("{stem}.v")],
            _ => vec![format!("{stem}.g")],
        };
        let texts: Vec<_> = parts
            .into_iter()
            .map(|part| {
                let text = std::fs::read_to_string(corpus.join(format!("src/{part}.pica"))).unwrap();
                (part, text)
            })
            .collect();
        let made = layout::file(&texts, no_nop).unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
        assert!(made == std::fs::read(path).unwrap(), "{name} differs");
    }
    println!("{} files identical", expected.len());
    assert!(!expected.is_empty());
}
