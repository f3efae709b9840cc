import { isSearchable, searchMessages } from '@stagedoor/contract/messaging/chat.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { apiQuery } from '../../../../platform/query.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { openAround } from '../cache.ts';
import * as texts from '../texts.ts';

const MAX_HITS = 50;

export type SearchHit = { seq: number; searchText: string };

export function ThreadSearch({
  thread,
  onHit,
  onClose,
}: {
  thread: string;
  onHit: (hit: SearchHit | undefined) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [searchText, setSearchText] = useState('');
  const deferredText = useDeferredValue(searchText.trim());
  const [position, setPosition] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isSearching = isSearchable(deferredText);
  const query = useQuery({
    ...apiQuery(searchMessages, { params: { id: thread }, query: { q: deferredText, limit: MAX_HITS } }),
    enabled: isSearching,
  });
  const hits = isSearching ? (query.data?.data ?? []) : [];
  const openHit = async (index: number) => {
    const hit = hits[index];
    if (!hit) return;
    setPosition(index);
    try {
      await openAround(client, thread, hit.seq);
      onHit({ seq: hit.seq, searchText: deferredText });
    } catch {
      onHit(undefined);
    }
  };
  const first = hits[0]?.seq;
  const openHitRef = useRef(openHit);
  useEffect(() => {
    openHitRef.current = openHit;
  });
  useEffect(() => {
    if (first !== undefined) void openHitRef.current(0);
  }, [first]);
  const close = () => {
    onHit(undefined);
    onClose();
  };
  const statusText = !isSearching
    ? ''
    : query.isPending
      ? texts.searching
      : query.isError
        ? texts.searchFailed
        : hits.length === 0
          ? texts.noResults
          : formatText(texts.searchPosition, {
              position: position + 1,
              hitCount: hits.length,
              moreMark: query.data?.nextOffset ? '+' : '',
            });
  return (
    <search className="flex flex-none items-center gap-1 border-b border-line py-1 pr-1 pl-4">
      <input
        ref={field}
        type="search"
        className="min-h-11 min-w-0 flex-1 bg-transparent text-body outline-none [&::-webkit-search-cancel-button]:hidden"
        aria-label={texts.searchThisChat}
        placeholder={texts.searchThisChat}
        value={searchText}
        maxLength={100}
        onChange={(event) => {
          setSearchText(event.currentTarget.value);
          setPosition(0);
          if (!isSearchable(event.currentTarget.value.trim())) onHit(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // The call around this thread stays open.
            event.preventDefault();
            close();
          }
          if (event.key === 'Enter')
            void openHit(event.shiftKey ? Math.max(0, position - 1) : Math.min(hits.length - 1, position + 1));
        }}
      />
      <span className="num flex-none text-small text-muted" role="status">
        {statusText}
      </span>
      <IconButton
        icon="chevron-up"
        label={texts.previousResult}
        disabled={position + 1 >= hits.length}
        onClick={() => void openHit(position + 1)}
      />
      <IconButton
        icon="chevron-down"
        label={texts.nextResult}
        disabled={position === 0}
        onClick={() => void openHit(position - 1)}
      />
      <IconButton icon="close" label={texts.closeSearch} onClick={close} />
    </search>
  );
}
