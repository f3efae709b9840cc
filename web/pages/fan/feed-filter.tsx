import { FEED_KINDS } from '@stagedoor/contract/content/posts.ts';
import type { FeedKind } from '../../modules/content/posts/feed-query.ts';
import { buildAddress, parseOption } from '../../platform/address.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import * as texts from './texts.ts';

export const FEED_KIND_LABELS: Readonly<Record<FeedKind, string>> = {
  all: texts.all,
  picture: texts.photos,
  pictureSet: texts.albums,
  video: texts.videos,
  audio: texts.audio,
};

export function parseFeedKind(search: URLSearchParams): FeedKind {
  return parseOption(FEED_KINDS, search.get('type')) ?? 'all';
}

export function KindChips({ path, search }: { path: string; search: URLSearchParams }) {
  const current = parseFeedKind(search);
  return (
    <Chips label={texts.mediaType} className="mb-6">
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
