//! `verify --source`: a program against a text that is said to be its source.
//!
//! The text is read and translated to the common language; both sides run on the same inputs. What they have in common finds each
//! other by name, by place, and by order ([`By`]); what has no partner is told by name. Results are held against each other within
//! the tolerance of readable mode: a text says nothing of how its compiler rounds.

mod pairing;

pub use pairing::{Alone, By, Pair};

use super::machine::{Restored, readable_machine};
use super::mapped::Text;
use super::texels::{self, Formats};
use super::{Pipeline, Section, refused};
use crate::decompile::{self, DecompileOptions, lift_readable, readable_passes};
use pairing::{Pairing, Program};
use unshade_compile::translate::Translation;
use unshade_emit::Layout;
use unshade_ir::ast::raise::Mode;
use unshade_ir::passes;
use unshade_isa::mali_gp::lift::{POINT_SIZE, SINES, VIEWPORT, sines};
use unshade_isa::maxwell::lift::idiom::TEXELS;
use unshade_isa::pica200::written::written;
use unshade_stage::{Isa, Stage};

/// What comparing a program with a text showed.
#[derive(Debug, Clone, PartialEq)]
pub struct TextVerdict {
    /// Cases that were asked for.
    pub cases: u32,
    /// Seed of the inputs.
    pub seed: u64,
    /// What was compared.
    pub section: Section,
    /// Variables of the text and of the program that are the same.
    pub pairs: Vec<Pair>,
    /// Variables that only one side has.
    pub alone: Vec<Alone>,
}

impl TextVerdict {
    /// Whether everything that was compared is equal, something was compared, and no output is missing on either side.
    pub fn passed(&self) -> bool {
        self.section.failure.is_none() && self.section.compared > 0 && self.missing().is_none()
    }

    /// An output that one side writes and the other does not have.
    pub fn missing(&self) -> Option<&Alone> {
        self.alone.iter().find(|alone| alone.kind == "output")
    }
}

/// Compares a stage with a text on `cases` inputs drawn from `seed`.
pub fn verify_text(stage: &Stage<'_>, translation: &Translation, cases: u32, seed: u64) -> TextVerdict {
    let mut verdict =
        TextVerdict { cases, seed, section: Section::default(), pairs: Vec::new(), alone: Vec::new() };
    verdict.section = match compared(stage, translation, &mut verdict) {
        Ok(section) => section,
        Err(message) => refused("lift", message),
    };
    verdict
}

fn compared(
    stage: &Stage<'_>,
    translation: &Translation,
    verdict: &mut TextVerdict,
) -> Result<Section, String> {
    let shown = Some(stage).filter(|stage| stage.isa == Isa::Pica200).and_then(written);
    let machine = readable_machine(shown.as_ref().unwrap_or(stage))?;
    let (lifted, _) = lift_readable(stage).map_err(|error| error.to_string())?;
    let how = DecompileOptions { layout: Layout::OpenGl, ..DecompileOptions::default() };
    let source = decompile::decompile(stage, &how).map_err(|error| error.to_string())?;
    // Members of structures have other names where there are structures.
    let how = DecompileOptions { layout: Layout::Source, ..how };
    let plain = decompile::decompile(stage, &how).map_err(|error| error.to_string())?;
    let mut readable = lifted.clone();
    let report = passes::run(&mut readable, &readable_passes(stage.isa), None);
    let changed = |name: &str| report.passes.iter().any(|(own, count)| *own == name && *count > 0);
    let pairing = Pairing::of(
        translation,
        &Program {
            bindings: &source.interface,
            names: plain.interface.iter().map(|binding| binding.name.as_str()).collect(),
            module: &readable,
        },
    );
    verdict.pairs = pairing.pairs;
    verdict.alone = pairing.alone;
    let mut module = translation.module.clone();
    passes::run(&mut module, passes::strict(), None);
    if changed(SINES.name) {
        // What the machine's compiler writes for sines is what is compared with.
        sines::expand(&mut module);
    }
    let text = Text {
        module,
        mapping: pairing.mapping,
        restored: Restored { position: changed(VIEWPORT.name), point_size: changed(POINT_SIZE.name) },
        formats: match changed(TEXELS.name) {
            true => texels::formats(&readable.globals),
            false => Formats::new(),
        },
    };
    let pipeline = Pipeline {
        lifted: &lifted,
        passes: &[],
        mode: Mode::Readable,
        exact: false,
        work: super::WORK,
        text: Some(&text),
    };
    Ok(pipeline.section(machine.as_ref(), verdict.cases, verdict.seed))
}
