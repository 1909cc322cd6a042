//! Expressions: precedence, line breaks, and every kind of expression but the calls.

use super::call::Argument;
use super::literal::Binds;
use super::{Printer, WIDTH, types};
use crate::Error;
use crate::interface::{BuiltIn, Fixed, Form, Role};
use std::fmt::Write as _;
use unshade_ir::ast::{Binary, Expr, ExprKind, GlobalRef, LocalRef, Scalar, Type, Unary};
use unshade_stage::StageKind;

/// How tightly operators bind, after the language's table; a higher one binds tighter.
pub(super) mod precedence {
    pub const ANY: u8 = 0;
    pub const TERNARY: u8 = 1;
    pub const OR: u8 = 2;
    pub const XOR: u8 = 3;
    pub const AND: u8 = 4;
    pub const BIT_OR: u8 = 5;
    pub const BIT_XOR: u8 = 6;
    pub const BIT_AND: u8 = 7;
    pub const EQUALITY: u8 = 8;
    pub const RELATION: u8 = 9;
    pub const SHIFT: u8 = 10;
    pub const SUM: u8 = 11;
    pub const PRODUCT: u8 = 12;
    pub const UNARY: u8 = 13;
    pub const POSTFIX: u8 = 14;
}
use precedence::{ANY, POSTFIX, PRODUCT, TERNARY, UNARY};

/// The operator with the blanks around it, and its precedence.
pub(super) fn operator(binary: Binary) -> (&'static str, u8) {
    match binary {
        Binary::Add => ("+", precedence::SUM),
        Binary::Sub => ("-", precedence::SUM),
        Binary::Mul => ("*", PRODUCT),
        Binary::Div => ("/", PRODUCT),
        Binary::Rem => ("%", PRODUCT),
        Binary::Eq => ("==", precedence::EQUALITY),
        Binary::Ne => ("!=", precedence::EQUALITY),
        Binary::Lt => ("<", precedence::RELATION),
        Binary::Le => ("<=", precedence::RELATION),
        Binary::Gt => (">", precedence::RELATION),
        Binary::Ge => (">=", precedence::RELATION),
        Binary::LogicalAnd => ("&&", precedence::AND),
        Binary::LogicalOr => ("||", precedence::OR),
        Binary::LogicalXor => ("^^", precedence::XOR),
        Binary::BitAnd => ("&", precedence::BIT_AND),
        Binary::BitOr => ("|", precedence::BIT_OR),
        Binary::BitXor => ("^", precedence::BIT_XOR),
        Binary::ShiftLeft => ("<<", precedence::SHIFT),
        Binary::ShiftRight => (">>", precedence::SHIFT),
    }
}

/// What may stand without parentheses as the first and as a further operand. The table of the language binds
/// bits looser than comparisons, and comparisons chain; few readers know, so these get parentheses anyway, and so
/// does `&&` among `||`.
fn operand_levels(binary: Binary) -> (u8, u8) {
    let (_, level) = operator(binary);
    match level {
        precedence::OR => (precedence::AND + 1, precedence::AND + 1),
        precedence::BIT_OR | precedence::BIT_XOR | precedence::BIT_AND | precedence::SHIFT => (UNARY, UNARY),
        precedence::EQUALITY | precedence::RELATION | precedence::XOR => (precedence::SUM, precedence::SUM),
        _ => (level, level + 1),
    }
}

/// Whether a left operand of this operator belongs to the same chain.
fn continues(outer: Binary, inner: Binary) -> bool {
    match operator(outer).1 {
        precedence::SUM | PRODUCT | precedence::AND | precedence::OR => {
            operator(inner).1 == operator(outer).1
        }
        precedence::BIT_OR | precedence::BIT_XOR | precedence::BIT_AND => inner == outer,
        _ => false,
    }
}

pub(super) type Printed = Result<(), Error>;

impl Printer<'_> {
    /// Prints an expression that stands where only operators of `least` precedence or above may stand
    /// without parentheses. It stays on the line if it fits.
    pub(super) fn expression(&mut self, expr: &Expr, least: u8) -> Printed {
        if self.flat {
            self.too_long |= self.column() > WIDTH;
            return if self.too_long { Ok(()) } else { self.node(expr, least) };
        }
        let (start, marks) = (self.out.len(), self.marks.len());
        self.flat = true;
        let printed = self.node(expr, least);
        self.flat = false;
        printed?;
        // One column for what always follows: `;`, `,` or `)`.
        if !self.too_long && self.column() < WIDTH {
            return Ok(());
        }
        self.too_long = false;
        self.out.truncate(start);
        self.marks.truncate(marks);
        self.node(expr, least)
    }

    /// Prints an expression, in parentheses if it binds less tightly than `least`.
    fn node(&mut self, expr: &Expr, least: u8) -> Printed {
        self.mark(expr.link);
        match &expr.kind {
            ExprKind::Literal(bits) => self.literal(expr.ty, bits, least),
            ExprKind::Local(local) => {
                self.local_name(*local);
                Ok(())
            }
            ExprKind::Global(global, index) => self.global(expr.ty, *global, index.as_deref()),
            ExprKind::Array(array, index) => self.array_element(*array, index),
            ExprKind::Word(memory, index) => self.word(*memory, index),
            ExprKind::Elements(memory) => self.elements_of(*memory),
            ExprKind::Image(global, image, operands) => {
                self.image_expression(*global, *image, operands, &[0, 1, 2, 3])
            }
            ExprKind::Interpolate(place, global, operands) => {
                self.interpolated(*place, *global, operands, expr.ty)
            }
            ExprKind::Swizzle(base, lanes) => self.swizzle(base, lanes),
            ExprKind::Construct(parts) => self.construct(expr.ty, parts),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, least),
            ExprKind::Binary(..) => self.binary(expr, least),
            ExprKind::Select(condition, yes, no) => self.select([condition, yes, no], least),
            ExprKind::Builtin(builtin, operands) => self.builtin(*builtin, expr.ty, operands, least),
            ExprKind::Helper(helper, operands) => self.helper(*helper, expr.ty, operands),
            ExprKind::MatrixVector(global, first, count, vector) => {
                self.matrix_vector(*global, *first, *count, vector, least)
            }
            ExprKind::Column(global, element, column) => {
                let declared = self.slots[global.0 as usize].ty.components;
                self.out.push_str(&self.names.globals[global.0 as usize]);
                element.iter().try_for_each(|element| self.index(element))?;
                self.index(column)?;
                if expr.ty.components < declared {
                    self.out.push_str(["", ".x", ".xy", ".xyz"][usize::from(expr.ty.components)]);
                }
                Ok(())
            }
            ExprKind::Product(product) => self.product(product, expr.ty.components, least),
            ExprKind::Texture(fetch) => self.texture(fetch, expr.ty),
            ExprKind::Convert(operand) => self.call(types::name(expr.ty), [&**operand]),
            ExprKind::Bitcast(operand) => self.bitcast(operand, expr.ty.scalar, least),
        }
    }

    pub(super) fn local_name(&mut self, local: LocalRef) {
        self.out.push_str(&self.names.locals[self.function][local.0 as usize]);
    }

    pub(super) fn open(&mut self, needed: bool) {
        if needed {
            self.out.push('(');
        }
    }

    pub(super) fn close(&mut self, needed: bool) {
        if needed {
            self.out.push(')');
        }
    }

    fn literal(&mut self, ty: Type, bits: &[u64], least: u8) -> Printed {
        let start = self.out.len();
        match bits {
            &[single] => {
                let binds = self.one_literal(ty.scalar, single);
                if binds == Binds::Negated && least > UNARY || binds == Binds::Quotient && least > PRODUCT {
                    self.out.insert(start, '(');
                    self.out.push(')');
                }
            }
            [first, rest @ ..] => {
                self.out.push_str(types::name(ty));
                self.out.push('(');
                self.one_literal(ty.scalar, *first);
                if rest.iter().any(|bits| bits != first) {
                    for bits in rest {
                        self.out.push_str(", ");
                        self.one_literal(ty.scalar, *bits);
                    }
                }
                self.out.push(')');
            }
            [] => {}
        }
        Ok(())
    }

    /// An element index: a literal without the `u` of its type, or any integer.
    pub(super) fn index(&mut self, index: &Expr) -> Printed {
        self.out.push('[');
        match &index.kind {
            ExprKind::Literal(bits) if bits.len() == 1 => {
                self.one_literal(Scalar::Int, bits[0]);
            }
            _ => self.expression(index, ANY)?,
        }
        self.out.push(']');
        Ok(())
    }

    pub(super) fn array_element(&mut self, array: u32, index: &Expr) -> Printed {
        self.out.push_str(&self.names.arrays[array as usize]);
        self.index(index)
    }

    /// The value of a global, as the type that the tree reads it with.
    fn global(&mut self, ty: Type, global: GlobalRef, index: Option<&Expr>) -> Printed {
        let declared = self.slots[global.0 as usize].ty;
        if declared.components < ty.components {
            return Err(Error::invalid(format!(
                "{} read with {} components",
                self.program.globals[global.0 as usize].global.name, ty.components
            )));
        }
        let cast = reinterpretation(declared.scalar, ty);
        self.out.push_str(cast);
        self.open(!cast.is_empty());
        self.global_name(global, index)?;
        if declared.components > ty.components {
            self.out.push_str(["", ".x", ".xy", ".xyz"][usize::from(ty.components)]);
        }
        self.close(!cast.is_empty());
        Ok(())
    }

    /// The name of a global with its index, something that a swizzle can follow. A position of fewer than
    /// four components is those of the built-in variable.
    pub(super) fn global_name(&mut self, global: GlobalRef, index: Option<&Expr>) -> Printed {
        let slot = self.slots[global.0 as usize];
        if (slot.form == Form::Single) != index.is_none() {
            return Err(Error::invalid(format!(
                "{} used {} an index",
                self.program.globals[global.0 as usize].global.name,
                if index.is_some() { "with" } else { "without" }
            )));
        }
        if let Some(name) = super::built_in(slot.role, self.options)
            && slot.role != Role::Position
            && !self.needs.kept[global.0 as usize]
        {
            self.out.push_str(name);
            index.map_or(Ok(()), |index| self.index(index))?;
            if matches!(slot.role, Role::BuiltIn(BuiltIn::PointSizes) | Role::Fixed(Fixed::PointSizes)) {
                self.out.push_str(".gl_PointSize");
            }
            if matches!(slot.role, Role::BuiltIn(BuiltIn::Positions) | Role::Fixed(Fixed::Positions)) {
                self.out.push_str(".gl_Position");
                if slot.ty.components < 4 {
                    self.out.push('.');
                    self.out.push_str(lanes_from(0, slot.ty.components));
                }
            }
            let declared = match slot.role {
                Role::BuiltIn(BuiltIn::System(system)) => system.components,
                Role::BuiltIn(BuiltIn::FragCoord) | Role::Output => 4,
                _ => 0,
            };
            if slot.ty.components < declared {
                self.out.push('.');
                self.out.push_str(lanes_from(0, slot.ty.components));
            }
            return Ok(());
        }
        if slot.role == Role::Position && !self.needs.kept[global.0 as usize] {
            self.out.push_str("gl_Position");
            if slot.ty.components < 4 {
                self.out.push('.');
                self.out.push_str(lanes_from(slot.component, slot.ty.components));
            }
            return Ok(());
        }
        let rows_in_columns =
            matches!(slot.form, Form::Matrix(_)) && slot.role != Role::Input && !self.version.is_old();
        if rows_in_columns {
            self.out.push_str("transpose(");
        }
        if let (Some((front, back)), Some(index)) =
            (self.names.globals[global.0 as usize].split_once(unshade_ir::Global::EACH), index)
        {
            let (front, back) = (front.to_owned(), back.to_owned());
            self.out.push_str(&front);
            self.index(index)?;
            self.out.push_str(&back);
            return Ok(());
        }
        self.out.push_str(&self.names.globals[global.0 as usize]);
        let whole = self.program.globals[global.0 as usize].global.vertices == 0;
        if slot.role == Role::Input && self.options.kind == StageKind::Geometry && whole {
            self.out.push_str("[0]");
        }
        self.close(rows_in_columns);
        // Columns of all matrices of an array are counted through.
        if let (Form::Columns(columns, 1..), Some(index)) = (slot.form, index)
            && let ExprKind::Literal(bits) = &index.kind
            && let Some(flat) = bits.first()
        {
            let columns = u64::from(columns.max(1));
            let _ = write!(self.out, "[{}][{}]", flat / columns, flat % columns);
            return Ok(());
        }
        index.map_or(Ok(()), |index| self.index(index))
    }

    fn swizzle(&mut self, base: &Expr, lanes: &[u8]) -> Printed {
        if base.ty.components == 1 {
            // A scalar has no components to name.
            if lanes.len() == 1 {
                return self.node(base, POSTFIX);
            }
            let ty = Type { scalar: base.ty.scalar, components: lanes.len().min(4) as u8 };
            return self.call(types::name(ty), [base]);
        }
        if let ExprKind::Image(global, image, operands) = &base.kind {
            return self.image_expression(*global, *image, operands, lanes);
        }
        if let ExprKind::Texture(fetch) = &base.kind
            && self.texture_lanes(fetch, lanes)?
        {
            return Ok(());
        }
        let whole = lanes.len() == usize::from(base.ty.components)
            && lanes.iter().enumerate().all(|(place, &lane)| usize::from(lane) == place);
        self.node(base, POSTFIX)?;
        if !whole {
            self.lanes(lanes);
        }
        Ok(())
    }

    /// `.xyz`.
    pub(super) fn lanes(&mut self, lanes: &[u8]) {
        self.out.push('.');
        self.out.extend(lanes.iter().map(|&lane| char::from(b"xyzw"[usize::from(lane & 3)])));
    }

    fn construct(&mut self, ty: Type, parts: &[Expr]) -> Printed {
        if let [part] = parts
            && part.ty.components == ty.components
        {
            return self.node(part, POSTFIX);
        }
        self.out.push_str(types::name(ty));
        // Of a vector literal inside a vector: its components one by one.
        self.arguments(parts.iter().flat_map(|part| {
            let bits = match &part.kind {
                ExprKind::Literal(bits) => bits.as_slice(),
                _ => &[],
            };
            let whole = bits.is_empty().then_some(Argument::Whole(part));
            whole.into_iter().chain(bits.iter().map(|&bits| Argument::Literal(part.ty.scalar, bits)))
        }))
    }

    fn unary(&mut self, operator: Unary, operand: &Expr, least: u8) -> Printed {
        if operator == Unary::Not && operand.ty.components > 1 {
            return self.call("not", [operand]);
        }
        self.open(least > UNARY);
        match operator {
            Unary::Not => self.out.push('!'),
            Unary::BitNot => self.out.push('~'),
            Unary::Negate => self.out.push('-'),
        }
        // Two signs in a row would read as a decrement.
        let signed = |expr: &Expr| match &expr.kind {
            ExprKind::Unary(Unary::Negate, _) => true,
            ExprKind::Literal(bits) => bits.len() == 1,
            _ => false,
        };
        let apart = operator == Unary::Negate && signed(operand);
        self.node(operand, if apart { POSTFIX } else { UNARY })?;
        self.close(least > UNARY);
        Ok(())
    }

    fn binary(&mut self, expr: &Expr, least: u8) -> Printed {
        let ExprKind::Binary(outer, ..) = expr.kind else { return Ok(()) };
        let (_, level) = operator(outer);
        let (head_least, right_least) = operand_levels(outer);
        self.open(level < least);
        // Operators of one level lean to the left: a long chain is printed in a loop, an operand to a line
        // where the line does not hold it.
        let mut chain = Vec::new();
        let mut head = expr;
        while let ExprKind::Binary(binary, left, right) = &head.kind
            && (chain.is_empty() || continues(outer, *binary))
        {
            chain.push((operator(*binary).0, &**right));
            head = left;
        }
        number_in_its_place(outer, &mut head, &mut chain);
        self.expression(head, head_least)?;
        self.indent += 1;
        for (sign, right) in chain.into_iter().rev() {
            // Behind the end of a call that was broken, the sum goes on in that line.
            if self.flat || self.at_end_of_call() {
                self.out.push(' ');
            } else {
                self.newline();
            }
            self.out.push_str(sign);
            self.out.push(' ');
            self.operand(outer, right, right_least)?;
        }
        self.indent -= 1;
        self.close(level < least);
        Ok(())
    }

    /// A further operand. Distances of shifts are numbers without the `u` of their type; masks have hexadecimal digits.
    pub(super) fn operand(&mut self, binary: Binary, operand: &Expr, least: u8) -> Printed {
        let number = match &operand.kind {
            ExprKind::Literal(bits) if bits.iter().all(|other| Some(other) == bits.first()) => {
                bits.first().copied()
            }
            _ => None,
        };
        match (binary, number) {
            (Binary::ShiftLeft | Binary::ShiftRight, Some(number)) if number < 32 => {
                self.one_literal(Scalar::Int, number);
                Ok(())
            }
            (Binary::BitAnd | Binary::BitOr | Binary::BitXor, Some(number))
                if operand.ty == (Type { scalar: Scalar::Int, components: 1 })
                    && number > 0xffff
                    && number >> 31 == 0 =>
            {
                let _ = write!(self.out, "0x{number:x}");
                Ok(())
            }
            _ => self.expression(operand, least),
        }
    }

    /// Whether the line holds nothing but the parenthesis that ends a broken call.
    fn at_end_of_call(&self) -> bool {
        self.out.get(self.line_start..).is_some_and(|line| line.trim_start() == ")")
    }

    pub(super) fn select(&mut self, [condition, yes, no]: [&Expr; 3], least: u8) -> Printed {
        self.open(TERNARY < least);
        self.expression(condition, TERNARY + 1)?;
        self.indent += 1;
        for (sign, value) in [("? ", yes), (": ", no)] {
            if self.flat {
                self.out.push(' ');
            } else {
                self.newline();
            }
            self.out.push_str(sign);
            // A choice as the last operand needs no parentheses, as the middle one it reads better with them.
            let inner = if sign == ": " { TERNARY } else { TERNARY + 1 };
            self.expression(value, inner)?;
        }
        self.indent -= 1;
        self.close(TERNARY < least);
        Ok(())
    }

    fn matrix_vector(
        &mut self,
        global: GlobalRef,
        first: u8,
        count: u8,
        vector: &Expr,
        least: u8,
    ) -> Printed {
        let slot = self.slots[global.0 as usize];
        let columns = vector.ty.components;
        if slot.ty.scalar != Scalar::Float || columns > slot.ty.components {
            return Err(Error::invalid("a matrix product with a vector longer than the rows"));
        }
        let end = u32::from(first) + u32::from(count);
        if end > slot.elements() {
            return Err(Error::invalid("a matrix product with rows that do not exist"));
        }
        if count == 1 {
            return self.row_product(global, first, columns, vector);
        }
        match slot.form {
            _ if self.version.is_old() => {
                // Its matrices are square.
                self.out.push_str(types::name(Type { scalar: Scalar::Float, components: count }));
                self.out.push('(');
                for row in first..first + count {
                    if row > first {
                        self.out.push_str(", ");
                    }
                    self.row_product(global, row, columns, vector)?;
                }
                self.out.push(')');
            }
            Form::Matrix(rows) if slot.role != Role::Input => {
                // `mat3(m)` is the upper left part of m.
                let whole_rows = columns == slot.ty.components;
                let swizzled = first != 0 || whole_rows && count != rows;
                let bracket = swizzled || PRODUCT < least;
                self.open(bracket);
                if !whole_rows {
                    self.out.push_str(types::matrix(columns, if first == 0 { count } else { rows }));
                    self.out.push('(');
                }
                self.out.push_str(&self.names.globals[global.0 as usize]);
                self.close(!whole_rows);
                self.out.push_str(" * ");
                self.expression(vector, PRODUCT + 1)?;
                self.close(bracket);
                if swizzled {
                    self.out.push('.');
                    self.out.push_str(lanes_from(first, count));
                }
            }
            Form::Matrix(rows) if first == 0 && count == rows && columns == slot.ty.components => {
                self.open(PRODUCT < least);
                self.expression(vector, PRODUCT)?;
                self.out.push_str(" * ");
                self.out.push_str(&self.names.globals[global.0 as usize]);
                if self.options.kind == StageKind::Geometry {
                    self.out.push_str("[0]");
                }
                self.close(PRODUCT < least);
            }
            _ => {
                // Registers become the columns of a matrix on the right.
                self.open(PRODUCT < least);
                self.expression(vector, PRODUCT)?;
                self.out.push_str(" * ");
                self.out.push_str(types::matrix(count, columns));
                self.out.push('(');
                for row in first..first + count {
                    if row > first {
                        self.out.push_str(", ");
                    }
                    self.row(global, row, columns)?;
                }
                self.out.push(')');
                self.close(PRODUCT < least);
            }
        }
        Ok(())
    }

    fn row_product(&mut self, global: GlobalRef, row: u8, columns: u8, vector: &Expr) -> Printed {
        self.out.push_str("dot(");
        self.row(global, row, columns)?;
        self.out.push_str(", ");
        self.expression(vector, ANY)?;
        self.out.push(')');
        Ok(())
    }

    fn row(&mut self, global: GlobalRef, row: u8, columns: u8) -> Printed {
        let ty = Type { scalar: Scalar::Int, components: 1 };
        let index = Expr::new(ty, ExprKind::Literal(vec![u64::from(row)]));
        self.global(Type { scalar: Scalar::Float, components: columns }, global, Some(&index))
    }

    fn bitcast(&mut self, operand: &Expr, to: Scalar, least: u8) -> Printed {
        let from = operand.ty.scalar;
        if from == to {
            return self.node(operand, least);
        }
        if let (ExprKind::Array(array, index), Scalar::Float) = (&operand.kind, to)
            && self.uses.float_arrays[*array as usize]
        {
            return self.array_element(*array, index);
        }
        self.call(reinterpretation(from, Type { scalar: to, ..operand.ty }), [operand])
    }
}

/// The one number among factors stands behind the other of two, and in front of several.
fn number_in_its_place<'e>(outer: Binary, head: &mut &'e Expr, chain: &mut [(&str, &'e Expr)]) {
    let is_number = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_)) && expr.ty.components == 1;
    if outer != Binary::Mul || chain.iter().any(|(sign, _)| *sign != "*") {
        return;
    }
    let Some(((_, second), more)) = chain.split_last_mut() else { return };
    let swap = match more.is_empty() {
        true => is_number(head) && !is_number(second),
        false => is_number(second) && !is_number(head),
    };
    if swap {
        std::mem::swap(head, second);
    }
}

/// Function that reads the bits of one kind as another; empty if there is nothing to do.
fn reinterpretation(from: Scalar, to: Type) -> &'static str {
    match (from, to.scalar) {
        (Scalar::Float, Scalar::Int) => "floatBitsToInt",
        (Scalar::Float, Scalar::Uint) => "floatBitsToUint",
        (Scalar::Int, Scalar::Float) => "intBitsToFloat",
        (Scalar::Uint, Scalar::Float) => "uintBitsToFloat",
        (from, to_scalar) if from == to_scalar => "",
        // Between integers a conversion keeps the bits; a truth value is the number 0 or 1.
        _ => types::name(to),
    }
}

/// Names of so many components from the first one on.
fn lanes_from(first: u8, count: u8) -> &'static str {
    let first = usize::from(first.min(4));
    let end = (first + usize::from(count)).min(4);
    &"xyzw"[first..end]
}
