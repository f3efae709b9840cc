/** Renders content over the page in a separate React root, so that it is independent of the page's tree and code. */
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
  // `hydrateRoot` is already loaded on every page, whereas `createRoot` would add code. The container is empty, so
  // nothing is hydrated.
  const root = hydrateRoot(place, <Place begin={begin} />);
  return {
    show: (node) => tell(node),
    close: () => {
      root.unmount();
      place.remove();
    },
  };
}
