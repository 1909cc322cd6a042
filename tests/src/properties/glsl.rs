//! Any text of GLSL is read or refused with a reason, in bounded time, and what is read holds together.

use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::limits::Limits;
use unshade_glsl::tree::{ExpressionKind, Shader};
use unshade_glsl::{Options, read};

/// The first byte says stage, API and the version of a text that says none.
pub fn glsl(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let stage = Stage::ALL.get(usize::from(first % 6)).copied().unwrap_or(Stage::Fragment);
    let target = if first & 0x40 == 0 { Target::OpenGl } else { Target::Vulkan };
    let version = match first & 0x80 {
        0 => Version { number: 110, profile: Profile::None },
        _ => Version { number: 100, profile: Profile::Es },
    };
    // Small limits are reached by small texts.
    let limits = Limits { tokens: 1 << 16, ..Limits::DEFAULT };
    let options = Options { target, version, limits, ..Options::new(stage) };
    let text = String::from_utf8_lossy(rest);
    let reading = read(&text, &options);
    for problem in &reading.problems {
        let place = reading.sources.place(problem.span);
        assert!(place.line > 0 && place.column > 0 && place.length > 0, "{problem:?}");
        assert!(!problem.message.is_empty(), "{problem:?}");
    }
    assert!(reading.render().is_empty() == reading.problems.is_empty(), "a problem that is not shown");
    match &reading.shader {
        None => assert!(reading.errors().next().is_some(), "a text is refused without a reason"),
        Some(shader) => {
            assert!(reading.errors().next().is_none(), "a text with an error is taken");
            holds_together(shader);
        }
    }
}

/// Every index is inside its arena, and parts come before the whole.
fn holds_together(shader: &Shader) {
    let entry = shader.functions.get(shader.entry);
    assert!(entry.is_some_and(|function| function.body.is_some()), "no entry");
    for id in &shader.globals {
        assert!(shader.variables.get(*id).is_some(), "a variable that is not there");
    }
    for (id, expression) in shader.expressions.iter() {
        let part = |part: unshade_glsl::tree::ExpressionId| {
            assert!(part < id, "{expression:?} before its part");
        };
        match &expression.kind {
            ExpressionKind::Constant(constant) => {
                let constant = shader.constants.get(*constant).map(|constant| constant.values.len() as u64);
                assert_eq!(constant, Some(shader.types.scalars(expression.ty)), "{expression:?}");
            }
            ExpressionKind::Variable(variable) => assert!(shader.variables.get(*variable).is_some()),
            ExpressionKind::Field { base, .. }
            | ExpressionKind::Swizzle { base, .. }
            | ExpressionKind::Length(base)
            | ExpressionKind::Convert { value: base, .. }
            | ExpressionKind::Splat(base)
            | ExpressionKind::Diagonal(base)
            | ExpressionKind::Resize(base)
            | ExpressionKind::Unary { value: base, .. }
            | ExpressionKind::Step { target: base, .. } => part(*base),
            ExpressionKind::Compose(parts) | ExpressionKind::Build(parts) => {
                parts.iter().for_each(|one| part(*one));
            }
            ExpressionKind::Builtin { arguments, .. } => arguments.iter().for_each(|one| part(*one)),
            ExpressionKind::Call { function, arguments } => {
                let parameters = shader.functions.get(*function).map(|function| function.parameters.len());
                assert_eq!(parameters, Some(arguments.len()), "{expression:?}");
                arguments.iter().for_each(|one| part(one.expression()));
            }
            ExpressionKind::Index { base: one, index: other }
            | ExpressionKind::Binary { left: one, right: other, .. }
            | ExpressionKind::And { left: one, right: other }
            | ExpressionKind::Or { left: one, right: other }
            | ExpressionKind::Assign { target: one, value: other, .. }
            | ExpressionKind::Sequence { first: one, second: other } => {
                part(*one);
                part(*other);
            }
            ExpressionKind::Select { condition, accept, reject } => {
                [condition, accept, reject].into_iter().for_each(|one| part(*one));
            }
        }
    }
}
