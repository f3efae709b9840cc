import {
  deleteMedia,
  listMedia,
  type Media,
  mediaProcessed,
  mediaProgress,
  restoreMedia,
} from '@stagedoor/contract/media.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLive } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';
import { type LibraryPage, withMedia, withoutMedia, withProgress } from './live.ts';
import { type Filters, filtersOf, mediaQuery } from './queries.ts';

type Kept = { pages: LibraryPage[]; pageParams: unknown[] };

function askedWith(queryKey: readonly unknown[]): Filters {
  const [, , query] = queryKey;
  const asked = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  return filtersOf(new URLSearchParams(asked.map(([name, value]) => [name, String(value)])));
}

function changeLists(client: QueryClient, change: (pages: LibraryPage[], filters: Filters) => LibraryPage[]): void {
  for (const [queryKey] of client.getQueriesData<Kept>({ queryKey: routeKey(listMedia) })) {
    const filters = askedWith(queryKey);
    client.setQueryData<Kept>(queryKey, (kept) => kept && { ...kept, pages: change(kept.pages, filters) });
  }
}

export function hangMedia(client: QueryClient, media: Media): void {
  changeLists(client, (pages, filters) => withMedia(pages, media, filters));
  client.setQueryData(mediaQuery(media.id).queryKey, (kept) => kept && { ...kept, ...media });
}

/** Adds an upload that was just sent. Data from an event that arrived in the meantime takes precedence. */
export function hangNew(client: QueryClient, media: Media): void {
  changeLists(client, (pages, filters) =>
    pages.some((page) => page.data.some((item) => item.media.id === media.id))
      ? pages
      : withMedia(pages, media, filters),
  );
}

export function useLiveLibrary(): void {
  useLive(mediaProcessed, hangMedia);
  useLive(mediaProgress, (client, progress) => {
    changeLists(client, (pages) => withProgress(pages, progress));
    client.setQueryData(mediaQuery(progress.id).queryKey, (kept) => kept && { ...kept, ...progress });
  });
}

/** Limits concurrent deletions so that deleting hundreds does not block other requests. */
const AT_ONCE = 4;

/** Deletes unused uploads. Returns the deleted ones and how many were refused. */
export function useDeletion(): {
  isBusy: boolean;
  run: (ids: readonly Media['id'][]) => Promise<{ gone: Media['id'][]; refused: number }>;
} {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (ids: readonly Media['id'][]) => {
    if (isBusy) return { gone: [], refused: 0 };
    setIsBusy(true);
    const waiting = [...ids];
    const outcome: { gone: Media['id'][]; refused: number } = { gone: [], refused: 0 };
    const work = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const of = id;
        try {
          await api(deleteMedia, { params: { id: of } }, { showErrorMessage: false });
          changeLists(client, (pages) => withoutMedia(pages, of));
          outcome.gone.push(of);
        } catch {
          outcome.refused += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, work));
    setIsBusy(false);
    if (outcome.refused > 0) void client.invalidateQueries({ queryKey: routeKey(listMedia) });
    return outcome;
  };
  return { isBusy, run };
}

/** Shows a toast for deleted uploads with an undo action. Uploads whose processing failed cannot be restored. */
export function useSayDeleted(): (gone: readonly Pick<Media, 'id' | 'status'>[], sentence: string) => void {
  const client = useQueryClient();
  const restore = async (ids: readonly Media['id'][]) => {
    for (const id of ids) hangMedia(client, await api(restoreMedia, { params: { id } }));
  };
  return (gone, sentence) => {
    const kept = gone.flatMap(({ id, status }) => (status === 'failed' ? [] : [id]));
    const undo = { label: 'Undo', onClick: () => void restore(kept).catch(() => undefined) };
    void showToast(sentence, 'success', kept.length > 0 ? { action: undo } : {});
  };
}
