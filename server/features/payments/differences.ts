import { differenceId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type * as differences from '@stagedoor/contract/differences.ts';
import { COMPARISONS, type Comparison, DIFFERENCE_KINDS, type difference } from '@stagedoor/contract/differences.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import {
  type DifferenceRow,
  differenceStateOf,
  explain,
  explanationsOf,
  listDifferences,
  listRuns,
} from '../ledger/index.ts';
import { textsOf } from './uncredited.ts';

type View = z.input<typeof difference>;
type Tools = Pick<Context, 'clock' | 'db' | 'log'>;

const comparisonOf = (text: string): Comparison => COMPARISONS.find((known) => known === text) ?? 'sums';
const usdOf = (cents: number | null) => (cents === null ? null : cents / 100);

function wordsOf(kind: string): string {
  const words: Readonly<Record<string, string>> = DIFFERENCE_KINDS;
  return words[kind] ?? kind;
}

async function present({ db }: Pick<Tools, 'db'>, rows: readonly DifferenceRow[]): Promise<View[]> {
  const explanations = await explanationsOf(
    db,
    rows.map(({ id }) => id),
  );
  const people = await findPeople(
    db,
    explanations.flatMap(({ actor_id: actorId }) => actorId ?? []),
  );
  return rows.map((row) => ({
    id: z.parse(differenceId, row.id),
    comparison: comparisonOf(row.comparison),
    kind: row.kind,
    words: wordsOf(row.kind),
    key: row.key,
    aboutAt: row.about_at?.toISOString() ?? null,
    theirs: usdOf(row.theirs_cents),
    ours: usdOf(row.ours_cents),
    facts: textsOf(row.facts),
    state: differenceStateOf(row),
    openedAt: row.opened_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    explanations: explanations
      .filter(({ difference_id: of }) => of === row.id)
      .map(({ ground, explained_at: at, actor_id: actorId }) => ({
        ground,
        explainedAt: at.toISOString(),
        operator: people.get(actorId ?? '')?.username ?? null,
      })),
  }));
}

export async function viewDifferences(
  ctx: Pick<Tools, 'db'>,
  { state, limit, offset }: QueryOf<typeof differences.listDifferences>,
): Promise<AnswerOf<typeof differences.listDifferences>> {
  const skip = skipOf(offset);
  const { rows, total } = await listDifferences(ctx.db, state, { limit, skip });
  return pageOf(await present(ctx, rows), { limit, skip, total });
}

/** `actorId` is null for the command line. Throws NOT_FOUND, CONFLICT (it is gone, or already explained). */
export async function explainDifference(ctx: Tools, actorId: string | null, id: string, ground: string): Promise<View> {
  const row = await ctx.db.transaction(async (tx) => {
    const explained = await explain(tx, { id, actorId, ground, at: ctx.clock.now() });
    await noteAct(ctx, tx, {
      operatorId: actorId,
      act: 'difference.explain',
      subjectKind: 'difference',
      subjectId: id,
      facts: { ground, kind: explained.kind },
    });
    return explained;
  });
  ctx.log.info({ differenceId: id, actorId, kind: row.kind }, 'a person explained a difference in the books');
  const [view] = await present(ctx, [row]);
  if (!view) throw new Error('a row has its view');
  return view;
}

export async function viewComparisons(
  ctx: Pick<Tools, 'db'>,
  { limit, offset }: QueryOf<typeof differences.listComparisons>,
): Promise<AnswerOf<typeof differences.listComparisons>> {
  const skip = skipOf(offset);
  const { rows, total } = await listRuns(ctx.db, { limit, skip });
  const data = rows.map((row) => ({
    comparison: comparisonOf(row.comparison),
    day: row.day,
    isFull: row.isFull,
    tries: row.tries,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    outcome: row.outcome,
    detail: row.detail,
    lookedAt: row.lookedAt,
  }));
  return pageOf(data, { limit, skip, total });
}
