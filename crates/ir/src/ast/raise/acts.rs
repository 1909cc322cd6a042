//! Memory that invocations share, images, barriers, inputs at another place of the pixel.

use super::super::{Act, Action, Expr, ExprKind, GlobalRef, Link, Place, Scalar, Stmt};
use super::forms::{add, literal, step, ty};
use super::memories::Element;
use super::operands::Operand;
use super::packs::Lanes;
use super::statements::Unit;
use crate::{Access, Image, ImageQuery, InputPlace, Inst, InstId, Op, Value};
use smallvec::{SmallVec, smallvec};

/// Operands of an operation on an image as vectors: index, coordinates, sample, texel or values.
pub(super) fn image_operands(image: Image, args: &[Value]) -> SmallVec<[Lanes; 4]> {
    let mut rest = args;
    let mut take = |count: usize| {
        let (front, behind) = rest.split_at(count.min(rest.len()));
        rest = behind;
        Lanes::from_slice(front)
    };
    let mut lists: SmallVec<[Lanes; 4]> = smallvec![
        take(image.indexed.into()),
        take(image.coordinates()),
        take(image.has_sample_operand().into()),
    ];
    match image.query {
        ImageQuery::Store => lists.push(take(4)),
        _ => lists.extend((0..image.values()).map(|_| take(1))),
    }
    lists.retain(|list| !list.is_empty());
    lists
}

impl Unit<'_> {
    /// What an action takes.
    pub(super) fn act_operands(&self, inst: &Inst) -> SmallVec<[Operand; 2]> {
        match inst.op {
            Op::Image(image) => image_operands(image, &inst.args).into_iter().map(Operand::of).collect(),
            _ => inst.args.iter().map(|arg| Operand::one(*arg)).collect(),
        }
    }

    /// The statement of an action.
    pub(super) fn act(&mut self, id: InstId, result: Option<Place>, out: &mut Vec<Stmt>) {
        let inst = self.function.insts[id.index()].clone();
        let (action, operands) = match inst.op {
            Op::Barrier(barrier) => (Action::Barrier(barrier), Vec::new()),
            Op::Demote => (Action::Demote, Vec::new()),
            Op::Atomic(op, access) => {
                let Some(element) = self.interface.element(access) else { return };
                let memory = element.memory;
                let kind = self.interface.memories[memory as usize].scalar;
                let (index, values) = inst.args.split_at(access.address_operands());
                let word = self.element_index(element, index.first().copied());
                let values = values.iter().map(|value| self.gather(&[*value], kind));
                let operands = [word].into_iter().chain(values).collect();
                (Action::Atomic(op, memory), operands)
            }
            Op::Image(image) => {
                let Some((global, operands)) = self.image_parts(image, &inst.args) else { return };
                (Action::Image(GlobalRef(global), image), operands)
            }
            _ => return,
        };
        let link = self.link(Link::NONE, [inst.origin.instruction]);
        out.push(Stmt::Act(Box::new(Act { action, operands, result, link })));
    }

    /// A load from an image, or its size.
    pub(super) fn image_expression(&mut self, image: Image, inst: &Inst) -> Expr {
        let scalar = self.interface.image_scalar(image);
        match self.image_parts(image, &inst.args) {
            Some((global, operands)) => {
                Expr::new(ty(scalar, 4), ExprKind::Image(GlobalRef(global), image, operands))
            }
            None => literal(scalar, &[0; 4]),
        }
    }

    fn image_parts(&mut self, image: Image, args: &[Value]) -> Option<(u32, Vec<Expr>)> {
        let (global, first) = self.interface.image(image)?;
        self.interface.use_global(global);
        let texel = self.interface.texel_of(global);
        let mut operands = Vec::new();
        let mut lists = image_operands(image, args).into_iter();
        if image.indexed {
            let index = lists.next().map(|list| self.gather(&list, Scalar::Int));
            operands.extend(index.map(|index| match first {
                Some(first @ 1..) => add(index, literal(Scalar::Int, &[first.into()])),
                _ => index,
            }));
        } else if let Some(first) = first {
            operands.push(literal(Scalar::Int, &[first.into()]));
        }
        let integers = usize::from(image.coordinates() > 0) + usize::from(image.has_sample_operand());
        for (position, list) in lists.enumerate() {
            operands.push(self.gather(&list, if position < integers { Scalar::Int } else { texel }));
        }
        Some((global, operands))
    }

    /// Which word of a private array an access means.
    pub(super) fn word_index(&mut self, access: Access, index: Option<Value>) -> Expr {
        match index {
            Some(index) => {
                let index = self.gather(&[index], Scalar::Int);
                step(index, access.stride, access.offset)
            }
            None => literal(Scalar::Int, &[access.offset.into()]),
        }
    }

    /// Which element of memory an access means.
    pub(super) fn element_index(&mut self, element: Element, index: Option<Value>) -> Expr {
        match index {
            Some(index) => {
                let index = self.gather(&[index], Scalar::Int);
                step(index, element.steps, element.first)
            }
            None => literal(Scalar::Int, &[element.first.into()]),
        }
    }

    /// Components of an element of memory that invocations share.
    pub(super) fn shared_words(
        &mut self,
        access: Access,
        index: Option<Value>,
        lanes: &[Value],
    ) -> Option<Expr> {
        let element = self.interface.element(access)?;
        let whole = self.interface.memories.get(element.memory as usize)?.ty();
        let mut components: SmallVec<[u8; 4]> = smallvec![element.component];
        for lane in lanes.iter().skip(1) {
            let Some(Op::Load(access)) = self.function.definition(*lane).map(|inst| inst.op) else {
                return None;
            };
            components.push(self.interface.element(access)?.component);
        }
        let index = self.element_index(element, index);
        let expr = Expr::new(whole, ExprKind::Word(element.memory, Box::new(index)));
        Some(super::forms::swizzle(expr, &components))
    }

    /// Components of an input at another place of the pixel.
    pub(super) fn interpolated(
        &mut self,
        place: InputPlace,
        lanes: &[Access],
        args: &[Value],
    ) -> Option<Expr> {
        let access = *lanes.first()?;
        let (index, at) = args.split_at(access.address_operands().min(args.len()));
        let (global, element, component) = match index.first() {
            None => {
                let lane = *self.interface.lanes(access).first()?;
                (
                    lane.global,
                    lane.element.map(|element| literal(Scalar::Int, &[element.into()])),
                    lane.component,
                )
            }
            Some(index) => {
                let super::interface::Indexed::Elements { global, first, component, steps } =
                    self.interface.indexed(access)?
                else {
                    return None;
                };
                let index = self.gather(&[*index], Scalar::Int);
                (global, Some(step(index, steps, first)), component)
            }
        };
        self.interface.use_global(global);
        let kind = if place == InputPlace::Sample { Scalar::Int } else { Scalar::Float };
        let at = (!at.is_empty()).then(|| self.gather(at, kind));
        let operands = element.into_iter().chain(at).collect();
        let whole = ty(self.interface.scalar(global), self.interface.components(global).into());
        let expr = Expr::new(whole, ExprKind::Interpolate(place, GlobalRef(global), operands));
        let mut components = vec![component];
        for access in &lanes[1..] {
            components.push(self.interface.lanes(*access).first()?.component);
        }
        Some(super::forms::swizzle(expr, &components))
    }
}
