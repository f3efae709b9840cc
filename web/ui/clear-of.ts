export type Box = { top: number; bottom: number; left: number; right: number };

const GAP_PX = 8;
const MENU_GAP_PX = 4;
const HIGHEST = 0.75;

/**
 * Returns how far `bar` must be lifted in px so that it covers none of `kept`. 0 if there is no free space below the
 * upper quarter of a window of `height` px.
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

/** Returns the position and maximum height of a menu within `from` to `to`, in px of the window. */
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
