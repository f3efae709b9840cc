import { FEED_KINDS } from '@stagedoor/contract/posts.ts';
import type { FeedKind } from '../../features/posts/feed-query.ts';
import { addressWith, oneOf } from '../../kernel/address.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';

export const KIND_WORDS: Readonly<Record<FeedKind, string>> = {
  all: 'All',
  picture: 'Photos',
  pictureSet: 'Albums',
  video: 'Videos',
  audio: 'Audio',
};

export function kindOf(search: URLSearchParams): FeedKind {
  return oneOf(FEED_KINDS, search.get('type')) ?? 'all';
}

export function KindChips({ path, search }: { path: string; search: URLSearchParams }) {
  const current = kindOf(search);
  return (
    <Chips label="Media type" className="mb-6">
      {FEED_KINDS.map((kind) => (
        <ChipLink
          key={kind}
          href={addressWith(path, search, { type: kind === 'all' ? undefined : kind })}
          current={kind === current}
        >
          {KIND_WORDS[kind]}
        </ChipLink>
      ))}
    </Chips>
  );
}
