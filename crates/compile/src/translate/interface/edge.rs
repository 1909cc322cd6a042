//! Inputs and outputs: by location, and what the pipeline knows.

use super::super::place::{Kind, Place, Rule, Words};
use super::super::{Result, Translator};
use super::declare::Qualifiers;
use super::{Variable, take};
use std::collections::BTreeSet;
use unshade_glsl::language::Stage;
use unshade_glsl::tree::{self, Auxiliary, Meaning, Storage as Kept, Variable as Declared, VariableId};
use unshade_glsl::types::Type;
use unshade_ir::{Global, Shape, Space};

/// Most vertices that a patch has.
const PATCH_VERTICES: u32 = 32;

/// How a variable on an edge of the stage is declared.
#[derive(Clone, Copy)]
struct Edge {
    space: Space,
    /// Each vertex has one: how many there are.
    vertices: u32,
    is_patch: bool,
}
/// A variable with its parts in the first vertex.
type Placed = (VariableId, Edge, Vec<(Place, Variable, Global)>);

impl Translator<'_> {
    pub(super) fn place_edge(&mut self, space: Space) -> Result<()> {
        let shader = self.shader;
        let ids = self.globals(|variable| match space {
            Space::Input => variable.storage == Kept::In,
            _ => matches!(variable.storage, Kept::Out | Kept::InOut),
        });
        let edges: Vec<(VariableId, Edge)> =
            ids.into_iter().map(|id| (id, self.edge(&shader.variables[id], space))).collect();
        // First what each vertex has, then what is there once.
        let mut words = 0_u32;
        for once in [false, true] {
            let mut group: Vec<_> =
                edges.iter().copied().filter(|(_, edge)| once == (edge.vertices == 0)).collect();
            // Locations that the text names are taken first.
            let is_built_in = |id: &VariableId| shader.variables[*id].meaning.is_some();
            let base = words;
            let mut taken = BTreeSet::new();
            for (id, _) in group.iter().filter(|(id, _)| !is_built_in(id)) {
                self.declared_locations(*id, &mut taken);
            }
            let mut end = taken.last().map_or(0, |last| last.saturating_add(1));
            let mut located = Vec::new();
            for (id, edge) in group.iter().filter(|(id, _)| !is_built_in(id)) {
                let variable = &shader.variables[*id];
                let ty = self.without_vertices(variable.ty, *edge);
                let location = match (variable.layout.location, variable.block) {
                    (Some(location), _) => location,
                    (None, Some(block))
                        if shader.blocks[block].members.iter().any(|m| m.layout.location.is_some()) =>
                    {
                        0
                    }
                    (None, Some(block))
                        if shader.blocks[block].members.iter().all(|m| m.meaning.is_some()) =>
                    {
                        0
                    }
                    _ => take(&mut taken, self.locations(ty)),
                };
                end = end.max(taken.last().map_or(0, |last| last.saturating_add(1)));
                located.push((*id, *edge, location));
            }
            let mut next = base.saturating_add(end.saturating_mul(4));
            let mut pending = Vec::new();
            for (id, edge, location) in located {
                pending.push((id, edge, base.saturating_add(location.saturating_mul(4)), Some(location)));
            }
            group.retain(|(id, _)| is_built_in(id));
            for (id, edge) in group {
                let size = self.built_in_words(id, edge);
                pending.push((id, edge, next, None));
                next = next.saturating_add(size);
            }
            // Blocks of built-in members that the text declares itself.
            let mut placed = Vec::new();
            for (id, edge, at, location) in pending {
                placed.push(self.place_on_edge(id, edge, at, location, &mut next)?);
            }
            let stride = next.saturating_sub(base).next_multiple_of(4);
            let vertices = edges.iter().map(|(_, edge)| edge.vertices).max().unwrap_or(0);
            for (id, edge, members) in placed {
                self.finish_on_edge(id, edge, members, stride);
            }
            words = if once { next } else { base.saturating_add(stride.saturating_mul(vertices.max(1))) };
        }
        Ok(())
    }

    /// How often something is there.
    fn edge(&self, variable: &Declared, space: Space) -> Edge {
        let shader = self.shader;
        let is_patch = variable.auxiliary == Auxiliary::Patch
            || matches!(
                variable.meaning,
                Some(Meaning::TessLevelInner | Meaning::TessLevelOuter | Meaning::BoundingBox)
            );
        let is_array = matches!(variable.ty, Type::Array(_));
        let own = variable.meaning.is_none()
            || matches!(
                variable.meaning,
                Some(Meaning::In | Meaning::Out | Meaning::Position | Meaning::PointSize)
            );
        let vertices = match (shader.stage, space) {
            _ if is_patch || !is_array || !own => 0,
            (Stage::Geometry, Space::Input) => {
                let input = shader.layout.geometry.input.map_or(6, tree::GeometryInput::vertices);
                self.types().length(variable.ty).unwrap_or(input)
            }
            (Stage::TessellationControl | Stage::TessellationEvaluation, Space::Input) => PATCH_VERTICES,
            (Stage::TessellationControl, Space::Output) => {
                let stated = shader.layout.tessellation.vertices;
                stated.or(self.types().length(variable.ty)).unwrap_or(PATCH_VERTICES)
            }
            _ => 0,
        };
        Edge {
            space,
            vertices,
            is_patch: is_patch
                && matches!(shader.stage, Stage::TessellationControl | Stage::TessellationEvaluation),
        }
    }

    fn without_vertices(&self, ty: Type, edge: Edge) -> Type {
        match ty {
            Type::Array(id) if edge.vertices > 0 => self.types().get_array(id).element,
            other => other,
        }
    }

    fn locations(&self, ty: Type) -> u32 {
        (self.extent(ty, Rule::Location) / 4).max(1)
    }

    /// The locations that the text names.
    fn declared_locations(&self, id: VariableId, taken: &mut BTreeSet<u32>) {
        let variable = &self.shader.variables[id];
        let edge =
            self.edge(variable, if variable.storage == Kept::In { Space::Input } else { Space::Output });
        let mut claim =
            |location: u32, count: u32| taken.extend(location..location.saturating_add(count.min(1 << 12)));
        if let Some(block) = variable.block {
            let block = &self.shader.blocks[block];
            for (member, declared) in
                block.members.iter().zip(&self.types().structure(block.structure).members)
            {
                if let Some(location) = member.layout.location {
                    claim(location, self.locations(declared.ty));
                }
            }
        }
        if let Some(location) = variable.layout.location {
            claim(location, self.locations(self.without_vertices(variable.ty, edge)));
        }
    }

    fn built_in_words(&self, id: VariableId, edge: Edge) -> u32 {
        let variable = &self.shader.variables[id];
        if variable.block.is_some() {
            return 0;
        }
        self.extent(self.without_vertices(variable.ty, edge), Rule::Tight).next_multiple_of(4).max(4)
    }

    /// The parts of a variable with their places in the first vertex.
    fn place_on_edge(
        &mut self,
        id: VariableId,
        edge: Edge,
        at: u32,
        location: Option<u32>,
        next: &mut u32,
    ) -> Result<Placed> {
        let shader = self.shader;
        let variable = &shader.variables[id];
        let ty = self.without_vertices(variable.ty, edge);
        let mut parts = Vec::new();
        let Some(block) = variable.block else {
            let rule = if variable.meaning.is_some() { Rule::Tight } else { Rule::Location };
            let at = at.saturating_add(variable.layout.component.unwrap_or(0));
            let semantic = variable.meaning.and_then(semantic);
            parts.push(self.edge_part(
                &variable.name,
                ty,
                (edge, at, rule),
                (location, semantic),
                &Qualifiers::of(variable),
            ));
            return Ok((id, edge, parts));
        };
        let block = &shader.blocks[block];
        let title = if variable.name.is_empty() { &block.name } else { &variable.name };
        let mut here = at;
        let mut number = location;
        for (member, declared) in block.members.iter().zip(&self.types().structure(block.structure).members) {
            let mut qualifiers = Qualifiers::of(variable);
            qualifiers.member(member);
            if let Some(meaning) = member.meaning {
                let size = self.extent(declared.ty, Rule::Tight).next_multiple_of(4).max(4);
                let place = *next;
                *next = next.saturating_add(size);
                let semantic = semantic(meaning);
                parts.push(self.edge_part(
                    &declared.name,
                    declared.ty,
                    (edge, place, Rule::Tight),
                    (None, semantic),
                    &qualifiers,
                ));
                continue;
            }
            if let Some(stated) = member.layout.location {
                let first = location.unwrap_or(0);
                here = at.saturating_add(stated.saturating_sub(first).saturating_mul(4));
                number = Some(stated);
            }
            let component = member.layout.component.unwrap_or(0);
            let name = format!("{title}.{}", declared.name);
            let place = (edge, here.saturating_add(component), Rule::Location);
            parts.push(self.edge_part(&name, declared.ty, place, (number, None), &qualifiers));
            let taken = self.locations(declared.ty);
            here = here.saturating_add(taken.saturating_mul(4));
            number = number.map(|number| number.saturating_add(taken));
        }
        Ok((id, edge, parts))
    }

    fn edge_part(
        &mut self,
        name: &str,
        ty: Type,
        (edge, at, rule): (Edge, u32, Rule),
        (location, semantic): (Option<u32>, Option<&'static str>),
        qualifiers: &Qualifiers,
    ) -> (Place, Variable, Global) {
        let words = self.unfolded(Words::new(edge.space, 0, at, rule), ty);
        let variable = Variable {
            name: name.to_owned(),
            space: edge.space,
            binding: 0,
            words: Vec::new(),
            scalar: None,
            location,
            component: 0,
            bound: None,
            semantic,
            vertices: edge.vertices,
            vertex_stride: 0,
            is_patch: edge.is_patch,
        };
        let mut global = Global::new(name, edge.space, 0, at, Shape::Float { components: 1, elements: 0 });
        global.location = location.unwrap_or(0);
        global.semantic = semantic.map(str::to_owned);
        global.patch = edge.is_patch;
        global.vertices = edge.vertices;
        global.interpolation = qualifiers.interpolation;
        global.sampling = qualifiers.sampling;
        global.precision = qualifiers.precision;
        global.stream = qualifiers.stream;
        (Place { ty, kind: Kind::Words(words) }, variable, global)
    }

    fn finish_on_edge(
        &mut self,
        id: VariableId,
        edge: Edge,
        parts: Vec<(Place, Variable, Global)>,
        stride: u32,
    ) {
        let variable = &self.shader.variables[id];
        let mut places = Vec::new();
        for (place, mut part, mut global) in parts {
            if edge.vertices > 0 {
                part.vertex_stride = stride;
                global.vertex_stride = stride;
            }
            let name = part.name.clone();
            if let Kind::Words(words) = place.kind {
                self.declare((&global, &part), &name, &words, place.ty);
            }
            places.push(place);
        }
        let home = match (variable.block, edge.vertices) {
            (Some(_), 0) => match variable.ty {
                // Instances of a block, one behind the other.
                Type::Array(_) => Place {
                    ty: variable.ty,
                    kind: Kind::PerVertex(places.into(), self.block_locations(variable)),
                },
                ty => Place { ty, kind: Kind::Parts(places.into()) },
            },
            (Some(_), _) => Place { ty: variable.ty, kind: Kind::PerVertex(places.into(), stride) },
            (None, 0) => Place { ty: variable.ty, ..places.swap_remove(0) },
            (None, _) => {
                let mut place = places.swap_remove(0);
                if let Kind::Words(words) = &mut place.kind {
                    words.rule =
                        Rule::Vertices { stride, has_locations: matches!(words.rule, Rule::Location) };
                }
                Place { ty: variable.ty, ..place }
            }
        };
        if let Some(slot) = self.homes.get_mut(id.index()) {
            *slot = Some(home);
        }
    }

    fn block_locations(&self, variable: &Declared) -> u32 {
        let Type::Array(id) = variable.ty else { return 4 };
        self.extent(self.types().get_array(id).element, Rule::Location)
    }
}

/// What the module calls a built-in variable.
fn semantic(meaning: Meaning) -> Option<&'static str> {
    Some(match meaning {
        Meaning::Position => "position",
        Meaning::PointSize => "point-size",
        Meaning::ClipDistance => "clip-distance",
        Meaning::CullDistance => "cull-distance",
        Meaning::VertexId | Meaning::VertexIndex => "vertex-id",
        Meaning::InstanceId | Meaning::InstanceIndex => "instance-id",
        Meaning::DrawId => "draw-id",
        Meaning::BaseVertex => "base-vertex",
        Meaning::BaseInstance => "base-instance",
        Meaning::PatchVertices => "patch-vertices",
        Meaning::PrimitiveId | Meaning::PrimitiveIdIn => "primitive-id",
        Meaning::InvocationId => "invocation-id",
        Meaning::TessLevelOuter => "tess-level-outer",
        Meaning::TessLevelInner => "tess-level-inner",
        Meaning::TessCoord => "tess-coord",
        Meaning::Layer => "layer",
        Meaning::ViewportIndex => "viewport",
        Meaning::FragCoord => "frag-coord",
        Meaning::FrontFacing => "front-facing",
        Meaning::PointCoord => "point-coord",
        Meaning::SampleId => "sample-id",
        Meaning::SamplePosition => "sample-position",
        Meaning::SampleMaskIn => "sample-mask-in",
        Meaning::SampleMask => "sample-mask",
        Meaning::HelperInvocation => "helper-invocation",
        Meaning::FragDepth => "frag-depth",
        Meaning::FragColor | Meaning::FragData | Meaning::SecondaryFragColor | Meaning::SecondaryFragData => {
            "color"
        }
        Meaning::LastFragData | Meaning::LastFragColor => "framebuffer-color",
        Meaning::NumWorkGroups => "workgroup-count",
        Meaning::WorkGroupId => "workgroup-id",
        Meaning::LocalInvocationId => "local-id",
        Meaning::SubgroupInvocationId => "lane-id",
        _ => return None,
    })
}
