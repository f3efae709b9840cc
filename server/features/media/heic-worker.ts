/** Decodes one HEIC picture outside the main thread: libheif in wasm computes for seconds without a pause. */
import { parentPort, workerData } from 'node:worker_threads';
import decode from 'heic-decode';

const { width, height, data } = await decode({ buffer: workerData });
const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
parentPort?.postMessage({ width, height, pixels });
