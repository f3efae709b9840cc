/** The part of fontverter that statements use; it brings no types. */
declare module 'fontverter' {
  /** A font in another form of file. */
  export function convert(font: Uint8Array, to: 'truetype'): Promise<Buffer>;
}
