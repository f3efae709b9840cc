/** Runs in a worker thread, because libheif in WebAssembly blocks its thread for seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import libheif from 'libheif-js/wasm-bundle.js';

await libheif.ready;
const image = new libheif.HeifDecoder().decode(workerData).find((candidate) => candidate.is_primary());
if (!image) throw new Error('there is no primary picture');
const [width, height] = [image.get_width(), image.get_height()];
if (width * height > PICTURE_LIMITS.maxPixels || Math.max(width, height) > PICTURE_LIMITS.maxSidePixels)
  throw new Error('the picture exceeds pixel limit');
const data = new Uint8ClampedArray(width * height * 4);
const isDecoded = await new Promise((resolve) =>
  image.display({ data, width, height }, (done) => resolve(done !== null)),
);
if (!isDecoded) throw new Error('the picture cannot be decoded');
const pixels = new Uint8Array(data.buffer);
parentPort?.postMessage({ width, height, pixels });
