import {
  callReceiptPath,
  chatWithPath,
  depositReturnPath,
  PATHS,
  postPath,
  receiptPath,
} from '@stagedoor/contract/addresses.ts';
import { findAnyPost } from '../../posts/index.ts';
import * as events from '../hearing.ts';
import { debtWords } from '../words.ts';
import { isNewSale, type Kind, nameOf, pageOf, quoted } from './kind.ts';

const bought = (kind: string) =>
  events.on(
    'sale.made',
    ({ fanId, creatorId, subjectId, grossCents, ...sale }) =>
      sale.kind === kind ? [{ userId: fanId, byId: creatorId, subjectId, cents: grossCents, isOwn: true }] : [],
    isNewSale,
  );

export const FOR_FANS: Readonly<Record<string, Kind>> = {
  newPost: {
    hears: events.toFollowers(
      'post.published',
      ({ creatorId, postId }) => ({ creatorId, subjectId: postId }),
      (_ctx, { createdAt }, eventId) => events.isNews(eventId, createdAt),
      async (ctx, { postId }) => (await findAnyPost(ctx.db, postId))?.removed_at === null,
    ),
    icon: 'chat',
    isGathered: true,
    isNamed: true,
    words: (facts) => {
      const { count, byCount, title, subjectId } = facts;
      if (count === 1 && subjectId)
        return { text: `published ${quoted(title, 'a new post')}`, href: postPath(subjectId) };
      if (byCount === 1) return { text: `published ${count} posts`, href: pageOf(facts, PATHS.fanDashboard) };
      return { text: 'published', detail: `${count} new posts`, href: PATHS.fanDashboard };
    },
  },
  creatorOnline: {
    hears: events.toFollowers(
      'creator.online',
      ({ creatorId }) => ({ creatorId, subjectId: null }),
      events.isOnlineDue,
    ),
    icon: 'phone',
    isGathered: true,
    isNamed: true,
    words: (facts) => ({ text: 'came online', href: pageOf(facts, `${PATHS.home}?sort=online`) }),
  },
  chatApprove: {
    hears: events.on('chat.approved', ({ fanId, creatorId }) => [{ userId: fanId, byId: creatorId }]),
    icon: 'chat',
    isNamed: true,
    words: ({ by }) => ({
      text: 'accepted your message request',
      detail: 'You can message each other now.',
      href: by ? chatWithPath(by.id) : PATHS.fanChat,
    }),
  },
  callBack: {
    hears: events.on('call.backAsked', ({ fanId, creatorId }) => [{ userId: fanId, byId: creatorId }]),
    icon: 'phone',
    isNamed: true,
    words: (facts) => ({ text: 'would like you to call back', href: pageOf(facts, PATHS.fanChat) }),
  },
  boughtPost: {
    hears: bought('post'),
    icon: 'lock',
    isPaid: true,
    words: (facts) => ({
      text: `${quoted(facts.title, 'Post')} unlocked`,
      detail: `Post by ${nameOf(facts)}, ${facts.sum} paid`,
      href: facts.subjectId ? postPath(facts.subjectId) : PATHS.fanMedia,
    }),
  },
  boughtChat: {
    hears: bought('chat'),
    icon: 'lock',
    isPaid: true,
    words: (facts) => ({
      text: `You unlocked media from ${nameOf(facts)}`,
      detail: `${facts.sum} paid`,
      href: facts.by ? chatWithPath(facts.by.id) : PATHS.fanChat,
    }),
  },
  boughtCall: {
    hears: bought('call'),
    icon: 'phone',
    isPaid: true,
    words: (facts) => ({
      text: `Call with ${nameOf(facts)}`,
      detail: `${facts.sum} paid. View receipt`,
      href: facts.subjectId ? callReceiptPath('fan', facts.subjectId) : PATHS.fanWallet,
    }),
  },
  tipped: {
    hears: bought('tip'),
    icon: 'tip',
    isPaid: true,
    words: (facts) => ({ text: `You tipped ${nameOf(facts)} ${facts.sum}`, href: PATHS.fanWallet }),
  },
  depositArrived: {
    hears: events.on('deposit.changed', ({ change, fanId, depositId, balanceCents }) =>
      change === 'paid' ? [{ userId: fanId, subjectId: depositId, cents: balanceCents }] : [],
    ),
    icon: 'download',
    words: ({ subjectId, sum }) => ({
      text: 'Funds added',
      detail: `${sum} added to your balance`,
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  depositFailed: {
    hears: events.on('deposit.changed', ({ change, fanId, depositId }) =>
      change === 'failed' || change === 'reversed'
        ? [{ userId: fanId, subjectId: depositId, note: change === 'reversed' ? 'back' : '' }]
        : [],
    ),
    icon: 'card',
    words: ({ subjectId, note }) => ({
      text: note === 'back' ? 'Your deposit was reversed' : 'Deposit failed',
      detail: note === 'back' ? 'See your wallet for details.' : 'Nothing was added to your balance.',
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  paymentReturned: {
    hears: events.on('payment.returned', ({ fanId, eventId, cents }) => [{ userId: fanId, subjectId: eventId, cents }]),
    icon: 'undo',
    words: ({ sum }) => ({
      text: `${sum} refunded to your card`,
      detail: 'We couldn’t add it to your balance. The refund can take a few days.',
      href: PATHS.fanWallet,
    }),
  },
  refund: {
    hears: events.on('sale.refunded', ({ fanId, creatorId, refundId, refundedCents }) => [
      { userId: fanId, byId: creatorId, subjectId: refundId, cents: refundedCents },
    ]),
    icon: 'undo',
    isPaid: true,
    words: (facts) => ({
      text: `${facts.sum} refunded to your balance`,
      detail: `Refund from ${nameOf(facts)}`,
      href: facts.subjectId ? receiptPath(facts.subjectId) : PATHS.fanWallet,
    }),
  },
  holdExpired: {
    hears: events.on('hold.expired', ({ fanId, transactionId, amountCents }) => [
      { userId: fanId, subjectId: transactionId, cents: amountCents },
    ]),
    icon: 'undo',
    words: ({ sum }) => ({
      text: `${sum} hold released to your balance`,
      detail: 'The hold expired.',
      href: PATHS.fanWallet,
    }),
  },
  debt: {
    hears: events.on('debt.changed', ({ fanId, change, cents }) => [{ userId: fanId, cents, note: change }]),
    icon: 'wallet',
    words: ({ note, sum }) => ({ ...debtWords(note, sum), href: PATHS.fanWallet }),
  },
};
