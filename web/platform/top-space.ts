/** The space that bars above the page reserve, such as the connection strip and a minimized call. */
import { useLayoutEffect } from 'react';

export type TopBar = 'strip' | 'callBar';

const readSpacePx = () => Number.parseFloat(getComputedStyle(document.body).paddingTop) || 0;

/** Browsers do not anchor the scroll position when padding above the content changes, so it is moved by the difference. */
function setReserved(bar: TopBar, isReserved: boolean): void {
  const { scrollY } = window;
  const spacePx = readSpacePx();
  const { dataset } = document.documentElement;
  if (isReserved) dataset[bar] = '';
  else delete dataset[bar];
  if (scrollY > 0) window.scrollTo({ top: scrollY + readSpacePx() - spacePx, behavior: 'instant' });
}

/** Reserves the space of a bar while it is shown. What the user reads stays in place. */
export function useTopSpace(bar: TopBar, isReserved: boolean): void {
  useLayoutEffect(() => {
    if (!isReserved) return;
    setReserved(bar, true);
    return () => setReserved(bar, false);
  }, [bar, isReserved]);
}
