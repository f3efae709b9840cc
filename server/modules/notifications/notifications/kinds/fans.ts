import {
  callReceiptPath,
  chatWithPath,
  depositReturnPath,
  PATHS,
  postPath,
  receiptPath,
} from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { findAnyPost } from '../../../content/posts/index.ts';
import { formatDebtChange } from '../copy.ts';
import * as events from '../subscribe.ts';
import * as texts from '../texts.ts';
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
        return {
          text: formatText(texts.publishedPost, { title: quoteTitle(title, 'a new post') }),
          href: postPath(subjectId),
        };
      if (byCount === 1)
        return { text: formatText(texts.publishedPosts, { count }), href: getActorPath(details, PATHS.fanDashboard) };
      return { text: 'published', detail: formatText(texts.newPosts, { count }), href: PATHS.fanDashboard };
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
      detail: texts.chatOpenedHint,
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
      text: formatText(texts.postUnlocked, { title: quoteTitle(details.title, 'Post') }),
      detail: formatText(texts.postByPaid, { creatorName: getActorName(details), sum: details.sum }),
      href: details.subjectId ? postPath(details.subjectId) : PATHS.fanMedia,
    }),
  },
  boughtChat: {
    subscribe: onPurchase('chat'),
    icon: 'lock',
    isPaid: true,
    format: (details) => ({
      text: formatText(texts.mediaUnlockedFrom, { creatorName: getActorName(details) }),
      detail: formatText(texts.paid, { sum: details.sum }),
      href: details.actor ? chatWithPath(details.actor.id) : PATHS.fanChat,
    }),
  },
  boughtCall: {
    subscribe: onPurchase('call'),
    icon: 'phone',
    isPaid: true,
    format: (details) => ({
      text: formatText(texts.callWith, { creatorName: getActorName(details) }),
      detail: formatText(texts.paidViewReceipt, { sum: details.sum }),
      href: details.subjectId ? callReceiptPath('fan', details.subjectId) : PATHS.fanWallet,
    }),
  },
  tipped: {
    subscribe: onPurchase('tip'),
    icon: 'tip',
    isPaid: true,
    format: (details) => ({
      text: formatText(texts.youTipped, { creatorName: getActorName(details), sum: details.sum }),
      href: PATHS.fanWallet,
    }),
  },
  depositArrived: {
    subscribe: events.onDomainEvent('deposit.changed', ({ change, fanId, depositId, balanceCents, isSubscription }) =>
      change === 'paid' && !isSubscription ? [{ userId: fanId, subjectId: depositId, cents: balanceCents }] : [],
    ),
    icon: 'download',
    format: ({ subjectId, sum }) => ({
      text: texts.fundsAdded,
      detail: formatText(texts.addedToYourBalance, { sum }),
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
      text: note === 'back' ? texts.yourDepositWasReversed : texts.depositFailed,
      detail: note === 'back' ? texts.seeYourWalletForDetails : texts.depositFailedHint,
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  paymentReturned: {
    subscribe: events.onDomainEvent('payment.refunded', ({ fanId, webhookId, cents }) => [
      { userId: fanId, subjectId: webhookId, cents },
    ]),
    icon: 'undo',
    format: ({ sum }) => ({
      text: formatText(texts.refundedToYourCard, { sum }),
      detail: texts.refundedToCardReason,
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
      text: formatText(texts.refundedToYourBalance, { sum: details.sum }),
      detail: formatText(texts.refundFrom, { creatorName: getActorName(details) }),
      href: details.subjectId ? receiptPath(details.subjectId) : PATHS.fanWallet,
    }),
  },
  holdExpired: {
    subscribe: events.onDomainEvent('hold.expired', ({ fanId, transactionId, amountCents }) => [
      { userId: fanId, subjectId: transactionId, cents: amountCents },
    ]),
    icon: 'undo',
    format: ({ sum }) => ({
      text: formatText(texts.holdReleased, { sum }),
      detail: texts.holdExpired,
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
