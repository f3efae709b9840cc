import { InfiniteQueryObserver, notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { protectLocalChanges, trackWrite } from './local-changes.ts';

type QueryObserverLike<T> = {
  subscribe(listener: () => void): () => void;
  getCurrentResult(): { data: T | undefined };
};
const KEY = ['follow'];
const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
  vi.useRealTimers();
});

/** Calls `show` with the data that a component would render: those at the end of a batch of updates. */
function watch<T>(observer: QueryObserverLike<T>, show: (data: T) => unknown): void {
  const handleUpdate = notifyManager.batchCalls(() => {
    const { data } = observer.getCurrentResult();
    if (data !== undefined) show(data);
  });
  cleanups.push(observer.subscribe(handleUpdate));
}

/** A shown query whose responses the test sends, and all values that were shown. */
function showQuery(meta?: Record<string, unknown>) {
  const client = new QueryClient();
  protectLocalChanges(client);
  const responses: PromiseWithResolvers<string>[] = [];
  const request = () => {
    const response = Promise.withResolvers<string>();
    responses.push(response);
    return response.promise;
  };
  const shown: string[] = [];
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: request, ...(meta && { meta }) });
  watch(observer, (data) => data !== shown.at(-1) && shown.push(data));
  const respond = async (data: string) => {
    await expect.poll(() => responses.length).toBeGreaterThan(0);
    responses.shift()?.resolve(data);
  };
  const settle = () => expect.poll(() => client.isFetching()).toBe(0);
  return { client, shown, respond, settle, pending: responses };
}

test('a response that was requested before a change is never shown, and the query is fetched again', async () => {
  const { client, shown, respond, settle } = showQuery();
  await respond('first');
  await settle();
  void client.invalidateQueries({ queryKey: KEY });
  client.setQueryData(KEY, 'changed');
  await respond('before the change');
  await respond('after the change');
  await settle();
  await expect.poll(() => shown.at(-1)).toBe('after the change');
  expect(shown).not.toContain('before the change');
});

test('a response that arrives while the write of a change is pending is not shown', async () => {
  const { client, shown, respond, settle, pending } = showQuery();
  await respond('first');
  await settle();
  const write = Promise.withResolvers<void>();
  client.setQueryData(KEY, 'changed');
  const sent = trackWrite(() => write.promise);
  void client.invalidateQueries({ queryKey: KEY });
  await respond('before the write');
  await settle();
  expect(pending).toEqual([]);
  write.resolve();
  await sent;
  await respond('after the write');
  await expect.poll(() => shown.at(-1)).toBe('after the write');
  expect(shown).not.toContain('before the write');
});

test('a response that was requested after a change without a pending write is shown', async () => {
  const { client, shown, respond, settle, pending } = showQuery();
  await respond('first');
  await settle();
  client.setQueryData(KEY, 'changed');
  void client.invalidateQueries({ queryKey: KEY });
  await respond('second');
  await settle();
  await expect.poll(() => shown.at(-1)).toBe('second');
  expect(pending).toEqual([]);
});

test('a write that takes longer than 10 seconds no longer holds back a refetch', async () => {
  const { client, shown, respond, settle } = showQuery();
  await respond('first');
  await settle();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const write = Promise.withResolvers<void>();
  const sent = trackWrite(() => write.promise);
  client.setQueryData(KEY, 'changed');
  void client.invalidateQueries({ queryKey: KEY });
  await respond('set aside');
  await settle();
  vi.advanceTimersByTime(10_000);
  await respond('shown');
  await expect.poll(() => shown.at(-1)).toBe('shown');
  expect(shown).not.toContain('set aside');
  write.resolve();
  await sent;
});

test('queries that merge changes themselves receive every response', async () => {
  const { client, shown, respond, settle } = showQuery({ mergesEvents: true });
  client.setQueryData(KEY, 'changed');
  await respond('before the change');
  await settle();
  await expect.poll(() => shown.at(-1)).toBe('before the change');
});

test('a change while the next page of a list loads affects neither that page nor the change', async () => {
  const client = new QueryClient();
  protectLocalChanges(client);
  let isChanged = false;
  const nextPage = Promise.withResolvers<void>();
  const observer = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    initialPageParam: 1,
    getNextPageParam: (_, pages) => pages.length + 1,
    queryFn: async ({ pageParam }) => {
      const page = `page ${pageParam}${isChanged ? ' changed' : ''}`;
      if (pageParam === 2) await nextPage.promise;
      return page;
    },
  });
  const shown: (readonly unknown[])[] = [];
  watch(observer, ({ pages }) => shown.push(pages));
  await expect.poll(() => client.isFetching()).toBe(0);
  const loaded = observer.fetchNextPage();
  client.setQueryData(KEY, { pages: ['page 1 changed'], pageParams: [1] });
  isChanged = true;
  nextPage.resolve();
  await loaded;
  await expect.poll(() => shown.at(-1)).toEqual(['page 1 changed', 'page 2 changed']);
  expect(shown).not.toContainEqual(['page 1', 'page 2']);
  expect(shown).toContainEqual(['page 1 changed', 'page 2']);
});
