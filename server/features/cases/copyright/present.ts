import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { claimWords } from '@stagedoor/contract/case-kinds.ts';
import type { listDecisions } from '@stagedoor/contract/cases.ts';
import type { readCase } from '@stagedoor/contract/cases-desk.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import type { CaseRow, DecisionRow } from '../store.ts';
import { counterUrl } from './link.ts';
import { type Claim, type CounterFacts, claimsOf, countersOf, countStrikes, findCounter, findNotice } from './store.ts';

type CaseView = AnswerOf<typeof readCase>;
type OwnDecision = AnswerOf<typeof listDecisions>['data'][number];

const NONE = { notice: null, counter: null, strikes: null } as const;

export async function copyrightOf(
  ctx: Context,
  row: CaseRow,
  decisionIds: readonly string[],
): Promise<Pick<CaseView, 'notice' | 'counter' | 'strikes'>> {
  if (row.kind !== 'copyright' && row.kind !== 'counter') return NONE;
  const { db } = ctx;
  const against = row.kind === 'counter' ? [row.decision_id ?? ''].filter(Boolean) : decisionIds;
  const facts = (await countersOf(db, against)).filter(({ id }) => row.kind === 'copyright' || id === row.id).at(-1);
  const counter = facts && (await findCounter(db, facts.id));
  const noticeId = counter?.notice_case_id ?? row.id;
  const [notice, claims, strikes] = await Promise.all([
    findNotice(db, noticeId),
    claimsOf(db, [noticeId]),
    row.person_id === null ? null : countStrikes(db, row.person_id, ctx.clock.now()),
  ]);
  return {
    notice: notice
      ? {
          caseId: notice.case_id,
          reference: claims.get(noticeId)?.reference ?? '',
          ...{ name: notice.name, email: notice.email, address: notice.address },
          ...{ telephone: notice.telephone, signature: notice.signature },
        }
      : null,
    counter: counter
      ? {
          ...{ caseId: counter.case_id, reference: facts.reference, name: counter.name, address: counter.address },
          ...{ telephone: counter.telephone, signature: counter.signature },
          restoreFrom: counter.restore_from.toISOString(),
          restoreBy: facts.due_at.toISOString(),
        }
      : null,
    strikes,
  };
}

export async function claimTold(ctx: Context, db: Executor, decision: DecisionRow): Promise<string | undefined> {
  if (decision.act !== 'remove') return undefined;
  const claim = (await claimsOf(db, [decision.case_id])).get(decision.case_id);
  return claim && claimWords(claim, counterUrl(ctx, decision.id));
}

function counterOf(facts: CounterFacts | undefined): OwnDecision['counter'] {
  if (!facts) return null;
  const { reference, state, outcome } = facts;
  return {
    reference,
    isOpen: state !== 'closed',
    outcome: outcome === 'restore' || outcome === 'staysDown' || outcome === 'dismiss' ? outcome : null,
    restoreFrom: facts.restore_from.toISOString(),
    restoreBy: facts.due_at.toISOString(),
  };
}

export async function ownClaims(db: Executor, rows: readonly DecisionRow[]) {
  const removed = rows.filter(({ act }) => act === 'remove');
  const [claims, counters] = await Promise.all([
    claimsOf(
      db,
      removed.map((row) => row.case_id),
    ),
    countersOf(
      db,
      removed.map(({ id }) => id),
    ),
  ]);
  return (row: DecisionRow): Pick<OwnDecision, 'claim' | 'counter' | 'canCounter'> => {
    const claim: Claim | undefined = row.act === 'remove' ? claims.get(row.case_id) : undefined;
    if (!claim) return { claim: null, counter: null, canCounter: false };
    const made = counters.findLast(({ decision_id: id }) => id === row.id);
    return {
      claim: { name: claim.name, work: claim.work, place: claim.place },
      counter: counterOf(made),
      canCounter: claim.email !== '' && row.undone_at === null && (made === undefined || made.outcome === 'dismiss'),
    };
  };
}
