//! All stages of a program as one text: the interface once, then each stage under its macro.

use super::piece::{Group, Piece, list};
use super::{GlslVersion, Made, Together, make};
use crate::{Binding, Error, Options};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unshade_ir::ast::Program;
use unshade_ir::ast::unite::{Linking, Renamed};
use unshade_stage::StageKind;

/// A stage of a program that is printed whole. No two have the same kind.
#[derive(Debug, Clone, Copy)]
pub struct Part<'p> {
    /// The stage. [`unshade_ir::ast::unite`] has made it agree with the others; what it did not is declared apart.
    pub program: &'p Program,
    /// How to print it; the version is that of the first, the header nobody's.
    pub options: &'p Options,
    /// What its inputs are called in the file where the text has the other side's name.
    pub renamed: &'p Renamed,
}

impl Part<'_> {
    /// The macro that a text of all stages is compiled with for one of them.
    pub fn macro_name(kind: StageKind) -> &'static str {
        match kind {
            StageKind::Vertex => "VERTEX_SHADER",
            StageKind::TessControl => "TESS_CONTROL_SHADER",
            StageKind::TessEval => "TESS_EVALUATION_SHADER",
            StageKind::Geometry => "GEOMETRY_SHADER",
            StageKind::Fragment => "FRAGMENT_SHADER",
            StageKind::Compute => "COMPUTE_SHADER",
        }
    }

    fn own_macro(&self) -> &'static str {
        Self::macro_name(self.options.kind)
    }
}

/// What the text of these options knows things by.
pub fn linking(options: &Options) -> Linking {
    let by_name = options.links_by_name();
    Linking {
        varyings_by_name: by_name || !options.glsl.has_bindings(),
        machine_by_name: options.by_name,
        loose_uniforms: by_name || options.glsl.is_old(),
        fill_left_out: !options.strict,
    }
}

/// A program printed whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WholeProgram {
    /// The text, empty if no stage could be printed.
    pub text: String,
    /// Of each stage its interface, or why it is not in the text.
    pub stages: Vec<Result<Vec<Binding>, Error>>,
}

/// The macro of what goes from one stage to the next.
const VARYING: &str = "VARYING";

/// Prints stages, in the order of the pipeline, as one text with a comment of these lines and of what all assumed.
pub fn print_program(parts: &[Part<'_>], header: &[String]) -> WholeProgram {
    let version = parts.first().map_or(GlslVersion::Core450, |part| part.options.glsl);
    let reserved = parts.iter().map(Part::own_macro).chain([VARYING]).collect();
    let together = Together { reserved, explicit: version.is_es() };
    let mut stages = Vec::with_capacity(parts.len());
    let mut made = Vec::with_capacity(parts.len());
    for part in parts {
        match make(part.program, &Options { glsl: version, ..part.options.clone() }, &together) {
            Ok(stage) => {
                stages.push(Ok(stage.interface.clone()));
                made.push((part, stage));
            }
            Err(error) => stages.push(Err(error)),
        }
    }
    let mut text = String::new();
    if !made.is_empty() {
        let assumed: Vec<String> =
            made.iter().flat_map(|(_, stage)| stage.assumptions.iter().cloned()).collect();
        text.push_str(version.directive());
        crate::comment::head(&mut text, header, &assumed);
        Whole { made: &made, is_old: version.is_old() }.print(&mut text);
    }
    WholeProgram { text, stages }
}

/// Which stages have something: a bit for each.
type Stages = u32;

struct Whole<'m> {
    made: &'m [(&'m Part<'m>, Made)],
    /// What goes from one stage to the next is `varying` on both sides.
    is_old: bool,
}

/// What several stages have.
#[derive(Default)]
struct Shared {
    /// With the stages that have each, in order of first appearance.
    pieces: Vec<(Piece, Stages)>,
    /// By the stage in front.
    passed: BTreeMap<usize, Vec<Piece>>,
    /// The pieces that are among these, as stage and index.
    taken: Vec<Vec<bool>>,
    /// What a stage says of its own of something that is shared.
    added: Vec<Vec<Piece>>,
}

impl Whole<'_> {
    fn print(&self, out: &mut String) {
        let shared = self.shared();
        let all: Stages = (1 << self.made.len()) - 1;
        let (first, rest): (Vec<_>, Vec<_>) =
            shared.pieces.iter().partition(|(piece, _)| piece.group.is_first());
        self.guarded(out, &first, all);
        self.guarded(out, &rest, all);
        for (place, (front, pieces)) in shared.passed.iter().enumerate() {
            self.passed(out, *front, pieces, place > 0);
        }
        for (at, (part, stage)) in self.made.iter().enumerate() {
            let _ = write!(out, "\n#ifdef {}\n", part.own_macro());
            let own = stage.pieces.iter().zip(&shared.taken[at]);
            let mut own: Vec<Piece> =
                own.filter(|(_, taken)| !**taken).map(|(piece, _)| piece.clone()).collect();
            own.extend(shared.added[at].iter().cloned());
            own.sort_by_key(|piece| piece.group);
            list(out, &own, false);
            let functions = &stage.functions;
            out.push_str(if own.is_empty() { functions.trim_start_matches('\n') } else { functions });
            out.push_str("#endif\n");
        }
    }

    /// Finds what several stages have.
    fn shared(&self) -> Shared {
        let mut shared = Shared {
            taken: self.made.iter().map(|(_, stage)| vec![false; stage.pieces.len()]).collect(),
            added: vec![Vec::new(); self.made.len()],
            ..Shared::default()
        };
        // Texts that may be shared; where the plain ones differ, those with precisions may not.
        for explicit in [false, true] {
            let mut owners: BTreeMap<(Group, &str), Vec<(usize, usize)>> = BTreeMap::new();
            let mut order = Vec::new();
            for (at, (_, stage)) in self.made.iter().enumerate() {
                for (index, piece) in stage.pieces.iter().enumerate() {
                    if piece.group.can_be_shared() && !shared.taken[at][index] {
                        let key = (piece.group, if explicit { &piece.explicit[..] } else { &piece.text[..] });
                        let list = owners.entry(key).or_default();
                        if list.is_empty() {
                            order.push(key);
                        }
                        list.push((at, index));
                    }
                }
            }
            for key in order {
                let list = &owners[&key];
                // What stands in front of everything does so in one stage, too.
                if list.len() < 2 && !key.0.is_first() {
                    continue;
                }
                let text = key.1.to_owned();
                let piece = Piece { group: key.0, explicit: text.clone(), text, passed: None };
                let stages = list.iter().fold(0, |stages, (at, _)| stages | 1 << at);
                shared.pieces.push((piece, stages));
                list.iter().for_each(|(at, index)| shared.taken[*at][*index] = true);
            }
        }
        shared.pieces.sort_by_key(|(piece, _)| piece.group);
        for front in 0..self.made.len().saturating_sub(1) {
            self.share_passed(front, &mut shared);
        }
        // With nothing behind it, what stands in front of everything in one stage may as well stand there.
        let is_own = |(piece, stages): &(Piece, Stages)| piece.group.is_first() && stages.count_ones() == 1;
        if shared.passed.is_empty() && shared.pieces.iter().all(is_own) {
            shared.pieces.clear();
            shared.taken.iter_mut().for_each(|taken| taken.fill(false));
        }
        shared
    }

    /// Finds what goes from one stage to the next and is declared alike on both sides.
    fn share_passed(&self, front: usize, shared: &mut Shared) {
        let back = front + 1;
        let (Some((_, from)), Some((to_part, to))) = (self.made.get(front), self.made.get(back)) else {
            return;
        };
        for (at, output) in from.pieces.iter().enumerate().filter(|(_, piece)| piece.group == Group::Output) {
            let Some(written) = &output.passed else { continue };
            let found = to.pieces.iter().enumerate().find_map(|(index, input)| {
                let read = input.passed.as_ref().filter(|_| input.group == Group::Input)?;
                (read.name == written.name).then_some((index, input, read))
            });
            let Some((index, input, read)) = found else { continue };
            let alike = (&written.layout, written.patch) == (&read.layout, read.patch);
            let keyword = if self.is_old { "varying" } else { VARYING };
            let mut one = read.clone();
            // A word that the front has, the back has, too: integers are flat on both sides.
            if one.interpolation.is_empty() {
                one.interpolation.clone_from(&written.interpolation);
            }
            let mut text = one.text(keyword);
            if written.rest != read.rest {
                let (Some(a), Some(b)) = (declared(&output.explicit), declared(&input.explicit)) else {
                    continue;
                };
                if a != b {
                    continue;
                }
                one.rest = a.to_owned();
                text = one.text(keyword);
            }
            if !alike {
                continue;
            }
            if let Some(other) = to_part.renamed.get(&(read.index as u32)) {
                let kind = to_part.options.kind;
                text = format!("{} // {other} in the {kind} program\n", text.trim_end());
            }
            shared.taken[front][at] = true;
            shared.taken[back][index] = true;
            if written.precise {
                let text = format!("precise {};\n", written.name);
                let piece = Piece { group: Group::BuiltIn, explicit: text.clone(), text, passed: None };
                shared.added[front].push(piece);
            }
            let piece = Piece { group: Group::Input, explicit: text.clone(), text, passed: None };
            shared.passed.entry(front).or_default().push(piece);
        }
    }

    /// Prints pieces, those that not all stages have under their macros.
    fn guarded(&self, out: &mut String, pieces: &[&(Piece, Stages)], all: Stages) {
        for run in pieces.chunk_by(|(_, a), (_, b)| a == b) {
            let stages = run.first().map_or(0, |(_, stages)| *stages);
            let texts = run.iter().map(|(piece, _)| piece);
            if stages == all {
                list(out, texts, true);
                continue;
            }
            let macros: Vec<&str> = self
                .made
                .iter()
                .enumerate()
                .filter(|(at, _)| stages >> at & 1 == 1)
                .map(|(_, (part, _))| part.own_macro())
                .collect();
            let condition = match macros[..] {
                [one] => format!("#ifdef {one}"),
                _ => format!("#if defined({})", macros.join(") || defined(")),
            };
            let _ = writeln!(out, "\n{condition}");
            list(out, texts, false);
            out.push_str("#endif\n");
        }
    }

    /// Prints what goes from one stage to the next; `again`: behind what another gives.
    fn passed(&self, out: &mut String, front: usize, pieces: &[Piece], again: bool) {
        let (Some((from, _)), Some((to, _))) = (self.made.get(front), self.made.get(front + 1)) else {
            return;
        };
        let (from, to) = (from.own_macro(), to.own_macro());
        let two = self.made.len() == 2;
        match (self.is_old, two) {
            (true, true) => list(out, pieces, true),
            (true, false) => {
                let _ = writeln!(out, "\n#if defined({from}) || defined({to})");
                list(out, pieces, false);
                out.push_str("#endif\n");
            }
            (false, true) => {
                let _ = write!(
                    out,
                    "\n#ifdef {from}\n#define {VARYING} out\n#else\n#define {VARYING} in\n#endif\n"
                );
                list(out, pieces, true);
            }
            // Those in the middle have both sides.
            (false, false) => {
                let undefine = if again { "#undef VARYING\n" } else { "" };
                let _ = write!(
                    out,
                    "\n{undefine}#ifdef {from}\n#define {VARYING} out\n#endif\n#ifdef {to}\n\
                     #define {VARYING} in\n#endif\n#ifdef {VARYING}\n"
                );
                list(out, pieces, false);
                out.push_str("#endif\n");
            }
        }
    }
}

/// Type and name of a declaration, up to the semicolon: what stands behind the storage qualifier.
fn declared(text: &str) -> Option<&str> {
    let at = ["in ", "out ", "varying "]
        .into_iter()
        .filter_map(|keyword| {
            let at = if text.starts_with(keyword) { 0 } else { text.find(&format!(" {keyword}"))? + 1 };
            Some(at + keyword.len())
        })
        .min()?;
    text.get(at..)?.trim_end().strip_suffix(';')
}
