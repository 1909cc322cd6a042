//! Handles of textures and images in registers, and offsets in texels.

use super::super::super::address_map::{self, BANK_WORDS, UNKNOWN_TEXTURE};
use super::super::texture::BINDLESS;
use super::{DEPTH, Editor, Unresolved};
use unshade_ir::{Access, Image, Inst, InstId, Op, Space, Texture, TextureQuery, Value};
use unshade_stage::StageKind;
use unshade_stage::maxwell::Driver;

/// What a handle is: a word of a bank, and what is added to it.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// Binding of the bank.
    binding: u32,
    word: u32,
    /// Steps, and how many words each has.
    index: Option<(Index, u32)>,
}

/// What counts the words of a table.
#[derive(Debug, Clone, Copy)]
enum Index {
    /// A value.
    Words(Value),
    /// A value in bytes.
    Bytes(Value),
}

/// The constant part of an index in words, and the rest: `((x + c) & 0xffff) >> 2`. A handle outside of the bank
/// is none, so that the mask says nothing.
fn moved(editor: &Editor<'_>, index: Value) -> (u32, Index) {
    let two = |value: Value, op: Op| {
        let inst = editor.definition(value)?;
        match inst.args[..] {
            [a, b] if inst.op == op => Some((a, editor.constant(b)?)),
            _ => None,
        }
    };
    // The words of masked bytes, as a shift or as a field of the sum.
    let masked = || {
        let shifted = two(index, Op::ShrS).or_else(|| two(index, Op::ShrU));
        if let Some((bytes, 2)) = shifted {
            return match two(bytes, Op::And) {
                Some((sum, mask)) => (mask | 0xF == 0xFFFF).then_some(sum),
                None => Some(bytes),
            };
        }
        let inst = editor.definition(index)?;
        match (inst.op, &inst.args[..]) {
            (Op::UBitExtract, &[sum, first, count])
                if editor.constant(first) == Some(2) && editor.constant(count) == Some(14) =>
            {
                Some(sum)
            }
            _ => None,
        }
    };
    let found = (|| {
        let (rest, more) = two(masked()?, Op::IAdd)?;
        (more % 4 == 0 && more < 0x1_0000).then_some((more / 4, Index::Bytes(rest)))
    })();
    found.unwrap_or((0, Index::Words(index)))
}

/// A sum of bytes that known bits made one of words: a table that starts where no handle is starts by what is added to
/// the index.
fn rebased(editor: &Editor<'_>, found: Found, is_known: impl Fn(Found) -> bool) -> Found {
    let Some((Index::Words(index), stride)) = found.index.filter(|_| !is_known(found)) else { return found };
    let moved = editor.definition(index).and_then(|inst| {
        let (Op::IAdd, &[rest, more]) = (inst.op, &inst.args[..]) else { return None };
        let more = editor.constant(more).filter(|more| *more < BANK_WORDS)?;
        let word = found.word.checked_add(more.checked_mul(stride)?)?;
        Some(Found { word, index: Some((Index::Words(rest), stride)), ..found })
    });
    moved.filter(|moved| is_known(*moved)).unwrap_or(found)
}

/// Finds the place of a handle in the constants.
fn handle(editor: &Editor<'_>, value: Value, depth: u32) -> Option<Found> {
    let depth = depth.checked_sub(1)?;
    let inst = editor.definition(value)?;
    match (inst.op, &inst.args[..]) {
        (Op::Load(Access { space: Space::Uniform, binding, offset, stride: 0 }), _) => {
            Some(Found { binding, word: offset, index: None })
        }
        (Op::Load(Access { space: Space::Uniform, binding, offset, stride }), &[index]) => {
            let (more, index) = moved(editor, index);
            Some(Found { binding, word: offset.checked_add(more)?, index: Some((index, stride)) })
        }
        // A texture and a sampler put together: the texture stands below.
        (Op::Or, &[a, b]) => {
            let (a, b) = (handle(editor, a, depth), handle(editor, b, depth));
            match (a, b) {
                (Some(a), Some(b)) => Some(if (a.binding, a.word) <= (b.binding, b.word) { a } else { b }),
                (found, other) => found.or(other),
            }
        }
        (Op::And, &[a, b]) if editor.constant(b).is_some() => handle(editor, a, depth),
        // A handle outside of the bank is none.
        (Op::Select, &[_, inside, nothing]) if editor.constant(nothing) == Some(0) => {
            handle(editor, inside, depth)
        }
        _ => None,
    }
}

/// The number of what has its handle there; `known` numbers a word of the driver's table.
fn number(driver: Driver, found: Found, known: impl Fn(u32) -> u32) -> u32 {
    match address_map::bank_of(driver, found.binding) {
        bank if bank == address_map::handle_bank(driver) => known(found.word),
        // A table of the program's own: by its place alone.
        bank => address_map::unknown_texture(bank, found.word),
    }
}

/// An index into a table of handles as one into the bindings.
fn steps(editor: &mut Editor<'_>, driver: Driver, found: Found, index: (Index, u32)) -> Option<Value> {
    let (index, stride) = index;
    let index = match index {
        Index::Words(index) => index,
        Index::Bytes(bytes) => {
            let two = editor.bits(2);
            editor.value(Op::ShrS, &[bytes, two])
        }
    };
    if address_map::bank_of(driver, found.binding) != address_map::handle_bank(driver) {
        if stride == 1 {
            return Some(index);
        }
        let stride = editor.bits(stride);
        return Some(editor.value(Op::IMul, &[index, stride]));
    }
    match (driver, stride) {
        (Driver::Deko3d, 1) | (Driver::Nvn | Driver::UamNvn, 2) => Some(index),
        (Driver::Nvn | Driver::UamNvn, 1) => {
            let one = editor.bits(1);
            Some(editor.value(Op::ShrS, &[index, one]))
        }
        _ => None,
    }
}

/// Names the texture of a fetch, and takes offsets from its operands.
pub(super) fn texture(
    editor: &mut Editor<'_>,
    id: InstId,
    inst: &Inst,
    texture: Texture,
    (driver, kind): (Driver, StageKind),
) -> Result<(), Unresolved> {
    let unresolved = |what: &str| Unresolved { address: editor_address(inst), what: what.to_owned() };
    let mut now = texture;
    let mut args: Vec<Value> = inst.args.to_vec();
    if texture.unit == BINDLESS {
        let found = args.first().and_then(|first| handle(editor, *first, DEPTH));
        let found = found.ok_or_else(|| unresolved("a texture whose handle comes from nowhere known"))?;
        let of = |found| number(driver, found, |word| address_map::texture(driver, kind, word));
        let found = rebased(editor, found, |found| of(found) < UNKNOWN_TEXTURE);
        args.remove(0);
        now.unit = of(found);
        now.indexed = false;
        if let Some(index) = found.index {
            let index = steps(editor, driver, found, index)
                .ok_or_else(|| unresolved("a table of handles with gaps"))?;
            args.insert(0, index);
            now.indexed = true;
        }
    }
    let extra = args.split_off(now.operands().min(args.len()));
    let fixed = |word: &Value| editor.constant(*word).or_else(|| fixed_step(editor, *word));
    let words: Option<Vec<u32>> = extra.iter().map(fixed).collect();
    let Some(words) = words else {
        let axes = now.shape.axes();
        let steps = extra.get(..axes).filter(|_| extra.len() == 3);
        match (now.query, steps) {
            (TextureQuery::Gather(_), Some(steps)) => {
                now.moved = true;
                args.extend(steps);
            }
            // An offset only says another place.
            (TextureQuery::Texel, Some(steps)) => {
                let first = usize::from(now.indexed);
                for (at, step) in (first..).zip(steps) {
                    let place = args.get(at).copied().unwrap_or_default();
                    if let Some(arg) = args.get_mut(at) {
                        *arg = editor.value(Op::IAdd, &[place, *step]);
                    }
                }
            }
            _ => {
                return Err(unresolved(
                    "an offset in texels of a sample, or of one texel of a gather, that is not fixed",
                ));
            }
        }
        if let Some(inst) = editor.function.insts.get_mut(id.index()) {
            inst.args = args.into();
            inst.op = Op::Texture(now);
        }
        return Ok(());
    };
    match words[..] {
        [] => {}
        [_, _, _] => {
            let axes = now.shape.axes();
            now.offset.iter_mut().zip(&words).take(axes).for_each(|(place, word)| *place = *word as i8);
        }
        _ => {
            gather(editor, id, now, &args, &words);
            return Ok(());
        }
    }
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.args = args.into();
        inst.op = Op::Texture(now);
    }
    Ok(())
}

/// An offset that is fixed in a word that is not: the layer of a fetch with gradients lies below it.
fn fixed_step(editor: &Editor<'_>, step: Value) -> Option<u32> {
    let inst = editor.definition(step)?;
    let (Op::SBitExtract, &[mut word, at, count]) = (inst.op, &inst.args[..]) else { return None };
    let (mut at, count) = (editor.constant(at)?, editor.constant(count)?);
    let end = |first: u32, count: u32| first.checked_add(count).filter(|end| *end <= 32);
    for _ in 0..4 {
        if let Some(bits) = editor.constant(word) {
            let above = 32_u32.checked_sub(end(at, count)?).filter(|_| count > 0)?;
            return Some(((bits << above) as i32 >> (32 - count)) as u32);
        }
        let inst = editor.definition(word)?;
        let (Op::BitInsert, &[base, field, first, len]) = (inst.op, &inst.args[..]) else { return None };
        let (first, len) = (editor.constant(first)?, editor.constant(len)?);
        let (last, behind) = (end(at, count)?, end(first, len)?);
        word = match () {
            () if first <= at && last <= behind => {
                at -= first;
                field
            }
            () if last <= first || behind <= at => base,
            () => return None,
        };
    }
    None
}

fn editor_address(inst: &Inst) -> u32 {
    inst.origin.instruction.saturating_mul(4)
}

/// A gather with an offset for each texel: four gathers, of each the texel that a filter would have first.
fn gather(editor: &mut Editor<'_>, id: InstId, texture: Texture, args: &[Value], words: &[u32]) {
    let bytes: Vec<i8> = words.iter().map(|word| *word as i8).collect();
    let mut texels = Vec::new();
    for place in bytes.chunks_exact(2).take(4) {
        let [x, y] = [0, 1].map(|n| place.get(n).copied().unwrap_or(0));
        let one = Texture { offset: [x, y, 0], ..texture };
        let answer = editor.add(Op::Texture(one), args);
        texels.push(answer.get(3).copied().unwrap_or_default());
    }
    // The results of the instruction become those texels.
    let Some(results) = editor.function.insts.get(id.index()).map(|inst| inst.results.to_vec()) else {
        return;
    };
    let replaced: Vec<(Value, Value)> = results.into_iter().zip(texels).collect();
    let replace = |value: &mut Value| {
        if let Some((_, texel)) = replaced.iter().find(|(old, _)| old == value) {
            *value = *texel;
        }
    };
    for inst in &mut editor.function.insts {
        inst.args.iter_mut().for_each(replace);
    }
    for block in &mut editor.function.blocks {
        block.terminator.for_each_value_mut(replace);
    }
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.args = args.into();
        inst.op = Op::Texture(Texture { query: TextureQuery::Gather(0), ..texture });
    }
}

/// Names the image of an access.
pub(super) fn image(
    editor: &mut Editor<'_>,
    id: InstId,
    inst: &Inst,
    image: Image,
    (driver, kind): (Driver, StageKind),
) -> Result<(), Unresolved> {
    let (of, raw) = address_map::image_of(image.unit);
    if of != address_map::UNKNOWN_IMAGE {
        return Ok(());
    }
    let unresolved = |what: &str| Unresolved { address: editor_address(inst), what: what.to_owned() };
    let mut args: Vec<Value> = inst.args.to_vec();
    let found = args.first().and_then(|first| handle(editor, *first, DEPTH));
    let found = found.ok_or_else(|| unresolved("an image whose handle comes from nowhere known"))?;
    args.remove(0);
    let of = |found| number(driver, found, |word| address_map::image(driver, kind, word));
    let found = rebased(editor, found, |found| of(found) < UNKNOWN_TEXTURE);
    let of = of(found);
    let mut now = Image { unit: address_map::raw_image(of, raw), indexed: false, ..image };
    if let Some(index) = found.index {
        let index =
            steps(editor, driver, found, index).ok_or_else(|| unresolved("a table of handles with gaps"))?;
        args.insert(0, index);
        now.indexed = true;
    }
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.args = args.into();
        inst.op = Op::Image(now);
    }
    Ok(())
}
