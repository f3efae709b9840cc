/** Reads a ZIP without the library that writes the export, so that tests verify the format. */
import { inflateRawSync } from 'node:zlib';

const DIRECTORY = 0x02014b50;
const END = 0x06054b50;

export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('no archive');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let remaining = zip.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY) throw new Error('no entry');
    const [method, packedSize, size] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
    ];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const headerOffset = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const start = headerOffset + 30 + zip.readUInt16LE(headerOffset + 26) + zip.readUInt16LE(headerOffset + 28);
    const bytes = zip.subarray(start, start + packedSize);
    const content = method === 0 ? bytes : inflateRawSync(bytes);
    if (content.length !== size) throw new Error(`${name} is cut`);
    files.set(name, content);
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}
