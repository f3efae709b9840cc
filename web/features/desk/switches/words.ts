import { MAINTENANCE_WORDS, STOPPED_WORDS } from '@stagedoor/contract/atoms/switches.ts';
import { listAudit } from '@stagedoor/contract/audit.ts';
import { listSwitches, type Setting } from '@stagedoor/contract/switches-desk.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiInfiniteQuery, apiQuery } from '../../../kernel/query.ts';
import type { IconName } from '../../../ui/icon.tsx';

const EVERY_MS = 30_000;
export const switchesQuery = () => ({ ...apiQuery(listSwitches, {}), refetchInterval: whileAttended(EVERY_MS) });
export const turnsQuery = () => apiInfiniteQuery(listAudit, { query: { act: 'switch', limit: 10 } });

type Words = {
  title: string;
  icon: IconName;
  what: string;
  stop: string;
  goOn: string;
  /** The message to users when the operator enters none. */
  usual: string;
};

export const SWITCH_WORDS: Readonly<Record<Setting, Words>> = {
  maintenance: {
    title: 'Maintenance',
    icon: 'settings',
    what: 'The site is read-only except for staff. Login, payments in progress, background jobs and ending calls continue. A banner appears on every page.',
    stop: 'Start maintenance',
    goOn: 'End maintenance',
    usual: MAINTENANCE_WORDS,
  },
  signUp: {
    title: 'Sign-up',
    icon: 'person',
    what: 'New sign-ups are off. Existing users can log in.',
    stop: 'Stop sign-up',
    goOn: 'Resume sign-up',
    usual: STOPPED_WORDS.signUp,
  },
  newCreators: {
    title: 'New creators',
    icon: 'people',
    what: 'Creator sign-up is off. Fans can sign up.',
    stop: 'Stop creator sign-up',
    goOn: 'Resume creator sign-up',
    usual: STOPPED_WORDS.newCreators,
  },
  deposits: {
    title: 'Deposits',
    icon: 'card',
    what: 'New deposits are off. Payments in progress are still credited.',
    stop: 'Stop deposits',
    goOn: 'Resume deposits',
    usual: STOPPED_WORDS.deposits,
  },
  tips: {
    title: 'Tips and chat unlocks',
    icon: 'tip',
    what: 'Tips and chat unlocks are off. Purchases stay accessible.',
    stop: 'Stop tips and chat unlocks',
    goOn: 'Resume tips and chat unlocks',
    usual: STOPPED_WORDS.tips,
  },
  calls: {
    title: 'Calls',
    icon: 'phone',
    what: 'New calls are off. Ongoing calls continue.',
    stop: 'Stop new calls',
    goOn: 'Resume calls',
    usual: STOPPED_WORDS.calls,
  },
  uploads: {
    title: 'Uploads',
    icon: 'upload',
    what: 'New uploads are off. Uploads in progress finish.',
    stop: 'Stop uploads',
    goOn: 'Resume uploads',
    usual: STOPPED_WORDS.uploads,
  },
  payouts: {
    title: 'Payouts',
    icon: 'send',
    what: 'No payout batches are sent. Requests and approvals continue.',
    stop: 'Stop payouts',
    goOn: 'Resume payouts',
    usual: STOPPED_WORDS.payouts,
  },
};
