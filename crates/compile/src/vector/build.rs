//! Makes programs: equal values are made once, constants are computed, and operations fall apart into lanes where that
//! needs fewer instructions than to bring their operands into one register.

use super::{
    Id, Item, Lane, Lanes, Loop, Node, Op, Procedure, Program, Relation, Span, Table, fold, known::Simpler,
};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;

/// Lanes that one operation does together.
type Group = SmallVec<[usize; 4]>;

type Key = (Op, u8, SmallVec<[Lanes; 3]>);

/// A place to come back to: see [`Builder::mark`].
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    nodes: usize,
    items: usize,
    known: usize,
    loops: usize,
    tables: usize,
    procedures: usize,
    calls: usize,
    depth: usize,
}

/// What the open blocks know, put aside while a procedure is made.
#[derive(Debug, Default)]
pub struct Aside {
    blocks: Vec<Vec<Item>>,
    known: HashMap<Key, Id>,
    order: Vec<Key>,
    opened: Vec<usize>,
    assumed: Vec<(Relation, Lane, Lane, bool)>,
}

/// A program that is being made.
#[derive(Debug)]
pub struct Builder {
    /// What there is so far; the body stays empty until [`Builder::finish`].
    pub program: Program,
    /// Open blocks, the innermost last.
    blocks: Vec<Vec<Item>>,
    /// Values that an operation of the open blocks may be replaced by.
    known: HashMap<Key, Id>,
    /// Keys of `known` in the order in which they came, so that they can go.
    order: Vec<Key>,
    /// How many of them were there when each open block was opened.
    opened: Vec<usize>,
    /// Truth of comparisons that is known without computing them.
    pub(super) assumed: Vec<(Relation, Lane, Lane, bool)>,
    /// The procedure of each call, in the order in which they came.
    calls: Vec<u32>,
    /// Place in the source of what comes next.
    pub span: Span,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            program: Program::default(),
            blocks: vec![Vec::new()],
            known: HashMap::new(),
            order: Vec::new(),
            opened: Vec::new(),
            assumed: Vec::new(),
            calls: Vec::new(),
            span: Span::default(),
        }
    }
}

impl Builder {
    /// Opens a block: what is made from here on belongs to it.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
        self.opened.push(self.order.len());
    }

    /// Closes the innermost block. What was made in it is not known outside.
    pub fn close(&mut self) -> Vec<Item> {
        let kept = self.opened.pop().unwrap_or(0);
        for key in self.order.drain(kept.min(self.order.len())..) {
            self.known.remove(&key);
        }
        self.blocks.pop().unwrap_or_default()
    }

    /// Where the program stands, to come back to with [`Builder::rewind`] as long as the block is open.
    pub fn mark(&self) -> Mark {
        Mark {
            nodes: self.program.nodes.len(),
            items: self.blocks.last().map_or(0, Vec::len),
            known: self.order.len(),
            loops: self.program.loops.len(),
            tables: self.program.tables.len(),
            procedures: self.program.procedures.len(),
            calls: self.calls.len(),
            depth: self.blocks.len(),
        }
    }

    /// Forgets everything made since the mark.
    pub fn rewind(&mut self, mark: Mark) {
        self.blocks.truncate(mark.depth);
        self.opened.truncate(mark.depth.saturating_sub(1));
        if let Some(block) = self.blocks.last_mut() {
            block.truncate(mark.items);
        }
        for key in self.order.drain(mark.known.min(self.order.len())..) {
            self.known.remove(&key);
        }
        for procedure in self.calls.drain(mark.calls.min(self.calls.len())..) {
            let Some(procedure) = self.program.procedures.get_mut(procedure as usize) else { continue };
            procedure.calls = procedure.calls.saturating_sub(1);
            for id in &procedure.parameters {
                if let Some(node) = self.program.nodes.get_mut(id.index()) {
                    node.arguments.truncate(procedure.calls as usize);
                }
            }
        }
        self.program.procedures.truncate(mark.procedures);
        self.program.nodes.truncate(mark.nodes);
        self.program.loops.truncate(mark.loops);
        self.program.tables.truncate(mark.tables);
    }

    /// Starts something that knows nothing of what is open: a procedure.
    pub fn put_aside(&mut self) -> Aside {
        Aside {
            blocks: std::mem::replace(&mut self.blocks, vec![Vec::new()]),
            known: std::mem::take(&mut self.known),
            order: std::mem::take(&mut self.order),
            opened: std::mem::take(&mut self.opened),
            assumed: std::mem::take(&mut self.assumed),
        }
    }

    /// Goes on with what was put aside; what has been made meanwhile.
    pub fn take_back(&mut self, aside: Aside) -> Vec<Item> {
        let made = self.blocks.pop().unwrap_or_default();
        (self.blocks, self.known, self.order) = (aside.blocks, aside.known, aside.order);
        (self.opened, self.assumed) = (aside.opened, aside.assumed);
        made
    }

    /// Adds a procedure. What it calls has been added before.
    pub fn add_procedure(&mut self, procedure: Procedure) -> u32 {
        self.program.procedures.push(procedure);
        u32::try_from(self.program.procedures.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Calls a procedure with an operand for each of its parameters; its results.
    pub fn call(&mut self, procedure: u32, operands: Vec<Lanes>) -> Vec<Id> {
        let Some(of) = self.program.procedures.get_mut(procedure as usize) else { return Vec::new() };
        let call = of.calls;
        of.calls += 1;
        self.calls.push(procedure);
        for (id, lanes) in of.parameters.iter().zip(operands) {
            if let Some(node) = self.program.nodes.get_mut(id.index()) {
                node.arguments.push(lanes);
            }
        }
        let inner = of.results.clone();
        let results: Vec<Id> = inner
            .into_iter()
            .map(|id| {
                let width = self.program.node(id).width;
                self.append(Op::Returned, width, smallvec![all(id, width)])
            })
            .collect();
        self.push(Item::Call { procedure, call, results: results.clone(), span: self.span });
        results
    }

    /// Values made since a mark that are computed.
    pub fn made_since(&self, mark: Mark) -> usize {
        let new = self.program.nodes.get(mark.nodes..).unwrap_or_default();
        new.iter().filter(|node| !node.op.is_read_only()).count()
    }

    /// Ends the program.
    pub fn finish(mut self) -> Program {
        self.program.body = self.blocks.pop().unwrap_or_default();
        self.program
    }

    /// Appends an item to the innermost block.
    pub fn push(&mut self, item: Item) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(item);
        }
    }

    /// Makes a value, or finds the one that is there.
    pub fn node(&mut self, op: Op, width: u8, arguments: SmallVec<[Lanes; 3]>) -> Id {
        let key = (op, width, arguments);
        if op != Op::Choose
            && let Some(&known) = self.known.get(&key)
        {
            return known;
        }
        let id = self.append(op, width, key.2.clone());
        if op != Op::Choose {
            self.push(Item::Node(id));
            self.order.push(key.clone());
            self.known.insert(key, id);
        }
        id
    }

    /// Makes a value that belongs to no block by itself.
    pub fn append(&mut self, op: Op, width: u8, arguments: SmallVec<[Lanes; 3]>) -> Id {
        let id = Id(u32::try_from(self.program.nodes.len()).unwrap_or(u32::MAX));
        self.program.nodes.push(Node { op, width, arguments, span: self.span });
        id
    }

    /// Adds a loop to the list.
    pub fn add_loop(&mut self, of: Loop) -> u32 {
        self.program.loops.push(of);
        u32::try_from(self.program.loops.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// A register of its own as lanes: an input, a uniform.
    pub fn read(&mut self, op: Op, width: u8) -> Lanes {
        let node = self.node(op, width, SmallVec::new());
        all(node, width)
    }

    /// A row of a table, by an index of whole rows.
    pub fn element(&mut self, table: Table, row: i32, index: Lane, width: u8) -> Lanes {
        let row = i16::try_from(row).unwrap_or(i16::MAX);
        let node = self.node(Op::Element { table, row }, width, smallvec![smallvec![index]]);
        all(node, width)
    }

    /// Lanes `of` an operation without operands of several lanes: one number in, one out.
    pub fn scalar(&mut self, op: Op, argument: Lane) -> Lane {
        if let Some(value) = argument.value() {
            let value = match op {
                Op::Reciprocal => Some(1.0 / value),
                Op::ReciprocalRoot => Some(1.0 / value.sqrt()),
                Op::Exp2 => Some(fold::exp2(value)),
                Op::Log2 => Some(fold::log2(value)),
                _ => None,
            };
            if let Some(value) = value.filter(|value| value.is_finite()) {
                return Lane::constant(value);
            }
        }
        let inner = argument.node().map(|id| (self.program.node(id).op, argument.is_negated()));
        match (op, inner) {
            (Op::Reciprocal, Some((Op::Reciprocal, negate))) => {
                let lane = self.inner(argument);
                return if negate { lane.negated() } else { lane };
            }
            (Op::Reciprocal, Some((_, true))) => return self.scalar(op, argument.negated()).negated(),
            _ => {}
        }
        let node = self.node(op, 1, smallvec![smallvec![argument]]);
        Lane::Of { node, component: 0, negate: false }
    }

    /// The operand of an operation of one number.
    fn inner(&self, lane: Lane) -> Lane {
        let arguments = lane.node().map(|id| &self.program.node(id).arguments);
        arguments.and_then(|lists| lists.first()?.first().copied()).unwrap_or(lane)
    }

    /// An operation lane by lane. All operands have as many lanes as the result.
    pub fn lanewise(&mut self, op: Op, arguments: &[Lanes]) -> Lanes {
        let width = arguments.iter().map(SmallVec::len).min().unwrap_or(0);
        let mut result: Lanes = smallvec![Lane::ZERO; width];
        let mut open: SmallVec<[usize; 4]> = SmallVec::new();
        let mut operands: SmallVec<[Lanes; 3]> = arguments.iter().cloned().collect();
        let mut signs: SmallVec<[bool; 4]> = smallvec![false; width];
        for lane in 0..width {
            let mut each: SmallVec<[Lane; 3]> =
                operands.iter().map(|list| list.get(lane).copied().unwrap_or(Lane::ZERO)).collect();
            match self.simpler(op, &mut each) {
                Simpler::Lane(found) => set(&mut result, lane, found),
                Simpler::Operation { negate } => {
                    for (list, value) in operands.iter_mut().zip(each) {
                        set(list, lane, value);
                    }
                    set(&mut signs, lane, negate);
                    open.push(lane);
                }
            }
        }
        if open.is_empty() {
            return result;
        }
        self.place_commuted(op, &mut operands, &open);
        for group in self.groups(&mut operands, &open) {
            let lists = operands.iter().map(|list| pick(list, &group)).collect();
            let width = u8::try_from(group.len()).unwrap_or(4);
            let node = self.node(op, width, lists);
            for (component, lane) in (0u8..).zip(group) {
                let negate = signs.get(lane).copied().unwrap_or(false);
                set(&mut result, lane, Lane::Of { node, component, negate });
            }
        }
        result
    }

    /// Exchanges the operands of a commuting operation lane by lane where that makes them alike.
    fn place_commuted(&self, op: Op, operands: &mut SmallVec<[Lanes; 3]>, open: &[usize]) {
        if !matches!(op, Op::Add | Op::Mul | Op::Min | Op::Max) {
            return;
        }
        let [a, b, ..] = operands.as_mut_slice() else { return };
        let Some(&first) = open.first() else { return };
        // One order for all: what is computed in front of what is read, then the older first.
        let rank = |lane: Lane| match lane {
            Lane::Const(_) => (2, u32::MAX),
            Lane::Of { node, .. } => (u32::from(self.program.node(node).op.is_read_only()), node.0),
        };
        for &lane in open {
            let (Some(x), Some(y)) = (a.get(lane).copied(), b.get(lane).copied()) else { continue };
            if rank(y) < rank(x) {
                set(a, lane, y);
                set(b, lane, x);
            }
        }
        // Then as the first lane has it.
        let wanted = a.get(first).copied().and_then(Lane::node);
        for &lane in open {
            let (Some(x), Some(y)) = (a.get(lane).copied(), b.get(lane).copied()) else { continue };
            if x.node() != wanted && y.node() == wanted {
                set(a, lane, y);
                set(b, lane, x);
            }
        }
    }

    /// Which lanes one operation can do together; operands are brought into one register where that costs less than to do
    /// them apart.
    fn groups(&mut self, operands: &mut SmallVec<[Lanes; 3]>, open: &[usize]) -> Vec<Group> {
        let split = |operands: &SmallVec<[Lanes; 3]>| {
            let mut groups: Vec<(SmallVec<[Source; 3]>, Group)> = Vec::new();
            for &lane in open {
                let sources: SmallVec<[Source; 3]> =
                    operands.iter().map(|list| source(list.get(lane).copied())).collect();
                match groups.iter_mut().find(|(known, _)| *known == sources) {
                    Some((_, lanes)) => lanes.push(lane),
                    None => groups.push((sources, smallvec![lane])),
                }
            }
            groups
        };
        let apart = split(operands);
        if apart.len() > 1 {
            // Together: a copy for each source that is not computed into its place.
            let mut together = 1;
            for index in 0..operands.len() {
                let mut sources: SmallVec<[Source; 4]> = SmallVec::new();
                for (known, _) in &apart {
                    if let Some(&of) = known.get(index)
                        && !sources.contains(&of)
                    {
                        sources.push(of);
                    }
                }
                if sources.len() > 1 {
                    together += sources.iter().filter(|of| !self.lands_anywhere(**of)).count();
                }
            }
            if together < apart.len() {
                for list in operands.iter_mut() {
                    let picked = pick(list, open);
                    let packed = self.pack(&picked);
                    for (&lane, &value) in open.iter().zip(&packed) {
                        set(list, lane, value);
                    }
                }
            }
        }
        split(operands).into_iter().map(|(_, lanes)| lanes).collect()
    }

    /// Whether the operation behind this can as well write another register.
    fn lands_anywhere(&self, of: Source) -> bool {
        match of {
            Source::Node(id, false) => {
                let op = self.program.node(id).op;
                !op.is_read_only() && op != Op::Choose
            }
            _ => false,
        }
    }

    /// Lanes in one register, if they are not.
    pub fn pack(&mut self, lanes: &[Lane]) -> Lanes {
        let first = source(lanes.first().copied());
        if lanes.iter().all(|lane| source(Some(*lane)) == first) {
            return lanes.iter().copied().collect();
        }
        // The same lane twice needs one place.
        let mut places: Lanes = SmallVec::new();
        for lane in lanes {
            if !places.contains(lane) {
                places.push(*lane);
            }
        }
        let width = u8::try_from(places.len()).unwrap_or(4);
        let node = self.node(Op::Pack, width, smallvec![places.clone()]);
        let component = |lane: &Lane| places.iter().position(|place| place == lane).unwrap_or(0) as u8;
        lanes.iter().map(|lane| Lane::Of { node, component: component(lane), negate: false }).collect()
    }

    /// The scalar product.
    pub fn dot(&mut self, a: &[Lane], b: &[Lane]) -> Lane {
        let zero = |lane: Lane| lane.is(0.0);
        let mut pairs: SmallVec<[(Lane, Lane); 4]> =
            a.iter().copied().zip(b.iter().copied()).filter(|(x, y)| !zero(*x) && !zero(*y)).collect();
        let mut sum = Lane::ZERO;
        // Products of constants are known.
        pairs.retain(|(x, y)| match (x.value(), y.value()) {
            (Some(x), Some(y)) => {
                sum = Lane::constant(sum.value().unwrap_or(0.0) + x * y);
                false
            }
            _ => true,
        });
        let one = pairs.iter().position(|(x, y)| x.is(1.0) || y.is(1.0));
        let lists = |pairs: &[(Lane, Lane)]| -> (Lanes, Lanes) {
            (pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect())
        };
        let lane = match (pairs.len(), one) {
            (0, _) => return sum,
            (4, Some(one)) => {
                let (x, y) = pairs.remove(one);
                let (ones, mut other) = lists(&pairs);
                let mut others = other.clone();
                // The side that has the 1 is the one that the machine takes as 1.
                let (ones, others) = if x.is(1.0) {
                    others.push(y);
                    (ones, others)
                } else {
                    let mut ones = ones;
                    ones.push(x);
                    std::mem::swap(&mut other, &mut ones);
                    (ones, other)
                };
                self.product(Op::DotH, &ones, &others)
            }
            (4, None) => {
                let (x, y) = lists(&pairs);
                self.product(Op::Dot4, &x, &y)
            }
            (3, None) => {
                let (x, y) = lists(&pairs);
                self.product(Op::Dot3, &x, &y)
            }
            (2, None)
                if pairs.iter().all(|pair| pair.0.value().is_some())
                    || pairs.iter().all(|pair| pair.1.value().is_some()) =>
            {
                // A third product with a constant 0.
                let (mut x, mut y) = lists(&pairs);
                if x.iter().all(|lane| lane.value().is_some()) {
                    std::mem::swap(&mut x, &mut y);
                }
                if let Some(&first) = x.first() {
                    x.push(first);
                }
                y.push(Lane::ZERO);
                self.product(Op::Dot3, &x, &y)
            }
            _ => {
                // What is taken once comes first, so that the rest multiplies and adds.
                pairs.sort_by_key(|(x, y)| !(x.is(1.0) || y.is(1.0)));
                let mut total = sum;
                sum = Lane::ZERO;
                for (x, y) in pairs {
                    let product = self.multiply_one(x, y);
                    total = self.add_one(total, product);
                }
                total
            }
        };
        self.add_one(lane, sum)
    }

    fn product(&mut self, op: Op, a: &[Lane], b: &[Lane]) -> Lane {
        let (a, b) = (self.pack(a), self.pack(b));
        let flip = |lanes: &Lanes| lanes.iter().all(|lane| lane.is_negated());
        let mut negate = false;
        let mut unsigned = |lanes: Lanes, may: bool| -> Lanes {
            if may && flip(&lanes) {
                negate = !negate;
                lanes.into_iter().map(Lane::negated).collect()
            } else {
                lanes
            }
        };
        // The fourth lane of a homogeneous product stands alone, so its sides keep their signs.
        let (a, b) = (unsigned(a, op != Op::DotH), unsigned(b, op != Op::DotH));
        let (a, b) = if op != Op::DotH && b < a { (b, a) } else { (a, b) };
        let node = self.node(op, 1, smallvec![a, b]);
        Lane::Of { node, component: 0, negate }
    }

    /// `a + b` of single lanes.
    pub fn add_one(&mut self, a: Lane, b: Lane) -> Lane {
        self.lanewise(Op::Add, &[smallvec![a], smallvec![b]]).first().copied().unwrap_or(Lane::ZERO)
    }

    /// `a * b` of single lanes.
    pub fn multiply_one(&mut self, a: Lane, b: Lane) -> Lane {
        self.lanewise(Op::Mul, &[smallvec![a], smallvec![b]]).first().copied().unwrap_or(Lane::ZERO)
    }

    /// Takes a comparison as known from here on.
    pub fn assume(&mut self, relation: Relation, a: Lane, b: Lane, truth: bool) {
        self.assumed.push((relation, a, b, truth));
        self.assumed.push((relation.swapped(), b, a, truth));
        self.assumed.push((relation.not(), a, b, !truth));
        self.assumed.push((relation.not().swapped(), b, a, !truth));
    }

    /// Forgets the last assumption.
    pub fn forget(&mut self) {
        let kept = self.assumed.len().saturating_sub(4);
        self.assumed.truncate(kept);
    }
}

/// Where a lane is read from. All constants can share a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A register of constants.
    Constant,
    /// A value, with its sign changed or not.
    Node(Id, bool),
}

/// Where a lane is read from.
pub fn source(lane: Option<Lane>) -> Source {
    match lane {
        Some(Lane::Of { node, negate, .. }) => Source::Node(node, negate),
        Some(Lane::Const(_)) | None => Source::Constant,
    }
}

/// All lanes of a value.
pub fn all(node: Id, width: u8) -> Lanes {
    (0..width).map(|component| Lane::Of { node, component, negate: false }).collect()
}

/// Some lanes of a list.
fn pick(list: &Lanes, lanes: &[usize]) -> Lanes {
    lanes.iter().map(|&lane| list.get(lane).copied().unwrap_or(Lane::ZERO)).collect()
}

fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(place) = list.get_mut(index) {
        *place = value;
    }
}
