/** Files of boxes (ISO/IEC 14496-12), of which HEIC, AVIF and MP4 are made. Reads only what lies inside the file. */

type Box = { type: string; body: Buffer; isWhole: boolean };

/** More than any picture has side by side; an association cannot name more properties either. */
const MOST = 0x8000;

/** The boxes one after another; one that reaches beyond the end is cut off there. Throws RangeError for too many. */
export function* boxesOf(bytes: Buffer): Generator<Box> {
  let at = 0;
  for (let count = 1; at + 8 <= bytes.length; count += 1) {
    if (count > MOST) throw new RangeError('more boxes than any picture has');
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= bytes.length;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    const head = isLong ? 16 : 8;
    if (size < head) return;
    const type = bytes.toString('latin1', at + 4, at + 8);
    yield { type, body: bytes.subarray(at + head, at + size), isWhole: at + size <= bytes.length };
    at += size;
  }
}

export function find(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of boxesOf(bytes)) if (box.type === type) return box.body;
  return undefined;
}

/** Reads numbers of any width, one after another. Throws RangeError at the end. */
export class Reader {
  readonly #bytes: Buffer;
  #at: number;
  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }
  take(width: number): number {
    if (this.#at + width > this.#bytes.length) throw new RangeError('the box ends');
    const value =
      width === 0
        ? 0
        : width === 8
          ? Number(this.#bytes.readBigUInt64BE(this.#at))
          : this.#bytes.readUIntBE(this.#at, width);
    this.#at += width;
    return value;
  }
}
