import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { ReactNode } from 'react';
import { getCaptionBody } from '../modules/content/posts/caption.ts';
import { OwnedLabel, PostName } from '../modules/content/posts/post-card.tsx';
import { PostContents } from '../modules/content/posts/post-contents.tsx';
import { PostDetailsView } from '../modules/content/posts/post-details.tsx';
import { PostMediaList, type PostMediaListProps } from '../modules/content/posts/post-media.tsx';
import { SubscribeOption } from '../modules/content/posts/subscribe-option.tsx';
import { TaggedUsers } from '../modules/content/posts/tagged-users.tsx';
import { toProfileHref } from '../modules/content/profiles/creator-card.tsx';
import { joinIsolated } from '../platform/bidi.ts';
import { formatDay } from '../platform/dates.ts';
import { LinkedText } from '../platform/linked-text.tsx';
import { useAvatar } from '../platform/presence.ts';
import { UserRow } from '../ui/card.tsx';
import { ActionBar } from '../ui/shell.tsx';
import { PostPlayer } from './post-player.tsx';

export type PostLayoutProps = {
  post: Post;
  /** An ISO timestamp. */
  now: string;
  unlock: ReactNode;
  onOpen?: PostMediaListProps['onOpen'];
  viewer?: ReactNode;
  /** Disables text and links, but not the media. */
  isInert?: boolean;
  children?: ReactNode;
};

export function PostLayout({ post, now, unlock, onOpen, viewer, isInert = false, children }: PostLayoutProps) {
  const { author } = post;
  const avatar = useAvatar(author);
  const text = getCaptionBody(post);
  const subtitle = [joinIsolated([author.craft, author.city], ', '), formatDay(post.createdAt, now)]
    .filter(Boolean)
    .join(' · ');
  return (
    <article className="lg:grid lg:min-h-screen lg:grid-cols-[minmax(0,1fr)_424px]">
      {/* The structured data names this class to search engines (structured-data.ts). */}
      <div className={post.isUnlocked ? 'bg-surface-1' : 'paywalled bg-surface-1 lg:sticky lg:top-0 lg:h-screen'}>
        <PostMediaList
          post={post}
          onOpen={onOpen}
          renderPlayer={(item, sizes, isPriority) => <PostPlayer {...{ post, item, sizes, isPriority }} />}
        />
        {viewer}
      </div>
      {/* Sticks by its lower edge: a long caption scrolls to its end, a short one stays next to the pictures. */}
      <div
        inert={isInert}
        className="flex flex-col px-edge pt-1 lg:sticky lg:bottom-0 lg:min-h-screen lg:self-end lg:pt-7 lg:pl-12"
      >
        <UserRow
          name={author.name}
          href={toProfileHref(author)}
          verified={author.isVerified}
          avatar={avatar}
          sub={subtitle}
          className="py-3.5"
        />
        <h1 className="display d3 mt-1.5 mb-[18px] wrap-anywhere">
          <PostName post={post} />
        </h1>
        {text && (
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            <LinkedText text={text} />
          </p>
        )}
        <PostDetailsView post={post} isPreview={isInert} />
        <TaggedUsers post={post} />
        {!post.isUnlocked && (
          <>
            <div className="my-[18px]">
              <PostContents post={post} />
            </div>
            {post.subscription && (
              <div className="mb-4">
                <SubscribeOption post={post} />
              </div>
            )}
            <ActionBar>{unlock}</ActionBar>
          </>
        )}
        {post.isPurchased && (
          <p className="pt-4">
            <OwnedLabel post={post} />
          </p>
        )}
        {children}
      </div>
    </article>
  );
}
