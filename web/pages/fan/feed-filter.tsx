import { FEED_KINDS } from '@stagedoor/contract/content/posts.ts';
import type { FeedKind } from '../../modules/content/posts/feed-query.ts';
import { buildAddress, parseOption } from '../../platform/address.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';

export const FEED_KIND_LABELS: Readonly<Record<FeedKind, string>> = {
  all: 'All',
  picture: 'Photos',
  pictureSet: 'Albums',
  video: 'Videos',
  audio: 'Audio',
};

export function parseFeedKind(search: URLSearchParams): FeedKind {
  return parseOption(FEED_KINDS, search.get('type')) ?? 'all';
}

export function KindChips({ path, search }: { path: string; search: URLSearchParams }) {
  const current = parseFeedKind(search);
  return (
    <Chips label="Media type" className="mb-6">
      {FEED_KINDS.map((kind) => (
        <ChipLink
          key={kind}
          href={buildAddress(path, search, { type: kind === 'all' ? undefined : kind })}
          current={kind === current}
        >
          {FEED_KIND_LABELS[kind]}
        </ChipLink>
      ))}
    </Chips>
  );
}
