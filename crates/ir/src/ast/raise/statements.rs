//! One function: from its structure to statements.

use super::super::{
    Binary, Expr, ExprKind, Function, GlobalRef, Link, Links, Local, LocalRef, Place, Scalar, Stmt, Type,
};
use super::calls::{Group, Signature};
use super::forms::{binary, literal, not, reinterpret, step, swizzle};
use super::homes::Home;
use super::interface::{Indexed, Interface};
use super::kinds::Kinds;
use super::operands::{Leaf, Operand};
use super::packs::{Keys, Lanes, Pack, PackId};
use super::registers::Registers;
use super::schedule::{Effect, EffectKind, Item};
use super::{Mode, RaiseError, Stats, any, declare, finite, lanes, narrow, once, repeated, sides, tidy};
use crate::ast::walk::bodies_mut;
use crate::cfg::Cfg;
use crate::quick::QuickMap;
use crate::structure::{Body, Flag, NodeId, SequenceId, Step, Structured, arm_of_slot, structure};
use crate::{Access, BlockId, FunctionId, Module, Space, Terminator, Value};
use smallvec::SmallVec;

/// A function that is made into a tree.
pub(super) struct Unit<'a> {
    pub module: &'a Module,
    pub function: &'a crate::Function,
    pub is_entry: bool,
    pub mode: Mode,
    pub cfg: Cfg,
    pub interface: &'a mut Interface,
    pub signatures: &'a [Option<Signature>],
    pub registers: &'a Registers,
    pub kinds: Kinds,
    pub leaves: Vec<Leaf>,
    pub needed: Vec<bool>,
    pub packs: Vec<Pack>,
    /// Pack and lane that compute each value.
    pub pack_of: Vec<Option<(PackId, u8)>>,
    /// Tuple that holds a value for everyone who wants it.
    pub tuple_of: Vec<Option<(PackId, u8)>>,
    /// Values whose first two operands are taken in the other order.
    pub turned: Vec<bool>,
    /// Changes where some operands are taken in the other order.
    pub arrangement: u32,
    /// Pairs of values that were held against each other, and in which arrangement.
    pub aligned: QuickMap<(Value, Value), u32>,
    pub keys: Keys,
    /// Values that count passes, in programs of shading languages: they are no components of vectors.
    pub counted: Vec<bool>,
    pub tuples: QuickMap<Lanes, PackId>,
    /// Lists of scalars that something uses as a vector, with the block of the use.
    pub lists: Vec<(BlockId, Lanes)>,
    /// What each pack takes.
    pub operand_table: Vec<SmallVec<[Operand; 3]>>,
    pub effects: Vec<Effect>,
    /// How often memory that invocations share may have changed in the block before a value was loaded from it.
    pub changes_before: QuickMap<Value, u32>,
    /// What each block does, in order.
    pub items: Vec<Vec<Item>>,
    /// Packs that are written where they are used.
    pub inline: Vec<bool>,
    pub homes: Vec<Option<Home>>,
    pub locals: Vec<Local>,
    pub links: Links,
}

impl<'a> Unit<'a> {
    pub fn new(
        module: &'a Module,
        id: FunctionId,
        mode: Mode,
        interface: &'a mut Interface,
        signatures: &'a [Option<Signature>],
        registers: &'a Registers,
    ) -> Result<Self, RaiseError> {
        let function = &module.functions[id.index()];
        let kinds = Kinds::new(registers, function, interface, signatures);
        let count = function.values.len() + 1;
        Ok(Self {
            module,
            function,
            is_entry: id == module.entry,
            mode,
            cfg: Cfg::new(function),
            interface,
            signatures,
            registers,
            kinds,
            leaves: Vec::new(),
            needed: Vec::new(),
            packs: Vec::new(),
            pack_of: vec![None; count],
            tuple_of: vec![None; count],
            turned: vec![false; count],
            arrangement: 0,
            aligned: QuickMap::default(),
            keys: Keys::new(count),
            counted: Vec::new(),
            tuples: QuickMap::default(),
            lists: Vec::new(),
            operand_table: Vec::new(),
            effects: Vec::new(),
            changes_before: QuickMap::default(),
            items: Vec::new(),
            inline: Vec::new(),
            homes: Vec::new(),
            locals: Vec::new(),
            links: Links::default(),
        })
    }

    pub fn into_signature(self) -> Signature {
        let Kinds { params, results, .. } = self.kinds;
        Signature { function: super::FunctionRef(0), params, results }
    }

    /// The function as a tree. Its locals have no names yet.
    pub fn raise(&mut self, name: String, stats: &mut Stats) -> Result<Function, RaiseError> {
        self.find_leaves();
        self.find_needed();
        // First, since which loads may be joined depends on what changes memory between them.
        self.find_effects();
        self.pack_machine_lanes();
        self.pack_matrices();
        self.group_by_use();
        if self.module.vectors_by_use {
            self.join_machine_lanes();
            self.join_followers();
            self.operand_table.clear();
            self.lists = self.find_lists();
        }
        self.order_lanes();
        self.operand_table.clear();
        self.split_comparisons();
        self.pack_tuples();
        self.order_items();
        self.place_inline();
        self.find_homes();
        let structured = structure(self.function);
        stats.dispatchers += structured.stats.dispatchers;
        stats.duplicated_blocks += structured.stats.duplicated_blocks;
        stats.flags += structured.stats.flags;
        let params: Vec<LocalRef> = self
            .function_params()
            .iter()
            .filter_map(|pack| self.homes[pack.index()].as_ref().map(|home| home.local))
            .collect();
        let mut writer = Writer::new(self, &structured);
        let mut body = writer.sequence(SequenceId(0));
        let float_counters = self.module.from_shading_language && self.mode == Mode::Readable;
        sides::run(&mut body, &|global| {
            self.interface
                .globals()
                .get(global.0 as usize)
                .is_some_and(|global| global.space == Space::Uniform)
        });
        finite::run(&mut body);
        any::run(&mut body);
        tidy::run(&mut body, &mut self.locals, self.mode, float_counters);
        lanes::run(&mut body, &mut self.links, &|global| self.interface.components(global));
        let hoist = structured.stats.dispatchers > 0;
        declare::run(&mut body, &mut self.locals, params.len(), hoist);
        narrow::run(&mut body, &mut self.locals);
        let spaces: Vec<Space> = self.interface.globals().iter().map(|global| global.space).collect();
        repeated::run(&mut body, self.locals.len(), &spaces, &mut self.links);
        if self.mode == Mode::Readable {
            once::run(&mut body, self.locals.len(), &mut self.links);
        }
        let results =
            if self.is_entry { Vec::new() } else { self.kinds.results.iter().map(Group::ty).collect() };
        let (locals, links) = (std::mem::take(&mut self.locals), std::mem::take(&mut self.links));
        Ok(Function { name, params, results, locals, body, links })
    }

    fn new_local(&mut self, ty: Type) -> LocalRef {
        self.locals.push(Local { name: String::new(), ty });
        LocalRef(self.locals.len() as u32 - 1)
    }

    /// A link with more machine instructions.
    pub(super) fn link(&mut self, link: Link, instructions: impl IntoIterator<Item = u32>) -> Link {
        self.links.with(link, instructions)
    }

    fn read(&self, local: LocalRef) -> Expr {
        Expr::new(self.locals[local.0 as usize].ty, ExprKind::Local(local))
    }

    /// Packs that a call fills.
    pub(super) fn call_results(&self, effect: &Effect) -> Vec<PackId> {
        if let EffectKind::Act(inst) = &effect.kind {
            let results = self.function.insts[inst.index()].results.first();
            let pack = results.and_then(|value| self.pack_of[value.index()]);
            return pack.map(|(pack, _)| pack).into_iter().collect();
        }
        let EffectKind::Call { inst, callee } = &effect.kind else { return Vec::new() };
        let results = &self.function.insts[inst.index()].results;
        let groups = self.signatures[callee.index()].as_ref().map_or(&[][..], |found| &found.results);
        let first = groups.iter().filter_map(|group| results.get(*group.members.first()?));
        first.filter_map(|value| self.pack_of[value.index()].map(|(pack, _)| pack)).collect()
    }

    /// The place of some lanes of a pack.
    fn place(&self, pack: PackId, lanes: &[u8]) -> Option<Place> {
        let home = self.homes[pack.index()].as_ref()?;
        let components: Vec<u8> = lanes.iter().map(|lane| home.components[usize::from(*lane)]).collect();
        let width = self.locals[home.local.0 as usize].ty.components;
        let whole = components.len() == usize::from(width) && components.iter().copied().eq(0..width);
        Some(Place::Local(home.local, if whole { Vec::new() } else { components }))
    }

    /// Statements of a block, without its way out.
    fn block(&mut self, block: BlockId) -> Vec<Stmt> {
        let items = self.items[block.index()].clone();
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Pack(id) => {
                    let lanes: Vec<u8> = (0..self.pack(id).lanes.len() as u8).collect();
                    if !self.inline[id.index()]
                        && let Some(place) = self.place(id, &lanes)
                    {
                        out.push(Stmt::Assign(place, self.expression(id)));
                    }
                }
                Item::Effect(effect) => {
                    let effect = self.effects[effect as usize].clone();
                    let first = out.len();
                    self.effect(&effect, &mut out);
                    self.link_statements(&mut out[first..], &effect.instructions);
                }
            }
        }
        out
    }

    /// Says of statements which machine instructions have their effect.
    fn link_statements(&mut self, statements: &mut [Stmt], instructions: &[u32]) {
        for stmt in statements {
            let inside = bodies_mut(stmt);
            for body in inside {
                self.link_statements(body, instructions);
            }
            let link = match stmt {
                Stmt::Assign(_, value) => &mut value.link,
                Stmt::If { condition, .. } => &mut condition.link,
                Stmt::Call { link, .. } | Stmt::EmitVertex(_, link) | Stmt::EndPrimitive(_, link) => link,
                _ => continue,
            };
            *link = self.links.with(*link, instructions.iter().copied());
        }
    }

    fn effect(&mut self, effect: &Effect, out: &mut Vec<Stmt>) {
        match &effect.kind {
            EffectKind::Store { global, element, components, values } => {
                let scalar = self.interface.scalar(*global);
                let width = self.interface.components(*global);
                self.interface.use_global(*global);
                let value = self.gather(values, scalar);
                let whole = components.len() == usize::from(width);
                let components = if whole { Vec::new() } else { components.clone() };
                let index = element.map(|element| Box::new(literal(Scalar::Int, &[element.into()])));
                out.push(Stmt::Assign(Place::Global(GlobalRef(*global), index, components), value));
            }
            EffectKind::StoreIndexed { access, index, value } => {
                self.store_indexed(*access, *index, *value, out);
            }
            EffectKind::StoreArray { access, index, value } => {
                let word = self.word_index(*access, *index);
                let value = self.gather(&[*value], self.interface.array(access.binding));
                let store = Stmt::Assign(Place::Array(access.binding, Box::new(word.clone())), value);
                let words = self.module.arrays.get(access.binding as usize).map_or(0, |array| array.words);
                if let ExprKind::Literal(bits) = &word.kind {
                    // No language takes a constant index that is not in the array; nothing would be stored.
                    if bits[0] < words.into() {
                        out.push(store);
                    }
                } else if self.mode == Mode::Strict {
                    let inside = binary(
                        Binary::Lt,
                        reinterpret(Scalar::Uint, word),
                        literal(Scalar::Uint, &[words.into()]),
                    );
                    out.push(Stmt::If { condition: inside, then: vec![store], otherwise: Vec::new() });
                } else {
                    out.push(store);
                }
            }
            EffectKind::StoreWords { access, index, components, values } => {
                let Some(element) = self.interface.element(*access) else { return };
                let kind = self.interface.memories[element.memory as usize].scalar;
                let index = self.element_index(element, *index);
                let value = self.gather(values, kind);
                let whole = components.len() == usize::from(element.components);
                let components = if whole { Vec::new() } else { components.clone() };
                out.push(Stmt::Assign(Place::Word(element.memory, Box::new(index), components), value));
            }
            EffectKind::Call { inst, callee } => {
                let Some(signature) = &self.signatures[callee.index()] else { return };
                let args = &self.function.insts[inst.index()].args;
                let groups: Vec<(Lanes, Scalar)> = signature
                    .params
                    .iter()
                    .map(|group| (group.members.iter().map(|at| args[*at]).collect(), group.kind))
                    .collect();
                let args = groups.iter().map(|(values, kind)| self.gather(values, *kind)).collect();
                let results = self
                    .call_results(effect)
                    .into_iter()
                    .map(|pack| {
                        let lanes: Vec<u8> = (0..self.pack(pack).lanes.len() as u8).collect();
                        self.place(pack, &lanes)
                    })
                    .collect();
                out.push(Stmt::Call { function: signature.function, args, results, link: Link::NONE });
            }
            EffectKind::Act(inst) => {
                let result = self.call_results(effect).first().copied();
                let place = result.and_then(|pack| self.place(pack, &[0]));
                self.act(*inst, place, out);
            }
            EffectKind::EmitVertex(stream) => out.push(Stmt::EmitVertex(*stream, Link::NONE)),
            EffectKind::EndPrimitive(stream) => out.push(Stmt::EndPrimitive(*stream, Link::NONE)),
        }
    }

    fn store_indexed(&mut self, access: Access, index: Value, value: Value, out: &mut Vec<Stmt>) {
        let index = self.gather(&[index], Scalar::Int);
        let Some(found) = self.interface.indexed(access) else { return };
        let (Indexed::Elements { global, .. } | Indexed::Words { global, .. }) = found;
        self.interface.use_global(global);
        let value = self.gather(&[value], self.interface.scalar(global));
        match found {
            Indexed::Elements { global, first, component, steps } => {
                let whole = self.interface.components(global) == 1;
                let components = if whole { Vec::new() } else { vec![component] };
                let index = Some(Box::new(step(index, steps, first)));
                let place = Place::Global(GlobalRef(global), index, components);
                out.push(Stmt::Assign(place, value));
            }
            Indexed::Words { global, offset } => {
                let word = step(index, access.stride, offset);
                let element = binary(Binary::ShiftRight, word.clone(), literal(Scalar::Int, &[2]));
                let store = |component: u32| {
                    let index = Some(Box::new(element.clone()));
                    let place = Place::Global(GlobalRef(global), index, vec![component as u8]);
                    Stmt::Assign(place, value.clone())
                };
                if access.stride.is_multiple_of(4) {
                    out.push(store(offset % 4));
                    return;
                }
                let which = |at: u32| {
                    let low = binary(Binary::BitAnd, word.clone(), literal(Scalar::Int, &[3]));
                    binary(Binary::Eq, low, literal(Scalar::Int, &[at.into()]))
                };
                let mut stmt = store(3);
                for at in (0..3).rev() {
                    stmt = Stmt::If { condition: which(at), then: vec![store(at)], otherwise: vec![stmt] };
                }
                out.push(stmt);
            }
        }
    }
}

/// Writes the statements of a structured function.
struct Writer<'u, 'a, 's> {
    unit: &'u mut Unit<'a>,
    structured: &'s Structured,
    flags: Vec<LocalRef>,
    states: Vec<LocalRef>,
}

impl<'u, 'a, 's> Writer<'u, 'a, 's> {
    fn new(unit: &'u mut Unit<'a>, structured: &'s Structured) -> Self {
        let truth = Type { scalar: Scalar::Bool, components: 1 };
        let number = Type { scalar: Scalar::Int, components: 1 };
        let flags = (0..structured.stats.flags).map(|_| unit.new_local(truth)).collect();
        let states = (0..structured.stats.dispatchers).map(|_| unit.new_local(number)).collect();
        Self { unit, structured, flags, states }
    }

    /// Recursion is bounded by [`crate::structure::MAX_NESTING`].
    fn sequence(&mut self, at: SequenceId) -> Vec<Stmt> {
        let structured = self.structured;
        let mut out = Vec::new();
        for step in structured.steps(at) {
            match step {
                Step::Code(node) => match structured.graph.node(*node).body {
                    Body::Block(block) => out.append(&mut self.unit.block(block)),
                    Body::Set { dispatcher, state } => {
                        let place = Place::Local(self.states[dispatcher as usize], Vec::new());
                        out.push(Stmt::Assign(place, literal(Scalar::Int, &[state.into()])));
                    }
                    Body::Dispatch { .. } => {}
                },
                Step::Edge { node, arm } => self.edge(*node, *arm, &mut out),
                Step::Branch { node, then, otherwise } => {
                    let condition = self.condition(*node);
                    let condition = self.decided(*node, condition);
                    let then = self.sequence(*then);
                    let otherwise = self.sequence(*otherwise);
                    out.push(Stmt::If { condition, then, otherwise });
                }
                Step::Switch { node, arms } => {
                    let stmt = self.switch(*node, arms);
                    out.push(stmt);
                }
                Step::Loop { body, .. } => {
                    let body = self.sequence(*body);
                    out.push(Stmt::Loop(body));
                }
                Step::Leave(node) => self.leave(*node, &mut out),
                Step::Break => out.push(Stmt::Break),
                Step::Continue => out.push(Stmt::Continue),
                Step::SetFlag(Flag(flag), value) => {
                    let place = Place::Local(self.flags[*flag as usize], Vec::new());
                    out.push(Stmt::Assign(place, literal(Scalar::Bool, &[u64::from(*value)])));
                }
                Step::IfFlag(Flag(flag), value, inner) => {
                    let flag = self.unit.read(self.flags[*flag as usize]);
                    let condition = if *value { flag } else { not(flag) };
                    let then = self.sequence(*inner);
                    out.push(Stmt::If { condition, then, otherwise: Vec::new() });
                }
                // Gone after `structure::exits`.
                Step::Label { .. } | Step::Exit(_) | Step::Again(_) => {}
            }
        }
        out
    }

    fn terminator(&self, node: NodeId) -> Option<&'a Terminator> {
        match self.structured.graph.node(node).body {
            Body::Block(block) => Some(&self.unit.function.blocks[block.index()].terminator),
            _ => None,
        }
    }

    /// The machine instruction that a node's way out comes from.
    fn exit(&self, node: NodeId) -> Option<u32> {
        match self.structured.graph.node(node).body {
            Body::Block(block) => Some(self.unit.function.blocks[block.index()].exit),
            _ => None,
        }
    }

    /// What is asked at a node comes from the instruction that goes one way or another, too.
    fn decided(&mut self, node: NodeId, asked: Expr) -> Expr {
        let link = self.unit.link(asked.link, self.exit(node));
        Expr { link, ..asked }
    }

    /// True where the first arm of the node is taken.
    fn condition(&mut self, node: NodeId) -> Expr {
        let arms = &self.structured.graph.node(node).arms;
        match self.terminator(node) {
            Some(Terminator::Branch { condition, .. }) => self.unit.gather(&[*condition], Scalar::Bool),
            Some(terminator @ Terminator::Switch { value, cases, .. }) => {
                let taken = arm_of_slot(terminator, arms);
                // The arm without the default is named by its values.
                let default = taken.last().copied().unwrap_or(0);
                let named = cases.iter().zip(&taken).filter(|(_, arm)| **arm != default);
                let kind = self.selector_kind(*value);
                let mut any: Option<Expr> = None;
                for ((case, _), _) in named {
                    let value = self.unit.gather(&[*value], kind);
                    let equal = binary(Binary::Eq, value, literal(kind, &[u64::from(*case)]));
                    any = Some(match any {
                        Some(any) => binary(Binary::LogicalOr, any, equal),
                        None => equal,
                    });
                }
                let any = any.unwrap_or_else(|| literal(Scalar::Bool, &[0]));
                if default == 0 { not(any) } else { any }
            }
            _ => literal(Scalar::Bool, &[1]),
        }
    }

    fn selector_kind(&self, value: Value) -> Scalar {
        match self.unit.kinds.of(value) {
            Scalar::Uint => Scalar::Uint,
            _ => Scalar::Int,
        }
    }

    fn switch(&mut self, node: NodeId, sequences: &[SequenceId]) -> Stmt {
        let arms = &self.structured.graph.node(node).arms;
        let mut bodies: Vec<Vec<Stmt>> = sequences.iter().map(|at| self.sequence(*at)).collect();
        if let Some(terminator @ Terminator::Switch { value, cases, .. }) = self.terminator(node) {
            let taken = arm_of_slot(terminator, arms);
            let kind = self.selector_kind(*value);
            let value = self.unit.gather(&[*value], kind);
            let value = self.decided(node, value);
            let default = taken.last().copied().unwrap_or(0);
            let mut selectors: Vec<Vec<u32>> = vec![Vec::new(); arms.len()];
            for ((case, _), arm) in cases.iter().zip(&taken) {
                selectors[*arm as usize].push(*case);
            }
            let default_body = std::mem::take(&mut bodies[default as usize]);
            let cases = selectors
                .into_iter()
                .zip(bodies)
                .enumerate()
                .filter(|(arm, _)| *arm != default as usize)
                .map(|(_, case)| case)
                .collect();
            return Stmt::Switch { value, cases, default: default_body };
        }
        let state = match self.structured.graph.node(node).body {
            Body::Dispatch { dispatcher } => self.states[dispatcher as usize],
            _ => LocalRef(0),
        };
        let default = bodies.pop().unwrap_or_default();
        let cases = bodies.into_iter().enumerate().map(|(state, body)| (vec![state as u32], body)).collect();
        Stmt::Switch { value: self.unit.read(state), cases, default }
    }

    fn leave(&mut self, node: NodeId, out: &mut Vec<Stmt>) {
        let is_entry = self.unit.is_entry;
        let groups = self.unit.kinds.results.clone();
        match self.terminator(node) {
            Some(Terminator::Return(values)) if !is_entry => {
                let values = groups
                    .iter()
                    .map(|group| {
                        let list: Lanes = group.members.iter().map(|at| values[*at]).collect();
                        self.unit.gather(&list, group.kind)
                    })
                    .collect();
                out.push(Stmt::Return(values));
            }
            Some(Terminator::Discard) => {
                let link = self.unit.link(Link::NONE, self.exit(node));
                out.push(Stmt::Discard(link));
            }
            _ if is_entry => out.push(Stmt::Return(Vec::new())),
            _ => {
                let zero = |group: &Group| literal(group.kind, &vec![0; group.members.len()]);
                out.push(Stmt::Return(groups.iter().map(zero).collect()));
            }
        }
    }

    /// Parameters take what an edge passes along, all at once.
    fn edge(&mut self, node: NodeId, arm: u32, out: &mut Vec<Stmt>) {
        let Some(terminator) = self.terminator(node) else { return };
        let slot = self.structured.graph.node(node).arms[arm as usize].slot;
        let Some(target) = terminator.targets().nth(slot as usize) else { return };
        let mut moves: Vec<(Place, Expr)> = Vec::new();
        for (params, list) in self.unit.target_lists(target) {
            let Some(home) = self.unit.homes[params.index()].clone() else { continue };
            // A list that is a tuple is read from there, however few of its lanes are left.
            let tuple = self.unit.tuple_for(&list);
            let stays = |lane: usize, unit: &Unit<'_>| {
                let value = list[lane];
                let (pack, at) = match tuple {
                    Some((_, true)) => return false,
                    Some((tuple, false)) => (tuple, lane as u8),
                    None if matches!(unit.leaves[value.index()], Leaf::Pack) => unit.home_of(value, None),
                    None => return false,
                };
                unit.homes[pack.index()].as_ref().is_some_and(|from| {
                    from.local == home.local && from.components[usize::from(at)] == home.components[lane]
                })
            };
            let lanes: Vec<u8> =
                (0..list.len() as u8).filter(|lane| !stays(usize::from(*lane), self.unit)).collect();
            let Some(place) = self.unit.place(params, &lanes).filter(|_| !lanes.is_empty()) else { continue };
            let kind = self.unit.pack(params).kind;
            let value = if tuple.is_some() {
                swizzle(self.unit.gather(&list, kind), &lanes)
            } else {
                let values: Lanes = lanes.iter().map(|lane| list[usize::from(*lane)]).collect();
                self.unit.gather(&values, kind)
            };
            moves.push((place, value));
        }
        self.all_at_once(moves, out);
    }

    /// Orders assignments so that none overwrites what a later one reads; where they read each other in a
    /// circle, a copy is made first.
    fn all_at_once(&mut self, mut moves: Vec<(Place, Expr)>, out: &mut Vec<Stmt>) {
        let writes = |place: &Place, local: LocalRef, mask: u8| match place {
            Place::Local(to, components) if *to == local => {
                components.is_empty() || components.iter().any(|at| mask >> at & 1 == 1)
            }
            _ => false,
        };
        while !moves.is_empty() {
            let reads: Vec<Vec<(LocalRef, u8)>> = moves.iter().map(|(_, expr)| tidy::reads(expr)).collect();
            let free = (0..moves.len()).find(|at| {
                let (place, _) = &moves[*at];
                reads.iter().enumerate().all(|(other, reads)| {
                    other == *at || !reads.iter().any(|(local, mask)| writes(place, *local, *mask))
                })
            });
            match free {
                Some(at) => {
                    let (place, expr) = moves.remove(at);
                    out.push(Stmt::Assign(place, expr));
                }
                None => {
                    // One that reads what another writes; after its copy it reads nothing of the kind.
                    let blocks = |at: &usize| {
                        moves.iter().enumerate().any(|(other, (place, _))| {
                            other != *at
                                && reads[*at].iter().any(|(local, mask)| writes(place, *local, *mask))
                        })
                    };
                    let chosen = (0..moves.len()).find(blocks).unwrap_or(0);
                    let (_, expr) = &mut moves[chosen];
                    let copy = self.unit.new_local(expr.ty);
                    let read = self.unit.read(copy);
                    let expr = std::mem::replace(expr, read);
                    out.push(Stmt::Assign(Place::Local(copy, Vec::new()), expr));
                }
            }
        }
    }
}
