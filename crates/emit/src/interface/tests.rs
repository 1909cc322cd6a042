//! Layouts and locations.

use super::*;

fn global(space: Space, offset: u32, shape: Shape) -> GlobalVar {
    let name = format!("{space:?}{offset}");
    let global = Global { location: offset / 4, ..Global::new(name, space, 0, offset, shape) };
    GlobalVar { global, matrix_rows: None }
}

const RULES: Rules = Rules {
    components: true,
    matrix_outputs: true,
    varying_locations: true,
    loose: false,
    buffer: None,
    samplers: None,
};

fn float(components: u8, elements: u32) -> Shape {
    Shape::Float { components, elements }
}

fn places(globals: Vec<GlobalVar>, components: bool) -> Vec<(u32, u8)> {
    let program = Program { globals, ..Program::default() };
    let rules = Rules { components, ..RULES };
    let slots = slots(&program, StageKind::Vertex, rules).unwrap();
    slots.iter().map(|slot| (slot.place, slot.component)).collect()
}

#[test]
fn uniforms_follow_std140() {
    let shapes = [
        (float(1, 0), 0),
        (float(3, 0), 16),
        (float(1, 0), 28),
        (float(2, 0), 32),
        (float(2, 0), 40),
        (float(1, 3), 48),
        (Shape::Bool { components: 1, elements: 0 }, 96),
        (Shape::Bool { components: 1, elements: 2 }, 112),
        (Shape::Int { components: 4, elements: 0 }, 144),
        (Shape::Int { components: 1, elements: 0 }, 160),
        (float(4, 0), 176),
    ];
    let globals = shapes.iter().map(|&(shape, _)| global(Space::Uniform, 0, shape)).collect();
    let offsets: Vec<u32> = places(globals, true).into_iter().map(|(offset, _)| offset).collect();
    assert_eq!(offsets, shapes.map(|(_, offset)| offset));
    let mut matrix = global(Space::Uniform, 0, float(4, 3));
    matrix.matrix_rows = Some(3);
    let after = vec![global(Space::Uniform, 0, float(1, 0)), matrix, global(Space::Uniform, 0, float(1, 0))];
    assert_eq!(places(after, true), [(0, 0), (16, 0), (64, 0)]);
}

#[test]
fn outputs_get_locations_of_their_own() {
    let output = |offset, components| global(Space::Output, offset, float(components, 0));
    // Two in one register, side by side.
    assert_eq!(places(vec![output(4, 2), output(6, 2)], true), [(1, 0), (1, 2)]);
    assert_eq!(places(vec![output(4, 2), output(6, 2)], false), [(1, 0), (0, 0)]);
    // The same register twice: the second moves, to where nobody else is.
    assert_eq!(places(vec![output(4, 4), output(4, 4), output(0, 4)], true), [(1, 0), (2, 0), (0, 0)]);
    // An array takes a location for each element.
    let array = global(Space::Output, 4, float(4, 3));
    assert_eq!(places(vec![array, output(8, 4)], true), [(1, 0), (0, 0)]);
}

#[test]
fn what_has_no_place_is_refused() {
    let refuse = |variable: GlobalVar| {
        let program = Program { globals: vec![variable], ..Program::default() };
        let rules = RULES;
        slots(&program, StageKind::Vertex, rules).unwrap_err().to_string()
    };
    assert!(refuse(global(Space::Shared, 0, float(4, 0))).contains("Shared"));
    assert!(
        refuse(global(Space::Input, 0, Shape::Bool { components: 1, elements: 0 })).contains("truth value")
    );
    assert!(refuse(global(Space::Output, 3, float(2, 0))).contains("component"));
    assert!(refuse(global(Space::Output, 0, float(4, 100))).contains("100"));
    assert!(refuse(global(Space::Uniform, 0, float(4, u32::MAX))).contains("4 GiB"));
    assert!(refuse(global(Space::Uniform, 0, float(5, 0))).contains("components"));
}
