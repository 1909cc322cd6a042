//! What can be said when everything was read: `main`, recursion, array sizes, the layouts that a stage needs.

use super::Checker;
use crate::builtins::Meaning;
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since_or};
use crate::place::Span;
use crate::tree::{FunctionId, Storage};
use crate::types::{Length, Part, Type};

impl Checker<'_> {
    /// The function `main` with its body.
    pub(super) fn main(&self) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, function)| function.name == "main" && function.body.is_some())
            .map(|(id, _)| id)
    }

    /// Looks at the whole.
    pub(super) fn end(&mut self) {
        self.check_version();
        self.size_arrays();
        if self.problems.has_errors() {
            return;
        }
        if self.main().is_none() {
            let problem = Problem::error(Kind::Flow, Span::default(), "there is no function `main`");
            self.report(problem.help("`void main() { ... }`"));
            return;
        }
        self.check_calls();
        self.check_colours();
        self.check_colour_locations();
        self.check_all_locations();
        let shared = |is_block: bool| {
            let mut all = self.variables.iter().filter(|(_, one)| one.storage == Storage::Shared);
            all.any(|(_, one)| one.block.is_some() == is_block)
        };
        if shared(true) && shared(false) {
            self.error(Kind::Flow, Span::default(), "`shared` variables inside and outside of blocks");
        }
        let is_ext = self.language.is_enabled("GL_EXT_post_depth_coverage")
            && !self.language.is_enabled("GL_ARB_post_depth_coverage");
        if is_ext && self.layout.post_depth_coverage && !self.layout.early_fragment_tests {
            self.error(Kind::Layout, Span::default(), "`post_depth_coverage` needs `early_fragment_tests`");
        }
        self.check_stage();
    }

    /// The stage must be there in the version.
    fn check_version(&mut self) {
        let since = match self.language.stage {
            Stage::Vertex | Stage::Fragment => return,
            Stage::Geometry => since_or(150, 320, &["GL_EXT_geometry_shader", "GL_OES_geometry_shader"]),
            Stage::TessellationControl | Stage::TessellationEvaluation => since_or(
                400,
                320,
                &["GL_ARB_tessellation_shader", "GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"],
            ),
            Stage::Compute => since_or(430, 310, &["GL_ARB_compute_shader"]),
        };
        let what = format!("{} shaders", self.language.stage);
        self.need(&since, Span::default(), &what);
    }

    /// Arrays without a size get that of their largest index.
    fn size_arrays(&mut self) {
        for id in self.globals.clone() {
            let Some(variable) = self.variables.get(id) else { continue };
            let (ty, span) = (variable.ty, variable.span);
            if variable.layout.xfb_offset.is_some() && self.types.has(ty, Part::Unsized) {
                self.error(Kind::Layout, span, "what goes to transform feedback needs a size");
            }
            self.size_type(ty);
        }
    }

    fn size_type(&mut self, ty: Type) {
        match ty {
            Type::Array(id) => {
                let array = self.types.get_array(id);
                if array.length == Length::Implicit {
                    let largest = self.implicit.get(&id.0).copied().unwrap_or(0);
                    self.types.set_length(id, Length::Known(largest.saturating_add(1)));
                }
                self.size_type(array.element);
            }
            Type::Struct(id) if self.types.structure(id).is_block => {
                let members: Vec<Type> =
                    self.types.structure(id).members.iter().map(|member| member.ty).collect();
                for member in members {
                    if matches!(member, Type::Array(_)) {
                        self.size_type(member);
                    }
                }
            }
            _ => {}
        }
    }

    /// Functions that are called have a body, and none calls itself.
    fn check_calls(&mut self) {
        let count = self.functions.len();
        // 0 is not seen, 1 is on the way, 2 is done.
        let mut states = vec![0u8; count];
        for (start, _) in self.functions.iter().collect::<Vec<_>>() {
            if states.get(start.index()).copied() != Some(0) {
                continue;
            }
            let mut way: Vec<(FunctionId, usize)> = vec![(start, 0)];
            if let Some(state) = states.get_mut(start.index()) {
                *state = 1;
            }
            while let Some((id, next)) = way.last_mut() {
                let Some(function) = self.functions.get(*id) else { break };
                let Some(called) = function.calls.get(*next).copied() else {
                    if let Some(state) = states.get_mut(id.index()) {
                        *state = 2;
                    }
                    way.pop();
                    continue;
                };
                *next += 1;
                match states.get(called.index()).copied() {
                    Some(0) => {
                        if let Some(state) = states.get_mut(called.index()) {
                            *state = 1;
                        }
                        way.push((called, 0));
                    }
                    Some(1) => {
                        let function = &self.functions[called];
                        let (name, span) = (function.name.clone(), function.span);
                        let problem = Problem::error(
                            Kind::Flow,
                            span,
                            format!("`{name}` calls itself, by way of others or at once"),
                        );
                        self.problems.push(problem.help("GLSL has no recursion; a loop does the same"));
                        return;
                    }
                    _ => {}
                }
            }
        }
        // From `main` on, everything that is called must be there.
        let Some(main) = self.main() else { return };
        let mut reached = vec![false; count];
        let mut work = vec![main];
        while let Some(id) = work.pop() {
            match reached.get_mut(id.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let Some(function) = self.functions.get(id) else { continue };
            if function.body.is_none() {
                let (name, span) = (function.name.clone(), function.span);
                let problem = Problem::error(Kind::Flow, span, format!("`{name}` is called and has no body"));
                self.problems.push(problem.label("declared here"));
                continue;
            }
            work.extend(function.calls.iter().copied());
        }
    }

    /// Old and new ways to name the colours do not go together.
    fn check_colours(&mut self) {
        if self.language.stage != Stage::Fragment {
            return;
        }
        let used = |meaning: Meaning| {
            self.variables.iter().any(|(_, variable)| variable.meaning == Some(meaning) && variable.is_used)
        };
        let (color, data) = (used(Meaning::FragColor), used(Meaning::FragData));
        let own = self
            .variables
            .iter()
            .find(|(_, variable)| {
                variable.storage == Storage::Out && variable.meaning.is_none() && variable.is_used
            })
            .map(|(_, variable)| (variable.name.clone(), variable.span));
        if color && data {
            self.error(Kind::Flow, Span::default(), "both `gl_FragColor` and `gl_FragData` are used");
        }
        if let Some((name, span)) = own
            && (color || data)
        {
            let other = if color { "gl_FragColor" } else { "gl_FragData" };
            self.error(Kind::Flow, span, format!("both `{other}` and the output `{name}` are used"));
        }
    }

    /// Several colours of GLSL ES need their locations.
    fn check_colour_locations(&mut self) {
        if self.language.stage != Stage::Fragment || !self.is_es() {
            return;
        }
        let own =
            self.variables.iter().filter(|(_, one)| one.storage == Storage::Out && one.meaning.is_none());
        let colours: Vec<(bool, Span)> =
            own.map(|(_, one)| (one.layout.location.is_some(), one.span)).collect();
        if colours.len() > 1
            && let Some((_, span)) = colours.iter().find(|(is_said, _)| !is_said)
        {
            let problem =
                Problem::error(Kind::Layout, *span, "one of several colours needs a location in GLSL ES");
            self.problems.push(problem.help("`layout(location = 0) out ...`"));
        }
    }

    /// The layouts that a stage cannot do without.
    fn check_stage(&mut self) {
        let missing: &[(bool, &str, &str)] = match self.language.stage {
            Stage::Geometry => &[
                (
                    self.layout.geometry.input.is_none(),
                    "the primitive that it takes",
                    "`layout(triangles) in;`",
                ),
                (
                    self.layout.geometry.output.is_none(),
                    "the primitive that it makes",
                    "`layout(triangle_strip, max_vertices = 3) out;`",
                ),
                (
                    self.layout.geometry.max_vertices.is_none(),
                    "how many vertices it makes",
                    "`layout(max_vertices = 3) out;`",
                ),
            ],
            Stage::TessellationControl => &[(
                self.layout.tessellation.vertices.is_none(),
                "how many vertices it makes",
                "`layout(vertices = 3) out;`",
            )],
            Stage::TessellationEvaluation => {
                &[(self.layout.tessellation.mode.is_none(), "what is divided", "`layout(triangles) in;`")]
            }
            _ => &[],
        };
        let missing: Vec<(&str, &str)> = missing
            .iter()
            .filter(|(is_missing, ..)| *is_missing)
            .map(|(_, what, help)| (*what, *help))
            .collect();
        for (number, (what, help)) in missing.into_iter().enumerate() {
            let message = format!("the {} shader does not say {what}", self.language.stage);
            // All at the start of the text; places that are the same would hide each other.
            let at = u32::try_from(number).unwrap_or(0);
            let span = Span { start: 0, end: at, ..Span::default() };
            self.report(Problem::error(Kind::Layout, span, message).help(help));
        }
    }
}
