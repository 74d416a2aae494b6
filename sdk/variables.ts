// The names of the variables that recording looks at.

/** `1` records. */
export const ENV_ENABLED = 'REWIND_ENABLED';
/** The folder of the recordings. */
export const ENV_DIR = 'REWIND_DIR';
/** An ingest server, in place of a folder. */
export const ENV_SERVER = 'REWIND_SERVER';
/** The bearer token for that server. */
export const ENV_TOKEN = 'REWIND_TOKEN';
/** The path of a configuration file. */
export const ENV_CONFIG = 'REWIND_CONFIG';
/** The path of a file of variables, `0` for none. */
export const ENV_ENV_FILE = 'REWIND_ENV_FILE';
