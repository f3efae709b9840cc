/** What tests do by hand that a job or the clock does otherwise. */
export { registeredParts } from './parts.ts';
export { expire, make, removeLeftArchives } from './service.ts';
export { findArchive } from './store.ts';
export { unzip } from './unzip.testing.ts';
