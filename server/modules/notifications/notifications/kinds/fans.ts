import {
  callReceiptPath,
  chatWithPath,
  depositReturnPath,
  PATHS,
  postPath,
  receiptPath,
} from '@stagedoor/contract/shared/addresses.ts';
import { findAnyPost } from '../../../content/posts/index.ts';
import { formatDebtChange } from '../copy.ts';
import * as events from '../subscribe.ts';
import { getActorName, getActorPath, isRecentSale, type NotificationKind, quoteTitle } from './kind.ts';

const onPurchase = (kind: string) =>
  events.onDomainEvent(
    'sale.made',
    ({ fanId, creatorId, subjectId, grossCents, ...sale }) =>
      sale.kind === kind ? [{ userId: fanId, byId: creatorId, subjectId, cents: grossCents, isOwn: true }] : [],
    isRecentSale,
  );

export const FAN_KINDS: Readonly<Record<string, NotificationKind>> = {
  newPost: {
    subscribe: events.onDomainEventForFollowers(
      'post.published',
      ({ creatorId, postId }) => ({ creatorId, subjectId: postId }),
      (_ctx, { createdAt }, eventId) => events.isRecent(eventId, createdAt),
      async (ctx, { postId }) => (await findAnyPost(ctx.db, postId))?.removed_at === null,
    ),
    icon: 'chat',
    isGrouped: true,
    hasUserPrefix: true,
    format: (details) => {
      const { count, byCount, title, subjectId } = details;
      if (count === 1 && subjectId)
        return { text: `published ${quoteTitle(title, 'a new post')}`, href: postPath(subjectId) };
      if (byCount === 1) return { text: `published ${count} posts`, href: getActorPath(details, PATHS.fanDashboard) };
      return { text: 'published', detail: `${count} new posts`, href: PATHS.fanDashboard };
    },
  },
  creatorOnline: {
    subscribe: events.onDomainEventForFollowers(
      'creator.online',
      ({ creatorId }) => ({ creatorId, subjectId: null }),
      events.isOnlineDue,
    ),
    icon: 'phone',
    isGrouped: true,
    hasUserPrefix: true,
    format: (details) => ({ text: 'came online', href: getActorPath(details, `${PATHS.home}?sort=online`) }),
  },
  chatApprove: {
    subscribe: events.onDomainEvent('chat.approved', ({ fanId, creatorId }) => [{ userId: fanId, byId: creatorId }]),
    icon: 'chat',
    hasUserPrefix: true,
    format: ({ actor }) => ({
      text: 'accepted your message request',
      detail: 'You can message each other now.',
      href: actor ? chatWithPath(actor.id) : PATHS.fanChat,
    }),
  },
  callBack: {
    subscribe: events.onDomainEvent('call.callbackRequested', ({ fanId, creatorId }) => [
      { userId: fanId, byId: creatorId },
    ]),
    icon: 'phone',
    hasUserPrefix: true,
    format: (details) => ({ text: 'would like you to call back', href: getActorPath(details, PATHS.fanChat) }),
  },
  boughtPost: {
    subscribe: onPurchase('post'),
    icon: 'lock',
    isPaid: true,
    format: (details) => ({
      text: `${quoteTitle(details.title, 'Post')} unlocked`,
      detail: `Post by ${getActorName(details)}, ${details.sum} paid`,
      href: details.subjectId ? postPath(details.subjectId) : PATHS.fanMedia,
    }),
  },
  boughtChat: {
    subscribe: onPurchase('chat'),
    icon: 'lock',
    isPaid: true,
    format: (details) => ({
      text: `You unlocked media from ${getActorName(details)}`,
      detail: `${details.sum} paid`,
      href: details.actor ? chatWithPath(details.actor.id) : PATHS.fanChat,
    }),
  },
  boughtCall: {
    subscribe: onPurchase('call'),
    icon: 'phone',
    isPaid: true,
    format: (details) => ({
      text: `Call with ${getActorName(details)}`,
      detail: `${details.sum} paid. View receipt`,
      href: details.subjectId ? callReceiptPath('fan', details.subjectId) : PATHS.fanWallet,
    }),
  },
  tipped: {
    subscribe: onPurchase('tip'),
    icon: 'tip',
    isPaid: true,
    format: (details) => ({ text: `You tipped ${getActorName(details)} ${details.sum}`, href: PATHS.fanWallet }),
  },
  depositArrived: {
    subscribe: events.onDomainEvent('deposit.changed', ({ change, fanId, depositId, balanceCents }) =>
      change === 'paid' ? [{ userId: fanId, subjectId: depositId, cents: balanceCents }] : [],
    ),
    icon: 'download',
    format: ({ subjectId, sum }) => ({
      text: 'Funds added',
      detail: `${sum} added to your balance`,
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  depositFailed: {
    subscribe: events.onDomainEvent('deposit.changed', ({ change, fanId, depositId }) =>
      change === 'failed' || change === 'reversed'
        ? [{ userId: fanId, subjectId: depositId, note: change === 'reversed' ? 'back' : '' }]
        : [],
    ),
    icon: 'card',
    format: ({ subjectId, note }) => ({
      text: note === 'back' ? 'Your deposit was reversed' : 'Deposit failed',
      detail: note === 'back' ? 'See your wallet for details.' : 'Nothing was added to your balance.',
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  paymentReturned: {
    subscribe: events.onDomainEvent('payment.refunded', ({ fanId, webhookId, cents }) => [
      { userId: fanId, subjectId: webhookId, cents },
    ]),
    icon: 'undo',
    format: ({ sum }) => ({
      text: `${sum} refunded to your card`,
      detail: 'We couldn’t add it to your balance. The refund can take a few days.',
      href: PATHS.fanWallet,
    }),
  },
  refund: {
    subscribe: events.onDomainEvent('sale.refunded', ({ fanId, creatorId, refundId, refundedCents }) => [
      { userId: fanId, byId: creatorId, subjectId: refundId, cents: refundedCents },
    ]),
    icon: 'undo',
    isPaid: true,
    format: (details) => ({
      text: `${details.sum} refunded to your balance`,
      detail: `Refund from ${getActorName(details)}`,
      href: details.subjectId ? receiptPath(details.subjectId) : PATHS.fanWallet,
    }),
  },
  holdExpired: {
    subscribe: events.onDomainEvent('hold.expired', ({ fanId, transactionId, amountCents }) => [
      { userId: fanId, subjectId: transactionId, cents: amountCents },
    ]),
    icon: 'undo',
    format: ({ sum }) => ({
      text: `${sum} hold released to your balance`,
      detail: 'The hold expired.',
      href: PATHS.fanWallet,
    }),
  },
  debt: {
    subscribe: events.onDomainEvent('debt.changed', ({ fanId, change, cents }) => [
      { userId: fanId, cents, note: change },
    ]),
    icon: 'wallet',
    format: ({ note, sum }) => ({ ...formatDebtChange(note, sum), href: PATHS.fanWallet }),
  },
};
