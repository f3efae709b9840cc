export { registeredParts } from './parts.ts';
export { expire, make, removeLeftArchives } from './service.ts';
export { findArchive } from './store.ts';
export { unzip } from './unzip.testing.ts';
