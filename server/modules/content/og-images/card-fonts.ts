/** The fonts of share images. Fonts of the system are not used, so an image is the same on every machine. */
import { readFileSync } from 'node:fs';
import { TYPE_PAIRS, type TypePair } from '@stagedoor/contract/content/themes.ts';
import type { Renderer } from '@takumi-rs/core';
import * as z from 'zod/mini';
import {
  EVERY_SCRIPT_FACE,
  FACES,
  type FontWeight,
  parseCodeRanges,
  readFace,
} from '../../../platform/text/font-faces.ts';

const FOLDER = new URL('./fonts/', import.meta.url);
const fontFilesSchema = z.record(z.enum(TYPE_PAIRS), z.array(z.object({ file: z.string(), ranges: z.string() })));
const WEIGHTS: Record<FontWeight, number> = { regular: 400, bold: 700 };
const FALLBACKS = 'text, arabic, every-script';

export type FontChoice = { weight: FontWeight } | { type: TypePair };

export const toFontStyle = (choice: FontChoice) =>
  'type' in choice
    ? { fontFamily: `${choice.type}, ${FALLBACKS}`, fontWeight: WEIGHTS.bold }
    : { fontFamily: FALLBACKS, fontWeight: WEIGHTS[choice.weight] };

async function createRenderer(): Promise<Renderer> {
  // The server also starts on a machine for which this library has no binary.
  const takumi = await import('@takumi-rs/core');
  // Without its cache of decoded pictures, because each picture is drawn once.
  const renderer = new takumi.Renderer({ cacheMaxBytes: 0 });
  const register = (name: string, data: Buffer, weight: FontWeight, ranges?: [number, number][]) =>
    renderer.registerFont({ name, data, weight: WEIGHTS[weight], ...(ranges && { unicodeRange: ranges }) });
  // Made by fonts/generate.mjs.
  const fontFiles = z.parse(fontFilesSchema, JSON.parse(readFileSync(new URL('faces.json', FOLDER), 'utf8')));
  // A font can compose a letter from parts, less well than a font that has it whole. Those with more whole ones come first.
  for (const [pair, files] of Object.entries(fontFiles))
    for (const { file, ranges } of files.toReversed())
      await register(pair, readFileSync(new URL(file, FOLDER)), 'bold', parseCodeRanges(ranges));
  for (const weight of ['regular', 'bold'] as const) {
    for (const face of FACES.toReversed())
      if (face[weight] !== EVERY_SCRIPT_FACE) await register('text', readFace(face[weight]), weight, face.ranges);
    await register('arabic', readFileSync(new URL(`arabic-${weight}.woff2`, FOLDER)), weight);
  }
  return renderer;
}

const registerEveryScript = async (current: Renderer) =>
  current.registerFont({ name: 'every-script', data: readFace(EVERY_SCRIPT_FACE) });

let renderer: Promise<Renderer> | undefined;
let everyScript: Promise<unknown> | undefined;

export function getRenderer(): Promise<Renderer> {
  renderer ??= createRenderer().catch((error: unknown) => {
    // The next image tries again.
    renderer = undefined;
    throw error;
  });
  return renderer;
}

/** Loads the plain font of all other scripts, which takes 300 ms of CPU time, once. */
export async function loadEveryScript(): Promise<void> {
  const current = await getRenderer();
  everyScript ??= registerEveryScript(current).catch((error: unknown) => {
    everyScript = undefined;
    throw error;
  });
  await everyScript;
}
