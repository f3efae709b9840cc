/**
 * Signed notes and checkpoints in the C2SP formats (signed-note, tlog-checkpoint) with Ed25519, so that witnesses and
 * other tools can read them.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Buffer };

export type Verifier = { readonly name: string; readonly key: KeyObject; readonly publicKey: Buffer };

const ED25519 = 1;
/** The prefixes of an Ed25519 key of 32 bytes in PKCS #8 and in SPKI (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export function toSigningKey(hex: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(hex, 'hex')]), format: 'der', type: 'pkcs8' });
}

function calculateKeyId(name: string, publicKey: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(publicKey).digest().subarray(0, 4);
}

export function createVerifier(name: string, key: KeyObject): Verifier {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return toVerifier(name, der.subarray(SPKI.length));
}

function toVerifier(name: string, publicKey: Buffer): Verifier {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return { name, key, publicKey };
}

export function renameVerifier({ publicKey }: Verifier, name: string): Verifier {
  return toVerifier(name, publicKey);
}

/** Formatted as `name+keyid+base64(type ‖ public key)`. */
export function formatVkey({ name, publicKey }: Verifier): string {
  const data = Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64');
  return `${name}+${calculateKeyId(name, publicKey).toString('hex')}+${data}`;
}

/** Throws unless it is a valid `vkey` of an Ed25519 key. */
export function parseVkey(text: string): Verifier {
  const [, name = '', id = '', data = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length !== 33 || bytes[0] !== ED25519) throw new Error('not a vkey of an Ed25519 key');
  const verifier = toVerifier(name, bytes.subarray(1));
  if (formatVkey(verifier) !== `${name}+${id}+${data}`) throw new Error('the vkey’s id is not that of its key');
  return verifier;
}

function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = formatCheckpoint(checkpoint);
  const id = calculateKeyId(checkpoint.origin, createVerifier(checkpoint.origin, key).publicKey);
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
  return `${text}\n— ${checkpoint.origin} ${signature}\n`;
}

function parseNote(note: string): {
  text: string;
  checkpoint: Checkpoint;
  signatures: { name: string; bytes: Buffer }[];
} {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = ''] = text.split('\n');
  const hash = Buffer.from(root, 'base64');
  const isSize = /^(?:0|[1-9]\d{0,14})$/.test(size);
  if (end < 0 || origin === '' || !isSize || hash.length !== 32 || hash.toString('base64') !== root)
    throw new Error('not a checkpoint');
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, data] = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
      return name !== undefined && data !== undefined ? [{ name, bytes: Buffer.from(data, 'base64') }] : [];
    });
  return { text, checkpoint: { origin, size: Number(size), root: hash }, signatures };
}

/** Reads a note without verifying its signatures. Throws when it is not a checkpoint. */
export function readCheckpoint(note: string): Checkpoint {
  return parseNote(note).checkpoint;
}

/**
 * Reads a note that one of these keys has signed. Other signatures are ignored. Throws when none of the keys has
 * signed.
 */
export function openCheckpoint(note: string, keys: readonly Verifier[]): Checkpoint {
  const { text, checkpoint, signatures } = parseNote(note);
  const isSignedBy = ({ name, key, publicKey }: Verifier) =>
    name === checkpoint.origin &&
    signatures.some(
      (signature) =>
        signature.name === name &&
        signature.bytes.subarray(0, 4).equals(calculateKeyId(name, publicKey)) &&
        verify(null, Buffer.from(text), key, signature.bytes.subarray(4)),
    );
  if (!keys.some(isSignedBy)) throw new Error(`not signed by a key of ${checkpoint.origin}`);
  return checkpoint;
}
