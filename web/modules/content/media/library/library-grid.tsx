import { useSyncExternalStore } from 'react';
import { WindowVirtualizer } from 'virtua';
import * as texts from '../texts.ts';
import { LibraryCard, type LibrarySelection } from './library-card.tsx';
import type { LibraryItem } from './socket-events.ts';

/** The widths from which the grid has one more column than two. The CSS classes below must match. */
const BREAKPOINTS_REM = [43.75, 60, 80] as const;
const MIN_COLUMNS = 2;
const GRID = 'grid grid-cols-2 gap-x-2 pb-6 md:grid-cols-3 lg:grid-cols-4 lg:gap-x-4 lg:pb-8 xl:grid-cols-5';

function getColumnCount(): number {
  return MIN_COLUMNS + BREAKPOINTS_REM.filter((width) => window.matchMedia(`(min-width: ${width}rem)`).matches).length;
}

function subscribeToWidth(onChange: () => void): () => void {
  const lists = BREAKPOINTS_REM.map((width) => window.matchMedia(`(min-width: ${width}rem)`));
  for (const list of lists) list.addEventListener('change', onChange);
  return () => {
    for (const list of lists) list.removeEventListener('change', onChange);
  };
}

function toRows(items: readonly LibraryItem[], columns: number): LibraryItem[][] {
  return Array.from({ length: Math.ceil(items.length / columns) }, (_, index) =>
    items.slice(index * columns, (index + 1) * columns),
  );
}

function Cards({ items, selection }: { items: readonly LibraryItem[]; selection: LibrarySelection | undefined }) {
  return items.map((item) => (
    // biome-ignore lint/a11y/useSemanticElements: rows stand between the list and its items
    <div key={item.media.id} role="listitem" className="min-w-0">
      <LibraryCard item={item} selection={selection} />
    </div>
  ));
}

export function LibraryGrid({
  items,
  selection,
}: {
  items: readonly LibraryItem[];
  selection: LibrarySelection | undefined;
}) {
  // 0 means that the viewport width is not known yet.
  const columns = useSyncExternalStore(subscribeToWidth, getColumnCount, () => 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows stand between the list and its items
    <div role="list" aria-label={texts.uploads}>
      {columns === 0 ? (
        <div className={`${GRID} gap-y-6 lg:gap-y-8`}>
          <Cards items={items} selection={selection} />
        </div>
      ) : (
        <WindowVirtualizer data={toRows(items, columns)} bufferSize={600}>
          {(row) => (
            <div key={row[0]?.media.id} className={GRID}>
              <Cards items={row} selection={selection} />
            </div>
          )}
        </WindowVirtualizer>
      )}
    </div>
  );
}
