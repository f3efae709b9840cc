/** Checks that a GIF (GIF89a) is complete, because decoders show a truncated one without an error. */

const INTRODUCES = { extension: 0x21, frame: 0x2c, end: 0x3b };

const tableOf = (packed: number) => (packed >= 0x80 ? 3 * 2 ** ((packed % 8) + 1) : 0);

/** Throws RangeError for a GIF that ends within a block. A missing last byte is allowed. */
export function assertWholeGif(file: Buffer): void {
  const skipParts = (from: number): number => {
    let at = from;
    while (file.readUInt8(at) > 0) at += 1 + file.readUInt8(at);
    return at + 1;
  };
  let at = 13 + tableOf(file.readUInt8(10));
  while (at < file.length) {
    const block = file.readUInt8(at);
    if (block === INTRODUCES.end) return;
    if (block === INTRODUCES.extension) at = skipParts(at + 2);
    else if (block === INTRODUCES.frame) at = skipParts(at + 11 + tableOf(file.readUInt8(at + 9)));
    else return;
  }
}
