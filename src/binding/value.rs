//! JavaScript values as arguments and results, without conversion.

use napi::bindgen_prelude::{FromNapiValue, ToNapiValue, TypeName, ValidateNapiValue, ValueType};
use napi::{Result, sys};

/// Any value, as it came.
#[derive(Clone, Copy)]
pub struct Value(pub(super) sys::napi_value);

impl TypeName for Value {
    fn type_name() -> &'static str {
        "unknown"
    }

    fn value_type() -> ValueType {
        ValueType::Unknown
    }
}

impl ValidateNapiValue for Value {
    unsafe fn validate(_: sys::napi_env, _: sys::napi_value) -> Result<sys::napi_value> {
        Ok(std::ptr::null_mut())
    }
}

impl FromNapiValue for Value {
    unsafe fn from_napi_value(_: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        Ok(Self(value))
    }
}

impl ToNapiValue for Value {
    unsafe fn to_napi_value(_: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        Ok(value.0)
    }
}
