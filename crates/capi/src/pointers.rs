//! What the other side points to: bytes, texts, and structures that know their size.
//!
//! Objects of the library cross as `Option<&T>`, `Option<Box<T>>` and `Option<&mut MaybeUninit<_>>`, which are plain pointers
//! to C and need nothing from here. What is left is what C may give in any shape; it is looked at for null, length,
//! alignment and encoding before it is used.
#![allow(unsafe_code)]

use crate::{
    code::{CodeOptions, Known},
    error::{Failure, Finding},
    file::{OpenOptions, Surroundings, Wanted},
    stage::StageInfo,
};
use std::{
    ffi::{CStr, c_char},
    mem::MaybeUninit,
    slice,
};

/// A structure that starts with its size as the caller knows it, so that fields can be added at its end.
///
/// # Safety
///
/// `#[repr(C)]`, starts with a `usize`, and may be all zeroes.
unsafe trait Growing: Copy {
    /// Size of its first version. Stays when fields are added.
    const FIRST: usize = size_of::<Self>();
}
// SAFETY: each is `#[repr(C)]`, starts with `size: usize`, and else has integers and raw pointers.
unsafe impl Growing for OpenOptions {}
// SAFETY: as above.
unsafe impl Growing for CodeOptions {}
// SAFETY: as above; a text is a raw pointer and a length.
unsafe impl Growing for StageInfo {}
// SAFETY: as above.
unsafe impl Growing for Finding {}

/// No structure will be larger; a size that was never set mostly is.
const LARGEST: usize = 4096;

/// The size that a structure says it has.
///
/// # Safety
///
/// `at` is null or points to a `usize`.
unsafe fn size<T: Growing>(at: *const T, name: &str) -> Result<usize, Failure> {
    if at.is_null() {
        return Err(Failure::null(name));
    }
    if !at.is_aligned() {
        return Err(Failure::argument(name, "a pointer that is not aligned"));
    }
    // SAFETY: not null, aligned, and the caller promises that a `usize` is there.
    let size = unsafe { at.cast::<usize>().read() };
    if (T::FIRST..=LARGEST).contains(&size) {
        return Ok(size);
    }
    Err(Failure::argument(name, format!("size is {size}, expected {}", size_of::<T>())))
}

/// Reads a structure; fields that the caller does not know are zero.
///
/// # Safety
///
/// `from` is null or points to a structure of the size that its first field says.
unsafe fn read<T: Growing>(from: *const T, name: &str) -> Result<T, Failure> {
    // SAFETY: the same is asked of our caller.
    let size = unsafe { size(from, name)? };
    let known = size.min(size_of::<T>());
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `size` bytes can be read, `size_of::<T>()` written, `known` is no more than either; a new local overlaps nothing.
    unsafe { from.cast::<u8>().copy_to_nonoverlapping(value.as_mut_ptr().cast(), known) };
    // SAFETY: these bytes are those of the structure behind what was copied.
    let rest = unsafe { slice::from_raw_parts(from.cast::<u8>().add(known), size.saturating_sub(known)) };
    if rest.iter().any(|byte| *byte != 0) {
        return Err(Failure::argument(name, "fields that this version does not know are set"));
    }
    // SAFETY: a `Growing` is valid when it is all zeroes, and with whatever integers and pointers were copied.
    Ok(unsafe { value.assume_init() })
}

/// Fills in a structure, but for its size; fields that only the caller knows get zero.
///
/// # Safety
///
/// `to` is null or points to a structure of the size that its first field says, which may be written.
unsafe fn write<T: Growing>(to: *mut T, name: &str, value: &T) -> Result<(), Failure> {
    // SAFETY: the same is asked of our caller.
    let size = unsafe { size(to.cast_const(), name)? };
    let known = size.min(size_of::<T>());
    let from = std::ptr::from_ref(value).cast::<u8>();
    let behind = size_of::<usize>();
    // SAFETY: `size` bytes can be written, `size_of::<T>()` read, `known` is no more than either and no less than the first
    // field, which every `Growing` has; the value is ours and overlaps nothing of the caller's.
    unsafe {
        from.add(behind).copy_to_nonoverlapping(to.cast::<u8>().add(behind), known.saturating_sub(behind));
        to.cast::<u8>().add(known).write_bytes(0, size.saturating_sub(known));
    }
    Ok(())
}

/// Elements that are only looked at.
///
/// # Safety
///
/// `data` is null or points to `len` elements that nobody changes during `'a`.
unsafe fn elements<'a, T: Copy>(data: *const T, len: usize, name: &str) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Failure::null(name));
    }
    if !data.is_aligned() {
        return Err(Failure::argument(name, "a pointer that is not aligned"));
    }
    if len.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Failure::argument(name, format!("{len} elements are more than there can be")));
    }
    // SAFETY: not null, aligned, no larger than an object can be, and the caller promises the elements.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// The bytes of a file or of code.
///
/// # Safety
///
/// `data` is null or points to `len` bytes that nobody changes during `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: usize) -> Result<&'a [u8], Failure> {
    // SAFETY: the same is asked of our caller.
    unsafe { elements(data, len, "bytes") }
}

/// A text with a zero byte behind it; a null pointer is none.
///
/// # Safety
///
/// `data` is null or points to bytes up to a zero byte that nobody changes during `'a`.
pub(crate) unsafe fn text<'a>(data: *const c_char, name: &str) -> Result<Option<&'a str>, Failure> {
    if data.is_null() {
        return Ok(None);
    }
    // SAFETY: not null, and the caller promises the zero byte.
    let text = unsafe { CStr::from_ptr(data) };
    text.to_str().map(Some).map_err(|error| Failure::text(name, error.valid_up_to(), "no UTF-8 text"))
}

/// How a file is opened.
///
/// # Safety
///
/// `from` is null or points to a structure whose pointers hold what its fields say.
pub(crate) unsafe fn open_options<'a>(from: *const OpenOptions) -> Result<Wanted<'a>, Failure> {
    if from.is_null() {
        return Ok(Wanted::default());
    }
    // SAFETY: the same is asked of our caller, for the structure and for each of its pointers.
    unsafe {
        let options = read(from, "options")?;
        let surroundings =
            Surroundings { profile: text(options.profile, "profile")?, state: text(options.state, "state")? };
        let dictionary = elements(options.dictionary, options.dictionary_size, "dictionary")?;
        Ok(Wanted { place: text(options.place, "place")?, surroundings, dictionary })
    }
}

/// What is known of bare code.
///
/// # Safety
///
/// As [`open_options`].
pub(crate) unsafe fn code_options<'a>(from: *const CodeOptions) -> Result<Known<'a>, Failure> {
    if from.is_null() {
        return Ok(Known::default());
    }
    // SAFETY: the same is asked of our caller, for the structure and for each of its pointers.
    unsafe {
        let options = read(from, "options")?;
        let surroundings =
            Surroundings { profile: text(options.profile, "profile")?, state: text(options.state, "state")? };
        Ok(Known {
            flags: options.flags,
            kind: options.kind,
            entry: options.entry,
            reserved: options.reserved,
            descriptors: elements(options.descriptors, options.descriptor_count, "descriptors")?,
            surroundings,
        })
    }
}

/// Tells what a program is.
///
/// # Safety
///
/// `to` is null or points to a structure of the size that its first field says, which may be written.
pub(crate) unsafe fn stage_info(to: *mut StageInfo, value: &StageInfo) -> Result<(), Failure> {
    // SAFETY: the same is asked of our caller.
    unsafe { write(to, "info", value) }
}

/// Tells what was found.
///
/// # Safety
///
/// As [`stage_info`].
pub(crate) unsafe fn finding(to: *mut Finding, value: &Finding) -> Result<(), Failure> {
    // SAFETY: the same is asked of our caller.
    unsafe { write(to, "finding", value) }
}
