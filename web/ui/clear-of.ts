// Where a bar may lie over the page: above whatever must stay in view, such as the one button that matters or a receipt.

export type Box = { top: number; bottom: number; left: number; right: number };

const GAP_PX = 8;
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
