//! GLSL.
//!
//! How the text is laid out: four spaces for each level; a line stays within [`WIDTH`] columns where it can
//! be broken (arguments one to a line, operators at the beginning of a line); parentheses only where the
//! precedence asks for them, and around the operands of bit operators and of comparisons of comparisons;
//! vectors of equal components with one argument; `else if` chains; `+=` where an operand is the target.
//!
//! Uniforms are members of one block `Uniforms`, used by their plain names. Where a row of a matrix is one machine
//! register, the block is `row_major`, so that `matrix * vector` is a dot product with each register.
//!
//! All stages of a program are printed as one text ([`print_program`]), in which every stage has a macro of its own
//! ([`Part::macro_name`]). What several stages have stands there once: a declaration is shared where it is letter by
//! letter the same, `in` and `out` aside.
//!
//! Strict text marks as `precise` every output and every local that gets the value of float arithmetic, in
//! the versions that have the word (4.50 and ES 3.20): a compiler may otherwise fuse a multiplication with
//! an addition or change the order of a sum. Values with float arithmetic that no variable holds (conditions
//! of `if` and `switch`, arguments, results) go through a `precise` local for the same reason; only the
//! conditions of loops cannot. 3.30 and ES 3.00 leave compilers that freedom.
//!
//! Uniforms of a file that declares them with a precision, and all in ES 1.00, stand by themselves: `uniform
//! mat4 transform;`, matrices by columns. A name with dots is a member of a structure, which is declared again
//! with the members that are used.
//!
//! ES 1.00 has no unsigned integers, no bits and no `precise`; what needs those is refused. Its strict text
//! keeps the machine's rules as far as functions can say them.
//!
//! Outputs that some path leaves unwritten are set to 0 at the start, as the machine has them; in geometry
//! programs, outputs that must keep their value past `EmitVertex` live in variables of their own.

mod assigned;
mod blocks;
mod call;
mod declaration;
mod dialect;
mod directed;
mod doubles;
mod expression;
mod filled;
mod flow;
mod function;
mod helper;
mod keywords;
mod literal;
mod marks;
mod matrix;
mod memory;
mod piece;
mod pipeline;
mod precise;
mod program;
mod sampler;
mod statement;
mod structs;
mod texture;
mod types;
mod version;

pub use program::{Part, WholeProgram, linking, print_program};
pub use version::GlslVersion;

use crate::check::check;
use crate::interface::{
    BuiltIn, Role, Rules, Slot, describe, entry_kind_supported, free_buffer, in_each_structure, slots,
};
use crate::names::Names;
use crate::visit;
use crate::{Binding, Error, Layout, Options, Source};
use assigned::Needs;
use function::Results;
use helper::HelperUse;
use piece::{Group, Passed, Piece};
use precise::Precise;
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::ast::{Link, Program, Stmt};
use unshade_stage::StageKind;

/// Columns that a line should not pass.
pub const WIDTH: usize = 100;

/// Prints a program. The entry function becomes `main`.
///
/// Errors: a kind of program or an operation that the version does not have; a tree that breaks the rules of
/// [`unshade_ir::ast`].
pub fn print(program: &Program, options: &Options) -> Result<Source, Error> {
    let made = make(program, options, &Together::default())?;
    let mut out = String::with_capacity(made.functions.len() + 2048);
    out.push_str(options.glsl.directive());
    crate::comment::head(&mut out, &options.header, &made.assumptions);
    piece::list(&mut out, &made.pieces, true);
    let lines = marks::lines(&out, &made.functions, made.marks);
    out.push_str(&made.functions);
    Ok(Source { text: out, interface: made.interface, lines, locals: made.locals })
}

/// What a stage knows of the others of its program.
#[derive(Debug, Clone, Default)]
struct Together {
    /// Names of the preprocessor that nothing may be called.
    reserved: Vec<&'static str>,
    /// Declarations are wanted with their precision written out, too.
    explicit: bool,
}

/// A program before its parts are put one below the other.
struct Made {
    /// Everything in front of the functions.
    pieces: Vec<Piece>,
    /// The functions, a blank line in front of each.
    functions: String,
    /// Places in their text with the machine instruction that stands behind each.
    marks: Vec<(usize, u32)>,
    /// What it assumes.
    assumptions: Vec<String>,
    interface: Vec<Binding>,
    /// Names of functions and their locals.
    locals: Vec<(String, Vec<String>)>,
}

/// Prints the parts of a program; of what nothing reads and the version cannot declare, the name.
fn make(program: &Program, options: &Options, together: &Together) -> Result<Made, Error> {
    let error = match make_all(program, options, together) {
        Err(error) => error,
        made => return made,
    };
    let Some(read) = crate::unread::rest(program, &error) else { return Err(error) };
    let mut made = make_all(&read.program, options, together)?;
    for passed in made.pieces.iter_mut().filter_map(|piece| piece.passed.as_mut()) {
        passed.index = read.places.get(passed.index).copied().unwrap_or(passed.index);
    }
    let mut text = String::new();
    crate::comment::push(&mut text, &crate::unread::note(&read.unread));
    text.push('\n');
    made.pieces.push(Piece { group: Group::Input, explicit: text.clone(), text, passed: None });
    Ok(made)
}

fn make_all(program: &Program, options: &Options, together: &Together) -> Result<Made, Error> {
    let version = options.glsl;
    if options.layout == Layout::Vulkan && version != GlslVersion::Core450 {
        return Err(Error::unsupported(format!("the layout of Vulkan in GLSL {}", version.name())));
    }
    entry_kind_supported(options, version.kinds(), &format!("GLSL {}", version.name()))?;
    let rules = Rules {
        components: version.has_components(),
        matrix_outputs: options.kind == StageKind::Vertex,
        varying_locations: version.has_bindings() && !options.links_by_name(),
        loose: version.is_old() || options.links_by_name(),
        buffer: version.has_bindings().then(|| free_buffer(program)),
        samplers: dialect::numbers_samplers(program, options).then_some(1),
    };
    check(program)?;
    dialect::check(program, version)?;
    let mut slots = slots(program, options.kind, rules)?;
    if version.is_old() {
        dialect::registers_for_rows(&mut slots);
        dialect::one_colour(&slots, options.kind)?;
    }
    pipeline::check(program, &slots, options)?;
    memory::check(program, options)?;
    let built_in: Vec<Option<&str>> = slots.iter().map(|slot| built_in(slot.role, options)).collect();
    let is_built_in: Vec<bool> = built_in.iter().map(Option::is_some).collect();
    let mut names = Names::new(program, &keywords::VOCABULARY, "main", &is_built_in, &together.reserved);
    let structs = structs::Structs::find(program, &slots, &mut names);
    let memory_blocks = memory::block_names(program, &mut names);
    let mut interface = describe(program, &slots, &names, rules, options.kind);
    let needs = assigned::needs(program, &slots, options.kind);
    // The output has its own name, for the stage behind knows it by that.
    let mut kept_names = added_names(&mut names, &needs.kept, "_kept");
    for (index, (kept, built_in)) in kept_names.iter_mut().zip(&built_in).enumerate() {
        match built_in {
            _ if kept.is_empty() => {}
            Some(built_in) => (*built_in).clone_into(kept),
            None => std::mem::swap(kept, &mut names.globals[index]),
        }
    }
    for ((binding, built_in), kept) in interface.iter_mut().zip(&built_in).zip(&kept_names) {
        if let Some(built_in) = built_in {
            (*built_in).clone_into(&mut binding.name);
        } else if !kept.is_empty() {
            binding.name.clone_from(kept);
        }
    }
    let interface = interface.into_iter().flat_map(in_each_structure).collect();
    let emit_vertex = needs.kept.contains(&true).then(|| names.add("emitVertex"));
    let precise = options.strict && version.has_precise();
    let streams = emits_streams(program);
    if streams && version != GlslVersion::Core450 {
        return Err(Error::unsupported(format!("streams of vertices in GLSL {}", version.name())));
    }
    let mut printer = Printer {
        program,
        options,
        version,
        precise: if precise { Precise::new(program) } else { Precise::nothing(program) },
        uses: dialect::Uses::of(program),
        memories: memory::Memories::of(program),
        structs,
        slots,
        names,
        needs,
        kept_names,
        memory_blocks,
        emit_vertex,
        streams,
        split_names: Vec::new(),
        out: String::with_capacity(4096),
        line_start: 0,
        indent: 0,
        flat: false,
        too_long: false,
        function: 0,
        results: Results::None,
        helpers: BTreeSet::new(),
        helper_names: BTreeMap::new(),
        mixes_finite: false,
        explicit: false,
        pieces: Vec::new(),
        passed: None,
        marks: Vec::new(),
        deciding: Vec::new(),
        marked: Vec::new(),
        doubles: doubles::Doubles::default(),
    };
    printer.find_float_arrays();
    printer.find_doubles();
    printer.pipeline_extensions();
    printer.name_split_inputs();
    for (index, function) in program.functions.iter().enumerate() {
        printer.function(index).map_err(|error| error.within(&function.name))?;
        printer.resolve_marks(&function.links);
    }
    let (functions, marks) = (std::mem::take(&mut printer.out), std::mem::take(&mut printer.marked));
    printer.extensions();
    printer.interface(together.explicit)?;
    printer.helper_functions();
    let mut assumptions = printer.assumptions();
    // ES 1.00 has no other way to say an infinity.
    if version.is_old() && functions.contains(" / 0.0") {
        assumptions.push(INFINITE.to_owned());
    }
    let names = std::mem::take(&mut printer.names.functions).into_iter();
    let locals = names.zip(std::mem::take(&mut printer.names.locals)).collect();
    Ok(Made { pieces: printer.pieces, functions, marks, assumptions, interface, locals })
}

/// What is assumed where ES 1.00 prints a number that is none.
const INFINITE: &str =
    "a division by zero gives an infinity, or NaN, which this version of GLSL does not promise";

/// The name that the language itself gives to something.
fn built_in(role: Role, options: &Options) -> Option<&'static str> {
    let (version, kind) = (options.glsl, options.kind);
    Some(match role {
        Role::Position => "gl_Position",
        Role::PointSize => "gl_PointSize",
        Role::BuiltIn(BuiltIn::FragCoord) => "gl_FragCoord",
        Role::BuiltIn(BuiltIn::PointCoord) => "gl_PointCoord",
        Role::BuiltIn(BuiltIn::FrontFacing) => "gl_FrontFacing",
        // Vulkan counts from the first vertex and instance of the draw, too, where nothing else is asked for.
        Role::BuiltIn(BuiltIn::VertexId) if options.layout == Layout::Vulkan => "gl_VertexIndex",
        Role::BuiltIn(BuiltIn::InstanceId) if options.layout == Layout::Vulkan => "gl_InstanceIndex",
        Role::BuiltIn(BuiltIn::VertexId) => "gl_VertexID",
        Role::BuiltIn(BuiltIn::InstanceId) => "gl_InstanceID",
        Role::BuiltIn(BuiltIn::PrimitiveId) if kind == StageKind::Geometry => "gl_PrimitiveIDIn",
        Role::BuiltIn(BuiltIn::PrimitiveId) => "gl_PrimitiveID",
        Role::BuiltIn(BuiltIn::Positions | BuiltIn::PointSizes) => "gl_in",
        Role::BuiltIn(BuiltIn::System(system)) => system.glsl,
        Role::Fixed(fixed) => fixed.name(),
        Role::Output if version.is_old() && kind == StageKind::Fragment => "gl_FragColor",
        _ => return None,
    })
}

/// Names made from those of the marked globals; the others get an empty one.
fn added_names(names: &mut Names, marked: &[bool], suffix: &str) -> Vec<String> {
    let wishes: Vec<String> = marked
        .iter()
        .zip(&names.globals)
        .map(|(&marked, name)| if marked { format!("{name}{suffix}") } else { String::new() })
        .collect();
    wishes.into_iter().map(|wish| if wish.is_empty() { wish } else { names.add(&wish) }).collect()
}

/// Sets of resources in Vulkan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Blocks,
    Textures,
    Images,
    Buffers,
}

/// The state of printing one program.
struct Printer<'a> {
    program: &'a Program,
    options: &'a Options,
    version: GlslVersion,
    /// What the program needs an extension for.
    uses: dialect::Uses,
    /// What is declared as doubles.
    doubles: doubles::Doubles,
    /// What it does with images and memory.
    memories: memory::Memories,
    /// Uniforms that are members of structures.
    structs: structs::Structs,
    slots: Vec<Slot>,
    names: Names,
    /// What the outputs need beside their assignments.
    needs: Needs,
    /// What is `precise`.
    precise: Precise,
    /// Names of the outputs behind the variables that keep their values; empty for the others.
    kept_names: Vec<String>,
    /// Names of the blocks of storage buffers, as [`Program::memories`].
    memory_blocks: Vec<String>,
    /// Name of the function that copies the kept outputs and emits.
    emit_vertex: Option<String>,
    /// Vertices go to other streams than the first.
    streams: bool,
    /// Names of the elements of inputs that are declared one by one.
    split_names: Vec<Vec<String>>,
    out: String,
    /// Where the current line begins in `out`.
    line_start: usize,
    /// Levels of indentation.
    indent: usize,
    /// The expression in work has to fit on the line; `too_long` reports that it does not.
    flat: bool,
    too_long: bool,
    /// Index of the function in work.
    function: usize,
    /// How that function gives its results.
    results: Results,
    /// Helper functions in use, and the names of their kinds.
    helpers: BTreeSet<HelperUse>,
    helper_names: BTreeMap<&'static str, String>,
    /// A choice is printed as a mixture.
    mixes_finite: bool,
    /// Precisions are written out where they are the default, too.
    explicit: bool,
    /// What is declared in front of the functions.
    pieces: Vec<Piece>,
    /// The parts of the declaration in work, where it goes from one stage to the next.
    passed: Option<Passed>,
    /// Places in the text of the function in work, with the links of what stands there.
    marks: Vec<(usize, Link)>,
    /// What decides whether the statement in work is done: the links of the conditions around it, outermost first.
    deciding: Vec<Vec<Link>>,
    /// Places in the text of the functions before, each with a machine instruction that stands behind it.
    marked: Vec<(usize, u32)>,
}

/// What a mixture instead of a choice assumes.
const FINITE: &str = "no operand of abs, clamp, mix or fract is NaN or infinite";

impl Printer<'_> {
    fn is_entry(&self) -> bool {
        self.function + 1 == self.program.functions.len()
    }

    /// What names the set of a resource, in front of its binding.
    fn set(&self, set: Set) -> &'static str {
        match set {
            _ if self.options.layout != Layout::Vulkan => "",
            Set::Blocks => "set = 0, ",
            Set::Textures => "set = 1, ",
            Set::Images => "set = 2, ",
            Set::Buffers => "set = 3, ",
        }
    }

    /// Whether the text says what is `precise`.
    fn is_strict(&self) -> bool {
        self.options.strict && self.version.has_precise()
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.line_start = self.out.len();
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Columns of the current line so far.
    fn column(&self) -> usize {
        self.out.len().saturating_sub(self.line_start)
    }

    /// What the program assumes, the choices that became mixtures included.
    fn assumptions(&self) -> Vec<String> {
        let mut assumptions = self.program.assumptions.clone();
        if self.mixes_finite && !assumptions.iter().any(|known| known == FINITE) {
            assumptions.push(FINITE.to_owned());
        }
        assumptions
    }

    fn name_split_inputs(&mut self) {
        for index in 0..self.slots.len() {
            let name = self.names.globals[index].clone();
            let elements = self.split_input(index);
            let split = (0..elements).map(|element| self.names.add(&format!("{name}_{element}"))).collect();
            self.split_names.push(split);
        }
    }
}

/// Whether a program emits to another stream than the first.
fn emits_streams(program: &Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        visit::statements(&function.body, &mut |statement| {
            found |= matches!(statement, Stmt::EmitVertex(1.., _) | Stmt::EndPrimitive(1.., _));
        });
    }
    found
}
