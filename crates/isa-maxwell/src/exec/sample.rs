//! What a texture instruction asks, in the IR's words.
//!
//! Coordinates come first, the layer behind them (as a float where the texture is sampled); then reference, level,
//! gradients: all to the right, then all upwards. A fetch from one dimension is one from a buffer where a buffer is
//! bound.

use super::around::Around;
use super::operand::{register_of, write, write_predicate};
use super::run::Fault;
use super::state::Lane;
use crate::Register;
use crate::operation::*;
use unshade_ir::exec::evaluate;
use unshade_ir::{
    FloatMode, Op, Round, Texture as Question, TextureLevel, TextureQuery, TextureShape, Type, Width,
};

type Words = Vec<u32>;

/// The shape of the texture that an instruction expects.
pub(super) fn shape(texture: &Texture) -> TextureShape {
    let array = texture.layer.is_some();
    if texture.sample.is_some() {
        return if array { TextureShape::PlaneSamplesArray } else { TextureShape::PlaneSamples };
    }
    texture.dimension.shape(array)
}

fn offsets(texture: &Texture, lane: &Lane) -> [i8; 3] {
    let Some(register) = texture.offset_operand else { return [0; 3] };
    let word = register_of(lane, register);
    // What stands behind the axes is not theirs.
    let axes = shape(texture).axes();
    match texture.offset {
        Offset::One { at, step, bits } => std::array::from_fn(|axis| {
            if axis >= axes {
                return 0;
            }
            let shift = u32::from(at) + axis as u32 * u32::from(step);
            let len = u32::from(bits).clamp(1, 8);
            ((word.checked_shr(shift).unwrap_or(0) << (32 - len)) as i32 >> (32 - len)) as i8
        }),
        Offset::None | Offset::Four => [0; 3],
    }
}

/// The offset of the texel number `n` of a gather with four.
fn offset_of(texture: &Texture, lane: &Lane, n: usize) -> [i8; 3] {
    let Some(register) = texture.offset_operand else { return [0; 3] };
    let word = register_of(lane, register.further((n / 2) as u8));
    let axis = |axis: usize| (((word >> (16 * (n % 2) + 8 * axis)) << 26) as i32 >> 26) as i8;
    [axis(0), axis(1), 0]
}

/// A layer as a float, or as an integer where texels are fetched.
fn layer(texture: &Texture, lane: &Lane, register: Register) -> u32 {
    let bits = if matches!(texture.clamp, LevelClamp::Packed(_)) { 12 } else { 16 };
    let number = register_of(lane, register) & ((1 << bits) - 1);
    if texture.operation == TextureOperation::Fetch { number } else { (number as f32).to_bits() }
}

/// The question that a texture instruction asks of quads or of lanes by themselves.
fn question(texture: &Texture, unit: u32, shape: TextureShape, quads: bool) -> Result<Question, Fault> {
    let level = match texture.level {
        Level::Quad if quads => TextureLevel::Quad,
        Level::Bias | Level::BiasAligned if quads => TextureLevel::Bias,
        _ => TextureLevel::Given,
    };
    let (query, level) = match texture.operation {
        TextureOperation::Sample => (TextureQuery::Sample, level),
        TextureOperation::Gradient => (TextureQuery::Sample, TextureLevel::Gradients),
        TextureOperation::Fetch if shape.has_samples() || shape == TextureShape::Buffer => {
            (TextureQuery::Texel, TextureLevel::Quad)
        }
        TextureOperation::Fetch => (TextureQuery::Texel, TextureLevel::Given),
        TextureOperation::Gather(component) => (TextureQuery::Gather(component), TextureLevel::Quad),
        TextureOperation::Level => (TextureQuery::Level, TextureLevel::Quad),
        TextureOperation::Address => return Err(Fault::Unsupported),
    };
    // Of a fetch no source says what a limit of its level means.
    if texture.clamp != LevelClamp::None && query != TextureQuery::Sample {
        return Err(Fault::Unsupported);
    }
    Ok(Question { query, shadow: texture.reference.is_some(), ..Question::sample(unit, shape, level) })
}

/// Operands of one lane.
fn operands(texture: &Texture, asked: Question, lane: &Lane) -> Words {
    let read = |register: Register| register_of(lane, register);
    let axes = asked.shape.axes();
    let mut words: Words = texture.coordinates.iter().take(axes).map(|&register| read(register)).collect();
    if let Some(register) = texture.layer.filter(|_| asked.query != TextureQuery::Level) {
        words.push(layer(texture, lane, register));
    }
    if let Some(register) = texture.reference {
        words.push(read(register));
    }
    if let (true, Some(register)) = (asked.has_sample_operand(), texture.sample) {
        words.push(read(register));
        return words;
    }
    match asked.level {
        TextureLevel::Quad => {}
        // Without quads there is nothing that a bias is added to (measured in work groups).
        TextureLevel::Given if matches!(texture.level, Level::Bias | Level::BiasAligned) => words.push(0),
        TextureLevel::Bias | TextureLevel::Given => words.push(texture.level_operand.map_or(0, read)),
        TextureLevel::Gradients => {
            let first = texture.gradients.unwrap_or(Register::ZERO);
            for direction in 0..2 {
                words.extend((0..axes as u8).map(|axis| read(first.further(2 * axis + direction))));
            }
        }
    }
    words
}

/// The limit below which the level of detail may not go.
fn limit(clamp: LevelClamp, lane: &Lane) -> Option<f32> {
    match clamp {
        LevelClamp::None => None,
        LevelClamp::Register(register) => Some(f32::from_bits(register_of(lane, register))),
        LevelClamp::Packed(register) => Some((register_of(lane, register) >> 20) as f32 / 256.0),
    }
}

/// A sample with a limit of its level (`ARB_sparse_texture_clamp`: the level, its bias added, is no smaller than the
/// limit) as one that names the level: what the level would be is asked for first.
fn limited(
    texture: &Texture,
    asked: &mut Question,
    words: &mut [Words; 4],
    lanes: &[Lane],
    mask: [bool; 4],
    around: &mut impl Around,
) {
    let computed: [f32; 4] = if asked.level == TextureLevel::Given {
        std::array::from_fn(|n| words[n].last().map_or(0.0, |&level| f32::from_bits(level)))
    } else {
        let question = Question { query: TextureQuery::Level, shadow: false, offset: [0; 3], ..*asked };
        let without = Texture { reference: None, ..*texture };
        let about: [Words; 4] = std::array::from_fn(|n| {
            lanes.get(n).or(lanes.first()).map(|lane| operands(&without, question, lane)).unwrap_or_default()
        });
        let answers = around.texture(question, std::array::from_fn(|n| about[n].as_slice()), mask);
        answers.map(|answer| f32::from_bits(answer[1]))
    };
    asked.level = TextureLevel::Given;
    for (n, words) in words.iter_mut().enumerate() {
        let Some(lane) = lanes.get(n).or(lanes.first()) else { continue };
        let least = limit(texture.clamp, lane).unwrap_or(f32::NEG_INFINITY);
        words.truncate(asked.coordinates() + usize::from(asked.shadow));
        words.push(computed[n].max(least).to_bits());
    }
}

/// Puts an answer into registers.
fn put(lane: &mut Lane, answer: Answer, texel: [u32; 4]) {
    match answer {
        Answer::Block { first, mask } => {
            let chosen = texel.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0);
            for (n, (_, word)) in (0_u8..).zip(chosen) {
                write(lane, first.further(n), *word);
            }
        }
        Answer::Pairs { low, high, mask, halves } => {
            let mut words: Vec<u32> = texel
                .into_iter()
                .enumerate()
                .filter(|(n, _)| mask >> n & 1 != 0)
                .map(|(_, word)| word)
                .collect();
            if halves {
                let packed = words
                    .chunks(2)
                    .map(|pair| pair.iter().rev().fold(0, |all, &word| all << 16 | to_half(word)));
                let packed: Vec<u32> = packed.collect();
                for (register, word) in [low, high].into_iter().zip(packed) {
                    write(lane, register, word);
                }
                return;
            }
            for (n, word) in words.drain(..).enumerate() {
                let register = if n < 2 { low } else { high };
                write(lane, register.further((n & 1) as u8), word);
            }
        }
    }
}

fn to_half(word: u32) -> u32 {
    let mode = FloatMode { width: Width::F16, flush: false, round: Round::Nearest };
    evaluate(&Op::FConvert(Width::F32, mode), Type::B32, &[word.into()]).unwrap_or_default() as u32
}

/// A level of detail in 1/256: first as computed, signed, then clamped to the levels there are (Mesa's lowering of
/// the query for this generation).
fn levels([clamped, computed, ..]: [u32; 4]) -> [u32; 4] {
    let fixed = |bits: u32| (f32::from_bits(bits) * 256.0).round_ties_even();
    let (computed, clamped) = (fixed(computed).clamp(-32768.0, 32767.0), fixed(clamped).clamp(0.0, 65535.0));
    [computed as i16 as u16 as u32, clamped as u32, 0, 0]
}

/// A texture instruction of a quad: `lanes` are those of the quad that the warp has, `wanted` those at work.
/// `unit` gives the handle of each lane.
pub(super) fn sample(
    lanes: &mut [Lane],
    wanted: u32,
    texture: &Texture,
    units: [u32; 4],
    quads: bool,
    around: &mut impl Around,
) -> Result<(), Fault> {
    let mut left = wanted;
    // Lanes whose handles differ are asked for one after the other.
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let unit = units[first & 3];
        let mine = (0..4_u32).filter(|&n| left >> n & 1 != 0 && units[n as usize] == unit);
        let mine = mine.fold(0, |all, n| all | 1 << n);
        left &= !mine;
        let mut shape = shape(texture);
        if shape == TextureShape::Line && around.shape(unit) == Some(TextureShape::Buffer) {
            shape = TextureShape::Buffer;
        }
        let mut asked = question(texture, unit, shape, quads)?;
        // A lane that the warp does not have is its own neighbour.
        let mut words: [Words; 4] = std::array::from_fn(|n| {
            let lane = lanes.get(n).or(lanes.first());
            lane.map(|lane| operands(texture, asked, lane)).unwrap_or_default()
        });
        let mask = std::array::from_fn(|n| mine >> n & 1 != 0);
        if texture.clamp != LevelClamp::None {
            limited(texture, &mut asked, &mut words, lanes, mask, around);
        }
        let operands: [&[u32]; 4] = std::array::from_fn(|n| words[n].as_slice());
        let Some(speaker) = lanes.get(first).cloned() else { return Ok(()) };
        let texels = if texture.offset == Offset::Four {
            // The texel without an offset is the last of the four of a gather.
            let mut texels = [[0; 4]; 4];
            for n in 0..4 {
                asked.offset = offset_of(texture, &speaker, n);
                let answers = around.texture(asked, operands, mask);
                for (texel, answer) in texels.iter_mut().zip(answers) {
                    texel[n] = answer[3];
                }
            }
            texels
        } else {
            asked.offset = offsets(texture, &speaker);
            around.texture(asked, operands, mask)
        };
        for (n, lane) in lanes.iter_mut().enumerate().take(4) {
            if mine >> n & 1 == 0 {
                continue;
            }
            let texel = texels[n];
            let texel = match asked.query {
                TextureQuery::Level => levels(texel),
                // What a comparison gives stands in three components; the fourth is 1 (measured).
                TextureQuery::Sample if asked.shadow => [texel[0], texel[0], texel[0], 1.0_f32.to_bits()],
                _ => texel,
            };
            put(lane, texture.answer, texel);
            write_predicate(lane, texture.resident, false);
        }
    }
    Ok(())
}

/// A query of one lane.
pub(super) fn query(
    lane: &mut Lane,
    (d, a): (Register, Register),
    unit: u32,
    query: u8,
    mask: u8,
    around: &mut impl Around,
) -> Result<(), Fault> {
    let shape = around.shape(unit).unwrap_or(TextureShape::Plane);
    let level = register_of(lane, a);
    let ask = |query, level| Question { query, ..Question::sample(unit, shape, level) };
    let one = [true, false, false, false];
    let texel = match query {
        // These have no levels.
        1 if shape.has_samples() || shape == TextureShape::Buffer => {
            around.texture(ask(TextureQuery::Size, TextureLevel::Quad), [&[]; 4], one)[0]
        }
        1 => around.texture(ask(TextureQuery::Size, TextureLevel::Given), [&[level]; 4], one)[0],
        // The kind of texture, of which the third component is its number of samples.
        2 => {
            let asked = ask(TextureQuery::Samples, TextureLevel::Quad);
            [0, 0, around.texture(asked, [&[]; 4], one)[0][0], 0]
        }
        _ => return Err(Fault::Unsupported),
    };
    put(lane, Answer::Block { first: d, mask }, texel);
    Ok(())
}
