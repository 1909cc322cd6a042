//! Functions of matrices.

use super::super::{Translator, Values};
use super::Arguments;
use super::math::one;
use unshade_glsl::tree::{Binary, Operation};
use unshade_glsl::types::{Scalar, Type};
use unshade_ir::Value;

/// A square matrix: column, then row.
struct Square<'a> {
    scalar: Scalar,
    size: usize,
    values: &'a [Value],
}

impl Square<'_> {
    fn at(&self, column: usize, row: usize) -> Value {
        self.values.get(column * self.size + row).copied().unwrap_or_default()
    }
}

impl Translator<'_> {
    pub(super) fn matrix_function(
        &mut self,
        operation: Operation,
        ty: Type,
        given: &Arguments,
    ) -> Option<Values> {
        let scalar = given.kind(0);
        let (a, b) = (given.all(0), given.all(1));
        match operation {
            Operation::MatrixComponentMultiply => Some(self.by_lane(Binary::Multiply, scalar, a, b)),
            Operation::OuterProduct => {
                let mut values = Values::new();
                for y in b {
                    values.extend(self.by_lane(Binary::Multiply, scalar, a, &[*y]));
                }
                Some(values)
            }
            Operation::Transpose => {
                let Type::Matrix(_, columns, rows) = ty else { return None };
                let places = (0..usize::from(columns)).flat_map(|column| {
                    (0..usize::from(rows)).map(move |row| row * usize::from(columns) + column)
                });
                places.map(|place| a.get(place).copied()).collect()
            }
            Operation::Determinant | Operation::Inverse => {
                let Type::Matrix(_, size, _) = given.ty(0) else { return None };
                let matrix = Square { scalar, size: size.into(), values: a };
                Some(match operation {
                    Operation::Determinant => one(self.determinant(&matrix)),
                    _ => self.inverse(&matrix),
                })
            }
            _ => None,
        }
    }

    /// `a * d - b * c`
    fn crossed(&mut self, scalar: Scalar, [a, b, c, d]: [Value; 4]) -> Value {
        let first = self.operate(Binary::Multiply, scalar, a, d);
        let second = self.operate(Binary::Multiply, scalar, b, c);
        self.operate(Binary::Subtract, scalar, first, second)
    }

    /// The determinant of what is left without a column and a row.
    fn minor(&mut self, matrix: &Square<'_>, without: (usize, usize)) -> Value {
        let rest = |skip: usize| (0..matrix.size).filter(move |at| *at != skip);
        let values: Vec<Value> = rest(without.0)
            .flat_map(|column| rest(without.1).map(move |row| (column, row)))
            .map(|(c, r)| matrix.at(c, r))
            .collect();
        let smaller = Square { scalar: matrix.scalar, size: matrix.size - 1, values: &values };
        self.determinant(&smaller)
    }

    fn determinant(&mut self, matrix: &Square<'_>) -> Value {
        match matrix.size {
            0 | 1 => matrix.at(0, 0),
            2 => self
                .crossed(matrix.scalar, [matrix.at(0, 0), matrix.at(1, 0), matrix.at(0, 1), matrix.at(1, 1)]),
            size => {
                let mut sum: Option<Value> = None;
                for column in 0..size {
                    let minor = self.minor(matrix, (column, 0));
                    let part = self.operate(Binary::Multiply, matrix.scalar, matrix.at(column, 0), minor);
                    sum = Some(match sum {
                        None => part,
                        Some(before) if column % 2 == 1 => {
                            self.operate(Binary::Subtract, matrix.scalar, before, part)
                        }
                        Some(before) => self.operate(Binary::Add, matrix.scalar, before, part),
                    });
                }
                sum.unwrap_or_default()
            }
        }
    }

    /// The transposed cofactors, over the determinant.
    fn inverse(&mut self, matrix: &Square<'_>) -> Values {
        let (scalar, size) = (matrix.scalar, matrix.size);
        let determinant = self.determinant(matrix);
        let mut values = Values::new();
        for column in 0..size {
            for row in 0..size {
                self.lane(row);
                let minor = match size {
                    2 => matrix.at(1 - row, 1 - column),
                    _ => self.minor(matrix, (row, column)),
                };
                let cofactor = match (column + row) % 2 {
                    0 => minor,
                    _ => self.unary(unshade_glsl::tree::Unary::Negate, scalar, &[minor])[0],
                };
                values.push(self.operate(Binary::Divide, scalar, cofactor, determinant));
            }
        }
        values
    }
}
