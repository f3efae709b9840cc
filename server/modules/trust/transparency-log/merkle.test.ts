/** Compares the tree with a naive implementation of the RFC and with the test vectors of certificate-transparency. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildConsistencyProof,
  buildInclusionProof,
  calculateRoot,
  calculateRootFromProof,
  hashLeaf,
  hashNode,
  isConsistent,
  type ReadHash,
} from './merkle.ts';

const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1: MTH of a list of data. */
function naiveRoot(data: readonly Buffer[]): Buffer {
  const [only] = data;
  if (only === undefined) return sha256();
  if (data.length === 1) return sha256(Buffer.of(0), only);
  const k = getSplitSize(data.length);
  return sha256(Buffer.of(1), naiveRoot(data.slice(0, k)), naiveRoot(data.slice(k)));
}

function getSplitSize(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** RFC 6962, section 2.1.1: PATH(m, D[n]). */
function naivePath(m: number, data: readonly Buffer[]): Buffer[] {
  if (data.length === 1) return [];
  const k = getSplitSize(data.length);
  return m < k
    ? [...naivePath(m, data.slice(0, k)), naiveRoot(data.slice(k))]
    : [...naivePath(m - k, data.slice(k)), naiveRoot(data.slice(0, k))];
}

/** RFC 6962, section 2.1.2: SUBPROOF(m, D[n], b). */
function naiveSubproof(m: number, data: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (m === data.length) return isWhole ? [] : [naiveRoot(data)];
  const k = getSplitSize(data.length);
  return m <= k
    ? [...naiveSubproof(m, data.slice(0, k), isWhole), naiveRoot(data.slice(k))]
    : [...naiveSubproof(m - k, data.slice(k), false), naiveRoot(data.slice(0, k))];
}

const reader =
  (data: readonly Buffer[]): ReadHash =>
  (level, index) => {
    const part = data.slice(index * 2 ** level, (index + 1) * 2 ** level);
    if (part.length !== 2 ** level) throw new Error(`no subtree ${level}/${index} of ${data.length} leaves`);
    return naiveRoot(part);
  };

const leaves = fc.array(
  fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
  { minLength: 1, maxLength: 70 },
);
const treeAndNumber = leaves.chain((data) =>
  fc.record({ data: fc.constant(data), number: fc.nat({ max: data.length - 1 }), bit: fc.nat() }),
);

function flipBit(proof: readonly Buffer[], bit: number): Buffer[] {
  const chosen = bit % proof.length;
  return proof.map((part, at) => {
    if (at !== chosen) return part;
    const copy = Buffer.from(part);
    const byte = bit % 32;
    copy[byte] = (copy[byte] ?? 0) ^ (1 << (bit % 8));
    return copy;
  });
}

describe('tree roots', () => {
  it('match the vectors of certificate-transparency', async () => {
    expect((await calculateRoot(0, reader([]))).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    for (const [at, root] of ROOTS.entries())
      expect((await calculateRoot(at + 1, reader(INPUTS))).toString('hex')).toBe(root);
    expect(hashNode(hashLeaf(Buffer.of()), hashLeaf(Buffer.of(0))).toString('hex')).toBe(ROOTS[1]);
  });

  it('match the definition for any data', async () => {
    await fc.assert(
      fc.asyncProperty(leaves, async (data) => {
        expect(await calculateRoot(data.length, reader(data))).toEqual(naiveRoot(data));
      }),
    );
  });
});

describe('proofs', () => {
  it('of inclusion match the vectors of certificate-transparency', async () => {
    const path = await buildInclusionProof(5, 8, reader(INPUTS));
    expect(path.map((part) => part.toString('hex'))).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('of consistency match the vectors of certificate-transparency', async () => {
    const proof = await buildConsistencyProof(6, 8, reader(INPUTS));
    expect(proof.map((part) => part.toString('hex'))).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('of inclusion match PATH of the RFC and verify, but not after a bit is flipped', async () => {
    await fc.assert(
      fc.asyncProperty(treeAndNumber, async ({ data, number, bit }) => {
        const proof = await buildInclusionProof(number, data.length, reader(data));
        expect(proof).toEqual(naivePath(number, data));
        const hash = hashLeaf(data[number] ?? Buffer.of());
        const root = naiveRoot(data);
        expect(calculateRootFromProof(hash, number, data.length, proof)).toEqual(root);
        expect(calculateRootFromProof(hash, number, data.length, [...proof, root])).toBeUndefined();
        expect(calculateRootFromProof(hashLeaf(root), number, data.length, proof)).not.toEqual(root);
        if (proof.length === 0) return;
        expect(calculateRootFromProof(hash, number, data.length, flipBit(proof, bit))).not.toEqual(root);
        expect(calculateRootFromProof(hash, number, data.length, proof.slice(1))).not.toEqual(root);
      }),
    );
  });

  it('of consistency match PROOF of the RFC and verify, but not after a bit or an old leaf is changed', async () => {
    await fc.assert(
      fc.asyncProperty(treeAndNumber, async ({ data, number, bit }) => {
        const oldSize = number + 1;
        const proof = await buildConsistencyProof(oldSize, data.length, reader(data));
        expect(proof).toEqual(naiveSubproof(oldSize, data, true));
        const old = { size: oldSize, root: naiveRoot(data.slice(0, oldSize)) };
        const tree = { size: data.length, root: naiveRoot(data) };
        expect(isConsistent(old, tree, proof)).toBe(true);
        const other = data.map((leaf, at) => (at === bit % oldSize ? Buffer.concat([leaf, Buffer.of(7)]) : leaf));
        expect(isConsistent({ size: oldSize, root: naiveRoot(other.slice(0, oldSize)) }, tree, proof)).toBe(false);
        const rewritten = await buildConsistencyProof(oldSize, data.length, reader(other));
        expect(isConsistent(old, { size: data.length, root: naiveRoot(other) }, rewritten)).toBe(false);
        if (proof.length > 0) expect(isConsistent(old, tree, flipBit(proof, bit))).toBe(false);
      }),
    );
  });

  it('are refused for leaves and trees that do not exist', async () => {
    await expect(buildInclusionProof(8, 8, reader(INPUTS))).rejects.toThrow(RangeError);
    await expect(buildConsistencyProof(9, 8, reader(INPUTS))).rejects.toThrow(RangeError);
    expect(calculateRootFromProof(hashLeaf(Buffer.of()), 1, 1, [])).toBeUndefined();
    expect(isConsistent({ size: 2, root: hashLeaf(Buffer.of()) }, { size: 1, root: hashLeaf(Buffer.of()) }, [])).toBe(
      false,
    );
  });
});
