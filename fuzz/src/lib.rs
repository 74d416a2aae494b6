//! What the fuzz targets share: values and their encodings, and second readings of the specification.

pub mod encoding;
pub mod jcs;
pub mod pem;
pub mod published;
pub mod text;
pub mod value;
