import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyTLogInclusion } from '@sigstore/verify/dist/tlog/index.js';
import {
  getJournalProofStatus,
  type Journal,
  type JournalEntry,
  journal,
} from '@stagedoor/contract/trust/transparency-log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toCursor } from '../../../platform/database/pagination.ts';
import type { TestUser } from '../../../testing/app.ts';
import { createPaidDeposit } from '../../commerce/deposits/testing.ts';
import { sequenceRows } from './sequencer.ts';
import { parseVkey, signCheckpoint, toSigningKey } from './signed-note.ts';
import { createFixture, type TransparencyFixture, tamper, tipCreator } from './testing.ts';
import { verifyJournal, verifyLines } from './verify.ts';

let world: TransparencyFixture;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stagedoor-journal-'));
  world = await createFixture();
  expect((await world.fan.inject('GET', '/api/wallet/journal')).statusCode).toBe(404);
  await sequenceRows(world.test.ctx);
  world.test.clock.advance(1_000);
  await tipCreator(world.fan, world.creator, 2);
  await sequenceRows(world.test.ctx);
});
afterAll(async () => {
  await world.test.close();
  await rm(folder, { recursive: true });
});

async function loadJournal(user: TestUser, query = ''): Promise<Journal> {
  const response = await user.inject('GET', `/api/wallet/journal${query}`);
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(journal, response.json());
}
const parseBody = ({ data }: JournalEntry): { id: string; kind: string } => JSON.parse(data.slice(32)).body;
const rewriteEntries = (file: Journal, from: string, to: string): Journal => ({
  ...file,
  data: file.data.map((entry) => ({ ...entry, data: entry.data.replace(from, to) })),
});

describe('a journal', () => {
  it('contains a fan’s own transactions, newest first, with the sealed details', async () => {
    const { data, checkpoint, key } = await loadJournal(world.fan);
    expect(data.map((entry) => parseBody(entry).kind)).toEqual(['tip', 'tip', 'chat', 'post', 'tip', 'deposit']);
    expect(verifyJournal({ checkpoint, key, data, limit: 10 })).toMatchObject({ count: 6, wrong: [] });
    expect(JSON.parse(data[0]?.sealed?.text ?? '')).toMatchObject({ lines: [{ line: 6, cents: -200 }] });
  });

  it('contains a creator’s own sales without the details that only the fan may see', async () => {
    const file = await loadJournal(world.creator);
    expect(file.data.map((entry) => parseBody(entry).id).sort()).toEqual(
      (await loadJournal(world.fan)).data
        .map((entry) => parseBody(entry).id)
        .slice(0, 5)
        .sort(),
    );
    expect(file.data.every(({ sealed }) => sealed === null)).toBe(true);
    expect(JSON.stringify(file)).not.toMatch(/"line"|operation/);
    expect(verifyJournal(file).wrong).toEqual([]);
  });

  it('is not accessible to other users', async () => {
    const { test } = world;
    for (const type of ['customer', 'creator'] as const)
      expect((await loadJournal(await test.signUp(type))).data).toEqual([]);
    expect((await test.inject('GET', '/api/wallet/journal')).statusCode).toBe(401);
    const [fan, creator] = await Promise.all([test.signUp('customer'), test.signUp('creator')]);
    await createPaidDeposit(test, fan, 20);
    const tip = await tipCreator(fan, creator, 1);
    expect((await loadJournal(world.creator, `?offset=${toCursor(tip)}`)).data).toEqual([]);
  });

  it('is paged without omitting anything', async () => {
    for (const user of [world.fan, world.creator]) {
      const whole = (await loadJournal(user)).data.map(({ position }) => position);
      const positions: number[] = [];
      let query = '?limit=2';
      for (;;) {
        const { data, nextOffset } = await loadJournal(user, query);
        positions.push(...data.map(({ position }) => position));
        if (nextOffset === undefined) break;
        query = `?limit=2&offset=${nextOffset}`;
      }
      expect(positions).toEqual(whole);
      expect((await loadJournal(user, '?limit=2&offset=2')).data.map(({ position }) => position)).toEqual(
        whole.slice(2, 4),
      );
    }
  });
});

describe('log positions', () => {
  const loadProofs = async (user: TestUser, ids: readonly string[]) => {
    const response = await user.inject('GET', `/api/wallet/journal/proof-status?ids=${ids.join()}`);
    expect(response.statusCode, response.body).toBe(200);
    return z.parse(getJournalProofStatus.response, response.json()).data;
  };

  it('are returned for own transactions and verified against the checkpoint', async () => {
    const { firstTip, post } = world.sales;
    const positions = new Map(
      (await loadJournal(world.creator)).data.map((entry) => [parseBody(entry).id, entry.position]),
    );
    for (const user of [world.creator, world.fan])
      expect(await loadProofs(user, [firstTip, post, firstTip])).toEqual(
        [firstTip, post].map((id) => ({
          id,
          position: positions.get(id),
          isVerified: true,
          checkpointAt: world.test.clock.now().toISOString(),
        })),
      );
    for (const type of ['customer', 'creator'] as const)
      expect(await loadProofs(await world.test.signUp(type), [firstTip, post])).toEqual([]);
    const fresh = await tipCreator(world.fan, world.creator, 1);
    expect(await loadProofs(world.creator, [fresh])).toEqual([]);
  });

  it('are reported as not verified when the stored row is not what was signed', async () => {
    const change = (to: string) =>
      tamper(world.test, [`update ledger_transactions set kind = '${to}' where id = $1`], world.sales.post);
    await change('chat');
    expect((await loadProofs(world.creator, [world.sales.post])).map(({ isVerified }) => isVerified)).toEqual([false]);
    await change('post');
  });
});

describe('the exported journal file', () => {
  async function* from(lines: readonly string[]) {
    yield* lines;
  }

  it('contains every own transaction once, against one checkpoint, and verifies', async () => {
    for (const user of [world.fan, world.creator]) {
      const response = await user.inject('GET', '/api/wallet/journal/export');
      expect([response.statusCode, response.headers['content-disposition']]).toEqual([
        200,
        'attachment; filename="stagedoor-journal.json"',
      ]);
      const file = z.parse(journal, JSON.parse(response.body));
      const { data } = await loadJournal(user, '?limit=50');
      expect(file.data).toEqual(data);
      expect(verifyJournal(file, file.key)).toMatchObject({ count: data.length, wrong: [] });
      const lines = response.body.split('\n');
      expect(await verifyLines(from(lines), file.key)).toEqual(verifyJournal(file));
      await expect(verifyLines(from(lines.slice(0, -2)))).rejects.toThrow('The file is cut off');
      const forged = lines.map((line, at) => (at === 1 ? line.replace('"position":', '"position":9') : line));
      expect((await verifyLines(from(forged))).wrong).toHaveLength(1);
      expect(await verifyLines(from(JSON.stringify(file, null, 2).split('\n')))).toEqual(verifyJournal(file));
    }
    const other = await world.test.signUp('creator');
    expect(verifyJournal(JSON.parse((await other.inject('GET', '/api/wallet/journal/export')).body))).toMatchObject({
      count: 0,
    });
    expect((await world.test.inject('GET', '/api/wallet/journal/export')).statusCode).toBe(401);
  });
});

describe('verification', () => {
  it('detects a changed entry, a changed sealed part and a forged checkpoint', async () => {
    const file = await loadJournal(world.fan);
    expect(verifyJournal(rewriteEntries(file, '"cents": 500', '"cents": 501')).wrong).toHaveLength(1);
    const [first, ...rest] = file.data;
    if (!first?.sealed) throw new Error('nothing sealed');
    const other = { ...first.sealed, text: first.sealed.text.replace('-200', '-100') };
    expect(verifyJournal({ ...file, data: [{ ...first, sealed: other }, ...rest] }).wrong).toEqual([
      expect.stringContaining('another sealed part'),
    ]);
    expect(verifyJournal({ ...file, data: [first, first] }).wrong).toEqual([expect.stringContaining('is there twice')]);
    const { salt, text } = first.sealed;
    const cut = { salt: salt + text.slice(0, 5), text: text.slice(5) };
    expect(verifyJournal({ ...file, data: [{ ...first, sealed: cut }] }).wrong).toEqual([
      expect.stringContaining('salt'),
    ]);
    const root = Buffer.alloc(32, 1);
    const { origin, size } = verifyJournal(file).checkpoint;
    const forged = signCheckpoint({ origin, size, root }, toSigningKey('0f'.repeat(32)));
    expect(() => verifyJournal({ ...file, checkpoint: forged })).toThrow('not signed');
    expect(() => verifyJournal(file, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')).toThrow(
      'not signed',
    );
  });

  it('works as a command without a database', async () => {
    const run = promisify(execFile);
    const cli = fileURLToPath(new URL('verify-cli.ts', import.meta.url));
    const file = await loadJournal(world.fan);
    const paths = { good: join(folder, 'good.json'), bad: join(folder, 'bad.json') };
    await writeFile(paths.good, JSON.stringify(file));
    await writeFile(paths.bad, JSON.stringify(rewriteEntries(file, '"cents": 500', '"cents": 501')));
    const { stdout } = await run(process.execPath, [cli, paths.good, '--key', file.key], { env: {}, cwd: folder });
    expect(stdout).toContain('6 of 6 transactions are in the log.');
    await expect(run(process.execPath, [cli, paths.bad], { env: {}, cwd: folder })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('5 of 6 transactions are in the log.'),
    });
  });

  it('agrees with the implementation of sigstore for checkpoint and proof', async () => {
    const file = await loadJournal(world.fan);
    const { name, key } = parseVkey(file.key);
    const [, id = ''] = file.key.split('+');
    const logID = Buffer.from(id, 'hex');
    const always = { start: new Date(0), end: new Date(8e15) };
    const log = { logID, baseURL: `https://${name}`, publicKey: key, validFor: always };
    const { size, root } = verifyJournal(file).checkpoint;
    const verify = ({ data, position, proof }: JournalEntry, checkpoint = file.checkpoint) =>
      verifyTLogInclusion(
        {
          logIndex: String(position),
          logId: { keyId: logID },
          kindVersion: { kind: '', version: '' },
          integratedTime: '0',
          inclusionPromise: undefined,
          inclusionProof: {
            logIndex: String(position),
            rootHash: root,
            treeSize: String(size),
            hashes: proof.map((part) => Buffer.from(part, 'base64')),
            checkpoint: { envelope: checkpoint },
          },
          canonicalizedBody: Buffer.from(data),
        },
        [log],
      );
    for (const entry of file.data) verify(entry);
    const [entry] = file.data;
    if (!entry) throw new Error('no entry');
    expect(() => verify({ ...entry, data: `${entry.data} ` })).toThrow('does not match inclusion proof');
    expect(() => verify(entry, file.checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`))).toThrow('signature');
  });
});
