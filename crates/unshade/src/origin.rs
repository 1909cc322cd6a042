//! What is said above decompiled programs, and what the rest of their file says of them: where they come from, what they were
//! compiled for, names from the programs beside them.

use crate::links::{StageLinks, join};
use crate::{
    CompiledFor, DecompileError, DecompileOptions, Decompiled, Layout, Source, Target, by_program,
    decompile_program, decompile_together, names_beside, together_header,
};
use unshade_isa::latte::lift::copy::Copy;
use unshade_stage::{Stage, StageKind};

/// A program of a file: what stands behind the file to name it, and the program.
pub type Member<'m> = (String, Stage<'m>);

/// The file that programs come from.
#[derive(Debug)]
pub struct Origin<'o> {
    /// What it is called above the sources.
    pub name: &'o str,
    /// The whole file.
    pub source: Source<'o>,
    /// What was opened inside of it.
    pub inner: &'o [String],
    /// What its programs were compiled for.
    pub compiled_for: &'o CompiledFor,
}

/// How programs are decompiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Language.
    pub target: Target,
    /// Bit-exact instead of readable.
    pub strict: bool,
    /// Whose rules GLSL says by where resources are.
    pub layout: Layout,
    /// Programs that the file names nothing of are held against those beside them. Takes as long as there are programs.
    pub beside: bool,
    /// Several stages of a program are one text; else each has a text of its own.
    pub one_text: bool,
}

/// A program, decompiled.
#[derive(Debug, Clone, Default)]
pub struct ProgramSource {
    /// The text of all stages, where they have one.
    pub text: Option<String>,
    /// Each stage; where there is a text of all, without one of its own if that is GLSL.
    pub stages: Vec<Result<Decompiled, DecompileError>>,
}

impl Origin<'_> {
    /// Decompiles the stages of one program; `place` is what stands behind the file to name that.
    pub fn decompile(&self, place: &str, members: &[&Member<'_>], how: Manner) -> ProgramSource {
        // What is printed one below the other has one comment for all stages of a program, and in GLSL one text.
        let is_text = !matches!(how.target, Target::Spirv | Target::Ir);
        let together = how.one_text && is_text && members.len() > 1;
        let whole = together && matches!(how.target, Target::Glsl(_));
        let bare = together && !whole;
        let asked: Vec<_> =
            members.iter().map(|(item, stage)| (stage, self.options(item, stage, how, bare))).collect();
        let lines = self.lines(place, members);
        if whole {
            let made = decompile_program(&asked, &lines);
            return ProgramSource { text: Some(made.text), stages: made.stages };
        }
        let stages = decompile_together(&asked);
        if !together {
            return ProgramSource { text: None, stages };
        }
        let made = members.iter().zip(&stages);
        let made: Vec<_> =
            made.filter_map(|((_, stage), made)| Some((stage.kind, made.as_ref().ok()?))).collect();
        let texts: Vec<&str> = made.iter().map(|(_, made)| made.text.as_str()).collect();
        let text = format!("{}{}", together_header(&lines, &made), texts.join("\n"));
        ProgramSource { text: Some(text), stages }
    }

    /// Decompiles programs, the stages of each together, and gives those that came out: with [`Manner::one_text`] one for
    /// each program, its text that of all its stages, in the order of the programs; else one for each stage, in the order of
    /// the stages. `seen` is told of every stage, also of those that do not come out.
    pub fn decompile_all(
        &self,
        stages: &[Member<'_>],
        how: Manner,
        mut seen: impl FnMut(&str, &Result<Decompiled, DecompileError>),
    ) -> Vec<(String, StageKind, Decompiled)> {
        let mut items = Vec::new();
        for group in by_program(stages) {
            let members: Vec<&Member<'_>> = group.stages.iter().filter_map(|at| stages.get(*at)).collect();
            let first = items.len();
            let ProgramSource { text, stages: made } = self.decompile(&group.place, &members, how);
            for (((item, stage), at), decompiled) in members.iter().zip(&group.stages).zip(made) {
                seen(item, &decompiled);
                // The others can be said all the same.
                let Ok(decompiled) = decompiled else { continue };
                items.push((*at, item.clone(), stage.kind, decompiled));
            }
            let Some(text) = text else { continue };
            // The text is that of the first; the others have none.
            if let Some((_, _, _, decompiled)) = items.get_mut(first) {
                decompiled.text = text;
            }
            items.truncate(items.len().min(first + 1));
        }
        if !how.one_text {
            // Files and documents keep the order of the stages.
            items.sort_by_key(|(at, ..)| *at);
        }
        items.into_iter().map(|(_, item, kind, decompiled)| (item, kind, decompiled)).collect()
    }

    /// Decompiles the stages of one program to the intermediate representation and to GLSL, each stage a text of its own, and
    /// links their lines with those of the listings. Another target than GLSL is GLSL 4.50.
    pub fn links(&self, members: &[&Member<'_>], how: Manner) -> Vec<Result<StageLinks, DecompileError>> {
        let made = |target: Target| {
            let how = Manner { target, ..how };
            let asked: Vec<_> =
                members.iter().map(|(item, stage)| (stage, self.options(item, stage, how, false))).collect();
            decompile_together(&asked)
        };
        let source = match how.target {
            target @ Target::Glsl(_) => made(target),
            _ => made(DecompileOptions::default().target),
        };
        let texts = made(Target::Ir).into_iter().zip(source);
        let joined = members.iter().zip(texts);
        joined.map(|((_, stage), (ir, source))| Ok(join(stage, &ir?, &source?, how.strict))).collect()
    }

    fn options(&self, item: &str, stage: &Stage<'_>, how: Manner, bare: bool) -> DecompileOptions {
        let Manner { target, strict, layout, .. } = how;
        let kind = if is_copy(stage) { "copy" } else { stage.kind.name() };
        let mut header = vec![format!("{}{item}: {kind} program, {}", self.name, stage.isa)];
        header.extend(copies(stage));
        if bare {
            header = vec![format!("The {} program.", stage.kind)];
        } else {
            header.extend(self.compiled_for.lines(item));
        }
        let names = match how.beside && is_nameless(stage) {
            true => names_beside(self.source, self.inner, self.compiled_for, item, stage),
            false => Default::default(),
        };
        DecompileOptions { target, strict, header, layout, bare, names }
    }

    /// What is said above all stages of a program.
    fn lines(&self, place: &str, members: &[&Member<'_>]) -> Vec<String> {
        let [(item, _), _, ..] = members else { return Vec::new() };
        let mut lines = vec![format!("{}{place}: {}", self.name, what(members))];
        lines.extend(self.compiled_for.lines(item));
        lines
    }
}

/// Whether it is the copy program of a geometry program.
fn is_copy(stage: &Stage<'_>) -> bool {
    stage.interface.latte.as_ref().is_some_and(|latte| latte.copy_program)
}

/// What a copy program is, and what it does, for who sees it alone.
fn copies(stage: &Stage<'_>) -> Vec<String> {
    let Some(latte) = stage.interface.latte.as_deref().filter(|_| is_copy(stage)) else { return Vec::new() };
    let mut lines: Vec<String> = [
        "Behind a geometry program the machine runs this for each vertex that was emitted: it reads the words of",
        "the vertex from memory (the ring) and exports them. Shading languages have no such program; the source",
        "of the geometry program names its outputs by it.",
    ]
    .map(str::to_owned)
    .into();
    if let Some(copy) = Copy::of(stage) {
        lines.extend(copy.lines(latte.position));
    }
    lines
}

/// Whether the file says no name of what a program of an archive reads.
fn is_nameless(stage: &Stage<'_>) -> bool {
    let interface = &stage.interface;
    let maxwell = interface.maxwell.as_deref();
    let latte = interface.latte.as_deref();
    maxwell.is_some_and(|maxwell| maxwell.samplers.is_empty() && maxwell.separate_textures.is_empty())
        || latte.is_some_and(|latte| latte.samplers.is_empty() && latte.uniforms.is_empty())
}

/// Stages in the order in which they run.
const PIPELINE: [StageKind; 5] = [
    StageKind::Vertex,
    StageKind::TessControl,
    StageKind::TessEval,
    StageKind::Geometry,
    StageKind::Fragment,
];

/// What a program consists of: `vertex and fragment program, maxwell`.
fn what(stages: &[&Member<'_>]) -> String {
    let mut stages: Vec<&Stage<'_>> = stages.iter().map(|(_, stage)| stage).collect();
    stages.sort_by_key(|stage| PIPELINE.iter().position(|step| *step == stage.kind));
    let mut kinds: Vec<&str> = stages.iter().map(|stage| stage.kind.name()).collect();
    kinds.dedup();
    let mut machines: Vec<&str> = stages.iter().map(|stage| stage.isa.name()).collect();
    machines.dedup();
    format!("{} program, {}", in_words(&kinds), in_words(&machines))
}

/// `vertex, geometry and fragment`.
fn in_words(list: &[&str]) -> String {
    match list {
        [front @ .., before, last] if !front.is_empty() => {
            format!("{}, {before} and {last}", front.join(", "))
        }
        list => list.join(" and "),
    }
}
