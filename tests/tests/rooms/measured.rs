//! Kernels of one operation whose results were measured on the console, or follow from what was: the interpreter gives
//! that result, and both sources are equal to it. The kernels lie next to the checkout; without them this says so and passes.

use unshade::run_json::{self, Document};

/// Each kernel, with the first words that it leaves (docs/maxwell-hardware.md).
const KERNELS: [(&str, &str); 12] = [
    ("atom_min_64", "00000000 00000000"),
    ("csetp_rgt", "ffffffff"),
    ("f2f_f64_ftz", "0000000a 00000003"),
    ("fmul_m2_denormal", "00c45ddc"),
    ("i2f_u16_neg", "c7311c00"),
    ("i2i_s8", "000000fb"),
    ("i2i_s16_s8", "0000fffb"),
    ("iadd3_cc", "00000009"),
    ("iadd3_rs_33bit", "00010000"),
    ("psetp_second", "00000003"),
    ("store_minus4", "deadbeef"),
    ("vote_vtg", "12345678"),
];

/// Steps that a kernel may take.
const FUEL: u64 = 1_000;

#[test]
fn kernels_give_what_the_console_gives() {
    let folder = unshade_corpus::shared("cases/switch");
    if !folder.is_dir() {
        println!("skipped: no kernels at {}", folder.display());
        return;
    }
    for (name, words) in KERNELS {
        let bytes = std::fs::read(folder.join(format!("{name}.dksh"))).unwrap();
        let opened = unshade::open(&bytes[..]).unwrap();
        let (_, stage) = opened.stages(None).next().unwrap();
        let json = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let document = Document::inputs(&json).unwrap();
        let runs = run_json::run(&stage, &document, FUEL).unwrap();
        assert_eq!(runs[0].unfinished, None, "{name}");
        let json = document.with_outputs(&runs);
        let (_, left) = json.rsplit_once("\"100000000\"").unwrap_or_else(|| panic!("{name}: {json}"));
        let left = left.trim_start_matches([':', ' ', '"']);
        assert!(left.starts_with(words), "{name}: expected {words}, found {left}");
        let verdict = unshade::verify(&stage, 256, 1);
        assert_eq!((&verdict.strict.failure, verdict.strict.compared), (&None, 256), "{name}");
        assert_eq!((&verdict.readable.failure, verdict.readable.compared), (&None, 256), "{name}");
    }
}
