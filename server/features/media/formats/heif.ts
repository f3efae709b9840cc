/** Reads HEIC and AVIF metadata (ISO/IEC 23008-12). The file's length bounds the time it takes. */
import { boxesOf, find, Reader } from './boxes.ts';

/** Color codes of ITU-T H.273. */
export type Cicp = { primaries: number; transfer: number };

export type HeifFacts = {
  /** True if every declared byte is in the file. */
  isWhole: boolean;
  profile: Buffer | undefined;
  cicp: Cicp | undefined;
};

const NIBBLE = 16;
const MOST = 0x8000;

/** Extents may lie inside the file (method 0) or inside the `idat` box (method 1). */
function isAllThere(iloc: Buffer, fileLength: number, idatLength: number): boolean {
  const reader = new Reader(iloc);
  const version = reader.take(1);
  reader.take(3);
  const sizes = reader.take(2);
  const [offsetWidth, lengthWidth] = [Math.floor(sizes / 4096), Math.floor(sizes / 256) % NIBBLE];
  const [baseWidth, indexWidth] = [Math.floor(sizes / 16) % NIBBLE, version > 0 ? sizes % NIBBLE : 0];
  let pieces = 0;
  for (let items = reader.take(version < 2 ? 2 : 4); items > 0; items -= 1) {
    reader.take(version < 2 ? 2 : 4);
    const method = version > 0 ? reader.take(2) % NIBBLE : 0;
    reader.take(2);
    const base = reader.take(baseWidth);
    const limit = method === 0 ? fileLength : method === 1 ? idatLength : Number.POSITIVE_INFINITY;
    for (let extents = reader.take(2); extents > 0; extents -= 1) {
      pieces += 1;
      // Extents without width take no bytes, so the length of the box is no limit.
      if (pieces > MOST) return false;
      reader.take(indexWidth);
      const start = base + reader.take(offsetWidth);
      // A length of 0 means up to the end.
      if (start + Math.max(1, reader.take(lengthWidth)) > limit) return false;
    }
  }
  return true;
}

/** The returned indices are zero-based. */
function propertiesOf(ipma: Buffer, item: number): number[] {
  const reader = new Reader(ipma);
  const version = reader.take(1);
  const isWide = reader.take(3) % 2 === 1;
  for (let entries = reader.take(4); entries > 0; entries -= 1) {
    const id = reader.take(version < 1 ? 2 : 4);
    const places: number[] = [];
    for (let count = reader.take(1); count > 0; count -= 1)
      places.push(isWide ? reader.take(2) % 0x8000 : reader.take(1) % 0x80);
    if (id === item) return places.map((place) => place - 1);
  }
  return [];
}

function coloursOf(meta: Buffer): Pick<HeifFacts, 'profile' | 'cicp'> {
  const [pitm, iprp] = [find(meta, 'pitm'), find(meta, 'iprp')];
  const [ipco, ipma] = iprp ? [find(iprp, 'ipco'), find(iprp, 'ipma')] : [];
  const found: Pick<HeifFacts, 'profile' | 'cicp'> = { profile: undefined, cicp: undefined };
  if (!pitm || !ipco || !ipma) return found;
  const reader = new Reader(pitm);
  const item = reader.take(4) < 0x1000000 ? reader.take(2) : reader.take(4);
  const places = new Set(propertiesOf(ipma, item));
  let place = -1;
  for (const { type, body } of boxesOf(ipco)) {
    place += 1;
    if (type !== 'colr' || !places.has(place) || body.length < 8) continue;
    const kind = body.toString('latin1', 0, 4);
    if (kind === 'nclx') found.cicp = { primaries: body.readUInt16BE(4), transfer: body.readUInt16BE(6) };
    else if (kind === 'prof' || kind === 'rICC') found.profile = body.subarray(4);
  }
  return found;
}

/** Truncated lists yield no colors and count as incomplete. */
export function readHeif(file: Buffer): HeifFacts {
  const nothing = { profile: undefined, cicp: undefined };
  try {
    // `meta` begins with its version and flags.
    const meta = find(file, 'meta')?.subarray(4);
    const iloc = meta && find(meta, 'iloc');
    if (!iloc) return { isWhole: true, ...nothing };
    return { isWhole: isAllThere(iloc, file.length, find(meta, 'idat')?.length ?? 0), ...coloursOf(meta) };
  } catch (error) {
    if (error instanceof RangeError) return { isWhole: false, ...nothing };
    throw error;
  }
}

export type Movement = { width: number; height: number; delaysMs: readonly number[] };

function trackOf(moov: Buffer): { mdhd: Buffer; stsd: Buffer; stts: Buffer } | undefined {
  for (const { type, body } of boxesOf(moov)) {
    const mdia = type === 'trak' ? find(body, 'mdia') : undefined;
    const handler = mdia && find(mdia, 'hdlr')?.toString('latin1', 8, 12);
    if (!mdia || (handler !== 'pict' && handler !== 'vide')) continue;
    const mdhd = find(mdia, 'mdhd');
    const minf = find(mdia, 'minf');
    const stbl = minf && find(minf, 'stbl');
    const [stsd, stts] = stbl ? [find(stbl, 'stsd'), find(stbl, 'stts')] : [];
    if (mdhd && stsd && stts) return { mdhd, stsd, stts };
  }
  return undefined;
}

/** Returns undefined if there is no image sequence. Throws RangeError if a part is missing. */
export function readSequence(file: Buffer): Movement | undefined {
  const moov = find(file, 'moov');
  const track = moov && trackOf(moov);
  if (!track) return undefined;
  for (const { isWhole } of boxesOf(file)) if (!isWhole) throw new RangeError('the file ends early');
  const { mdhd, stsd, stts } = track;
  const timescale = new Reader(mdhd, mdhd[0] === 1 ? 20 : 12).take(4);
  // Width and height of the first sample entry, after the two headers.
  const size = new Reader(stsd, 8 + 8 + 24);
  const [width, height] = [size.take(2), size.take(2)];
  const delaysMs: number[] = [];
  const times = new Reader(stts, 4);
  for (let entries = times.take(4); entries > 0; entries -= 1) {
    const count = times.take(4);
    const delay = (1000 * times.take(4)) / Math.max(1, timescale);
    if (delaysMs.length + count > MOST) throw new RangeError('more frames than anybody sees');
    for (let at = 0; at < count; at += 1) delaysMs.push(delay);
  }
  return { width, height, delaysMs };
}
