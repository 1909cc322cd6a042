//! Every program of the corpus falls into whole groups and known operations.

use unshade_isa_latte::{CfOp, Program};

#[test]
fn the_corpus_has_no_fault() {
    let folder = unshade_corpus::shared("corpus/gfd/r700");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut programs = 0;
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|end| end != "bin") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let program = Program::new(&words);
        let mut ended = false;
        for (address, cf) in program.control_flow() {
            let place = format!("{}: {address}", path.display());
            let op = cf.op().unwrap_or_else(|| panic!("{place}: unknown control flow"));
            assert!(!ended, "{place}: behind the end");
            ended = cf.ends_program();
            if op.is_alu() {
                let mut end = cf.alu().addr();
                for group in program.groups(cf.alu()) {
                    assert_eq!(group.fault, None, "{place}: group at {}", group.address);
                    for (unit, inst) in group.insts() {
                        assert!(inst.op().is_some(), "{place}: {unit:?} of group {}", group.address);
                    }
                    assert_eq!(group.address, end);
                    end += group.size();
                }
                assert_eq!(end, cf.alu().addr() + cf.alu().count() + 1, "{place}");
            } else if op.is_fetch() {
                let count = program.fetches(cf.normal()).count();
                assert_eq!(count as u32, cf.normal().clause_length(), "{place}");
            } else {
                assert_ne!(op, CfOp::EndProgram, "{place}");
            }
        }
        assert!(ended, "{}: no end", path.display());
        programs += 1;
    }
    assert!(programs > 90, "{programs} programs");
}
