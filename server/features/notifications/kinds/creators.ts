import { callReceiptPath, draftPath, PATHS, postPath } from '@stagedoor/contract/addresses.ts';
import { TEAM_PATH } from '@stagedoor/contract/team-addresses.ts';
import { findCall } from '../../calls/index.ts';
import * as events from '../hearing.ts';
import { VERIFICATION_WORDS } from '../words.ts';
import { isNewSale, type Kind, quoted } from './kind.ts';

const sold = (kind: string) =>
  events.on(
    'sale.made',
    (sale) =>
      sale.kind === kind
        ? [{ userId: sale.creatorId, byId: sale.fanId, subjectId: sale.subjectId, cents: sale.netCents }]
        : [],
    isNewSale,
  );
const MISSED: readonly (string | null)[] = ['noAnswer', 'cancelled', 'busy', 'offline'];

export const FOR_CREATORS: Readonly<Record<string, Kind>> = {
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
      text: 'unlocked your media',
      detail: count === 1 ? `${sum} earned` : `${count} sales, ${sum} earned`,
      href: PATHS.creatorChat,
    }),
  },
  callEarned: {
    hears: sold('call'),
    icon: 'phone',
    isNamed: true,
    words: ({ subjectId, sum }) => ({
      text: 'had a call with you',
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
      // For a creator who blocked the fan, the call does not exist.
      async (ctx, { callLogId }) => (await findCall(ctx.db, callLogId))?.isScreened === false,
    ),
    icon: 'phone',
    isGathered: true,
    isNamed: true,
    words: ({ count }) => ({
      text: count === 1 ? 'called you' : `called you, ${count} calls`,
      detail: count === 1 ? 'Missed call. You can request a callback.' : 'Missed calls',
      href: `${PATHS.creatorChat}?tab=callHistoryList`,
    }),
  },
  chatRequest: {
    hears: events.on('chat.requested', ({ creatorId, fanId }) => [{ userId: creatorId, byId: fanId }]),
    icon: 'chat',
    isGathered: true,
    isNamed: true,
    words: () => ({ text: 'sent you a message request', href: `${PATHS.creatorChat}?tab=requests` }),
  },
  givenBack: {
    hears: events.on('sale.refunded', ({ creatorId, fanId, refundedCents: cents }) => [
      { userId: creatorId, byId: fanId, cents },
    ]),
    icon: 'undo',
    isPaid: true,
    words: ({ sum, by }) => ({
      text: `A ${sum} sale was refunded`,
      detail: by ? `To ${by.name}` : '',
      href: PATHS.creatorEarning,
    }),
  },
  scheduledFailed: {
    hears: events.on('draft.failed', ({ creatorId, draftId, words }) => [
      { userId: creatorId, subjectId: draftId, note: words },
    ]),
    icon: 'undo',
    words: ({ subjectId, note }) => ({
      text: 'Scheduled post failed',
      detail: note,
      href: subjectId ? draftPath(subjectId) : PATHS.creatorNewPost,
    }),
  },
  teamJoined: {
    hears: events.on('team.joined', ({ creatorId, memberId }) => [{ userId: creatorId, byId: memberId }]),
    icon: 'key',
    isNamed: true,
    words: () => ({ text: 'joined your team', detail: 'They can now act for you.', href: TEAM_PATH }),
  },
  verification: {
    hears: events.on('verification.changed', ({ creatorId, status }) =>
      status in VERIFICATION_WORDS ? [{ userId: creatorId, note: status }] : [],
    ),
    icon: 'card',
    words: ({ note }) => ({
      text: VERIFICATION_WORDS[note] ?? 'Verification update',
      href: PATHS.creatorVerification,
    }),
  },
};
