/** Desk: what waits for an operator. A room that has something to wait for exports its count, and stands in {@link COUNTS}. */
import { operatorDesk, WAITING_KINDS, type WaitingKind } from '@stagedoor/contract/desk.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Executor } from '../../kernel/db.ts';
import { countOpenCalls } from '../calls/index.ts';
import { countOpenCases } from '../cases/index.ts';
import { countAlarms, countDebtors, countOpenDifferences } from '../ledger/index.ts';
import { countPushFaults } from '../notifications/index.ts';
import { countPutAside } from '../payments/index.ts';
import { countNotices, countToApprove, countToSend, countUnsureBatches } from '../payouts/index.ts';
import { countMissingFacts } from '../policies/index.ts';
import { countSubmitted } from '../verification/index.ts';
import { manifest } from './manifest.ts';

type Waiting = { count: number; since: Date | null };

async function alarmsWaiting(db: Executor): Promise<Waiting> {
  const { standing, passed, since } = await countAlarms(db);
  return { count: standing + passed, since };
}

const COUNTS: Readonly<Record<WaitingKind, (db: Executor) => Promise<Waiting>>> = {
  alarms: alarmsWaiting,
  cases: countOpenCases,
  verifications: countSubmitted,
  payoutsToApprove: countToApprove,
  payoutsToSend: countToSend,
  payoutBatches: countUnsureBatches,
  payoutNotices: countNotices,
  processorEvents: countPutAside,
  differences: countOpenDifferences,
  debtors: countDebtors,
  missingFacts: countMissingFacts,
  calls: countOpenCalls,
  pushServices: countPushFaults,
};

async function countAll(db: Executor) {
  const data = await Promise.all(
    WAITING_KINDS.map(async (kind) => {
      const { count, since } = await COUNTS[kind](db);
      return { kind, count, since: since?.toISOString() ?? null };
    }),
  );
  return { data };
}

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server) => bind(operatorDesk, () => countAll(ctx.db)),
};
