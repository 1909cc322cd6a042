//! The text of a module: stable, complete enough to follow every value, for `decompile --to ir` and for
//! looking at what a pass did.

use crate::{
    Access, AtomicOp, Axis, Barrier, Block, CompareFloat, CompareInt, FloatMode, Function, FunctionId,
    Global, Image, ImageFormat, ImageQuery, InputPlace, Inst, Interpolation, Module, Multiply, Op, QuadSide,
    Round, Sampling, Shape, Space, Target, Terminator, Texel, TextureLevel, TextureQuery, TextureShape, Type,
    Value, VarId, Vote, Width,
};
use std::fmt::{self, Display, Formatter};

/// Prints a module.
///
/// ```
/// use unshade_ir::{Module, build::FunctionBuilder, print};
/// let mut builder = FunctionBuilder::new("main");
/// builder.returns(&[]);
/// let mut module = Module::default();
/// module.push_function(builder.finish());
/// assert_eq!(print::module(&module), "entry fn0\n\nfn0 main() {\nb0:\n    return\n}\n");
/// ```
pub fn module(module: &Module) -> String {
    module.to_string()
}

/// Lines of the text that [`module`] makes, counted from 0, with the machine instructions that they come from; ascending.
pub fn lines(module: &Module) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let text = module.to_string();
    // Functions are the end of the text: each an empty line, its head, for each block a line of its name and one of its
    // way out, and a brace.
    let functions: usize = module.functions.iter().map(lines_of).sum();
    let mut line = text.lines().count().saturating_sub(functions);
    for function in &module.functions {
        line += 2;
        for block in &function.blocks {
            line += 1;
            for inst in &block.insts {
                let instruction = function.insts.get(inst.index()).map(|inst| inst.origin.instruction);
                found.extend(instruction.filter(|at| *at != u32::MAX).map(|at| (line as u32, at)));
                line += 1;
            }
            // A block may go on to the next without an instruction that says so; its last one is that of something else then.
            let last = block.insts.last().and_then(|inst| function.insts.get(inst.index()));
            let goes_on = matches!(block.terminator, Terminator::Jump(_))
                && last.is_some_and(|inst| inst.origin.instruction == block.exit);
            if block.exit != u32::MAX && !goes_on {
                found.push((line as u32, block.exit));
            }
            line += 1;
        }
        line += 1;
    }
    found
}

/// Lines of the text of a function.
fn lines_of(function: &Function) -> usize {
    3 + function.blocks.iter().map(|block| block.insts.len() + 2).sum::<usize>()
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "entry {}", self.entry)?;
        for global in &self.globals {
            write_global(f, global)?;
        }
        for block in &self.blocks {
            writeln!(f, "block {} {}: {} words", block.binding, block.name, block.words)?;
        }
        for buffer in &self.buffers {
            writeln!(f, "buffer {} {}", buffer.binding, buffer.name)?;
        }
        if self.shared_words > 0 {
            writeln!(f, "shared: {} words", self.shared_words)?;
        }
        for (index, array) in self.arrays.iter().enumerate() {
            writeln!(f, "array {index} {}: {} words", array.name, array.words)?;
        }
        for (index, function) in self.functions.iter().enumerate() {
            writeln!(f)?;
            let id = FunctionId(index as u32);
            FunctionText { module: self, function, id }.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Space {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Uniform => "uniform",
            Self::Texture => "texture",
            Self::Local => "local",
            Self::Shared => "shared",
            Self::Storage => "storage",
            Self::Image => "image",
            Self::Global => "global",
        })
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::B16 => "b16",
            Self::B32 => "b32",
            Self::B64 => "b64",
        })
    }
}

fn write_global(f: &mut Formatter<'_>, global: &Global) -> fmt::Result {
    let (kind, components, elements) = match global.shape {
        Shape::Float { components, elements } => ("float", components, elements),
        Shape::Int { components, elements } => ("int", components, elements),
        Shape::Uint { components, elements } => ("uint", components, elements),
        Shape::Bool { components, elements } => ("bool", components, elements),
        Shape::Matrix { columns, elements, .. } => ("mat", columns, elements),
        Shape::Sampler { elements, .. } | Shape::Image { elements, .. } => ("", 1, elements),
    };
    write!(f, "{} {}[{}] {}: {kind}", global.space, global.binding, global.offset, global.name)?;
    if let Shape::Sampler { shape, shadow, texel, .. } = global.shape {
        f.write_str(match texel {
            Texel::Float => "",
            Texel::Int => "i",
            Texel::Uint => "u",
        })?;
        let shape = match shape_name(shape) {
            "cube" => "Cube",
            "cubearray" => "CubeArray",
            "2d" => "2D",
            other => other,
        };
        write!(f, "sampler{shape}{}", if shadow { "Shadow" } else { "" })?;
    }
    if let Shape::Image { shape, texel, format, .. } = global.shape {
        f.write_str(match texel {
            Texel::Float => "image ",
            Texel::Int => "iimage ",
            Texel::Uint => "uimage ",
        })?;
        write!(f, "{} {}", shape_name(shape), format.map_or("of unknown format", ImageFormat::name))?;
    }
    if components > 1 {
        write!(f, "{components}")?;
    }
    if let Shape::Matrix { rows, .. } = global.shape {
        write!(f, "x{rows}")?;
    }
    if elements > 0 {
        write!(f, "[{elements}]")?;
    }
    if global.stride != global.shape.stride() {
        write!(f, " stride {}", global.stride)?;
    }
    match global.interpolation {
        Interpolation::Smooth => {}
        Interpolation::Linear => f.write_str(" linear")?,
        Interpolation::Flat => f.write_str(" flat")?,
    }
    match global.sampling {
        Sampling::Center => {}
        Sampling::Centroid => f.write_str(" centroid")?,
        Sampling::Sample => f.write_str(" sample")?,
    }
    if global.vertices > 0 {
        write!(f, " of {} vertices, {} words apart", global.vertices, global.vertex_stride)?;
    }
    if global.patch {
        f.write_str(" of the patch")?;
    }
    if let Some(semantic) = &global.semantic {
        write!(f, " ({semantic})")?;
    }
    if let Some(constant) = &global.constant {
        f.write_str(" =")?;
        for word in constant {
            f.write_str(" ")?;
            write_bits(f, *word)?;
        }
    }
    writeln!(f)
}

/// The bits, and the float they are where that reads well.
fn write_bits(f: &mut Formatter<'_>, bits: u32) -> fmt::Result {
    let value = f32::from_bits(bits);
    if bits == 0 || (value.is_finite() && (1e-6..1e9).contains(&value.abs())) {
        write!(f, "{value:?}")
    } else {
        write!(f, "{bits:#x}")
    }
}

struct FunctionText<'a> {
    module: &'a Module,
    function: &'a Function,
    id: FunctionId,
}

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}(", self.id, self.function.name)?;
        self.write_params(f, self.function.params())?;
        f.write_str(")")?;
        if !self.function.results.is_empty() {
            f.write_str(" -> (")?;
            for (n, ty) in self.function.results.iter().enumerate() {
                separate(f, n)?;
                write!(f, "{ty}")?;
                if let Some(variable) = self.function.result_vars.get(n) {
                    f.write_str(" ")?;
                    self.write_variable(f, *variable)?;
                }
            }
            f.write_str(")")?;
        }
        f.write_str(" {\n")?;
        for (index, block) in self.function.blocks.iter().enumerate() {
            self.write_block(f, index, block)?;
        }
        f.write_str("}\n")
    }
}

fn separate(f: &mut Formatter<'_>, n: usize) -> fmt::Result {
    if n > 0 { f.write_str(", ") } else { Ok(()) }
}

fn write_list(f: &mut Formatter<'_>, values: &[Value]) -> fmt::Result {
    for (n, value) in values.iter().enumerate() {
        separate(f, n)?;
        write!(f, "{value}")?;
    }
    Ok(())
}

fn write_target(f: &mut Formatter<'_>, target: &Target) -> fmt::Result {
    write!(f, "{}", target.block)?;
    if !target.args.is_empty() {
        f.write_str("(")?;
        write_list(f, &target.args)?;
        f.write_str(")")?;
    }
    Ok(())
}

impl FunctionText<'_> {
    fn write_variable(&self, f: &mut Formatter<'_>, variable: VarId) -> fmt::Result {
        let Some(data) = self.module.variables.get(variable.index()) else {
            return write!(f, "{variable}");
        };
        let lane = ['x', 'y', 'z', 'w'].get(usize::from(data.lane)).copied().unwrap_or('?');
        write!(f, "{}.{lane}", data.register)
    }

    fn write_params(&self, f: &mut Formatter<'_>, params: &[Value]) -> fmt::Result {
        for (n, param) in params.iter().enumerate() {
            separate(f, n)?;
            write!(f, "{param}: {}", self.function.ty(*param))?;
            let variable = self.function.values.get(param.index()).and_then(|data| data.variable);
            if let Some(variable) = variable {
                f.write_str(" ")?;
                self.write_variable(f, variable)?;
            }
        }
        Ok(())
    }

    fn write_block(&self, f: &mut Formatter<'_>, index: usize, block: &Block) -> fmt::Result {
        write!(f, "b{index}")?;
        if index > 0 && !block.params.is_empty() {
            f.write_str("(")?;
            self.write_params(f, &block.params)?;
            f.write_str(")")?;
        }
        f.write_str(":\n")?;
        for inst in &block.insts {
            match self.function.insts.get(inst.index()) {
                Some(inst) => self.write_inst(f, inst)?,
                None => writeln!(f, "    {inst} ?")?,
            }
        }
        f.write_str("    ")?;
        match &block.terminator {
            Terminator::Jump(target) => {
                f.write_str("jump ")?;
                write_target(f, target)?;
            }
            Terminator::Branch { condition, then, otherwise } => {
                write!(f, "branch {condition} ")?;
                write_target(f, then)?;
                f.write_str(" else ")?;
                write_target(f, otherwise)?;
            }
            Terminator::Switch { value, cases, default } => {
                write!(f, "switch {value}")?;
                for (selector, target) in cases {
                    write!(f, " {selector}: ")?;
                    write_target(f, target)?;
                }
                f.write_str(" else ")?;
                write_target(f, default)?;
            }
            Terminator::Return(values) => {
                f.write_str("return")?;
                if !values.is_empty() {
                    f.write_str(" ")?;
                }
                write_list(f, values)?;
            }
            Terminator::End => f.write_str("end")?,
            Terminator::Discard => f.write_str("discard")?,
            Terminator::Unreachable => f.write_str("unreachable")?,
        }
        f.write_str("\n")
    }

    fn write_inst(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        f.write_str("    ")?;
        write_list(f, &inst.results)?;
        if !inst.results.is_empty() {
            f.write_str(" = ")?;
        }
        match inst.op {
            Op::ReadVar(variable) => {
                f.write_str("read ")?;
                self.write_variable(f, variable)?;
            }
            Op::WriteVar(variable) => {
                f.write_str("write ")?;
                self.write_variable(f, variable)?;
                f.write_str(",")?;
            }
            op => write!(f, "{op}")?,
        }
        if !inst.args.is_empty() {
            f.write_str(" ")?;
        }
        write_list(f, &inst.args)?;
        let variable =
            inst.results.first().and_then(|value| self.function.values.get(value.index())?.variable);
        if inst.origin.instruction != u32::MAX || variable.is_some() {
            f.write_str("  ;")?;
        }
        if let Some(variable) = variable {
            f.write_str(" ")?;
            self.write_variable(f, variable)?;
        }
        if inst.origin.instruction != u32::MAX {
            let crate::Origin { instruction, step, lane } = inst.origin;
            write!(f, " @{instruction}.{step}.{lane}")?;
        }
        f.write_str("\n")
    }
}

fn round_name(round: Round) -> &'static str {
    match round {
        Round::Nearest => "nearest",
        Round::Zero => "zero",
        Round::Down => "down",
        Round::Up => "up",
    }
}

fn width_name(width: Width) -> &'static str {
    match width {
        Width::F16 => "f16",
        Width::F32 => "f32",
        Width::F64 => "f64",
    }
}

struct ModeText(FloatMode);

impl Display for ModeText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", width_name(self.0.width))?;
        if self.0.flush {
            f.write_str(".flush")?;
        }
        if self.0.round != Round::Nearest {
            write!(f, ".{}", round_name(self.0.round))?;
        }
        Ok(())
    }
}

fn shape_name(shape: TextureShape) -> &'static str {
    match shape {
        TextureShape::Line => "1d",
        TextureShape::Plane => "2d",
        TextureShape::Volume => "3d",
        TextureShape::Cube => "cube",
        TextureShape::LineArray => "1darray",
        TextureShape::PlaneArray => "2darray",
        TextureShape::CubeArray => "cubearray",
        TextureShape::Rectangle => "rect",
        TextureShape::Buffer => "buffer",
        TextureShape::PlaneSamples => "2dms",
        TextureShape::PlaneSamplesArray => "2dmsarray",
    }
}

fn rule_name(rule: Multiply) -> &'static str {
    match rule {
        Multiply::Ieee => "",
        Multiply::InfTimesZero => ".inf0",
        Multiply::ZeroWins => ".zero",
    }
}

fn write_access(f: &mut Formatter<'_>, name: &str, access: &Access) -> fmt::Result {
    write!(f, "{name} {} {}[{}", access.space, access.binding, access.offset)?;
    if access.space == Space::Global {
        f.write_str(" + a")?;
    } else if access.is_indexed() {
        write!(f, " + i*{}", access.stride)?;
    }
    f.write_str("]")
}

fn atomic_name(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Add => "add",
        AtomicOp::SMin => "smin",
        AtomicOp::SMax => "smax",
        AtomicOp::UMin => "umin",
        AtomicOp::UMax => "umax",
        AtomicOp::And => "and",
        AtomicOp::Or => "or",
        AtomicOp::Xor => "xor",
        AtomicOp::Exchange => "exchange",
        AtomicOp::CompareExchange => "compare-exchange",
        AtomicOp::Increment => "increment",
        AtomicOp::Decrement => "decrement",
        AtomicOp::FAdd => "fadd",
    }
}

fn write_image(f: &mut Formatter<'_>, image: Image) -> fmt::Result {
    f.write_str("image")?;
    match image.query {
        ImageQuery::Load => f.write_str(" load")?,
        ImageQuery::Store => f.write_str(" store")?,
        ImageQuery::Atomic(op) => write!(f, " atomic {}", atomic_name(op))?,
        ImageQuery::Size => f.write_str(" size")?,
    }
    write!(f, " {} {}{}", shape_name(image.shape), image.unit, if image.indexed { "+" } else { "" })
}

/// The operation as `%n = <this> args` shows it; variables by number.
impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let extremum = |rule| match rule {
            crate::MinMax::SecondUnlessOrdered => "",
            crate::MinMax::Number => ".number",
        };
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::B32(bits) => {
                write!(f, "b32 ")?;
                write_bits(f, *bits)
            }
            Self::B16(bits) => write!(f, "b16 {bits:#x}"),
            Self::B64(bits) => write!(f, "b64 {bits:#x}"),
            Self::ReadVar(variable) => write!(f, "read {variable}"),
            Self::WriteVar(variable) => write!(f, "write {variable},"),
            Self::FAdd(mode) => write!(f, "fadd{}", ModeText(*mode)),
            Self::FMul(mode, rule) => write!(f, "fmul{}{}", ModeText(*mode), rule_name(*rule)),
            Self::FFma(mode, rule) => write!(f, "ffma{}{}", ModeText(*mode), rule_name(*rule)),
            Self::FDiv(mode) => write!(f, "fdiv{}", ModeText(*mode)),
            Self::FNeg(width) => write!(f, "fneg.{}", width_name(*width)),
            Self::FAbs(width) => write!(f, "fabs.{}", width_name(*width)),
            Self::FMin(mode, rule) => write!(f, "fmin{}{}", ModeText(*mode), extremum(*rule)),
            Self::FMax(mode, rule) => write!(f, "fmax{}{}", ModeText(*mode), extremum(*rule)),
            Self::FRound(mode, round) => write!(f, "fround{} {}", ModeText(*mode), round_name(*round)),
            Self::FSaturate(mode) => write!(f, "fsaturate{}", ModeText(*mode)),
            Self::FRcp(mode) => write!(f, "frcp{}", ModeText(*mode)),
            Self::FRsq(mode) => write!(f, "frsq{}", ModeText(*mode)),
            Self::FSqrt(mode) => write!(f, "fsqrt{}", ModeText(*mode)),
            Self::FExp2(mode) => write!(f, "fexp2{}", ModeText(*mode)),
            Self::FLog2(mode) => write!(f, "flog2{}", ModeText(*mode)),
            Self::FSin(mode) => write!(f, "fsin{}", ModeText(*mode)),
            Self::FCos(mode) => write!(f, "fcos{}", ModeText(*mode)),
            Self::FAtan(mode) => write!(f, "fatan{}", ModeText(*mode)),
            Self::FAtan2(mode) => write!(f, "fatan2{}", ModeText(*mode)),
            Self::FCompare(comparison, mode) => {
                let name = match comparison {
                    CompareFloat::Eq => "eq",
                    CompareFloat::Ne => "ne",
                    CompareFloat::Lt => "lt",
                    CompareFloat::Le => "le",
                    CompareFloat::Gt => "gt",
                    CompareFloat::Ge => "ge",
                };
                write!(f, "fcmp{} {name}", ModeText(*mode))
            }
            Self::FIsNan(width) => write!(f, "isnan.{}", width_name(*width)),
            Self::IAdd => f.write_str("iadd"),
            Self::ISub => f.write_str("isub"),
            Self::IMul => f.write_str("imul"),
            Self::INeg => f.write_str("ineg"),
            Self::ICompare(comparison) => f.write_str(match comparison {
                CompareInt::Eq => "icmp eq",
                CompareInt::Ne => "icmp ne",
                CompareInt::Slt => "icmp slt",
                CompareInt::Sle => "icmp sle",
                CompareInt::Ult => "icmp ult",
                CompareInt::Ule => "icmp ule",
            }),
            Self::And => f.write_str("and"),
            Self::Or => f.write_str("or"),
            Self::Xor => f.write_str("xor"),
            Self::Not => f.write_str("not"),
            Self::Shl => f.write_str("shl"),
            Self::ShrU => f.write_str("shru"),
            Self::ShrS => f.write_str("shrs"),
            Self::SMin => f.write_str("smin"),
            Self::SMax => f.write_str("smax"),
            Self::UMin => f.write_str("umin"),
            Self::UMax => f.write_str("umax"),
            Self::SMulHigh => f.write_str("smulhigh"),
            Self::UMulHigh => f.write_str("umulhigh"),
            Self::SDiv => f.write_str("sdiv"),
            Self::UDiv => f.write_str("udiv"),
            Self::SRem => f.write_str("srem"),
            Self::URem => f.write_str("urem"),
            Self::FToS(width, round) => write!(f, "ftos.{} {}", width_name(*width), round_name(*round)),
            Self::FToU(width, round) => write!(f, "ftou.{} {}", width_name(*width), round_name(*round)),
            Self::FToS64(width, round) => {
                write!(f, "ftos64.{} {}", width_name(*width), round_name(*round))
            }
            Self::FToU64(width, round) => {
                write!(f, "ftou64.{} {}", width_name(*width), round_name(*round))
            }
            Self::FConvert(width, mode) => write!(f, "fconvert.{}{}", width_name(*width), ModeText(*mode)),
            Self::Low => f.write_str("low"),
            Self::High => f.write_str("high"),
            Self::Join => f.write_str("join"),
            Self::BitCount => f.write_str("bitcount"),
            Self::BitReverse => f.write_str("bitreverse"),
            Self::UFindMsb => f.write_str("ufindmsb"),
            Self::SFindMsb => f.write_str("sfindmsb"),
            Self::FindLsb => f.write_str("findlsb"),
            Self::UBitExtract => f.write_str("ubitextract"),
            Self::SBitExtract => f.write_str("sbitextract"),
            Self::BitInsert => f.write_str("bitinsert"),
            Self::SToF(mode) => write!(f, "stof{}", ModeText(*mode)),
            Self::UToF(mode) => write!(f, "utof{}", ModeText(*mode)),
            Self::BToI => f.write_str("btoi"),
            Self::Select => f.write_str("select"),
            Self::Load(access) => write_access(f, "load", access),
            Self::Store(access) => write_access(f, "store", access),
            Self::Atomic(op, access) => write_access(f, &format!("atomic {}", atomic_name(*op)), access),
            Self::Interpolate(place, access) => {
                let name = match place {
                    InputPlace::Centroid => "interpolate centroid",
                    InputPlace::Sample => "interpolate sample",
                    InputPlace::Offset => "interpolate offset",
                };
                write_access(f, name, access)
            }
            Self::Image(image) => write_image(f, *image),
            Self::Vote(vote) => f.write_str(match vote {
                Vote::All => "vote all",
                Vote::Any => "vote any",
                Vote::Equal => "vote equal",
            }),
            Self::Ballot => f.write_str("ballot"),
            Self::Shuffle => f.write_str("shuffle"),
            Self::Barrier(barrier) => f.write_str(match barrier {
                Barrier::Control => "barrier",
                Barrier::Group => "barrier group",
                Barrier::Memory => "barrier memory",
            }),
            Self::Demote => f.write_str("demote"),
            Self::BufferLength(length) => {
                write!(f, "length storage {}[{} + i*{} bytes]", length.binding, length.offset, length.stride)
            }
            Self::Texture(texture) => {
                f.write_str("texture")?;
                match texture.query {
                    TextureQuery::Sample => {}
                    TextureQuery::Texel => f.write_str(" texel")?,
                    TextureQuery::Gather(component) => write!(f, " gather{component}")?,
                    TextureQuery::Size => f.write_str(" size")?,
                    TextureQuery::Level => f.write_str(" level")?,
                    TextureQuery::Samples => f.write_str(" samples")?,
                }
                write!(f, " {}", shape_name(texture.shape))?;
                f.write_str(if texture.shadow { " shadow" } else { "" })?;
                f.write_str(match texture.level {
                    TextureLevel::Quad => "",
                    TextureLevel::Bias => " bias",
                    TextureLevel::Given => " lod",
                    TextureLevel::Gradients => " grad",
                })?;
                if texture.offset != [0; 3] {
                    let [x, y, z] = texture.offset;
                    write!(f, " offset({x} {y} {z})")?;
                }
                f.write_str(if texture.moved { " moved" } else { "" })?;
                write!(f, " {}{}", texture.unit, if texture.indexed { "+" } else { "" })
            }
            Self::QuadRead(side) => f.write_str(match side {
                QuadSide::Left => "quad left",
                QuadSide::Right => "quad right",
                QuadSide::Lower => "quad lower",
                QuadSide::Upper => "quad upper",
            }),
            Self::Derivative(Axis::X, mode) => write!(f, "ddx{}", ModeText(*mode)),
            Self::Derivative(Axis::Y, mode) => write!(f, "ddy{}", ModeText(*mode)),
            Self::Call(function) => write!(f, "call {function}"),
            Self::EmitVertex(stream) => write!(f, "emit {stream}"),
            Self::EndPrimitive(stream) => write!(f, "endprimitive {stream}"),
            Self::PackNorm(norm) => write!(f, "pack.{}{}", if norm.signed { 's' } else { 'u' }, norm.bits()),
            Self::UnpackNorm(norm, field) => {
                write!(f, "unpack.{}{}.{field}", if norm.signed { 's' } else { 'u' }, norm.bits())
            }
            Self::Dot(lanes) => write!(f, "dot{lanes}"),
            Self::Pow => f.write_str("pow"),
            Self::Clamp => f.write_str("clamp"),
            Self::Mix => f.write_str("mix"),
            Self::Fract => f.write_str("fract"),
            Self::Cross => f.write_str("cross"),
            Self::Refract(lanes) => write!(f, "refract{lanes}"),
            Self::InverseTimes(size) => write!(f, "inverse{size}.times"),
            Self::TimesInverse(size) => write!(f, "times.inverse{size}"),
            Self::Exponent => f.write_str("exponent"),
            Self::Compound(compound) => f.write_str(compound.name()),
            Self::Normalize(lanes) => write!(f, "normalize{lanes}"),
            Self::Length(lanes) => write!(f, "length{lanes}"),
        }
    }
}
