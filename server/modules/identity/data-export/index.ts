/** Other modules register the data that they hold about a user. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type ExportEntry, type ExportFile, ExportFileLink, iteratePages, registerExportPart } from './parts.ts';

export const featureModule = { ...manifest, register };
