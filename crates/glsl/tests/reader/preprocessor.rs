//! The preprocessor.

use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::lex::TokenKind;
use unshade_glsl::limits::Limits;
use unshade_glsl::preprocess::{Include, Preprocessed, Settings, preprocess};
use unshade_glsl::{Options, read_with};

fn run(text: &str) -> Preprocessed {
    preprocess(
        text,
        Settings {
            name: "x.frag",
            target: Target::OpenGl,
            version: Version { number: 110, profile: Profile::None },
            defines: &[("OUTSIDE".to_owned(), "7".to_owned())],
            include: None,
            limits: Limits::DEFAULT,
        },
    )
}

/// The tokens as text.
fn tokens(text: &str) -> String {
    let done = run(text);
    let messages: Vec<String> =
        done.problems.clone().into_list().into_iter().map(|one| one.message).collect();
    assert!(!done.problems.has_errors(), "{messages:?}\n{text}");
    let word = |kind| match kind {
        TokenKind::Word(symbol) | TokenKind::Number(symbol) => done.names.text(symbol).to_owned(),
        TokenKind::Sign(sign) => sign.text().to_owned(),
        _ => String::new(),
    };
    let words: Vec<String> = done.tokens.iter().map(|token| word(token.kind)).collect();
    words.join(" ").trim().to_owned()
}

fn errors(text: &str) -> Vec<String> {
    run(text).problems.into_list().into_iter().map(|one| one.message).collect()
}

#[test]
fn macros() {
    assert_eq!(tokens("#define A 1\nA A B"), "1 1 B");
    assert_eq!(tokens("#define F(x, y) x + y\nF(1, (2, 3))"), "1 + ( 2 , 3 )");
    assert_eq!(tokens("#define F(x) x\nF\n(\n4\n)"), "4");
    assert_eq!(tokens("#define F(x) x\nF + 1"), "F + 1");
    assert_eq!(tokens("#define F() 9\nF()"), "9");
    assert_eq!(tokens("#define A A\nA"), "A");
    assert_eq!(tokens("#define A B\n#define B A\nA B"), "A B");
    assert_eq!(tokens("#define F(x) x F(x)\nF(F(1))"), "1 F ( 1 ) F ( 1 F ( 1 ) )");
    assert_eq!(tokens("#define A (x)\n#define F A\nF"), "( x )");
    assert_eq!(tokens("#define G(f, n) f(n)\n#define H(x) x*x\nG(H, 3)"), "3 * 3");
    assert_eq!(tokens("OUTSIDE"), "7");
    assert_eq!(tokens("#define A 1\n#undef A\nA"), "A");
    assert_eq!(tokens("#define A 1\n#define A 1\nA"), "1");
    assert_eq!(tokens("#define LONG 1 + \\\n 2\nLONG"), "1 + 2");
}

#[test]
fn tokens_are_joined() {
    assert_eq!(tokens("#version 150\n#define J(a, b) a##b\nJ(x, 1) J(1, 2) J(+, =)"), "x1 12 +=");
    assert_eq!(
        tokens("#version 150\n#define A 5\n#define J(a, b) a##b\n#define K(a, b) J(a, b)\nJ(A, 1) K(A, 1)"),
        "A1 51"
    );
    assert_eq!(errors("#version 300 es\n#define J(a, b) a##b\n"), ["GLSL ES has no `##`"]);
    assert_eq!(errors("#version 150\n#define J(a) a##*\nJ(/)").len(), 1);
}

#[test]
fn conditions() {
    assert_eq!(tokens("#if 1 + 1 == 2 && !defined(X)\na\n#else\nb\n#endif"), "a");
    assert_eq!(tokens("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"), "b");
    assert_eq!(tokens("#ifdef X\n#if 1\na\n#endif\n#else\nb\n#endif"), "b");
    assert_eq!(tokens("#define X\n#ifndef X\na\n#elif defined X\nb\n#endif"), "b");
    assert_eq!(tokens("#if UNKNOWN\na\n#endif\nb"), "b");
    assert_eq!(tokens("#if (1 << 4 | 3) == 19 && ~0 == -1\na\n#endif"), "a");
    assert_eq!(tokens("#if 0\n\" ' # ** garbage /* #endif */ //\n#endif\nb"), "b");
    assert_eq!(tokens("#version 310 es\n#if 1 || UNKNOWN\na\n#endif"), "a");
    assert_eq!(errors("#if 1 / 0\n#endif"), ["a division by 0"]);
    assert_eq!(errors("#if\n#endif"), ["the condition is missing"]);
    assert_eq!(errors("#if (1\n#endif"), ["`)` is missing in the condition"]);
    assert_eq!(errors("#if 1"), ["a condition that no `#endif` ends"]);
    assert_eq!(errors("#endif"), ["`#endif` without a condition that it ends"]);
    assert_eq!(errors("#if 1\n#else\n#else\n#endif"), ["`#else` behind `#else`"]);
    let unknown = errors("#version 300 es\n#if UNKNOWN\n#endif");
    assert_eq!(unknown, ["`UNKNOWN` is not defined, and GLSL ES does not take it for 0"]);
}

#[test]
fn what_the_language_defines() {
    assert_eq!(tokens("#version 450\n__VERSION__ GL_core_profile GL_ES GL_ARB_gpu_shader5"), "450 1 GL_ES 1");
    assert_eq!(
        tokens("#version 300 es\n__VERSION__ GL_ES GL_EXT_shader_texture_lod GL_ARB_gpu_shader5"),
        "300 1 1 GL_ARB_gpu_shader5"
    );
    assert_eq!(tokens("__LINE__\n__LINE__"), "1 2");
    assert_eq!(tokens("#version 330\n#line 10\n__LINE__\n\n__LINE__"), "10 12");
    assert_eq!(tokens("#version 330\n#line 7 3\n__LINE__ __FILE__"), "7 3");
    assert_eq!(errors("#define GL_x 1").len(), 1);
    assert_eq!(errors("#define defined 1").len(), 1);
}

#[test]
fn versions_and_extensions() {
    let profile = |text: &str| (run(text).version.number, run(text).version.profile);
    assert_eq!(profile("void main() {}"), (110, Profile::None));
    assert_eq!(profile("// note\n#version 330\n"), (330, Profile::Core));
    assert_eq!(profile("#version 450 compatibility\n"), (450, Profile::Compatibility));
    assert_eq!(profile("#version 100\n"), (100, Profile::Es));
    assert_eq!(profile("#version 310 es\n"), (310, Profile::Es));
    assert_eq!(errors("#version 300\n"), ["version 300 is one of GLSL ES"]);
    assert_eq!(errors("#version 451\n"), ["there is no version 451"]);
    assert_eq!(errors("int x;\n#version 450\n"), ["`#version` must be the first thing in the text"]);
    let unknown = errors("#version 450\n#extension GL_ARB_gpu_shader6 : require\n");
    assert_eq!(unknown, ["there is no extension `GL_ARB_gpu_shader6` here"]);
    let done = run("#version 450\n#extension GL_ARB_gpu_shader5 : enable\n#pragma STDGL invariant(all)\n");
    assert_eq!(done.extensions[0].1.name, "GL_ARB_gpu_shader5");
    assert_eq!(done.pragmas, ["STDGL invariant(all)"]);
    assert_eq!(errors("#error this is wrong\n"), ["#error this is wrong"]);
    assert_eq!(errors("#defin X\n"), ["there is no directive `#defin`"]);
}

#[test]
fn arguments_that_do_not_fit() {
    assert_eq!(errors("#define F(x, y) x\nF(1)"), ["the macro `F` takes 2 arguments, and is given 1"]);
    assert_eq!(errors("#define F(x) x\nF(1"), ["the arguments of the macro `F` do not end"]);
    assert_eq!(errors("#define F(x, x) x\n"), ["the parameter `x` stands twice"]);
    assert_eq!(errors("#define A 1\n#define A 2\n"), ["the macro `A` is defined already, as something else"]);
    assert_eq!(errors("int x; /* open\n"), ["a comment begins here and does not end"]);
}

#[test]
fn files_are_included() {
    let mut asked = Vec::new();
    let mut find = |include: Include<'_>| {
        asked.push(format!("{} from {}", include.name, include.from));
        match include.name {
            "a.glsl" => {
                Ok(("dir/a.glsl".to_owned(), "#include <b.glsl>\nfloat a() { return b(); }\n".to_owned()))
            }
            "b.glsl" => Ok(("b.glsl".to_owned(), "float b() { return wrong; }\n".to_owned())),
            _ => Err("not there".to_owned()),
        }
    };
    let options = Options { name: "x.frag".to_owned(), ..Options::new(Stage::Fragment) };
    let text = "#version 450\n#include \"a.glsl\"\n#include \"c.glsl\"\nvoid main() { a(); }\n";
    let reading = read_with(text, &options, &mut find);
    let places: Vec<String> = reading
        .problems
        .iter()
        .map(|problem| format!("{} {}", reading.sources.place(problem.span), problem.message))
        .collect();
    assert_eq!(
        places,
        ["x.frag:3:9 `c.glsl` cannot be included: not there", "b.glsl:1:20 `wrong` is not declared",]
    );
    drop(reading);
    assert_eq!(asked, ["a.glsl from x.frag", "b.glsl from dir/a.glsl", "c.glsl from x.frag"]);
}
