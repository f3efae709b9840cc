/**
 * The tree as tiles of 256 hashes (C2SP tlog-tiles). Level 0 has the leaves, each higher level the roots of the
 * complete tiles below.
 */
import { hashNode, type ReadHash } from './merkle.ts';

export type Tile = { readonly level: number; readonly index: number; readonly hashes: Buffer };
export type ReadTile = (level: number, index: number) => Promise<Buffer | undefined> | Buffer | undefined;

const HASH_BYTES = 32;
const TILE_LEVELS = 8;
export const TILE_HASHES: number = 2 ** TILE_LEVELS;

/** Written as `tile/L/N[.p/W]`. `width` is 256 unless the tile is partial. */
export type TilePath = { readonly level: number; readonly index: number; readonly width: number };

/** The path of a tile below the log's prefix. Index 1234067 becomes `x001/x234/067`. */
export function formatTilePath({ level, index, width }: TilePath): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/\d{3}/g) ?? [];
  const name = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${level}/${name}${width < TILE_HASHES ? `.p/${width}` : ''}`;
}

/** Returns undefined unless the path is a tile in its only valid form. */
export function parseTilePath(path: string): TilePath | undefined {
  const [, level, name, partial] = /^tile\/(\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (level === undefined || name === undefined) return undefined;
  const index = Number(name.replaceAll(/[x/]/g, ''));
  const parsed = { level: Number(level), index, width: partial === undefined ? TILE_HASHES : Number(partial) };
  return parsed.width > 0 && formatTilePath(parsed) === path ? parsed : undefined;
}

function calculateTileRoot(hashes: Buffer): Buffer {
  if (hashes.length === HASH_BYTES) return Buffer.from(hashes);
  const middle = hashes.length / 2;
  return hashNode(calculateTileRoot(hashes.subarray(0, middle)), calculateTileRoot(hashes.subarray(middle)));
}

/**
 * Reads the hashes of subtrees from tiles. Throws when a tile is missing or short. Hashes within tiles are cached,
 * because proofs of neighboring leaves share most of them.
 */
export function createHashReader(readTile: ReadTile): ReadHash {
  const cached = new Map<string, Promise<Buffer>>();
  const read = async (level: number, index: number): Promise<Buffer> => {
    const tileLevel = Math.floor(level / TILE_LEVELS);
    const count = 2 ** (level % TILE_LEVELS);
    const first = index * count;
    const tile = await readTile(tileLevel, Math.floor(first / TILE_HASHES));
    const from = (first % TILE_HASHES) * HASH_BYTES;
    const part = tile?.subarray(from, from + count * HASH_BYTES);
    if (part?.length !== count * HASH_BYTES)
      throw new Error(`the tree lacks hashes: tile ${tileLevel}/${Math.floor(first / TILE_HASHES)}`);
    return calculateTileRoot(part);
  };
  return (level, index) => {
    if (level % TILE_LEVELS === 0) return read(level, index);
    const key = `${level}/${index}`;
    const hash = cached.get(key) ?? read(level, index);
    cached.set(key, hash);
    return hash;
  };
}

export async function growTiles(size: number, leaves: readonly Buffer[], readTile: ReadTile): Promise<Tile[]> {
  const changed: Tile[] = [];
  let added: readonly Buffer[] = leaves;
  let before = size;
  for (let level = 0; added.length > 0; level += 1) {
    const parents: Buffer[] = [];
    for (let at = 0; at < added.length; ) {
      const index = Math.floor((before + at) / TILE_HASHES);
      const filled = (before + at) % TILE_HASHES;
      const stored = filled === 0 ? Buffer.of() : await readTile(level, index);
      if (stored === undefined || stored.length < filled * HASH_BYTES)
        throw new Error(`the tree lacks hashes: tile ${level}/${index}`);
      const more = added.slice(at, at + TILE_HASHES - filled);
      const hashes = Buffer.concat([stored.subarray(0, filled * HASH_BYTES), ...more]);
      changed.push({ level, index, hashes });
      if (hashes.length === TILE_HASHES * HASH_BYTES) parents.push(calculateTileRoot(hashes));
      at += more.length;
    }
    added = parents;
    before = Math.floor(before / TILE_HASHES);
  }
  return changed;
}
