/**
 * Reads ahead into reused buffers. The number of large buffers is limited, and viewers beyond it get small ones. The
 * server disconnects viewers who read nothing (platform/http/http.ts).
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const LARGE_BYTES = 512 * 1024;
const SMALL_BYTES = 32 * 1024;
/** Maximum number of large buffers in use: 64 MB. */
const MAX_LARGE = 128;
const MAX_POOLED = 32;
const pool: Buffer[] = [];
let largeCount = 0;

function acquireBuffer(): Buffer {
  if (largeCount >= MAX_LARGE) return Buffer.allocUnsafeSlow(SMALL_BYTES);
  largeCount += 1;
  return pool.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
}

/** After a failure the operating system may still use the buffer. */
function releaseBuffer(buffer: Buffer, isClean: boolean): void {
  if (buffer.length !== LARGE_BYTES) return;
  largeCount -= 1;
  if (isClean && pool.length < MAX_POOLED) pool.push(buffer);
}

function writeChunk(response: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the viewer is gone'));
    if (response.destroyed) return onClose();
    response.once('close', onClose);
    response.write(chunk, (error) => {
      response.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function streamFile(file: FileHandle, response: ServerResponse, start: number, end: number): Promise<void> {
  const read = (buffer: Buffer, at: number) => file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at);
  const buffers: [Buffer, Buffer] = [acquireBuffer(), acquireBuffer()];
  let isClean = false;
  try {
    let at = start;
    let current: 0 | 1 = 0;
    let reading = read(buffers[current], at);
    while (at <= end) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      const chunk = buffers[current].subarray(0, bytesRead);
      at += bytesRead;
      current = current === 0 ? 1 : 0;
      const sent = writeChunk(response, chunk);
      // The bytes of the other buffer have already been sent.
      if (at <= end) reading = read(buffers[current], at);
      await Promise.all([sent, reading]);
    }
    isClean = true;
  } finally {
    for (const buffer of buffers) releaseBuffer(buffer, isClean);
  }
}

/** `end` is inclusive. The headers must be written already. A viewer who disconnects causes no error. */
export async function sendLocal(response: ServerResponse, path: string, start: number, end: number): Promise<void> {
  const file = await open(path);
  try {
    await streamFile(file, response, start, end);
    response.end();
  } catch {
    response.destroy();
  } finally {
    await file.close();
  }
}
