//! Which locations inputs and outputs take, members of blocks among them, and that no two take the same.

use super::Checker;
use crate::errors::{Kind, Problem};
use crate::language::Stage;
use crate::place::Span;
use crate::tree::{Auxiliary, Layout, Storage};
use crate::types::{Scalar, Type};
use std::collections::HashMap;

/// Locations that are looked at: more than any machine has.
const MOST: u32 = 4096;

/// A component of a location of one side: inputs, outputs; of patches or not; of which colour of two.
type Slot = (Storage, bool, u32, u32);

impl Checker<'_> {
    /// Reports locations that two variables take.
    pub(super) fn check_all_locations(&mut self) {
        let mut used: HashMap<Slot, (String, Span)> = HashMap::new();
        for id in self.globals.clone() {
            let Some(variable) = self.variables.get(id) else { continue };
            let is_attribute = self.language.stage == Stage::Vertex && variable.storage == Storage::In;
            // Attributes may share a location: one of them is used at a time.
            if !matches!(variable.storage, Storage::In | Storage::Out)
                || variable.meaning.is_some()
                || is_attribute
            {
                continue;
            }
            let is_patch = variable.auxiliary == Auxiliary::Patch;
            let by_vertex = self.stage_array_side(variable).is_some();
            let (storage, layout, span, name) =
                (variable.storage, variable.layout, variable.span, variable.name.clone());
            let ty = match variable.ty {
                Type::Array(id) if by_vertex => self.types.get_array(id).element,
                other => other,
            };
            let block = variable.block;
            let parts: Vec<(Type, Layout, Span, String)> =
                match block.and_then(|block| self.blocks.get(block)) {
                    None => vec![(ty, layout, span, name)],
                    Some(block) => {
                        let members = &self.types.structure(block.structure).members;
                        let mut parts: Vec<(Type, Layout, Span, String)> = members
                            .iter()
                            .zip(&block.members)
                            .map(|(member, said)| (member.ty, said.layout, member.span, member.name.clone()))
                            .collect();
                        // A member without a location follows the one before.
                        let mut next = layout.location;
                        for (ty, layout, ..) in &mut parts {
                            layout.location = layout.location.or(next);
                            let count = self.locations(*ty);
                            next = layout.location.map(|at| at.saturating_add(count));
                        }
                        parts
                    }
                };
            if let Some(id) = block {
                for (member, (_, layout, ..)) in self.blocks[id].members.iter_mut().zip(&parts) {
                    member.layout.location = layout.location;
                }
            }
            for (ty, layout, span, name) in parts {
                let Some(location) = layout.location else { continue };
                self.take_locations(&mut used, storage, is_patch, ty, layout, location, span, &name);
            }
        }
    }

    /// How many locations a type takes.
    fn locations(&mut self, ty: Type) -> u32 {
        match ty {
            Type::Array(_) => {
                let element = self.types.element(ty).unwrap_or(Type::Void);
                let element = self.locations(element);
                element.saturating_mul(self.types.length(ty).unwrap_or(1))
            }
            Type::Struct(id) => {
                if let Some(known) = self.structure_locations.get(&id.0) {
                    return *known;
                }
                let members: Vec<Type> =
                    self.types.structure(id).members.iter().map(|member| member.ty).collect();
                let sum = members.into_iter().fold(0, |sum: u32, ty| sum.saturating_add(self.locations(ty)));
                self.structure_locations.insert(id.0, sum);
                sum
            }
            Type::Matrix(scalar, columns, rows) => {
                u32::from(columns).saturating_mul(self.locations(Type::Vector(scalar, rows)))
            }
            Type::Vector(Scalar::Double | Scalar::Int64 | Scalar::Uint64, 3..) => 2,
            _ => 1,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn take_locations(
        &mut self,
        used: &mut HashMap<Slot, (String, Span)>,
        storage: Storage,
        is_patch: bool,
        ty: Type,
        layout: Layout,
        location: u32,
        span: Span,
        name: &str,
    ) {
        let innermost = self.types.innermost(ty);
        let first = layout.component.unwrap_or(0);
        // A scalar or vector takes its components, everything else whole locations.
        let wide = matches!(innermost.scalar(), Some(Scalar::Double | Scalar::Int64 | Scalar::Uint64));
        let components = match innermost {
            Type::Scalar(_) | Type::Vector(..) => {
                u32::from(innermost.components().unwrap_or(4)) * if wide { 2 } else { 1 }
            }
            _ => 4,
        };
        if layout.component.is_some() {
            if !matches!(innermost, Type::Scalar(_) | Type::Vector(..)) {
                self.error(
                    Kind::Layout,
                    span,
                    format!("`component` of `{name}`, which is no scalar or vector"),
                );
                return;
            }
            if first + components > 4 && !(wide && first == 0) {
                let message =
                    format!("`{name}` has {components} components, and begins at component {first} of 4");
                self.error(Kind::Layout, span, message);
                return;
            }
            if wide && first % 2 == 1 {
                self.error(
                    Kind::Layout,
                    span,
                    format!("`{name}` is of 64 bits, and begins at an odd component"),
                );
                return;
            }
        }
        let count = self.locations(ty).min(MOST);
        if !self.charge((count as usize).saturating_mul(16), span) {
            return;
        }
        let last = first.saturating_add(components).min(4);
        for at in (location..location.saturating_add(count)).take(MOST as usize) {
            for component in first..last {
                let index = layout.index.unwrap_or(0);
                let slot = (storage, is_patch, at, component + 4 * index);
                match used.get(&slot) {
                    None => {
                        used.insert(slot, (name.to_owned(), span));
                    }
                    Some((other, first)) => {
                        let message = format!("`{name}` takes location {at}, which `{other}` has");
                        let problem = Problem::error(Kind::Layout, span, message)
                            .note(Some(*first), "it is declared here");
                        self.report(problem);
                        return;
                    }
                }
            }
        }
    }
}
