use unshade_ir::exec::Environment as _;
use unshade_ir::{ast, passes, print};
use unshade_stage::maxwell::Driver;
use unshade_stage::*;
struct Log(unshade_ir::exec::Memory, Vec<String>);
impl unshade_ir::exec::Environment for Log {
    fn load(&mut self, s: unshade_ir::Space, b: u32, w: u32) -> u32 {
        self.0.load(s, b, w)
    }
    fn store(&mut self, s: unshade_ir::Space, b: u32, w: u32, v: u32) {
        self.1.push(format!("store {s:?} {b} {w} {v:08x}"));
        self.0.store(s, b, w, v)
    }
    fn emit_vertex(&mut self, s: u32) -> u64 {
        self.0.emit_vertex(s)
    }
    fn end_primitive(&mut self, s: u32) -> u64 {
        self.0.end_primitive(s)
    }
    fn texture(&mut self, t: unshade_ir::Texture, u: u32, o: &[u32]) -> [u32; 4] {
        self.1.push(format!("{t:?} {u} {o:08x?}"));
        self.0.texture(t, u, o)
    }
    fn interpolate(&mut self, p: unshade_ir::InputPlace, b: u32, w: u32, o: &[u32]) -> u32 {
        self.1.push(format!("{p:?} {b} {w} {o:08x?}"));
        self.0.interpolate(p, b, w, o)
    }
    fn image(&mut self, t: unshade_ir::Image, u: u32, o: &[u32]) -> [u32; 4] {
        self.1.push(format!("{t:?} {u} {o:08x?}"));
        self.0.image(t, u, o)
    }
}
fn u32at(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(b[at..at + 4].try_into().unwrap())
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let show = args[0].as_str();
    for path in &args[1..] {
        let b = std::fs::read(path).unwrap();
        let (control, code_size, programs) =
            (u32at(&b, 8) as usize, u32at(&b, 12) as usize, u32at(&b, 16) as usize);
        let p = &b[programs..programs + 64];
        let kind = [
            StageKind::Vertex,
            StageKind::Fragment,
            StageKind::Geometry,
            StageKind::TessControl,
            StageKind::TessEval,
            StageKind::Compute,
        ][u32at(p, 0) as usize];
        let entry = u32at(p, 4) as usize;
        let (c1, c1s) = (u32at(p, 12) as usize, u32at(p, 16) as usize);
        let code = &b[control..control + code_size];
        let mut maxwell = Maxwell { driver: Driver::Deko3d, ..Maxwell::default() };
        let start = if kind == StageKind::Compute {
            entry
        } else {
            maxwell.header = code[entry..entry + 80].chunks(4).map(|c| u32at(c, 0)).collect();
            entry + 80
        };
        maxwell.constants = code[c1..c1 + c1s].to_vec();
        if kind == StageKind::Compute {
            maxwell.work_group = Some([u32at(p, 24), u32at(p, 28), u32at(p, 32)]);
            maxwell.shared_memory = u32at(p, 36);
        }
        let words: Vec<u32> = code[start..].chunks_exact(4).map(|c| u32at(c, 0)).collect();
        let stage = Stage {
            isa: Isa::Maxwell,
            kind,
            code: Code { words: words.into(), ..Code::default() },
            interface: Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() },
            id: StageId(String::new()),
        };
        let name = path.rsplit('/').next().unwrap();
        let mut module = match unshade_isa::maxwell::lift::lift(&stage) {
            Ok(m) => m,
            Err(e) => {
                println!("{name}: {e}");
                continue;
            }
        };
        if show == "lift" {
            println!("{}", print::module(&module));
        }
        let problems = unshade_ir::verify::check(&module);
        if let Some(p) = problems.first() {
            println!("{name}: lifted {p}");
            continue;
        }
        let readable = show.starts_with('r');
        passes::run(
            &mut module,
            &if readable {
                [unshade_isa::maxwell::lift::idiom::PASSES, passes::readable()].concat()
            } else {
                passes::strict().to_vec()
            },
            None,
        );
        if let Some(p) = unshade_ir::verify::check(&module).first() {
            println!("{name}: passes {p}");
            continue;
        }
        if show == "ir" || show == "r" {
            println!("{}", print::module(&module));
        }
        if show.starts_with('v') {
            use unshade_ir::Space;
            use unshade_ir::exec::{self, Event, Limits, Machine, Memory};
            let lifted = unshade_isa::maxwell::lift::lift(&stage).unwrap();
            let beside = unshade_isa::maxwell::beside::Beside::new(&stage, &lifted);
            let mut strict = lifted.clone();
            passes::run(&mut strict, passes::strict(), None);
            let programs = [exec::Program::new(&lifted).unwrap(), exec::Program::new(&strict).unwrap()];
            let tree = ast::build::build(&strict, ast::build::Mode::Strict).ok();
            let cases: u64 = std::env::var("CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(64);
            let (mut bad, mut unfinished, mut compared, mut first) = ([0; 3], 0, 0, String::new());
            for index in 0..cases {
                let inputs = beside.inputs(1, index, unshade_isa::cases::Kind::Full);
                let mut env = Memory::default();
                if show == "vlog" {
                    let mut log = Log(Memory::default(), vec![]);
                    beside.run(&inputs, &mut log, 1 << 15, &mut unshade_isa::maxwell::exec::NoTrace);
                    for l in &log.1 {
                        println!("machine {l}");
                    }
                    let mut m = Memory::default();
                    for ((space, binding), words) in &inputs {
                        m.set(*space, *binding, words.clone());
                    }
                    for (binding, words) in beside.outputs() {
                        m.set(Space::Output, binding, vec![0; words]);
                    }
                    m.set(Space::Shared, 0, vec![0; beside.shared_words() as usize]);
                    let mut log = Log(m, vec![]);
                    Machine::new(&programs[0]).run(&mut log, Limits::fuel(1 << 22));
                    for l in &log.1 {
                        println!("lift {l}");
                    }
                }
                let (left, outcome) =
                    beside.run(&inputs, &mut env, 1 << 15, &mut unshade_isa::maxwell::exec::NoTrace);
                let Some(left) = left else {
                    unfinished += 1;
                    continue;
                };
                if outcome.end != unshade_isa::maxwell::exec::End::Ended {
                    first = format!("{:?}", outcome.end);
                    bad[0] += 1;
                    continue;
                }
                for n in 0..3 {
                    let mut memory = Memory::default();
                    for ((space, binding), words) in &inputs {
                        memory.set(*space, *binding, words.clone());
                    }
                    for (binding, words) in beside.outputs() {
                        memory.set(Space::Output, binding, vec![0; words]);
                    }
                    memory.set(Space::Shared, 0, vec![0; beside.shared_words() as usize]);
                    let run = match n {
                        2 => match &tree {
                            Some(tree) => ast::exec::run(&tree.program, &mut memory, Limits::fuel(1 << 22)),
                            None => continue,
                        },
                        n => Machine::new(&programs[n]).run(&mut memory, Limits::fuel(1 << 22)),
                    };
                    let killed = run.outcome == exec::Outcome::Discarded;
                    let words: Vec<Vec<u32>> = if kind == StageKind::Geometry {
                        memory
                            .events
                            .iter()
                            .filter_map(|e| match e {
                                Event::Vertex { words, .. } => Some(words.clone()),
                                _ => None,
                            })
                            .collect()
                    } else {
                        let o = beside.outputs();
                        let b = beside.buffers();
                        let mut w: Vec<u32> =
                            o.iter().flat_map(|(b, _)| memory.words(Space::Output, *b).to_vec()).collect();
                        w.extend(b.iter().flat_map(|(b, _)| memory.words(Space::Storage, *b).to_vec()));
                        vec![w]
                    };
                    let same =
                        |a: u32, b: u32| a == b || f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan();
                    let mut wrong = None;
                    if killed != left.killed {
                        wrong = Some(format!("killed {} {:?}", left.killed, run.outcome));
                    } else if words.len() != left.words.len() {
                        wrong = Some(format!("vertices {} {}", left.words.len(), words.len()));
                    } else if !killed {
                        for (v, (a, b)) in left.words.iter().zip(&words).enumerate() {
                            for (w, (a, b)) in a.iter().zip(b).enumerate() {
                                if !same(*a, *b) && wrong.is_none() {
                                    wrong = Some(format!(
                                        "vertex {v} {}: machine {a:08x} {} got {b:08x} {}",
                                        beside.output_name(w),
                                        f32::from_bits(*a),
                                        f32::from_bits(*b)
                                    ));
                                }
                            }
                        }
                    }
                    if let Some(wrong) = wrong {
                        bad[n] += 1;
                        if first.is_empty() {
                            first = format!("case {index} point {n}: {wrong} ({:?})", run.outcome);
                        }
                    }
                }
                compared += 1;
            }
            println!(
                "{name}: {} compared {compared} unfinished {unfinished} bad {bad:?} {first}",
                if bad == [0; 3] { "EQUAL" } else { "DIFFERS" }
            );
            continue;
        }
        match ast::build::build(
            &module,
            if readable { ast::build::Mode::Readable } else { ast::build::Mode::Strict },
        ) {
            Ok(built) => println!("{name}: ok {:?}", built.stats),
            Err(e) => println!("{name}: tree {e}"),
        }
    }
}
