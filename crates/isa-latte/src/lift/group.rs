//! Groups of arithmetic instructions. All sources are read before anything is written, as the units do.

use super::super::bindings::{CONSTANT_BUFFER_BINDING, CONSTANT_FILE_BINDING};
use super::super::fields::CfAlu;
use super::super::semantics::alu::{Arithmetic, Sign, modify, reduce, scalar, source};
use super::super::table::{Domain, Effect, Units};
use super::super::{Alu, AluOp, Group, Operand, Source, Unit};
use super::registers::Register;
use super::write::{Step, Writer};
use unshade_ir::{CompareInt, Op, Space, Value};

/// What passes from group to group of a clause.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Links {
    /// Results of the group before, by unit; none: zero.
    previous: [Option<Value>; 5],
    /// The address register; none: zero.
    address: [Option<Value>; 4],
}

/// What a group decides.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Decided {
    /// The new mask of active pixels.
    pub(super) mask: Option<Value>,
    /// The pixel is dropped.
    pub(super) kill: Option<Value>,
}

/// One instruction of a group, evaluated.
struct Done {
    inst: Alu,
    unit: Unit,
    value: Option<Value>,
    sign: Sign<Value>,
    address: bool,
    /// Whether it is done at all; none: always.
    holds: Option<Value>,
    /// What is added to the number of its register.
    index: Option<Value>,
}

/// Writes a group. `index`: the loop index, if a loop is open that has one.
pub(super) fn write(
    w: &mut Writer<'_>,
    clause: CfAlu,
    group: &Group,
    links: &mut Links,
    loop_index: Option<u8>,
) -> Decided {
    w.address = group.address;
    let reading = Reading { clause, group, links: *links, loop_index };
    let mut reduced: Option<[Value; 4]> = None;
    let mut done = Vec::with_capacity(5);
    for (unit, inst) in group.insts() {
        done.push(reading.instruction(w, unit, inst, &mut reduced));
    }
    let mut decided = Decided::default();
    let mut after = Links { previous: [None; 5], address: links.address };
    for one in &done {
        let Some(value) = one.value else { continue };
        after.previous[one.unit as usize] = Some(value);
        let lane = one.inst.dst_chan();
        w.at(Step::Flow, lane);
        match one.sign {
            Sign::None => {}
            Sign::Kill(condition) => {
                let condition = match one.holds {
                    Some(holds) => w.join(Op::And, holds, condition),
                    None => condition,
                };
                decided.kill = Some(match decided.kill {
                    Some(other) => w.join(Op::Or, other, condition),
                    None => condition,
                });
            }
            Sign::Predicate(condition) => {
                if one.inst.updates_predicate() {
                    let value = kept(w, Register::Predicate, condition, one.holds);
                    w.write(Register::Predicate, value);
                }
                if one.inst.updates_mask() {
                    decided.mask = Some(match one.holds {
                        Some(holds) => {
                            let before = match decided.mask {
                                Some(mask) => mask,
                                None => w.truth(true),
                            };
                            w.select(holds, condition, before)
                        }
                        None => condition,
                    });
                }
            }
        }
        if one.address {
            after.address[lane as usize] = Some(match one.holds {
                Some(holds) => {
                    let before = match after.address[lane as usize] {
                        Some(before) => before,
                        None => w.bits(0),
                    };
                    w.select(holds, value, before)
                }
                None => value,
            });
        }
        if one.inst.writes() && one.inst.op() != Some(AluOp::Nop) {
            store(w, one, value);
        }
    }
    *links = after;
    decided
}

/// `value`, or what the register held before where the instruction is not done.
fn kept(w: &mut Writer<'_>, register: Register, value: Value, holds: Option<Value>) -> Value {
    let Some(holds) = holds else { return value };
    let before = w.read(register);
    w.select(holds, value, before)
}

/// Where the sources of a group come from.
struct Reading<'a> {
    clause: CfAlu,
    group: &'a Group,
    links: Links,
    loop_index: Option<u8>,
}

impl Reading<'_> {
    fn instruction(
        &self,
        w: &mut Writer<'_>,
        unit: Unit,
        inst: Alu,
        reduced: &mut Option<[Value; 4]>,
    ) -> Done {
        w.at(Step::Flow, inst.dst_chan());
        let index = if inst.op2().dst_rel() != 0 { self.index(w, inst) } else { None };
        let holds = predicate(w, inst);
        let mut done = Done { inst, unit, value: None, sign: Sign::None, address: false, holds, index };
        let Some(op) = inst.op() else { return done };
        let info = op.info();
        if info.units == Units::Pair {
            w.refuse(format!("{}, which computes with 64-bit floats", op.name()));
            return done;
        }
        let value = if info.units == Units::All {
            let values = match *reduced {
                Some(values) => Some(values),
                None => {
                    let sources = self.vector_sources(w, inst);
                    w.at_all();
                    reduce(w, op, sources)
                }
            };
            *reduced = values;
            values.and_then(|values| values.get(unit as usize).copied())
        } else {
            let mut sources = [None; 3];
            for (n, place) in sources.iter_mut().enumerate().take(info.sources.into()) {
                *place = Some(self.source(w, inst, n));
            }
            w.at(Step::Result, inst.dst_chan());
            let unused = match sources[0] {
                Some(value) => value,
                None => w.bits(0),
            };
            scalar(w, op, sources.map(|source| source.unwrap_or(unused))).map(|outcome| {
                done.sign = outcome.sign;
                outcome.value
            })
        };
        done.address = info.effect == Effect::Address;
        done.value = value.map(|value| {
            let clamp = inst.op2().clamp() != 0;
            modify(w, info.domain, inst.omod(), clamp, w.latte.dx10_clamp, value)
        });
        done
    }

    /// The first two sources of the four vector units.
    fn vector_sources(&self, w: &mut Writer<'_>, inst: Alu) -> [[Value; 2]; 4] {
        [Unit::X, Unit::Y, Unit::Z, Unit::W].map(|unit| {
            let inst = self.group.on(unit).unwrap_or(inst);
            [self.source(w, inst, 0), self.source(w, inst, 1)]
        })
    }

    /// A source with its modifiers.
    fn source(&self, w: &mut Writer<'_>, inst: Alu, n: usize) -> Value {
        let operand = inst.operand(n);
        w.at(Step::Source(n as u8), inst.dst_chan());
        let value = self.operand(w, inst, operand);
        if !reads_integer(inst, n) {
            return source(w, operand.absolute, operand.negate, value);
        }
        // Signs of integers are bits; as floats, those of NaN would be nobody's.
        let mut value = value;
        if operand.absolute {
            let rest = w.bits(u32::MAX >> 1);
            value = w.apply(Op::And, &[value, rest]);
        }
        if operand.negate {
            let sign = w.bits(1 << 31);
            value = w.apply(Op::Xor, &[value, sign]);
        }
        value
    }

    fn operand(&self, w: &mut Writer<'_>, inst: Alu, operand: Operand) -> Value {
        let lane = operand.channel;
        let index = if operand.relative { self.index(w, inst) } else { None };
        match operand.source {
            Source::Gpr(n) => match index {
                Some(index) => w.read_at(n, lane, index),
                None => w.read(Register::Gpr(n, lane)),
            },
            Source::Kcache(set, number) => self.cached(w, set, number, lane, index),
            Source::Constant(n) => {
                let word = 4 * u32::from(n) + u32::from(lane);
                match index {
                    Some(index) => w.load_at(Space::Uniform, CONSTANT_FILE_BINDING, word, 4, index),
                    None => w.load(Space::Uniform, CONSTANT_FILE_BINDING, word),
                }
            }
            Source::Zero => w.bits(0),
            Source::One => w.float(1.0),
            Source::IntOne => w.bits(1),
            Source::IntMinusOne => w.bits(u32::MAX),
            Source::Half => w.float(0.5),
            Source::Literal => w.bits(self.group.literals[usize::from(lane & 3)]),
            Source::PreviousVector => self.previous(w, usize::from(lane & 3)),
            Source::PreviousScalar => self.previous(w, 4),
            Source::Other(_) => w.bits(0),
        }
    }

    fn previous(&self, w: &mut Writer<'_>, unit: usize) -> Value {
        match self.links.previous[unit] {
            Some(value) => value,
            None => w.bits(0),
        }
    }

    /// A vector of the lines of constants that the clause holds; zero outside of them.
    fn cached(&self, w: &mut Writer<'_>, set: u8, number: u8, lane: u8, index: Option<Value>) -> Value {
        let clause = self.clause;
        let (bank, mode, line) = if set == 0 {
            (clause.kcache_bank0(), clause.kcache_mode0(), clause.kcache_addr0())
        } else {
            (clause.kcache_bank1(), clause.kcache_mode1(), clause.kcache_addr1())
        };
        let binding = CONSTANT_BUFFER_BINDING + bank;
        let count = match mode {
            0 => return w.bits(0),
            1 => 16,
            _ => 32,
        };
        let number = u32::from(number);
        let start = 64 * line + u32::from(lane);
        // Lines that are counted from the loop index.
        let moved = match self.loop_index {
            Some(slot) if mode == 3 => {
                let index = w.read(Register::Index(slot));
                let four = w.bits(4);
                Some(w.apply(Op::Shl, &[index, four]))
            }
            _ => None,
        };
        let Some(index) = index else {
            if number >= count {
                return w.bits(0);
            }
            return match moved {
                Some(moved) => w.load_at(Space::Uniform, binding, start + 4 * number, 4, moved),
                None => w.load(Space::Uniform, binding, start + 4 * number),
            };
        };
        let number = w.bits(number);
        let vector = w.apply(Op::IAdd, &[index, number]);
        let place = match moved {
            Some(moved) => w.apply(Op::IAdd, &[vector, moved]),
            None => vector,
        };
        let value = w.load_at(Space::Uniform, binding, start, 4, place);
        let (count, zero) = (w.bits(count), w.bits(0));
        let inside = w.test(Op::ICompare(CompareInt::Ult), &[vector, count]);
        w.select(inside, value, zero)
    }

    /// What is added to the number of a relative source or destination; none: nothing.
    fn index(&self, w: &mut Writer<'_>, inst: Alu) -> Option<Value> {
        match inst.op2().index_mode() {
            lane @ 0..=3 => self.links.address[lane as usize],
            4 => self.loop_index.map(|slot| w.read(Register::Index(slot))),
            _ => None,
        }
    }
}

/// Whether an operation reads that source as an integer.
fn reads_integer(inst: Alu, n: usize) -> bool {
    let Some(op) = inst.op() else { return false };
    // Conditional moves only test the first.
    let moves = matches!(op, AluOp::CndEInt | AluOp::CndGtInt | AluOp::CndGeInt);
    matches!(op.info().domain, Domain::Int | Domain::IntToFloat) && !(moves && n > 0)
}

/// Whether the instruction is done at all; none: always.
fn predicate(w: &mut Writer<'_>, inst: Alu) -> Option<Value> {
    match inst.op2().pred_sel() {
        2 => {
            let predicate = w.read(Register::Predicate);
            Some(w.apply(Op::Not, &[predicate]))
        }
        3 => Some(w.read(Register::Predicate)),
        _ => None,
    }
}

/// Writes a result to its register.
fn store(w: &mut Writer<'_>, done: &Done, value: Value) {
    let (n, lane) = (done.inst.dst_gpr() as u8, done.inst.dst_chan() as u8);
    let Some(index) = done.index else {
        let register = Register::Gpr(n, lane);
        let value = kept(w, register, value, done.holds);
        return w.write(register, value);
    };
    let value = match done.holds {
        Some(holds) => {
            let before = w.read_at(n, lane, index);
            w.select(holds, value, before)
        }
        None => value,
    };
    w.write_at(n, lane, index, value);
}
