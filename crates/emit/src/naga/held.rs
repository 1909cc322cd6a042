//! Inputs, outputs, uniforms and constants inside a function: where each is read and written.

use super::body::{Body, Held, LocalForm, Outputs};
use super::lower::{Home, Stored, position_type};
use crate::Error;
use crate::interface::{Form, Role};
use crate::visit::{self, Node};
use ::naga::{Expression, Handle, Statement, Type};
use unshade_ir::ast::{self, Expr, Place, Stmt};
use unshade_stage::StageKind;

impl Body<'_, '_, '_> {
    /// Brings parameters and uniforms in; `result` is the structure of several results.
    pub fn start(&mut self, result: Option<Handle<Type>>) -> Result<(), Error> {
        self.result = result;
        for (position, &param) in self.tree.params.iter().enumerate() {
            let value = self.add(Expression::FunctionArgument(u32::try_from(position).unwrap_or(u32::MAX)));
            if self.locals[param.0 as usize] == LocalForm::Fixed {
                self.locals[param.0 as usize] = LocalForm::Value(value);
            } else {
                let pointer = self.local_pointer(param);
                self.store(pointer, value);
            }
        }
        self.hold_globals(false)
    }

    /// As [`Self::start`] for the entry, with its inputs, outputs and constants.
    pub fn start_entry(&mut self, ty: Option<Handle<Type>>, outputs: Outputs) -> Result<(), Error> {
        self.hold_globals(true)?;
        let once = self.written_once();
        let mut argument = 0u32;
        for (index, once) in once.iter().copied().enumerate() {
            let slot = self.lower.slots[index];
            match slot.role {
                Role::Input => {
                    let mut elements = Vec::new();
                    for _ in 0..slot.elements().max(1) {
                        elements.push(self.add(Expression::FunctionArgument(argument)));
                        argument += 1;
                    }
                    self.hold_input(index, elements);
                }
                Role::BuiltIn(_) => {
                    let mut value = self.add(Expression::FunctionArgument(argument));
                    argument += 1;
                    // Numbers are unsigned there.
                    if slot.ty.scalar == ast::Scalar::Int {
                        let kind = ::naga::ScalarKind::Sint;
                        value = self.add(Expression::As { expr: value, kind, convert: Some(4) });
                    }
                    self.hold_input(index, vec![value]);
                }
                Role::Output | Role::Position | Role::PointSize | Role::Fixed(_) if once => {}
                Role::Output | Role::PointSize | Role::Fixed(_) | Role::Ignored => {
                    self.hold_variable(index);
                }
                // Several globals may write parts of the one position.
                Role::Position => match (self.globals[index], self.position) {
                    (None, Some(pointer)) => {
                        self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain))
                    }
                    _ => self.position = Some(self.hold_variable(index)),
                },
                Role::Constant => self.hold_constant(index)?,
                Role::Uniform | Role::Loose | Role::Sampler | Role::Image => {}
            }
        }
        self.outputs = Some((ty, outputs));
        Ok(())
    }

    /// Which outputs the end of the entry returns as they are assigned, without a variable between: those
    /// with a single assignment, outside of all conditions and loops.
    fn written_once(&self) -> Vec<bool> {
        let outputs = self.lower.slots.iter().map(|slot| {
            let whole = matches!(slot.role, Role::Output | Role::PointSize | Role::Fixed(_))
                || slot.role == Role::Position && slot.ty.components == 4;
            whole && slot.form == Form::Single
        });
        let mut once: Vec<bool> = outputs.collect();
        let positions = self.lower.slots.iter().filter(|slot| slot.role == Role::Position).count();
        let (mut uses, mut returns) = (vec![0u32; once.len()], 0);
        visit::block(&self.tree.body, &mut |node| match node {
            Node::Write(Place::Global(global, ..)) => uses[global.0 as usize] += 1,
            Node::Expr(Expr { kind: ast::ExprKind::Global(global, _), .. }) => uses[global.0 as usize] += 1,
            Node::Return => returns += 1,
            _ => {}
        });
        let returns_early = returns > u32::from(matches!(self.tree.body.last(), Some(Stmt::Return(_))));
        for (index, once) in once.iter_mut().enumerate() {
            let assigned = |statement: &Stmt| match statement {
                Stmt::Assign(Place::Global(global, None, lanes), _) => {
                    global.0 as usize == index && lanes.is_empty()
                }
                _ => false,
            };
            *once &= uses[index] == 1
                && !returns_early
                && matches!(self.lower.homes[index], Home::Local)
                && (self.lower.slots[index].role != Role::Position || positions == 1)
                && self.tree.body.iter().any(assigned);
        }
        once
    }

    /// The variable of a global: its private one, or a local that is made here.
    fn hold_variable(&mut self, index: usize) -> Handle<Expression> {
        if let Some(Held::Pointer(pointer, _)) = self.globals[index] {
            return pointer;
        }
        let slot = self.lower.slots[index];
        let ty = self.lower.unpacked(&slot);
        let name = self.lower.names.globals[index].clone();
        let pointer = self.variable(&name, ty);
        self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain));
        pointer
    }

    /// The values of a constant with several.
    fn hold_constant(&mut self, index: usize) -> Result<(), Error> {
        let slot = self.lower.slots[index];
        if slot.form == Form::Single {
            return Ok(());
        }
        let values = (0..slot.elements())
            .map(|element| self.constant_value(index, element))
            .collect::<Result<Vec<_>, Error>>()?;
        self.hold_elements(index, values);
        Ok(())
    }

    /// Elements one by one, or in a variable if an index has to go through them.
    fn hold_elements(&mut self, index: usize, values: Vec<Handle<Expression>>) {
        if self.globals[index].is_none() && !self.indexed[index] {
            self.elements.insert(index, values);
            self.globals[index] = Some(Held::Elements);
            return;
        }
        let base = self.hold_variable(index);
        for (element, value) in (0..).zip(values) {
            let target = self.add(Expression::AccessIndex { base, index: element });
            self.store(target, value);
        }
    }

    /// The literal of an element of a constant.
    fn constant_value(&mut self, index: usize, element: u32) -> Result<Handle<Expression>, Error> {
        let ty = self.lower.slots[index].ty;
        let global = &self.lower.program.globals[index].global;
        let bits: Vec<u64> =
            (0..ty.components).map(|lane| global.constant_value(element, lane).into()).collect();
        self.literal_vector(ty, &bits)
    }

    /// Parameters of the entry become the value of an input, or fill its variable.
    fn hold_input(&mut self, index: usize, elements: Vec<Handle<Expression>>) {
        if self.lower.slots[index].form != Form::Single {
            return self.hold_elements(index, elements);
        }
        let Some(&value) = elements.first() else { return };
        match self.globals[index] {
            Some(Held::Pointer(pointer, _)) => self.store(pointer, value),
            _ => self.globals[index] = Some(Held::Value(value)),
        }
    }

    /// Uniforms and private variables that this function uses. A uniform that is a single value or a matrix
    /// is read once, under its own name.
    fn hold_globals(&mut self, is_entry: bool) -> Result<(), Error> {
        let mut used = vec![false; self.lower.slots.len()];
        let indexed = &mut self.indexed;
        let computed = |index: Option<&Expr>| {
            index.is_some_and(|index| !matches!(index.kind, ast::ExprKind::Literal(_)))
        };
        visit::globals(&self.tree.body, &mut |global| used[global.0 as usize] = true);
        visit::block(&self.tree.body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let (global, computed) = match &expr.kind {
                ast::ExprKind::Global(global, index) => (*global, computed(index.as_deref())),
                ast::ExprKind::Column(global, element, column) => {
                    (*global, computed(element.as_deref()) || computed(Some(column)))
                }
                ast::ExprKind::Product(product) => (product.matrix, computed(product.element.as_ref())),
                _ => return,
            };
            indexed[global.0 as usize] |= computed;
        });
        let mut buffers = std::collections::BTreeMap::new();
        for (block, uniforms) in self.lower.uniforms.clone() {
            // One that this function does not use has no place in it.
            let slots = self.lower.slots.iter().zip(&used);
            let wanted = slots
                .into_iter()
                .any(|(slot, used)| *used && slot.role == Role::Uniform && slot.block == block);
            if wanted || block.is_none() {
                buffers.insert(block, self.add(Expression::GlobalVariable(uniforms)));
            }
        }
        for (index, used) in used.into_iter().enumerate() {
            let slot = self.lower.slots[index];
            match self.lower.homes[index] {
                Home::Uniform { member, stored } if used => {
                    let Some(&base) = buffers.get(&slot.block) else { continue };
                    let pointer = self.add(Expression::AccessIndex { base, index: member });
                    self.globals[index] = Some(Held::Pointer(pointer, stored));
                    if stored == Stored::Matrix || slot.form == Form::Single {
                        let value = self.add(Expression::Load { pointer });
                        let components = slot.ty.components;
                        let value =
                            if stored == Stored::Word { self.is_true(value, components) } else { value };
                        let name = self.lower.names.globals[index].clone();
                        self.name(value, name);
                        self.globals[index] = Some(Held::Value(value));
                    }
                }
                Home::Structures { member, field, stored } if used => {
                    let Some(&base) = buffers.get(&slot.block) else { continue };
                    let pointer = self.add(Expression::AccessIndex { base, index: member });
                    self.globals[index] = Some(Held::Field { pointer, field, stored });
                }
                Home::Private(variable) if used || is_entry => {
                    let pointer = self.add(Expression::GlobalVariable(variable));
                    self.globals[index] = Some(Held::Pointer(pointer, Stored::Plain));
                }
                Home::Local if used && slot.role == Role::Constant && slot.form == Form::Single => {
                    let value = self.constant_value(index, 0)?;
                    let name = self.lower.names.globals[index].clone();
                    self.name(value, name);
                    self.globals[index] = Some(Held::Value(value));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the entry with its outputs, unless it has just ended.
    pub fn return_outputs(&mut self) {
        if matches!(self.block.last(), Some(Statement::Return { .. })) {
            return;
        }
        let Some((ty, outputs)) = self.outputs.clone() else { return };
        let assigned = self.lower.slots.iter().zip(&self.globals).find_map(|(slot, held)| match held {
            Some(Held::Value(value)) if slot.role == Role::Position => Some(*value),
            _ => None,
        });
        let position = match (self.position, assigned) {
            (Some(pointer), _) => self.add(Expression::Load { pointer }),
            (None, Some(value)) => value,
            (None, None) => {
                let ty = self.lower.ty(position_type());
                self.add(Expression::ZeroValue(ty))
            }
        };
        let mut components = Vec::new();
        if self.lower.kind == StageKind::Vertex {
            components.push(position);
        }
        for (global, element) in outputs {
            let value = match (self.globals[global.0 as usize], element) {
                (Some(Held::Value(value)), _) => value,
                (Some(Held::Pointer(pointer, _)), None) => self.add(Expression::Load { pointer }),
                (Some(Held::Pointer(base, _)), Some(index)) => {
                    let pointer = self.add(Expression::AccessIndex { base, index });
                    self.add(Expression::Load { pointer })
                }
                (None | Some(Held::Elements | Held::Field { .. }), _) => continue,
            };
            components.push(value);
        }
        let value = ty.map(|ty| self.add(Expression::Compose { ty, components }));
        self.push(Statement::Return { value });
    }
}
