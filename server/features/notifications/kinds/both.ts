import { PATHS, passwordPath } from '@stagedoor/contract/addresses.ts';
import * as events from '../hearing.ts';
import { CASE_WORDS, methodWords, PAYOUT_WORDS, policyWords, securityWords } from '../words.ts';
import { helpOf, type Kind, payoutsOf, settingsOf } from './kind.ts';

export const FOR_BOTH: Readonly<Record<string, Kind>> = {
  payout: {
    hears: events.on('payout.changed', ({ userId, payoutId, amountCents, moment }) =>
      moment in PAYOUT_WORDS ? [{ userId, subjectId: payoutId, cents: amountCents, note: moment }] : [],
    ),
    icon: 'wallet',
    words: (facts) => ({
      text: PAYOUT_WORDS[facts.note] ?? 'Payout update',
      detail: facts.sum,
      href: payoutsOf(facts),
    }),
  },
  archive: {
    hears: events.on('archive.ready', ({ userId, archiveId }) => [{ userId, subjectId: archiveId }]),
    icon: 'download',
    words: (facts) => ({
      text: 'Your data is ready to download',
      detail: 'Download it within 7 days.',
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
        text: isUndone ? 'A decision about your account was reversed' : facts.note,
        detail: isUndone ? facts.note.slice('undone '.length) : 'See why and how to appeal.',
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
      ...(CASE_WORDS[facts.note] ?? { text: 'Support replied' }),
      href: facts.note === 'answered' && facts.subjectId ? `${helpOf(facts)}?ticket=${facts.subjectId}` : helpOf(facts),
    }),
  },
  copies: {
    hears: events.on('case.copied', ({ userIds, isBack }) =>
      userIds.map((userId) => ({ userId, note: isBack ? 'back' : '' })),
    ),
    icon: 'lock',
    words: (facts) => ({
      text: facts.note === 'back' ? 'Your file was restored' : 'Your file was removed',
      detail: 'Check your email for details.',
      href: helpOf(facts),
    }),
  },
  policy: {
    hears: events.on('policy.changed', ({ userIds, policy, version, title, changes }) =>
      userIds.map((userId) => ({ userId, note: JSON.stringify({ policy, version, title, changes }) })),
    ),
    icon: 'lock',
    words: (facts) => policyWords(facts.note),
  },
  commissionEarned: {
    hears: events.on(
      'commission.earned',
      ({ affiliateId, transactionId, cents }) => [{ userId: affiliateId, subjectId: transactionId, cents }],
      (_ctx, { at }, eventId) => events.isNews(eventId, at),
    ),
    icon: 'wallet',
    isGathered: true,
    words: ({ sum, count, side }) => ({
      text: `You earned ${sum} in commission`,
      detail: count === 1 ? 'From a sale' : `From ${count} sales`,
      href: side === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral,
    }),
  },
  commissionMoved: {
    hears: events.on('commission.moved', ({ fanId, transactionId, netCents }) => [
      { userId: fanId, subjectId: transactionId, cents: netCents, isOwn: true },
    ]),
    icon: 'wallet',
    words: ({ sum, side }) => ({
      text: `${sum} in commission moved to your balance`,
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
    words: (facts) => ({ ...securityWords(facts.note), href: passwordPath(settingsOf(facts)) }),
  },
};
