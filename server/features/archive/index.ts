/** Other modules register the data that they hold about a user. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type ArchiveEntry, type ArchiveFile, InArchive, inPages, registerArchivePart } from './parts.ts';

export const room = { ...manifest, register };
