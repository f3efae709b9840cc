/** A GIF's blocks (GIF89a): whether they are all there. Decoders show a moving one as far as it goes, and say nothing. */

const INTRODUCES = { extension: 0x21, frame: 0x2c, end: 0x3b };

/** The bytes of the table of colours that a packed field announces. */
const tableOf = (packed: number) => (packed >= 0x80 ? 3 * 2 ** ((packed % 8) + 1) : 0);

/** Throws RangeError for a GIF that breaks off within a block. One that only lacks its last byte is whole. */
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
    // Padding, or rubbish behind the last frame.
    else return;
  }
}
