//! The interpreter, the lift and the program header of the Switch's GPU, on any words.

use super::words;
use unshade::maxwell::{Form, Header, lint};
use unshade::{Code, Interface, Isa, ListingOptions, Stage, StageId, StageKind};
use unshade_ir::exec::Memory;
use unshade_isa::maxwell::exec::{
    End, LOCAL_WORDS, Lane, NoTrace, OVERLAY_WORDS, Program, Resources, SHARED_WORDS, VERTEX_LIMIT,
    work_group,
};
use unshade_isa::texture::Pictures;

/// Steps of a run.
const FUEL: u64 = 1500;
/// Longest program, in words of 64 bits, control words aside.
const LONGEST: usize = 96;
/// Words of a program header.
const HEADER: usize = 20;

/// A program of any bytes. The first says which stage, and how the rest is meant: as words as they stand, or nine bytes
/// for each instruction, of which the first chooses a form, so that few words are none.
fn stage(data: &[u8]) -> Option<Stage<'static>> {
    let (&flags, rest) = data.split_first()?;
    let kind = match flags & 7 {
        0 => StageKind::Vertex,
        1 => StageKind::Geometry,
        2 => StageKind::TessControl,
        3 => StageKind::TessEval,
        4 => StageKind::Compute,
        _ => StageKind::Fragment,
    };
    let (header, rest) = if flags & 8 != 0 {
        let (header, rest) = rest.split_at_checked(4 * HEADER)?;
        (words(header), rest)
    } else {
        (Vec::new(), rest)
    };
    let code = if flags & 16 != 0 { chosen(rest) } else { words(rest) };
    if code.is_empty() || code.len() > 4 * LONGEST {
        return None;
    }
    Some(made(kind, header, code))
}

fn made(kind: StageKind, header: Vec<u32>, code: Vec<u32>) -> Stage<'static> {
    let mut interface = Interface::default();
    let around = interface.maxwell.insert(Box::default());
    (around.header, around.constants) = (header, vec![0x3f; 64]);
    let code = Code { words: code.into(), ..Code::default() };
    Stage { id: StageId("0".into()), kind, isa: Isa::Maxwell, code, interface }
}

/// Instructions of chosen forms with any other bits; a control word before each three.
fn chosen(data: &[u8]) -> Vec<u32> {
    let mut code = Vec::new();
    for (n, bytes) in data.as_chunks::<9>().0.iter().take(LONGEST).enumerate() {
        if n % 3 == 0 {
            code.extend([0x07e0, 0]);
        }
        let [which, a, b, c, d, e, f, g, h] = *bytes;
        let bits = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        // A byte chooses among 256 of them, a bit among the others.
        let which = usize::from(which) + usize::from(h & 1) * 45;
        let Some(form) = Form::ALL.get(which % Form::ALL.len()) else { continue };
        let word = bits & !form.mask() | form.value();
        code.extend([word as u32, (word >> 32) as u32]);
    }
    code
}

fn lane(n: u32) -> Lane {
    let mut lane = Lane::default();
    for (at, register) in (0_u32..).zip(lane.registers.iter_mut()) {
        *register = match at % 4 {
            0 => at * 16 + n,
            1 => (at as f32 * 0.25 + n as f32).to_bits(),
            2 => 0x9E37_79B9_u32.wrapping_mul(at + n),
            _ => at & 1,
        };
    }
    lane.predicates = (n * 5) as u8 & 0x7f;
    lane.attributes.set_all(0x70, &[0x3f80_0000; 40]);
    lane
}

/// A run ends, alone and with others, uses bounded memory, and comes to the same end when it is done again.
pub fn exec(data: &[u8]) {
    let Some(stage) = stage(data) else { return };
    let program = Program::new(&stage);
    let group = || -> Vec<Lane> {
        match stage.kind {
            StageKind::Compute => {
                let mut lanes = work_group([40, 1, 1], [1, 0, 0]);
                for (n, place) in (0..).zip(&mut lanes) {
                    let special = std::mem::take(&mut place.special);
                    *place = Lane { special, ..lane(n) };
                }
                lanes
            }
            StageKind::Fragment => {
                let mut quad: Vec<Lane> = (0..4).map(lane).collect();
                quad[3].helper = true;
                quad
            }
            _ => vec![lane(0), lane(1)],
        }
    };
    let resources = || {
        let mut resources = Resources::default();
        resources.global.regions.insert(0, vec![1; 64]);
        resources.vertices = vec![lane(3).attributes; 3];
        resources.set_constants(0, 0, &[3; 64]);
        resources
    };
    let (mut lanes, mut around) = (group(), resources());
    let outcome = program.run(&mut lanes, &mut around, &mut Pictures::default(), FUEL);
    bounded(&lanes, &around, outcome.steps, outcome.end);
    let (mut again, mut other) = (group(), resources());
    assert_eq!(program.run(&mut again, &mut other, &mut Pictures::default(), FUEL), outcome);
    assert!(again == lanes && other == around, "another result in the same run");
    let (mut alone, mut around) = (lane(2), resources());
    let mut environment = Memory::default();
    let outcome = program.run_lane(&mut alone, &mut around, &mut environment, FUEL, &mut NoTrace);
    bounded(std::slice::from_ref(&alone), &around, outcome.steps, outcome.end);
}

fn bounded(lanes: &[Lane], resources: &Resources, steps: u64, end: End) {
    assert!(steps <= FUEL, "{end:?}");
    assert!(resources.shared.words.len() <= SHARED_WORDS);
    assert!(resources.global.overlay.len() <= OVERLAY_WORDS);
    for lane in lanes {
        assert!(lane.local.words.len() <= LOCAL_WORDS);
        assert!(lane.events.len() <= 2 * VERTEX_LIMIT);
        assert!(lane.predicates < 0x80);
    }
}

/// What the lift takes behaves like the machine at every point of the way, and prints in every language or is refused.
pub fn lift(data: &[u8]) {
    if let Some(stage) = stage(data) {
        super::program(&stage, 3);
    }
}

/// A program header of any bits: it is written as it was read, also field by field; every field has a text; and what it
/// says is held against any code.
pub fn header(data: &[u8]) {
    let words = words(data);
    let Some(header) = Header::read(&words) else { return };
    assert_eq!(header.write()[..], words[..HEADER]);
    let mut again = header;
    for field in header.fields() {
        let value = header.get(&field);
        assert!(again.set(&field, value) && header.field(&field.path).is_some(), "{}", field.path);
        assert!(field.text(value).len() <= 64, "{}", field.path);
        if field.len < 32 {
            assert!(!again.set(&field, 1 << field.len), "{}", field.path);
        }
    }
    assert_eq!(again, header);
    for address in (0..0x400).step_by(4) {
        let _ = (header.reads(address), header.interpolation(address), header.writes(address));
    }
    let registers = header.pixel_registers();
    assert!(registers.len() <= 34 && registers.iter().all(|result| result.register < 64));
    let _ = (header.layout(), header.stage(), header.topology(), header.targets(), header.read_back());
    let _ = (header.threads(), header.most_vertices(), header.patch_words(), header.streams());
    // The same bytes as a stage with its code.
    let kind = header.stage().unwrap_or(StageKind::Vertex);
    let code: Vec<u32> = words.iter().skip(HEADER).take(4 * LONGEST).copied().collect();
    let stage = made(kind, header.write().to_vec(), code);
    for finding in lint::lint(&stage) {
        assert!(!finding.code.is_empty() && !finding.message.is_empty(), "{finding:?}");
    }
    let text = unshade::disassemble_stage(&stage, &ListingOptions::default());
    assert!(text.text().len() <= 8192 + stage.code.words.len() * 200, "{} bytes", text.text().len());
}
