declare module 'fontkit' {
  export type Glyph = {
    advanceWidth: number;
    path: { commands: readonly { command: string; args: readonly number[] }[] };
  };
  export type Position = { xAdvance: number; xOffset: number; yOffset: number };
  export type Font = {
    unitsPerEm: number;
    layout(text: string): { glyphs: Glyph[]; positions: Position[]; advanceWidth: number };
  };
  export function create(file: Uint8Array): Font;
}
