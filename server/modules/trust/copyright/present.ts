import { formatCopyrightClaim } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { CaseDecisionRow, CaseRow, ClaimView, CopyrightView } from '../moderation/index.ts';
import { createCounterNoticeUrl } from './link.ts';
import {
  type Claim,
  type CounterNoticeSummary,
  countStrikes,
  findClaims,
  findCounterNotice,
  findNotice,
  listCounterNotices,
} from './store.ts';

const NO_COPYRIGHT: CopyrightView = { notice: null, counter: null, strikes: null };

export async function loadCaseView(ctx: Context, row: CaseRow, decisionIds: readonly string[]): Promise<CopyrightView> {
  if (row.kind !== 'copyright' && row.kind !== 'counter') return NO_COPYRIGHT;
  const { db } = ctx;
  const answeredDecisionIds = row.kind === 'counter' ? [row.decision_id ?? ''].filter(Boolean) : decisionIds;
  const summary = (await listCounterNotices(db, answeredDecisionIds))
    .filter(({ id }) => row.kind === 'copyright' || id === row.id)
    .at(-1);
  const counter = summary && (await findCounterNotice(db, summary.id));
  const noticeId = counter?.notice_case_id ?? row.id;
  const [notice, claims, strikes] = await Promise.all([
    findNotice(db, noticeId),
    findClaims(db, [noticeId]),
    row.user_id === null ? null : countStrikes(db, row.user_id, ctx.clock.now()),
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
          ...{ caseId: counter.case_id, reference: summary.reference, name: counter.name, address: counter.address },
          ...{ telephone: counter.telephone, signature: counter.signature },
          restoreFrom: counter.restore_from.toISOString(),
          restoreBy: summary.due_at.toISOString(),
        }
      : null,
    strikes,
  };
}

export async function describeClaim(
  ctx: Context,
  db: Executor,
  decision: CaseDecisionRow,
): Promise<string | undefined> {
  if (decision.action !== 'remove') return undefined;
  const claim = (await findClaims(db, [decision.case_id])).get(decision.case_id);
  return (
    claim && formatCopyrightClaim({ ...claim, url: claim.content_address }, createCounterNoticeUrl(ctx, decision.id))
  );
}

function presentCounterNotice(summary: CounterNoticeSummary | undefined): ClaimView['counter'] {
  if (!summary) return null;
  const { reference, state, outcome } = summary;
  return {
    reference,
    isOpen: state !== 'closed',
    outcome: outcome === 'restore' || outcome === 'staysDown' || outcome === 'dismiss' ? outcome : null,
    restoreFrom: summary.restore_from.toISOString(),
    restoreBy: summary.due_at.toISOString(),
  };
}

export async function createClaimLookup(db: Executor, rows: readonly CaseDecisionRow[]) {
  const removed = rows.filter(({ action }) => action === 'remove');
  const [claims, counters] = await Promise.all([
    findClaims(
      db,
      removed.map((row) => row.case_id),
    ),
    listCounterNotices(
      db,
      removed.map(({ id }) => id),
    ),
  ]);
  return (row: CaseDecisionRow): ClaimView => {
    const claim: Claim | undefined = row.action === 'remove' ? claims.get(row.case_id) : undefined;
    if (!claim) return { claim: null, counter: null, canCounter: false };
    const counterNotice = counters.findLast(({ decision_id: id }) => id === row.id);
    return {
      claim: { name: claim.name, work: claim.work, url: claim.content_address },
      counter: presentCounterNotice(counterNotice),
      canCounter:
        claim.email !== '' &&
        row.undone_at === null &&
        (counterNotice === undefined || counterNotice.outcome === 'dismiss'),
    };
  };
}
