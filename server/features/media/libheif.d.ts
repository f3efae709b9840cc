/** What is used of libheif-js, whose own types are those of its inner parts. */
declare module 'libheif-js/wasm-bundle.js' {
  type Display = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number };
  type HeifImage = {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Decodes to RGBA, into `display`; calls with null when that fails. */
    display(display: Display, then: (done: Display | null) => void): void;
  };
  const libheif: {
    ready: Promise<unknown>;
    HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
  };
  export = libheif;
}
