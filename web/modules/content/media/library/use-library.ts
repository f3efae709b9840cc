import {
  deleteMedia,
  listMedia,
  type Media,
  mediaProcessed,
  mediaProgress,
  restoreMedia,
} from '@stagedoor/contract/content/media.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '../../../../platform/feedback.ts';
import { api } from '../../../../platform/mutation.ts';
import { routeKey } from '../../../../platform/query.ts';
import { useSocketEvent } from '../../../../platform/socket-events.ts';
import * as texts from '../texts.ts';
import { type LibraryFilterState, mediaQuery, parseLibraryFilters } from './queries.ts';
import { applyProgress, type LibraryPage, removeMediaFromPages, upsertMediaInPages } from './socket-events.ts';

type CachedLists = { pages: LibraryPage[]; pageParams: unknown[] };

function parseQueryKey(queryKey: readonly unknown[]): LibraryFilterState {
  const [, , query] = queryKey;
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  return parseLibraryFilters(new URLSearchParams(entries.map(([name, value]) => [name, String(value)])));
}

function changeLists(
  client: QueryClient,
  change: (pages: LibraryPage[], filters: LibraryFilterState) => LibraryPage[],
): void {
  for (const [queryKey] of client.getQueriesData<CachedLists>({ queryKey: routeKey(listMedia) })) {
    const filters = parseQueryKey(queryKey);
    client.setQueryData<CachedLists>(
      queryKey,
      (cached) => cached && { ...cached, pages: change(cached.pages, filters) },
    );
  }
}

export function updateCachedMedia(client: QueryClient, media: Media): void {
  changeLists(client, (pages, filters) => upsertMediaInPages(pages, media, filters));
  client.setQueryData(mediaQuery(media.id).queryKey, (cached) => cached && { ...cached, ...media });
}

/** Adds an upload that was just sent. Data from an event that arrived in the meantime takes precedence. */
export function addCachedMedia(client: QueryClient, media: Media): void {
  changeLists(client, (pages, filters) =>
    pages.some((page) => page.data.some((item) => item.media.id === media.id))
      ? pages
      : upsertMediaInPages(pages, media, filters),
  );
}

export function useLiveLibrary(): void {
  useSocketEvent(mediaProcessed, updateCachedMedia);
  useSocketEvent(mediaProgress, (client, progress) => {
    changeLists(client, (pages) => applyProgress(pages, progress));
    client.setQueryData(mediaQuery(progress.id).queryKey, (cached) => cached && { ...cached, ...progress });
  });
}

/** Limits concurrent deletions so that deleting hundreds does not block other requests. */
const CONCURRENCY = 4;

/** Deletes unused uploads. Returns the deleted ones and how many were refused. */
export function useDeleteMedia(): {
  isBusy: boolean;
  run: (ids: readonly Media['id'][]) => Promise<{ deletedIds: Media['id'][]; refusedCount: number }>;
} {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (ids: readonly Media['id'][]) => {
    if (isBusy) return { deletedIds: [], refusedCount: 0 };
    setIsBusy(true);
    const pending = [...ids];
    const result: { deletedIds: Media['id'][]; refusedCount: number } = { deletedIds: [], refusedCount: 0 };
    const runWorker = async () => {
      for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
        const mediaId = id;
        try {
          await api(deleteMedia, { params: { id: mediaId } }, { showErrorMessage: false });
          changeLists(client, (pages) => removeMediaFromPages(pages, mediaId));
          result.deletedIds.push(mediaId);
        } catch {
          result.refusedCount += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, ids.length) }, runWorker));
    setIsBusy(false);
    if (result.refusedCount > 0) void client.invalidateQueries({ queryKey: routeKey(listMedia) });
    return result;
  };
  return { isBusy, run };
}

/** Shows a toast for deleted uploads with an undo action. Uploads whose processing failed cannot be restored. */
export function useDeletedToast(): (deletedMedia: readonly Pick<Media, 'id' | 'status'>[], message: string) => void {
  const client = useQueryClient();
  const restore = async (ids: readonly Media['id'][]) => {
    for (const id of ids) updateCachedMedia(client, await api(restoreMedia, { params: { id } }));
  };
  return (deletedMedia, message) => {
    const restorable = deletedMedia.flatMap(({ id, status }) => (status === 'failed' ? [] : [id]));
    const undo = { label: texts.undo, onClick: () => void restore(restorable).catch(() => undefined) };
    void showToast(message, 'success', restorable.length > 0 ? { action: undo } : {});
  };
}
