//! From a stage to source: lift, passes, structure, print.

use crate::damage::Damage;
use std::collections::BTreeMap;
use std::fmt;
use unshade_bytes::Error;
use unshade_emit::{
    Binding, Domain, Geometry, GlslVersion, Layout, Options, Primitive, Spacing, Target, Tessellation, glsl,
    naga,
};
use unshade_ir::passes::{self, Pass, Report};
use unshade_ir::{Module, Op, ast};
use unshade_isa::maxwell;
use unshade_isa::maxwell::header::Topology;
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Isa, Maxwell, Stage, StageKind};

/// Where a resource lies: its space, its buffer, and its first word or unit.
pub type Place = (unshade_ir::Space, u32, u32);

/// What to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecompileOptions {
    /// Language.
    pub target: Target,
    /// Bit-exact instead of readable.
    pub strict: bool,
    /// Lines of the comment at the top.
    pub header: Vec<String>,
    /// Whose rules GLSL says by where resources are.
    pub layout: Layout,
    /// Without what was assumed in the comment at the top: the caller says it.
    pub bare: bool,
    /// Names for textures and words of uniforms that the file does not name, see [`crate::names_by_options`].
    pub names: BTreeMap<Place, String>,
}

impl Default for DecompileOptions {
    /// Readable GLSL 450.
    fn default() -> Self {
        Self {
            target: Target::Glsl(GlslVersion::Core450),
            strict: false,
            header: Vec::new(),
            layout: Layout::Source,
            bare: false,
            names: BTreeMap::new(),
        }
    }
}

/// A program in another language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decompiled {
    /// The text; for SPIR-V empty.
    pub text: String,
    /// The words of a SPIR-V binary; for texts empty.
    pub words: Vec<u32>,
    /// Inputs, outputs and uniforms with the machine registers that they stand for.
    pub interface: Vec<Binding>,
    /// Each pass that ran, with the number of places it changed.
    pub passes: Vec<(&'static str, usize)>,
    /// What was assumed; in strict mode nothing but that accesses to storage buffers stay in them, and what code that cannot be
    /// read or registers that nobody writes are taken for.
    pub assumptions: Vec<String>,
    /// How the control flow came out.
    pub structure: ast::raise::Stats,
    /// Lines of the text, counted from 0, with the machine instructions that they come from, as indices in words from the
    /// start of the code; ascending. Of GLSL and the intermediate representation only.
    pub lines: Vec<(u32, u32)>,
}

impl Decompiled {
    /// What belongs into a file: the text, or the words with the least significant byte first.
    pub fn bytes(&self) -> Vec<u8> {
        if self.words.is_empty() {
            return self.text.clone().into_bytes();
        }
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Why a program could not be decompiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecompileError {
    /// The code could not be lifted.
    Lift(Error),
    /// No source tree could be made.
    Tree(ast::raise::RaiseError),
    /// The target language cannot say it, or refused it.
    Print(unshade_emit::Error),
}

impl DecompileError {
    /// Stable dotted name of what went wrong.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Lift(error) => error.diagnostic_code(),
            Self::Tree(_) => "decompile.tree",
            Self::Print(_) => "decompile.print",
        }
    }
}

impl fmt::Display for DecompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lift(error) => error.fmt(f),
            Self::Tree(error) => error.fmt(f),
            Self::Print(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DecompileError {}

/// The program in the common IR, as it comes from the machine code.
///
/// # Errors
///
/// Where the code does more than a module may hold ([`unshade_bytes::ErrorKind::LimitExceeded`]), or the
/// instruction set cannot be lifted.
pub fn lift(stage: &Stage<'_>) -> Result<Module, Error> {
    is_there(stage)?;
    let none = || {
        let (at, found) = (stage.code.file_offset, stage.isa.name());
        Error::new(
            unshade_bytes::ErrorKind::Unsupported,
            at,
            "isa",
            "an instruction set that can be lifted",
            found,
        )
    };
    with_machine!(stage.isa, M => M::lift(stage), _ => Err(none()))
}

/// Refuses a program whose code is in its file and cannot be got at.
fn is_there(stage: &Stage<'_>) -> Result<(), Error> {
    let missing = |why: &'static str| {
        let kind = unshade_bytes::ErrorKind::Unsupported;
        Err(Error::unplaced(kind, "code", why, "code that cannot be unpacked").code("code.missing"))
    };
    stage.code.missing.map_or(Ok(()), missing)
}

/// The passes of readable mode for a machine: its own idioms, then those that all machines share.
pub fn readable_passes(isa: Isa) -> Vec<Pass> {
    let own: &[Pass] = with_machine!(isa, M => M::readable_passes(), _ => &[]);
    [own, passes::readable()].concat()
}

/// The passes of strict mode for a machine: those that all machines share, behind what no language can say otherwise.
pub(crate) fn strict_passes(isa: Isa) -> Vec<Pass> {
    let own: &[Pass] = with_machine!(isa, M => M::strict_passes(), _ => &[]);
    [own, passes::strict()].concat()
}

/// The program for readable mode: as [`lift`], with constants as they were most likely written, and what that
/// assumes.
///
/// # Errors
/// As [`lift`].
pub(crate) fn lift_readable(stage: &Stage<'_>) -> Result<(Module, Vec<String>), Error> {
    is_there(stage)?;
    with_machine!(stage.isa, M => M::lift_readable(stage), _ => Ok((lift(stage)?, Vec::new())))
}

/// Decompiles one program.
///
/// # Errors
///
/// See [`DecompileError`].
pub fn decompile(stage: &Stage<'_>, how: &DecompileOptions) -> Result<Decompiled, DecompileError> {
    print(prepare(stage, how, lower(stage, how)?)?, how)
}

/// A program as it is before it is printed.
pub(crate) struct Prepared {
    /// The tree; none where the module is what is printed.
    pub tree: Option<ast::Program>,
    pub kind: StageKind,
    /// How it is printed.
    pub options: Options,
    /// All but the text and its interface.
    pub made: Decompiled,
}

/// A program with all passes behind it, before its tree is made.
pub(crate) struct Lowered {
    pub module: Module,
    report: Report,
}

/// Lifts a program and runs the passes.
pub(crate) fn lower(stage: &Stage<'_>, how: &DecompileOptions) -> Result<Lowered, DecompileError> {
    let (mut module, assumed) = lifted(stage, how.strict)?;
    let mut report = passes::run(&mut module, &passes_of(stage.isa, how.strict), None);
    report.assumptions.splice(0..0, assumed);
    if let Some(damage) = Damage::of(stage) {
        report.assumptions.insert(0, format!("{damage} and does nothing"));
    }
    report.assumptions.extend(with_machine!(stage.isa, M => M::assumptions(stage), _ => Vec::new()));
    Ok(Lowered { module, report })
}

/// The passes that a program goes through, in order; some come several times.
pub fn pass_names(isa: Isa, strict: bool) -> Vec<&'static str> {
    passes_of(isa, strict).iter().map(|pass| pass.name).collect()
}

fn passes_of(isa: Isa, strict: bool) -> Vec<Pass> {
    if strict { strict_passes(isa) } else { readable_passes(isa) }
}

/// A program as it is before the passes, with what was assumed for that.
fn lifted(stage: &Stage<'_>, strict: bool) -> Result<(Module, Vec<String>), DecompileError> {
    let lifted = if strict { lift(stage).map(|module| (module, Vec::new())) } else { lift_readable(stage) };
    lifted.map_err(DecompileError::Lift)
}

/// The intermediate representation of a program after the first passes of [`pass_names`], as text.
///
/// # Errors
///
/// See [`lift`].
pub fn after_passes(stage: &Stage<'_>, strict: bool, count: usize) -> Result<String, DecompileError> {
    let (mut module, _) = lifted(stage, strict)?;
    passes::run(&mut module, &passes_of(stage.isa, strict), Some(count));
    Ok(unshade_ir::print::module(&module))
}

/// Makes the tree of a program.
pub(crate) fn prepare(
    stage: &Stage<'_>,
    how: &DecompileOptions,
    lowered: Lowered,
) -> Result<Prepared, DecompileError> {
    let Lowered { module, report } = lowered;
    let mut made = Decompiled { passes: report.passes, ..Decompiled::default() };
    let mut options = options(stage, how);
    if how.target == Target::Ir {
        made.text = with_header(&how.header, &unshade_ir::print::module(&module));
        let above = how.header.iter().map(|line| line.split('\n').count() as u32).sum::<u32>();
        let lines = unshade_ir::print::lines(&module).into_iter();
        made.lines = lines.map(|(line, instruction)| (line + above, instruction)).collect();
        made.assumptions = report.assumptions;
        return Ok(Prepared { tree: None, kind: stage.kind, options, made });
    }
    let domain = domain(&module);
    let mode = if how.strict { ast::raise::Mode::Strict } else { ast::raise::Mode::Readable };
    let mut built = ast::raise::raise(&module, mode).map_err(DecompileError::Tree)?;
    built.program.assumptions.splice(0..0, report.assumptions);
    made.structure = built.stats;
    made.assumptions.clone_from(&built.program.assumptions);
    if stage.kind == StageKind::TessEval {
        let known = stage.interface.maxwell.as_deref().and_then(|maxwell| divided(maxwell.tessellation?));
        if let Some(known) = known {
            options.tessellation = known;
        } else {
            options.tessellation.domain = domain;
            if stage.isa == Isa::Maxwell {
                built.program.assumptions.push(DIVIDED.to_owned());
                made.assumptions.push(DIVIDED.to_owned());
            }
        }
    }
    if !how.strict && stage.kind == StageKind::Compute {
        ast::name_global_ids(&mut built.program, options.local_size);
    }
    if !how.names.is_empty() {
        name_by_place(&mut built.program, &how.names);
    }
    if how.bare {
        built.program.assumptions.clear();
    }
    Ok(Prepared { tree: Some(built.program), kind: stage.kind, options, made })
}

/// Gives names to what the file does not name.
fn name_by_place(program: &mut ast::Program, names: &BTreeMap<Place, String>) {
    let open = program.globals.iter().enumerate().filter(|(_, variable)| !variable.global.named);
    let given: BTreeMap<usize, String> = open
        .filter_map(|(index, variable)| {
            let global = &variable.global;
            Some((index, names.get(&(global.space, global.binding, global.offset))?.clone()))
        })
        .collect();
    ast::raise::rename(program, &given);
}

/// Prints a program.
pub(crate) fn print(prepared: Prepared, how: &DecompileOptions) -> Result<Decompiled, DecompileError> {
    let Prepared { tree, options, mut made, .. } = prepared;
    let Some(program) = &tree else { return Ok(made) };
    let print_error = DecompileError::Print;
    match how.target {
        Target::Spirv => {
            let binary = naga::spirv(program, &options).map_err(print_error)?;
            made.words = binary.words;
            made.interface = binary.interface;
        }
        target => {
            let source = match target {
                Target::Wgsl => naga::wgsl(program, &options),
                Target::Hlsl => naga::hlsl(program, &options),
                Target::Msl => naga::msl(program, &options),
                _ => glsl::print(program, &options),
            };
            let source = source.map_err(print_error)?;
            made.text = source.text;
            made.interface = source.interface;
            made.lines = source.lines;
        }
    }
    Ok(made)
}

fn options(stage: &Stage<'_>, how: &DecompileOptions) -> Options {
    let kind = stage.kind;
    // OpenGL ES 2, whose programs these are, knows names only.
    let by_name = matches!(stage.isa, Isa::MaliGp | Isa::MaliPp);
    let glsl = match how.target {
        // ES has geometry programs from 3.2 on.
        Target::Glsl(GlslVersion::Es300) if kind == StageKind::Geometry => GlslVersion::Es320,
        Target::Glsl(version) => version,
        _ => GlslVersion::Core450,
    };
    let options = Options {
        glsl,
        strict: how.strict,
        by_name,
        layout: how.layout,
        header: how.header.clone(),
        ..Options::new(kind)
    };
    match stage.interface.maxwell.as_deref() {
        Some(maxwell) => with_header_of(options, maxwell),
        None => options,
    }
}

/// What the program header of a stage of the Switch says that its code does not.
fn with_header_of(mut options: Options, maxwell: &Maxwell) -> Options {
    if let Some(size) = maxwell.work_group {
        options.local_size = size;
    }
    options.early_tests = maxwell.early_tests;
    let Some(header) = maxwell::Header::read(&maxwell.header) else { return options };
    match options.kind {
        StageKind::Geometry => {
            options.geometry = Geometry {
                output: match header.topology() {
                    Topology::Points => Primitive::Points,
                    Topology::LineStrip => Primitive::LineStrip,
                    Topology::TriangleStrip | Topology::Other(_) => Primitive::TriangleStrip,
                },
                max_vertices: Some(header.most_vertices()).filter(|most| *most > 0),
                invocations: header.threads(),
            };
        }
        StageKind::TessControl => options.tessellation.vertices = header.threads(),
        _ => {}
    }
    options
}

/// What is assumed of a tessellation evaluation program where its file does not say it.
const DIVIDED: &str = "patches are divided as the layout line says: the file does not tell";

/// How patches are divided, from the machine's register of tessellation parameters. `None` for what it does not have.
/// Which triangles turn which way is as uam writes it for GLSL.
fn divided(register: u32) -> Option<Tessellation> {
    let output = register >> 8 & 3;
    Some(Tessellation {
        vertices: 0,
        domain: match register & 3 {
            0 => Domain::Isolines,
            1 => Domain::Triangles,
            2 => Domain::Quads,
            _ => return None,
        },
        spacing: match register >> 4 & 3 {
            0 => Spacing::Equal,
            1 => Spacing::FractionalOdd,
            2 => Spacing::FractionalEven,
            _ => return None,
        },
        clockwise: output == 3,
        points: output == 0,
    })
}

/// What an evaluation program's patch is divided into, where the file does not say it: a program that mixes four
/// corners has a quadrilateral.
fn domain(module: &Module) -> Domain {
    let vertices = module.globals.iter().filter(|global| global.vertices > 0 && global.vertex_stride > 0);
    let mut last = 0;
    for global in vertices {
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            if let Op::Load(access) = inst.op
                && (access.space, access.binding) == (global.space, global.binding)
            {
                last = last.max(access.offset / global.vertex_stride);
            }
        }
    }
    if last == 3 { Domain::Quads } else { Domain::Triangles }
}

fn with_header(header: &[String], text: &str) -> String {
    let mut out: String = header.iter().flat_map(|line| ["; ", line, "\n"]).collect();
    out.push_str(text);
    out
}
