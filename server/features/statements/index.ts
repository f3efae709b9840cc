/**
 * Statements to download. Depends on the wallet for the labels of movements. Other modules draw text in images with its
 * fonts.
 */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** @public Text layout in any script with our own fonts only. */
export {
  type FontWeight,
  loadFace,
  splitGraphemes,
  splitIntoRuns,
  type TextRun,
  toDrawableText,
} from './font-faces.ts';

export const featureModule = { ...manifest, register };
