/**
 * Reads ahead into reused buffers. The number of large buffers is limited, and viewers beyond it get small ones. The
 * server disconnects viewers who read nothing (kernel/http.ts).
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const LARGE_BYTES = 512 * 1024;
const SMALL_BYTES = 32 * 1024;
/** Maximum number of large buffers in use: 64 MB. */
const MOST_LARGE = 128;
const MOST_KEPT = 32;
const kept: Buffer[] = [];
let large = 0;

function take(): Buffer {
  if (large >= MOST_LARGE) return Buffer.allocUnsafeSlow(SMALL_BYTES);
  large += 1;
  return kept.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
}

/** After a failure the kernel may still use the buffer. */
function giveBack(buffer: Buffer, isClean: boolean): void {
  if (buffer.length !== LARGE_BYTES) return;
  large -= 1;
  if (isClean && kept.length < MOST_KEPT) kept.push(buffer);
}

function written(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the viewer is gone'));
    if (response.destroyed) return gone();
    response.once('close', gone);
    response.write(piece, (error) => {
      response.off('close', gone);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function pour(file: FileHandle, response: ServerResponse, start: number, end: number): Promise<void> {
  const read = (buffer: Buffer, at: number) => file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at);
  const buffers: [Buffer, Buffer] = [take(), take()];
  let isClean = false;
  try {
    let at = start;
    let turn: 0 | 1 = 0;
    let reading = read(buffers[turn], at);
    while (at <= end) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      const piece = buffers[turn].subarray(0, bytesRead);
      at += bytesRead;
      turn = turn === 0 ? 1 : 0;
      const sent = written(response, piece);
      // The bytes of the other buffer have already been sent.
      if (at <= end) reading = read(buffers[turn], at);
      await Promise.all([sent, reading]);
    }
    isClean = true;
  } finally {
    for (const buffer of buffers) giveBack(buffer, isClean);
  }
}

/** `end` is inclusive. The headers must be written already. A viewer who disconnects causes no error. */
export async function sendLocal(response: ServerResponse, path: string, start: number, end: number): Promise<void> {
  const file = await open(path);
  try {
    await pour(file, response, start, end);
    response.end();
  } catch {
    response.destroy();
  } finally {
    await file.close();
  }
}
