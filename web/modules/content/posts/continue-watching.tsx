import { listContinueWatching } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { Progress } from '../../../ui/states.tsx';
import { PostCard, useProtectedPosts } from './post-card.tsx';
import * as texts from './texts.ts';

const MAX_ITEMS = 4;

/** Never cached, because playback on other devices changes it. */
export const continueWatchingQuery = () => ({
  ...apiQuery(listContinueWatching, { query: { limit: MAX_ITEMS } }),
  staleTime: 0,
});

export function ContinueWatching({ className }: { className: string }) {
  const started = useQuery(continueWatchingQuery()).data?.data ?? [];
  useProtectedPosts(started.map(({ post }) => post));
  if (started.length === 0) return null;
  return (
    <section aria-labelledby="continue">
      <SectionHead id="continue" title={texts.continueWatching} />
      <ul className={className}>
        {started.map(({ post, mediaId, seconds }) => {
          const length = post.media.find(({ id }) => id === mediaId)?.durationSeconds ?? seconds;
          return (
            <li key={post.id} className="min-w-0">
              <PostCard
                post={post}
                hasAuthor
                ratio="16 / 9"
                sizes="(min-width: 60rem) 22vw, (min-width: 43.75rem) 30vw, 50vw"
              />
              <Progress
                label={formatDuration(seconds)}
                name={`Progress in ${post.title || 'Untitled'}`}
                value={Math.min(seconds, length)}
                max={length}
                text={formatText(texts.timeLeft, { duration: formatDuration(Math.max(0, length - seconds)) })}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
