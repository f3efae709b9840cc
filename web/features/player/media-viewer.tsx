/**
 * The full-screen viewer, opened by the URL fragment so that the back button closes it and one picture of a set can be
 * linked. Its code is loaded when it opens (row C11).
 */
import type { Picture, Stream } from '@stagedoor/contract/pictures.ts';
import { Suspense, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { lazyPart } from '../../kernel/lazy-part.ts';

export type Shown = { id: string; kind: 'picture' | 'video'; picture: Picture; stream: Stream | null };

const PREFIX = '#see-';
const PUSHED = 'viewer';
const loadViewer = () => import('./viewer-room.tsx');
const ViewerRoom = lazyPart(async () => (await loadViewer()).ViewerRoom);

/** The index of the item in the fragment, or -1. */
export function indexIn(hash: string, items: readonly Pick<Shown, 'id'>[]): number {
  return hash.startsWith(PREFIX) ? items.findIndex(({ id }) => PREFIX + id === hash) : -1;
}

export function useOpenViewer(): (id: string) => void {
  const navigate = useNavigate();
  return (id) => {
    void loadViewer();
    // The query stays in the URL, because it contains the tab and with it the visible items.
    void navigate({ search: location.search, hash: PREFIX + id }, { preventScrollReset: true, state: PUSHED });
  };
}

export function MediaViewer({ items, name }: { items: readonly Shown[]; name: string }) {
  const { hash, state, pathname, search } = useLocation();
  const navigate = useNavigate();
  // The server does not receive the fragment, so the first render has no viewer.
  const isAlive = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const index = isAlive ? indexIn(hash, items) : -1;
  if (index < 0) return null;
  const close = () => {
    if (state === PUSHED) void navigate(-1);
    else void navigate(pathname + search, { replace: true, preventScrollReset: true });
  };
  const move = (to: number) => {
    const item = items[to];
    if (!item || to === index) return;
    void navigate({ search, hash: PREFIX + item.id }, { replace: true, preventScrollReset: true, state });
  };
  return (
    <Suspense fallback={null}>
      <ViewerRoom items={items} name={name} index={index} onMove={move} onClose={close} />
    </Suspense>
  );
}
