//! Constant folding.

use crate::{fragment, wrong};
use unshade_glsl::tree::{ExpressionKind, Shader, StatementKind, Value};

/// The scalars of `const TYPE x = TEXT;`.
fn folded(ty: &str, text: &str) -> Vec<Value> {
    let shader = fragment(&format!("void main() {{ const {ty} x = {text}; }}"));
    let body = shader.functions[shader.entry].body.clone().expect("main has a body");
    let StatementKind::Declare { initial: Some(initial), .. } = body.statements[0].kind else {
        panic!("{:?}", body.statements)
    };
    value(&shader, initial).unwrap_or_else(|| panic!("not folded: {text}"))
}

fn value(shader: &Shader, at: unshade_glsl::tree::ExpressionId) -> Option<Vec<Value>> {
    match shader.expressions[at].kind {
        ExpressionKind::Constant(id) => Some(shader.constants[id].values.to_vec()),
        _ => None,
    }
}

fn floats(ty: &str, text: &str) -> Vec<f64> {
    let as_float = |value: &Value| match value {
        Value::Float(value) => *value,
        other => panic!("{other:?}"),
    };
    folded(ty, text).iter().map(as_float).collect()
}

#[test]
fn arithmetic() {
    assert_eq!(folded("int", "7 / 2 * 2 + 7 % 4"), [Value::Int(9)]);
    assert_eq!(folded("int", "2147483647 + 1"), [Value::Int(-2_147_483_648)]);
    assert_eq!(folded("uint", "0u - 1u"), [Value::Uint(0xffff_ffff)]);
    assert_eq!(folded("int", "-8 >> 1"), [Value::Int(-4)]);
    assert_eq!(folded("uint", "0x80000000u >> 31u"), [Value::Uint(1)]);
    assert_eq!(folded("int", "~5 & 0xf ^ 1 | 0x20"), [Value::Int(0x2b)]);
    assert_eq!(folded("uint", "1"), [Value::Uint(1)]);
    assert_eq!(folded("bool", "1 < 2 && 3.0 >= 3.0 ^^ false || false"), [Value::Bool(true)]);
    assert_eq!(folded("float", "0.1 + 0.2"), [Value::Float(f64::from(0.1_f32 + 0.2_f32))]);
    assert_eq!(folded("double", "0.1LF + 0.2LF"), [Value::Float(0.1 + 0.2)]);
    assert_eq!(folded("float", "1 / 3"), [Value::Float(0.0)]);
    assert_eq!(folded("int", "true ? 3 : 4"), [Value::Int(3)]);
}

#[test]
fn vectors_and_matrices() {
    assert_eq!(floats("vec3", "vec3(1, 2, 3) * 2.0"), [2.0, 4.0, 6.0]);
    assert_eq!(floats("vec2", "vec4(1, 2, 3, 4).wx"), [4.0, 1.0]);
    assert_eq!(floats("mat2", "mat2(2.0)"), [2.0, 0.0, 0.0, 2.0]);
    assert_eq!(floats("mat2x3", "mat2x3(mat2(1, 2, 3, 4))"), [1.0, 2.0, 0.0, 3.0, 4.0, 0.0]);
    assert_eq!(floats("vec2", "mat2(1, 2, 3, 4) * vec2(1, 1)"), [4.0, 6.0]);
    assert_eq!(floats("vec2", "vec2(1, 1) * mat2(1, 2, 3, 4)"), [3.0, 7.0]);
    assert_eq!(floats("mat2", "mat2(1, 2, 3, 4) * mat2(0, 1, 1, 0)"), [3.0, 4.0, 1.0, 2.0]);
    assert_eq!(floats("vec3", "mat2x3(1, 2, 3, 4, 5, 6)[1]"), [4.0, 5.0, 6.0]);
    assert_eq!(floats("float", "mat2x3(1, 2, 3, 4, 5, 6)[1][2]"), [6.0]);
    assert_eq!(folded("bool", "vec2(1, 2) == vec2(1, 2)"), [Value::Bool(true)]);
    assert_eq!(floats("vec4", "vec4(vec2(1, 2), 3, vec3(4, 5, 6).x)"), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(folded("ivec2", "ivec2(vec2(-1.5, 1.5))"), [Value::Int(-1), Value::Int(1)]);
}

#[test]
fn arrays_and_structures() {
    assert_eq!(floats("float", "float[3](1.0, 2.0, 3.0)[1]"), [2.0]);
    assert_eq!(folded("int", "float[](1.0, 2.0, 3.0).length()"), [Value::Int(3)]);
    assert_eq!(folded("int", "mat3x4(1.0).length()"), [Value::Int(3)]);
    let shader = fragment(
        "struct S { int a; vec2 b[2]; }; const S s = S(1, vec2[](vec2(2, 3), vec2(4, 5)));\n\
         float x[s.a + int(s.b[1].y)]; void main() {}",
    );
    let array = shader.variables.iter().find(|(_, variable)| variable.name == "x").expect("declared").1.ty;
    assert_eq!(shader.types.length(array), Some(6));
}

#[test]
fn functions() {
    assert_eq!(floats("float", "max(1.0, min(3.0, 2.0)) + abs(-1.0)"), [3.0]);
    assert_eq!(floats("vec2", "clamp(vec2(-1, 9), 0.0, 1.0)"), [0.0, 1.0]);
    assert_eq!(floats("float", "dot(vec3(1, 2, 3), vec3(1))"), [6.0]);
    assert_eq!(floats("float", "length(vec2(3, 4))"), [5.0]);
    assert_eq!(floats("vec3", "cross(vec3(1, 0, 0), vec3(0, 1, 0))"), [0.0, 0.0, 1.0]);
    assert_eq!(floats("float", "pow(2.0, 10.0)"), [1024.0]);
    assert_eq!(floats("float", "radians(180.0)"), [f64::from(std::f32::consts::PI)]);
    assert_eq!(floats("mat2x3", "transpose(mat3x2(1, 2, 3, 4, 5, 6))"), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    assert_eq!(floats("mat2", "outerProduct(vec2(1, 2), vec2(3, 4))"), [3.0, 6.0, 4.0, 8.0]);
    assert_eq!(folded("uint", "floatBitsToUint(1.0)"), [Value::Uint(0x3f80_0000)]);
    assert_eq!(floats("float", "uintBitsToFloat(0x40000000u)"), [2.0]);
    assert_eq!(folded("int", "bitCount(255)"), [Value::Int(8)]);
    assert_eq!(folded("bvec2", "lessThan(ivec2(1, 5), ivec2(3))"), [Value::Bool(true), Value::Bool(false)]);
    assert_eq!(floats("float", "mod(-1.0, 3.0)"), [2.0]);
}

#[test]
fn what_is_no_constant() {
    assert_eq!(
        wrong("uniform int n; float x[n]; void main() {}"),
        ["the size of an array must be a constant expression"]
    );
    assert_eq!(wrong("float x[0]; void main() {}"), ["the size of an array is 0; it must be at least 1"]);
    assert_eq!(
        wrong("float x[1.5]; void main() {}"),
        ["the size of an array must be a whole number, and this is `float`"]
    );
    let twice = wrong("void main() { int i = 0; switch (i) { case 1: break; case 2 - 1: break; } }");
    assert_eq!(twice, ["the label 1 stands twice"]);
    // A division by 0 is left to the machine.
    fragment("void main() { int x = 1 / 0; }");
}
