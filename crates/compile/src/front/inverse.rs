//! Determinants and inverses, by minors.

use super::Walk;
use crate::vector::{Lane, Lanes, Op};
use smallvec::SmallVec;

impl Walk<'_> {
    pub(super) fn determinant(&mut self, columns: &[Lanes]) -> Lane {
        let all: SmallVec<[usize; 4]> = (0..columns.len()).collect();
        self.minor(columns, &all, &all)
    }

    /// The determinant of some columns and rows.
    fn minor(&mut self, columns: &[Lanes], of: &[usize], rows: &[usize]) -> Lane {
        let at = |column: usize, row: usize| {
            columns.get(column).and_then(|lanes| lanes.get(row)).copied().unwrap_or(Lane::ZERO)
        };
        match (of, rows) {
            ([column], [row]) => at(*column, *row),
            ([first, rest @ ..], rows) => {
                let mut sum = Lane::ZERO;
                for (index, &row) in rows.iter().enumerate() {
                    let others: SmallVec<[usize; 4]> =
                        rows.iter().copied().filter(|&other| other != row).collect();
                    let minor = self.minor(columns, rest, &others);
                    let product = self.builder.multiply_one(at(*first, row), minor);
                    let signed = if index % 2 == 1 { product.negated() } else { product };
                    sum = self.builder.add_one(sum, signed);
                }
                sum
            }
            _ => Lane::ONE,
        }
    }

    /// The inverse, column by column.
    pub(super) fn inverse(&mut self, columns: &[Lanes]) -> SmallVec<[Lanes; 4]> {
        let size = columns.len();
        let without =
            |index: usize| -> SmallVec<[usize; 4]> { (0..size).filter(|&other| other != index).collect() };
        let determinant = self.determinant(columns);
        let scale = self.builder.scalar(Op::Reciprocal, determinant);
        (0..size)
            .map(|column| {
                let cofactors: Lanes = (0..size)
                    .map(|row| {
                        // Row and column change places in the inverse.
                        let minor = self.minor(columns, &without(row), &without(column));
                        if (row + column) % 2 == 1 { minor.negated() } else { minor }
                    })
                    .collect();
                let scales = cofactors.iter().map(|_| scale).collect();
                self.builder.lanewise(Op::Mul, &[cofactors, scales])
            })
            .collect()
    }
}
