//! What the common language does not have, and texts that mean harm: an error by name, soon.

use super::read;
use std::fmt::Write as _;
use std::path::Path;
use unshade_compile::translate::translate;

/// The message of a text that is read and cannot be translated; what it becomes else.
fn refusal(name: &str, text: &str) -> Result<usize, String> {
    let shader = read(Path::new(name), text).unwrap();
    let translated = translate(&shader).map_err(|error| error.message)?;
    Ok(translated.module.functions.iter().map(|function| function.insts.len()).sum())
}

#[test]
fn what_there_is_no_operation_for() {
    for (text, message) in [
        (
            "#version 450\n#extension GL_ARB_sparse_texture_clamp : require\nuniform sampler2D t; out vec4 c;\n\
             void main() { c = textureClampARB(t, vec2(0.5), 1.0); }",
            "`textureClampARB` has no operation in the common language",
        ),
        (
            "#version 110\nvoid main() { gl_FragColor = vec4(noise1(1.0)); }",
            "`noise1` has no operation in the common language",
        ),
        (
            "#version 450\n#extension GL_ARB_shader_clock : require\nout uvec2 c; void main() { c = clock2x32ARB(); }",
            "`clock2x32ARB` has no operation in the common language",
        ),
    ] {
        assert_eq!(refusal("a.frag", text), Err(message.to_owned()));
    }
}

#[test]
fn chains_of_thousands_of_operations() {
    let mut text = "#version 450\nin float a; out float c; void main() { c = a".to_owned();
    for _ in 0..1900 {
        text.push_str(" + a");
    }
    text.push_str("; }");
    assert!(refusal("a.frag", &text).unwrap() > 1900);
}

#[test]
fn functions_that_call_each_other_without_end_in_sight() {
    // Each calls the one before once: deep. Then twice: 2^40 calls.
    for (calls, expected) in [(1, "inside each other"), (2, "instructions")] {
        let count = if calls == 1 { 2000 } else { 40 };
        let mut text = "#version 450\nout float c;\nfloat f0(float x) { return x + 1.0; }\n".to_owned();
        for n in 1..count {
            let call = vec![format!("f{}(x)", n - 1); calls].join(" + ");
            writeln!(text, "float f{n}(float x) {{ return {call}; }}").unwrap();
        }
        writeln!(text, "void main() {{ c = f{}(1.0); }}", count - 1).unwrap();
        let message = refusal("a.frag", &text).unwrap_err();
        assert!(message.contains(expected) || message.contains("inside each other"), "{message}");
    }
}

#[test]
fn blocks_and_arrays_of_enormous_size() {
    let instances = "#version 450\nlayout(std140) uniform B { vec4 a, b, c, d; } blocks[4096]; out vec4 o;\n\
        void main() { o = blocks[3].a; }";
    assert!(refusal("a.frag", instances).is_ok());
    let mut text = "#version 450\nout vec4 o;\n".to_owned();
    for n in 0..500 {
        writeln!(text, "uniform float u{n}[16384];").unwrap();
    }
    text.push_str("void main() { o = vec4(u1[3]); }");
    assert!(refusal("a.frag", &text).unwrap_err().contains("numbers that go in and out"));
    let whole = "#version 450\nuniform float u[100000]; out vec4 o;\n\
        void main() { float v[100000] = u; o = vec4(v[3]); }";
    assert!(refusal("a.frag", whole).unwrap_err().contains("numbers"));
}
