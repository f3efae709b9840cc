import type * as differences from '@stagedoor/contract/admin/reconciliation.ts';
import {
  COMPARISONS,
  type Comparison,
  DIFFERENCE_KINDS,
  type difference,
} from '@stagedoor/contract/admin/reconciliation.ts';
import { differenceId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import {
  type DifferenceRow,
  listDifferences,
  listExplanations,
  listRuns,
  saveExplanation,
  toDifferenceState,
} from '../../ledger/ledger-checks/index.ts';
import { toTextFields } from '../ccbill/index.ts';

type DifferenceView = z.input<typeof difference>;
type DifferenceContext = Pick<Context, 'clock' | 'db' | 'log'>;

const toComparison = (text: string): Comparison => COMPARISONS.find((known) => known === text) ?? 'sums';
const toUsdOrNull = (cents: number | null) => (cents === null ? null : cents / 100);

function getKindLabel(kind: string): string {
  const labels: Readonly<Record<string, string>> = DIFFERENCE_KINDS;
  return labels[kind] ?? kind;
}

async function presentDifferences(
  { db }: Pick<DifferenceContext, 'db'>,
  rows: readonly DifferenceRow[],
): Promise<DifferenceView[]> {
  const explanations = await listExplanations(
    db,
    rows.map(({ id }) => id),
  );
  const users = await findUserSummaries(
    db,
    explanations.flatMap(({ actor_id: actorId }) => actorId ?? []),
  );
  return rows.map((row) => ({
    id: z.parse(differenceId, row.id),
    comparison: toComparison(row.comparison),
    kind: row.kind,
    label: getKindLabel(row.kind),
    key: row.key,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    theirs: toUsdOrNull(row.theirs_cents),
    ours: toUsdOrNull(row.ours_cents),
    details: toTextFields(row.details),
    state: toDifferenceState(row),
    openedAt: row.opened_at.toISOString(),
    lastSeenAt: row.seen_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    explanations: explanations
      .filter(({ difference_id: explainedId }) => explainedId === row.id)
      .map(({ reason, explained_at: at, actor_id: actorId }) => ({
        reason,
        explainedAt: at.toISOString(),
        operator: users.get(actorId ?? '')?.username ?? null,
      })),
  }));
}

export async function viewDifferences(
  ctx: Pick<DifferenceContext, 'db'>,
  { state, limit, offset }: QueryOf<typeof differences.listDifferences>,
): Promise<ResponseInputOf<typeof differences.listDifferences>> {
  const skip = parseSkip(offset);
  const { rows, total } = await listDifferences(ctx.db, state, { limit, skip });
  return toOffsetPage(await presentDifferences(ctx, rows), { limit, skip, total });
}

/** `actorId` is null for the command line. Throws NOT_FOUND, CONFLICT (it is gone, or already explained). */
export async function explainDifference(
  ctx: DifferenceContext,
  actorId: string | null,
  id: string,
  reason: string,
): Promise<DifferenceView> {
  const row = await ctx.db.transaction(async (tx) => {
    const explained = await saveExplanation(tx, { id, actorId, reason, at: ctx.clock.now() });
    await logAction(ctx, tx, {
      operatorId: actorId,
      action: 'difference.explain',
      subjectKind: 'difference',
      subjectId: id,
      details: { reason, kind: explained.kind },
    });
    return explained;
  });
  ctx.log.info({ differenceId: id, actorId, kind: row.kind }, 'an operator explained a difference in the books');
  const [view] = await presentDifferences(ctx, [row]);
  if (!view) throw new Error('a row has its view');
  return view;
}

export async function viewReconciliationRuns(
  ctx: Pick<DifferenceContext, 'db'>,
  { limit, offset }: QueryOf<typeof differences.listReconciliationRuns>,
): Promise<ResponseInputOf<typeof differences.listReconciliationRuns>> {
  const skip = parseSkip(offset);
  const { rows, total } = await listRuns(ctx.db, { limit, skip });
  const data = rows.map((row) => ({
    comparison: toComparison(row.comparison),
    day: row.day,
    isFull: row.isFull,
    tries: row.tries,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    outcome: row.outcome,
    detail: row.detail,
    checkedCount: row.checkedCount,
  }));
  return toOffsetPage(data, { limit, skip, total });
}
