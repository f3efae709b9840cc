/**
 * Streams a piece of a local file into an answer: read ahead into buffers that are used again and again, as fast as the
 * viewer takes it. However many viewers there are, large buffers are few: who comes while all are out gets small ones. Who takes
 * nothing at all is cut by the server (kernel/http.ts).
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const LARGE_BYTES = 512 * 1024;
const SMALL_BYTES = 32 * 1024;
/** Of large ones at once: 64 MB. */
const MOST_LARGE = 128;
const MOST_KEPT = 32;
const kept: Buffer[] = [];
let large = 0;

function take(): Buffer {
  if (large >= MOST_LARGE) return Buffer.allocUnsafeSlow(SMALL_BYTES);
  large += 1;
  return kept.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
}

/** What a failure left with the kernel or a read is not used again. */
function giveBack(buffer: Buffer, isClean: boolean): void {
  if (buffer.length !== LARGE_BYTES) return;
  large -= 1;
  if (isClean && kept.length < MOST_KEPT) kept.push(buffer);
}

/** Resolves when the bytes have left our memory; rejects when the viewer is gone. */
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
      // The other buffer's bytes have left already.
      if (at <= end) reading = read(buffers[turn], at);
      await Promise.all([sent, reading]);
    }
    isClean = true;
  } finally {
    for (const buffer of buffers) giveBack(buffer, isClean);
  }
}

/** Sends bytes `start` to `end` (inclusive) of a file; the answer's head is written already. A viewer who leaves ends it quietly. */
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
