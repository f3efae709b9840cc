/**
 * The full-screen viewer, opened by the URL fragment so that the back button closes it and one picture of a set can be
 * linked. Its code is loaded when it opens (row C11).
 */
import { Suspense, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import type { ViewerItem } from './viewer-lightbox.tsx';

const HASH_PREFIX = '#see-';
const VIEWER_STATE = 'viewer';
const loadViewer = () => import('./viewer-lightbox.tsx');
const ViewerLightbox = lazyPart(async () => (await loadViewer()).ViewerLightbox);

/** The index of the item in the fragment, or -1. */
export function findItemIndex(hash: string, items: readonly Pick<ViewerItem, 'id'>[]): number {
  return hash.startsWith(HASH_PREFIX) ? items.findIndex(({ id }) => HASH_PREFIX + id === hash) : -1;
}

export function useOpenViewer(): (id: string) => void {
  const navigate = useNavigate();
  return (id) => {
    void loadViewer();
    // The query stays in the URL, because it contains the tab and with it the visible items.
    void navigate(
      { search: location.search, hash: HASH_PREFIX + id },
      { preventScrollReset: true, state: VIEWER_STATE },
    );
  };
}

export function MediaViewer({ items, name }: { items: readonly ViewerItem[]; name: string }) {
  const { hash, state, pathname, search } = useLocation();
  const navigate = useNavigate();
  // The server does not receive the fragment, so the first render has no viewer.
  const isHydrated = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const index = isHydrated ? findItemIndex(hash, items) : -1;
  if (index < 0) return null;
  const close = () => {
    if (state === VIEWER_STATE) void navigate(-1);
    else void navigate(pathname + search, { replace: true, preventScrollReset: true });
  };
  const move = (to: number) => {
    const item = items[to];
    if (!item || to === index) return;
    void navigate({ search, hash: HASH_PREFIX + item.id }, { replace: true, preventScrollReset: true, state });
  };
  return (
    <Suspense fallback={null}>
      <ViewerLightbox items={items} name={name} index={index} onMove={move} onClose={close} />
    </Suspense>
  );
}
