import type { Post } from '@stagedoor/contract/content/posts.ts';
import { postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useId } from 'react';
import { joinIsolated } from '../../../platform/bidi.ts';
import { formatDay } from '../../../platform/dates.ts';
import { LinkedText } from '../../../platform/linked-text.tsx';
import { useAvatar } from '../../../platform/presence.ts';
import { UserRow } from '../../../ui/card.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { getCaptionBody } from './caption.ts';
import { FeedMedia, type FeedMediaProps } from './feed-media.tsx';
import { LikeButton } from './like-button.tsx';
import { describeMedia, OwnedLabel, PostName } from './post-card.tsx';
import { ShareMenu } from './share-menu.tsx';
import { SubscribeOption } from './subscribe-option.tsx';
import * as texts from './texts.ts';
import { UnlockButton } from './unlock-button.tsx';

export type FeedEntryProps = {
  post: Post;
  /** ISO timestamp. */
  now: string;
  tip: ReactNode;
  more?: ReactNode;
  renderPlayer: FeedMediaProps['renderPlayer'];
  /** Only the newest locked post has the accent colour. */
  isNewestLocked?: boolean;
  isPriority?: boolean;
};

export function FeedEntry({
  post,
  now,
  tip,
  more,
  renderPlayer,
  isNewestLocked = false,
  isPriority = false,
}: FeedEntryProps) {
  const titleId = useId();
  const { author } = post;
  const avatar = useAvatar(author);
  const text = getCaptionBody(post);
  const sub = [joinIsolated([author.craft, author.city], ', '), formatDay(post.createdAt, now)]
    .filter(Boolean)
    .join(' · ');
  return (
    <article aria-labelledby={titleId}>
      <UserRow
        name={author.name}
        href={profilePath(author.username)}
        verified={author.isVerified}
        avatar={avatar}
        sub={sub}
        className="pb-3"
      />
      <FeedMedia post={post} renderPlayer={renderPlayer} isPriority={isPriority} />
      <h2 id={titleId} className="display d4 pt-4 wrap-anywhere">
        <UiLink href={postPath(post.id)}>
          <PostName post={post} />
        </UiLink>
      </h2>
      {text && (
        <p dir="auto" className="mt-2 line-clamp-4 whitespace-pre-line wrap-anywhere">
          <LinkedText text={text} />
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-3 text-small text-muted">
        <span>{describeMedia(post)}</span>
        {post.isPurchased && <OwnedLabel post={post} />}
        {post.isSubscribed && <span>{texts.includedInSubscription}</span>}
      </p>
      <div className="-ml-[11px] flex flex-wrap items-center gap-x-1 pt-1 text-muted">
        <LikeButton post={post} />
        {tip}
        <ShareMenu
          align="start"
          embed={{ kind: 'post', id: post.id }}
          path={postPath(post.id)}
          text={formatText(texts.postTitleByName, { title: post.title || texts.post, authorName: author.name })}
          more={more}
        />
      </div>
      {!post.isUnlocked && (
        <div className="grid gap-4 pt-2">
          <SubscribeOption post={post} />
          <UnlockButton post={post} variant={isNewestLocked ? 'primary' : 'line'} />
        </div>
      )}
    </article>
  );
}
