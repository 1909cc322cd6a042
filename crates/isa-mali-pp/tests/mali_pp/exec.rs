//! The interpreter on small programs: order inside an instruction, quads that part, memory, precision.

use crate::corpus::stage;
use unshade_ir::exec::Memory;
use unshade_isa_common::texture::{Bank, Bound, NoTextures};
use unshade_isa_mali_pp::asm::assemble;
use unshade_isa_mali_pp::exec::{End, Float, Lane, NoTrace, Program, State, Step, Trace, Vector};

fn program(text: &str) -> Program {
    match assemble(text, &[]) {
        Ok(assembled) => Program::new(&stage(assembled.words)),
        Err(errors) => panic!("{}", errors[0]),
    }
}

/// `$0` of a pixel alone, with these varyings and uniforms.
fn alone(text: &str, varyings: &[f32], uniforms: &[f32]) -> Vector {
    let mut lane = Lane { varyings: varyings.to_vec(), ..Lane::default() };
    let mut memory = Memory::default();
    program(text).run_lane(&mut lane, uniforms, &mut memory, Float::F32, 1000, &mut NoTrace);
    lane.registers[0]
}

/// A quad whose pixels have the varyings 0, 1, 2, 3.
fn quad() -> State {
    let mut state = State::default();
    for (n, lane) in state.lanes.iter_mut().enumerate() {
        lane.varyings = vec![n as f32];
    }
    state
}

#[test]
fn a_unit_sees_what_earlier_ones_wrote() {
    let text = "load.v $1, 0 | load.u 0 | mul.v0 $2, $1, ^uniform | add.v1 $0, ^v0, $2 | stop";
    assert_eq!(alone(text, &[1.0, 2.0, 3.0, 4.0], &[10.0, 20.0, 30.0, 40.0]), [20.0, 80.0, 180.0, 320.0]);
}

#[test]
fn both_multiply_units_read_before_either_writes() {
    let text = "load.v $1, 0\nmul.v0 $1.xy, $1.yx, ^const0.x | mul.s0 $1.z, $1.x, $1.y | const0 1
        mov.v1 $0, $1 | stop";
    assert_eq!(alone(text, &[2.0, 3.0, 9.0, 7.0], &[]), [3.0, 2.0, 6.0, 7.0]);
}

#[test]
fn the_scalar_unit_wins_a_component() {
    let text = "load.v $1, 0\nmov.v1 $0, $1 | add.s1 $0.y, $1.x, $1.x | stop";
    assert_eq!(alone(text, &[1.0, 2.0, 3.0, 4.0], &[]), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn multiplies_shift_and_results_change() {
    let one = |operation: &str, x: f32| {
        alone(&format!("load.v $1.x, 0.x\n{operation} | const0 1 | stop"), &[x], &[])[0]
    };
    assert_eq!(one("mul.x8.s0 $0.x, $1.x, ^const0.x", 1.5), 12.0);
    assert_eq!(one("mul.d16.s0 $0.x, $1.x, ^const0.x", 1.5), 0.09375);
    assert_eq!(one("mov.sat.s0 $0.x, -abs($1.x)", 1.5), 0.0);
    assert_eq!(one("mov.sat.s0 $0.x, abs($1.x)", -1.5), 1.0);
    assert_eq!(one("mov.pos.s0 $0.x, $1.x", f32::NAN), 0.0);
    assert_eq!(one("mov.int.s0 $0.x, $1.x", -1.75), -1.0);
    assert_eq!(one("not.s0 $0.x, $1.x", 0.0), 1.0);
    assert_eq!(one("fract.s1 $0.x, $1.x", -0.25), 0.75);
    assert_eq!(one("ceil.s1 $0.x, $1.x", -0.25).to_bits(), (-0.0_f32).to_bits());
    assert_eq!(one("sin.s2 $0.x, $1.x", 0.25), 1.0);
    assert_eq!(one("rsqrt.s2 $0.x, $1.x", 4.0), 0.5);
}

#[test]
fn arc_tangents_come_in_two_parts() {
    let text =
        "load.v $1, 0\natan2.v2 $2.xyz, $1.x, $1.y\nmul.s0 $2.x, $2.x, $2.y\natan_pt2.s2 $0.x, $2 | stop";
    assert_eq!(alone(text, &[1.0, -1.0, 0.0, 0.0], &[])[0], 3.0 * std::f32::consts::FRAC_PI_4);
}

#[test]
fn a_select_takes_the_condition_of_its_instruction() {
    let text = "load.v $1, 0\ngt.s0 _, $1.x, $1.y | sel.v1 $0, ^s0 ? $1 : -$1 | stop";
    assert_eq!(alone(text, &[1.0, 2.0, 3.0, 4.0], &[]), [-1.0, -2.0, -3.0, -4.0]);
    assert_eq!(alone(text, &[2.0, 1.0, 3.0, 4.0], &[]), [2.0, 1.0, 3.0, 4.0]);
}

#[test]
fn temporaries_have_places_below_their_base() {
    let text = "load.v $1, 0\nstore.t -2, $1\nstore.t -1.zw, $1\nstore.t 0.y, $1.w
        load.t -2 | mov.v1 $0, ^uniform\nload.t -1 | add.v1 $0, $0, ^uniform\nload.t 0 | add.v1 $0, $0, ^uniform | stop";
    assert_eq!(alone(text, &[1.0, 2.0, 3.0, 4.0], &[]), [1.0, 6.0, 4.0, 6.0]);
    let indexed = "load.v $1, 0\nstore.t -5 + $1.x, $1\nload.t -4 | mov.v1 $0, ^uniform | stop";
    assert_eq!(alone(indexed, &[1.9, 2.0, 3.0, 4.0], &[]), [1.9, 2.0, 3.0, 4.0]);
}

#[test]
fn addresses_outside_give_zero() {
    let text = "load.v $1.x, 0.x\nload.u 1.x + $1.x | mov.v1 $0, ^uniform | stop";
    let uniforms = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(alone(text, &[0.0], &uniforms)[0], 5.0);
    assert_eq!(alone(text, &[-2.0], &uniforms)[0], 3.0);
    assert_eq!(alone(text, &[f32::NAN], &uniforms)[0], 5.0);
    assert_eq!(alone(text, &[-1e30], &uniforms)[0], 0.0);
    assert_eq!(alone(text, &[1e30], &uniforms)[0], 0.0);
}

#[test]
fn differences_are_those_of_neighbours() {
    let mut state = quad();
    let program = program(
        "load.v $1.x, 0.x\ndFdx.s1 $0.x, $1.x, -$1.x\ndFdy.s1 $0.y, -$1.x, $1.x\nmov.v1 $0, $0 | stop",
    );
    let outcome = program.run(&mut state, &mut NoTextures, Float::F32, 100);
    assert_eq!((outcome.ends, outcome.steps), ([End::Ended; 4], 4));
    for lane in &state.lanes {
        assert_eq!(lane.registers[0][..2], [1.0, 2.0]);
    }
}

/// Each pixel goes its own number of rounds; one is dropped.
#[test]
fn pixels_part_and_meet_again() {
    let text = "load.v $1.x, 0.x
        loop: br.ge $1.y, $1.x, done
        add.s1 $1.y, $1.y, ^const0.x | const0 1
        add.s1 $1.z, $1.z, ^const0.x | const0 10
        br loop
        done: br.ne $1.x, ^const0.x, end | const0 2
        discard | stop
        end: dFdx.s1 $1.w, $1.z, -$1.z
        mov.v1 $0, $1 | stop";
    let mut state = quad();
    let outcome = program(text).run(&mut state, &mut NoTextures, Float::F32, 1000);
    assert_eq!(outcome.ends, [End::Ended, End::Ended, End::Discarded, End::Ended]);
    let z: Vec<f32> = state.lanes.iter().map(|lane| lane.registers[1][2]).collect();
    assert_eq!(z, [0.0, 10.0, 20.0, 30.0]);
    // The dropped pixel lends its value.
    assert_eq!(state.lanes[3].registers[0][3], 10.0);
    assert_eq!(state.lanes[0].registers[0][3], 10.0);
}

#[test]
fn fuel_ends_what_does_not_end() {
    let mut state = quad();
    let outcome = program("l: br l").run(&mut state, &mut NoTextures, Float::F32, 50);
    assert_eq!((outcome.ends, outcome.steps), ([End::OutOfFuel; 4], 50));
}

#[test]
fn halves_are_what_registers_hold() {
    let run = |float| {
        let mut state = quad();
        state.uniforms = vec![0.1, 3000.0];
        let program =
            program("load.u 0.xy | mov.v1 $0, ^uniform\nadd.s1 $0.z, $0.y, ^const0.x | const0 1 | stop");
        program.run(&mut state, &mut NoTextures, float, 100);
        state.lanes[0].registers[0]
    };
    assert_eq!(run(Float::F32)[..3], [0.1, 3000.0, 3001.0]);
    assert_eq!(run(Float::F16)[..3], [0.099_975_586, 3000.0, 3000.0]);
}

#[test]
fn coordinates_keep_their_precision_on_the_short_way() {
    let run = |text: &str| {
        let mut state = quad();
        for lane in &mut state.lanes {
            lane.varyings = vec![0.1, 0.7];
        }
        let mut bank = Bank { units: [(0, Bound::Probe)].into(), ..Bank::default() };
        program(text).run(&mut state, &mut bank, Float::F16, 100);
        state.lanes[0].registers[0][0]
    };
    let short = run("load.v ^discard.xy, 0.xy | texld 0 | mov.v1 $0, ^texture | stop");
    let long = run("load.v $1.xy, 0.xy\nload.v ^discard.xy, $1 | texld 0 | mov.v1 $0, ^texture | stop");
    let half = |x: f32| unshade_isa_mali_pp::half::round(x);
    assert_eq!((short, long), (half(0.3 * 0.1), half(0.3 * half(0.1))));
    // Both are the same half here or not, but the way there differs.
    assert_eq!(run("load.v.projz ^discard, 0 | texld 0 | mov.v1 $0, ^texture | stop"), f32::INFINITY);
}

#[test]
fn the_framebuffer_can_be_read() {
    let mut state = quad();
    state.lanes[2].framebuffer_color = [0.1, 0.2, 0.3, 0.4];
    state.lanes[2].framebuffer_depth = 0.5;
    program("fb.color $0\nfb.depth $1\nmov.s1 $0.w, $1.x | stop").run(
        &mut state,
        &mut NoTextures,
        Float::F32,
        9,
    );
    assert_eq!(state.lanes[2].registers[0], [0.1, 0.2, 0.3, 0.5]);
}

struct Lines(Vec<String>);

impl Trace<Program> for Lines {
    fn step(&mut self, step: &Step<'_>) {
        self.0.push(format!("{}: {step}", step.pc));
    }
}

#[test]
fn a_trace_says_what_changed() {
    let program = program(
        "load.v $1.x, 0.x | mul.v0 $2.xy, $1.x, ^const0 | const0 2, 3\nbr.never $0.x, $0.x, e\ne: mov.v1 $0, $2 | stop",
    );
    let mut lines = Lines(Vec::new());
    program.run_with(&mut quad(), &mut NoTextures, Float::F32, 100, &mut lines);
    assert_eq!(lines.0[0], "0: $1.x = 0[0] 1[1] 2[2] 3[3], $2.xy = 0[0 0] 1[2 3] 2[4 6] 3[6 9]");
    let mut lines = Lines(Vec::new());
    let mut lane = Lane { varyings: vec![0.5], ..Lane::default() };
    program.run_lane(&mut lane, &[], &mut Memory::default(), Float::F32, 100, &mut lines);
    assert_eq!(lines.0, ["0: $1.x = 0.5, $2.xy = 1 1.5", "6: ", "10: $0 = 1 1.5 0 0"]);
}
