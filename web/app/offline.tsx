/**
 * Without a connection: the strip that says so, and links and searches that wait. A page whose code was never fetched cannot be opened
 * then, and the router's way out would be to load the document anew: the browser's own error page instead of ours.
 */
import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext } from 'react-router';
import { Banner } from '../ui/states.tsx';

function listenOnline(change: () => void): () => void {
  addEventListener('online', change);
  addEventListener('offline', change);
  return () => {
    removeEventListener('online', change);
    removeEventListener('offline', change);
  };
}

/** The link that a click leads through in this tab, to a page of ours. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return undefined;
  const isHere = link.pathname === location.pathname && link.search === location.search && link.hash !== '';
  return isHere ? undefined : link;
}

/** Whether the code of the page at `pathname` is here. */
function useIsHere(): (pathname: string) => boolean {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const modules = useContext(UNSAFE_FrameworkContext)?.routeModules;
  return (pathname) => {
    const matches = router && matchRoutes(router.routes, pathname);
    return !!matches && matches.every(({ route }) => modules?.[route.id ?? ''] !== undefined);
  };
}

function Offline() {
  const [hasHeld, setHeld] = useState(false);
  const isHere = useIsHere();
  useEffect(() => {
    const hold = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link || isHere(link.pathname)) return;
      event.preventDefault();
      setHeld(true);
    };
    // A form that asks for a page, such as the search.
    const holdForm = (event: SubmitEvent) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || form.method !== 'get' || !form.hasAttribute('action')) return;
      event.preventDefault();
      setHeld(true);
    };
    document.addEventListener('click', hold, { capture: true });
    document.addEventListener('submit', holdForm, { capture: true });
    return () => {
      document.removeEventListener('click', hold, { capture: true });
      document.removeEventListener('submit', holdForm, { capture: true });
    };
  });
  return (
    <div className="fixed inset-x-0 top-0 z-50">
      <Banner kind="offline">
        {hasHeld
          ? 'You’re offline. That page can be opened once you’re back; this one stays as it is.'
          : 'You’re offline. What you see may be out of date; nothing is sent until you’re back.'}
      </Banner>
    </div>
  );
}

export function OfflineStrip() {
  const isOnline = useSyncExternalStore(
    listenOnline,
    () => navigator.onLine,
    () => true,
  );
  return isOnline ? null : <Offline />;
}
