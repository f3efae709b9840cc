// The layout of picture rows of equal height: column spans 6-3-3, then 3-3-6.
const RHYTHM = 6;

/** Whether the item is wide: the first and the last of every six. An incomplete last row is spread evenly. */
export function hangsWide(index: number, count: number): boolean {
  const place = index % RHYTHM;
  const isRowWhole = index - (index % 3) + 3 <= count;
  return isRowWhole ? place === 0 || place === 5 : count - index + (index % 3) === 2;
}
