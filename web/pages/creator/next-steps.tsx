import { listOwnPosts, type OwnPost } from '@stagedoor/contract/content/posts.ts';
import { PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useUnread } from '../../modules/messaging/chat/inbox/unread.ts';
import { isolateText } from '../../platform/bidi.ts';
import { formatCount, formatDayTime } from '../../platform/dates.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Icon } from '../../ui/icon.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Glyph, Row, Rows } from '../../ui/rows.tsx';
import * as texts from './texts.ts';

const lastPost = { query: { limit: 1 } };
export const lastPostQuery = () => apiQuery(listOwnPosts, lastPost);

/** The most important part is first because the end may be truncated. */
export function formatResult({ post, unlockCount, earned }: OwnPost, now: string): string {
  const isSold = post.price > 0 || unlockCount > 0;
  return [
    ...(isSold
      ? [formatCount(unlockCount, 'unlock'), formatText(texts.earnedAmount, { amount: formatUsd(earned) })]
      : []),
    formatCount(post.likeCount, 'like'),
    formatDayTime(post.createdAt, now),
  ].join(' · ');
}

function findThumbnail({ post: { media } }: OwnPost): string | null {
  const [first] = media;
  if (!first) return null;
  return first.isLocked ? first.preview.url : first.picture.url;
}

export function NextSteps({ now }: { now: string }) {
  const { count, isMore, requestCount } = useUnread(true);
  const [last] = useApi(listOwnPosts, lastPost).data;
  if (requestCount === 0 && count === 0 && !last) return null;
  return (
    <section aria-labelledby="next">
      <SectionHead id="next" title={texts.nextSteps} />
      <Rows label={texts.nextSteps}>
        {requestCount > 0 && (
          <Row
            href={`${PATHS.creatorChat}?tab=requests`}
            lead={<Glyph icon="people" />}
            title={formatText(texts.requestsToAnswer, {
              messageRequestCount: formatCount(requestCount, texts.messageRequest),
            })}
            sub={texts.acceptToStartChatting}
          />
        )}
        {count > 0 && (
          <Row
            href={`${PATHS.creatorChat}?tab=unread`}
            lead={<Glyph icon="chat" />}
            title={
              isMore
                ? formatText(texts.manyUnreadMessages, { unreadMessageCount: formatCount(count, texts.unreadMessage) })
                : formatCount(count, texts.unreadMessage)
            }
            sub={texts.unreadMessagesHint}
          />
        )}
        {last && (
          <Row
            href={postPath(last.post.id)}
            lead={<Picture src={findThumbnail(last)} alt="" ratio="1" className="w-11" empty={<Icon name="image" />} />}
            title={formatText(texts.latestPost, { title: isolateText(last.post.title) || texts.untitled })}
            sub={formatResult(last, now)}
          />
        )}
      </Rows>
    </section>
  );
}
