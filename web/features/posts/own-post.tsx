import { postEditPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { deletePost, listCreatorPosts, listOwnPosts, type OwnPost, pinPost } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { plural } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { forgetPost } from './cache.ts';
import { PostCard } from './post-card.tsx';
import { TakeDownDialog } from './take-down-dialog.tsx';

function usePin({ post, pinPlace }: OwnPost) {
  const client = useQueryClient();
  const pin = useApiMutation(pinPost, {
    onSuccess: ({ isPinned }) => {
      for (const route of [listOwnPosts, listCreatorPosts])
        void client.invalidateQueries({ queryKey: routeKey(route) });
      const former = pinPlace === null ? { isPinned: false } : { isPinned: true, place: pinPlace };
      void showToast(isPinned ? 'Pinned to the top of your profile.' : 'Unpinned.', 'success', {
        action: { label: 'Undo', onClick: () => pin.mutate({ params: { id: post.id }, body: former }) },
      });
    },
  });
  return (isPinned: boolean) => pin.mutate({ params: { id: post.id }, body: { isPinned } });
}

export function OwnPostCard({ own, now }: { own: OwnPost; now: string }) {
  const { post, unlockCount, earned, isEditable, pinPlace } = own;
  const [isAsking, setIsAsking] = useState(false);
  const client = useQueryClient();
  const pin = usePin(own);
  const remove = useApiMutation(deletePost, {
    onSuccess: ({ info }) => {
      void forgetPost(client, post.id);
      void showToast(info, 'success');
    },
  });
  const numbers = [
    post.price > 0 ? formatUsd(post.price) : 'Free',
    // A post that is free now may have been sold before.
    ...(post.price > 0 || unlockCount > 0 ? [plural(unlockCount, 'unlock'), `${formatUsd(earned)} earned`] : []),
    plural(post.likeCount, 'like'),
  ];
  const items: MenuAction[] = [
    { label: 'Edit', icon: 'edit', href: postEditPath(post.id) },
    ...(pinPlace === 1
      ? []
      : [
          {
            label: pinPlace === null ? 'Pin to profile' : 'Move to first',
            icon: 'pin' as const,
            onSelect: () => pin(true),
          },
        ]),
    ...(pinPlace === null ? [] : [{ label: 'Unpin', icon: 'pin' as const, onSelect: () => pin(false) }]),
    { label: 'Delete post', icon: 'trash', danger: true, onSelect: () => setIsAsking(true) },
  ];
  const name = post.title || 'Untitled';
  return (
    <li className="min-w-0">
      <PostCard post={post} now={now} sizes="(min-width: 60rem) 22vw, 50vw" hasPin />
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0 pt-1 text-small text-muted tabular-nums">
          {numbers.map((number, index) => (
            <Fragment key={number}>
              {index > 0 && ' · '}
              <span className="inline-block">{number}</span>
            </Fragment>
          ))}
        </p>
        {isEditable && <Menu label={`Options for ${name}`} items={items} />}
      </div>
      <TakeDownDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id: post.id } })}
      />
    </li>
  );
}
