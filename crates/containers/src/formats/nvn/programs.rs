//! Whole stages of a raw pair: taken and put. Sections that come behind a longer one move, each to a multiple of what
//! the old place was one of.

use super::control::{Control, LEAST};
use super::detached::{Detached, Sections, same_kind};
use super::pair::{NvnPair, NvnShader};
use crate::shared::Opaque;
use crate::shared::programs::{Details, missing, unfit};
use unshade_bytes::Result;
use unshade_stage::StageId;

/// Sections start at multiples of this, but for the first, which stands behind the offsets.
const ALIGNMENT: u64 = 0x100;

impl NvnPair {
    fn position(&self, id: &StageId) -> Result<usize> {
        let is_it = |stage: &NvnShader| {
            Control(&stage.control).stage().kind().is_some_and(|kind| kind.name() == id.0)
        };
        self.stages.iter().position(is_it).ok_or_else(|| missing(&id.0))
    }

    /// The stage of that name with both sections.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let stage = self.stages.get(self.position(id)?).ok_or_else(|| missing(&id.0))?;
        let kind = Control(&stage.control).stage().kind().ok_or_else(|| missing(&id.0))?;
        let sections = Sections::Nvn { control: stage.control.clone(), code: stage.code.clone() };
        Ok(Detached { kind, sections, scratch: None, names: None, tables: Details::default() })
    }

    /// Puts another stage of the same kind in the place of that name. Its names are left out: a raw pair has none.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a stage of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its control section cannot be derived, where sections do
    /// not say themselves how long they are, and for a file of more than 32 bits.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let here = self.take(id)?;
        same_kind(id, here.kind, stage.kind)?;
        let old = match &here.sections {
            Sections::Nvn { control, .. } => Some(&**control),
            _ => None,
        };
        let (mut control, mut code) = stage.pair(old)?;
        if old == Some(&*control) && here.sections == stage.sections {
            return Ok(());
        }
        as_long_as_said(&mut control, &mut code)?;
        let position = self.position(id)?;
        let before = self.clone();
        if let Some(place) = self.stages.get_mut(position) {
            (place.control, place.code) = (Opaque(control), Opaque(code));
        }
        self.arrange(&before)
    }

    /// Gives everything its place again after sections changed their lengths.
    fn arrange(&mut self, before: &Self) -> Result<()> {
        // Old place, old and new length, what it stands on, and the place to set.
        let mut parts: Vec<(u64, u64, u64, u64, &mut u32)> = Vec::new();
        for (new, old) in self.stages.iter_mut().zip(&before.stages) {
            let (was, is) = (old.control.len() as u64, new.control.len() as u64);
            parts.push((old.control_at.into(), was, is, ALIGNMENT, &mut new.control_at));
            let (was, is) = (old.code.len() as u64, new.code.len() as u64);
            parts.push((old.code_at.into(), was, is, ALIGNMENT, &mut new.code_at));
        }
        for (at, bytes) in &mut self.others {
            let len = bytes.len() as u64;
            parts.push((u64::from(*at), len, len, 1, at));
        }
        parts.push((before.len.into(), 0, 0, ALIGNMENT, &mut self.len));
        parts.sort_by_key(|part| part.0);
        let (mut old_end, mut new_end) = (0x10_u64, 0x10_u64);
        for (at, was, is, most, place) in parts {
            let alignment = most.min(1 << at.trailing_zeros().min(16));
            let to = match old_end.next_multiple_of(alignment) == at {
                true => new_end.next_multiple_of(alignment),
                false => new_end.saturating_add(at.saturating_sub(old_end)).next_multiple_of(alignment),
            };
            *place = u32::try_from(to).map_err(|_| unfit("", "a file of 32 bits", "a longer one"))?;
            old_end = at.saturating_add(was);
            new_end = to.saturating_add(is);
        }
        Ok(())
    }
}

/// Makes sections as long as the control section says that they are, since a pair says it nowhere else.
fn as_long_as_said(control: &mut Vec<u8>, code: &mut Vec<u8>) -> Result<()> {
    let Some(known) = Control::new(control) else {
        return Err(unfit("control", "a whole control section", "another"));
    };
    let (wanted, code_wanted) = ((known.end() as usize).max(LEAST), known.code_size() as usize);
    for (bytes, wanted, name) in [(control, wanted, "control"), (code, code_wanted, "code")] {
        let rest = bytes.get(wanted..).unwrap_or_default();
        if rest.iter().any(|&byte| byte != 0) || wanted.saturating_sub(bytes.len()) >= 0x100 {
            let expected = format!("a {name} section of {wanted:#x} bytes, as its end is stated");
            return Err(unfit(name, expected, format!("{:#x} bytes", bytes.len())));
        }
        bytes.resize(wanted, 0);
    }
    Ok(())
}
