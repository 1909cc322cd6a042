//! The interpreter of the Wii U's GPU.

use super::words;
use unshade::{Code, Interface, Isa, Stage, StageId, StageKind};
use unshade_ir::exec::Memory;
use unshade_isa::latte::bindings;
use unshade_isa::latte::exec::surface::Surface;
use unshade_isa::latte::exec::{End, Lane, NoTrace, Program, REGION_WORDS, Resources, VERTEX_LIMIT, cases};
use unshade_isa::texture::NoTextures;

/// Steps of a run.
const FUEL: u64 = 2000;

/// Any words, as every kind of program: a run ends, alone and as a quad, uses bounded memory, and comes to the same
/// end when it is done again.
pub fn exec(data: &[u8]) {
    let words = words(data);
    for kind in [StageKind::Vertex, StageKind::Fragment, StageKind::Geometry] {
        let stage = Stage {
            id: StageId("0".into()),
            kind,
            isa: Isa::Latte,
            code: Code { words: words.clone().into(), ..Code::default() },
            interface: Interface::default(),
        };
        let program = Program::new(&stage);
        let surface = Surface::new(&program);
        for index in 0..2 {
            let case = cases::case(&program, &surface, 1, index, cases::Kind::Full);
            let mut resources = Resources::default();
            for (buffer, words) in (0..bindings::CONSTANT_BUFFERS).zip(&mut resources.constants) {
                words.clone_from(case.uniform.get(&buffer).unwrap_or(&Vec::new()));
            }
            resources.bools = index as u32;
            resources.loops = std::array::from_fn(|n| n as u32);
            // A program that is its own fetch program.
            resources.fetch_program = (index == 1).then(|| words.clone());
            let lane = || {
                let mut lane = Lane::default();
                let words = case.input.get(&bindings::REGISTER_BINDING).into_iter().flatten();
                for (place, word) in lane.registers.iter_mut().flatten().zip(words) {
                    *place = *word;
                }
                lane
            };
            let mut quad = vec![lane(); 4];
            quad[1].registers[0][0] ^= 1;
            quad[3].helper = true;
            let outcome = program.run(&mut quad, &resources, &mut NoTextures, FUEL);
            bounded(&quad, outcome.steps, outcome.end);
            let mut again = vec![lane(); 4];
            again[1].registers[0][0] ^= 1;
            again[3].helper = true;
            assert_eq!(program.run(&mut again, &resources, &mut NoTextures, FUEL), outcome);
            assert_eq!(again, quad);
            let mut alone = lane();
            let mut environment = Memory::default();
            let outcome = program.run_lane(&mut alone, &resources, &mut environment, FUEL, &mut NoTrace);
            bounded(std::slice::from_ref(&alone), outcome.steps, outcome.end);
        }
    }
}

fn bounded(lanes: &[Lane], steps: u64, end: End) {
    assert!(steps <= FUEL, "{end:?}");
    for lane in lanes {
        let regions = lane.streams.iter().chain([&lane.ring, &lane.scratch, &lane.reduction, &lane.memory]);
        for region in regions {
            assert!(region.words.len() <= REGION_WORDS);
        }
        assert!(lane.events.len() <= 2 * VERTEX_LIMIT as usize + FUEL as usize);
    }
}
