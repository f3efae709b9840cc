export type Rect = { top: number; bottom: number; left: number; right: number };

const GAP_PX = 8;
const MENU_GAP_PX = 4;
const MAX_LIFT_RATIO = 0.75;

/**
 * Returns how far `bar` must be lifted in px so that it covers none of `obstacles`. 0 if there is no free space below the
 * upper quarter of a window of `height` px.
 */
export function calculateLift(bar: Rect, obstacles: readonly Rect[], height: number): number {
  const overlapping = obstacles.filter(({ left, right }) => left < bar.right && right > bar.left);
  let lift = 0;
  for (;;) {
    const covered = overlapping.filter(
      ({ top, bottom }) => top < bar.bottom - lift + GAP_PX && bottom > bar.top - lift - GAP_PX,
    );
    if (covered.length === 0) return lift;
    lift = bar.bottom + GAP_PX - Math.min(...covered.map(({ top }) => top));
    if (bar.bottom - lift < height * (1 - MAX_LIFT_RATIO)) return 0;
  }
}

/** Returns the position and maximum height of a menu within `from` to `to`, in px of the window. */
export function calculateMenuPosition(
  button: Pick<Rect, 'top' | 'bottom'>,
  height: number,
  { from, to }: { from: number; to: number },
): { isAbove: boolean; maxHeight: number } {
  const below = to - button.bottom - GAP_PX - MENU_GAP_PX;
  const above = button.top - from - GAP_PX - MENU_GAP_PX;
  const isAbove = height > below && above > below;
  return { isAbove, maxHeight: Math.max(0, Math.floor(isAbove ? above : below)) };
}
