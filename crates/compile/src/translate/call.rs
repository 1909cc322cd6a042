//! Calls: functions are written out where they are called.

use super::place::Place;
use super::{Frame, Result, Translator, Values};
use unshade_glsl::place::Span;
use unshade_glsl::tree::{Argument, FunctionId};
use unshade_glsl::types::{Part, Scalar, Type};

impl Translator<'_> {
    pub(super) fn call(&mut self, id: FunctionId, arguments: &[Argument], span: Span) -> Result<Values> {
        self.within_limits(span)?;
        let shader = self.shader;
        let function = &shader.functions[id];
        let Some(body) = &function.body else {
            return Err(super::unsupported(format!("`{}` is declared and not defined", function.name), span));
        };
        // All arguments first, from left to right; only then what the parameters held before may go.
        let mut given: Vec<(Option<Place>, Values)> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(match *argument {
                Argument::In(value) if self.types().has(self.ty(value), Part::Opaque) => {
                    (Some(self.target(value)?), Values::new())
                }
                Argument::In(value) => (None, self.value(value)?),
                Argument::Out(target) => (Some(self.target(target)?), Values::new()),
                Argument::InOut(target) => {
                    let place = self.target(target)?;
                    let values = self.load(&place, span)?;
                    (Some(place), values)
                }
            });
        }
        let mut before = Vec::new();
        for ((parameter, argument), (place, values)) in function.parameters.iter().zip(arguments).zip(&given)
        {
            let ty = shader.variables[*parameter].ty;
            if self.types().has(ty, Part::Opaque) {
                let place = place.clone().map(|place| Place { ty, ..place });
                let old = place.and_then(|place| self.handles.insert(*parameter, place));
                before.push((*parameter, old));
            } else if !matches!(argument, Argument::Out(_)) {
                let home = self.variable(*parameter, span)?;
                self.store(&home, values, span)?;
            }
        }
        let result = match (function.result, self.results.get(&id)) {
            (Type::Void, _) => None,
            (_, Some(place)) => Some(place.clone()),
            (ty, None) => {
                let place = self.private(&function.name, ty, false, span)?;
                self.results.insert(id, place.clone());
                Some(place)
            }
        };
        let exit = self.code.block();
        self.frames.push(Frame { exit, result: result.clone() });
        let loops = std::mem::take(&mut self.exits);
        let origin = self.origin;
        self.statements(&body.statements)?;
        self.jump(exit);
        self.continue_in(exit);
        self.origin = origin;
        self.code.at(origin);
        self.exits = loops;
        self.frames.pop();
        for (parameter, old) in before {
            match old {
                Some(place) => self.handles.insert(parameter, place),
                None => self.handles.remove(&parameter),
            };
        }
        // The result is read before what is copied out can change it.
        let values = match result {
            Some(place) => self.load(&place, span)?,
            None => Values::new(),
        };
        for ((parameter, argument), (place, _)) in function.parameters.iter().zip(arguments).zip(given) {
            let (Argument::Out(_) | Argument::InOut(_), Some(place)) = (argument, place) else { continue };
            let home = self.variable(*parameter, span)?;
            let mut left = self.load(&home, span)?;
            let scalar = |ty: Type| ty.scalar().unwrap_or(Scalar::Float);
            if home.ty.scalar().is_some() {
                left = self.converted(&left, scalar(home.ty), scalar(place.ty));
            }
            self.store(&place, &left, span)?;
        }
        Ok(values)
    }
}
