import { TEAM_PATH } from '@stagedoor/contract/identity/team-addresses.ts';
import { callReceiptPath, draftPath, PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { findCall } from '../../../messaging/calls/index.ts';
import { VERIFICATION_NOTIFICATIONS } from '../copy.ts';
import * as events from '../subscribe.ts';
import * as texts from '../texts.ts';
import { isRecentSale, type NotificationKind, quoteTitle } from './kind.ts';

const onSale = (kind: string) =>
  events.onDomainEvent(
    'sale.made',
    (sale) =>
      sale.kind === kind
        ? [{ userId: sale.creatorId, byId: sale.fanId, subjectId: sale.subjectId, cents: sale.netCents }]
        : [],
    isRecentSale,
  );
const MISSED_REASONS: readonly (string | null)[] = ['noAnswer', 'cancelled', 'busy', 'offline'];

export const CREATOR_KINDS: Readonly<Record<string, NotificationKind>> = {
  tip: {
    subscribe: onSale('tip'),
    icon: 'tip',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ sum, count }) => ({
      text: count === 1 ? 'tipped you' : formatText(texts.tippedYouTimes, { count }),
      detail: formatText(texts.earned, { sum }),
      href: PATHS.creatorEarning,
    }),
  },
  unlockPost: {
    subscribe: onSale('post'),
    icon: 'lock',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ count, title, subjectId, sum }) => ({
      text: formatText(texts.unlockedPost, { postTitle: count === 1 ? quoteTitle(title, 'a post') : 'your posts' }),
      detail: count === 1 ? formatText(texts.earned, { sum }) : formatText(texts.salesEarned, { count, sum }),
      href: count === 1 && subjectId ? postPath(subjectId) : PATHS.creatorEarning,
    }),
  },
  unlockChatMedia: {
    subscribe: onSale('chat'),
    icon: 'lock',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ count, sum }) => ({
      text: 'unlocked your media',
      detail: count === 1 ? formatText(texts.earned, { sum }) : formatText(texts.salesEarned, { count, sum }),
      href: PATHS.creatorChat,
    }),
  },
  callEarned: {
    subscribe: onSale('call'),
    icon: 'phone',
    hasUserPrefix: true,
    format: ({ subjectId, sum }) => ({
      text: 'had a call with you',
      detail: formatText(texts.earned, { sum }),
      href: subjectId ? callReceiptPath('creator', subjectId) : PATHS.creatorEarning,
    }),
  },
  incomingVideoCall: {
    subscribe: events.onDomainEvent(
      'call.changed',
      ({ isOpen, wasOffered, status, reason, fanId, creatorId, callLogId }) =>
        !isOpen && wasOffered && status === 'cancel' && MISSED_REASONS.includes(reason)
          ? [{ userId: creatorId, byId: fanId, subjectId: callLogId }]
          : [],
      // For a creator who blocked the fan, the call does not exist.
      async (ctx, { callLogId }) => (await findCall(ctx.db, callLogId))?.isScreened === false,
    ),
    icon: 'phone',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ count }) => ({
      text: count === 1 ? 'called you' : formatText(texts.calledYouTimes, { count }),
      detail: count === 1 ? texts.missedCallHint : texts.missedCalls,
      href: `${PATHS.creatorChat}?tab=callHistoryList`,
    }),
  },
  chatRequest: {
    subscribe: events.onDomainEvent('chat.requested', ({ creatorId, fanId }) => [{ userId: creatorId, byId: fanId }]),
    icon: 'chat',
    isGrouped: true,
    hasUserPrefix: true,
    format: () => ({ text: 'sent you a message request', href: `${PATHS.creatorChat}?tab=requests` }),
  },
  saleRefunded: {
    subscribe: events.onDomainEvent('sale.refunded', ({ creatorId, fanId, refundedCents: cents }) => [
      { userId: creatorId, byId: fanId, cents },
    ]),
    icon: 'undo',
    isPaid: true,
    format: ({ sum, actor }) => ({
      text: formatText(texts.saleRefunded, { sum }),
      detail: actor ? formatText(texts.refundedTo, { name: actor.name }) : '',
      href: PATHS.creatorEarning,
    }),
  },
  scheduledFailed: {
    subscribe: events.onDomainEvent('draft.failed', ({ creatorId, draftId, message }) => [
      { userId: creatorId, subjectId: draftId, note: message },
    ]),
    icon: 'undo',
    format: ({ subjectId, note }) => ({
      text: texts.scheduledPostFailed,
      detail: note,
      href: subjectId ? draftPath(subjectId) : PATHS.creatorNewPost,
    }),
  },
  teamJoined: {
    subscribe: events.onDomainEvent('team.joined', ({ creatorId, memberId }) => [
      { userId: creatorId, byId: memberId },
    ]),
    icon: 'key',
    hasUserPrefix: true,
    format: () => ({ text: 'joined your team', detail: texts.teamMemberAcceptedHint, href: TEAM_PATH }),
  },
  verification: {
    subscribe: events.onDomainEvent('verification.changed', ({ creatorId, status }) =>
      status in VERIFICATION_NOTIFICATIONS ? [{ userId: creatorId, note: status }] : [],
    ),
    icon: 'card',
    format: ({ note }) => ({
      text: VERIFICATION_NOTIFICATIONS[note] ?? texts.verificationUpdate,
      href: PATHS.creatorVerification,
    }),
  },
};
