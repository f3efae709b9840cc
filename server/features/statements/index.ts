/**
 * Statements to download. Depends on the wallet for the labels of movements. Other modules draw text in images with its
 * fonts.
 */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** @public Text layout in any script with our own fonts only. */
export { asDrawn, graphemesOf, loadFace, type Run, runsOf, type Weight } from './faces.ts';

export const room = { ...manifest, register };
