//! Which function is meant.

use crate::{reading, shader, wrong};
use unshade_glsl::language::Stage;
use unshade_glsl::tree::ExpressionKind;
use unshade_glsl::types::Type;

/// The type of the first parameter of the function `f` that `call` calls.
fn chosen(version: &str, functions: &str, call: &str) -> String {
    let shader =
        shader(Stage::Fragment, &format!("#version {version}\n{functions}\nvoid main() {{ {call}; }}"));
    let called = shader.expressions.iter().find_map(|(_, one)| match one.kind {
        ExpressionKind::Call { function, .. } => Some(function),
        _ => None,
    });
    let function = &shader.functions[called.expect("a call")];
    let types: Vec<String> =
        function.parameters.iter().map(|id| shader.types.name(shader.variables[*id].ty)).collect();
    types.join(", ")
}

#[test]
fn exact_ones_first() {
    let functions = "void f(float a) {} void f(int a) {} void f(vec2 a) {}";
    assert_eq!(chosen("330", functions, "f(1)"), "int");
    assert_eq!(chosen("330", functions, "f(1.0)"), "float");
    assert_eq!(chosen("330", functions, "f(1u)"), "float");
    assert_eq!(chosen("330", functions, "f(ivec2(1))"), "vec2");
}

#[test]
fn better_conversions_from_4_00_on() {
    let functions = "void f(float a) {} void f(double a) {}";
    assert_eq!(chosen("450", functions, "f(1)"), "float");
    let functions = "void f(uint a) {} void f(float a) {}";
    assert_eq!(chosen("450", functions, "f(1)"), "uint");
    let functions = "void f(double a, float b) {} void f(float a, float b) {}";
    assert_eq!(chosen("450", functions, "f(1, 2)"), "float, float");
}

#[test]
fn ties_are_errors() {
    let functions = "void f(float a, int b) {} void f(int a, float b) {}";
    let found = wrong(&format!("{functions} void main() {{ f(1, 1); }}"));
    assert_eq!(found, ["several functions `f` take these arguments equally well"]);
}

#[test]
fn es_has_no_conversions() {
    let text = "#version 300 es\nprecision mediump float;\nvoid f(float a) {}\nvoid main() { f(1); }";
    let reading = reading(Stage::Fragment, text);
    let messages: Vec<&str> = reading.errors().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages, ["no function `f` takes (int)"]);
}

#[test]
fn own_functions_hide_those_of_the_language() {
    let functions = "float sin(float a, float b) { return a; }";
    let shader = shader(
        Stage::Fragment,
        &format!("#version 450\n{functions}\nvoid main() {{ sin(1.0, 2.0); sin(0.5); }}"),
    );
    assert_eq!(shader.functions.len(), 2);
}

#[test]
fn out_arguments_convert_backwards() {
    assert_eq!(chosen("450", "void f(out int a) { a = 1; } float x;", "f(x)"), "int");
    let found = wrong("void f(out float a) { a = 1.0; } int x; void main() { f(x); }");
    assert_eq!(found, ["no function `f` takes (int)"]);
}

#[test]
fn functions_of_the_language_take_what_converts() {
    let shader = shader(Stage::Fragment, "#version 450\nuniform int i;\nvoid main() { max(i, 1.5); }");
    let (_, call) = shader
        .expressions
        .iter()
        .find(|(_, one)| matches!(one.kind, ExpressionKind::Builtin { .. }))
        .expect("a call");
    assert_eq!(call.ty, Type::FLOAT);
}
