//! The vertex program on the vertices of a mesh, and what goes on from there to the pixels.

use super::inputs::{Files, words};
use super::pair::{Attribute, Pair};
use super::pixels::Destination;
use super::scene::{FUEL, SceneError, VERTEX_STEPS};
use super::{Mesh, stand_in};
use crate::verify::{Machine, machine};
use std::collections::BTreeMap;
use unshade_emit::{Binding, BindingKind};
use unshade_ir::Space;
use unshade_isa::mali_gp::lift::viewport;

/// Where a value that is interpolated comes from, and whether it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) flat: bool,
}

/// A vertex: place in clip space, and the values that go on, in the order of the links.
#[derive(Debug, Clone, Default)]
pub(super) struct Vertex {
    pub(super) clip: [f32; 4],
    pub(super) values: Vec<u32>,
}

/// The name of a uniform without that of its block and without the index of its first element.
pub(super) fn own_name(name: &str) -> &str {
    let name = name.rsplit('.').next().unwrap_or(name);
    name.strip_suffix("[0]").unwrap_or(name)
}

/// What goes from the vertices to the pixels.
pub(super) struct Passed {
    pub(super) links: Vec<Link>,
    /// Of each the word of the vertex program's outputs, as binding and word; none where nothing gives it.
    from: Vec<Option<(u32, u32)>>,
    pub(super) to: Vec<Destination>,
}

impl Passed {
    pub(super) fn new(pair: &Pair) -> Self {
        let mut passed = Self { links: Vec::new(), from: Vec::new(), to: Vec::new() };
        let outputs = || pair.vertex.iter().flat_map(|coded| &coded.interface);
        let is_output = |binding: &&Binding| matches!(binding.kind, BindingKind::Output { .. });
        match &pair.fragment {
            Some(coded) => {
                for input in stand_in::inputs(&coded.interface) {
                    let from = outputs().filter(is_output).find(|output| output.name == input.name);
                    passed.add(input, from);
                }
            }
            None => {
                let shown = pair.vertex.as_ref().and_then(|coded| stand_in::shown(&coded.interface));
                if let Some(shown) = shown {
                    passed.add(shown, Some(shown));
                }
            }
        }
        passed
    }

    fn add(&mut self, to: &Binding, from: Option<&Binding>) {
        let components = usize::from(to.components.max(1));
        for (n, word) in words(to).enumerate() {
            let (element, component) = (n / components, n % components);
            let source = from.and_then(|from| {
                let count = usize::from(from.components);
                let word = words(from).nth(element * count + component)?;
                (component < count).then_some((from.machine.binding, word))
            });
            self.links.push(Link { flat: to.flat });
            self.from.push(source);
            self.to.push(Destination { binding: to.machine.binding, word });
        }
    }
}

/// Runs the vertex program on all vertices.
pub(super) fn vertices(
    pair: &Pair,
    mesh: &Mesh,
    values: &BTreeMap<&str, &[f32]>,
    passed: &Passed,
    steps: &mut u64,
) -> Result<Vec<Vertex>, SceneError> {
    let all = mesh.positions.iter().zip(&mesh.normals).zip(&mesh.uvs);
    let all = all.map(|((position, normal), uv)| (*position, *normal, *uv));
    let Some(coded) = &pair.vertex else {
        let interface = pair.fragment.as_ref().map_or(&[][..], |coded| &coded.interface);
        let matrix = |name: &str| -> stand_in::Matrix {
            let given = values.get(name).copied().unwrap_or_default();
            std::array::from_fn(|n| given.get(n).copied().unwrap_or(0.0))
        };
        let matrices = [matrix("preview_projection"), matrix("preview_world")];
        let one = |vertex| {
            let (clip, given) = stand_in::run_vertex(interface, matrices.each_ref(), vertex);
            let inputs = stand_in::inputs(interface).zip(given);
            let values = inputs.flat_map(|(input, value)| {
                let components = usize::from(input.components.clamp(1, 4));
                (0..input.elements.max(1)).flat_map(move |_| value.into_iter().take(components))
            });
            Vertex { clip, values: values.collect() }
        };
        return Ok(all.map(one).collect());
    };
    let stage = &coded.stage;
    let runner = machine(stage).map_err(SceneError::Machine)?;
    let mut files = Files::of(stage);
    files.uniforms(&coded.interface, |name| values.get(own_name(name)).copied());
    if coded.restored {
        // The identity: what is stored is x/w, y/w, z/w, 1/w.
        let symbol = stage.interface.symbols.iter().find(|symbol| symbol.name == viewport::UNIFORM);
        if let Some(offset) = symbol.and_then(|symbol| symbol.offset) {
            for n in 0..8 {
                let part = if n < 4 { 1.0_f32 } else { 0.0 };
                files.set(Space::Uniform, 0, u32::from(offset) + n, part.to_bits());
            }
        }
    }
    let outputs = Outputs::new(&*runner);
    let position: Vec<(usize, usize)> = coded
        .interface
        .iter()
        .filter_map(|binding| match binding.kind {
            BindingKind::Position { component } => Some((binding, component)),
            _ => None,
        })
        .flat_map(|(binding, first)| {
            (usize::from(first)..)
                .zip(words(binding))
                .filter_map(|(component, word)| Some((component, outputs.at(binding.machine.binding, word)?)))
        })
        .collect();
    let from: Vec<Option<usize>> =
        passed.from.iter().map(|from| from.and_then(|(binding, word)| outputs.at(binding, word))).collect();
    let mut made = Vec::with_capacity(mesh.positions.len());
    for (number, vertex) in all.enumerate() {
        attributes(&mut files, &coded.interface, &pair.attributes, vertex, number);
        let (result, took) = runner.run(&files.0, FUEL);
        *steps += took;
        if *steps > VERTEX_STEPS {
            return Err(SceneError::Vertices);
        }
        let result = result.and_then(|words| words.into_iter().next()).ok_or(SceneError::Vertex(number))?;
        let word = |at: usize| result.get(at).copied().unwrap_or(0);
        let mut clip = [0.0, 0.0, 0.0, 1.0];
        for (component, at) in &position {
            if let Some(part) = clip.get_mut(*component) {
                *part = f32::from_bits(word(*at));
            }
        }
        if coded.restored {
            let [x, y, z, inverse] = clip;
            let w = 1.0 / inverse;
            clip = [x * w, y * w, z * w, w];
        }
        let values = from.iter().map(|from| from.map_or(0, word)).collect();
        made.push(Vertex { clip, values });
    }
    Ok(made)
}

/// Where the words of output bindings are in what leaves a program.
struct Outputs(Vec<(u32, usize, usize)>);

impl Outputs {
    fn new(machine: &dyn Machine) -> Self {
        let mut start = 0;
        let mut files = Vec::new();
        for (binding, words) in machine.output_files() {
            files.push((binding, start, words));
            start += words;
        }
        Self(files)
    }

    fn at(&self, binding: u32, word: u32) -> Option<usize> {
        let (_, start, words) = self.0.iter().find(|(known, ..)| *known == binding)?;
        let word = word as usize;
        (word < *words).then_some(start + word)
    }
}

/// Gives the inputs of the vertex program what the mesh has.
fn attributes(
    files: &mut Files,
    interface: &[Binding],
    gives: &[(String, Attribute)],
    (position, normal, uv): ([f32; 3], [f32; 3], [f32; 2]),
    number: usize,
) {
    for (input, (_, gives)) in stand_in::inputs(interface).zip(gives) {
        let [x, y, z] = position;
        let [nx, ny, nz] = normal;
        let [u, v] = uv;
        let own = match gives {
            Attribute::Position => [x, y, z, 1.0],
            Attribute::Normal => [nx, ny, nz, 1.0],
            Attribute::Uv => [u, v, 0.0, 1.0],
            Attribute::White => [1.0; 4],
            Attribute::Nothing => [0.0; 4],
        };
        let components = usize::from(input.components.max(1));
        for (n, word) in words(input).enumerate() {
            // Further elements of an array have what an attribute without an array has.
            let value = if n < components { own } else { [0.0, 0.0, 0.0, 1.0] };
            let part = value.get(n % components).copied().unwrap_or(0.0);
            files.set(Space::Input, input.machine.binding, word, part.to_bits());
        }
    }
    for binding in interface.iter().filter(|binding| binding.name == "gl_VertexID") {
        files.set(binding.machine.space, binding.machine.binding, binding.machine.first, number as u32);
    }
}
