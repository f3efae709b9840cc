/** Parser for files made of boxes (ISO/IEC 14496-12): HEIC, AVIF and MP4. It reads only inside the file. */

type Box = { type: string; body: Buffer; isWhole: boolean };

/** More boxes than any picture has. Property associations cannot refer to more either. */
const MAX_BOXES = 0x8000;

/** A box that extends past the end is cut off. Throws RangeError for too many boxes. */
export function* iterateBoxes(bytes: Buffer): Generator<Box> {
  let at = 0;
  for (let count = 1; at + 8 <= bytes.length; count += 1) {
    if (count > MAX_BOXES) throw new RangeError('more boxes than any picture has');
    const size32 = bytes.readUInt32BE(at);
    const isLong = size32 === 1 && at + 16 <= bytes.length;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size32 === 0 ? bytes.length - at : size32;
    const headerBytes = isLong ? 16 : 8;
    if (size < headerBytes) return;
    const type = bytes.toString('latin1', at + 4, at + 8);
    yield { type, body: bytes.subarray(at + headerBytes, at + size), isWhole: at + size <= bytes.length };
    at += size;
  }
}

export function findBox(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of iterateBoxes(bytes)) if (box.type === type) return box.body;
  return undefined;
}

/** Throws RangeError at the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;
  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }
  readUint(width: number): number {
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
