//! Fetches: every format of a buffer, swaps, strides, and what textures are asked.
#![allow(clippy::unusual_byte_groupings, reason = "the groups are the fields of a format")]

use crate::build::{Build, stage, vtx};
use unshade_ir::{TextureLevel, TextureQuery, TextureShape};
use unshade_isa_common::texture::{Fetch, NoTextures, Query, Textures};
use unshade_isa_latte::exec::{Buffer, Lane, Layout, Program, Resources};
use unshade_isa_latte::fields::{Tex, Vtx};
use unshade_isa_latte::{CfOp, DataFormat, FetchOp};
use unshade_stage::latte::{Dimension, Profile, Sampler};
use unshade_stage::{Latte, StageKind};

fn fetched(inst: Vtx, resources: &Resources, latte: Latte, index: u32) -> [u32; 4] {
    let mut build = Build::default();
    build.fetch(CfOp::Vtx, &[inst.0]).end();
    let mut lane = Lane::default();
    lane.registers[0][0] = index;
    let program = Program::new(&stage(build.words(), StageKind::Vertex, latte));
    program.run(std::slice::from_mut(&mut lane), resources, &mut NoTextures, 100);
    lane.registers[1]
}

fn from(words: &[u32], format: DataFormat, change: impl Fn(Vtx) -> Vtx) -> [u32; 4] {
    let mut resources = Resources::default();
    resources.buffers.insert(7, Buffer { words: words.to_vec(), ..Buffer::default() });
    fetched(change(vtx(7, 1).with_data_format(format.number())), &resources, Latte::default(), 0)
}

fn integers(words: &[u32], format: DataFormat) -> [u32; 4] {
    from(words, format, |inst| inst.with_num_format_all(1))
}

fn floats(words: &[u32], format: DataFormat, numbers: u32, signed: u32, spread: u32) -> [f32; 4] {
    let change =
        |inst: Vtx| inst.with_num_format_all(numbers).with_format_comp_all(signed).with_srf_mode_all(spread);
    from(words, format, change).map(f32::from_bits)
}

#[test]
fn components_start_in_the_lowest_bits() {
    use DataFormat as F;
    let word = [0x8765_4321];
    assert_eq!(integers(&word, F::X8), [0x21, 0, 0, 1]);
    assert_eq!(integers(&word, F::X4Y4), [1, 2, 0, 1]);
    assert_eq!(integers(&[0b101_110_01], F::X3Y3Z2), [0b01, 0b110, 0b101, 1]);
    assert_eq!(integers(&word, F::X16), [0x4321, 0, 0, 1]);
    assert_eq!(integers(&word, F::X8Y8), [0x21, 0x43, 0, 1]);
    assert_eq!(integers(&[0b10001_100001_11111], F::X5Y6Z5), [0b11111, 0b100001, 0b10001, 1]);
    assert_eq!(integers(&[0b100001_10001_11111], F::X6Y5Z5), [0b11111, 0b10001, 0b100001, 1]);
    assert_eq!(integers(&[0b1_00010_10001_11111], F::X1Y5Z5W5), [31, 17, 2, 1]);
    assert_eq!(integers(&word, F::X4Y4Z4W4), [1, 2, 3, 4]);
    assert_eq!(integers(&[0b00010_10001_11111_1], F::X5Y5Z5W1), [1, 31, 17, 2]);
    assert_eq!(integers(&word, F::X32), [word[0], 0, 0, 1]);
    assert_eq!(integers(&word, F::X16Y16), [0x4321, 0x8765, 0, 1]);
    assert_eq!(integers(&word, F::X8Y24), [0x65_4321, 0x87, 0, 1]);
    assert_eq!(integers(&word, F::X24Y8), [0x21, 0x87_6543, 0, 1]);
    assert_eq!(integers(&[3 << 22 | 2 << 11 | 1], F::X10Y11Z11), [1, 2, 3, 1]);
    assert_eq!(integers(&[3 << 21 | 2 << 10 | 1], F::X11Y11Z10), [1, 2, 3, 1]);
    assert_eq!(integers(&[3 << 30 | 7 << 20 | 6 << 10 | 5], F::X2Y10Z10W10), [5, 6, 7, 3]);
    assert_eq!(integers(&[7 << 22 | 6 << 12 | 5 << 2 | 3], F::X10Y10Z10W2), [3, 5, 6, 7]);
    assert_eq!(integers(&word, F::X8Y8Z8W8), [0x21, 0x43, 0x65, 0x87]);
    assert_eq!(integers(&[1, 2, 3, 4], F::X32Y32), [1, 2, 0, 1]);
    assert_eq!(integers(&[1, 2, 3, 4], F::X32Y32Z32), [1, 2, 3, 1]);
    assert_eq!(integers(&[1, 2, 3, 4], F::X32Y32Z32W32), [1, 2, 3, 4]);
    assert_eq!(integers(&[0x2_0001, 0x4_0003], F::X16Y16Z16W16), [1, 2, 3, 4]);
    assert_eq!(integers(&[0x2_0001, 0x4_0003], F::X16Y16Z16), [1, 2, 3, 1]);
    assert_eq!(integers(&word, F::X8Y8Z8), [0x21, 0x43, 0x65, 1]);
    assert_eq!(integers(&[5], F::X1), [1, 0, 0, 1]);
    assert_eq!(integers(&word, F::Bc1), [0; 4]);
}

#[test]
fn numbers_by_their_format() {
    use DataFormat as F;
    assert_eq!(floats(&[0xFF00_80FF], F::X8Y8Z8W8, 0, 0, 0), [1.0, 128.0 / 255.0, 0.0, 1.0]);
    assert_eq!(floats(&[0x7F00_80FF], F::X8Y8Z8W8, 0, 1, 0), [-1.0 / 127.0, -1.0, 0.0, 1.0]);
    assert_eq!(floats(&[0x7F00_80FF], F::X8Y8Z8W8, 0, 1, 1), [-1.0 / 255.0, -1.0, 1.0 / 255.0, 1.0]);
    assert_eq!(floats(&[0x7F00_80FF], F::X8Y8Z8W8, 2, 1, 0), [-1.0, -128.0, 0.0, 127.0]);
    assert_eq!(floats(&[0x7F00_80FF], F::X8Y8Z8W8, 2, 0, 0), [255.0, 128.0, 0.0, 127.0]);
    let signed =
        from(&[0x7F00_80FF], F::X8Y8Z8W8, |inst| inst.with_num_format_all(1).with_format_comp_all(1));
    assert_eq!(signed, [-1, -128, 0, 127].map(|n: i32| n as u32));
    assert_eq!(floats(&[u32::MAX], F::X32, 0, 0, 0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(floats(&[0xC000_3C00], F::X16Y16Float, 0, 0, 0), [1.0, -2.0, 0.0, 1.0]);
    assert_eq!(floats(&[0x7C00_0001], F::X16Y16Float, 0, 0, 0)[..2], [2.0_f32.powi(-24), f32::INFINITY]);
    // 1.0 in 11 bits: exponent 15, mantissa of 6; in 10 bits mantissa of 5.
    assert_eq!(floats(&[15 << 27 | 15 << 17 | 15 << 6], F::X10Y11Z11Float, 0, 0, 0), [1.0; 4]);
    assert_eq!(floats(&[15 << 27 | 15 << 16 | 15 << 5], F::X11Y11Z10Float, 0, 0, 0), [1.0; 4]);
    // 256 / 512 * 2^(16 - 15).
    assert_eq!(floats(&[16 << 27 | 256], F::X5Y9Z9E9, 0, 0, 0), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(floats(&[1.5_f32.to_bits(), 0xFF], F::X24Y8Z32Float, 0, 0, 0), [1.5, 1.0, 0.0, 1.0]);
    // 24 bits: exponent of 4, mantissa of 20.
    assert_eq!(floats(&[0x80 << 24 | 7 << 20], F::X8Y24Float, 2, 0, 0), [1.0, 128.0, 0.0, 1.0]);
    assert_eq!(floats(&[7 << 28 | 0x80], F::X24Y8Float, 2, 0, 0), [128.0, 1.0, 0.0, 1.0]);
    assert_eq!(floats(&[1.5_f32.to_bits()], F::X32Float, 1, 0, 0), [1.5, 0.0, 0.0, 1.0]);
}

#[test]
fn bytes_are_swapped_by_width() {
    let words = [0x4433_2211, 0x8877_6655];
    let with =
        |swap| from(&words, DataFormat::X32Y32, |inst| inst.with_num_format_all(1).with_endian_swap(swap));
    assert_eq!(with(0)[..2], words);
    assert_eq!(with(1)[..2], [0x3344_1122, 0x7788_5566]);
    assert_eq!(with(2)[..2], [0x1122_3344, 0x5566_7788]);
    assert_eq!(with(3)[..2], [0x5566_7788, 0x1122_3344]);
    let mut resources = Resources::default();
    let buffer = Buffer { words: words.to_vec(), swapped: true, ..Buffer::default() };
    resources.buffers.insert(7, buffer);
    let inst =
        vtx(7, 1).with_data_format(DataFormat::X32.number()).with_num_format_all(1).with_endian_swap(2);
    assert_eq!(fetched(inst, &resources, Latte::default(), 0)[0], words[0]);
}

#[test]
fn addresses() {
    let mut resources = Resources::default();
    let words: Vec<u32> = (100..200).collect();
    resources.buffers.insert(7, Buffer { words: words.clone(), stride: Some(12), ..Buffer::default() });
    resources.constants[2] = words;
    let base = vtx(7, 1).with_data_format(DataFormat::X32.number()).with_num_format_all(1);
    let at = |inst: Vtx, index| fetched(inst, &resources, Latte::default(), index)[0];
    assert_eq!([0, 1, 33].map(|index| at(base, index)), [100, 103, 199]);
    assert_eq!([34, u32::MAX].map(|index| at(base, index)), [0, 0]);
    assert_eq!(at(base.with_offset(8), 1), 105);
    assert_eq!(at(base.with_offset(2), 0), 101 << 16);
    assert_eq!(at(base.with_const_buf_no_stride(1), 12), 103);
    // The console numbers constant buffers from 128 on, Mesa from 0.
    assert_eq!(at(base.with_buffer_id(130).with_offset(4), 3), 113);
    let mesa = Latte { profile: Profile::Mesa, ..Latte::default() };
    assert_eq!(fetched(base.with_buffer_id(2), &resources, mesa, 3)[0], 112);
    assert_eq!(at(base.with_buffer_id(9), 0), 0);
    // The layout of the resource.
    let layout = Layout { format: DataFormat::X16Y16, numbers: 1, signed: false, spread: false, swap: 0 };
    let buffer = Buffer { words: vec![0x7_0006, 0x9_0008], stride: Some(4), layout, swapped: false };
    resources.buffers.insert(8, buffer);
    let inst = vtx(8, 1).with_use_const_fields(1).with_dst_sel_x(1).with_dst_sel_y(0);
    assert_eq!(fetched(inst, &resources, Latte::default(), 1), [9, 8, 0, 1]);
}

/// Remembers what it was asked, and answers with numbers.
#[derive(Default)]
struct Asked(Vec<(unshade_ir::Texture, Vec<Vec<f32>>)>);

impl Textures for Asked {
    fn fetch(&mut self, _: &Fetch) -> [[f32; 4]; 4] {
        [[0.0; 4]; 4]
    }

    fn query(&mut self, query: &Query<'_>) -> [[u32; 4]; 4] {
        let operands = query.operands.map(|words| words.iter().copied().map(f32::from_bits).collect());
        self.0.push((query.texture, operands.to_vec()));
        [[1, 2, 3, 4]; 4]
    }
}

fn asked(insts: &[Tex], latte: Latte, source: [f32; 4]) -> (Asked, [u32; 4]) {
    let mut build = Build::default();
    let insts: Vec<u128> = insts.iter().map(|inst| inst.0).collect();
    build.fetch(CfOp::Tex, &insts).end();
    let mut lane = Lane::default();
    lane.registers[0] = source.map(f32::to_bits);
    let mut asked = Asked::default();
    let program = Program::new(&stage(build.words(), StageKind::Fragment, latte));
    program.run(std::slice::from_mut(&mut lane), &Resources::default(), &mut asked, 100);
    (asked, lane.registers[1])
}

fn tex(op: FetchOp) -> Tex {
    let tex =
        Tex(0).with_inst(op.number()).with_dst_gpr(1).with_dst_sel_y(1).with_dst_sel_z(2).with_dst_sel_w(3);
    let tex = tex.with_coord_type_x(1).with_coord_type_y(1).with_coord_type_z(1).with_coord_type_w(1);
    tex.with_resource_id(4).with_src_sel_y(1).with_src_sel_z(2).with_src_sel_w(3)
}

fn shaped(dimension: Dimension) -> Latte {
    let sampler = Sampler { name: "t".to_owned(), dimension: Some(dimension), shadow: false, location: 4 };
    Latte { samplers: vec![sampler], ..Latte::default() }
}

#[test]
fn every_shape_takes_its_coordinates() {
    let source = [1.25, 1.5, 3.0, 4.0];
    let operands = |dimension| {
        let (asked, _) = asked(&[tex(FetchOp::Sample)], shaped(dimension), source);
        let (texture, operands) = &asked.0[0];
        assert_eq!(
            (texture.unit, texture.query, texture.level),
            (4, TextureQuery::Sample, TextureLevel::Quad)
        );
        operands[0].clone()
    };
    assert_eq!(operands(Dimension::D1), [1.25]);
    assert_eq!(operands(Dimension::D2), [1.25, 1.5]);
    assert_eq!(operands(Dimension::D3), [1.25, 1.5, 3.0]);
    assert_eq!(operands(Dimension::D1Array), [1.25, 3.0]);
    assert_eq!(operands(Dimension::D2Array), [1.25, 1.5, 3.0]);
    // A place on the face -y as a direction.
    assert_eq!(operands(Dimension::Cube), [-0.5, -1.0, -0.0]);
    let insts = [tex(FetchOp::SetCubemapIndex).with_src_sel_x(3), tex(FetchOp::Sample)];
    let (array, _) = asked(&insts, shaped(Dimension::CubeArray), source);
    assert_eq!(array.0[0].1[0], [-0.5, -1.0, -0.0, 4.0]);
    let (rect, _) = asked(&[tex(FetchOp::Sample).with_coord_type_x(0)], Latte::default(), source);
    assert_eq!(rect.0[0].0.shape, TextureShape::Rectangle);
}

#[test]
fn every_instruction_asks_its_question() {
    let source = [0.25, 0.5, 3.0, 4.0];
    let ask = |op: FetchOp, change: &dyn Fn(Tex) -> Tex| {
        let (asked, result) = asked(&[change(tex(op))], Latte::default(), source);
        let (texture, operands) = asked.0[0].clone();
        (texture, operands[0].clone(), result)
    };
    let plain = |op| ask(op, &|inst| inst);
    use TextureLevel as L;
    use TextureQuery as Q;
    for (op, query, level, shadow, operands) in [
        (FetchOp::Sample, Q::Sample, L::Quad, false, vec![0.25, 0.5]),
        (FetchOp::SampleL, Q::Sample, L::Given, false, vec![0.25, 0.5, 4.0]),
        (FetchOp::SampleLb, Q::Sample, L::Bias, false, vec![0.25, 0.5, 4.0]),
        (FetchOp::SampleLz, Q::Sample, L::Given, false, vec![0.25, 0.5, 0.0]),
        (FetchOp::SampleC, Q::Sample, L::Quad, true, vec![0.25, 0.5, 4.0]),
        (FetchOp::SampleCL, Q::Sample, L::Given, true, vec![0.25, 0.5, 3.0, 4.0]),
        (FetchOp::SampleCLb, Q::Sample, L::Bias, true, vec![0.25, 0.5, 3.0, 4.0]),
        (FetchOp::SampleCLz, Q::Sample, L::Given, true, vec![0.25, 0.5, 4.0, 0.0]),
        (FetchOp::Ld, Q::Texel, L::Given, false, vec![0.25, 0.5, 4.0]),
        (FetchOp::Fetch4, Q::Gather(0), L::Quad, false, vec![0.25, 0.5]),
        (FetchOp::GetTextureInfo, Q::Size, L::Given, false, vec![0.25]),
        (FetchOp::GetSampleInfo, Q::Samples, L::Quad, false, vec![]),
        (FetchOp::GetCompTexLod, Q::Level, L::Quad, false, vec![0.25, 0.5]),
    ] {
        let (texture, got, _) = plain(op);
        assert_eq!(
            (texture.query, texture.level, texture.shadow, got),
            (query, level, shadow, operands),
            "{op:?}"
        );
        assert_eq!(texture.operands(), asked(&[tex(op)], Latte::default(), source).0.0[0].1[0].len());
    }
    assert_eq!(plain(FetchOp::Sample).2, [1, 2, 3, 4]);
    assert_eq!(plain(FetchOp::Fetch4).2, [3, 1, 2, 4]);
    // Half texels; sixteenths.
    let (texture, ..) = ask(FetchOp::Sample, &|inst| inst.with_offset_x(2).with_offset_y(0x1C));
    assert_eq!(texture.offset, [1, -2, 0]);
    let (texture, operands, _) = ask(FetchOp::Sample, &|inst| inst.with_lod_bias(0x78));
    assert_eq!((texture.level, operands), (L::Bias, vec![0.25, 0.5, -0.5]));
    let (_, operands, _) = ask(FetchOp::SampleLb, &|inst| inst.with_lod_bias(8));
    assert_eq!(operands, [0.25, 0.5, 4.5]);
}

#[test]
fn gradients_are_kept_for_samples() {
    let source = [0.25, 0.5, 3.0, 1.0];
    let swap = |inst: Tex| inst.with_src_sel_x(1).with_src_sel_y(0);
    let insts = [tex(FetchOp::SetGradientsH), swap(tex(FetchOp::SetGradientsV)), tex(FetchOp::SampleG)];
    let (asked_now, _) = asked(&insts, Latte::default(), source);
    assert_eq!(asked_now.0[0].0.level, TextureLevel::Gradients);
    assert_eq!(asked_now.0[0].1[0], [0.25, 0.5, 0.25, 0.5, 0.5, 0.25]);
    // A bias scales them.
    let insts = [tex(FetchOp::SetGradientsH), tex(FetchOp::SampleGLb)];
    assert_eq!(asked(&insts, Latte::default(), source).0.0[0].1[0], [0.25, 0.5, 0.5, 1.0, 0.0, 0.0]);
}

#[test]
fn neighbours_give_differences() {
    let run = |op| {
        let mut build = Build::default();
        build.fetch(CfOp::Tex, &[tex(op).0]).end();
        let mut lanes = vec![Lane::default(); 4];
        for (lane, value) in lanes.iter_mut().zip([1.0_f32, 3.0, 10.0, 40.0]) {
            lane.registers[0][0] = value.to_bits();
        }
        let program = Program::new(&stage(build.words(), StageKind::Fragment, Latte::default()));
        program.run(&mut lanes, &Resources::default(), &mut NoTextures, 100);
        [0, 1, 2, 3].map(|n: usize| f32::from_bits(lanes[n].registers[1][0]))
    };
    assert_eq!(run(FetchOp::GetGradientsH), [2.0, 2.0, 30.0, 30.0]);
    assert_eq!(run(FetchOp::GetGradientsV), [9.0, 37.0, 9.0, 37.0]);
    assert_eq!(run(FetchOp::Pass), [1.0, 3.0, 10.0, 40.0]);
}
