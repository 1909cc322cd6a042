//! What is legal to encode but wrong to run, and what the file says about the program beside its code.
//!
//! Only instructions that the program can come to are looked at; conditions count as undecided, so a finding
//! says what can happen, not what must. Sources: the limadriver wiki (sync, sizes of following instructions),
//! Mesa (limits), and Arm's own programs, in all of which these rules hold.

use super::decode::Walk;
use super::reach::{Reach, Successors};
use super::table::{
    AddOp, Branch, CUBE, Combine, CombineAtanSecond, CombineOp, Control, FRAMEBUFFER_CONSTANT, Field, MulOp,
    NO_OFFSET, Part, SAMPLER_CONSTANT, Sampler, Store, TEMPORARY, UNIFORM, Uniform, Varying, VaryingRegister,
};
use super::{Inst, Item, words_needed};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::{
    Diagnostic,
    Severity::{Error, Note, Warning},
};
use unshade_isa_common::findings::Findings;
use unshade_stage::{Declared, Stage};

/// Registers that the hardware has.
pub const REGISTERS: u32 = 6;
/// Samplers that the hardware has.
pub const SAMPLERS: u32 = 16;

/// Checks the code of a program. Codes start with `mali-pp.`; paths are `code[0xWORD]`, or `code` for what
/// concerns the whole of it.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    let words = &*stage.code.words;
    let mut findings = Findings::new(stage);
    if words.is_empty() {
        findings.whole(Error, "mali-pp.empty", "there is no code");
        return findings.finish();
    }
    let reach = Reach::new(words);
    let mut counts = BTreeMap::new();
    let mut strays = 0_u32;
    for (at, item) in Walk::new(words) {
        match item {
            Item::Inst(inst) => {
                counts.insert(at, inst.count());
            }
            Item::Word(_) => strays += 1,
        }
    }
    if strays > 0 {
        let message = format!("{strays} words belong to no instruction");
        findings.whole(Warning, "mali-pp.stray-words", message);
    }
    for (at, inst) in &reach.insts {
        flow(&mut findings, *at, inst, &counts, words);
        links(&mut findings, *at, inst);
        operations(&mut findings, *at, inst);
        limits(&mut findings, *at, inst);
        reserved(&mut findings, *at, inst);
    }
    for at in &reach.dead_ends {
        let message = if *at as usize >= words.len() {
            "the program can run past its end: no `stop` comes before".to_owned()
        } else {
            format!("the program can come to word {at}, where no instruction starts")
        };
        findings.word(Error, "mali-pp.runs-off", *at, message);
    }
    for at in &reach.outside {
        findings.word(Error, "mali-pp.branch-outside", *at, "the branch leads out of the code");
    }
    if !reach.insts.iter().any(|(at, inst)| {
        let ways = Successors::of(*at, inst);
        ways.stops || ways.discards
    }) {
        findings.whole(Warning, "mali-pp.no-stop", "no `stop` can be reached");
    }
    declared(&mut findings, &reach);
    findings.finish()
}

/// Sizes that the fetch unit relies on, targets, synchronisation.
fn flow(findings: &mut Findings<'_>, at: u32, inst: &Inst, counts: &BTreeMap<u32, u32>, words: &[u32]) {
    let control = inst.control;
    let following = words.get((at + inst.count()) as usize).map_or(0, |word| Control(*word).count());
    let next = control.next();
    if control.prefetch() != 0 && next != following {
        let message =
            format!("it says that {next} words follow it at once, but the next instruction has {following}");
        let (severity, code) = if next < following {
            (Error, "mali-pp.next-too-small")
        } else {
            (Warning, "mali-pp.next-too-large")
        };
        findings.word(severity, code, at, message);
    } else if control.prefetch() == 0 && next != 0 {
        findings.word(
            Note,
            "mali-pp.next-unused",
            at,
            "the size of the next instruction stands there, but does not count",
        );
    }
    let needed = words_needed(control.fields());
    if inst.count() != needed {
        let message = format!("it has {} words, but its fields need {needed}", inst.count());
        findings.word(Note, "mali-pp.count", at, message);
    }
    if inst.needs_sync() && control.sync() == 0 {
        let message =
            "texture fetches and derivatives look at the neighbouring pixels, but `sync` is not set";
        findings.word(Error, "mali-pp.sync-missing", at, message);
    }
    if inst.has(Field::Branch) && !inst.branch.is_discard() {
        if inst.branch.condition() == 0 {
            findings.word(Note, "mali-pp.branch-never", at, "this branch is never taken");
        }
        if let Some(target) = at.checked_add_signed(inst.branch.distance())
            && (target as usize) < words.len()
        {
            let said = inst.branch.target_count();
            match counts.get(&target) {
                Some(count) if *count != said => {
                    let message =
                        format!("the branch says that its target has {said} words, but it has {count}");
                    findings.word(Warning, "mali-pp.branch-count", at, message);
                }
                Some(_) => {}
                None => {
                    let message = format!("the branch leads to word {target}, where no instruction starts");
                    findings.word(Warning, "mali-pp.branch-inside", at, message);
                }
            }
        }
        if control.stop() != 0 && inst.branch.condition() != 0 {
            findings.word(Warning, "mali-pp.branch-and-stop", at, "a branch in an instruction that stops");
        }
    }
    if inst.discards() && control.stop() == 0 {
        // Mesa's compiler leaves it out where the block goes on behind the discard.
        let message = "a `discard` without `stop`; ARM's compiler sets both";
        findings.word(Note, "mali-pp.discard-without-stop", at, message);
    }
}

/// What a unit takes from another one of the same instruction.
fn links(findings: &mut Findings<'_>, at: u32, inst: &Inst) {
    let mut missing = |field: Field, what: &str, whose: &str| {
        if !inst.has(field) {
            let message = format!("{whose} reads {what}, but the instruction has no {} field", field.name());
            findings.word(Warning, "mali-pp.missing-link", at, message);
        }
    };
    if inst.has(Field::VectorAdd) {
        if inst.vector_add.mul_in() != 0 {
            missing(Field::VectorMul, "`^v0`", "the vector add unit");
        }
        if AddOp::of(inst.vector_add.op()) == Some(AddOp::Sel) {
            missing(Field::FloatMul, "the condition `^s0`", "the select");
        }
    }
    if inst.has(Field::FloatAdd) {
        if inst.float_add.mul_in() != 0 {
            missing(Field::FloatMul, "`^s0`", "the add unit");
        }
        if AddOp::of_scalar(inst.float_add.op()) == Some(AddOp::Sel) {
            missing(Field::FloatMul, "the condition `^s0`", "the select");
        }
    }
    if inst.has(Field::Sampler) {
        missing(Field::Varying, "coordinates", "the fetch");
    }
    let names = [
        (12, Field::Const0, "`^const0`"),
        (13, Field::Const1, "`^const1`"),
        (14, Field::Sampler, "`^texture`"),
        (15, Field::Uniform, "`^uniform`"),
    ];
    let sources: BTreeSet<u32> = sources(inst).into_iter().collect();
    for (number, field, name) in names {
        if sources.contains(&number) {
            missing(field, name, "a unit");
        }
    }
    if inst.has(Field::Varying) && inst.varying.dest() == UNIFORM && !inst.has(Field::Sampler) {
        let message = "coordinates go to the texture unit, but the instruction fetches nothing";
        findings.word(Warning, "mali-pp.unused-coordinates", at, message);
    }
}

/// Numbers of the registers that an instruction reads, 12 to 15 being the links.
pub(super) fn sources(inst: &Inst) -> Vec<u32> {
    let mut list = Vec::new();
    if inst.has(Field::Varying) {
        let source = inst.varying.source();
        if source.is_register() {
            list.push(inst.varying.register().source());
        } else if source.is_place() && inst.varying.offset_register() != NO_OFFSET {
            list.push(inst.varying.offset_register());
        }
    }
    if inst.has(Field::Sampler) {
        let field = inst.sampler;
        list.extend((field.offset_enable() != 0).then(|| field.offset_register() >> 2));
        list.extend((field.lod_enable() != 0).then(|| field.lod_register() >> 2));
    }
    if inst.has(Field::Uniform) && inst.uniform.offset_enable() != 0 {
        list.push(inst.uniform.offset_register() >> 2);
    }
    let two_mul = |op| MulOp::of(op).is_none_or(|op| op.row().sources > 1);
    let two_add = |op: Option<AddOp>| op.is_none_or(|op| op.row().sources > 1);
    if inst.has(Field::VectorMul) {
        let field = inst.vector_mul;
        list.push(field.arg0());
        list.extend(two_mul(field.op()).then(|| field.arg1()));
    }
    if inst.has(Field::FloatMul) {
        let field = inst.float_mul;
        list.push(field.arg0() >> 2);
        list.extend(two_mul(field.op()).then(|| field.arg1() >> 2));
    }
    if inst.has(Field::VectorAdd) {
        let field = inst.vector_add;
        list.extend((field.mul_in() == 0).then(|| field.arg0()));
        list.extend(two_add(AddOp::of(field.op())).then(|| field.arg1()));
    }
    if inst.has(Field::FloatAdd) {
        let field = inst.float_add;
        list.extend((field.mul_in() == 0).then(|| field.arg0() >> 2));
        list.extend(two_add(AddOp::of_scalar(field.op())).then(|| field.arg1() >> 2));
    }
    match inst.combine() {
        Some(Combine::Scalar(field)) => list.push(field.arg0() >> 2),
        Some(Combine::Atan(field)) => {
            list.push(field.arg0() >> 2);
            let two = CombineOp::of(field.op()).is_none_or(|op| op.row().sources > 1);
            list.extend(two.then(|| field.arg1() >> 2));
        }
        Some(Combine::Mul(field)) => list.extend([field.arg0() >> 2, field.arg1()]),
        Some(Combine::AtanSecond(field)) => list.push(field.arg1()),
        None => {}
    }
    if inst.has(Field::Store) && inst.store.framebuffer_read().is_none() {
        list.push(inst.store.source() >> 2);
        list.extend((inst.store.offset_enable() != 0).then(|| inst.store.offset_register() >> 2));
    }
    if inst.has(Field::Branch) && !inst.branch.is_discard() && !matches!(inst.branch.condition(), 0 | 7) {
        list.extend([inst.branch.arg0() >> 2, inst.branch.arg1() >> 2]);
    }
    list
}

/// Operations that nobody knows.
fn operations(findings: &mut Findings<'_>, at: u32, inst: &Inst) {
    let combine = match inst.combine() {
        Some(Combine::Scalar(field)) => Some(field.op()),
        Some(Combine::Atan(field)) => Some(field.op()),
        _ => None,
    };
    let has = |field: Field, op: u32| inst.has(field).then_some(op);
    let unknown = [
        has(Field::VectorMul, inst.vector_mul.op()).filter(|op| MulOp::of(*op).is_none()),
        has(Field::FloatMul, inst.float_mul.op()).filter(|op| MulOp::of(*op).is_none()),
        has(Field::VectorAdd, inst.vector_add.op()).filter(|op| AddOp::of(*op).is_none()),
        has(Field::FloatAdd, inst.float_add.op()).filter(|op| AddOp::of_scalar(*op).is_none()),
        combine.filter(|op| CombineOp::of(*op).is_none()),
    ];
    let units = ["vector multiply", "multiply", "vector add", "add", "combine"];
    for (unit, op) in units.into_iter().zip(unknown) {
        if let Some(op) = op {
            let message = format!("operation {op} of the {unit} unit is not known");
            findings.word(Warning, "mali-pp.unknown-operation", at, message);
        }
    }
    if inst.has(Field::Sampler) && !matches!(inst.sampler.kind(), 0 | CUBE) {
        let message = format!("textures of kind {} are not known", inst.sampler.kind());
        findings.word(Warning, "mali-pp.unknown-texture", at, message);
    }
}

/// What the hardware has less of than the encoding.
fn limits(findings: &mut Findings<'_>, at: u32, inst: &Inst) {
    let written = super::exec::trace::writes(inst);
    let dest = (REGISTERS..).zip(written.iter().skip(REGISTERS as usize)).find(|(_, mask)| **mask != 0);
    let read = sources(inst).into_iter().find(|number| (REGISTERS..12).contains(number));
    if let Some(number) = dest.map(|(number, _)| number).or(read) {
        let message = format!("`${number}` is used; the hardware has `$0` to `$5`");
        findings.word(Warning, "mali-pp.register", at, message);
    }
    if inst.has(Field::Sampler) && inst.sampler.index() >= SAMPLERS {
        let message = format!("sampler {} is used; there are {SAMPLERS}", inst.sampler.index());
        findings.word(Warning, "mali-pp.sampler", at, message);
    }
}

/// Bits that are always zero.
fn zeros(findings: &mut Findings<'_>, at: u32, parts: &[Part], raw: u128) {
    for part in parts.iter().filter(|part| part.name.starts_with("reserved")) {
        let value = part.get(raw);
        if value != 0 {
            let message = format!("the bits `{}` hold {value:#x}, which are always zero", part.name);
            findings.word(Warning, "mali-pp.reserved-bits", at, message);
        }
    }
}

/// Bits that are always the same.
fn reserved(findings: &mut Findings<'_>, at: u32, inst: &Inst) {
    zeros(findings, at, Control::PARTS, inst.control.0.into());
    if inst.has(Field::Varying) {
        let register = inst.varying.source().is_register();
        // Compilers leave the alignment there in the form with a register.
        let parts = if register { &VaryingRegister::PARTS[..0] } else { Varying::PARTS };
        zeros(findings, at, parts, inst.varying.0.into());
    }
    if inst.has(Field::Sampler) {
        zeros(findings, at, Sampler::PARTS, inst.sampler.0.into());
        if inst.sampler.constant() != SAMPLER_CONSTANT {
            let message = format!(
                "the last bits of the sampler are {:#x}, in all known programs {SAMPLER_CONSTANT:#x}",
                inst.sampler.constant()
            );
            findings.word(Warning, "mali-pp.sampler-constant", at, message);
        }
    }
    if inst.has(Field::Uniform) {
        zeros(findings, at, Uniform::PARTS, inst.uniform.0.into());
        if !matches!(inst.uniform.source(), 0 | TEMPORARY) {
            let message = format!("loads from memory of kind {} are not known", inst.uniform.source());
            findings.word(Warning, "mali-pp.unknown-memory", at, message);
        }
    }
    if let Some(Combine::AtanSecond(field)) = inst.combine()
        && field.unused_14() != 0
    {
        let CombineAtanSecond(raw) = field;
        let message = format!("bits 14 to 21 of the combine field are used in {raw:#x}, but mean nothing");
        findings.word(Note, "mali-pp.unused-bits", at, message);
    }
    if inst.has(Field::Store) {
        match inst.store.framebuffer_read() {
            None => {
                zeros(findings, at, Store::PARTS, inst.store.0.into());
                if inst.store.target() != 3 {
                    let message = format!("stores to memory of kind {} are not known", inst.store.target());
                    findings.word(Warning, "mali-pp.unknown-memory", at, message);
                }
            }
            Some(read) if read.unknown_10() != FRAMEBUFFER_CONSTANT => {
                let message = "the last bits of the framebuffer read are not as in known programs";
                findings.word(Warning, "mali-pp.framebuffer-constant", at, message);
            }
            Some(_) => {}
        }
    }
    if inst.has(Field::Branch) && !inst.branch.is_discard() {
        zeros(findings, at, Branch::PARTS, inst.branch.0);
    }
}

/// What the file says about the program as a whole.
fn declared(findings: &mut Findings<'_>, reach: &Reach) {
    let Some(Declared::MaliFragment { stack_size, stack_offset: _, discards, framebuffer }) =
        findings.stage.interface.declared
    else {
        return;
    };
    let any = |test: fn(&Inst) -> bool| reach.insts.values().any(test);
    let code_discards = any(Inst::discards);
    if code_discards != discards {
        let message = if code_discards {
            "the code drops pixels, but the file says that it does not"
        } else {
            "the file says that the code drops pixels, but it does not"
        };
        findings.whole(Warning, "mali-pp.declared-discard", message);
    }
    let read = |inst: &Inst| inst.has(Field::Store).then(|| inst.store.framebuffer_read()).flatten();
    let reads = |color: bool| reach.insts.values().filter_map(read).any(|read| (read.color() != 0) == color);
    // In the order of the file; the code cannot read the stencil, and says nothing of what is written but colour.
    let kinds = [
        ("colour", framebuffer[0], reads(true)),
        ("depth", framebuffer[2], reads(false)),
        ("stencil", framebuffer[4], false),
    ];
    for (what, declared, is) in kinds {
        if declared != is {
            let message = if is {
                format!("the code reads the {what} of the framebuffer, but the file says that it does not")
            } else {
                format!("the file says that the code reads the {what} of the framebuffer, but it does not")
            };
            findings.whole(Warning, "mali-pp.declared-framebuffer", message);
        }
    }
    if !framebuffer[1] && reach.insts.iter().any(|(at, inst)| Successors::of(*at, inst).stops) {
        let message = "the code gives a colour, but the file says that it writes none";
        findings.whole(Warning, "mali-pp.declared-framebuffer", message);
    }
    let temporaries = reach.temporaries();
    // The stack grows downwards from its base.
    let needed = temporaries.start.unsigned_abs().div_ceil(4).max(temporaries.end.unsigned_abs().div_ceil(4));
    let indexed = any(|inst| {
        let load = inst.has(Field::Uniform)
            && inst.uniform.source() == TEMPORARY
            && inst.uniform.offset_enable() != 0;
        let store = inst.has(Field::Store)
            && inst.store.framebuffer_read().is_none()
            && inst.store.offset_enable() != 0;
        load || store
    });
    if !indexed && needed > stack_size {
        let message =
            format!("the code uses {needed} vectors of the stack, but the file sets {stack_size} aside");
        findings.whole(Warning, "mali-pp.declared-stack", message);
    }
}
