//! What the assembler says, where, and what it takes all the same.

use std::fmt::Write;
use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::assembly::{Places, Source};
use unshade_isa_pica200::asm::{Assembly, Options, assemble};

/// Findings as `file:line:column: severity: message [code]`, each with the marked characters.
fn print(texts: &[&str], findings: &[Diagnostic]) -> String {
    let sources: Vec<_> =
        texts.iter().zip(["a", "b", "c"]).map(|(text, name)| Source { name, text }).collect();
    let places = Places::new(&sources);
    let mut out = String::new();
    for finding in findings {
        match places.find(&finding.location) {
            Some(place) => {
                let (skip, take) = (place.column as usize - 1, place.width as usize);
                let marked: String = place.text.chars().skip(skip).take(take).collect();
                let _ = write!(out, "{}:{}:{}: `{marked}` ", place.file, place.line, place.column);
            }
            None => out += "- ",
        }
        let code = finding.code.strip_prefix("pica200.asm.").unwrap();
        let _ = writeln!(out, "{} {code}: {}", finding.severity, finding.message);
    }
    out
}

fn run(texts: &[&str]) -> Result<Assembly, Vec<Diagnostic>> {
    let sources: Vec<_> =
        texts.iter().zip(["a", "b", "c"]).map(|(text, name)| Source { name, text }).collect();
    assemble(&sources, Options::default())
}

/// The errors of sources that are refused.
fn refused(texts: &[&str]) -> String {
    print(texts, &run(texts).expect_err("it assembles"))
}

/// The first error of a line in an otherwise right program.
fn line(line: &str) -> String {
    let text = format!(".proc main\n{line}\nend\n.end\n");
    match run(&[&text]) {
        Ok(assembly) => print(&[&text], &assembly.warnings),
        Err(errors) => print(&[&text], &errors[..1]),
    }
}

/// The same for a directive before the program.
fn directive(line: &str) -> String {
    let text = format!("{line}\n.proc main\nend\n.end\n");
    match run(&[&text]) {
        Ok(assembly) => print(&[&text], &assembly.warnings),
        Err(errors) => print(&[&text], &errors[..1]),
    }
}

#[test]
fn instructions_that_would_not_mean_what_they_say_are_errors() {
    for (text, expected) in [
        ("mov R5, r0", "a:2:5: `R5` error capital-register: register letters are lower case: write `r5`"),
        (
            "mov r0, r15[1]",
            "a:2:9: `r15[1]` error register-range: `r15[1]` is past the last register: r15 ends at r15",
        ),
        ("mov r1abc, r0", "a:2:7: `abc` error trailing-text: unexpected `abc` behind a register"),
        ("mov r0, r1 r2", "a:2:12: `r2` error trailing-text: unexpected `r2` behind a register"),
        ("mov r0, o1", "a:2:9: `o1` error source: o1 is an output register, which cannot be read here"),
        ("mov v1, r0", "a:2:5: `v1` error destination: v1 is an input register, which cannot be written"),
        ("mov c1, r0", "a:2:5: `c1` error destination: c1 is a float uniform, which cannot be written"),
        (
            "mov r0, r1[a0.x]",
            "a:2:9: `r1[a0.x]` error index: r1 is a temporary register: only float uniforms take an index register",
        ),
        ("mov r0[a0.x], r1", "a:2:5: `r0[a0.x]` error index: an index register cannot be used here"),
        ("mov r0, c1[a0.x-1]", "a:2:12: `a0.x-1` error index: `a0.x-1` is no offset"),
        ("add r0, r1, c2", "a:2:13: `c2` error source: a float uniform cannot be the second source here"),
        ("mad r0, c1, r1, r1", "a:2:9: `c1` error source: a float uniform cannot be the first source here"),
        (
            "add r0, v1, v2",
            "a:2:13: `v2` error two-inputs: an instruction can read one input register only, and this reads v1 and v2",
        ),
        ("for i4\n.end", "a:2:5: `i4` error register-range: there is no `i4`: i0 to i3 exist"),
        (
            "for b0\n.end",
            "a:2:5: `b0` error register-class: an integer uniform is wanted here, and b0 is a bool uniform",
        ),
        ("ifu !b0\n.end", "a:2:5: `!b0` error condition: ifu cannot invert its condition, only jmpu can"),
        ("breakc cmp.z", "a:2:8: `cmp.z` error condition: `cmp.z` is no condition flag: cmp.x and cmp.y are"),
        (
            "cmp r0, eq, =, r1",
            "a:2:13: `=` error comparison: `=` is no comparison: eq, ne, lt, le, gt and ge are",
        ),
        ("mova r0, r1", "a:2:6: `r0` error destination: mova writes a0.x, a0.y or a0.xy, not `r0`"),
        ("mova r0", "a:2:8: `` error missing: an argument is missing"),
        ("setemit 3", "a:2:9: `3` error number-range: 3 is not in the range 0 to 2"),
        ("setemit 0 prim", "a:2:9: `0 prim` error number: `0 prim` is no number"),
        (
            "setemit 0, prin",
            "a:2:12: `prin` error setemit-flag: `prin` is no flag of setemit: prim and inv are",
        ),
        ("nop r0", "a:2:5: `r0` error too-many: unexpected `r0`"),
        ("loop i0", "a:2:1: `loop` error unknown-instruction: there is no instruction `loop`"),
        (".elsa", "a:2:1: `.elsa` error unknown-directive: there is no directive `.elsa`"),
        (".else", "a:2:1: `.else` error block: `.else` belongs into an `ifc` or `ifu` block"),
        ("call nowhere", "a:2:6: `nowhere` error unknown-procedure: there is no procedure `nowhere`"),
        ("jmpc cmp.x, main", "a:2:13: `main` error unknown-label: there is no label `main` in this source"),
        ("a b: nop", "a:2:1: `a b` error identifier: `a b` is no label name"),
        ("a: a: nop", "a:2:4: `a` error duplicate: label `a` stands twice in this source"),
    ] {
        // Positions one past the end of a line mark nothing.
        assert_eq!(line(text).trim_end(), expected, "{text}");
    }
}

#[test]
fn declarations_that_cannot_hold_are_errors() {
    for (text, expected) in [
        (".constf a(1,2,3)", "a:1:17: `` error syntax: four values and `)` are needed"),
        (".constf a(1,2,3,4,5)", "a:1:18: `,5` error too-many: four values are enough"),
        (".constf a(1,x,3,4)", "a:1:13: `x` error number: `x` is no number"),
        (".constf (1,2,3,4)", "a:1:9: `(` error missing: a name is missing"),
        (".fvec a[0]", "a:1:9: `0` error size-of-array: `0` is no size: 1 to 96 registers, in decimal"),
        (
            ".fvec a[90], b[7]",
            "a:1:14: `b[7]` error registers-full: not enough float registers are left for `b[7]`",
        ),
        (".fvec a, a", "a:1:10: `a` error duplicate: `a` is already the name of something"),
        (
            ".fvec 2a",
            "a:1:7: `2a` error identifier: `2a` is no identifier: letters, digits, _ and $, no digit in front",
        ),
        (".alias r1 r2", "a:1:8: `r1` error hides-register: `r1` is the name of a register"),
        (
            ".in a o1",
            "a:1:7: `o1` error register-class: an input register is wanted here, and o1 is an output register",
        ),
        (".out a position o8", "a:1:17: `o8` error output-property: o8 can only be a dummy output"),
        (".out a colour", "a:1:8: `colour` error output-property: `colour` is no output property"),
        (
            ".out a color o1\n.out b view o1.x",
            "a:2:13: `o1.x` error output-collision: o1 has a meaning already in one of these components",
        ),
        (
            ".setb b0 maybe",
            "a:1:10: `maybe` error bool: `maybe` is no truth value: true, false, on, off, 1 and 0 are",
        ),
        (
            ".seti b0(1,2,3,4)",
            "a:1:7: `b0` error register-class: an integer uniform is wanted here, and b0 is a bool uniform",
        ),
        (
            ".gsh point r0",
            "a:1:12: `r0` error register-class: a float uniform is wanted here, and r0 is a temporary register",
        ),
        (".gsh fixed c4 c8 3", "a:1:15: `c8` error gsh: the vertices from c8 meet the uniforms from c4"),
        (
            ".in a\n.gsh point c0",
            "a:2:6: `point` error gsh: .gsh must stand before all inputs, outputs, uniforms and constants",
        ),
        (
            ".gsh point c0\n.out a dummy o7",
            "a:2:14: `o7` error register-range: there is no o7: geometry programs have o0 to o6",
        ),
        (".constfa a[]\n.end", "a:1:10: `a` error size-of-array: the array `a` has no rows"),
        (
            ".constfa a[1]\n.constfa (1,2,3,4)\n.constfa (1,2,3,4)\n.end",
            "a:3:1: `.constfa (1,2,3,4)` error size-of-array: the array has 1 rows already",
        ),
        (".entry first", "a:1:8: `first` error unknown-entry: there is no procedure `first` to start with"),
        (".proc main\n.end", "a:3:7: `main` error duplicate: there is already a procedure `main`"),
        ("nop", "a:1:1: `nop` error outside: instruction `nop` outside a procedure"),
        (".end", "a:1:1: `.end` error block: `.end` without a block"),
        ("# 70 \"x.h\"\n\n.bool", ""),
        ("# 70 \"x.h\"\n\n.boll", "x.h:71:1: `.boll` error unknown-directive: there is no directive `.boll`"),
    ] {
        assert_eq!(directive(text).trim_end(), expected, "{text}");
    }
}

#[test]
fn what_picasso_passes_over_is_a_warning_where_the_meaning_stays() {
    for (text, expected) in [
        (
            ".constf a(1/2,0,0,0)",
            "a:1:12: `/2` warning trailing-text: `1/2` is read as 1: `/2` has no effect",
        ),
        (".constf a(1.5f,0,0,0)", ""),
        (
            ".constf a(3.6e19,0,0,0)",
            "a:1:11: `3.6e19` warning float-range: 3.6e19 is too large for 24 bits and becomes a nan",
        ),
        (
            ".constf a(1e30,0,0,0)",
            "a:1:11: `1e30` warning float-range: 1e30 is too large for 24 bits and becomes infinity",
        ),
        (".constf a(nan,inf,0,0)", "a:1:11: `nan` warning float-range: nan is written as infinity"),
        (
            ".constf a(1e-30,0,0,0)",
            "a:1:11: `1e-30` warning float-range: 1e-30 is too small for 24 bits and becomes zero",
        ),
        (
            ".constf a(0x1.8p-63,0,0,0)",
            "a:1:11: `0x1.8p-63` warning float-range: 1.6263032587282567e-19 is too small for 24 bits and becomes another value",
        ),
        (".constf a(1,2,3,4) ; x", ""),
        (".constf a(1,2,3,4) x", "a:1:20: `x` warning trailing-text: `x` has no effect"),
        (
            ".consti a(256,-1,0x10,1.5)",
            "a:1:11: `256` warning int-range: 256 does not fit into a byte and becomes 0\n\
          a:1:15: `-1` warning int-range: -1 does not fit into a byte and becomes 255\n\
          a:1:19: `x10` warning trailing-text: `0x10` is read as 0: `x10` has no effect\n\
          a:1:24: `.5` warning trailing-text: `1.5` is read as 1: `.5` has no effect",
        ),
        (
            ".setf c1(1,2,3,4)\n.setf c1(1,2,3,4)",
            "a:2:7: `c1` warning set-twice: c1 is set twice, and the later value wins",
        ),
        (".fvec c5", "a:1:7: `c5` warning hides-register: `c5` hides the register of that name"),
        (".in a v1.xy", "a:1:7: `v1.xy` warning no-effect: sign and swizzle have no effect here"),
        (".out a color.wx", ""),
        (".in a v15", ""),
        (".out a position o0\n.out b dummy o8", ""),
    ] {
        assert_eq!(directive(text).trim_end(), expected, "{text}");
    }
    for (text, expected) in [
        ("mov r010, r1", "a:2:5: `r010` warning octal: a number that starts with 0 is octal: this is r8"),
        ("mov r0.wx, r1", "a:2:5: `r0.wx` warning mask-order: the order of letters has no effect in a mask"),
        ("mov -r0, r1", "a:2:5: `-r0` warning no-effect: a sign has no effect on a destination"),
        (
            "cmp v0, eq, eq, v1",
            "a:2:17: `v1` warning two-inputs: an instruction can read one input register only, and this reads v0 and v1",
        ),
        ("mov r4[-2], r1", ""),
        ("mov r0, v15", ""),
    ] {
        assert_eq!(line(text).trim_end(), expected, "{text}");
    }
}

#[test]
fn all_errors_are_reported_and_one_mistake_once() {
    let text = ".fvec m[0]\n.proc main\nmov r0, m[1]\nifc cmp.z\n add r0, q\n.end\nfor r0\n foo\n.end\nend\n";
    assert_eq!(
        refused(&[text]),
        "a:1:9: `0` error size-of-array: `0` is no size: 1 to 96 registers, in decimal\n\
         a:4:5: `cmp.z` error condition: `cmp.z` is no condition flag: cmp.x and cmp.y are\n\
         a:5:11: `` error missing: an argument is missing\n\
         a:7:5: `r0` error register-class: an integer uniform is wanted here, and r0 is a temporary register\n\
         a:8:2: `foo` error unknown-instruction: there is no instruction `foo`\n\
         a:2:7: `main` error unclosed-block: the block of `main` has no `.end`\n"
    );
}

#[test]
fn sources_are_judged_together() {
    let program = ".fvec u[2]\n.proc main\nend\n.end\n";
    assert_eq!(
        refused(&[program, ".nodvle\n.fvec u\n.proc f\nnop\n.end\n"]),
        "b:2:7: `u` error shared-uniform: another source declares `u` with 2 registers\n"
    );
    assert_eq!(
        refused(&[program, ".nodvle\n.bool u\n.proc f\ncall g\nnop\n.end\n"]),
        "b:2:7: `u` error shared-uniform: another source declares `u` as a float uniform\n\
         b:4:6: `g` error unknown-procedure: there is no procedure `g`\n"
    );
    assert_eq!(
        refused(&[".nodvle\n.proc main\nnop\n.end\n"]),
        "- error no-executable: no source makes an executable\n"
    );
    assert_eq!(refused(&[]), "- error no-executable: no source makes an executable\n");
}

#[test]
fn limits_are_kept() {
    let nops = |count: usize| "nop\n".repeat(count);
    let vertex = |count: usize| format!(".proc main\n{}end\n.end\n", nops(count - 1));
    assert!(run(&[&vertex(512)]).is_ok());
    assert_eq!(
        refused(&[&vertex(513)]),
        "a:514:1: `end` error vertex-size: vertex programs end here: the units hold 512 words\n"
    );
    let geometry = |count: usize| format!(".gsh point c0\n{}", vertex(count));
    assert!(run(&[&geometry(4096)]).is_ok());
    assert_eq!(refused(&[&geometry(4097)]), "a:4099:1: `end` error size: the machine holds 4096 words\n");
    let nested = |depth: usize| {
        format!(".proc main\n{}nop\n{}end\n.end\n", "ifu b0\n".repeat(depth - 1), ".end\n".repeat(depth - 1))
    };
    assert!(run(&[&nested(32)]).is_ok());
    assert_eq!(refused(&[&nested(33)]), "a:33:1: `ifu` error nesting: blocks nest deeper than 32\n");
    let called = |count: usize| {
        format!(".gsh point c0\n.proc f\n{}.end\n.proc main\ncall f\nend\n.end\n", nops(count))
    };
    let warnings = |count: usize| {
        let text = called(count);
        run(&[&text])
            .map(|assembly| print(&[&text], &assembly.warnings))
            .map_err(|errors| print(&[&text], &errors))
    };
    assert_eq!(warnings(255), Ok(String::new()));
    assert_eq!(
        warnings(300).unwrap(),
        "a:305:6: `f` warning length: 300 words do not fit into the length field, which ends at 255\n"
    );
    assert_eq!(
        warnings(1024).unwrap_err(),
        "a:1029:6: `f` error length: 1024 words do not fit into the length field, which ends at 255\n"
    );
}

#[test]
fn a_program_without_an_end_is_noticed() {
    let text = ".proc f\nend\n.end\n.proc main\ncall f\n.end\n";
    assert!(run(&[text]).unwrap().warnings.is_empty());
    let text = ".proc main\nnop\n.end\n.proc f\nend\n.end\n";
    assert_eq!(
        print(&[text], &run(&[text]).unwrap().warnings),
        "a:1:7: `main` warning no-end: no `end` stops the program that starts in `main`\n"
    );
}

#[test]
fn missing_padding_is_noticed_where_it_is_left_out() {
    let text = ".proc main\nifu b0\n.end\nend\n.end\n";
    let assembly = assemble(&[Source { name: "a", text }], Options { no_nop: true }).unwrap();
    assert_eq!(assembly.program.words.len(), 2);
    assert_eq!(assembly.warnings[0].severity, Severity::Warning);
    assert_eq!(
        print(&[text], &assembly.warnings),
        "a:3:1: `.end` warning padding: a padding nop is required here\n"
    );
    assert_eq!(run(&[text]).unwrap().program.words.len(), 3);
}
