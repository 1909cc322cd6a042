//! The uniforms of what is drawn, with numbers by which there is something to see: a name says what a program does with them.

use super::vertices::own_name;
use serde::Serialize;
use unshade_emit::{Binding, BindingKind};
use unshade_ir::ast::Scalar;

/// Numbers of one uniform that are told: a buffer of 64 KiB.
const MOST_VALUES: usize = 1 << 14;

/// What a matrix of 4x4 does, as far as its name and its place among the others say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// From the mesh to the screen.
    WorldViewProjection,
    /// From the world to the screen.
    ViewProjection,
    /// From the eye to the screen.
    Projection,
    /// From the mesh to the eye.
    WorldView,
    /// From the mesh to the world.
    World,
    /// Nothing.
    Identity,
}

/// A uniform that can be set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Uniform {
    /// Its name in the source, without that of its block.
    pub name: String,
    /// Columns of a matrix; 1: it is none.
    pub columns: u8,
    /// Components of a value or of a column, 1-4.
    pub rows: u8,
    /// It holds integers or truth values.
    pub integer: bool,
    /// What sets a matrix of 4x4.
    pub role: Option<Role>,
    /// Numbers to begin with, column by column, element by element.
    pub values: Vec<f32>,
}

impl Uniform {
    /// A matrix of the preview's own vertex program.
    fn own(name: &str, role: Role) -> Self {
        let values = with_diagonal(4, 4, 16);
        Self { name: name.to_owned(), columns: 4, rows: 4, integer: false, role: Some(role), values }
    }

    fn of(binding: &Binding) -> Self {
        let components = binding.components.max(1);
        let (columns, rows) = binding.matrix_size().map_or((1, components), |size| (size.columns, size.rows));
        let count =
            (binding.elements.max(1) as usize).saturating_mul(usize::from(components)).min(MOST_VALUES);
        let integer = matches!(binding.scalar, Scalar::Int | Scalar::Uint | Scalar::Bool);
        let name = own_name(&binding.name).to_owned();
        let values = if columns > 1 {
            with_diagonal(usize::from(columns), usize::from(rows), count)
        } else {
            let suggested =
                |at| if integer { 0.0 } else { suggestion(&name, usize::from(rows), at % usize::from(rows)) };
            (0..count).map(suggested).collect()
        };
        Self { name, columns, rows, integer, role: None, values }
    }

    fn is_square(&self) -> bool {
        (self.columns, self.rows) == (4, 4)
    }
}

/// Matrices with ones from corner to corner.
fn with_diagonal(columns: usize, rows: usize, count: usize) -> Vec<f32> {
    let one = |at: usize| if (at % (columns * rows)) / rows == at % rows { 1.0 } else { 0.0 };
    (0..count).map(one).collect()
}

/// A number for a component of what has so many, by the name.
fn suggestion(name: &str, components: usize, component: usize) -> f32 {
    let name = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let ends = |parts: &[&str]| parts.iter().any(|part| name.ends_with(part));
    let of_light = name.contains("light") && has(&["pos", "vec"]);
    if has(&["dir"]) || of_light || ends(&["_l"]) {
        [0.4, 0.7, 0.6, 0.0].get(component).copied().unwrap_or(0.0)
    } else if has(&["spec", "pow", "shin"]) {
        // How sharp a highlight is stands alone, or behind its colour.
        if component == 3 || components == 1 { 24.0 } else { 0.6 }
    } else if has(&["uv", "tex"]) && components == 4 {
        // A scale and an offset.
        if component < 2 { 1.0 } else { 0.0 }
    } else if has(&["step", "offset", "texel"]) || name == "d" {
        0.004
    } else {
        0.8
    }
}

/// The uniforms of a pair, each once; those of the preview's own vertex program where that takes part.
pub(super) fn uniforms<'b>(interfaces: impl Iterator<Item = &'b Binding>, stand_in: bool) -> Vec<Uniform> {
    let mut all: Vec<Uniform> = Vec::new();
    if stand_in {
        all.push(Uniform::own("preview_projection", Role::ViewProjection));
        all.push(Uniform::own("preview_world", Role::World));
    }
    let set = |binding: &&Binding| matches!(binding.kind, BindingKind::Uniform { .. } | BindingKind::Loose);
    for binding in interfaces.filter(set) {
        if !all.iter().any(|known| known.name == own_name(&binding.name)) {
            all.push(Uniform::of(binding));
        }
    }
    give_roles(&mut all);
    all
}

/// What each matrix of 4x4 does. Without names the first brings things onto the screen, the second turns them.
fn give_roles(all: &mut [Uniform]) {
    let mut matrices: Vec<&mut Uniform> = all.iter_mut().filter(|uniform| uniform.is_square()).collect();
    for matrix in &mut matrices {
        matrix.role = matrix.role.or_else(|| named(&matrix.name));
    }
    let placed = |role: Option<Role>| {
        matches!(role, Some(Role::WorldViewProjection | Role::ViewProjection | Role::Projection))
    };
    let has_projection = matrices.iter().any(|matrix| matrix.role == Some(Role::Projection));
    let is_placed = matrices.iter().any(|matrix| placed(matrix.role));
    let count = matrices.len();
    let unnamed = matrices.iter_mut().filter(|matrix| matrix.role.is_none());
    for (at, matrix) in unnamed.enumerate() {
        matrix.role = Some(match at {
            0 if !is_placed && count > 1 => Role::ViewProjection,
            0 if !is_placed => Role::WorldViewProjection,
            1 if !is_placed => Role::World,
            _ => Role::Identity,
        });
    }
    // A projection of the eye's space wants a matrix that leads there.
    for matrix in matrices.iter_mut().filter(|matrix| has_projection && matrix.role == Some(Role::World)) {
        matrix.role = Some(Role::WorldView);
    }
}

/// What a name says.
fn named(name: &str) -> Option<Role> {
    let name = name.to_ascii_lowercase();
    let has = |part: &str| name.contains(part);
    // The parts in this order.
    let follow = |parts: &[&str]| {
        let mut rest = name.as_str();
        parts.iter().all(|part| rest.split_once(part).map(|(_, behind)| rest = behind).is_some())
    };
    if has("mvp") || has("wvp") || follow(&["world", "view", "proj"]) {
        Some(Role::WorldViewProjection)
    } else if name == "vp" || follow(&["view", "proj"]) || has("projview") {
        Some(Role::ViewProjection)
    } else if has("proj") {
        Some(Role::Projection)
    } else if has("world") || has("model") || has("mview") || name.ends_with("mtx") {
        Some(Role::World)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_emit::MachineWords;
    use unshade_ir::Space;

    fn matrix(name: &str) -> Binding {
        Binding {
            name: name.to_owned(),
            kind: BindingKind::Loose,
            scalar: Scalar::Float,
            components: 4,
            elements: 4,
            matrix: true,
            by_column: false,
            flat: false,
            machine: MachineWords { space: Space::Uniform, binding: 2, first: 8, stride: 4, as_float: false },
        }
    }

    fn roles(names: &[&str]) -> Vec<Role> {
        let bindings: Vec<Binding> = names.iter().map(|name| matrix(name)).collect();
        uniforms(bindings.iter(), false).iter().filter_map(|uniform| uniform.role).collect()
    }

    #[test]
    fn names_say_what_matrices_do() {
        use Role::*;
        assert_eq!(roles(&["u_mvp"]), [WorldViewProjection]);
        assert_eq!(roles(&["uWorldViewProjection", "uWorld"]), [WorldViewProjection, World]);
        assert_eq!(roles(&["projection", "modelView"]), [Projection, WorldView]);
        assert_eq!(roles(&["Camera.viewProj", "Object.world"]), [ViewProjection, World]);
        assert_eq!(roles(&["u0", "u4", "u8"]), [ViewProjection, World, Identity]);
        assert_eq!(roles(&["u0"]), [WorldViewProjection]);
        assert_eq!(roles(&["cProj", "u0"]), [Projection, Identity]);
    }

    #[test]
    fn matrices_begin_with_ones_from_corner_to_corner() {
        let of = |components, elements, by_column| {
            let made = Uniform::of(&Binding { components, elements, by_column, ..matrix("m") });
            (made.columns, made.rows, made.values)
        };
        // mat3 of columns, twice; mat4x3 by rows; mat2x3 by columns.
        let same = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(of(3, 6, true), (3, 3, same.repeat(2)));
        let (columns, rows, values) = of(4, 3, false);
        assert_eq!((columns, rows, values), (4, 3, [&same[..], &[0.0; 3]].concat()));
        assert_eq!(of(3, 2, true), (2, 3, same[..6].to_vec()));
    }

    #[test]
    fn each_name_is_there_once_and_what_is_no_number_is_not() {
        let sampler = Binding { kind: BindingKind::Sampler { binding: None }, ..matrix("t") };
        let all = [matrix("a"), matrix("Block.a"), sampler];
        let names = |stand_in| {
            uniforms(all.iter(), stand_in).into_iter().map(|uniform| uniform.name).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["a"]);
        assert_eq!(names(true), ["preview_projection", "preview_world", "a"]);
    }
}
