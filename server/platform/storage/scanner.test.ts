import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EICAR, type FakeClamd, startClamd } from '../../testing/clamd.ts';
import { findFreePort } from '../../testing/processes.ts';
import { createLogger } from '../log.ts';
import { createScanner, type Scanner } from './scanner.ts';

const log = createLogger({ level: 'silent', isPretty: false });
let folder = '';
let clamd: FakeClamd;
let scanner: Scanner;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-scan-'));
  clamd = await startClamd({ maxBytes: 1024 * 1024 });
  scanner = createScanner(clamd.url, log, 1_000);
});
afterAll(async () => {
  await clamd.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(content: Buffer | string): Promise<string> {
  const filePath = path.join(folder, 'file');
  await writeFile(filePath, content);
  return filePath;
}
const UNAVAILABLE = { code: 'UNAVAILABLE', data: { retryAfterSeconds: 60 } };

test('a file is clean only if the scanner confirms it after the last byte', async () => {
  expect(await scanner.scan(await file('Nothing in it'))).toBeUndefined();
  const large = Buffer.alloc(700_000, 'x');
  expect(await scanner.scan(await file(large))).toBeUndefined();
  expect(clamd.scanned.at(-1)?.equals(large)).toBe(true);
  expect(await scanner.scan(await file(Buffer.concat([large, Buffer.from(EICAR)])))).toBe('Eicar-Test-Signature');
});

test('a file is not clean if it is too large for the scanner, or if that hangs, disconnects or is unreachable', async () => {
  await expect(scanner.scan(await file(Buffer.alloc(8 * 1024 * 1024)))).rejects.toMatchObject(UNAVAILABLE);
  for (const behavior of ['silent', 'disconnecting', 'invalid'] as const) {
    clamd.behaviour = behavior;
    await expect(scanner.scan(await file('Nothing in it')), behavior).rejects.toMatchObject(UNAVAILABLE);
  }
  clamd.behaviour = 'normal';
  const unreachable = createScanner(`tcp://127.0.0.1:${await findFreePort()}`, log);
  await expect(unreachable.scan(await file('Nothing in it'))).rejects.toMatchObject(UNAVAILABLE);
  expect(await scanner.scan(await file('Nothing in it'))).toBeUndefined();
});
