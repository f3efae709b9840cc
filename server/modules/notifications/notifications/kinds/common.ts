import { PATHS, passwordPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import {
  CASE_NOTIFICATIONS,
  formatMethodChange,
  formatPolicyChange,
  formatSecurityChange,
  PAYOUT_MESSAGES,
} from '../copy.ts';
import * as events from '../subscribe.ts';
import * as texts from '../texts.ts';
import { getHelpdeskPath, getPayoutsPath, getSettingsPath, type NotificationKind } from './kind.ts';

export const COMMON_KINDS: Readonly<Record<string, NotificationKind>> = {
  payout: {
    subscribe: events.onDomainEvent('payout.changed', ({ userId, payoutId, amountCents, event }) =>
      event in PAYOUT_MESSAGES ? [{ userId, subjectId: payoutId, cents: amountCents, note: event }] : [],
    ),
    icon: 'wallet',
    format: (details) => ({
      text: PAYOUT_MESSAGES[details.note] ?? texts.payoutUpdate,
      detail: details.sum,
      href: getPayoutsPath(details),
    }),
  },
  dataExport: {
    subscribe: events.onDomainEvent('dataExport.ready', ({ userId, exportId }) => [{ userId, subjectId: exportId }]),
    icon: 'download',
    format: (details) => ({
      text: texts.dataExportReady,
      detail: texts.dataExportDeadline,
      href: `${getSettingsPath(details)}#yours`,
    }),
  },
  decision: {
    subscribe: events.onDomainEvent('case.decided', ({ userId, decisionId, isUndone, description: message }) => [
      { userId, subjectId: decisionId, note: isUndone ? `undone ${message}` : message },
    ]),
    icon: 'key',
    format: (details) => {
      const isUndone = details.note.startsWith('undone ');
      return {
        text: isUndone ? texts.decisionReversed : details.note,
        detail: isUndone ? details.note.slice('undone '.length) : texts.decisionAppealHint,
        href: `${getHelpdeskPath(details)}#decisions`,
      };
    },
  },
  answered: {
    subscribe: events.onDomainEvent('case.answered', ({ userIds, caseId, note }) =>
      userIds.map((userId) => ({ userId, subjectId: caseId, note })),
    ),
    icon: 'chat',
    format: (details) => ({
      ...(CASE_NOTIFICATIONS[details.note] ?? { text: texts.supportReplied }),
      href:
        details.note === 'answered' && details.subjectId
          ? `${getHelpdeskPath(details)}?ticket=${details.subjectId}`
          : getHelpdeskPath(details),
    }),
  },
  duplicateTakedown: {
    subscribe: events.onDomainEvent('case.copied', ({ userIds, isRestored }) =>
      userIds.map((userId) => ({ userId, note: isRestored ? 'back' : '' })),
    ),
    icon: 'lock',
    format: (details) => ({
      text: details.note === 'back' ? texts.yourFileWasRestored : texts.yourFileWasRemoved,
      detail: texts.checkYourEmailForDetails,
      href: getHelpdeskPath(details),
    }),
  },
  policy: {
    subscribe: events.onDomainEvent('policy.changed', ({ userIds, policy, version, title, changes }) =>
      userIds.map((userId) => ({ userId, note: JSON.stringify({ policy, version, title, changes }) })),
    ),
    icon: 'lock',
    format: (details) => formatPolicyChange(details.note),
  },
  commissionEarned: {
    subscribe: events.onDomainEvent(
      'commission.earned',
      ({ affiliateId, transactionId, cents }) => [{ userId: affiliateId, subjectId: transactionId, cents }],
      (_ctx, { at }, eventId) => events.isRecent(eventId, at),
    ),
    icon: 'wallet',
    isGrouped: true,
    format: ({ sum, count, side }) => ({
      text: formatText(texts.commissionEarned, { sum }),
      detail: count === 1 ? texts.fromASale : formatText(texts.fromSales, { count }),
      href: side === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral,
    }),
  },
  commissionMoved: {
    subscribe: events.onDomainEvent('commission.moved', ({ fanId, transactionId, netCents }) => [
      { userId: fanId, subjectId: transactionId, cents: netCents, isOwn: true },
    ]),
    icon: 'wallet',
    format: ({ sum, side }) => ({
      text: formatText(texts.commissionMoved, { sum }),
      href: side === 'creator' ? PATHS.creatorReferral : PATHS.fanWallet,
    }),
  },
  payoutMethod: {
    subscribe: events.onDomainEvent('payout.methodChanged', ({ userId, change, label }) => [
      { userId, note: `${change} ${label}` },
    ]),
    icon: 'card',
    format: (details) => ({ ...formatMethodChange(details.note), href: getPayoutsPath(details) }),
  },
  security: {
    subscribe: events.onDomainEvent('account.secured', ({ userId, change, device }) => [
      { userId, note: `${change} ${device}`.trim() },
    ]),
    icon: 'key',
    format: (details) => ({ ...formatSecurityChange(details.note), href: passwordPath(getSettingsPath(details)) }),
  },
};
