/** Reads HEIC and AVIF metadata (ISO/IEC 23008-12). The file's length bounds the time it takes. */
import { ByteReader, findBox, iterateBoxes } from './boxes.ts';

/** Color codes of ITU-T H.273. */
export type Cicp = { primaries: number; transfer: number };

export type HeifMetadata = {
  /** True if every declared byte is in the file. */
  isWhole: boolean;
  profile: Buffer | undefined;
  cicp: Cicp | undefined;
};

const NIBBLE = 16;
const MAX_ENTRIES = 0x8000;

/** Extents may lie inside the file (method 0) or inside the `idat` box (method 1). */
function hasAllBytes(iloc: Buffer, fileLength: number, idatLength: number): boolean {
  const reader = new ByteReader(iloc);
  const version = reader.readUint(1);
  reader.readUint(3);
  const sizes = reader.readUint(2);
  const [offsetWidth, lengthWidth] = [Math.floor(sizes / 4096), Math.floor(sizes / 256) % NIBBLE];
  const [baseWidth, indexWidth] = [Math.floor(sizes / 16) % NIBBLE, version > 0 ? sizes % NIBBLE : 0];
  let extentCount = 0;
  for (let items = reader.readUint(version < 2 ? 2 : 4); items > 0; items -= 1) {
    reader.readUint(version < 2 ? 2 : 4);
    const method = version > 0 ? reader.readUint(2) % NIBBLE : 0;
    reader.readUint(2);
    const base = reader.readUint(baseWidth);
    const limit = method === 0 ? fileLength : method === 1 ? idatLength : Number.POSITIVE_INFINITY;
    for (let extents = reader.readUint(2); extents > 0; extents -= 1) {
      extentCount += 1;
      // Extents without width take no bytes, so the length of the box is no limit.
      if (extentCount > MAX_ENTRIES) return false;
      reader.readUint(indexWidth);
      const start = base + reader.readUint(offsetWidth);
      // A length of 0 means up to the end.
      if (start + Math.max(1, reader.readUint(lengthWidth)) > limit) return false;
    }
  }
  return true;
}

/** The returned indices are zero-based. */
function listPropertyIndices(ipma: Buffer, item: number): number[] {
  const reader = new ByteReader(ipma);
  const version = reader.readUint(1);
  const isWide = reader.readUint(3) % 2 === 1;
  for (let entries = reader.readUint(4); entries > 0; entries -= 1) {
    const id = reader.readUint(version < 1 ? 2 : 4);
    const indices: number[] = [];
    for (let count = reader.readUint(1); count > 0; count -= 1)
      indices.push(isWide ? reader.readUint(2) % 0x8000 : reader.readUint(1) % 0x80);
    if (id === item) return indices.map((index) => index - 1);
  }
  return [];
}

function readColors(meta: Buffer): Pick<HeifMetadata, 'profile' | 'cicp'> {
  const [pitm, iprp] = [findBox(meta, 'pitm'), findBox(meta, 'iprp')];
  const [ipco, ipma] = iprp ? [findBox(iprp, 'ipco'), findBox(iprp, 'ipma')] : [];
  const colors: Pick<HeifMetadata, 'profile' | 'cicp'> = { profile: undefined, cicp: undefined };
  if (!pitm || !ipco || !ipma) return colors;
  const reader = new ByteReader(pitm);
  const item = reader.readUint(4) < 0x1000000 ? reader.readUint(2) : reader.readUint(4);
  const indices = new Set(listPropertyIndices(ipma, item));
  let index = -1;
  for (const { type, body } of iterateBoxes(ipco)) {
    index += 1;
    if (type !== 'colr' || !indices.has(index) || body.length < 8) continue;
    const kind = body.toString('latin1', 0, 4);
    if (kind === 'nclx') colors.cicp = { primaries: body.readUInt16BE(4), transfer: body.readUInt16BE(6) };
    else if (kind === 'prof' || kind === 'rICC') colors.profile = body.subarray(4);
  }
  return colors;
}

/** Truncated lists yield no colors and count as incomplete. */
export function readHeif(file: Buffer): HeifMetadata {
  const noColors = { profile: undefined, cicp: undefined };
  try {
    // `meta` begins with its version and flags.
    const meta = findBox(file, 'meta')?.subarray(4);
    const iloc = meta && findBox(meta, 'iloc');
    if (!iloc) return { isWhole: true, ...noColors };
    return { isWhole: hasAllBytes(iloc, file.length, findBox(meta, 'idat')?.length ?? 0), ...readColors(meta) };
  } catch (error) {
    if (error instanceof RangeError) return { isWhole: false, ...noColors };
    throw error;
  }
}

export type AnimationMetadata = { width: number; height: number; delaysMs: readonly number[] };

function findImageTrack(moov: Buffer): { mdhd: Buffer; stsd: Buffer; stts: Buffer } | undefined {
  for (const { type, body } of iterateBoxes(moov)) {
    const mdia = type === 'trak' ? findBox(body, 'mdia') : undefined;
    const handler = mdia && findBox(mdia, 'hdlr')?.toString('latin1', 8, 12);
    if (!mdia || (handler !== 'pict' && handler !== 'vide')) continue;
    const mdhd = findBox(mdia, 'mdhd');
    const minf = findBox(mdia, 'minf');
    const stbl = minf && findBox(minf, 'stbl');
    const [stsd, stts] = stbl ? [findBox(stbl, 'stsd'), findBox(stbl, 'stts')] : [];
    if (mdhd && stsd && stts) return { mdhd, stsd, stts };
  }
  return undefined;
}

/** Returns undefined if there is no image sequence. Throws RangeError if a part is missing. */
export function readImageSequence(file: Buffer): AnimationMetadata | undefined {
  const moov = findBox(file, 'moov');
  const track = moov && findImageTrack(moov);
  if (!track) return undefined;
  for (const { isWhole } of iterateBoxes(file)) if (!isWhole) throw new RangeError('the file ends early');
  const { mdhd, stsd, stts } = track;
  const timescale = new ByteReader(mdhd, mdhd[0] === 1 ? 20 : 12).readUint(4);
  // Width and height of the first sample entry, after the two headers.
  const size = new ByteReader(stsd, 8 + 8 + 24);
  const [width, height] = [size.readUint(2), size.readUint(2)];
  const delaysMs: number[] = [];
  const times = new ByteReader(stts, 4);
  for (let entries = times.readUint(4); entries > 0; entries -= 1) {
    const count = times.readUint(4);
    const delay = (1000 * times.readUint(4)) / Math.max(1, timescale);
    if (delaysMs.length + count > MAX_ENTRIES) throw new RangeError('more frames than anybody sees');
    for (let at = 0; at < count; at += 1) delaysMs.push(delay);
  }
  return { width, height, delaysMs };
}
