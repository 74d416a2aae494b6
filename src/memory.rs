//! Memory whose size the input decides. Where there is none left, that is an error: the process goes on.

use crate::error::{Error, ErrorKind};

/// Makes room for so many more elements.
///
/// # Errors
/// [`ErrorKind::Memory`]
#[inline]
pub(crate) fn room<T>(list: &mut Vec<T>, additional: usize) -> Result<(), Error> {
    list.try_reserve(additional).map_err(|_| ErrorKind::Memory.into())
}

/// The same elements.
///
/// # Errors
/// [`ErrorKind::Memory`]
pub(crate) fn copy<T: Copy>(list: &[T]) -> Result<Vec<T>, Error> {
    let mut copy = Vec::new();
    append(&mut copy, list)?;
    Ok(copy)
}

/// Appends elements.
///
/// # Errors
/// [`ErrorKind::Memory`]
#[inline]
pub(crate) fn append<T: Copy>(list: &mut Vec<T>, elements: &[T]) -> Result<(), Error> {
    room(list, elements.len())?;
    list.extend_from_slice(elements);
    Ok(())
}

/// The elements as a list, up to the first error.
///
/// # Errors
/// [`ErrorKind::Memory`], and what the elements have.
pub(crate) fn collect<T>(elements: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    for element in elements {
        push(&mut list, element?)?;
    }
    Ok(list)
}

/// Appends an element.
///
/// # Errors
/// [`ErrorKind::Memory`]
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, element: T) -> Result<(), Error> {
    if list.len() == list.capacity() {
        more(list)?;
    }
    list.push(element);
    Ok(())
}

#[cold]
fn more<T>(list: &mut Vec<T>) -> Result<(), Error> {
    room(list, 1)
}
