export { listExportParts } from './parts.ts';
export { createExport, deleteOrphanExports, purgeExpiredExports } from './service.ts';
export { findExport } from './store.ts';
export { unzip } from './unzip.testing.ts';
