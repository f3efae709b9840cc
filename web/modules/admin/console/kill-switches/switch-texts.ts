import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { listKillSwitches, type SiteSwitch } from '@stagedoor/contract/admin/kill-switches.ts';
import { KILL_SWITCH_MESSAGES, MAINTENANCE_MESSAGE } from '@stagedoor/contract/shared/kill-switches.ts';
import { pollWhileActive } from '../../../../platform/operator.ts';
import { apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';
import type { IconName } from '../../../../ui/icon.tsx';

const REFETCH_MS = 30_000;
export const killSwitchesQuery = () => ({
  ...apiQuery(listKillSwitches, {}),
  refetchInterval: pollWhileActive(REFETCH_MS),
});
export const switchHistoryQuery = () => apiInfiniteQuery(listAuditEntries, { query: { action: 'switch', limit: 10 } });

type SwitchTexts = {
  title: string;
  icon: IconName;
  description: string;
  disableLabel: string;
  enableLabel: string;
  /** The message to users when the operator enters none. */
  defaultMessage: string;
};

export const SWITCH_TEXTS: Readonly<Record<SiteSwitch, SwitchTexts>> = {
  maintenance: {
    title: 'Maintenance',
    icon: 'settings',
    description:
      'The site is read-only except for staff. Login, payments in progress, background jobs and ending calls continue. A banner appears on every page.',
    disableLabel: 'Start maintenance',
    enableLabel: 'End maintenance',
    defaultMessage: MAINTENANCE_MESSAGE,
  },
  signUp: {
    title: 'Sign-up',
    icon: 'person',
    description: 'New sign-ups are off. Existing users can log in.',
    disableLabel: 'Stop sign-up',
    enableLabel: 'Resume sign-up',
    defaultMessage: KILL_SWITCH_MESSAGES.signUp,
  },
  newCreators: {
    title: 'New creators',
    icon: 'people',
    description: 'Creator sign-up is off. Fans can sign up.',
    disableLabel: 'Stop creator sign-up',
    enableLabel: 'Resume creator sign-up',
    defaultMessage: KILL_SWITCH_MESSAGES.newCreators,
  },
  deposits: {
    title: 'Deposits',
    icon: 'card',
    description: 'New deposits are off. Payments in progress are still credited.',
    disableLabel: 'Stop deposits',
    enableLabel: 'Resume deposits',
    defaultMessage: KILL_SWITCH_MESSAGES.deposits,
  },
  tips: {
    title: 'Tips and chat unlocks',
    icon: 'tip',
    description: 'Tips and chat unlocks are off. Purchases stay accessible.',
    disableLabel: 'Stop tips and chat unlocks',
    enableLabel: 'Resume tips and chat unlocks',
    defaultMessage: KILL_SWITCH_MESSAGES.tips,
  },
  subscriptions: {
    title: 'Subscriptions',
    icon: 'refresh',
    description:
      'New subscriptions and renewals are off. When you resume, you choose whether missed renewals are charged once or waived.',
    disableLabel: 'Stop subscriptions',
    enableLabel: 'Resume subscriptions',
    defaultMessage: KILL_SWITCH_MESSAGES.subscriptions,
  },
  cardSubscriptions: {
    title: 'Subscriptions by card',
    icon: 'card',
    description: 'Fans can only subscribe from their balance. Cards that pay a subscription are still charged.',
    disableLabel: 'Stop subscriptions by card',
    enableLabel: 'Resume subscriptions by card',
    defaultMessage: KILL_SWITCH_MESSAGES.cardSubscriptions,
  },
  calls: {
    title: 'Calls',
    icon: 'phone',
    description: 'New calls are off. Ongoing calls continue.',
    disableLabel: 'Stop new calls',
    enableLabel: 'Resume calls',
    defaultMessage: KILL_SWITCH_MESSAGES.calls,
  },
  uploads: {
    title: 'Uploads',
    icon: 'upload',
    description: 'New uploads are off. Uploads in progress finish.',
    disableLabel: 'Stop uploads',
    enableLabel: 'Resume uploads',
    defaultMessage: KILL_SWITCH_MESSAGES.uploads,
  },
  payouts: {
    title: 'Payouts',
    icon: 'send',
    description: 'No payout batches are sent. Requests and approvals continue.',
    disableLabel: 'Stop payouts',
    enableLabel: 'Resume payouts',
    defaultMessage: KILL_SWITCH_MESSAGES.payouts,
  },
};
