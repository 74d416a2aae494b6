//! The Node addon. Each export converts, calls the core and converts back; nothing is decided here.
#![expect(unsafe_code, reason = "this is where Node-API is called")]

mod call;
mod error;
mod hash;
mod heap;
mod record;
mod redact;
mod session;
mod task;
mod tree;

use napi::bindgen_prelude::{Env, Object};
use napi::{JsValue as _, Result};
use napi_derive::napi;

use call::{define, open_session};

/// Puts these functions on the exports, each under its name.
macro_rules! export {
    ($env:expr, $exports:expr; $($(#[$attribute:meta])* $name:literal => $module:ident::$function:ident,)*) => {
        let session = open_session($env);
        $(
            $(#[$attribute])*
            {
                unsafe extern "C" fn $function(
                    env: napi::sys::napi_env,
                    info: napi::sys::napi_callback_info,
                ) -> call::Value {
                    // SAFETY: `define` gets this as callback, below.
                    unsafe { call::run(env, info, $module::$function) }
                }
                define($env, $exports, session, $name, $function)?;
            }
        )*
    };
}

#[napi(module_exports)]
fn init(mut exports: Object, env: Env) -> Result<()> {
    export! { env.raw(), exports.raw();
        c"intern" => session::intern,
        c"pointer" => session::pointer,
        c"error" => session::error,
        c"forgetKeys" => session::forget_keys,
        c"reqHash" => hash::req_hash,
        c"stateHash" => hash::state_hash,
        c"canonicalRequest" => hash::canonical_request,
        c"canonicalState" => hash::canonical_state,
        c"reqHashJson" => hash::req_hash_json,
        c"stateHashJson" => hash::state_hash_json,
        c"normalizeText" => hash::normalize_text,
        c"digest" => hash::digest_text,
        c"verify" => record::verify,
        c"verifyJson" => record::verify_json,
        c"verifyJsonAsync" => record::verify_json_async,
        c"verifyFile" => record::verify_file,
        c"eventChain" => record::event_chain,
        c"cassetteDigest" => record::cassette_digest,
        c"seal" => record::seal,
        c"sealPart" => record::seal_part,
        c"finishSeal" => record::finish_seal,
        c"matchers" => redact::matchers,
        c"matcherName" => redact::matcher_name,
        c"findSensitive" => redact::find_sensitive,
        #[cfg(feature = "panic-probe")]
        c"panic" => session::panic,
    }
    exports.set("version", env!("CARGO_PKG_VERSION"))
}
