//! WGSL, HLSL, MSL and SPIR-V of vertex and fragment programs, through the naga library.
//!
//! The tree becomes one [`naga::Module`], which is validated and handed to one of naga's writers. Uniforms
//! are members of one buffer (group 0, binding 0) at the same offsets as in GLSL. A truth value is a word
//! there, an element of an array of truth values the x of four words. The registers of a matrix are its
//! columns, so that `vector * matrix` is a dot product with each.
//!
//! The texture of unit n is binding 2n of group 1, its sampler binding 2n + 1; each element of an array of
//! textures is a texture of its own. Pictures have their origin where the language has it. WGSL text says
//! that fetches and derivatives may stand under conditions, as they do on the machine.
//!
//! What differs from the GLSL text: locals that never change are `let`s; an input that is an array or a
//! matrix is an input for each element; infinities and NaN pass through a function, since WGSL refuses them
//! as constants; so do operations on nothing but literals, which a compiler would evaluate and might refuse.
//! Doubles are there in SPIR-V alone.
//! WGSL, HLSL and SPIR-V have validators, which the tests run; MSL has none outside of Apple's compiler.
//! naga appends `_` to names that end with a digit and to words of the language. None of these languages has
//! a word like `precise`: they cannot promise the order of a sum, only the helper functions of strict mode.

mod body;
mod directed;
mod double;
mod double_helper;
mod expression;
mod held;
mod helper;
mod inverse;
mod levels;
mod lower;
mod matrix;
mod memory;
mod polish;
mod statement;
mod texture;
mod types;

use crate::check::check;
use crate::interface::{BuiltIn, Fixed, Role, Rules, describe, entry_kind_supported, free_buffer, slots};
use crate::names::{Names, Vocabulary};
use crate::unread::or_without;
use crate::{Binary, Error, Options, Source};
use ::naga::back;
use ::naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use ::naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use polish::{Language, polish};
use unshade_ir::ast::Program;
use unshade_stage::StageKind;

/// naga renames what is a word of the target.
const VOCABULARY: Vocabulary = Vocabulary { words: &[], prefixes: &[] };

fn rules(program: &Program) -> Rules {
    Rules {
        components: false,
        matrix_outputs: false,
        varying_locations: true,
        loose: false,
        buffer: Some(free_buffer(program)),
        samplers: Some(lower::PER_TEXTURE),
    }
}

/// The entry point's name; MSL, which has no function of this name, gets `main_`.
const ENTRY: &str = "main";

/// WGSL.
///
/// Errors of all functions of this module: a program that is neither a vertex nor a fragment program; a tree that breaks the rules
/// of [`unshade_ir::ast`]; anything that naga refuses.
pub fn wgsl(program: &Program, options: &Options) -> Result<Source, Error> {
    or_without(program, options, write_wgsl)
}

fn write_wgsl(program: &Program, options: &Options) -> Result<Source, Error> {
    let lowered = lower(program, options, "WGSL")?;
    let directive = lowered.module.diagnostic_filter_leaf.map_or("", |_| lower::UNIFORMITY);
    let text = guarded(|| {
        back::wgsl::write_string(&lowered.module, &lowered.info, back::wgsl::WriterFlags::empty())
            .map(|text| format!("{directive}{text}"))
            .map_err(|error| Error::refused(error.to_string()))
    })?;
    Ok(lowered.source(options, polish(&text, Language::Wgsl, options.strict)))
}

/// HLSL, shader model 5.1.
pub fn hlsl(program: &Program, options: &Options) -> Result<Source, Error> {
    or_without(program, options, write_hlsl)
}

fn write_hlsl(program: &Program, options: &Options) -> Result<Source, Error> {
    let lowered = lower(program, options, "HLSL")?;
    let writer_options = back::hlsl::Options {
        force_loop_bounding: false,
        restrict_indexing: options.strict,
        ..back::hlsl::Options::default()
    };
    let pipeline = back::hlsl::PipelineOptions::default();
    let text = guarded(|| {
        let mut text = String::new();
        let mut writer = back::hlsl::Writer::new(&mut text, &writer_options, &pipeline);
        let written = writer.write(&lowered.module, &lowered.info, None);
        written.map_err(|error| Error::refused(error.to_string()))?;
        Ok(text)
    })?;
    let text = polish(&without_array_casts(&text), Language::Hlsl, options.strict);
    Ok(lowered.source(options, text))
}

/// Metal's language, version 2.0.
pub fn msl(program: &Program, options: &Options) -> Result<Source, Error> {
    or_without(program, options, write_msl)
}

fn write_msl(program: &Program, options: &Options) -> Result<Source, Error> {
    let lowered = lower(program, options, "MSL")?;
    let writer_options = back::msl::Options {
        lang_version: (2, 0),
        bounds_check_policies: bounds_checks(options, program),
        force_loop_bounding: false,
        ..back::msl::Options::default()
    };
    let pipeline = back::msl::PipelineOptions::default();
    let text = guarded(|| {
        back::msl::write_string(&lowered.module, &lowered.info, &writer_options, &pipeline)
            .map(|(text, _)| text)
            .map_err(|error| Error::refused(error.to_string()))
    })?;
    Ok(lowered.source(options, polish(&text, Language::Msl, options.strict)))
}

/// SPIR-V 1.3, with the names of everything.
pub fn spirv(program: &Program, options: &Options) -> Result<Binary, Error> {
    or_without(program, options, write_spirv)
}

fn write_spirv(program: &Program, options: &Options) -> Result<Binary, Error> {
    let mut lowered = lower(program, options, "SPIR-V")?;
    std::mem::take(&mut lowered.levels).put(&mut lowered.module);
    let writer_options = back::spv::Options {
        lang_version: (1, 3),
        // The vertical axis stays as the machine has it.
        flags: back::spv::WriterFlags::DEBUG | back::spv::WriterFlags::LABEL_VARYINGS,
        bounds_check_policies: bounds_checks(options, program),
        force_loop_bounding: false,
        ..back::spv::Options::default()
    };
    let words = guarded(|| {
        back::spv::write_vec(&lowered.module, &lowered.info, &writer_options, None)
            .map_err(|error| Error::refused(error.to_string()))
    })?;
    Ok(Binary { words: levels::spelled(words), interface: lowered.interface })
}

/// naga clears an array by a cast of 0, `float a[3] = (float[3])0;`, which not every HLSL compiler takes.
/// A list of zeros is the same to all; `static` arrays are 0 by themselves.
fn without_array_casts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let cast = line.split_once(" = (").and_then(|(declaration, cast)| {
            let (base, count) = cast.strip_suffix("])0;")?.split_once('[')?;
            Some((declaration, base, count.parse::<usize>().ok()?))
        });
        match cast {
            Some((declaration, _, _)) if declaration.trim_start().starts_with("static ") => {
                out.push_str(declaration);
                out.push(';');
            }
            Some((declaration, base, count)) => {
                let zero = format!("({base})0");
                out.push_str(declaration);
                out.push_str(" = { ");
                out.push_str(&vec![zero; count].join(", "));
                out.push_str(" };");
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// In strict text a read past the end of an array gives 0, as on the machine, and a write there vanishes. naga's
/// writers have no such check beside atomic operations; private arrays are checked by the tree itself.
fn bounds_checks(options: &Options, program: &Program) -> BoundsCheckPolicies {
    let policy = if options.strict && !memory::has_atomics(program) {
        BoundsCheckPolicy::ReadZeroSkipWrite
    } else {
        BoundsCheckPolicy::Unchecked
    };
    BoundsCheckPolicies { index: policy, buffer: policy, ..BoundsCheckPolicies::default() }
}

/// A validated module.
struct Lowered {
    module: ::naga::Module,
    info: ModuleInfo,
    /// What SPIR-V has beside it.
    levels: levels::Levels,
    interface: Vec<crate::Binding>,
    assumptions: Vec<String>,
}

impl Lowered {
    /// The text under its comment.
    fn source(self, options: &Options, text: String) -> Source {
        let mut commented = String::with_capacity(text.len() + 256);
        crate::comment::head(&mut commented, &options.header, &self.assumptions);
        if !commented.is_empty() {
            commented.push('\n');
        }
        commented.push_str(text.trim_start_matches('\n'));
        if !commented.ends_with('\n') {
            commented.push('\n');
        }
        Source { text: commented, interface: self.interface, lines: Vec::new(), ..Source::default() }
    }
}

fn lower(program: &Program, options: &Options, target: &str) -> Result<Lowered, Error> {
    entry_kind_supported(options, &[StageKind::Vertex, StageKind::Fragment, StageKind::Compute], target)?;
    check(program)?;
    double::check(program, target)?;
    let slots = slots(program, options.kind, rules(program))?;
    without_points(&slots, target)?;
    if target == "HLSL" && texture::moves_others(program) {
        // naga writes two steps whatever the shape.
        return Err(Error::unsupported("an offset in texels of a Line or Volume in HLSL"));
    }
    let names = Names::new(program, &VOCABULARY, ENTRY, &[], &[]);
    let interface = describe(program, &slots, &names, rules(program), options.kind);
    let (module, levels) = lower::module(program, slots, names, options, target == "SPIR-V")?;
    let info = guarded(|| {
        let capabilities = Capabilities::MULTISAMPLED_SHADING
            | Capabilities::CUBE_ARRAY_TEXTURES
            | Capabilities::SHADER_FLOAT16_IN_FLOAT32
            | Capabilities::FLOAT64
            | Capabilities::SHADER_INT64
            | Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS
            | Capabilities::EARLY_DEPTH_TEST;
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        validator.validate(&module).map_err(|error| Error::refused(whole_story(error.as_inner())))
    })?;
    Ok(Lowered { module, info, levels, interface, assumptions: program.assumptions.clone() })
}

/// Refuses what belongs to points where the language has none, and what none of these languages has.
fn without_points(slots: &[crate::interface::Slot], target: &str) -> Result<(), Error> {
    let refused = slots.iter().find_map(|slot| match slot.role {
        Role::PointSize => Some("gl_PointSize"),
        Role::BuiltIn(BuiltIn::PointCoord) => Some("gl_PointCoord"),
        _ => None,
    });
    let nowhere = slots.iter().find_map(|slot| match slot.role {
        Role::BuiltIn(BuiltIn::PrimitiveId) => Some("gl_PrimitiveID"),
        Role::BuiltIn(BuiltIn::System(system)) if !lower::has_input(system) => Some(system.glsl),
        Role::Fixed(fixed) if fixed != Fixed::Depth => Some(fixed.name()),
        _ => None,
    });
    if let Some(what) = nowhere {
        return Err(Error::unsupported(format!("{what} in {target}")));
    }
    match refused {
        Some(what) if matches!(target, "WGSL" | "HLSL") => {
            Err(Error::unsupported(format!("{what} in {target}")))
        }
        _ => Ok(()),
    }
}

/// An error with the errors behind it.
fn whole_story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        story.push_str(": ");
        story.push_str(&error.to_string());
        next = error.source();
    }
    story
}

/// naga's writers panic where they have gaps; such a program is refused like any other.
fn guarded<T>(write: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)) {
        Ok(written) => written,
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            Err(Error::refused(format!("naga failed: {message}")))
        }
    }
}
