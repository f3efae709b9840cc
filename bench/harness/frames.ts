import { randomBytes } from 'node:crypto';

const TEXT = 0x81;
const SHORT = 125;

/** A client's text frame, masked, of at most 65,535 bytes. */
export function encodeFrame(text: string): Buffer {
  const data = Buffer.from(text);
  const mask = randomBytes(4);
  if (data.length > 0xffff) throw new RangeError('the frame is too long');
  const length = data.length <= SHORT ? [data.length] : [126, data.length >> 8, data.length & 0xff];
  for (let at = 0; at < data.length; at += 1) data[at] = (data[at] ?? 0) ^ (mask[at % 4] ?? 0);
  const [first = 0, ...rest] = length;
  return Buffer.concat([Buffer.from([TEXT, 0x80 | first, ...rest]), mask, data]);
}

/** Splits received data into text frames. The measured servers send no fragments. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Calls `onFrame` with the payload of each complete text frame. The payload is only valid until `onFrame` returns. */
  push(chunk: Buffer, onFrame: (payload: Buffer) => void): void {
    let all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      if (all.length < 2) break;
      const short = (all[1] ?? 0) & 0x7f;
      const from = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (all.length < from) break;
      const length = short === 126 ? all.readUInt16BE(2) : short === 127 ? Number(all.readBigUInt64BE(2)) : short;
      if (all.length < from + length) break;
      if (all[0] === TEXT) onFrame(all.subarray(from, from + length));
      all = all.subarray(from + length);
    }
    this.#rest = all;
  }
}
