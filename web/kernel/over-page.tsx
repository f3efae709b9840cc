/** A place over whatever page, in a root of its own: nothing of it comes with a page, waits in its tree, or moves it. */
import { type ReactNode, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';

export type OverPage = { show: (node: ReactNode) => void; close: () => void };

function Place({ begin }: { begin: (show: (node: ReactNode) => void) => void }) {
  const [shown, setShown] = useState<ReactNode>(null);
  useEffect(() => begin(setShown), [begin]);
  return shown;
}

export function openOverPage(): OverPage {
  const place = document.body.appendChild(document.createElement('div'));
  let last: ReactNode = null;
  let tell = (node: ReactNode): void => {
    last = node;
  };
  const begin = (show: (node: ReactNode) => void) => {
    tell = show;
    show(last);
  };
  // Of nothing there is nothing to hydrate; the other kind of root would weigh on every page.
  const root = hydrateRoot(place, <Place begin={begin} />);
  return {
    show: (node) => tell(node),
    close: () => {
      root.unmount();
      place.remove();
    },
  };
}
