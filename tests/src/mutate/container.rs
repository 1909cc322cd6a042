//! Containers and wrappers of which a field says something else.

use super::Dice;
use unshade::Container;
use unshade_containers::Node;
use unshade_containers::wrap::{layer::Layer, nest::wrapper, zstd::Dictionaries};

/// Most changes of one step.
const CHANGES: usize = 3;
/// Longest structure that is doubled or taken out, in bytes.
const LONGEST: usize = 512;
/// Largest container that is taken apart, in bytes.
const LARGEST: usize = 1 << 18;

/// Bytes of a field or structure.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: usize,
    size: usize,
}

/// Changes fields of a container or wrapper that reads.
pub fn container(data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    if data.len() > LARGEST {
        return None;
    }
    let tree = match wrapper(data) {
        Some(kind) => Layer::read(kind, data, &Dictionaries::default()).ok()?.tree(),
        None => Container::read(data).ok()?.tree(),
    };
    let (mut fields, mut structures) = (Vec::new(), Vec::new());
    places(&tree, data.len(), &mut fields, &mut structures);
    let mut new = data.to_vec();
    for _ in 0..=dice.below(CHANGES) {
        match dice.below(8) {
            0 => structure(&mut new, &structures, dice)?,
            1 => trade(&mut new, &fields, dice)?,
            _ => number(&mut new, &fields, dice)?,
        }
    }
    Some(new)
}

fn places(node: &Node, length: usize, fields: &mut Vec<Place>, structures: &mut Vec<Place>) {
    let place = Place { start: node.offset as usize, size: node.size as usize };
    if place.size > 0 && place.start.checked_add(place.size).is_some_and(|end| end <= length) {
        let list = if node.children.is_empty() { &mut *fields } else { &mut *structures };
        list.push(place);
    }
    for child in &node.children {
        places(child, length, fields, structures);
    }
}

/// One field holds another number: an edge, its neighbour, where something else stands, how much there is.
fn number(data: &mut [u8], fields: &[Place], dice: &mut Dice) -> Option<()> {
    let place = *dice.pick(fields)?;
    let at = place.start + if place.size > 8 { dice.below(place.size - 1) & !3 } else { 0 };
    let width = *dice.pick(&[1, 2, 4, 4, 8])?;
    let width = if place.size <= 8 && !dice.one_in(8) { place.size } else { width };
    let length = data.len() as u64;
    let field = data.get_mut(at..at.checked_add(width)?)?;
    let little = dice.one_in(2);
    let mut bytes = [0; 8];
    for (n, byte) in field.iter().enumerate().take(8) {
        bytes[if little { n } else { field.len() - 1 - n }] = *byte;
    }
    let old = u64::from_le_bytes(bytes);
    let other = dice.pick(fields)?.start as u64;
    let value = match dice.below(10) {
        0 => 0,
        1 => u64::MAX,
        2 => u64::MAX >> 1,
        3 => old.wrapping_add(1 + dice.below(16) as u64),
        4 => old.wrapping_sub(1 + dice.below(16) as u64),
        5 => old ^ 1 << dice.below(8 * width),
        // Where another field stands, seen from the start and from here.
        6 => other,
        7 => other.wrapping_sub(at as u64),
        8 => length.wrapping_add(dice.below(9) as u64).wrapping_sub(4),
        _ => dice.bits() >> dice.below(64),
    };
    let bytes = value.to_le_bytes();
    let last = field.len() - 1;
    for (n, byte) in field.iter_mut().enumerate() {
        *byte = bytes.get(if little { n } else { last - n }).copied().unwrap_or(0);
    }
    Some(())
}

/// Two fields of one size say what the other said.
fn trade(data: &mut [u8], fields: &[Place], dice: &mut Dice) -> Option<()> {
    let one = *dice.pick(fields)?;
    let alike: Vec<Place> = fields.iter().filter(|other| other.size == one.size).copied().collect();
    let other = *dice.pick(&alike)?;
    let (first, second) = (
        data.get(one.start..one.start + one.size)?.to_vec(),
        data.get(other.start..other.start + one.size)?.to_vec(),
    );
    data.get_mut(one.start..one.start + one.size)?.copy_from_slice(&second);
    data.get_mut(other.start..other.start + one.size)?.copy_from_slice(&first);
    Some(())
}

/// A structure stands twice, or is gone, or is where another was; what points behind it does not know.
fn structure(data: &mut Vec<u8>, structures: &[Place], dice: &mut Dice) -> Option<()> {
    let small: Vec<Place> = structures.iter().filter(|place| place.size <= LONGEST).copied().collect();
    let place = *dice.pick(&small)?;
    let end = place.start + place.size;
    let bytes = data.get(place.start..end)?.to_vec();
    match dice.below(3) {
        0 => drop(data.splice(end..end, bytes)),
        1 => drop(data.drain(place.start..end)),
        _ => {
            let to = dice.pick(&small)?.start;
            let end = (to + bytes.len()).min(data.len());
            data.get_mut(to..end)?.copy_from_slice(bytes.get(..end - to)?);
        }
    }
    Some(())
}
