/** A module with waiting work exports a count and is listed in {@link COUNTS}. */
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { listDeskCalls } from '@stagedoor/contract/calls-desk.ts';
import { listCases } from '@stagedoor/contract/cases-desk.ts';
import { listDebtors } from '@stagedoor/contract/debts.ts';
import { operatorDesk, WAITING_KINDS, type WaitingKind } from '@stagedoor/contract/desk.ts';
import { listDifferences } from '@stagedoor/contract/differences.ts';
import { listAlarms } from '@stagedoor/contract/ledger-desk.ts';
import { listMoneyActs } from '@stagedoor/contract/money-acts.ts';
import {
  type OperatorRole,
  operatorMay,
  operatorMayDecide,
  operatorReadsQueue,
} from '@stagedoor/contract/operator-rights.ts';
import { listTeam } from '@stagedoor/contract/operators.ts';
import { listDeskPayouts, listPayoutBatches, listPayoutNotices } from '@stagedoor/contract/payout-desk.ts';
import { setOperatorFacts } from '@stagedoor/contract/policies.ts';
import { listProcessorEvents } from '@stagedoor/contract/processor-desk.ts';
import { listPushFaults } from '@stagedoor/contract/push-desk.ts';
import { listVerifications } from '@stagedoor/contract/verification.ts';
import { listWantedSettings } from '@stagedoor/contract/wanted-settings.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { countOpenCalls } from '../calls/index.ts';
import { countCopyright, countOpenCases, countRefunds } from '../cases/index.ts';
import { countAlarms, countDebtors, countOpenDifferences } from '../ledger/index.ts';
import { countPushFaults } from '../notifications/index.ts';
import { countMoneyActs, countTeamChanges, countWantedSettings } from '../operators/index.ts';
import { countPutAside } from '../payments/index.ts';
import { countNotices, countToApprove, countToConfirm, countToSend, countUnsureBatches } from '../payouts/index.ts';
import { countMissingFacts } from '../policies/index.ts';
import { countSubmitted } from '../verification/index.ts';
import { manifest } from './manifest.ts';

type Waiting = { count: number; since: Date | null };

async function alarmsWaiting(db: Executor): Promise<Waiting> {
  const { standing, passed, since } = await countAlarms(db);
  return { count: standing + passed, since };
}

/** Operators who may call the route see the count. */
const WAITING_READS: Readonly<Record<WaitingKind, Pick<RouteSpec, 'method' | 'path'>>> = {
  alarms: listAlarms,
  cases: listCases,
  refunds: listCases,
  copyright: listCases,
  verifications: listVerifications,
  payoutsToApprove: listDeskPayouts,
  payoutsToSend: listDeskPayouts,
  payoutsToConfirm: listDeskPayouts,
  wantedSettings: listWantedSettings,
  moneyActs: listMoneyActs,
  payoutBatches: listPayoutBatches,
  payoutNotices: listPayoutNotices,
  processorEvents: listProcessorEvents,
  differences: listDifferences,
  debtors: listDebtors,
  missingFacts: setOperatorFacts,
  pushServices: listPushFaults,
  teamChanges: listTeam,
  calls: listDeskCalls,
};

const COUNTS: Readonly<Record<WaitingKind, (db: Executor, now: Date) => Promise<Waiting>>> = {
  alarms: alarmsWaiting,
  cases: countOpenCases,
  refunds: countRefunds,
  copyright: countCopyright,
  verifications: countSubmitted,
  payoutsToApprove: countToApprove,
  payoutsToSend: countToSend,
  payoutsToConfirm: countToConfirm,
  wantedSettings: countWantedSettings,
  moneyActs: countMoneyActs,
  payoutBatches: countUnsureBatches,
  payoutNotices: countNotices,
  processorEvents: countPutAside,
  differences: countOpenDifferences,
  debtors: countDebtors,
  missingFacts: countMissingFacts,
  calls: countOpenCalls,
  pushServices: countPushFaults,
  teamChanges: countTeamChanges,
};

function waitsFor(roles: readonly OperatorRole[], kind: WaitingKind): boolean {
  if (!operatorMay(roles, WAITING_READS[kind])) return false;
  if (kind === 'cases') return operatorReadsQueue(roles, 'reports');
  if (kind === 'copyright') return operatorReadsQueue(roles, 'copyright');
  return kind !== 'refunds' || operatorMayDecide(roles, 'refund', false);
}

async function countAll({ db, clock }: Pick<Context, 'clock' | 'db'>, roles: readonly OperatorRole[]) {
  const theirs = WAITING_KINDS.filter((kind) => waitsFor(roles, kind));
  const data = await Promise.all(
    theirs.map(async (kind) => {
      const { count, since } = await COUNTS[kind](db, clock.now());
      return { kind, count, since: since?.toISOString() ?? null };
    }),
  );
  return { data };
}

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server) => bind(operatorDesk, ({ actor }) => countAll(ctx, actor.roles ?? [])),
};
