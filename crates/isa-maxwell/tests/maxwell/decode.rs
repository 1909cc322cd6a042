//! What words mean: real programs beside the checkout, words from listings, and any words at all.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use unshade_isa_maxwell::operation::*;
use unshade_isa_maxwell::{Form, Instruction, Operation, Predicate, Register, layout};

fn corpus() -> Option<PathBuf> {
    let folder = unshade_corpus::shared("corpus/maxwell");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no corpus beside the checkout ({})", folder.display());
    None
}

fn code(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap();
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn every_word_of_real_programs_has_a_meaning() {
    let Some(corpus) = corpus() else { return };
    let mut words = 0;
    for folder in ["uam-out", "ptx-out"] {
        for entry in std::fs::read_dir(corpus.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "bin") {
                continue;
            }
            for placed in layout::instructions(&code(&path)) {
                let decoded = Instruction::decode(placed.word);
                assert!(decoded.is_some(), "{} {:x}: {:016x}", path.display(), placed.address, placed.word);
                words += 1;
            }
        }
    }
    assert!(words > 3000, "{words} words");
}

fn r(number: u8) -> Register {
    Register(number)
}

fn of(number: u8) -> Source {
    Source::Register(r(number))
}

fn to(number: u8) -> Destination {
    Destination { register: r(number), flags: false }
}

fn float(number: u8) -> Float {
    Float { source: of(number), negate: false, absolute: false }
}

fn part(source: Source, half: u8) -> PartOf {
    PartOf { source, part: Part::Half(half), signed: false, negate: false }
}

const ALWAYS: Combined = Combined { with: Combine::And, predicate: Predicate::TRUE };

/// Words of listings with what they say there.
fn known() -> Vec<(u64, Operation)> {
    let texture = Texture {
        operation: TextureOperation::Sample,
        dimension: Dimension::D2,
        handle: Handle::Bound(0x1a4),
        layer: None,
        coordinates: [r(0), r(1), Register::ZERO],
        level: Level::Quad,
        level_operand: None,
        clamp: LevelClamp::None,
        offset: Offset::None,
        offset_operand: None,
        reference: None,
        gradients: None,
        sample: None,
        answer: Answer::Block { first: r(0), mask: 15 },
        resident: 7,
        no_derivatives: false,
    };
    vec![
        // FADD.FTZ R6, R2, R6
        (
            0x5c58_1000_0067_0206,
            Operation::FloatAdd {
                d: to(6),
                a: float(2),
                b: float(6),
                flush: true,
                rounding: Rounding::Nearest,
                saturate: false,
            },
        ),
        // FADD.FTZ R0, R0, -2
        (
            0x3958_1040_0007_0000,
            Operation::FloatAdd {
                d: to(0),
                a: float(0),
                b: Float { source: Source::Immediate((-2.0_f32).to_bits()), negate: false, absolute: false },
                flush: true,
                rounding: Rounding::Nearest,
                saturate: false,
            },
        ),
        // FFMA.FTZ R0, R0, c[0x2][0x80], R9
        (
            0x49a0_0488_0207_0000,
            Operation::FloatFusedMultiplyAdd {
                d: to(0),
                a: float(0),
                b: Float {
                    source: Source::Constant(Constant { bank: 2, offset: 0x80 }),
                    negate: false,
                    absolute: false,
                },
                c: float(9),
                denormals: Denormals::Flush,
                rounding: Rounding::Nearest,
                saturate: false,
            },
        ),
        // FSETP.GT.FTZ.AND P0, PT, R5, c[0x2][0x8], PT
        (
            0x4bb4_8388_0027_0507,
            Operation::FloatSetPredicate {
                p: Predicates { result: 0, opposite: 7 },
                a: float(5),
                b: Float {
                    source: Source::Constant(Constant { bank: 2, offset: 8 }),
                    negate: false,
                    absolute: false,
                },
                compare: CompareFloat { less: false, equal: false, greater: true, unordered: false },
                combined: ALWAYS,
                flush: true,
            },
        ),
        // MUFU.RCP R8, R0
        (
            0x5080_0000_0047_0008,
            Operation::FloatFunction {
                d: r(8),
                function: Function::Reciprocal,
                a: float(0),
                saturate: false,
            },
        ),
        // IADD32I R0, R0, 0x1
        (
            0x1c00_0000_0017_0000,
            Operation::IntAdd {
                d: to(0),
                a: Integer { source: of(0), negate: false },
                b: Integer { source: Source::Immediate(1), negate: false },
                carry: false,
                plus_one: false,
                saturate: false,
            },
        ),
        // XMAD R4, R0, 0x120, R2
        (
            0x3600_0100_1207_0004,
            Operation::MultiplyAdd16 {
                d: to(4),
                a: part(of(0), 0),
                b: part(Source::Immediate(0x120), 0),
                b_word: Source::Immediate(0x120),
                c: of(2),
                addend: MultiplyAddend::Word,
                shift_product: false,
                merge: false,
                carry: false,
            },
        ),
        // IMUL.S32.U32 R1, R2, 0x4
        (
            0x3838_0100_0047_0201,
            Operation::IntMultiply {
                d: to(1),
                a: of(2),
                b: Source::Immediate(4),
                signed: [true, false],
                high: false,
            },
        ),
        // SHF.L.W R24, R6, 0x7, R6
        (
            0x36fc_0300_0077_0618,
            Operation::FunnelShift {
                d: to(24),
                a: r(6),
                b: Source::Immediate(7),
                c: r(6),
                left: true,
                wrap: true,
                width: FunnelWidth::B32,
                mode: 0,
            },
        ),
        // IPA.PASS R0, a[0x7c], RZ
        (
            0xe003_ff87_cff7_ff00,
            Operation::Interpolate {
                d: r(0),
                a: Attribute {
                    address: 0x7c,
                    register: Register::ZERO,
                    patch: false,
                    output: false,
                    physical: false,
                },
                mode: Interpolate::Pass,
                sample: Sample::Center,
                b: Register::ZERO,
                offset: Register::ZERO,
                saturate: false,
            },
        ),
        // TLDS.LL R0, R2, R0, R11, 0x1a4, 2D, RGBA
        (
            0xdab0_1a40_00b7_0002,
            Operation::Texture(Texture {
                operation: TextureOperation::Fetch,
                level: Level::Given,
                level_operand: Some(r(11)),
                answer: Answer::Pairs { low: r(2), high: r(0), mask: 15, halves: false },
                ..texture
            }),
        ),
        // TLDS.LZ R2, R0, R2, R0, 0x1a4, ARRAY_2D, RGBA: the layer alone, the place in the pair behind it
        (
            0xdb10_1a40_2007_0200,
            Operation::Texture(Texture {
                operation: TextureOperation::Fetch,
                layer: Some(r(2)),
                level: Level::Zero,
                answer: Answer::Pairs { low: r(0), high: r(2), mask: 15, halves: false },
                ..texture
            }),
        ),
        // TLD.LL R0, R0, R4, 0x1a7, ARRAY_2D, 0xf
        (
            0xdcb8_1a77_b047_0000,
            Operation::Texture(Texture {
                operation: TextureOperation::Fetch,
                handle: Handle::Bound(0x1a7),
                layer: Some(r(0)),
                coordinates: [r(1), r(2), Register::ZERO],
                level: Level::Given,
                level_operand: Some(r(4)),
                ..texture
            }),
        ),
        // ATOMS.CAS R5, [0x8], R4, R5
        (
            0xee40_0000_8047_ff05,
            Operation::CompareAndSwap {
                d: r(5),
                memory: Memory::Shared,
                a: Address { register: Register::ZERO, offset: 8, wide: false },
                wide: false,
                compare: r(4),
                swap: r(5),
                p: 7,
            },
        ),
        // BRA 0x20 at 0x8
        (
            0xe240_0000_0107_000f,
            Operation::Branch { condition: ConditionCode::TRUE, target: Target::Relative(0x10) },
        ),
        // SULD.D.2D.IGN R0, [R0], 0x48
        (
            0xeb18_0486_0047_0000,
            Operation::ImageLoad {
                d: r(0),
                image: Image {
                    handle: Handle::Bound(0x48),
                    dimension: Dimension::D2,
                    array: false,
                    coordinates: r(0),
                    clamp: 0,
                    bytes: false,
                },
                data: ImageData::Raw(Size::B32),
                p: 7,
            },
        ),
    ]
}

#[test]
fn words_mean_what_listings_say() {
    for (word, operation) in known() {
        let decoded = Instruction::decode(word).unwrap();
        assert_eq!(decoded, Instruction { guard: Predicate::TRUE, operation }, "{word:016x}");
    }
}

#[test]
fn values_without_a_meaning_are_none() {
    // FMUL with scale 7, FFMA with FMZ 3, MUFU with function 9, MEMBAR is not one of them.
    for word in [0x5c68_0e00_0007_0000, 0x59e0_0000_0007_0000, 0x5080_0000_0097_0000] {
        assert_eq!(Instruction::decode(word), None, "{word:016x}");
    }
    assert!(Instruction::decode(0xef98_0000_0007_0000).is_some());
}

#[test]
fn stack_forms_have_no_guard() {
    // SSY with bits of a guard, beside BRA with the same bits.
    assert_eq!(Instruction::decode(0xe290_0000_0040_0000).unwrap().guard, Predicate::TRUE);
    assert_eq!(
        Instruction::decode(0xe240_0000_0040_000f).unwrap().guard,
        Predicate { number: 0, not: false }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    /// No bits of any form stop the decoder.
    #[test]
    fn any_word_is_decoded_or_not(word: u64, form in 0..Form::ALL.len()) {
        let _ = Instruction::decode(word);
        let form = Form::ALL[form];
        let _ = Instruction::decode(word & !form.mask() | form.value());
    }
}
