import {
  deletePost,
  listCreatorPosts,
  listOwnPosts,
  type OwnPost,
  pinPost,
} from '@stagedoor/contract/content/posts.ts';
import { postEditPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PINNED_POSTS } from '@stagedoor/contract/shared/limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { formatCount } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Menu, type MenuAction } from '../../../ui/menu.tsx';
import { invalidatePost } from './cache.ts';
import { PostCard } from './post-card.tsx';
import { TakeDownDialog } from './take-down-dialog.tsx';
import * as texts from './texts.ts';

function usePin({ post, pinPosition }: OwnPost) {
  const client = useQueryClient();
  const pin = useApiMutation(pinPost, {
    onSuccess: ({ isPinned }) => {
      for (const route of [listOwnPosts, listCreatorPosts])
        void client.invalidateQueries({ queryKey: routeKey(route) });
      const previous = pinPosition === null ? { isPinned: false } : { isPinned: true, position: pinPosition };
      void showToast(isPinned ? texts.pinnedConfirmation : texts.unpinnedConfirmation, 'success', {
        action: { label: texts.undo, onClick: () => pin.mutate({ params: { id: post.id }, body: previous }) },
      });
    },
  });
  return (isPinned: boolean) => pin.mutate({ params: { id: post.id }, body: { isPinned } });
}

export type OwnPostCardProps = {
  own: OwnPost;
  /** How many posts of the creator are pinned. */
  pinnedCount: number;
  now: string;
  /** Who can open it by a subscription. */
  audienceLabel?: string | undefined;
  /** Present while posts are selected. */
  selection?: { isSelected: boolean; onChange: (isSelected: boolean) => void } | undefined;
};

export function OwnPostCard({ own, pinnedCount, now, audienceLabel, selection }: OwnPostCardProps) {
  const { post, unlockCount, earned, isEditable, pinPosition } = own;
  const [isPrompting, setIsPrompting] = useState(false);
  const client = useQueryClient();
  const pin = usePin(own);
  const remove = useApiMutation(deletePost, {
    onSuccess: ({ info }) => {
      void invalidatePost(client, post.id);
      void showToast(info, 'success');
    },
  });
  const figures = [
    post.price > 0 ? formatUsd(post.price) : texts.freeLabel,
    ...(audienceLabel === undefined ? [] : [audienceLabel]),
    // A post that is free now may have been sold before.
    ...(post.price > 0 || unlockCount > 0
      ? [formatCount(unlockCount, 'unlock'), formatText(texts.amountEarned, { amount: formatUsd(earned) })]
      : []),
    formatCount(post.likeCount, 'like'),
  ];
  const isPinLimitReached = pinPosition === null && pinnedCount >= PINNED_POSTS;
  const pinLabel = isPinLimitReached
    ? formatText(texts.pinLimitReached, { maxCount: PINNED_POSTS })
    : texts.pinToProfile;
  const items: MenuAction[] = [
    { label: texts.edit, icon: 'edit', href: postEditPath(post.id) },
    ...(pinPosition === 1
      ? []
      : [
          {
            label: pinPosition === null ? pinLabel : texts.moveToFirst,
            icon: 'pin' as const,
            disabled: isPinLimitReached,
            onSelect: () => pin(true),
          },
        ]),
    ...(pinPosition === null ? [] : [{ label: texts.unpin, icon: 'pin' as const, onSelect: () => pin(false) }]),
    { label: texts.deletePost, icon: 'trash', danger: true, onSelect: () => setIsPrompting(true) },
  ];
  const name = post.title || 'Untitled';
  return (
    <li className="min-w-0">
      <PostCard post={post} now={now} sizes="(min-width: 60rem) 22vw, 50vw" hasPin />
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0 pt-1 text-small text-muted tabular-nums">
          {figures.map((figure, index) => (
            <Fragment key={figure}>
              {index > 0 && ' · '}
              <span className="inline-block">{figure}</span>
            </Fragment>
          ))}
        </p>
        {isEditable && !selection && (
          <Menu label={formatText(texts.ownPostOptions, { postName: name })} items={items} />
        )}
      </div>
      {selection && (
        <Checkbox
          checked={selection.isSelected}
          // Free posts are open to everyone anyway.
          disabled={post.price === 0}
          aria-label={formatText(texts.selectPost, { postName: name })}
          onChange={(event) => selection.onChange(event.currentTarget.checked)}
        >
          {post.price > 0 ? texts.select : texts.freeForEveryone}
        </Checkbox>
      )}
      <TakeDownDialog
        open={isPrompting}
        onOpenChange={setIsPrompting}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id: post.id } })}
      />
    </li>
  );
}
