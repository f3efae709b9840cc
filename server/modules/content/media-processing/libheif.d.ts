declare module 'libheif-js/wasm-bundle.js' {
  type Display = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number };
  type HeifImage = {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Calls back with null on failure. */
    display(display: Display, then: (done: Display | null) => void): void;
  };
  const libheif: {
    ready: Promise<unknown>;
    HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
  };
  export = libheif;
}
