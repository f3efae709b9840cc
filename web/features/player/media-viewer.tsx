/**
 * The full-screen viewer (row C11), opened by the address's fragment: so the back button closes it, and a link to one
 * picture of a set is a link. What draws it is fetched when it is opened.
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

/** The slide asked for by a fragment; none is -1. */
export function indexIn(hash: string, items: readonly Pick<Shown, 'id'>[]): number {
  return hash.startsWith(PREFIX) ? items.findIndex(({ id }) => PREFIX + id === hash) : -1;
}

/** Opens the viewer at an item, as a step that the back button takes back. */
export function useOpenViewer(): (id: string) => void {
  const navigate = useNavigate();
  return (id) => {
    void loadViewer();
    // What else the address says stays: a tab is in it, and with the tab what is seen.
    void navigate({ search: location.search, hash: PREFIX + id }, { preventScrollReset: true, state: PUSHED });
  };
}

/** Put once on a page, with what can be seen there in order. */
export function MediaViewer({ items, name }: { items: readonly Shown[]; name: string }) {
  const { hash, state, pathname, search } = useLocation();
  const navigate = useNavigate();
  // The server knows no fragment, so the first picture of the page is without the viewer.
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
