// Where what lies over the page may lie: a bar above whatever must stay in view, a menu between the bars at the window's edges.

export type Box = { top: number; bottom: number; left: number; right: number };

const GAP_PX = 8;
/** Between a menu and its button. */
const MENU_GAP_PX = 4;
/** Higher than this part of the window it would be no bar at the lower edge any more. */
const HIGHEST = 0.75;

/**
 * How far `bar` must be lifted from where it lies so that it covers none of `kept`, in px; 0 where no room is free below
 * the upper quarter of a window of `height` px.
 */
export function liftOver(bar: Box, kept: readonly Box[], height: number): number {
  const beside = kept.filter(({ left, right }) => left < bar.right && right > bar.left);
  let lift = 0;
  for (;;) {
    const covered = beside.filter(
      ({ top, bottom }) => top < bar.bottom - lift + GAP_PX && bottom > bar.top - lift - GAP_PX,
    );
    if (covered.length === 0) return lift;
    lift = bar.bottom + GAP_PX - Math.min(...covered.map(({ top }) => top));
    if (bar.bottom - lift < height * (1 - HIGHEST)) return 0;
  }
}

/**
 * Where a menu of a button lies within `from` to `to`, in px of the window: below it where all of it fits or more does than above,
 * and how high it may be.
 */
export function menuPlace(
  button: Pick<Box, 'top' | 'bottom'>,
  height: number,
  { from, to }: { from: number; to: number },
): { isAbove: boolean; most: number } {
  const below = to - button.bottom - GAP_PX - MENU_GAP_PX;
  const above = button.top - from - GAP_PX - MENU_GAP_PX;
  const isAbove = height > below && above > below;
  return { isAbove, most: Math.max(0, Math.floor(isAbove ? above : below)) };
}
