//! Products with the inverse of a matrix, in single precision: each element of the inverse is a cofactor over the
//! determinant, as compilers of shading languages have it.

/// A matrix of up to four rows and columns.
type Square = [[f32; 4]; 4];

/// The determinant without some rows and columns, of those whose bits are set.
fn determinant(columns: &Square, rows: u8, left: u8) -> f32 {
    let Some(column) = (0..4u8).find(|column| left >> column & 1 == 1) else { return 1.0 };
    let mut sum = 0.0;
    let mut sign = 1.0;
    for row in (0..4u8).filter(|row| rows >> row & 1 == 1) {
        let minor = determinant(columns, rows & !(1 << row), left & !(1 << column));
        sum += sign * columns[usize::from(column)][usize::from(row)] * minor;
        sign = -sign;
    }
    sum
}

/// The rows of the inverse of a matrix of `size` rows and columns, given column by column. Without an inverse they are not
/// finite.
fn rows(columns: &Square, size: usize) -> Square {
    let all = (1u8 << size.min(4)) - 1;
    let whole = determinant(columns, all, all);
    let mut rows = Square::default();
    for (i, row) in rows.iter_mut().enumerate().take(size) {
        for (j, element) in row.iter_mut().enumerate().take(size) {
            let minor = determinant(columns, all & !(1 << j), all & !(1 << i));
            let cofactor = if (i + j) % 2 == 0 { minor } else { -minor };
            *element = cofactor / whole;
        }
    }
    rows
}

/// `inverse(matrix) * vector`, or `vector * inverse(matrix)` where the vector comes first.
///
/// The matrix has `size` columns of so many numbers, 2 to 4; what is beyond that is ignored, and 0 in the result.
#[must_use]
pub fn product(columns: &[[f32; 4]; 4], size: usize, vector: [f32; 4], vector_first: bool) -> [f32; 4] {
    let size = size.min(4);
    let rows = rows(columns, size);
    let mut result = [0.0; 4];
    for (i, row) in rows.iter().enumerate().take(size) {
        for (j, element) in row.iter().enumerate().take(size) {
            let (to, from) = if vector_first { (j, i) } else { (i, j) };
            result[to] += element * vector[from];
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn what_is_taken_back_is_what_it_was() {
        let mut dice = Dice::new(7);
        let mut number = || (dice.below(2001) as f32 - 1000.0) / 250.0;
        for size in 2..=4 {
            for _ in 0..50 {
                let mut columns = Square::default();
                columns.iter_mut().flatten().for_each(|element| *element = number());
                // Far from having no inverse.
                columns.iter_mut().enumerate().for_each(|(n, column)| column[n] += 20.0);
                let vector = [number(), number(), number(), number()];
                let times = |vector_first: bool| {
                    let mut result = [0.0f32; 4];
                    for (j, column) in columns.iter().enumerate().take(size) {
                        for (i, element) in column.iter().enumerate().take(size) {
                            let (to, from) = if vector_first { (j, i) } else { (i, j) };
                            result[to] += element * vector[from];
                        }
                    }
                    result
                };
                for vector_first in [false, true] {
                    let back = product(&columns, size, times(vector_first), vector_first);
                    for (was, is) in vector.iter().zip(back).take(size) {
                        assert!((was - is).abs() < 1e-4, "{was} {is}");
                    }
                }
            }
        }
    }
}
