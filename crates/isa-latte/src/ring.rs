//! The rings of geometry programs: vertices come to them by one, and leave them by another, from which a copy program takes them.

use super::{CfOp, Program};
use std::borrow::Cow;
use unshade_stage::{Code, Interface, Isa, Latte, Stage, StageId, StageKind};

/// Bytes from one element to the next in the ring in front of a geometry program.
pub const STRIDE: u32 = 4;

/// Words of one vertex on a ring, at most.
pub const MOST_WORDS: u32 = 1 << 12;

/// Words of registers that hold the offsets of the vertices: R0.x, R0.y, R0.w, R1.x, R1.y, R1.z.
pub const VERTEX_WORDS: [u32; 6] = [0, 1, 3, 4, 5, 6];

/// Words of an item of the ring in front of the program, where nobody says: the position and as many varyings as
/// there can be.
const ITEM: u32 = 4 * 33;

/// Words from one vertex to the next in the ring in front of the program.
pub fn item_words(latte: &Latte) -> u32 {
    match latte.ring_words {
        0 => ITEM,
        words => words.min(MOST_WORDS).next_multiple_of(4),
    }
}

/// Vertices of the input primitive, by the number of the last one that is read.
pub fn vertices(last: u32) -> u32 {
    match last {
        0..=2 => last + 1,
        3 => 4,
        _ => 6,
    }
}

/// Words of one vertex on the ring that a program writes: what the registers say, or what its writes reach to.
pub fn written_words(code: Program<'_>, latte: &Latte) -> u32 {
    let registers =
        latte.geometry.as_ref().map_or((0, 0), |geometry| (geometry.vertex_words, geometry.ring_words));
    let (vertex, all) = registers;
    if vertex > 0 {
        return vertex.min(MOST_WORDS);
    }
    let writes = code.control_flow().map(|(_, cf)| cf).filter(|cf| cf.op() == Some(CfOp::MemRing));
    let reach = writes.map(|cf| {
        let memory = cf.memory();
        memory.array_base() + (memory.burst_count() + 1) * (memory.elem_size() + 1)
    });
    // All vertices together; items of the ring behind the program's own words stay unread.
    reach.max().unwrap_or(0).max(all.min(MOST_WORDS))
}

/// The copy program beside a geometry program, where that is known.
pub fn copy_program(geometry: &Latte) -> Option<Stage<'_>> {
    let words = geometry.geometry.as_ref().map(|at| at.copy.as_slice()).filter(|words| !words.is_empty())?;
    let latte = Latte {
        copy_program: true,
        profile: geometry.profile,
        uniform_mode: geometry.uniform_mode,
        parameters: geometry.parameters.clone(),
        parameter_count: geometry.parameter_count,
        position: geometry.position,
        ..Latte::default()
    };
    Some(Stage {
        id: StageId("copy".to_owned()),
        kind: StageKind::Vertex,
        isa: Isa::Latte,
        code: Code { words: Cow::Borrowed(words), ..Code::default() },
        interface: Interface { latte: Some(Box::new(latte)), ..Interface::default() },
    })
}
