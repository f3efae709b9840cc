/**
 * An optional virus scanner (SCANNER_URL): a ClamAV daemon that receives a file by INSTREAM (clamd(8)). A file is clean
 * only if the daemon confirms it.
 */
import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Logger } from '../log.ts';

export interface Scanner {
  /**
   * Returns the scanner's name for what it found, undefined for a clean file. Throws UNAVAILABLE when it does not
   * respond.
   */
  scan(file: string): Promise<string | undefined>;
}

const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 64 * 1024;
const MAX_RESPONSE = 4_096;
/** Commands that begin with z, and their responses, end with NUL. */
const COMMAND = 'zINSTREAM\0';
const CLEAN = 'stream: OK';
const FOUND = /^stream: (.+) FOUND$/;

/** Each chunk is preceded by its length in four bytes, and an empty one ends the stream. */
function toLengthPrefix(bytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes);
  return size;
}

function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function streamFile(socket: Socket, file: string): Promise<void> {
  await write(socket, COMMAND);
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    await write(socket, toLengthPrefix(chunk.length));
    await write(socket, chunk);
  }
  await write(socket, toLengthPrefix(0));
}

function readResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      response += text;
      if (response.includes('\0')) resolve(response.slice(0, response.indexOf('\0')));
      else if (response.length > MAX_RESPONSE) reject(new Error('the scanner does not end its answer'));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the scanner hung up')));
  });
}

export function createScanner(url: string, log: Logger, timeoutMs = TIMEOUT_MS): Scanner {
  const { hostname, port } = new URL(url);
  return {
    scan: async (file) => {
      const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
      const timer = setTimeout(() => socket.destroy(new Error('the scanner takes too long')), timeoutMs);
      try {
        const responsePromise = readResponse(socket);
        // If a file is too large, the daemon responds early and closes the connection during the upload.
        const upload = streamFile(socket, file).catch(() => undefined);
        const response = await responsePromise;
        await upload;
        if (response === CLEAN) return undefined;
        const name = FOUND.exec(response)?.[1];
        if (name === undefined) throw new Error(`the scanner answered ${JSON.stringify(response)}`);
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
