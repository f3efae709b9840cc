/** The Merkle tree of RFC 6962 and RFC 9162, section 2.1, over SHA-256. The caller provides the stored hashes. */
import { createHash, hash } from 'node:crypto';

/** The hash of a complete subtree: the 2^`level` leaves from number `index` · 2^`level`. Level 0 are the leaves. */
export type ReadHash = (level: number, index: number) => Promise<Buffer> | Buffer;

const NODE = Buffer.of(1);
export const EMPTY_ROOT: Buffer = createHash('sha256').digest();

export function hashLeaf(data: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(data).digest();
}

export function hashNode(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}

/** The exponent of the largest power of two below `count`, which is at least 2. */
function getSplitLevel(count: number): number {
  let level = 0;
  while (2 ** (level + 1) < count) level += 1;
  return level;
}

async function hashRange(from: number, to: number, read: ReadHash): Promise<Buffer> {
  const count = to - from;
  if (count === 1) return read(0, from);
  const level = getSplitLevel(count);
  if (2 ** (level + 1) === count) return read(level + 1, from / count);
  const middle = from + 2 ** level;
  return hashNode(await hashRange(from, middle, read), await hashRange(middle, to, read));
}

/** MTH of the first `size` leaves. */
export async function calculateRoot(size: number, read: ReadHash): Promise<Buffer> {
  return size === 0 ? EMPTY_ROOT : hashRange(0, size, read);
}

async function buildPath(leaf: number, from: number, to: number, read: ReadHash): Promise<Buffer[]> {
  if (to - from === 1) return [];
  const middle = from + 2 ** getSplitLevel(to - from);
  return leaf < middle
    ? [...(await buildPath(leaf, from, middle, read)), await hashRange(middle, to, read)]
    : [...(await buildPath(leaf, middle, to, read)), await hashRange(from, middle, read)];
}

/** The proof that leaf `index` is in the tree of the first `size` leaves. Throws RangeError when it is not. */
export async function buildInclusionProof(index: number, size: number, read: ReadHash): Promise<Buffer[]> {
  if (index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  return buildPath(index, 0, size, read);
}

async function buildSubproof(
  old: number,
  from: number,
  to: number,
  isWhole: boolean,
  read: ReadHash,
): Promise<Buffer[]> {
  if (old === to) return isWhole ? [] : [await hashRange(from, to, read)];
  const middle = from + 2 ** getSplitLevel(to - from);
  return old <= middle
    ? [...(await buildSubproof(old, from, middle, isWhole, read)), await hashRange(middle, to, read)]
    : [...(await buildSubproof(old, middle, to, false, read)), await hashRange(from, middle, read)];
}

/** The proof that the tree of `size` leaves begins with the first `old` ones. Throws RangeError when it is smaller. */
export async function buildConsistencyProof(old: number, size: number, read: ReadHash): Promise<Buffer[]> {
  if (old < 0 || old > size) throw new RangeError(`a tree of ${size} continues none of ${old}`);
  return old === 0 ? [] : buildSubproof(old, 0, size, true, read);
}

const isOdd = (value: number) => value % 2 === 1;
const halve = (value: number) => Math.floor(value / 2);

/**
 * The root that a proof leads to from a leaf's hash (RFC 9162, section 2.1.3.2), or undefined when the proof has the
 * wrong form.
 */
export function calculateRootFromProof(
  hash: Buffer,
  index: number,
  size: number,
  proof: readonly Buffer[],
): Buffer | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined;
  let node = index;
  let last = size - 1;
  let root = hash;
  for (const part of proof) {
    if (last === 0) return undefined;
    if (isOdd(node) || node === last) {
      root = hashNode(part, root);
      while (!isOdd(node) && node !== 0) {
        node = halve(node);
        last = halve(last);
      }
    } else {
      root = hashNode(root, part);
    }
    node = halve(node);
    last = halve(last);
  }
  return last === 0 ? root : undefined;
}

type Tree = { readonly size: number; readonly root: Buffer };

/** Whether a proof shows that `tree` begins with the leaves of `old` (RFC 9162, section 2.1.4.2). */
export function isConsistent(old: Tree, tree: Tree, proof: readonly Buffer[]): boolean {
  if (old.size > tree.size) return false;
  if (old.size === tree.size) return proof.length === 0 && old.root.equals(tree.root);
  if (old.size === 0) return proof.length === 0;
  const isPower = Number.isInteger(Math.log2(old.size));
  const [first, ...rest] = isPower ? [old.root, ...proof] : proof;
  if (first === undefined) return false;
  let node = old.size - 1;
  let last = tree.size - 1;
  while (isOdd(node)) {
    node = halve(node);
    last = halve(last);
  }
  let oldRoot = first;
  let root = first;
  for (const part of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldRoot = hashNode(part, oldRoot);
      root = hashNode(part, root);
      while (!isOdd(node) && node !== 0) {
        node = halve(node);
        last = halve(last);
      }
    } else {
      root = hashNode(root, part);
    }
    node = halve(node);
    last = halve(last);
  }
  return last === 0 && oldRoot.equals(old.root) && root.equals(tree.root);
}
