// What stands in for the addon where there is none. CommonJS: it is loaded at the first call that needs it, which is
// synchronous, and nobody else pays for it.
import errors = require('./errors.cjs');
import hash = require('./hash.cjs');
import preset = require('./preset.cjs');

export = { ...hash, error: errors.error, defaultPreset: preset.DEFAULT };
