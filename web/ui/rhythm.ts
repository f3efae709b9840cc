// Pictures hung in rows of one height: widths 6-3-3, then 3-3-6.
const RHYTHM = 6;

/** The first and the last of every six hang wide. A row left over at the end is spread evenly. */
export function hangsWide(index: number, count: number): boolean {
  const place = index % RHYTHM;
  const isRowWhole = index - (index % 3) + 3 <= count;
  return isRowWhole ? place === 0 || place === 5 : count - index + (index % 3) === 2;
}
