//! RFC 8785 text, written a second time, from `serde_json`'s values.

use serde_json::Value;

/// The canonical text of a value.
pub fn text(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(text).collect();
            format!("[{}]", elements.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_cached_key(|(key, _)| key.encode_utf16().collect::<Vec<_>>());
            let members: Vec<_> =
                members.into_iter().map(|(key, value)| format!("{}:{}", quoted(key), text(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::String(string) => quoted(string),
        Value::Number(number) => ryu_js::Buffer::new().format(number.as_f64().unwrap_or(f64::NAN)).to_owned(),
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
