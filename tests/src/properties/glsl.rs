//! Any text of GLSL is read or refused with a reason, in bounded time, and what is read holds together.

use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::limits::Limits;
use unshade_glsl::tree::{
    Argument, Binary, Condition, Expression, ExpressionId, ExpressionKind, Shader, Statement, StatementKind,
};
use unshade_glsl::types::Type;
use unshade_glsl::{Options, read};

/// The first byte says stage, API and the version of a text that says none.
pub fn glsl(data: &[u8]) {
    reads(data);
}

/// The same; answers the shader.
pub(super) fn reads(data: &[u8]) -> Option<Shader> {
    let (&first, rest) = data.split_first()?;
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
    reading.shader
}

/// Every index is inside its arena, parts come before the whole, and types are those that each operation asks for.
fn holds_together(shader: &Shader) {
    let entry = shader.functions.get(shader.entry);
    assert!(entry.is_some_and(|function| function.body.is_some()), "no entry");
    for id in &shader.globals {
        let variable = shader.variables.get(*id);
        assert!(variable.is_some(), "a variable that is not there");
        if let Some((variable, initial)) = variable.and_then(|one| one.initial.map(|initial| (one, initial)))
        {
            same(shader, variable.ty, initial);
        }
    }
    for (id, expression) in shader.expressions.iter() {
        parts(&expression.kind, &mut |part| assert!(part < id, "{expression:?} before its part"));
        typed(shader, expression);
    }
    for (_, function) in shader.functions.iter() {
        if let Some(body) = &function.body {
            statements(shader, &body.statements, function.result);
        }
    }
}

/// Calls `each` with every direct part.
fn parts(kind: &ExpressionKind, each: &mut dyn FnMut(ExpressionId)) {
    match kind {
        ExpressionKind::Constant(_) | ExpressionKind::Variable(_) => {}
        ExpressionKind::Field { base, .. }
        | ExpressionKind::Swizzle { base, .. }
        | ExpressionKind::Length(base)
        | ExpressionKind::Convert { value: base, .. }
        | ExpressionKind::Splat(base)
        | ExpressionKind::Diagonal(base)
        | ExpressionKind::Resize(base)
        | ExpressionKind::Unary { value: base, .. }
        | ExpressionKind::Step { target: base, .. } => each(*base),
        ExpressionKind::Compose(parts) | ExpressionKind::Build(parts) => {
            parts.iter().for_each(|one| each(*one))
        }
        ExpressionKind::Builtin { arguments, .. } => arguments.iter().for_each(|one| each(*one)),
        ExpressionKind::Call { arguments, .. } => arguments.iter().for_each(|one| each(one.expression())),
        ExpressionKind::Index { base: one, index: other }
        | ExpressionKind::Binary { left: one, right: other, .. }
        | ExpressionKind::And { left: one, right: other }
        | ExpressionKind::Or { left: one, right: other }
        | ExpressionKind::Assign { target: one, value: other, .. }
        | ExpressionKind::Sequence { first: one, second: other } => {
            each(*one);
            each(*other);
        }
        ExpressionKind::Select { condition, accept, reject } => {
            [condition, accept, reject].into_iter().for_each(|one| each(*one));
        }
    }
}

fn same(shader: &Shader, ty: Type, value: ExpressionId) {
    let found = shader.expressions[value].ty;
    let names = (shader.types.name(ty), shader.types.name(found));
    assert!(shader.types.same(ty, found), "{names:?}: {:?}", shader.expressions[value]);
}

/// Whether an expression has the type that its parts give.
fn typed(shader: &Shader, expression: &Expression) {
    let of = |id: ExpressionId| shader.expressions[id].ty;
    let ty = expression.ty;
    let types = &shader.types;
    match &expression.kind {
        ExpressionKind::Constant(constant) => {
            let count = shader.constants.get(*constant).map(|constant| constant.values.len() as u64);
            assert_eq!(count, Some(types.scalars(ty)), "{expression:?}");
        }
        ExpressionKind::Variable(id) => assert!(types.same(ty, shader.variables[*id].ty), "{expression:?}"),
        ExpressionKind::Field { base, member } => {
            let members = match of(*base) {
                Type::Struct(id) => &types.structure(id).members[..],
                _ => &[],
            };
            let member = members.get(*member as usize);
            assert!(member.is_some_and(|member| types.same(member.ty, ty)), "{expression:?}");
        }
        ExpressionKind::Index { base, index } => {
            let element = types.element(of(*base));
            assert!(element.is_some_and(|element| types.same(element, ty)), "{expression:?}");
            assert!(of(*index).is_scalar() && of(*index).is_integer(), "{expression:?}");
        }
        ExpressionKind::Swizzle { base, lanes } => {
            let size = of(*base).components();
            assert!(lanes.iter().all(|lane| Some(*lane) < size), "{expression:?}");
            let scalar = of(*base).scalar();
            assert_eq!(Some(ty), scalar.map(|scalar| Type::of(scalar, lanes.len() as u8)));
        }
        ExpressionKind::Length(base) => assert!(ty == Type::INT && matches!(of(*base), Type::Array(_))),
        ExpressionKind::Convert { value, .. } => {
            let scalar = ty.scalar();
            assert_eq!(scalar.map(|scalar| of(*value).with_scalar(scalar)), Some(ty), "{expression:?}");
        }
        ExpressionKind::Splat(value) => assert!(of(*value).is_scalar() && of(*value).scalar() == ty.scalar()),
        ExpressionKind::Diagonal(value) => {
            assert!(of(*value).is_scalar() && of(*value).scalar() == ty.scalar())
        }
        ExpressionKind::Resize(value) => {
            assert!(of(*value).is_matrix() && of(*value).scalar() == ty.scalar())
        }
        ExpressionKind::Compose(parts) => {
            assert!(parts.iter().all(|part| of(*part).scalar() == ty.scalar()), "{expression:?}");
            let have: u32 = parts.iter().map(|part| u32::from(of(*part).components().unwrap_or(0))).sum();
            assert!(have >= u32::from(ty.components().unwrap_or(0)), "{expression:?}");
        }
        ExpressionKind::Build(parts) => match ty {
            Type::Struct(id) => {
                let members = &types.structure(id).members;
                assert_eq!(members.len(), parts.len());
                members.iter().zip(parts).for_each(|(member, part)| same(shader, member.ty, *part));
            }
            Type::Array(id) => {
                let element = types.get_array(id).element;
                assert_eq!(types.length(ty), Some(parts.len() as u32), "{expression:?}");
                parts.iter().for_each(|part| same(shader, element, *part));
            }
            _ => assert_eq!(parts.len(), 2, "{expression:?}"),
        },
        ExpressionKind::Unary { value, .. } => same(shader, ty, *value),
        ExpressionKind::Step { target, .. } => {
            same(shader, ty, *target);
            assert!(shader.root(*target).is_some(), "{expression:?}");
        }
        ExpressionKind::Binary { operation, left, right } => {
            assert_eq!(result(*operation, of(*left), of(*right), types), Some(ty), "{expression:?}");
        }
        ExpressionKind::And { left, right } | ExpressionKind::Or { left, right } => {
            assert!([ty, of(*left), of(*right)].iter().all(|one| *one == Type::BOOL), "{expression:?}");
        }
        ExpressionKind::Select { condition, accept, reject } => {
            assert_eq!(of(*condition), Type::BOOL);
            same(shader, ty, *accept);
            same(shader, ty, *reject);
        }
        ExpressionKind::Assign { target, operation, value } => {
            same(shader, ty, *target);
            assert!(shader.root(*target).is_some(), "{expression:?}");
            match operation {
                None => same(shader, ty, *value),
                Some(operation) => {
                    assert_eq!(result(*operation, ty, of(*value), types), Some(ty), "{expression:?}")
                }
            }
        }
        ExpressionKind::Sequence { second, .. } => same(shader, ty, *second),
        ExpressionKind::Call { function, arguments } => {
            let function = &shader.functions[*function];
            assert_eq!(function.parameters.len(), arguments.len(), "{expression:?}");
            assert!(types.same(function.result, ty), "{expression:?}");
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                let parameter = shader.variables[*parameter].ty;
                match argument {
                    Argument::In(value) | Argument::InOut(value) => same(shader, parameter, *value),
                    Argument::Out(value) => assert!(shader.root(*value).is_some(), "{expression:?}"),
                }
            }
        }
        ExpressionKind::Builtin { arguments, .. } => {
            assert!(arguments.iter().all(|argument| of(*argument) != Type::Void), "{expression:?}");
        }
    }
}

/// The type that an operation gives, if it takes its operands.
fn result(operation: Binary, left: Type, right: Type, types: &unshade_glsl::types::Types) -> Option<Type> {
    let by_component = match (left, right) {
        _ if left == right => Some(left),
        (_, Type::Scalar(scalar)) if left.scalar() == Some(scalar) => Some(left),
        (Type::Scalar(scalar), _) if right.scalar() == Some(scalar) => Some(right),
        _ => None,
    };
    match operation {
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => by_component,
        Binary::Remainder | Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
            by_component.filter(|ty| ty.is_integer())
        }
        Binary::ShiftLeft | Binary::ShiftRight => (left.is_integer() && right.is_integer()).then_some(left),
        Binary::MatrixTimesVector => match (left, right) {
            (Type::Matrix(a, columns, rows), Type::Vector(b, size)) => {
                (a == b && columns == size).then_some(Type::Vector(a, rows))
            }
            _ => None,
        },
        Binary::VectorTimesMatrix => match (left, right) {
            (Type::Vector(a, size), Type::Matrix(b, columns, rows)) => {
                (a == b && rows == size).then_some(Type::Vector(a, columns))
            }
            _ => None,
        },
        Binary::MatrixTimesMatrix => match (left, right) {
            (Type::Matrix(a, inner, rows), Type::Matrix(b, columns, other)) => {
                (a == b && inner == other).then_some(Type::Matrix(a, columns, rows))
            }
            _ => None,
        },
        Binary::LogicalXor => (left == Type::BOOL && right == Type::BOOL).then_some(Type::BOOL),
        Binary::Less | Binary::Greater | Binary::LessEqual | Binary::GreaterEqual => {
            (left == right && left.is_scalar()).then_some(Type::BOOL)
        }
        Binary::Equal | Binary::NotEqual => types.same(left, right).then_some(Type::BOOL),
    }
}

fn statements(shader: &Shader, list: &[Statement], returned: Type) {
    let of = |id: ExpressionId| shader.expressions[id].ty;
    for statement in list {
        match &statement.kind {
            StatementKind::Declare { variable, initial } => {
                if let Some(initial) = initial {
                    same(shader, shader.variables[*variable].ty, *initial);
                }
            }
            StatementKind::Block(body) => statements(shader, &body.statements, returned),
            StatementKind::If { condition, accept, reject } => {
                assert_eq!(of(*condition), Type::BOOL);
                statements(shader, &accept.statements, returned);
                statements(shader, &reject.statements, returned);
            }
            StatementKind::Switch { selector, cases } => {
                for case in cases {
                    assert!(!case.labels.is_empty(), "a case without a label");
                    let values = case.labels.iter().filter_map(|label| label.value);
                    values.for_each(|value| same(shader, of(*selector), value));
                    statements(shader, &case.body.statements, returned);
                }
            }
            StatementKind::Loop { initial, condition, body, .. } => {
                statements(shader, &initial.statements, returned);
                match condition {
                    Some(Condition::Expression(value) | Condition::Declare { initial: value, .. }) => {
                        assert_eq!(of(*value), Type::BOOL);
                    }
                    None => {}
                }
                statements(shader, &body.statements, returned);
            }
            StatementKind::Return(Some(value)) => same(shader, returned, *value),
            StatementKind::Return(None) => assert_eq!(returned, Type::Void),
            StatementKind::Expression(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Discard { .. } => {}
        }
    }
}
