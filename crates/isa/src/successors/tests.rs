use super::*;
use unshade_isa_maxwell::form::Form;
use unshade_stage::{Code, Interface, Isa, StageId, StageKind};

fn stage(isa: Isa, words: &[u32]) -> Stage<'_> {
    Stage {
        id: StageId(String::new()),
        kind: StageKind::Fragment,
        isa,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

/// The ways of the program, as `from kind to`.
fn ways(isa: Isa, words: &[u32]) -> Vec<String> {
    let (steps, _) = steps(&stage(isa, words)).unwrap();
    let way = |from: &u32, way: &Successor| match way.to {
        Some(to) => format!("{from} {:?} {to}", way.kind),
        None => format!("{from} {:?}", way.kind),
    };
    steps.iter().flat_map(|(from, step)| step.successors.iter().map(move |found| way(from, found))).collect()
}

const NOP: u32 = 0x8400_0000;
const END: u32 = 0x8800_0000;

#[test]
fn parts_and_procedures_end_where_the_machine_ends_them() {
    // 0: if, else 2, end 3   1: nop   2: nop   3: end
    let branch = 0xA000_0000 | 2 << 10 | 1;
    assert_eq!(
        ways(Isa::Pica200, &[branch, NOP, NOP, END]),
        ["0 Taken 2", "0 NotTaken 1", "1 Jump 3", "2 Next 3", "3 End"]
    );
    // 0: call 2..3   1: end   2: nop
    let call = 0x9000_0000 | 2 << 10 | 1;
    let code = [call, END, NOP];
    assert_eq!(ways(Isa::Pica200, &code), ["0 Next 1", "0 Call 2", "1 End", "2 Return"]);
    assert_eq!(steps(&stage(Isa::Pica200, &code)).unwrap().1, [0, 2]);
}

#[test]
fn loops_lead_back() {
    // 0: loop to 2   1: nop   2: nop   3: end
    let head = 0xA400_0000 | 2 << 10;
    assert_eq!(
        ways(Isa::Pica200, &[head, NOP, NOP, END]),
        ["0 Next 1", "1 Next 2", "2 Taken 1", "2 NotTaken 3", "3 End"]
    );
}

#[test]
fn tokens_are_followed() {
    const CONTROL: u64 = 0x001f_8000_fc00_07e0;
    const SYNC: u64 = 0xf0f8_0000_0007_000f;
    const EXIT: u64 = 0xe300_0000_0007_000f;
    // SSY to the EXIT of the second group, a guarded SYNC, a sure one, EXIT.
    let ssy = Form::Ssy.value() | 0x7_0000 | (0x28 - 0x10) << 20;
    let guarded = SYNC & !0x7_0000;
    let words: Vec<u32> = [CONTROL, ssy, guarded, SYNC, CONTROL, EXIT]
        .iter()
        .flat_map(|word| [*word as u32, (word >> 32) as u32])
        .collect();
    assert_eq!(ways(Isa::Maxwell, &words), ["2 Next 4", "4 Taken 10", "4 NotTaken 6", "6 Jump 10", "10 End"]);
}

#[test]
fn any_words_end() {
    let mut seed = 1_u32;
    for isa in [Isa::Pica200, Isa::MaliGp, Isa::MaliPp, Isa::Latte, Isa::Maxwell] {
        for _ in 0..20 {
            let words: Vec<u32> = (0..400)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    seed ^ seed >> 13
                })
                .collect();
            let (steps, entries) = steps(&stage(isa, &words)).unwrap();
            assert!(entries.len() <= 1 << 10);
            for step in steps.values() {
                assert!(step.successors.iter().filter_map(|way| way.to).all(|to| steps.contains_key(&to)));
            }
        }
    }
}
