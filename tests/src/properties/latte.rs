//! What must hold of any words as a program of the Wii U's GPU.

use super::words;
use unshade::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Longest program that is tried, in words.
const LONGEST: usize = 512;

/// A program of any words: what the lift takes behaves like the machine at every point of the way, and prints in every
/// language or is refused.
pub fn latte_lift(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else { return };
    let mut code = words(rest);
    code.truncate(LONGEST);
    if code.is_empty() {
        return;
    }
    let kind = match flags & 3 {
        0 => StageKind::Vertex,
        3 => StageKind::Geometry,
        _ => StageKind::Fragment,
    };
    let stage = Stage {
        id: StageId("0".into()),
        kind,
        isa: Isa::Latte,
        code: Code { words: code.into(), ..Code::default() },
        interface: Interface::default(),
    };
    super::program(&stage, 4);
}
