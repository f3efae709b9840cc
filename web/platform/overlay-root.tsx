/** Renders content over the page in a separate React root, so that it is independent of the page's tree and code. */
import { type ReactNode, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';

export type OverlayRoot = { show: (node: ReactNode) => void; close: () => void };

function OverlayContent({ onReady }: { onReady: (show: (node: ReactNode) => void) => void }) {
  const [shown, setShown] = useState<ReactNode>(null);
  useEffect(() => onReady(setShown), [onReady]);
  return shown;
}

export function openOverlayRoot(): OverlayRoot {
  const container = document.body.appendChild(document.createElement('div'));
  let last: ReactNode = null;
  let render = (node: ReactNode): void => {
    last = node;
  };
  const onReady = (show: (node: ReactNode) => void) => {
    render = show;
    show(last);
  };
  // `hydrateRoot` is already loaded on every page, whereas `createRoot` would add code. The container is empty, so
  // nothing is hydrated.
  const root = hydrateRoot(container, <OverlayContent onReady={onReady} />);
  return {
    show: (node) => render(node),
    close: () => {
      root.unmount();
      container.remove();
    },
  };
}
