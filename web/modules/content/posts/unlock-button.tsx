/**
 * The unlock button of a locked post with its price and the remaining balance. The purchase is never shown before the
 * server confirms it.
 */

import { type Post, unlockPost } from '@stagedoor/contract/content/posts.ts';
import { postPath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { addFundsHref } from '../../../platform/address.ts';
import { ApiError, findErrorHref } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { updateBalance, useViewer } from '../../../platform/session.ts';
import { SpendingBoundNote, usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { invalidatePost, updateCachedPost } from './cache.ts';
import * as texts from './texts.ts';

type UnlockProps = {
  post: Post;
  /** The error of a form that was submitted without script. */
  refusal?: string | undefined;
  /** Only the newest of several locked posts has the accent colour. */
  variant?: 'primary' | 'line';
};

export function UnlockButton({ post, refusal, variant: ownVariant = 'primary' }: UnlockProps) {
  const viewer = useViewer();
  // Subscribing comes first then (subscribe-option.tsx).
  const variant = post.subscription ? 'line' : ownVariant;
  if (post.isUnlocked) return null;
  if (!viewer)
    return (
      <PriceButton
        wide
        size="lg"
        variant={variant}
        verb={texts.unlock}
        price={formatUsd(post.price)}
        href={signupGatePath('unlock', postPath(post.id))}
      />
    );
  if (viewer.type !== 'customer')
    return (
      <p className="text-small text-muted">
        {post.subscription
          ? formatText(texts.subscribeOfferNote, {
              tierName: isolateText(post.subscription.name),
              price: formatUsd(post.price),
            })
          : formatText(texts.unlockOfferNote, { price: formatUsd(post.price) })}
      </p>
    );
  return <UnlockForm post={post} refusal={refusal} variant={variant} balance={viewer.deposit} />;
}

function UnlockForm({ post, refusal, variant, balance }: UnlockProps & { balance: number }) {
  const client = useQueryClient();
  const unlock = useApiMutation(unlockPost, {
    showErrorMessage: false,
    onSuccess: ({ post: unlocked, ...balance }) => {
      updateCachedPost(client, post.id, () => unlocked);
      updateBalance(client, balance);
    },
    // The price, files or status of the post may have changed. The error of a conflict waits for the refetch, because a
    // press before that would send the old values again.
    onError: (error) => {
      const refetching = invalidatePost(client, post.id);
      return error instanceof ApiError && error.code === 'CONFLICT' ? refetching : undefined;
    },
  });
  const remaining = Math.round((balance - post.price) * 100) / 100;
  const { bound, obstacle } = usePurchaseObstacle(post.price, balance, unlock.error);
  const leavingLink = useLeavingLinkProps();
  const message = unlock.error?.message ?? (unlock.isIdle ? refusal : undefined);
  return (
    <form
      method="post"
      action={postPath(post.id)}
      onSubmit={(event) => {
        event.preventDefault();
        const { id, price, filesRevision } = post;
        if (!obstacle) unlock.mutate({ params: { id }, body: { price, filesRevision } });
      }}
    >
      <input type="hidden" name="price" value={post.price} />
      <input type="hidden" name="filesRevision" value={post.filesRevision} />
      {obstacle === 'balance' ? (
        <Button variant={variant} size="lg" wide href={addFundsHref(-remaining, postPath(post.id))} {...leavingLink}>
          {texts.addFundsToUnlock}
        </Button>
      ) : (
        <PriceButton
          type="submit"
          wide
          size="lg"
          variant={variant}
          verb={texts.unlock}
          price={formatUsd(post.price)}
          busy={unlock.isPending}
          disabled={obstacle === 'limit'}
        />
      )}
      <p className="num flex flex-wrap justify-between gap-x-4 pt-3 text-small text-muted">
        <span>{formatText(texts.currentBalance, { amount: formatUsd(balance) })}</span>
        <span>
          {obstacle
            ? formatText(texts.priceNote, { amount: formatUsd(post.price) })
            : formatText(texts.balanceAfter, { amount: formatUsd(remaining) })}
        </span>
      </p>
      {obstacle === 'limit' && bound && <SpendingBoundNote bound={bound} />}
      {message !== undefined && !obstacle && <InlineError message={message} href={findErrorHref(unlock.error)} />}
    </form>
  );
}
