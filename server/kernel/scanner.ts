/**
 * An optional virus scanner (SCANNER_URL): a ClamAV daemon that receives a file by INSTREAM (clamd(8)). A file is clean
 * only if the daemon says so.
 */
import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Logger } from './log.ts';

export interface Scanner {
  /**
   * Returns the scanner's name for what it found, undefined for a clean file. Throws UNAVAILABLE when it does not
   * respond.
   */
  scan(file: string): Promise<string | undefined>;
}

const PATIENCE_MS = 30_000;
const CHUNK_BYTES = 64 * 1024;
const MAX_ANSWER = 4_096;
/** Commands that begin with z, and their responses, end with NUL. */
const COMMAND = 'zINSTREAM\0';
const CLEAN = 'stream: OK';
const FOUND = /^stream: (.+) FOUND$/;

/** Each chunk is preceded by its length in four bytes, and an empty one ends the stream. */
function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes);
  return size;
}

function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function pour(socket: Socket, file: string): Promise<void> {
  await write(socket, COMMAND);
  for await (const piece of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    await write(socket, sizeOf(piece.length));
    await write(socket, piece);
  }
  await write(socket, sizeOf(0));
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
      if (answer.includes('\0')) resolve(answer.slice(0, answer.indexOf('\0')));
      else if (answer.length > MAX_ANSWER) reject(new Error('the scanner does not end its answer'));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the scanner hung up')));
  });
}

export function createScanner(url: string, log: Logger, patienceMs = PATIENCE_MS): Scanner {
  const { hostname, port } = new URL(url);
  return {
    scan: async (file) => {
      const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
      const timer = setTimeout(() => socket.destroy(new Error('the scanner takes too long')), patienceMs);
      try {
        const answering = answerOf(socket);
        // If a file is too large, the daemon responds early and closes the connection during the upload.
        const poured = pour(socket, file).catch(() => undefined);
        const answer = await answering;
        await poured;
        if (answer === CLEAN) return undefined;
        const name = FOUND.exec(answer)?.[1];
        if (name === undefined) throw new Error(`the scanner answered ${JSON.stringify(answer)}`);
        return name;
      } catch (error) {
        log.error({ err: error }, 'a file could not be scanned, and is refused');
        throw new AppError('UNAVAILABLE', {
          message: 'We can’t scan files right now. Try again in a few minutes.',
          retryAfterSeconds: 60,
        });
      } finally {
        clearTimeout(timer);
        socket.destroy();
      }
    },
  };
}
