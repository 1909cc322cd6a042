//! A short text form of trees, for tests to compare with.

use super::super::{Binary, Expr, ExprKind, Function, Place, Program, Scalar, Stmt, Unary};
use crate::TextureQuery;

pub(in super::super) fn program(program: &Program) -> String {
    program.functions.iter().map(|found| function(program, found)).collect()
}

fn function(program: &Program, function: &Function) -> String {
    let printer = Printer { program, function };
    let params: Vec<String> = function.params.iter().map(|param| printer.local(param.0)).collect();
    let mut out = format!("{}({})\n", function.name, params.join(", "));
    printer.body(&function.body, 1, &mut out);
    out
}

struct Printer<'a> {
    program: &'a Program,
    function: &'a Function,
}

fn components(list: &[u8]) -> String {
    list.iter().map(|at| ["x", "y", "z", "w"][usize::from(*at)]).collect()
}

fn dotted(list: &[u8]) -> String {
    if list.is_empty() { String::new() } else { format!(".{}", components(list)) }
}

impl Printer<'_> {
    fn local(&self, at: u32) -> String {
        self.function.locals[at as usize].name.clone()
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Local(local, list) => self.local(local.0) + &dotted(list),
            Place::Global(global, index, list) => self.global(global.0, index.as_deref()) + &dotted(list),
            Place::Array(array, index) => format!("array{array}[{}]", self.expr(index)),
            Place::Word(memory, index, list) => self.word(*memory, index) + &dotted(list),
        }
    }

    fn global(&self, global: u32, index: Option<&Expr>) -> String {
        let name = &self.program.globals[global as usize].global.name;
        match index {
            Some(index) => format!("{name}[{}]", self.expr(index)),
            None => name.clone(),
        }
    }

    fn word(&self, memory: u32, index: &Expr) -> String {
        let memory = &self.program.memories[memory as usize];
        if memory.is_array { format!("{}[{}]", memory.name, self.expr(index)) } else { memory.name.clone() }
    }

    fn list(&self, list: &[Expr]) -> String {
        list.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Literal(bits) => {
                let one = |bits: &u64| match expr.ty.scalar {
                    Scalar::Bool => (*bits != 0).to_string(),
                    Scalar::Int => (*bits as i32).to_string(),
                    Scalar::Uint => format!("{bits}u"),
                    Scalar::Float => f32::from_bits(*bits as u32).to_string(),
                    Scalar::Double => format!("{}LF", f64::from_bits(*bits)),
                };
                let text: Vec<String> = bits.iter().map(one).collect();
                if text.len() == 1 { text[0].clone() } else { format!("({})", text.join(", ")) }
            }
            ExprKind::Local(local) => self.local(local.0),
            ExprKind::Global(global, index) => self.global(global.0, index.as_deref()),
            ExprKind::Array(array, index) => format!("array{array}[{}]", self.expr(index)),
            ExprKind::Word(memory, index) => self.word(*memory, index),
            ExprKind::Elements(memory) => format!("length of memory{memory}"),
            ExprKind::Image(global, image, list) => {
                format!("{:?}({}, {})", image.query, self.global(global.0, None), self.list(list))
            }
            ExprKind::Interpolate(place, global, list) => {
                format!("{place:?}({}, {})", self.global(global.0, None), self.list(list))
            }
            ExprKind::Swizzle(inner, list) => format!("{}.{}", self.expr(inner), components(list)),
            ExprKind::Construct(parts) => format!("v{}({})", expr.ty.components, self.list(parts)),
            ExprKind::Unary(op, a) => {
                let op = match op {
                    Unary::Negate => "-",
                    Unary::Not => "!",
                    Unary::BitNot => "~",
                };
                format!("{op}{}", self.expr(a))
            }
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    Binary::Add => "+",
                    Binary::Sub => "-",
                    Binary::Mul => "*",
                    Binary::Div => "/",
                    Binary::Rem => "%",
                    Binary::Eq => "==",
                    Binary::Ne => "!=",
                    Binary::Lt => "<",
                    Binary::Le => "<=",
                    Binary::Gt => ">",
                    Binary::Ge => ">=",
                    Binary::LogicalAnd => "&&",
                    Binary::LogicalOr => "||",
                    Binary::LogicalXor => "^^",
                    Binary::BitAnd => "&",
                    Binary::BitOr => "|",
                    Binary::BitXor => "^",
                    Binary::ShiftLeft => "<<",
                    Binary::ShiftRight => ">>",
                };
                format!("({} {op} {})", self.expr(a), self.expr(b))
            }
            ExprKind::Select(a, b, c) => format!("({} ? {} : {})", self.expr(a), self.expr(b), self.expr(c)),
            ExprKind::Builtin(function, args) => format!("{function:?}({})", self.list(args)),
            ExprKind::Helper(function, args) => format!("{function:?}({})", self.list(args)),
            ExprKind::MatrixVector(global, row, rows, vector) => {
                format!("{}[{row}..{}] * {}", self.global(global.0, None), row + rows, self.expr(vector))
            }
            ExprKind::Column(global, element, column) => {
                let element = element.as_ref().map(|element| format!("[{}]", self.expr(element)));
                let name = self.global(global.0, None);
                format!("{name}{}[{}]", element.unwrap_or_default(), self.expr(column))
            }
            ExprKind::Product(product) => {
                let element = product.element.as_ref().map(|element| format!("[{}]", self.expr(element)));
                let matrix = self.global(product.matrix.0, None) + &element.unwrap_or_default();
                let vector = self.expr(&product.vector);
                let width = expr.ty.components;
                match product.vector_first {
                    true => format!("({vector} * {matrix} -> {width})"),
                    false => format!("({matrix} * {vector} -> {width})"),
                }
            }
            ExprKind::Texture(fetch) => {
                let name = self.global(fetch.sampler.0, fetch.element.as_ref());
                let list = |exprs: &[Expr]| -> String {
                    exprs.iter().map(|part| format!(" {}", self.expr(part))).collect()
                };
                let level = match fetch.levels.is_empty() {
                    true => String::new(),
                    false => format!(", {:?}{}", fetch.texture.level, list(&fetch.levels)),
                };
                let at = list(fetch.coordinates.as_slice());
                let reference = fetch.reference.as_ref().map(|part| format!(", {}", self.expr(part)));
                let query = match fetch.texture.query {
                    TextureQuery::Sample => String::new(),
                    query => format!("{query:?} "),
                };
                format!("texture({query}{name},{at}{}{level})", reference.unwrap_or_default())
            }
            ExprKind::Convert(a) => format!("{:?}({})", expr.ty.scalar, self.expr(a)),
            ExprKind::Bitcast(a) => format!("as{:?}({})", expr.ty.scalar, self.expr(a)),
        }
    }

    fn body(&self, body: &[Stmt], depth: usize, out: &mut String) {
        for stmt in body {
            let pad = "  ".repeat(depth);
            let mut line = |text: String| *out += &format!("{pad}{text}\n");
            match stmt {
                Stmt::Declare(local, value) => {
                    let ty = self.function.locals[local.0 as usize].ty;
                    let value = value.as_ref().map(|value| format!(" = {}", self.expr(value)));
                    let text = format!("{:?}{} {}", ty.scalar, ty.components, self.local(local.0));
                    line(text + &value.unwrap_or_default());
                }
                Stmt::Assign(place, value) => line(format!("{} = {}", self.place(place), self.expr(value))),
                Stmt::Call { function, args, results, .. } => {
                    let name = &self.program.functions[function.0 as usize].name;
                    let to: Vec<String> = results
                        .iter()
                        .map(|place| place.as_ref().map_or("_".into(), |place| self.place(place)))
                        .collect();
                    line(format!("{} = {name}({})", to.join(", "), self.list(args)));
                }
                Stmt::If { condition, then, otherwise } => {
                    line(format!("if {}", self.expr(condition)));
                    self.body(then, depth + 1, out);
                    if !otherwise.is_empty() {
                        *out += &format!("{pad}else\n");
                        self.body(otherwise, depth + 1, out);
                    }
                }
                Stmt::For { counter, start, condition, step, body } => {
                    let name = self.local(counter.0);
                    let (start, condition, step) = (self.expr(start), self.expr(condition), self.expr(step));
                    line(format!("for {name} = {start}; {condition}; {name} += {step}"));
                    self.body(body, depth + 1, out);
                }
                Stmt::While { condition, body } => {
                    line(format!("while {}", self.expr(condition)));
                    self.body(body, depth + 1, out);
                }
                Stmt::DoWhile { body, condition } => {
                    line("do".into());
                    self.body(body, depth + 1, out);
                    *out += &format!("{pad}while {}\n", self.expr(condition));
                }
                Stmt::Loop(body) => {
                    line("loop".into());
                    self.body(body, depth + 1, out);
                }
                Stmt::Switch { value, cases, default } => {
                    line(format!("switch {}", self.expr(value)));
                    for (values, body) in cases {
                        *out += &format!("{pad}case {values:?}\n");
                        self.body(body, depth + 1, out);
                    }
                    *out += &format!("{pad}default\n");
                    self.body(default, depth + 1, out);
                }
                Stmt::Break => line("break".into()),
                Stmt::Continue => line("continue".into()),
                Stmt::Return(values) => line(format!("return {}", self.list(values)).trim_end().into()),
                Stmt::Discard(_) => line("discard".into()),
                Stmt::Act(act) => {
                    let result = act.result.as_ref().map(|place| self.place(place) + " = ");
                    let list = self.list(&act.operands);
                    line(format!("{}{:?}({list})", result.unwrap_or_default(), act.action));
                }
                Stmt::EmitVertex(0, _) => line("emit".into()),
                Stmt::EmitVertex(stream, _) => line(format!("emit {stream}")),
                Stmt::EndPrimitive(0, _) => line("end primitive".into()),
                Stmt::EndPrimitive(stream, _) => line(format!("end primitive {stream}")),
                Stmt::Comment(text) => line(format!("// {text}")),
            }
        }
    }
}
