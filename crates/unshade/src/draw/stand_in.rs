//! What is drawn in the place of a stage that the file has not: a vertex program that turns the mesh and gives each input of
//! the fragment program what its name suggests, or a fragment program that shows an output of the vertex program. Each is
//! there twice, as GLSL and computed here.

use std::fmt::Write as _;
use unshade_emit::{Binding, BindingKind};
use unshade_ir::ast::Scalar;

/// What an input of a fragment program is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gives {
    Coordinates,
    Normal,
    /// The direction to the eye.
    Eye,
    Place,
    Colour,
}

impl Gives {
    /// By its name, else by its size.
    fn of(binding: &Binding) -> Self {
        let name = binding.name.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let ends = |parts: &[&str]| parts.iter().any(|part| name.ends_with(part));
        let without_number = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if has(&["uv", "tex", "coord"]) || without_number.ends_with("st") {
            Self::Coordinates
        } else if has(&["norm", "nrm"]) || ends(&["_n"]) || name == "n" {
            Self::Normal
        } else if has(&["eye", "view", "dir"]) || ends(&["_e"]) {
            Self::Eye
        } else if has(&["pos", "world"]) {
            Self::Place
        } else if has(&["col"]) {
            Self::Colour
        } else if binding.components == 3 {
            Self::Normal
        } else {
            Self::Coordinates
        }
    }

    fn glsl(self) -> &'static str {
        match self {
            Self::Coordinates => "vec4(preview_uv, 0.0, 1.0)",
            Self::Normal => "vec4(normal, 0.0)",
            Self::Eye => "vec4(-place.xyz, 0.0)",
            Self::Place => "place",
            Self::Colour => "vec4(preview_uv, 0.6, 1.0)",
        }
    }

    fn value(self, [u, v]: [f32; 2], [nx, ny, nz]: [f32; 3], place: [f32; 4]) -> [f32; 4] {
        match self {
            Self::Coordinates => [u, v, 0.0, 1.0],
            Self::Normal => [nx, ny, nz, 0.0],
            Self::Eye => [-place[0], -place[1], -place[2], 0.0],
            Self::Place => place,
            Self::Colour => [u, v, 0.6, 1.0],
        }
    }
}

/// Inputs that the stage in front gives.
pub(super) fn inputs(interface: &[Binding]) -> impl Iterator<Item = &Binding> {
    interface.iter().filter(|binding| matches!(binding.kind, BindingKind::Input { .. }))
}

/// The type of a value, an element or a row, in GLSL.
fn type_name(binding: &Binding) -> String {
    Binding { elements: 0, matrix: false, ..binding.clone() }.type_name()
}

/// A vertex program for these inputs of a fragment program.
pub(super) fn vertex(interface: &[Binding]) -> String {
    let mut text = "#version 300 es\nuniform mat4 preview_projection;\nuniform mat4 preview_world;\n\
        in vec3 preview_position;\nin vec3 preview_normal;\nin vec2 preview_uv;\n"
        .to_owned();
    let mut sets = String::new();
    for input in inputs(interface) {
        let (name, ty) = (&input.name, type_name(input));
        let flat = if input.flat { "flat " } else { "" };
        let array = if input.elements > 0 { format!("[{}]", input.elements) } else { String::new() };
        let _ = writeln!(text, "{flat}out {ty} {name}{array};");
        let from = Gives::of(input).glsl();
        let parts = &"xyzw"[..usize::from(input.components.clamp(1, 4))];
        for element in 0..input.elements.max(1) {
            let at = if input.elements > 0 { format!("[{element}]") } else { String::new() };
            let _ = writeln!(sets, "  {name}{at} = {ty}(({from}).{parts});");
        }
    }
    text += "void main() {\n  vec4 place = preview_world * vec4(preview_position, 1.0);\n  \
        vec3 normal = mat3(preview_world) * preview_normal;\n";
    text += &sets;
    text += "  gl_Position = preview_projection * place;\n}\n";
    text
}

/// Matrices by columns.
pub(super) type Matrix = [f32; 16];

/// A matrix times a vector.
fn times(matrix: &Matrix, vector: [f32; 4]) -> [f32; 4] {
    let (columns, _) = matrix.as_chunks::<4>();
    std::array::from_fn(|row| columns.iter().zip(vector).map(|(column, part)| column[row] * part).sum())
}

/// What [`vertex()`] computes: the position, and of each input in their order one element, as bits.
pub(super) fn run_vertex(
    interface: &[Binding],
    [projection, world]: [&Matrix; 2],
    (position, normal, uv): ([f32; 3], [f32; 3], [f32; 2]),
) -> ([f32; 4], Vec<[u32; 4]>) {
    let [x, y, z] = position;
    let place = times(world, [x, y, z, 1.0]);
    let [nx, ny, nz] = normal;
    let [nx, ny, nz, _] = times(world, [nx, ny, nz, 0.0]);
    let given = inputs(interface).map(|input| {
        let value = Gives::of(input).value(uv, [nx, ny, nz], place);
        value.map(|part| match input.scalar {
            Scalar::Int => part as i32 as u32,
            Scalar::Uint => part as u32,
            _ => part.to_bits(),
        })
    });
    (times(projection, place), given.collect())
}

/// The output of a vertex program that is shown: a colour by its name, or the first.
pub(super) fn shown(interface: &[Binding]) -> Option<&Binding> {
    let mut outputs = interface.iter().filter(|binding| {
        matches!(binding.kind, BindingKind::Output { .. })
            && binding.scalar == Scalar::Float
            && binding.elements == 0
    });
    let first = outputs.next()?;
    let coloured = |binding: &&Binding| binding.name.to_ascii_lowercase().contains("col");
    Some(std::iter::once(first).chain(outputs).find(coloured).unwrap_or(first))
}

/// What is shown without such an output.
const PLAIN: [f32; 3] = [0.6, 0.7, 0.75];

/// A fragment program that shows an output of a vertex program.
pub(super) fn fragment(shown: Option<&Binding>) -> String {
    let mut text = "#version 300 es\nprecision highp float;\n".to_owned();
    let mut colour = "vec4(0.6, 0.7, 0.75, 1.0)".to_owned();
    if let Some(shown) = shown {
        let name = &shown.name;
        let _ = writeln!(text, "in {} {name};", type_name(shown));
        colour = match shown.components {
            1 => format!("vec4(vec3({name}), 1.0)"),
            2 => format!("vec4({name}, 0.5, 1.0)"),
            3 => format!("vec4({name} * 0.5 + 0.5, 1.0)"),
            _ => format!("vec4({name}.xyz, 1.0)"),
        };
    }
    let _ = write!(text, "out vec4 preview_colour;\nvoid main() {{\n  preview_colour = {colour};\n}}\n");
    text
}

/// What [`fragment()`] computes from the components of the output.
pub(super) fn run_fragment(value: &[f32]) -> [f32; 3] {
    match *value {
        [] => PLAIN,
        [all] => [all; 3],
        [red, green] => [red, green, 0.5],
        [x, y, z] => [x, y, z].map(|part| part * 0.5 + 0.5),
        [red, green, blue, ..] => [red, green, blue],
    }
}
