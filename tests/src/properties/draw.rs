//! Pictures: any file, drawn small.

use unshade::draw::{Drawing, Given, MESHES, Pair, Scene};
use unshade::{CompiledFor, Dictionaries, Member, Origin, Source, StageKind, programs};

/// Programs of a file that are drawn.
const PROGRAMS: usize = 3;
/// Longest code of one, in words; decompiling longer code is another target's business.
const WORDS: usize = 1 << 11;
/// Instructions between two looks.
const SLICE: u64 = 1 << 12;
/// Looks at one picture.
const SLICES: usize = 12;
/// Most instructions by which a slice may be longer than asked for: those of one quad, and what it costs beside them.
const QUAD: u64 = 1 << 18;

/// The programs of any file on small pictures: what cannot be drawn is refused, a slice ends where it must, and slices change
/// nothing.
pub fn draw(data: &[u8]) {
    let dictionaries = Dictionaries::default();
    let source = Source::new(data, &dictionaries);
    let Ok(found) = programs(source, &[], None) else { return };
    let members: Vec<Member<'static>> = found.stages;
    let compiled_for = CompiledFor::new(source, &[]);
    let origin = Origin { name: "any", source, inner: &[], compiled_for: &compiled_for };
    let is_drawn = |(_, stage): &&Member<'static>| {
        matches!(stage.kind, StageKind::Vertex | StageKind::Fragment) && stage.code.words.len() <= WORDS
    };
    // What goes with it is decompiled too.
    if members.iter().any(|(_, stage)| stage.code.words.len() > WORDS) {
        return;
    }
    for (number, (item, _)) in members.iter().filter(is_drawn).take(PROGRAMS).enumerate() {
        let Ok(pair) = Pair::new(&origin, &members, item) else { continue };
        let chosen = data.len().wrapping_add(number);
        let uniforms = ["preview_projection", "preview_world"].map(|name| Given {
            name: name.to_owned(),
            values: data.iter().rev().take(16).map(|byte| f32::from(*byte) / 64.0 - 2.0).collect(),
        });
        let scene = Scene {
            mesh: MESHES.get(2 + chosen % 3).map_or_else(String::new, |mesh| (*mesh).to_owned()),
            width: 1 + (chosen % 9) as u32,
            height: 1 + (chosen % 7) as u32,
            ground: 0.5,
            uniforms: uniforms.into(),
        };
        one(&pair, &scene);
    }
}

fn one(pair: &Pair, scene: &Scene) {
    let (sliced, again) = (Drawing::new(pair, scene), Drawing::new(pair, scene));
    let (mut sliced, mut whole) = match (sliced, again) {
        (Ok(sliced), Ok(again)) => (sliced, again),
        (Err(first), Err(second)) => return assert_eq!(first, second),
        (sliced, again) => panic!("{:?} and then {:?}", sliced.err(), again.err()),
    };
    let size = 4 * scene.width as usize * scene.height as usize;
    let mut last = sliced.progress();
    for _ in 0..SLICES {
        let progress = sliced.go(SLICE);
        assert!(progress.done >= last.done && progress.steps >= last.steps, "{last:?} and then {progress:?}");
        assert!(progress.steps - last.steps <= SLICE + QUAD, "{last:?} and then {progress:?}");
        assert_eq!(sliced.picture().bytes.len(), size);
        last = progress;
        if progress.finished {
            break;
        }
    }
    if last.finished {
        assert!(whole.go(u64::MAX).finished);
        assert_eq!(sliced.picture(), whole.picture());
    }
}
