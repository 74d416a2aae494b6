// Where recordings are kept, and how they are read back.
export { findRecording, listRuns, readCassette, readRun, readSteps, readTrace } from './store/read.js';
export type { AsyncStore, FileStore, Recording, Store, Trace, Write } from './store/types.js';
export { fileStore } from './store/write.js';
