//! A register for each cell.

use super::{Component, Interference, coalesce::Cells};

/// Where everything lies.
#[derive(Debug, Clone, Default)]
pub struct Assigned {
    /// Register and lane of each component that is used; outputs are in [`Assigned::outputs`].
    of: Vec<Option<(u8, u8)>>,
    outputs: Vec<Option<(u8, u8)>>,
    /// How many registers are used.
    pub registers: usize,
}

/// There are too few registers.
#[derive(Debug, Clone, Copy)]
pub struct Full {
    /// A component that found no place.
    pub component: Component,
}

impl Assigned {
    /// Register and lane of a component, if it is no output.
    pub fn register(&self, component: Component) -> Option<(u8, u8)> {
        self.of.get(component).copied().flatten()
    }

    /// Output and lane of a component, if it is one.
    pub fn output(&self, component: Component) -> Option<(u8, u8)> {
        self.outputs.get(component).copied().flatten()
    }

    /// Whether two components are the same place.
    pub fn is_same(&self, a: Component, b: Component) -> bool {
        let place = |component| (self.register(component), self.output(component));
        place(a) == place(b) && place(a) != (None, None)
    }
}

/// Ways to lay four places into four lanes. As they are comes first, since it needs the fewest descriptors.
const ORDERS: [[usize; 4]; 24] = [
    [0, 1, 2, 3],
    [1, 0, 2, 3],
    [2, 0, 1, 3],
    [3, 0, 1, 2],
    [1, 2, 0, 3],
    [1, 2, 3, 0],
    [2, 3, 0, 1],
    [3, 2, 1, 0],
    [0, 1, 3, 2],
    [0, 2, 1, 3],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [0, 3, 2, 1],
    [1, 0, 3, 2],
    [1, 3, 0, 2],
    [1, 3, 2, 0],
    [2, 0, 3, 1],
    [2, 1, 0, 3],
    [2, 1, 3, 0],
    [2, 3, 1, 0],
    [3, 0, 2, 1],
    [3, 1, 0, 2],
    [3, 1, 2, 0],
    [3, 2, 0, 1],
];

/// Gives every cell one of `registers` registers.
///
/// # Errors
/// [`Full`] if they do not suffice.
pub fn assign(cells: &Cells, interference: &Interference, registers: usize) -> Result<Assigned, Full> {
    let components = cells.of.len();
    let mut assigned = Assigned { of: vec![None; components], outputs: vec![None; components], registers: 0 };
    let mut taken: Vec<[Vec<Component>; 4]> = vec![Default::default(); registers];
    // Wide cells first: narrow ones fit between them.
    let mut order: Vec<usize> = (0..cells.cells.len()).collect();
    let width = |index: &usize| {
        cells.cells.get(*index).map_or(0, |cell| cell.places.iter().filter(|place| !place.is_empty()).count())
    };
    order.sort_by_key(|index| std::cmp::Reverse(width(index)));
    for index in order {
        let Some(cell) = cells.cells.get(index) else { continue };
        let Some(&first) = cell.places.iter().flatten().next() else { continue };
        if let Some(output) = cell.output {
            for (lane, list) in (0u8..).zip(&cell.places) {
                for component in list {
                    if let Some(place) = assigned.outputs.get_mut(*component) {
                        *place = Some((output, lane));
                    }
                }
            }
            continue;
        }
        let fits = |register: &[Vec<Component>; 4], order: &[usize; 4]| {
            cell.places.iter().zip(order).all(|(list, &lane)| {
                let there = register.get(lane).map_or(&[][..], Vec::as_slice);
                list.iter().all(|&a| there.iter().all(|&b| !interference.holds(a, b)))
            })
        };
        let found = ORDERS.iter().find_map(|order| {
            let register = taken.iter().position(|register| fits(register, order))?;
            Some((register, order))
        });
        let Some((register, order)) = found else { return Err(Full { component: first }) };
        assigned.registers = assigned.registers.max(register + 1);
        let number = u8::try_from(register).unwrap_or(u8::MAX);
        for (list, &lane) in cell.places.iter().zip(order) {
            for component in list {
                if let Some(place) = assigned.of.get_mut(*component) {
                    *place = Some((number, u8::try_from(lane).unwrap_or(0)));
                }
            }
            if let Some(there) = taken.get_mut(register).and_then(|register| register.get_mut(lane)) {
                there.extend(list);
            }
        }
    }
    Ok(assigned)
}
