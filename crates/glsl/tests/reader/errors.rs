//! What is said of texts that are wrong: kind, place, words, and what to write instead.

use crate::{reading, wrong};
use std::fmt::Write as _;
use unshade_glsl::errors::Kind;
use unshade_glsl::language::Stage;

/// Texts with one mistake of each kind, each with a name.
const CASES: &[(&str, Stage, &str)] = &[
    (
        "a name that is not there",
        Stage::Fragment,
        "#version 450\nout vec4 colour;\nvoid main() {\n    colour = vec4(color, 1.0);\n}\n",
    ),
    (
        "a semicolon that is missing",
        Stage::Fragment,
        "#version 450\nvoid main() {\n    float x = 1.0\n    float y = 2.0;\n}\n",
    ),
    (
        "a parenthesis that is missing",
        Stage::Fragment,
        "#version 450\nvoid main() {\n    float x = max(1.0, (2.0 + 3.0);\n}\n",
    ),
    ("a number that is none", Stage::Fragment, "#version 450\nvoid main() {\n    float x = 1f + 08;\n}\n"),
    (
        "a whole number for a float",
        Stage::Fragment,
        "#version 300 es\nprecision mediump float;\nvoid main() {\n    float x = 1;\n}\n",
    ),
    (
        "types that do not go together",
        Stage::Fragment,
        "#version 450\nuniform mat4 m;\nuniform vec3 v;\nvoid main() {\n    m * v;\n}\n",
    ),
    (
        "arguments that no function takes",
        Stage::Fragment,
        "#version 450\nuniform sampler2D s;\nvoid main() {\n    texture(s, 1.0);\n}\n",
    ),
    (
        "a function of a later version",
        Stage::Fragment,
        "#version 330\nvoid main() {\n    float x = fma(1.0, 2.0, 3.0);\n}\n",
    ),
    (
        "a function of an old version",
        Stage::Fragment,
        "#version 450\nuniform sampler2D s;\nvoid main() {\n    texture2D(s, vec2(0.0));\n}\n",
    ),
    (
        "an input that is written",
        Stage::Fragment,
        "#version 450\nin vec2 at;\nvoid main() {\n    at.x = 1.0;\n}\n",
    ),
    (
        "a component twice",
        Stage::Fragment,
        "#version 450\nvoid main() {\n    vec3 v;\n    v.xx = vec2(1.0);\n}\n",
    ),
    (
        "a component that is not there",
        Stage::Fragment,
        "#version 450\nvoid main() {\n    vec2 v;\n    v.z;\n}\n",
    ),
    (
        "a member that is not there",
        Stage::Fragment,
        "#version 450\nstruct Light { vec3 position; float power; };\nuniform Light light;\nvoid main() {\n    light.postion;\n}\n",
    ),
    (
        "a layout that is not there",
        Stage::Fragment,
        "#version 450\nlayout(locaton = 0) out vec4 colour;\nvoid main() {}\n",
    ),
    ("a stage without its layout", Stage::Geometry, "#version 450\nvoid main() {}\n"),
    ("a condition that is no bool", Stage::Fragment, "#version 450\nvoid main() {\n    if (1) discard;\n}\n"),
    ("discard in a vertex shader", Stage::Vertex, "#version 450\nvoid main() {\n    discard;\n}\n"),
    (
        "recursion",
        Stage::Fragment,
        "#version 450\nfloat f(float x) { return f(x - 1.0); }\nvoid main() {\n    f(1.0);\n}\n",
    ),
    ("no main", Stage::Fragment, "#version 450\nfloat x;\n"),
    ("whole numbers between stages", Stage::Fragment, "#version 450\nin ivec2 cell;\nvoid main() {}\n"),
    ("subroutines", Stage::Fragment, "#version 450\nsubroutine float shade(vec3 n);\nvoid main() {}\n"),
    ("no precision", Stage::Fragment, "#version 300 es\nin vec2 at;\nvoid main() {}\n"),
    ("a name declared twice", Stage::Fragment, "#version 450\nfloat x;\nvec2 x;\nvoid main() {}\n"),
    (
        "an index out of range",
        Stage::Fragment,
        "#version 450\nvoid main() {\n    float x[4];\n    x[4] = 1.0;\n}\n",
    ),
    ("a version that is not there", Stage::Fragment, "#version 445\nvoid main() {}\n"),
    (
        "a mistake in a macro",
        Stage::Fragment,
        "#version 450\n#define LIGHT(n) (n * colour)\nvoid main() {\n    float x = LIGHT(2.0);\n}\n",
    ),
    (
        "the number of a line that was said",
        Stage::Fragment,
        "#version 450\n#line 100 2\nvoid main() { x; }\n",
    ),
];

#[test]
fn as_they_are_shown() {
    let mut out = String::new();
    for (name, stage, text) in CASES {
        let reading = reading(*stage, text);
        assert!(reading.shader.is_none(), "{name}");
        let _ = writeln!(out, "## {name}\n\n{}", reading.render());
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reader/errors.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &out).expect("written");
    }
    assert_eq!(out, std::fs::read_to_string(path).expect("BLESS=1 writes it"));
}

#[test]
fn every_kind_of_mistake_is_met() {
    let mut seen: Vec<Kind> = CASES
        .iter()
        .flat_map(|(_, stage, text)| reading(*stage, text).problems.into_iter().map(|problem| problem.kind))
        .collect();
    seen.extend(reading(Stage::Fragment, "#if 1\n").problems.iter().map(|problem| problem.kind));
    seen.extend(
        reading(Stage::Fragment, "#version 450\nfloat x[0];\n").problems.iter().map(|problem| problem.kind),
    );
    seen.extend(
        reading(Stage::Fragment, "#version 450\nfloat x[99999999];\n")
            .problems
            .iter()
            .map(|problem| problem.kind),
    );
    for kind in Kind::ALL {
        assert!(seen.contains(&kind), "{kind:?}");
    }
}

#[test]
fn several_in_one_run_and_none_that_follows() {
    let found = wrong(
        "uniform vec3 v;\nfloat f() { return v; }\nvoid main() {\n    float a = b;\n    a = a + v.w;\n    vec2 c = a;\n\
         \x20   c.x = a;\n    float d = f() + nothing * a - d2;\n    if (c) { a = 1.0; }\n    int e = ;\n    a = 2.0;\n}\n\
         void g( { }\nvoid h() { missing(); }\n",
    );
    assert_eq!(
        found,
        [
            "expected `float` to return, found `vec3`",
            "`b` is not declared",
            "`vec3` has no component `w`",
            "expected `vec2` for `c`, found `float`",
            "`nothing` is not declared",
            "`d2` is not declared",
            "`if` takes a `bool`, and this is `vec2`",
            "expected an expression, found `;`",
            "expected a parameter, found `{`",
            "there is no function `missing`",
        ]
    );
}

#[test]
fn a_wrong_declaration_says_nothing_of_its_uses() {
    let found = wrong("Unknown x;\nvoid main() { x; x.y = 2; x[3]; f(x); }\nUnknown f(int a) { return 1; }");
    assert_eq!(found.iter().filter(|message| message.contains("Unknown")).count(), 2, "{found:?}");
    assert!(!found.iter().any(|message| message.contains("`x`")), "{found:?}");
}
