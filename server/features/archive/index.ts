/** The archive of what is a person's own: rooms above register what they hold of somebody. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type ArchiveEntry, type ArchiveFile, InArchive, inPages, registerArchivePart } from './parts.ts';

export const room = { ...manifest, register };
