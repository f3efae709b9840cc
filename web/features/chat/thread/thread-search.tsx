import { searchMessages } from '@stagedoor/contract/chat.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { apiQuery } from '../../../kernel/query.ts';
import { IconButton } from '../../../ui/button.tsx';
import { openAround } from '../cache.ts';

const MIN_LETTERS = 2;
const HITS = 50;

export type Found = { seq: number; words: string };

export function ThreadSearch({
  thread,
  onFound,
  onClose,
}: {
  thread: string;
  onFound: (found: Found | undefined) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const asked = useDeferredValue(words.trim());
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isAsking = asked.length >= MIN_LETTERS;
  const query = useQuery({
    ...apiQuery(searchMessages, { params: { id: thread }, query: { q: asked, limit: HITS } }),
    enabled: isAsking,
  });
  const hits = isAsking ? (query.data?.data ?? []) : [];
  const jump = async (to: number) => {
    const hit = hits[to];
    if (!hit) return;
    setAt(to);
    try {
      await openAround(client, thread, hit.seq);
      onFound({ seq: hit.seq, words: asked });
    } catch {
      onFound(undefined);
    }
  };
  const first = hits[0]?.seq;
  const jumpFirst = useRef(jump);
  useEffect(() => {
    jumpFirst.current = jump;
  });
  useEffect(() => {
    if (first !== undefined) void jumpFirst.current(0);
  }, [first]);
  const close = () => {
    onFound(undefined);
    onClose();
  };
  const said = !isAsking
    ? ''
    : query.isPending
      ? 'Searching…'
      : query.isError
        ? 'Search failed. Try again.'
        : hits.length === 0
          ? 'No results'
          : `${at + 1} of ${hits.length}${query.data?.nextOffset ? '+' : ''}`;
  return (
    <search className="flex flex-none items-center gap-1 border-b border-line py-1 pr-1 pl-4">
      <input
        ref={field}
        type="search"
        className="min-h-11 min-w-0 flex-1 bg-transparent text-body outline-none [&::-webkit-search-cancel-button]:hidden"
        aria-label="Search this chat"
        placeholder="Search this chat"
        value={words}
        maxLength={100}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
          if (event.currentTarget.value.trim().length < MIN_LETTERS) onFound(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          if (event.key === 'Enter')
            void jump(event.shiftKey ? Math.max(0, at - 1) : Math.min(hits.length - 1, at + 1));
        }}
      />
      <span className="num flex-none text-small text-muted" role="status">
        {said}
      </span>
      <IconButton
        icon="chevron-up"
        label="Previous result"
        disabled={at + 1 >= hits.length}
        onClick={() => void jump(at + 1)}
      />
      <IconButton icon="chevron-down" label="Next result" disabled={at === 0} onClick={() => void jump(at - 1)} />
      <IconButton icon="close" label="Close search" onClick={close} />
    </search>
  );
}
