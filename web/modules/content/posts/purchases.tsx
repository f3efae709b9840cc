import {
  hidePurchasedPost,
  listPurchasedPosts,
  type Post,
  type purchasedPost,
  restorePurchasedPost,
} from '@stagedoor/contract/content/posts.ts';
import { receiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { isolateText } from '../../../platform/bidi.ts';
import { formatDay } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiInfiniteQuery, routeKey } from '../../../platform/query.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { FeedKind } from './feed-query.ts';
import { PostCard } from './post-card.tsx';
import * as texts from './texts.ts';

export type PurchaseItem = z.output<typeof purchasedPost>;

const SIZES = '(min-width: 80rem) 22vw, (min-width: 43.75rem) 30vw, 50vw';
const PAGE_SIZE = 30;
/** The menu returns the focus to its button first, so that the dialog can return it there. */
const MENU_CLOSING_MS = 30;

export const purchasesQuery = (kind: FeedKind) =>
  apiInfiniteQuery(listPurchasedPosts, { query: { type: kind, limit: PAGE_SIZE } });

function HideDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const client = useQueryClient();
  const invalidate = () => void client.invalidateQueries({ queryKey: routeKey(listPurchasedPosts) });
  const restore = useApiMutation(restorePurchasedPost, {
    onSuccess: () => {
      invalidate();
      void showToast(texts.restoredConfirmation, 'success');
    },
  });
  const hide = useApiMutation(hidePurchasedPost, {
    onSuccess: () => {
      invalidate();
      const undo = { label: texts.undo, onClick: () => restore.mutate({ params: { id: post.id } }) };
      void showToast(texts.hiddenConfirmation, 'success', { action: undo, id: `hide:${post.id}` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.hideMediaQuestion}
      lead={formatText(texts.hideMediaConsequence, { title: isolateText(post.title) || texts.untitled })}
      confirmText={texts.hide}
      busyText={texts.hiding}
      danger
      busy={hide.isPending}
      onConfirm={() => hide.mutate({ params: { id: post.id } })}
    />
  );
}

function PurchasedPost({ purchase, now, onHide }: { purchase: PurchaseItem; now: string; onHide: () => void }) {
  const { post, price, purchasedAt, transactionId } = purchase;
  return (
    <>
      <PostCard post={post} sizes={SIZES} hasAuthor hasOwnedLabel={false} />
      <div className="flex flex-wrap items-center justify-between gap-x-2 text-small text-muted">
        <span className="num one-line">
          {formatDay(purchasedAt, now)} · {formatUsd(price)}
        </span>
        <span className="-mr-[12px]">
          <Menu
            label={formatText(texts.purchaseOptions, { title: post.title || texts.untitled })}
            items={[
              { label: texts.receipt, icon: 'document', href: receiptPath(transactionId) },
              { label: texts.hide, icon: 'eye-off', onSelect: () => setTimeout(onHide, MENU_CLOSING_MS), danger: true },
            ]}
          />
        </span>
      </div>
    </>
  );
}

export function PurchaseGrid({ purchases, now }: { purchases: readonly PurchaseItem[]; now: string }) {
  const [hiding, setHiding] = useState<Post>();
  return (
    <>
      <ul className="grid grid-cols-2 gap-x-2 gap-y-6 md:grid-cols-3 lg:gap-x-4 lg:gap-y-8 xl:grid-cols-4">
        {purchases.map((purchase) => (
          <li key={purchase.post.id} className="min-w-0">
            <PurchasedPost purchase={purchase} now={now} onHide={() => setHiding(purchase.post)} />
          </li>
        ))}
      </ul>
      {hiding && <HideDialog key={hiding.id} post={hiding} onClose={() => setHiding(undefined)} />}
    </>
  );
}
