/** A place over whatever page, in a root of its own: nothing of it comes with a page, waits in its tree, or moves it. */
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

export type OverPage = { show: (node: ReactNode) => void; close: () => void };

export function openOverPage(): OverPage {
  const place = document.body.appendChild(document.createElement('div'));
  // Of nothing there is nothing to hydrate; a second kind of root would weigh on every page.
  const root = hydrateRoot(place, null);
  return {
    show: (node) => root.render(node),
    close: () => {
      root.unmount();
      place.remove();
    },
  };
}
