use super::*;

/// The words that come out, and what is wrong.
fn run(text: &str, defines: &[(&str, &str)]) -> (String, Vec<String>) {
    let defines: Vec<_> = defines.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let mut files = Files::new(|include| match include.name {
        "a.h" => Ok(File { name: "a.h".to_owned(), text: "#pragma once\nfloat a;\n".to_owned() }),
        "self.h" => Ok(File { name: "self.h".to_owned(), text: "#include \"self.h\"\n".to_owned() }),
        _ => Err("looked nowhere".to_owned()),
    });
    let expanded = expand((0, "main", text), 1, &defines, &mut files);
    let words = expanded.text.split_whitespace().collect::<Vec<_>>().join(" ");
    (words, expanded.findings.into_iter().map(|found| found.message).collect())
}

fn words(text: &str) -> String {
    let (words, wrong) = run(text, &[]);
    assert!(wrong.is_empty(), "{text}: {wrong:?}");
    words
}

#[test]
fn macros_are_written_out() {
    for (text, wanted) in [
        ("#define A 1\nA B A", "1 B 1"),
        ("#define F(x, y) x+y\nF(1, (2,3)) F", "1 + (2,3) F"),
        ("#define F(x) G(x)\n#define G(y) y y\nF(F(1))", "1 1 1 1"),
        ("#define a b\n#define b a\na b", "a b"),
        ("#define F(x) x F(x)\nF(1)", "1 F( 1 )"),
        ("#define J(x, y) x ## y\nJ(vec, 3) J(1, 2)", "vec3 12"),
        ("#define E() e\nE() E ( )", "e e"),
        ("#define M -1\nx = -M;", "x = - -1 ;"),
        ("#define T \\\n 1 /* 2 */ + 3 // 4\nT", "1 + 3"),
        ("#define F(x) x\nF\n(\n1\n)", "1"),
        ("#define L in vec4\n#undef L\nL", "L"),
        ("#define G F\n#define F(x) [x]\nG(1)", "[ 1 ]"),
    ] {
        assert_eq!(words(text), wanted, "{text}");
    }
}

#[test]
fn conditions_choose() {
    let choose =
        |condition: &str| words(&format!("#define A 2\n#define B\n#if {condition}\nyes\n#else\nno\n#endif"));
    for yes in [
        "1",
        "A == 2",
        "defined(A) && !defined C",
        "A + 1 > 2 * 1",
        "(A << 2) == 8 || x",
        "-A < 0",
        "0x10 == 16u",
        "1 + 2 * 3 == 7",
        "A != 3 && (A >= 2)",
        "!C",
        "7 % 4 == 3",
        "10 / 3 == 3",
        "~0 == -1",
        "(1 | 2 ^ 2 & 3) == 1",
    ] {
        assert_eq!(choose(yes), "yes", "{yes}");
    }
    for no in ["0", "A == 3", "C", "defined(C)", "1 < 1"] {
        assert_eq!(choose(no), "no", "{no}");
    }
    assert_eq!(words("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif e"), "b");
    assert_eq!(words("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n#bad\n$ \"\n#endif\nc"), "c");
    assert_eq!(
        words("#version 300 es\n#ifdef GL_ES\na\n#endif\n#if __VERSION__ == 300\nb\n#endif"),
        "#version 300 es a b"
    );
}

#[test]
fn who_compiles_defines() {
    let text = "#if defined(X) && N > 2\nN X\n#endif";
    assert_eq!(run(text, &[("X", "1"), ("N", "3")]).0, "3 1");
    assert_eq!(run(text, &[("X", ""), ("N", "2")]).0, "");
}

#[test]
fn files_are_taken_in() {
    assert_eq!(words("#include \"a.h\"\n#include <a.h>\nb"), "float a; b");
    let (_, wrong) = run("#include \"self.h\"\n#include \"none.h\"\n#include x", &[]);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
}

#[test]
fn all_that_is_wrong_is_told() {
    let (words, wrong) =
        run("a $X$ b\n#foo\n#if 1 +\n#endif\n#else\n#define 1\n@\n#error stop it\n#if 1", &[]);
    assert_eq!(words, "a b");
    let wanted = [
        "`$` is no character of GLSL, found `$X$`",
        "there is no directive `#foo`",
        "the condition ends too early",
        "`#else` stands outside of a condition",
        "`#define` takes the name of a macro",
        "`@` is no character of GLSL",
        "the text says `#error stop it`",
        "this condition has no `#endif`",
    ];
    assert_eq!(wrong, wanted);
    let (_, wrong) = run("#define F(a, b) a\nF(1)\nF(1", &[]);
    assert_eq!(wrong, ["the macro `F` takes 2 arguments, found 1", "the `)` of `F(` is missing"]);
}

#[test]
fn growing_macros_end() {
    let mut text = String::from("#define A0 x x\n");
    for level in 1..40 {
        text.push_str(&format!("#define A{level} A{0} A{0}\n", level - 1));
    }
    let (_, wrong) = run(&format!("{text}A39"), &[]);
    assert_eq!(wrong, ["macros make too much out of this text"]);
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(3000), ")".repeat(3000));
    assert_eq!(run(&deep, &[]).1, ["macros make too much out of this text"]);
}

#[test]
fn places_go_back_to_files() {
    let text = "#define M(x) (x + 1)\n#include \"a.h\"\nint y = M(2);\n";
    let mut files = Files::new(|_| Ok(File { name: "a.h".to_owned(), text: "float a;\n".to_owned() }));
    let expanded = expand((0, "main", text), 1, &[], &mut files);
    let find = |needle: &str| {
        let at = expanded.text.find(needle).unwrap();
        let (file, range) = expanded.map.find(at..at + needle.len());
        (file, [text, "float a;\n"][file][range].to_owned())
    };
    assert_eq!(find("float a"), (1, "float a".to_owned()));
    assert_eq!(find("int y"), (0, "int y".to_owned()));
    assert_eq!(find("+"), (0, "M(2)".to_owned()));
    assert_eq!(find("y ="), (0, "y =".to_owned()));
    assert_eq!(find(";\n"), (1, ";\n".to_owned()));
}
