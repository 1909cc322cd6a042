//! What is drawn: a vertex and a fragment program that fit each other, as machine code or made up, with the GLSL of both.

use super::stand_in;
use super::uniforms::{Uniform, uniforms};
use crate::{
    DecompileError, Decompiled, GlslVersion, Layout, Manner, Member, Origin, ProgramSource, Target,
    by_program,
};
use serde::Serialize;
use std::fmt;
use unshade_emit::glsl::Part;
use unshade_emit::{Binding, BindingKind};
use unshade_ir::Space;
use unshade_ir::ast::Scalar;
use unshade_isa::mali_gp::lift::VIEWPORT;
use unshade_stage::{Stage, StageKind};

/// What a vertex program's input gets of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attribute {
    /// x, y, z, 1.
    Position,
    /// x, y, z, 1.
    Normal,
    /// u, v, 0, 1.
    Uv,
    /// 1, 1, 1, 1.
    White,
    /// 0, 0, 0, 0: what an integer gets.
    Nothing,
}

/// A test texture that the programs read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// The name in the source.
    pub name: String,
    /// Which of the test textures: see [`super::levels`].
    pub number: u32,
}

/// Why something is not drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairError {
    /// No stage of that name.
    Missing,
    /// A stage that takes no part in drawing a mesh.
    Kind(StageKind),
    /// The fragment program gives nothing that can be seen.
    NoColour,
    /// The program does not come out as source, so that nobody knows its inputs.
    Decompile(DecompileError),
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("Choose a program to draw it."),
            Self::Kind(kind) => write!(f, "A {kind} program is not drawn."),
            Self::NoColour => f.write_str("The fragment program gives no colour to show."),
            Self::Decompile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PairError {}

/// A stage of the file.
#[derive(Debug, Clone)]
pub(super) struct Coded {
    pub(super) stage: Stage<'static>,
    pub(super) interface: Vec<Binding>,
    /// The source stores the position in front of the viewport transform, the machine behind it.
    pub(super) restored: bool,
}

impl Coded {
    fn new(member: &Member<'static>, made: Decompiled) -> Self {
        let restored = made.passes.iter().any(|(name, count)| *name == VIEWPORT.name && *count > 0);
        Self { stage: member.1.clone(), interface: made.interface, restored }
    }
}

/// A vertex and a fragment program; none: a stand-in.
#[derive(Debug, Clone)]
pub struct Pair {
    pub(super) vertex: Option<Coded>,
    pub(super) fragment: Option<Coded>,
    /// The vertex program in GLSL ES 3.00; in GLSL 4.50 where [`Pair::beyond`] says why.
    pub vertex_text: String,
    /// The fragment program, likewise.
    pub fragment_text: String,
    /// Why only the interpreters draw it: what GLSL ES 3.00 cannot say.
    pub beyond: Option<String>,
    /// What was made up, in sentences.
    pub notes: Vec<String>,
    /// What the inputs of the vertex program get, by their names.
    pub attributes: Vec<(String, Attribute)>,
    /// The textures that both read, each once.
    pub samplers: Vec<Sampled>,
    /// The uniforms of both, each once, with numbers to begin with.
    pub uniforms: Vec<Uniform>,
}

impl Pair {
    /// The stage of that item with the one that belongs to it, if it is among these.
    ///
    /// # Errors
    ///
    /// Where it cannot be drawn; see [`PairError`].
    pub fn new(origin: &Origin<'_>, members: &[Member<'static>], item: &str) -> Result<Self, PairError> {
        let chosen = members.iter().position(|(name, _)| name == item).ok_or(PairError::Missing)?;
        let kind = members.get(chosen).map_or(StageKind::Compute, |(_, stage)| stage.kind);
        if !matches!(kind, StageKind::Vertex | StageKind::Fragment) {
            return Err(PairError::Kind(kind));
        }
        let groups = by_program(members);
        let group = groups.iter().find(|group| group.stages.contains(&chosen)).ok_or(PairError::Missing)?;
        let of = |kind| {
            let all = group.stages.iter().filter_map(|at| members.get(*at));
            all.filter(|(_, stage)| stage.kind == kind).collect::<Vec<_>>()
        };
        let [vertex, fragment] = [StageKind::Vertex, StageKind::Fragment].map(of);
        if let ([vertex], [fragment]) = (&vertex[..], &fragment[..])
            && group.stages.len() == 2
            && let Some(both) = Self::both(origin, &group.place, vertex, fragment)
        {
            match both.colour() {
                Some(_) => return Ok(both),
                None if kind == StageKind::Fragment => return Err(PairError::NoColour),
                None => {}
            }
        }
        let member = members.get(chosen).ok_or(PairError::Missing)?;
        let (made, beyond) = decompiled(origin, &group.place, &[member])?;
        Self::alone(member, made, beyond)
    }

    fn both(
        origin: &Origin<'_>,
        place: &str,
        vertex: &Member<'static>,
        fragment: &Member<'static>,
    ) -> Option<Self> {
        let (made, beyond) = decompiled(origin, place, &[vertex, fragment]).ok()?;
        let text = made.text?;
        let mut stages = made.stages.into_iter();
        let (first, second) = (stages.next()?.ok()?, stages.next()?.ok()?);
        // One text for both: each is compiled with its macro.
        let of = |kind| {
            let (version, rest) = text.split_once('\n').unwrap_or((&text, ""));
            format!("{version}\n#define {}\n{rest}", Part::macro_name(kind))
        };
        let texts = [of(StageKind::Vertex), of(StageKind::Fragment)];
        let coded = [Some(Coded::new(vertex, first)), Some(Coded::new(fragment, second))];
        Some(Self::of(coded, texts, beyond, Vec::new()))
    }

    fn alone(
        member: &Member<'static>,
        mut made: ProgramSource,
        beyond: Option<String>,
    ) -> Result<Self, PairError> {
        let made = made.stages.pop().ok_or(PairError::Missing)?.map_err(PairError::Decompile)?;
        let text = made.text.clone();
        let coded = Coded::new(member, made);
        if member.1.kind == StageKind::Fragment {
            let vertex = stand_in::vertex(&coded.interface);
            let note = "The vertex program is made up: it turns the mesh and gives each input what its name suggests.";
            let pair = Self::of([None, Some(coded)], [vertex, text], beyond, vec![note.to_owned()]);
            return if pair.colour().is_some() { Ok(pair) } else { Err(PairError::NoColour) };
        }
        let shown = stand_in::shown(&coded.interface);
        let note = match shown {
            Some(shown) => format!("The fragment program is made up: it shows {}.", shown.name),
            None => "The fragment program is made up: nothing goes to it.".to_owned(),
        };
        let fragment = stand_in::fragment(shown);
        Ok(Self::of([Some(coded), None], [text, fragment], beyond, vec![note]))
    }

    fn of(
        [vertex, fragment]: [Option<Coded>; 2],
        [vertex_text, fragment_text]: [String; 2],
        beyond: Option<String>,
        mut notes: Vec<String>,
    ) -> Self {
        let mut pair = Self {
            vertex,
            fragment,
            vertex_text,
            fragment_text,
            beyond,
            notes: Vec::new(),
            attributes: Vec::new(),
            samplers: Vec::new(),
            uniforms: Vec::new(),
        };
        pair.attributes = match &pair.vertex {
            Some(coded) => {
                let inputs = stand_in::inputs(&coded.interface).enumerate();
                inputs.map(|(n, input)| (input.name.clone(), attribute(input, n))).collect()
            }
            None => [("position", Attribute::Position), ("normal", Attribute::Normal), ("uv", Attribute::Uv)]
                .map(|(name, gives)| (format!("preview_{name}"), gives))
                .into(),
        };
        let reads = |coded: &&Coded| coded.interface.iter().any(is_sampler);
        if pair.vertex.as_ref().filter(reads).is_some() {
            notes.push(
                "The vertex program reads textures: the interpreter has a formula for them.".to_owned(),
            );
        }
        pair.notes = notes;
        let mut samplers: Vec<Sampled> = Vec::new();
        for binding in pair.interfaces().filter(|binding| is_sampler(binding)) {
            if !samplers.iter().any(|known| known.name == binding.name) {
                let number = u32::try_from(samplers.len()).unwrap_or(u32::MAX);
                samplers.push(Sampled { name: binding.name.clone(), number });
            }
        }
        pair.samplers = samplers;
        pair.uniforms = uniforms(pair.interfaces(), pair.vertex.is_none());
        pair
    }

    fn interfaces(&self) -> impl Iterator<Item = &Binding> + use<'_> {
        [&self.vertex, &self.fragment].into_iter().flatten().flat_map(|coded| &coded.interface)
    }

    /// Words of the colour that the fragment program gives: none where it gives none.
    pub(super) fn colour(&self) -> Option<[u32; 3]> {
        let coded = self.fragment.as_ref()?;
        let is_colour = |binding: &&Binding| {
            matches!(binding.kind, BindingKind::Output { location: None | Some(0), component: 0 })
                && binding.scalar == Scalar::Float
                && binding.components >= 3
                && binding.elements == 0
                && (binding.machine.space, binding.machine.binding) == (Space::Output, 0)
        };
        let first = coded.interface.iter().find(is_colour)?.machine.first;
        Some([first, first.checked_add(1)?, first.checked_add(2)?])
    }

    /// The word of the depth that the fragment program gives, if it does.
    pub(super) fn depth(&self) -> Option<u32> {
        let mut interface = self.fragment.as_ref()?.interface.iter();
        interface.find(|binding| binding.name == "gl_FragDepth").map(|binding| binding.machine.first)
    }
}

fn is_sampler(binding: &Binding) -> bool {
    matches!(binding.kind, BindingKind::Sampler { .. })
}

/// Source as a browser takes it; as desktops do where the browser's language has not the words, and why.
fn decompiled(
    origin: &Origin<'_>,
    place: &str,
    stages: &[&Member<'static>],
) -> Result<(ProgramSource, Option<String>), PairError> {
    let of = |version| {
        let target = Target::Glsl(version);
        let manner = Manner { target, strict: false, layout: Layout::Source, beside: true, one_text: true };
        origin.decompile(place, stages, manner)
    };
    let made = of(GlslVersion::Es300);
    let Some(refused) = failure(&made) else { return Ok((made, None)) };
    let beyond = refused.to_string();
    let made = of(GlslVersion::Core450);
    match failure(&made) {
        None => Ok((made, Some(beyond))),
        Some(error) => Err(PairError::Decompile(error.clone())),
    }
}

fn failure(made: &ProgramSource) -> Option<&DecompileError> {
    made.stages.iter().find_map(|stage| stage.as_ref().err())
}

/// What an input gets: by its name, else by its place among the inputs.
fn attribute(input: &Binding, number: usize) -> Attribute {
    let name = input.name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if input.scalar != Scalar::Float {
        Attribute::Nothing
    } else if has(&["pos", "vertex"]) {
        Attribute::Position
    } else if has(&["norm", "nrm"]) {
        Attribute::Normal
    } else if has(&["uv", "tex", "coord"]) {
        Attribute::Uv
    } else if has(&["col"]) {
        Attribute::White
    } else if number == 0 {
        Attribute::Position
    } else {
        Attribute::Uv
    }
}
