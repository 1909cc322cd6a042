//! Questions to what is drawn: a pair of programs, and the interpreters' picture of it.

use crate::{
    Answer, Failure, Session,
    answer::compact,
    ask::{Budget, DrawMesh, DrawOpen, DrawStart, arguments},
    text::origin,
};
use serde::Serialize;
use unshade::draw::{self, Attribute, Drawing, Pair, Progress, Sampled, Uniform};

/// What is drawn last, and how far it is.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pair: Option<Pair>,
    drawing: Option<Drawing>,
    /// The picture of the last difference.
    difference: Vec<u8>,
}

/// A pair as the page draws it.
#[derive(Serialize)]
struct Opened<'p> {
    vertex: &'p str,
    fragment: &'p str,
    /// Why the browser does not draw it.
    beyond: Option<&'p str>,
    notes: &'p [String],
    attributes: &'p [(String, Attribute)],
    samplers: &'p [Sampled],
    uniforms: &'p [Uniform],
}

pub(crate) fn open(session: &mut Session, json: &str) -> Answer {
    let DrawOpen { at, chosen } = arguments(json)?;
    session.drawn = Drawn::default();
    let pair = {
        let file = session.file(at.file)?;
        let place = file.place(&at.item);
        let mut members = file.programs(&place)?;
        if !members.iter().any(|(item, _)| *item == chosen) {
            members = file.programs(&file.place(&chosen))?;
        }
        let compiled_for = file.compiled_for(&place.inner)?;
        let origin = origin(file, &place.inner, &compiled_for);
        Pair::new(&origin, &members, &chosen).map_err(|error| Failure::new(error.to_string()))?
    };
    let pair = session.drawn.pair.insert(pair);
    compact(&Opened {
        vertex: &pair.vertex_text,
        fragment: &pair.fragment_text,
        beyond: pair.beyond.as_deref(),
        notes: &pair.notes,
        attributes: &pair.attributes,
        samplers: &pair.samplers,
        uniforms: &pair.uniforms,
    })
}

/// A mesh as buffers take it.
#[derive(Serialize)]
struct Buffers<'m> {
    positions: &'m [f32],
    normals: &'m [f32],
    uvs: &'m [f32],
    indices: &'m [u16],
}

pub(crate) fn mesh(json: &str) -> Answer {
    let DrawMesh { mesh } = arguments(json)?;
    let found = draw::mesh(&mesh).ok_or_else(|| Failure::new(format!("there is no mesh `{mesh}`")))?;
    compact(&Buffers {
        positions: found.positions.as_flattened(),
        normals: found.normals.as_flattened(),
        uvs: found.uvs.as_flattened(),
        indices: &found.indices,
    })
}

/// How far a picture is.
#[derive(Serialize)]
struct Told<'d> {
    #[serde(flatten)]
    progress: Progress,
    /// Why a pixel did not come to its end.
    why: Option<&'d str>,
}

pub(crate) fn start(session: &mut Session, json: &str) -> Answer {
    let DrawStart { scene } = arguments(json)?;
    let pair = session.drawn.pair.as_ref().ok_or_else(nothing)?;
    let made = Drawing::new(pair, &scene).map_err(|error| Failure::new(error.to_string()))?;
    let drawing = session.drawn.drawing.insert(made);
    compact(&Told { progress: drawing.progress(), why: None })
}

pub(crate) fn go(session: &mut Session, json: &str) -> Answer {
    let Budget { steps } = arguments(json)?;
    let drawing = session.drawn.drawing.as_mut().ok_or_else(nothing)?;
    let progress = drawing.go(steps);
    compact(&Told { progress, why: drawing.why() })
}

pub(crate) fn picture(session: &Session) -> Result<Vec<u8>, Failure> {
    let drawing = session.drawn.drawing.as_ref().ok_or_else(nothing)?;
    Ok(drawing.picture().bytes.clone())
}

pub(crate) fn compare(session: &mut Session, theirs: &[u8], tolerance: u8) -> Answer {
    let drawing = session.drawn.drawing.as_ref().ok_or_else(nothing)?;
    let found = draw::difference(&drawing.picture().bytes, theirs, tolerance);
    let found = found.ok_or_else(|| Failure::new("the pictures have not the same size"))?;
    let answer = compact(&found);
    session.drawn.difference = found.image;
    answer
}

pub(crate) fn difference(session: &mut Session) -> Vec<u8> {
    std::mem::take(&mut session.drawn.difference)
}

fn nothing() -> Failure {
    Failure::new("nothing is drawn yet")
}
