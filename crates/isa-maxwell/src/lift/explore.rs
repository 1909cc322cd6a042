//! Exploring a program: from its instructions to a graph of nodes.
//!
//! The branch stack of the machine is resolved on the way: a node is an instruction together with what lies on the
//! stack when it is reached, so that every pop has exactly one place to go to. Ways that reach an instruction with the
//! same stack share its node, which is all of them in compiled code; a function that is called from two places is
//! reached with two stacks and thus written twice.

use super::super::operation::{ConditionCode, Target, Token};
use super::super::{Instruction, Operation, Predicate, Register, layout};
use super::jump;
use std::collections::HashMap;
use unshade_stage::Maxwell;

/// Nodes that a program may have. Compiled programs have one for each instruction.
const NODE_LIMIT: usize = 1 << 16;
/// Entries that the stack may have.
const DEPTH_LIMIT: u32 = 256;

/// Index of a [`Node`] in the graph.
pub(super) type NodeId = u32;

/// An instruction with a stack.
#[derive(Debug)]
pub(super) struct Node {
    /// Bytes from the start of the code.
    pub(super) address: u32,
    pub(super) instruction: Instruction,
    pub(super) exit: Exit,
}

/// Where a node goes on.
#[derive(Debug, Clone)]
pub(super) enum Exit {
    /// There, whatever its guard says.
    To(Way),
    /// In one of two places.
    Branch {
        /// Which one.
        test: Test,
        /// If it holds.
        then: Way,
        /// If not.
        otherwise: Way,
    },
    /// Where a register says.
    Switch {
        /// The register.
        register: Register,
        /// What it may hold, and where that leads.
        cases: Vec<(u32, NodeId)>,
    },
}

/// What a branch depends on: both have to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) guard: Predicate,
    pub(super) condition: ConditionCode,
}

/// A way on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// To a node.
    Node(NodeId),
    /// The invocation ends.
    End,
}

/// Why a program cannot be explored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stuck {
    /// Bytes from the start of the code.
    pub(super) address: u32,
    /// What the lift needs there.
    pub(super) expected: &'static str,
    /// What is there.
    pub(super) found: String,
    /// There is too much of something.
    pub(super) limit: bool,
}

/// A stack: the entry on top and the stack below; 0 is the empty one.
type StackId = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Entry {
    below: StackId,
    token: Token,
    target: u32,
}

struct Explorer<'a> {
    code: &'a [u32],
    maxwell: &'a Maxwell,
    nodes: Vec<Node>,
    ids: HashMap<(u32, StackId), NodeId>,
    /// Entries with the depth of the stack, from stack 1 on.
    entries: Vec<(Entry, u32)>,
    stacks: HashMap<Entry, StackId>,
    open: Vec<(NodeId, StackId)>,
}

/// Explores a program from an address on. Node 0 is the start.
pub(super) fn explore(code: &[u32], maxwell: &Maxwell, entry: u32) -> Result<Vec<Node>, Stuck> {
    let mut explorer = Explorer {
        code,
        maxwell,
        nodes: Vec::new(),
        ids: HashMap::new(),
        entries: Vec::new(),
        stacks: HashMap::new(),
        open: Vec::new(),
    };
    explorer.node(entry.into(), 0)?;
    while let Some((id, stack)) = explorer.open.pop() {
        let exit = explorer.visit(id, stack).map_err(|stuck| explorer.restarted(stuck, entry))?;
        if let Some(node) = explorer.nodes.get_mut(id as usize) {
            node.exit = exit;
        }
    }
    Ok(explorer.nodes)
}

impl Explorer<'_> {
    /// Says so where what grows beyond all measure grows because the program starts again.
    fn restarted(&self, stuck: Stuck, entry: u32) -> Stuck {
        let start = layout::target(entry.into());
        let again = self.entries.iter().any(|(entry, _)| u64::from(entry.target) == start);
        if !stuck.limit || !again {
            return stuck;
        }
        let found = format!(
            "{}: its first instruction is where control comes back to, so that it starts again (uam writes this for a \
             `return` inside of a `switch`)",
            stuck.found
        );
        Stuck { found, ..stuck }
    }

    /// The node of an instruction, which is visited once.
    fn node(&mut self, address: u64, stack: StackId) -> Result<NodeId, Stuck> {
        let target = layout::target(address);
        let at = u32::try_from(target).unwrap_or(u32::MAX);
        if let Some(id) = self.ids.get(&(at, stack)) {
            return Ok(*id);
        }
        let Some(word) = layout::at(self.code, target) else {
            return Err(stuck(at, "an instruction", "the end of the code".to_owned()));
        };
        let Some(instruction) = Instruction::decode(word) else {
            return Err(stuck(at, "an instruction", format!("{word:016x}")));
        };
        if self.nodes.len() >= NODE_LIMIT {
            let found = format!("more than {NODE_LIMIT} instructions on all ways through the program");
            return Err(Stuck { limit: true, ..stuck(at, "control flow of a bounded size", found) });
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node { address: at, instruction, exit: Exit::To(Way::End) });
        self.ids.insert((at, stack), id);
        self.open.push((id, stack));
        Ok(id)
    }

    fn way(&mut self, address: u64, stack: StackId) -> Result<Way, Stuck> {
        self.node(address, stack).map(Way::Node)
    }

    /// The stack with one entry more.
    fn push(&mut self, below: StackId, token: Token, target: u64, at: u32) -> Result<StackId, Stuck> {
        let target = u32::try_from(layout::target(target)).unwrap_or(u32::MAX);
        let entry = Entry { below, token, target };
        if let Some(id) = self.stacks.get(&entry) {
            return Ok(*id);
        }
        let depth = 1 + self.entry(below).map_or(0, |(_, depth)| depth);
        if depth > DEPTH_LIMIT {
            let found = format!("a branch stack of more than {DEPTH_LIMIT} entries");
            return Err(Stuck { limit: true, ..stuck(at, "pushes that are popped", found) });
        }
        self.entries.push((entry, depth));
        let id = self.entries.len() as StackId;
        self.stacks.insert(entry, id);
        Ok(id)
    }

    fn entry(&self, stack: StackId) -> Option<(Entry, u32)> {
        self.entries.get(stack.checked_sub(1)? as usize).copied()
    }

    /// Takes the newest entry of a kind, and all above it, from the stack: where it leads, and what is left.
    fn pop(&self, mut stack: StackId, token: Token) -> Option<(u32, StackId)> {
        loop {
            let (entry, _) = self.entry(stack)?;
            if entry.token == token {
                return Some((entry.target, entry.below));
            }
            stack = entry.below;
        }
    }

    /// Where a node goes on.
    fn visit(&mut self, id: NodeId, stack: StackId) -> Result<Exit, Stuck> {
        let Some(node) = self.nodes.get(id as usize) else { return Ok(Exit::To(Way::End)) };
        let (at, Instruction { guard, operation }) = (node.address, node.instruction);
        let next = layout::next(at.into());
        match operation {
            // These do not look at their guard.
            Operation::Push { token, target } => {
                let target = self.fixed(at, target)?;
                let stack = self.push(stack, token, target, at)?;
                Ok(Exit::To(self.way(next, stack)?))
            }
            Operation::Call { target } => {
                let target = self.fixed(at, target)?;
                let stack = self.push(stack, Token::Return, next, at)?;
                Ok(Exit::To(self.way(target, stack)?))
            }
            Operation::Branch {
                target: Target::RegisterRelative(..) | Target::RegisterAbsolute(..), ..
            } if guard.is_never() => Ok(Exit::To(self.way(next, stack)?)),
            Operation::Branch {
                condition,
                target: target @ (Target::RegisterRelative(..) | Target::RegisterAbsolute(..)),
            } => {
                if !guard.is_true() || condition != ConditionCode::TRUE {
                    let found = "a jump to a computed place under a condition".to_owned();
                    return Err(stuck(at, "a jump that the lift can follow", found));
                }
                self.computed(at, target, stack)
            }
            Operation::Branch { condition, target } => {
                let target = self.fixed(at, target)?;
                self.fork(Test { guard, condition }, |explorer| explorer.way(target, stack), next, stack)
            }
            Operation::Pop { token, condition } => {
                let popped = self.pop(stack, token);
                let taken = |explorer: &mut Self| match (popped, token) {
                    (Some((target, left)), _) => explorer.way(target.into(), left),
                    (None, Token::Exit | Token::Return) => Ok(Way::End),
                    (None, _) => {
                        let found = format!("a pop of an empty branch stack ({token:?})");
                        Err(stuck(at, "an entry on the branch stack", found))
                    }
                };
                self.fork(Test { guard, condition }, taken, next, stack)
            }
            _ => Ok(Exit::To(self.way(next, stack)?)),
        }
    }

    /// Goes a way under a condition, else on.
    fn fork(
        &mut self,
        test: Test,
        taken: impl FnOnce(&mut Self) -> Result<Way, Stuck>,
        next: u64,
        stack: StackId,
    ) -> Result<Exit, Stuck> {
        if test.guard.is_never() || test.condition.0 == 0 {
            return Ok(Exit::To(self.way(next, stack)?));
        }
        if test.guard.is_true() && test.condition == ConditionCode::TRUE {
            return Ok(Exit::To(taken(self)?));
        }
        let then = taken(self)?;
        let otherwise = self.way(next, stack)?;
        Ok(Exit::Branch { test, then, otherwise })
    }

    /// The address of a target that does not depend on the run.
    fn fixed(&self, at: u32, target: Target) -> Result<u64, Stuck> {
        let from_here = |offset: i32| {
            let address = i64::from(at) + 8 + i64::from(offset);
            u64::try_from(address).map_err(|_| stuck(at, "a target in the program", format!("{address}")))
        };
        match target {
            Target::Relative(offset) => from_here(offset),
            Target::Absolute(address) => Ok(address.into()),
            Target::Constant { place, register, absolute } => {
                if !register.is_zero() {
                    let found = format!("a target in c[{:#x}][{register}+{:#x}]", place.bank, place.offset);
                    return Err(stuck(at, "a fixed target", found));
                }
                let Some(value) = jump::constant(self.maxwell, place) else {
                    let found = format!("a target in c[{:#x}][{:#x}]", place.bank, place.offset);
                    return Err(stuck(at, "a target that the file tells", found));
                };
                if absolute { Ok(value.into()) } else { from_here(value as i32) }
            }
            Target::RegisterRelative(..) | Target::RegisterAbsolute(..) => {
                Err(stuck(at, "a fixed target", "a register".to_owned()))
            }
        }
    }

    /// A jump to where a register says: what the table that feeds it can hold.
    fn computed(&mut self, at: u32, target: Target, stack: StackId) -> Result<Exit, Stuck> {
        let (register, base) = match target {
            Target::RegisterRelative(register, offset) => (register, i64::from(at) + 8 + i64::from(offset)),
            Target::RegisterAbsolute(register, address) => (register, i64::from(address)),
            _ => return Err(stuck(at, "a register", "a fixed target".to_owned())),
        };
        let values = jump::table(self.code, self.maxwell, at, register)
            .map_err(|found| stuck(at, "a table of targets that the file tells", found))?;
        let mut cases = Vec::new();
        for value in values {
            let address = base + i64::from(value as i32);
            let Ok(address) = u64::try_from(address) else {
                return Err(stuck(at, "a target in the program", format!("{address}")));
            };
            cases.push((value, self.node(address, stack)?));
        }
        Ok(Exit::Switch { register, cases })
    }
}

fn stuck(address: u32, expected: &'static str, found: String) -> Stuck {
    Stuck { address, expected, found, limit: false }
}
