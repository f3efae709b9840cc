const HEX = /^#?([0-9a-f]{6})$/i;

export function parseColour(text: string): string | undefined {
  const [, digits] = HEX.exec(text.trim()) ?? [];
  return digits && `#${digits.toLowerCase()}`;
}
