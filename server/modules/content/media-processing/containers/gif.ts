/** Checks that a GIF (GIF89a) is complete, because decoders show a truncated one without an error. */

const BLOCK_TYPES = { extension: 0x21, frame: 0x2c, end: 0x3b };

const getColorTableBytes = (packed: number) => (packed >= 0x80 ? 3 * 2 ** ((packed % 8) + 1) : 0);

/** Throws RangeError for a GIF that ends within a block. A missing last byte is allowed. */
export function assertWholeGif(file: Buffer): void {
  const skipSubBlocks = (from: number): number => {
    let at = from;
    while (file.readUInt8(at) > 0) at += 1 + file.readUInt8(at);
    return at + 1;
  };
  let at = 13 + getColorTableBytes(file.readUInt8(10));
  while (at < file.length) {
    const block = file.readUInt8(at);
    if (block === BLOCK_TYPES.end) return;
    if (block === BLOCK_TYPES.extension) at = skipSubBlocks(at + 2);
    else if (block === BLOCK_TYPES.frame) at = skipSubBlocks(at + 11 + getColorTableBytes(file.readUInt8(at + 9)));
    else return;
  }
}
