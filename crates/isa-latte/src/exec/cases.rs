//! Reproducible inputs: the same stage, seed and index give the same words on every platform.
//!
//! | what | value |
//! |---|---|
//! | registers, constant buffers, the constant file, other buffers, the ring | floats by [`Kind`]; one word in eight is an integer from 0 to 15 |
//! | vertex and instance number | 0 to 63, 0 to 7 |
//! | loop constants | count 0 to 7, first value -2 to 5, step -2 to 3, where the file does not set them |
//! | bool constants | 0 or 1 |
//! | gl_FragCoord | x and y in the middle of a pixel of a picture of 2048 by 2048, z 0 to 1, w 0.25 to 4 |
//! | gl_PointCoord, gl_FrontFacing | 0 to 1; 0 or 1 |
//! | initial values of uniforms that the file sets | these |
//!
//! Only what the program can reach is there.

use super::super::{bindings, ring};
use super::surface::Surface;
use super::{Program, Resources};
use std::collections::BTreeMap;
pub use unshade_isa_common::cases::Kind;
use unshade_isa_common::cases::Random;
use unshade_stage::StageKind;

/// Words of buffers that only an index reaches.
const BUFFER_WORDS: u32 = 256;

/// Words of an input, by space: the places of [`bindings`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inputs {
    /// Words of the input bindings.
    pub input: BTreeMap<u32, Vec<u32>>,
    /// Words of the uniform bindings.
    pub uniform: BTreeMap<u32, Vec<u32>>,
}

/// What a program reads before run number `index` of a series.
pub fn case(program: &Program, surface: &Surface, seed: u64, index: u64, kind: Kind) -> Inputs {
    let mut random = Random::new(seed, index);
    let mut inputs = Inputs::default();
    let latte = &program.latte;
    let fill = |random: &mut Random, count: u32| -> Vec<u32> {
        (0..count)
            .map(|_| {
                let bits = random.float(kind, index).to_bits();
                let choice = random.next();
                if choice & 7 == 0 { (choice >> 60) as u32 } else { bits }
            })
            .collect()
    };
    let mut registers = fill(&mut random, 512);
    if program.kind == StageKind::Vertex {
        let numbers = random.next();
        (registers[0], registers[3]) = (numbers as u32 & 63, (numbers >> 32) as u32 & 7);
    }
    inputs.input.insert(bindings::REGISTER_BINDING, registers);
    if !surface.rings.is_empty() {
        let vertices = if latte.copy_program { 1 } else { ring::VERTEX_WORDS.len() as u32 };
        let words = vertices * ring::item_words(latte);
        inputs.input.insert(bindings::RING_INPUT_BINDING, fill(&mut random, words));
    }
    if program.kind == StageKind::Fragment {
        let mut unit = || (random.next() >> 40) as f32 / (1 << 24) as f32;
        let position =
            [(unit() * 2048.0).trunc() + 0.5, (unit() * 2048.0).trunc() + 0.5, unit(), 0.25 + 3.75 * unit()];
        let point = [unit(), unit()];
        let front = if unit() < 0.5 { 0.0_f32 } else { 1.0 };
        inputs.input.insert(bindings::FRAG_COORD_BINDING, position.map(f32::to_bits).to_vec());
        inputs.input.insert(bindings::POINT_COORD_BINDING, point.map(f32::to_bits).to_vec());
        inputs.input.insert(bindings::FRONT_FACING_BINDING, vec![front.to_bits()]);
    }
    for (&buffer, &words) in &surface.constants {
        let words = fill(&mut random, words.min(1 << 14));
        inputs.uniform.insert(bindings::CONSTANT_BUFFER_BINDING + buffer, words);
    }
    if !surface.file.is_empty() {
        inputs.uniform.insert(bindings::CONSTANT_FILE_BINDING, fill(&mut random, 1024));
    }
    for &buffer in &surface.buffers {
        inputs.uniform.insert(bindings::FETCH_BINDING + buffer, fill(&mut random, BUFFER_WORDS));
    }
    let mut loops: Vec<u32> = (0..32)
        .map(|_| {
            let bits = random.next() as u32;
            let (count, first, step) = (bits & 7, (bits >> 8 & 7) as i32 - 2, (bits >> 16) as i32 % 6 - 2);
            count | (first as u32 & 0xFFF) << 12 | (step as u32 & 0xFF) << 24
        })
        .collect();
    let bools = random.next();
    let bools = (0..32).map(|n| (bools >> n & 1) as u32).collect();
    // What the file sets holds in every case.
    let mut set = Resources::default();
    set.load(latte);
    for constant in &latte.loops {
        if let Some(place) = loops.get_mut(constant.slot as usize) {
            *place = constant.value;
        }
    }
    for initial in &latte.initial_values {
        for (at, word) in (initial.offset as usize..).zip(initial.value) {
            let buffers = set.constants.iter().enumerate().map(|(n, words)| (n as u32, words));
            let file = (bindings::CONSTANT_FILE_BINDING, &set.constant_file);
            for (binding, words) in buffers.chain([file]) {
                let place = inputs.uniform.get_mut(&binding).and_then(|words| words.get_mut(at));
                if let (Some(place), true) = (place, words.get(at) == Some(&word)) {
                    *place = word;
                }
            }
        }
    }
    inputs.uniform.insert(bindings::LOOP_BINDING, loops);
    inputs.uniform.insert(bindings::BOOL_BINDING, bools);
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_stage::{Code, Interface, Isa, Stage, StageId};

    #[test]
    fn same_arguments_same_case() {
        // ALU with one line of buffer 3 from line 2 on; the end.
        let clause = 2_u64 | 3 << 22 | 1 << 30 | 2 << 34 | 8 << 58 | 1 << 61;
        let end = 1_u64 << 53;
        let words =
            [clause, end, 1 << 31].into_iter().flat_map(|unit: u64| [unit as u32, (unit >> 32) as u32]);
        let stage = Stage {
            id: StageId("0".to_owned()),
            kind: StageKind::Vertex,
            isa: Isa::Latte,
            code: Code { words: words.collect(), ..Code::default() },
            interface: Interface::default(),
        };
        let program = Program::new(&stage);
        let surface = Surface::new(&program);
        assert_eq!(surface.constants, BTreeMap::from([(3, 192)]));
        let first = case(&program, &surface, 1, 2, Kind::Full);
        assert_eq!(first, case(&program, &surface, 1, 2, Kind::Full));
        assert_ne!(first, case(&program, &surface, 1, 3, Kind::Full));
        assert_eq!(first.uniform[&3].len(), 192);
        assert!(first.input[&bindings::REGISTER_BINDING][0] < 64);
    }
}
