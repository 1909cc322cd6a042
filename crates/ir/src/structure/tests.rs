use super::*;
use crate::build::FunctionBuilder;
use crate::{BlockId, Target, Terminator};
use proptest::prelude::*;

/// A function with the given edges, block 0 first: none returns, one jumps, two branch, more switch.
fn graph(edges: &[Vec<usize>]) -> Function {
    let mut builder = FunctionBuilder::new("g");
    let mut blocks = vec![builder.current()];
    blocks.extend((1..edges.len()).map(|_| builder.block()));
    for (from, to) in edges.iter().enumerate() {
        builder.switch_to(blocks[from]);
        // Longer than what may be copied as a short end.
        for _ in 0..4 {
            builder.truth(true);
        }
        match to[..] {
            [] => builder.returns(&[]),
            [only] => builder.jump(blocks[only], &[]),
            [first, second] => {
                let condition = builder.truth(true);
                builder.branch(condition, blocks[first], blocks[second]);
            }
            [ref cases @ .., default] => {
                let value = builder.bits(0);
                let cases =
                    cases.iter().enumerate().map(|(n, to)| (n as u32, Target::plain(blocks[*to]))).collect();
                builder.terminate(Terminator::Switch {
                    value,
                    cases,
                    default: Target::plain(blocks[default]),
                });
            }
        }
    }
    builder.finish()
}

/// Which way block `at` goes when it is reached as the `n`-th one.
fn choose(seed: u64, at: BlockId, n: usize, ways: usize) -> usize {
    let mut x = seed ^ (u64::from(at.0) << 32) ^ n as u64;
    x = (x ^ (x >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((x ^ (x >> 32)) % ways as u64) as usize
}

const LONGEST: usize = 200;

/// Blocks in the order a run of the function takes them.
fn walk_function(function: &Function, seed: u64) -> Vec<BlockId> {
    let mut trace = vec![BlockId(0)];
    let mut at = BlockId(0);
    while trace.len() < LONGEST {
        let ways: Vec<BlockId> =
            function.blocks[at.index()].terminator.targets().map(|to| to.block).collect();
        if ways.is_empty() {
            break;
        }
        at = ways[choose(seed, at, trace.len(), ways.len())];
        trace.push(at);
    }
    trace
}

enum Flow {
    Falls,
    Breaks,
    Continues,
    Leaves,
}

struct Walk<'a> {
    structured: &'a Structured,
    function: &'a Function,
    seed: u64,
    trace: Vec<BlockId>,
    flags: Vec<bool>,
    states: Vec<u32>,
    steps: usize,
}

impl Walk<'_> {
    fn slot(&self, node: NodeId) -> usize {
        let Body::Block(block) = self.structured.graph.node(node).body else { panic!("no block") };
        let ways = self.function.blocks[block.index()].terminator.targets().count();
        choose(self.seed, block, self.trace.len(), ways)
    }

    fn run(&mut self, at: SequenceId) -> Flow {
        for step in self.structured.steps(at) {
            self.steps += 1;
            if self.trace.len() >= LONGEST || self.steps > 100 * LONGEST {
                return Flow::Leaves;
            }
            let flow = match step {
                Step::Code(node) => {
                    match self.structured.graph.node(*node).body {
                        Body::Block(block) => self.trace.push(block),
                        Body::Set { dispatcher, state } => self.states[dispatcher as usize] = state,
                        Body::Dispatch { .. } => {}
                    }
                    Flow::Falls
                }
                Step::Edge { .. } => Flow::Falls,
                Step::Branch { node, then, otherwise } => {
                    let Body::Block(block) = self.structured.graph.node(*node).body else {
                        panic!("no block")
                    };
                    let terminator = &self.function.blocks[block.index()].terminator;
                    let arms = arm_of_slot(terminator, &self.structured.graph.node(*node).arms);
                    let slot = self.slot(*node);
                    let first = match terminator {
                        Terminator::Branch { .. } => slot == 0,
                        _ => arms[slot] == 0,
                    };
                    self.run(if first { *then } else { *otherwise })
                }
                Step::Switch { node, arms } => {
                    let arm = match self.structured.graph.node(*node).body {
                        Body::Dispatch { dispatcher } => self.states[dispatcher as usize] as usize,
                        Body::Block(block) => {
                            let terminator = &self.function.blocks[block.index()].terminator;
                            let taken = arm_of_slot(terminator, &self.structured.graph.node(*node).arms);
                            taken[self.slot(*node)] as usize
                        }
                        Body::Set { .. } => panic!("a set has one way out"),
                    };
                    match self.run(arms[arm]) {
                        Flow::Breaks => Flow::Falls,
                        flow => flow,
                    }
                }
                Step::Loop { body, .. } => loop {
                    self.steps += 1;
                    match self.run(*body) {
                        Flow::Falls | Flow::Continues if self.steps > 100 * LONGEST => break Flow::Leaves,
                        Flow::Falls | Flow::Continues => {}
                        Flow::Breaks => break Flow::Falls,
                        Flow::Leaves => break Flow::Leaves,
                    }
                },
                Step::Leave(_) => Flow::Leaves,
                Step::Break => Flow::Breaks,
                Step::Continue => Flow::Continues,
                Step::SetFlag(flag, value) => {
                    self.flags[flag.0 as usize] = *value;
                    Flow::Falls
                }
                Step::IfFlag(flag, value, inner) if self.flags[flag.0 as usize] == *value => self.run(*inner),
                Step::IfFlag(..) => Flow::Falls,
                Step::Label { .. } | Step::Exit(_) | Step::Again(_) => panic!("left over"),
            };
            if !matches!(flow, Flow::Falls) {
                return flow;
            }
        }
        Flow::Falls
    }
}

fn walk_structured(structured: &Structured, function: &Function, seed: u64) -> Vec<BlockId> {
    let mut walk = Walk {
        structured,
        function,
        seed,
        trace: Vec::new(),
        flags: vec![false; structured.stats.flags as usize],
        states: vec![0; structured.stats.dispatchers as usize],
        steps: 0,
    };
    walk.run(SequenceId(0));
    walk.trace
}

fn check(edges: &[Vec<usize>], seeds: u64) -> Structured {
    let function = graph(edges);
    let structured = structure(&function);
    for seed in 0..seeds {
        let expected = walk_function(&function, seed);
        let got = walk_structured(&structured, &function, seed);
        assert_eq!(got, expected, "{edges:?} {structured:#?}");
    }
    structured
}

fn count(structured: &Structured, what: impl Fn(&Step) -> bool) -> usize {
    let mut found = 0;
    let mut work = vec![SequenceId(0)];
    while let Some(at) = work.pop() {
        for step in structured.steps(at) {
            found += usize::from(what(step));
            for_each_held(step, |inner| work.push(inner));
        }
    }
    found
}

fn branches(structured: &Structured) -> usize {
    count(structured, |step| matches!(step, Step::Branch { .. }))
}

fn loops(structured: &Structured) -> usize {
    count(structured, |step| matches!(step, Step::Loop { .. }))
}

#[test]
fn a_diamond_is_one_condition() {
    let found = check(&[vec![1, 2], vec![3], vec![3], vec![]], 8);
    assert_eq!(found.stats, Stats::default());
    assert_eq!((branches(&found), loops(&found)), (1, 0));
    // Condition and what follows stand side by side.
    assert!(matches!(found.steps(SequenceId(0)), [Step::Code(_), Step::Branch { .. }, Step::Code(_)]));
}

#[test]
fn a_jump_over_code_is_one_condition() {
    let found = check(&[vec![2, 1], vec![2], vec![]], 8);
    assert_eq!(found.stats, Stats::default());
    assert_eq!(branches(&found), 1);
}

#[test]
fn nested_loops_with_breaks_need_no_flag() {
    // 0 -> 1 outer { 2 inner { 3 ? break : 2 }, 4 ? 1 : 5 }
    let found = check(&[vec![1], vec![2], vec![3, 4], vec![2, 4], vec![1, 5], vec![]], 32);
    assert_eq!(found.stats, Stats::default());
    assert_eq!(loops(&found), 2);
}

#[test]
fn the_exit_of_a_loop_stands_behind_it() {
    let found = check(&[vec![1], vec![2, 3], vec![1], vec![4], vec![]], 16);
    let [Step::Code(_), Step::Edge { .. }, Step::Loop { .. }, after @ ..] = found.steps(SequenceId(0)) else {
        panic!("{found:#?}")
    };
    assert!(matches!(after, [Step::Code(_), ..]));
    assert_eq!(found.stats, Stats::default());
}

#[test]
fn leaving_two_loops_at_once_takes_a_flag() {
    // 1 outer { 2 inner { 3 ? out of both : 2 or 4 }, 4 ? 1 : 5 }, 5, 6
    let found = check(&[vec![1], vec![2, 5], vec![3, 4], vec![5, 2], vec![1], vec![6], vec![]], 64);
    assert_eq!(found.stats, Stats { dispatchers: 0, duplicated_blocks: 0, flags: 1 });
}

#[test]
fn an_inner_loop_that_only_leaves_both_needs_no_flag() {
    // 1 { 2 { 3 ? 4 : 2 } } 4
    let found = check(&[vec![1], vec![2, 4], vec![3], vec![4, 2], vec![]], 32);
    assert_eq!(found.stats, Stats::default());
}

#[test]
fn leaving_two_conditions_takes_a_flag() {
    // 0 ? 1 : 4, 1 ? 2 : 4, 2 -> 5 (out of both), 4 -> 5 with work of its own
    let found = check(&[vec![1, 4], vec![2, 4], vec![5], vec![], vec![5], vec![]], 32);
    assert_eq!(found.stats, Stats { dispatchers: 0, duplicated_blocks: 0, flags: 1 });
}

#[test]
fn a_switch_stays_one() {
    let found = check(&[vec![1, 2, 3, 1], vec![4], vec![4], vec![4], vec![]], 32);
    assert_eq!(count(&found, |step| matches!(step, Step::Switch { arms, .. } if arms.len() == 3)), 1);
    assert_eq!(found.stats, Stats::default());
}

#[test]
fn a_small_irreducible_cycle_is_copied_a_large_one_dispatched() {
    // 0 ? 1 : 2, 1 -> 2, 2 ? 1 : 3
    let found = check(&[vec![1, 2], vec![2], vec![1, 3], vec![]], 64);
    assert_eq!(found.stats.dispatchers, 0);
    assert!(found.stats.duplicated_blocks > 0);
    // The same with a long chain on each side.
    let mut edges = vec![vec![1, 21]];
    edges.extend((1..=40).map(|at| vec![at + 1]));
    edges[40] = vec![1, 41];
    edges.push(vec![]);
    let found = check(&edges, 16);
    assert_eq!(found.stats.dispatchers, 1);
    assert_eq!(found.stats.duplicated_blocks, 0);
}

#[test]
fn deep_nesting_takes_the_dispatcher() {
    // Each block may skip to the end of its own: n nested conditions.
    let depth = 2000;
    let mut edges: Vec<Vec<usize>> = (0..depth).map(|at| vec![at + 1, 2 * depth - at]).collect();
    edges.extend((0..depth).map(|at| vec![depth + at + 1]));
    edges.push(vec![]);
    let found = check(&edges, 2);
    assert_eq!(found.stats.dispatchers, 1);
    assert!(nesting(&found.sequences) <= MAX_NESTING);
}

#[test]
fn many_blocks_are_quick() {
    let count = 4096;
    // A chain of diamonds, a ladder to one end, nested loops, a complete mess.
    let diamonds: Vec<Vec<usize>> = (0..count)
        .map(|at| match at % 3 {
            0 if at + 3 < count => vec![at + 1, at + 2],
            1 if at + 2 < count => vec![at + 2],
            2 if at + 1 < count => vec![at + 1],
            _ => vec![],
        })
        .collect();
    let ladder: Vec<Vec<usize>> =
        (0..count).map(|at| if at + 1 < count { vec![at + 1, count - 1] } else { vec![] }).collect();
    let nest: Vec<Vec<usize>> =
        (0..count).map(|at| if at + 1 < count { vec![at + 1, count - 1 - at] } else { vec![] }).collect();
    let mess: Vec<Vec<usize>> =
        (0..count).map(|at| vec![(at * 7 + 1) % count, (at * 13 + 5) % count]).collect();
    for edges in [diamonds, ladder, nest, mess] {
        let start = std::time::Instant::now();
        check(&edges, 1);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn random_graphs_keep_their_ways(
        edges in prop::collection::vec(prop::collection::vec(0usize..10, 0..4), 10)
    ) {
        check(&edges, 6);
    }

    #[test]
    fn random_forward_graphs_keep_their_ways_without_dispatcher(
        steps in prop::collection::vec(prop::collection::vec(1usize..5, 1..3), 12)
    ) {
        let count = steps.len();
        let mut edges: Vec<Vec<usize>> = steps
            .iter()
            .enumerate()
            .map(|(at, by)| by.iter().map(|by| (at + by).min(count)).collect())
            .collect();
        edges.push(vec![]);
        let found = check(&edges, 8);
        prop_assert_eq!(found.stats.dispatchers, 0);
        prop_assert_eq!(loops(&found), 0);
    }

    #[test]
    fn large_random_graphs_keep_their_ways(
        edges in prop::collection::vec(prop::collection::vec(0usize..40, 0..3), 40)
    ) {
        check(&edges, 3);
    }
}
