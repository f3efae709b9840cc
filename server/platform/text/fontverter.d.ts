/** Types for the part of fontverter that statements use, because the package has none. */
declare module 'fontverter' {
  export function convert(font: Uint8Array, to: 'truetype'): Promise<Buffer>;
}
