/** Signed notes against the example of golang.org/x/mod/sumdb/note, which defines the format. */
import { describe, expect, it } from 'vitest';
import {
  createVerifier,
  formatVkey,
  openCheckpoint,
  parseVkey,
  readCheckpoint,
  renameVerifier,
  signCheckpoint,
  toSigningKey,
} from './signed-note.ts';

const HEX = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

const key = toSigningKey(HEX);
const origin = 'stage.example/ledger';
const verifier = createVerifier(origin, key);
const root = Buffer.alloc(32, 5);
const note = signCheckpoint({ origin, size: 20_852_163, root }, key);

describe('verifier keys', () => {
  it('of other logs are parsed and their id is verified', () => {
    expect(formatVkey(parseVkey(PETER))).toBe(PETER);
    expect(() => parseVkey(PETER.replace('c74f', 'c74e'))).toThrow('id');
    expect(() => parseVkey('PeterNeumann+c74f20a3+AhpK')).toThrow('Ed25519');
  });

  it('are written in the same form as they are parsed', () => {
    expect(formatVkey(parseVkey(formatVkey(verifier)))).toBe(formatVkey(verifier));
    expect(formatVkey(renameVerifier(verifier, 'other.example/ledger'))).not.toBe(formatVkey(verifier));
  });
});

describe('checkpoints', () => {
  it('have three lines, an empty line and a signature', () => {
    const lines = note.split('\n');
    expect(lines.slice(0, 4)).toEqual([origin, '20852163', root.toString('base64'), '']);
    expect(lines[4]).toMatch(/^— stage\.example\/ledger [A-Za-z0-9+/]+=*$/);
    expect(lines).toHaveLength(6);
  });

  it('are opened with a known key even if others have signed, too', () => {
    expect(openCheckpoint(note, [verifier])).toEqual({ origin, size: 20_852_163, root });
    expect(openCheckpoint(`${note}— witness.example AAAAAAAA\n`, [parseVkey(formatVkey(verifier))]).size).toBe(
      20_852_163,
    );
    expect(readCheckpoint(note).root).toEqual(root);
  });

  it('are refused after any change and when only another key has signed', () => {
    expect(() => openCheckpoint(note.replace('20852163', '20852164'), [verifier])).toThrow('not signed');
    expect(() => openCheckpoint(note, [createVerifier(origin, toSigningKey(HEX.replace('9d', '9e')))])).toThrow(
      'not signed',
    );
    expect(() => openCheckpoint(note, [renameVerifier(verifier, 'other.example/ledger')])).toThrow('not signed');
    expect(() => openCheckpoint('hello\n', [verifier])).toThrow('not a checkpoint');
    expect(() => openCheckpoint(note.replace('20852163', '020852163'), [verifier])).toThrow('not a checkpoint');
  });
});
