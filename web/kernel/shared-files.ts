/** What a phone shared into Stagedoor (web/workers/app-worker.ts keeps it): taken once, by whatever composer is opened next. */
import { useEffect, useEffectEvent } from 'react';
import { SHARE_PATH, SHARED_CACHE } from '../workers/shared.ts';

async function fileOf(answer: Response): Promise<File> {
  const name = decodeURIComponent(answer.headers.get('x-name') ?? '');
  const blob = await answer.blob();
  return new File([blob], name, { type: blob.type });
}

async function takeShared(): Promise<File[]> {
  if (!('caches' in window) || !(await caches.has(SHARED_CACHE))) return [];
  const cache = await caches.open(SHARED_CACHE);
  const answers = await cache.matchAll();
  const isOurs = ({ url }: Response) => url === '' || new URL(url).pathname.startsWith(SHARE_PATH);
  const files = await Promise.all(answers.filter(isOurs).map(fileOf));
  await caches.delete(SHARED_CACHE);
  return files;
}

/** Hands what was shared to `add`, as if it had been chosen there. */
export function useSharedFiles(add: (files: readonly File[]) => void): void {
  const take = useEffectEvent(add);
  useEffect(() => {
    void takeShared()
      .then((files) => {
        if (files.length > 0) take(files);
      })
      .catch(() => undefined);
  }, []);
}
