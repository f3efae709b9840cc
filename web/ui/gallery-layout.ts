// The layout of picture rows of equal height: column spans 6-3-3, then 3-3-6.
const PATTERN_LENGTH = 6;

/** Whether the item is wide: the first and the last of every six. An incomplete last row is spread evenly. */
export function isWideTile(index: number, count: number): boolean {
  const position = index % PATTERN_LENGTH;
  const isRowWhole = index - (index % 3) + 3 <= count;
  return isRowWhole ? position === 0 || position === 5 : count - index + (index % 3) === 2;
}
