/** Every kind of thing that people are told: which event tells it to whom, whether a day's are one line, its words, its place. A new one is an entry here. */
import {
  callReceiptPath,
  chatWithPath,
  depositReturnPath,
  PATHS,
  postPath,
  profilePath,
  receiptPath,
} from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import type { EventPayload } from '../../kernel/events.ts';
import type { Person } from '../accounts/index.ts';
import { findCall } from '../calls/index.ts';
import { findAnyPost } from '../posts/index.ts';
import * as events from './hearing.ts';
import {
  CASE_WORDS,
  debtWords,
  methodWords,
  PAYOUT_WORDS,
  policyWords,
  securityWords,
  VERIFICATION_WORDS,
} from './words.ts';

/** What a line's words are made of. */
export type Facts = {
  /** Things in the line, and different people. */
  count: number;
  byCount: number;
  /** The latest who did it, where somebody did. */
  by: Person | undefined;
  /** Of the newest: its subject, the name of the post that it is, the word kept with it. */
  subjectId: string | null;
  title: string | undefined;
  note: string;
  /** Of all together. */
  sum: string;
  /** Whose list it is. */
  side: 'fan' | 'creator';
};

export type Kind = {
  readonly hears: events.Hearing;
  readonly icon: NotificationLine['icon'];
  /** Those of a day are one line. */
  readonly isGathered?: boolean;
  /** Whoever did it begins the line. */
  readonly isNamed?: boolean;
  /** Of what was paid for: its line stands wherever whoever it was paid to is hidden, too. */
  readonly isPaid?: boolean;
  readonly words: (facts: Facts) => { text: string; detail?: string; href: string };
};

const nameOf = ({ by }: Facts) => by?.name ?? 'a creator';
/** “Moon jar”, or what stands for it. */
const quoted = (title: string | undefined, otherwise: string) => (title ? `“${title}”` : otherwise);
const pageOf = ({ by, byCount }: Facts, otherwise: string) =>
  by && byCount === 1 ? profilePath(by.username) : otherwise;
const settingsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile);
const helpOf = ({ side }: Facts) => (side === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk);
const payoutsOf = ({ side }: Facts) => (side === 'creator' ? PATHS.creatorEarning : PATHS.fanReferral);

const isNewSale = (_ctx: unknown, { at }: EventPayload<'sale.made'>, eventId: string) => events.isNews(eventId, at);
/** A sale as its creator hears of it. */
const sold = (kind: string) =>
  events.on(
    'sale.made',
    (sale) =>
      sale.kind === kind
        ? [{ userId: sale.creatorId, byId: sale.fanId, subjectId: sale.subjectId, cents: sale.netCents }]
        : [],
    isNewSale,
  );
/** A sale as its fan finds it again: it is no news to them. */
const bought = (kind: string) =>
  events.on(
    'sale.made',
    ({ fanId, creatorId, subjectId, grossCents, ...sale }) =>
      sale.kind === kind ? [{ userId: fanId, byId: creatorId, subjectId, cents: grossCents, isOwn: true }] : [],
    isNewSale,
  );

const MISSED: readonly (string | null)[] = ['noAnswer', 'cancelled', 'busy', 'offline'];

const FOR_FANS: Readonly<Record<string, Kind>> = {
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
      text: 'accepted your chat request',
      detail: 'You can write to each other now.',
      href: by ? chatWithPath(by.id) : PATHS.fanChat,
    }),
  },
  callBack: {
    hears: events.on('call.backAsked', ({ fanId, creatorId }) => [{ userId: fanId, byId: creatorId }]),
    icon: 'phone',
    isNamed: true,
    words: (facts) => ({ text: 'asks you to call again', href: pageOf(facts, PATHS.fanChat) }),
  },
  boughtPost: {
    hears: bought('post'),
    icon: 'lock',
    isPaid: true,
    words: (facts) => ({
      text: `${quoted(facts.title, 'A post')} is yours`,
      detail: `Post by ${nameOf(facts)}, ${facts.sum} paid`,
      href: facts.subjectId ? postPath(facts.subjectId) : PATHS.fanMedia,
    }),
  },
  boughtChat: {
    hears: bought('chat'),
    icon: 'lock',
    isPaid: true,
    words: (facts) => ({
      text: `You unlocked what ${nameOf(facts)} sent`,
      detail: `${facts.sum} paid`,
      href: facts.by ? chatWithPath(facts.by.id) : PATHS.fanChat,
    }),
  },
  boughtCall: {
    hears: bought('call'),
    icon: 'phone',
    isPaid: true,
    words: (facts) => ({
      text: `You talked to ${nameOf(facts)}`,
      detail: `${facts.sum} paid. The receipt says it from second to second.`,
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
      text: 'Your deposit arrived',
      detail: `${sum} in your wallet`,
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
      text: note === 'back' ? 'A deposit of yours was taken back' : 'Your deposit failed',
      detail: note === 'back' ? 'Your wallet shows what that changed.' : 'Nothing was added to your wallet.',
      href: subjectId ? depositReturnPath(subjectId) : PATHS.fanWallet,
    }),
  },
  refund: {
    hears: events.on('sale.refunded', ({ fanId, creatorId, refundId, refundedCents }) => [
      { userId: fanId, byId: creatorId, subjectId: refundId, cents: refundedCents },
    ]),
    icon: 'undo',
    isPaid: true,
    words: (facts) => ({
      text: `${facts.sum} came back to your balance`,
      detail: `Paid to ${nameOf(facts)} before`,
      href: facts.subjectId ? receiptPath(facts.subjectId) : PATHS.fanWallet,
    }),
  },
  holdExpired: {
    hears: events.on('hold.expired', ({ fanId, transactionId, amountCents }) => [
      { userId: fanId, subjectId: transactionId, cents: amountCents },
    ]),
    icon: 'undo',
    words: ({ sum }) => ({
      text: `${sum} that were set aside came back to your balance`,
      detail: 'Nobody came for them.',
      href: PATHS.fanWallet,
    }),
  },
  debt: {
    hears: events.on('debt.changed', ({ fanId, change, cents }) => [{ userId: fanId, cents, note: change }]),
    icon: 'wallet',
    words: ({ note, sum }) => ({ ...debtWords(note, sum), href: PATHS.fanWallet }),
  },
};

const FOR_CREATORS: Readonly<Record<string, Kind>> = {
  tip: {
    hears: sold('tip'),
    icon: 'tip',
    isGathered: true,
    isNamed: true,
    words: ({ sum, count }) => ({
      text: count === 1 ? 'tipped you' : `tipped you ${count} times`,
      detail: `${sum} earned`,
      href: PATHS.creatorEarning,
    }),
  },
  unlockPost: {
    hears: sold('post'),
    icon: 'lock',
    isGathered: true,
    isNamed: true,
    words: ({ count, title, subjectId, sum }) => ({
      text: `unlocked ${count === 1 ? quoted(title, 'a post') : 'your posts'}`,
      detail: count === 1 ? `${sum} earned` : `${count} sales, ${sum} earned`,
      href: count === 1 && subjectId ? postPath(subjectId) : PATHS.creatorEarning,
    }),
  },
  unlockChatMedia: {
    hears: sold('chat'),
    icon: 'lock',
    isGathered: true,
    isNamed: true,
    words: ({ count, sum }) => ({
      text: 'unlocked what you sent',
      detail: count === 1 ? `${sum} earned` : `${count} sales, ${sum} earned`,
      href: PATHS.creatorChat,
    }),
  },
  callEarned: {
    hears: sold('call'),
    icon: 'phone',
    isNamed: true,
    words: ({ subjectId, sum }) => ({
      text: 'talked to you',
      detail: `${sum} earned`,
      href: subjectId ? callReceiptPath('creator', subjectId) : PATHS.creatorEarning,
    }),
  },
  incomingVideoCall: {
    hears: events.on(
      'call.changed',
      ({ isOpen, wasOffered, status, reason, fanId, creatorId, callLogId }) =>
        !isOpen && wasOffered && status === 'cancel' && MISSED.includes(reason)
          ? [{ userId: creatorId, byId: fanId, subjectId: callLogId }]
          : [],
      // To a creator who blocked the fan there was no call.
      async (ctx, { callLogId }) => (await findCall(ctx.db, callLogId))?.isScreened === false,
    ),
    icon: 'phone',
    isGathered: true,
    isNamed: true,
    words: ({ count }) => ({
      text: count === 1 ? 'called you' : `called you, ${count} calls`,
      detail: count === 1 ? 'You missed it. Ask for it again from your calls.' : 'You missed them.',
      href: `${PATHS.creatorChat}?tab=callHistoryList`,
    }),
  },
  chatRequest: {
    hears: events.on('chat.requested', ({ creatorId, fanId }) => [{ userId: creatorId, byId: fanId }]),
    icon: 'chat',
    isGathered: true,
    isNamed: true,
    words: () => ({ text: 'asked to chat with you', href: `${PATHS.creatorChat}?tab=requests` }),
  },
  givenBack: {
    hears: events.on('sale.refunded', ({ creatorId, fanId, refundedCents: cents }) => [
      { userId: creatorId, byId: fanId, cents },
    ]),
    icon: 'undo',
    isPaid: true,
    words: ({ sum, by }) => ({
      text: `A sale of ${sum} was given back`,
      detail: by ? `To ${by.name}` : '',
      href: PATHS.creatorEarning,
    }),
  },
  verification: {
    hears: events.on('verification.changed', ({ creatorId, status }) =>
      status in VERIFICATION_WORDS ? [{ userId: creatorId, note: status }] : [],
    ),
    icon: 'card',
    words: ({ note }) => ({
      text: VERIFICATION_WORDS[note] ?? 'Your verification changed',
      href: PATHS.creatorVerification,
    }),
  },
};

const FOR_BOTH: Readonly<Record<string, Kind>> = {
  payout: {
    hears: events.on('payout.changed', ({ userId, payoutId, amountCents, moment }) =>
      moment in PAYOUT_WORDS ? [{ userId, subjectId: payoutId, cents: amountCents, note: moment }] : [],
    ),
    icon: 'wallet',
    words: (facts) => ({
      text: PAYOUT_WORDS[facts.note] ?? 'Your payout changed',
      detail: facts.sum,
      href: payoutsOf(facts),
    }),
  },
  archive: {
    hears: events.on('archive.ready', ({ userId, archiveId }) => [{ userId, subjectId: archiveId }]),
    icon: 'download',
    words: (facts) => ({
      text: 'Your archive is ready',
      detail: 'Download it within seven days.',
      href: `${settingsOf(facts)}#yours`,
    }),
  },
  decision: {
    hears: events.on('case.decided', ({ userId, decisionId, isUndone, words }) => [
      { userId, subjectId: decisionId, note: isUndone ? `undone ${words}` : words },
    ]),
    icon: 'key',
    words: (facts) => {
      const isUndone = facts.note.startsWith('undone ');
      return {
        text: isUndone ? 'A decision about you was taken back' : facts.note,
        detail: isUndone ? facts.note.slice('undone '.length) : 'Read why, and how to appeal.',
        href: `${helpOf(facts)}#decisions`,
      };
    },
  },
  answered: {
    hears: events.on('case.answered', ({ userIds, caseId, note }) =>
      userIds.map((userId) => ({ userId, subjectId: caseId, note })),
    ),
    icon: 'chat',
    words: (facts) => ({
      ...(CASE_WORDS[facts.note] ?? { text: 'We answered you' }),
      href: facts.note === 'answered' && facts.subjectId ? `${helpOf(facts)}?ticket=${facts.subjectId}` : helpOf(facts),
    }),
  },
  policy: {
    hears: events.on('policy.changed', ({ userIds, policy, version, title, changes }) =>
      userIds.map((userId) => ({ userId, note: JSON.stringify({ policy, version, title, changes }) })),
    ),
    icon: 'lock',
    words: (facts) => policyWords(facts.note),
  },
  commissionMoved: {
    hears: events.on('commission.moved', ({ fanId, transactionId, netCents }) => [
      { userId: fanId, subjectId: transactionId, cents: netCents, isOwn: true },
    ]),
    icon: 'wallet',
    words: ({ sum, side }) => ({
      text: `${sum} of commission moved into your balance`,
      href: side === 'creator' ? PATHS.creatorReferral : PATHS.fanWallet,
    }),
  },
  payoutMethod: {
    hears: events.on('payout.methodChanged', ({ userId, change, words }) => [{ userId, note: `${change} ${words}` }]),
    icon: 'card',
    words: (facts) => ({ ...methodWords(facts.note), href: payoutsOf(facts) }),
  },
  security: {
    hears: events.on('account.secured', ({ userId, change, device }) => [
      { userId, note: `${change} ${device}`.trim() },
    ]),
    icon: 'key',
    words: (facts) => ({ ...securityWords(facts.note), href: settingsOf(facts) }),
  },
};

export const KINDS: Readonly<Record<string, Kind>> = { ...FOR_FANS, ...FOR_CREATORS, ...FOR_BOTH };
/** Those of what was paid for. */
export const PAID = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isPaid);
/** Those of which a day's are one line. */
export const GATHERED = Object.keys(KINDS).filter((kind) => KINDS[kind]?.isGathered);
