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
    what: 'Everybody reads on, and nothing is changed but by operators. Log-in, payments already begun, jobs and the end of calls go on. The words stand atop every page.',
    stop: 'Begin maintenance',
    goOn: 'End maintenance',
    usual: MAINTENANCE_WORDS,
  },
  signUp: {
    title: 'Sign-up',
    icon: 'person',
    what: 'Nobody makes an account. Whoever has one logs in as ever.',
    stop: 'Stop sign-up',
    goOn: 'Open sign-up',
    usual: STOPPED_WORDS.signUp,
  },
  newCreators: {
    title: 'New creators',
    icon: 'people',
    what: 'Nobody signs up as a creator; fans do.',
    stop: 'Stop new creators',
    goOn: 'Let creators sign up',
    usual: STOPPED_WORDS.newCreators,
  },
  deposits: {
    title: 'Deposits',
    icon: 'card',
    what: 'No deposit is begun. What is on the processor’s page already is credited when it is paid.',
    stop: 'Stop deposits',
    goOn: 'Let funds be added',
    usual: STOPPED_WORDS.deposits,
  },
  tips: {
    title: 'Tips and paid messages',
    icon: 'tip',
    what: 'Nobody tips, and no message is bought. What was bought stays open.',
    stop: 'Stop tips and paid messages',
    goOn: 'Let them go on',
    usual: STOPPED_WORDS.tips,
  },
  calls: {
    title: 'Calls',
    icon: 'phone',
    what: 'No call is begun. Those that go on are charged and ended as ever.',
    stop: 'Stop new calls',
    goOn: 'Let calls be made',
    usual: STOPPED_WORDS.calls,
  },
  uploads: {
    title: 'Uploads',
    icon: 'upload',
    what: 'No upload is begun, of any kind. Those under way are finished.',
    stop: 'Stop uploads',
    goOn: 'Let files be uploaded',
    usual: STOPPED_WORDS.uploads,
  },
  payouts: {
    title: 'Sending payouts',
    icon: 'send',
    what: 'No batch is put on its way. Requests come in and are approved; what was sent is followed.',
    stop: 'Stop sending payouts',
    goOn: 'Let payouts be sent',
    usual: STOPPED_WORDS.payouts,
  },
};
