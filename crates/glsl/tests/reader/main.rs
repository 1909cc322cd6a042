//! Tests of the reader of GLSL.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod constants;
mod corpus;
mod errors;
mod glslang;
mod hostile;
mod layouts;
mod overloads;
mod preprocessor;
// What must hold for any text; the fuzz target is the same.
#[path = "../../../../tests/src/properties/glsl.rs"]
mod property;
mod table;
mod trees;

use unshade_glsl::language::Stage;
use unshade_glsl::tree::Shader;
use unshade_glsl::{Options, Reading, read};

/// Reads a text of a stage.
fn reading(stage: Stage, text: &str) -> Reading {
    read(text, &Options::new(stage))
}

/// A text that must be right.
fn shader(stage: Stage, text: &str) -> Shader {
    let reading = reading(stage, text);
    match reading.shader {
        Some(shader) => shader,
        None => panic!("refused:\n{}\n{text}", reading.render()),
    }
}

/// A fragment shader of 4.50 with this in it, which must be right.
fn fragment(body: &str) -> Shader {
    shader(Stage::Fragment, &format!("#version 450\n{body}"))
}

/// What is wrong with a fragment shader of 4.50: messages of its errors in order.
fn wrong(body: &str) -> Vec<String> {
    let reading = reading(Stage::Fragment, &format!("#version 450\n{body}"));
    reading.errors().map(|problem| problem.message.clone()).collect()
}
