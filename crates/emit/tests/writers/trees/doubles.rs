//! Doubles, and floats of 16 bits, among the expressions of random programs.

use super::random::Generator;
use super::*;

const TWO_WORDS: Type = Type { scalar: Scalar::Uint, components: 2 };

fn double(ty: Type) -> Type {
    Type { scalar: Scalar::Double, ..ty }
}

fn of(ty: Type, kind: ExprKind) -> Expr {
    Expr::new(ty, kind)
}

impl Generator {
    /// A value of another kind that is made of doubles; none for most.
    pub fn of_doubles(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !self.recipe.doubles || !self.chance(12) {
            return None;
        }
        let wide = self.expr(double(ty), depth);
        Some(match ty.scalar {
            Scalar::Float => match self.next(3) {
                0 => of(ty, ExprKind::Helper(Helper::RoundHalf, vec![wide])),
                1 => helper(Helper::FlushHalf, vec![convert(Scalar::Float, wide)]),
                _ => convert(Scalar::Float, wide),
            },
            Scalar::Int => helper(Helper::ToIntSaturate, vec![wide]),
            Scalar::Uint if ty.components == 1 && self.chance(50) => {
                let words = of(TWO_WORDS, ExprKind::Builtin(Builtin::UnpackDouble, vec![wide]));
                swizzle(words, ["x", "y"][self.next(2) as usize])
            }
            Scalar::Uint => helper(Helper::ToUintSaturate, vec![wide]),
            Scalar::Bool if ty.components > 1 => {
                let function = [Builtin::LessThan, Builtin::GreaterThanEqual, Builtin::NotEqual];
                builtin(function[self.next(3) as usize], vec![self.expr(double(ty), depth), wide])
            }
            Scalar::Bool if !self.recipe.comparable && self.chance(30) => builtin(Builtin::IsNan, vec![wide]),
            Scalar::Bool => {
                let operator = [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge];
                binary(operator[self.next(6) as usize], self.expr(double(ty), depth), wide)
            }
            Scalar::Double => wide,
        })
    }

    pub fn double_literal(&mut self) -> u64 {
        if !self.recipe.comparable && self.chance(10) {
            let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, 1e-310, 0.1];
            return special[self.next(6) as usize].to_bits();
        }
        (f64::from(self.next(33)) / 8.0 - 2.0).to_bits()
    }

    pub fn double_expr(&mut self, ty: Type, depth: u32) -> Expr {
        let single = Type { components: 1, ..ty };
        match self.next(if self.recipe.comparable { 15 } else { 18 }) {
            0..=2 => {
                let operator = [Binary::Add, Binary::Sub, Binary::Mul][self.next(3) as usize];
                let left = self.expr(ty, depth);
                let right_type = if self.chance(25) { single } else { ty };
                binary(operator, left, self.expr(right_type, depth))
            }
            3 => negate(self.expr(ty, depth)),
            4 => {
                let condition = self.expr(BOOL, depth);
                select(condition, self.expr(ty, depth), self.expr(ty, depth))
            }
            5 => {
                let function = [Builtin::Min, Builtin::Max][self.next(2) as usize];
                builtin(function, vec![self.expr(ty, depth), self.expr(ty, depth)])
            }
            6 => {
                let functions =
                    [Builtin::Abs, Builtin::Floor, Builtin::Ceil, Builtin::Trunc, Builtin::RoundEven];
                builtin(functions[self.next(5) as usize], vec![self.expr(ty, depth)])
            }
            7 | 8 => {
                let functions = [
                    Helper::MulInfTimesZero,
                    Helper::MulZeroWins,
                    Helper::MaxSecond,
                    Helper::MinSecond,
                    Helper::MinNumber,
                    Helper::MaxNumber,
                ];
                let function = functions[self.next(6) as usize];
                of(ty, ExprKind::Helper(function, vec![self.expr(ty, depth), self.expr(ty, depth)]))
            }
            9 => {
                let function = [Helper::Saturate, Helper::FlushDenormal][self.next(2) as usize];
                of(ty, ExprKind::Helper(function, vec![self.expr(ty, depth)]))
            }
            10 => self.constructed(ty, depth),
            11 => {
                let condition = self.comparison(ty.components, depth.min(1));
                builtin(Builtin::Choose, vec![self.expr(ty, depth), self.expr(ty, depth), condition])
            }
            12 | 13 => {
                let scalar = [Scalar::Float, Scalar::Int, Scalar::Uint, Scalar::Bool][self.next(4) as usize];
                convert(Scalar::Double, self.expr(Type { scalar, ..ty }, depth.min(1)))
            }
            15 if ty.components == 1 => {
                let words = construct(2, vec![self.expr(UINT, depth), self.expr(UINT, depth)]);
                of(ty, ExprKind::Builtin(Builtin::PackDouble, vec![words]))
            }
            16 => {
                let functions = [Builtin::Sqrt, Builtin::InverseSqrt, Builtin::Fract];
                builtin(functions[self.next(3) as usize], vec![self.expr(ty, depth)])
            }
            17 => match self.next(3) {
                0 => binary(Binary::Div, self.expr(ty, depth), self.expr(ty, depth)),
                1 => builtin(
                    Builtin::Fma,
                    vec![self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth)],
                ),
                _ => builtin(
                    Builtin::Clamp,
                    vec![self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth)],
                ),
            },
            _ => self.leaf(ty),
        }
    }
}
