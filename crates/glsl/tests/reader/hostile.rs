//! Texts that are made to cost much, and texts that are cut or changed: answered, by a limit's name where it is one, and soon.

use std::time::{Duration, Instant};
use unshade_glsl::errors::Kind;
use unshade_glsl::language::Stage;
use unshade_glsl::preprocess::Include;
use unshade_glsl::{Options, read, read_with};

/// A text that is refused by a limit, in less than a second without optimisation.
fn limited(text: &str, limit: &str) {
    let start = Instant::now();
    let reading = read(text, &Options::new(Stage::Fragment));
    let time = start.elapsed();
    let found = reading.errors().find(|problem| problem.kind == Kind::Limit);
    let found = found
        .unwrap_or_else(|| panic!("no limit for {}: {}", text.get(..60).unwrap_or(text), reading.render()));
    assert!(found.message.contains(limit), "{} instead of {limit}", found.message);
    assert!(time < Duration::from_secs(2), "{limit}: {time:?}");
}

/// A text that is refused or taken soon.
fn soon(text: &str) {
    let start = Instant::now();
    let reading = read(text, &Options::new(Stage::Fragment));
    let _ = reading.render();
    let time = start.elapsed();
    assert!(time < Duration::from_secs(2), "{time:?} for {}", text.get(..60).unwrap_or(text));
}

fn main_with(body: &str) -> String {
    format!("#version 450\nvoid main() {{ {body} }}\n")
}

#[test]
fn macros_that_grow() {
    let mut bomb = "#version 450\n#define A0 1 + 1\n".to_owned();
    for number in 1..64 {
        bomb.push_str(&format!("#define A{number} A{0} + A{0}\n", number - 1));
    }
    bomb.push_str("float x = A63;\n");
    limited(&bomb, "tokens");
    let mut nested = "#version 450\n#define F(x) (x x)\nfloat x = ".to_owned();
    nested.push_str(&"F(".repeat(40));
    nested.push('1');
    nested.push_str(&")".repeat(40));
    limited(&nested, "tokens");
    let mut deep = "#version 450\n#define F(x) x\nfloat x = ".to_owned();
    deep.push_str(&"F(".repeat(1_000));
    limited(&format!("{deep}1{};", ")".repeat(1_000)), "macro_depth");
    let mut chain = "#version 450\n".to_owned();
    for number in 0..20_000 {
        chain.push_str(&format!("#define B{number} B{}\n", number + 1));
    }
    chain.push_str("float x = B0;\n");
    limited(&chain, "macro_depth");
    let conditions = "#if 1\n".repeat(10_000);
    limited(&format!("#version 450\n{conditions}"), "macro_depth");
    let condition = format!("#version 450\n#if {}1\n#endif\n", "(".repeat(100_000));
    limited(&condition, "macro_depth");
}

#[test]
fn nesting() {
    limited(&main_with(&format!("float x = {}1.0{};", "(".repeat(100_000), ")".repeat(100_000))), "nesting");
    limited(&main_with(&"{".repeat(100_000)), "nesting");
    limited(&main_with(&"if (true) ".repeat(100_000)), "nesting");
    limited(&main_with(&format!("float x = {}1.0;", "- ".repeat(100_000))), "nesting");
    limited(&main_with(&format!("int x = {}1;", "true ? 1 : ".repeat(100_000))), "nesting");
    limited(&main_with(&format!("float x; x{};", " = x".repeat(100_000))), "nesting");
    limited(&main_with(&format!("float x = 1.0{};", " + 1.0".repeat(100_000))), "chain");
    limited(&main_with(&format!("float x = 1.0; x{};", ", x".repeat(100_000))), "chain");
    limited(&main_with(&format!("vec2 v; v{};", ".xy".repeat(100_000))), "chain");
    limited(
        &format!("#version 450\nfloat x = {}1.0{};", "float(".repeat(100_000), ")".repeat(100_000)),
        "nesting",
    );
    limited(&format!("#version 450\nfloat x{};", "[1]".repeat(1000)), "nesting");
    limited(&format!("#version 450\nfloat x[] = {}1.0;", "{".repeat(100_000)), "nesting");
    limited(&format!("#version 450\n{}", "struct S { ".repeat(100_000)), "nesting");
    soon(&main_with(&"[".repeat(100_000)));
    soon(&main_with(&"a[".repeat(50_000)));
    soon(&"(".repeat(100_000));
    soon(&"}".repeat(100_000));
    soon(&"layout(".repeat(50_000));
}

#[test]
fn sizes() {
    limited("#version 450\nfloat x[2000000000];\nvoid main() {}", "type_size");
    limited("#version 430\nfloat x[60000][60000][60000];\nvoid main() {}", "type_size");
    let mut structures = "#version 450\nstruct S0 { vec4 a, b; };\n".to_owned();
    for number in 1..64 {
        structures.push_str(&format!("struct S{number} {{ S{0} a, b; }};\n", number - 1));
    }
    limited(&structures, "type_size");
    // A constant that is larger than what is computed stays an expression.
    soon("#version 450\nconst float x[100000] = float[100000](1.0);\nvoid main() {}");
    let list = "1.0, ".repeat(100_000);
    soon(&format!("#version 450\nconst float x[] = float[]({list}1.0);\nvoid main() {{}}"));
    soon(&main_with(&"x;".repeat(100_000)));
    let many: String = (0..20_000).map(|number| format!("float v{number};\n")).collect();
    soon(&format!("#version 450\n{many}void main() {{ nothing; }}"));
    let many: String = (0..5_000).map(|number| format!("void f(float a[{}]) {{}}\n", number + 1)).collect();
    soon(&format!("#version 450\n{many}void main() {{ f(1); }}"));
    limited(&" ".repeat(9 << 20), "bytes");
    limited(&"x ".repeat(2 << 20), "tokens");
    soon(&format!("#version 450\nfloat {} = 1.0;", "a".repeat(1 << 20)));
    soon(&format!("#version 450\nfloat a = {};", "9".repeat(1 << 20)));
    soon(&format!("#version 450\nfloat a = 1e{};", "9".repeat(1 << 20)));
    soon("#version 450\nfloat a = 1e99999999, b = 1e-99999999; int c = 1 << 4000000000u;\nvoid main() {}");
    soon(
        "#version 450\nconst int a = -2147483648 / -1; const int b = -2147483648 % -1; const uint c = 1u << 33;\nvoid main() {}",
    );
    soon(
        "#version 450\nlayout(std140) uniform B { layout(offset = 4294967280) vec4 a; vec4 b[1000]; };\nvoid main() {}",
    );
    soon(
        "#version 450\nlayout(binding = 0, offset = 4294967292) uniform atomic_uint a[9]; layout(binding = 0) uniform atomic_uint b;\nvoid main() {}",
    );
}

#[test]
fn searches_without_end() {
    let functions: String =
        (0..4_000).map(|number| format!("void f(float a[{}]) {{}}\n", number + 1)).collect();
    let calls = "f(v);".repeat(60_000);
    limited(&format!("#version 450\nfloat v[4000];\n{functions}void main() {{ {calls} }}"), "work");
    let members: String = (0..20_000).map(|number| format!("float m{number};")).collect();
    let uses = "s.m19999;".repeat(60_000);
    limited(&format!("#version 450\nstruct S {{ {members} }} s;\nvoid main() {{ {uses} }}"), "work");
    let list = "1.0, ".repeat(4_000);
    let copies = "true ? x[1] : x[0];".repeat(60_000);
    let array =
        format!("const float[4001] y = float[]({list}1.0); const float[2][4001] x = float[2][4001](y, y);");
    soon(&format!("#version 450\n{array}\nvoid main() {{ {copies} }}"));
    let labels: String = (0..100_000).map(|number| format!("case {number}:")).collect();
    soon(&main_with(&format!("int i; switch (i) {{ {labels} break; }}")));
    soon(&"#extension GL_ARB_gpu_shader6 : enable\n".repeat(50_000));
    soon(&format!("#version 450\n{}", "#extension GL_ARB_gpu_shader5 : enable\nint;\n".repeat(50_000)));
    soon(&format!("#version 450\n{}", "#line 5\n__LINE__;\n".repeat(50_000)));
    let parameters: String = (0..50_000).map(|number| format!("p{number},")).collect();
    soon(&format!("#define F({parameters} q) q\n"));
    let names: String = (0..50_000).map(|number| format!("a{number},")).collect();
    let uses: String = (0..50_000).map(|number| format!("a{number};")).collect();
    soon(&format!("#version 450\nfloat {names} = ;\nvoid main() {{ {uses} }}"));
    let blocks: String =
        (0..30_000).map(|number| format!("uniform B{number} {{ float c{number}; }};\n")).collect();
    soon(&format!("#version 450\n{blocks}void main() {{}}"));
    let functions: String = (0..30_000).map(|number| format!("void g{number}() {{}}\n")).collect();
    let calls: String = (0..30_000).map(|number| format!("g{number}();")).collect();
    soon(&format!("#version 450\n{functions}void main() {{ {calls} }}"));
    // Structures in structures, each twice, in many blocks.
    let mut text = "#version 450\nstruct S0 { vec3 a; };\n".to_owned();
    for number in 1..22 {
        text.push_str(&format!("struct S{number} {{ S{0} a; S{0} b; }};\n", number - 1));
    }
    for number in 0..1_000 {
        text.push_str(&format!("layout(std140) uniform B{number} {{ S21 a{number}; }};\n"));
        text.push_str(&format!("layout(location = 0) out S21 o{number};\n"));
    }
    soon(&format!("{text}void main() {{}}"));
    let inputs: String = (0..30_000)
        .map(|number| format!("layout(location = {}) in vec4 i{number}[4096];\n", number * 4096))
        .collect();
    soon(&format!("#version 450\n{inputs}void main() {{}}"));
}

#[test]
fn files_that_include_themselves() {
    for text in ["#include \"me\"\n", "#include \"me\"\n#include \"me\"\n"] {
        let mut find = |include: Include<'_>| Ok((include.name.to_owned(), text.to_owned()));
        let options = Options::new(Stage::Fragment);
        let start = Instant::now();
        let reading = read_with(text, &options, &mut find);
        assert!(
            reading.errors().any(|problem| problem.message.contains("include_depth")),
            "{}",
            reading.render()
        );
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn errors_end() {
    let text = main_with(&(0..1000).map(|number| format!("x{number};\n")).collect::<String>());
    let reading = read(&text, &Options::new(Stage::Fragment));
    assert_eq!(reading.errors().count(), 41);
    assert!(reading.errors().any(|problem| problem.message.contains("(limit `errors`)")));
}

/// Samples of the project: stage and text.
fn samples() -> Vec<(Stage, String)> {
    crate::corpus::golden().into_iter().map(|(_, stage, text)| (stage, text)).collect()
}

#[test]
fn cut_and_flipped() {
    let mut count = 0;
    for (number, (stage, text)) in samples().into_iter().enumerate() {
        let bytes = text.as_bytes();
        let stage = Stage::ALL.iter().position(|other| *other == stage).unwrap_or(0);
        let first = u8::try_from(stage).unwrap_or(0) | if number % 3 == 0 { 0x40 } else { 0 };
        let check = |text: &[u8]| crate::property::glsl(&[&[first], text].concat());
        let step = (bytes.len() / 24).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let end = (at + 7).min(bytes.len());
            check(&bytes[..at]);
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << (at % 8);
            check(&flipped);
            // A few bytes gone, and twice.
            check(&[&bytes[..at], &bytes[end..]].concat());
            check(&[&bytes[..end], &bytes[at..]].concat());
            count += 4;
        }
    }
    assert!(count > 7_000, "{count}");
}
