import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildInclusionProof, calculateRoot, calculateRootFromProof, hashLeaf, hashNode } from './merkle.ts';
import { createHashReader, formatTilePath, growTiles, parseTilePath, type ReadTile } from './tiles.ts';

describe('tile paths', () => {
  it('have three digits per part', () => {
    expect(formatTilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
    expect(formatTilePath({ level: 2, index: 5, width: 17 })).toBe('tile/2/005.p/17');
    expect(formatTilePath({ level: 1, index: 1_000, width: 256 })).toBe('tile/1/x001/000');
  });

  it('are parsed only in that form', () => {
    expect(parseTilePath('tile/0/x001/x234/067')).toEqual({ level: 0, index: 1_234_067, width: 256 });
    expect(parseTilePath('tile/2/005.p/17')).toEqual({ level: 2, index: 5, width: 17 });
    for (const wrong of [
      'tile/0/1',
      'tile/0/x000/001',
      'tile/00/001',
      'tile/0/001.p/0',
      'tile/0/001.p/256',
      'tile/0/001.p/007',
    ])
      expect(parseTilePath(wrong)).toBeUndefined();
  });
});

const leaf = (number: number) => hashLeaf(Buffer.from(`leaf ${number}`));

function naiveRoot(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (first === undefined) throw new Error('no leaves');
  if (hashes.length === 1) return first;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return hashNode(naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k)));
}

async function growTree(steps: readonly number[]): Promise<{ size: number; readTile: ReadTile; count: number }> {
  const stored = new Map<string, Buffer>();
  const readTile: ReadTile = (level, index) => stored.get(`${level}/${index}`);
  let size = 0;
  for (const step of steps) {
    const before = size;
    const added = Array.from({ length: step }, (_, at) => leaf(before + at));
    for (const { level, index, hashes } of await growTiles(before, added, readTile))
      stored.set(`${level}/${index}`, hashes);
    size += step;
  }
  return { size, readTile, count: stored.size };
}

describe('a tree in tiles', () => {
  it('has the root of its leaves and proves each of them, in whatever steps it grew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        async (steps, chosen) => {
          const { size, readTile } = await growTree(steps);
          const read = createHashReader(readTile);
          const hashes = Array.from({ length: size }, (_, at) => leaf(at));
          const root = await calculateRoot(size, read);
          expect(root).toEqual(naiveRoot(hashes));
          const index = chosen % size;
          const proof = await buildInclusionProof(index, size, read);
          expect(calculateRootFromProof(leaf(index), index, size, proof)).toEqual(root);
          expect(await calculateRoot(index + 1, read)).toEqual(naiveRoot(hashes.slice(0, index + 1)));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('grows through three levels', async () => {
    const { readTile, count } = await growTree([65_000, 1_000]);
    expect(await readTile(2, 0)).toHaveLength(32);
    expect(await readTile(1, 1)).toHaveLength(32);
    expect(count).toBe(258 + 2 + 1);
  });

  it('reports missing tiles', async () => {
    await expect(growTiles(3, [leaf(3)], () => undefined)).rejects.toThrow('tile 0/0');
    await expect(
      calculateRoot(
        3,
        createHashReader(() => leaf(0)),
      ),
    ).rejects.toThrow('tile 0/0');
  });
});
