/**
 * Payments that need a second operator's approval, shown on the page they belong to and on the page of all approvals.
 * Any operator can refuse them.
 */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { listAudit } from '@stagedoor/contract/audit.ts';
import { casePath } from '@stagedoor/contract/case-addresses.ts';
import { listCases, readCase } from '@stagedoor/contract/cases-desk.ts';
import { listDebtors } from '@stagedoor/contract/debts.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { type MoneyAct, type MoneyActKind, moneyActWords } from '@stagedoor/contract/money-act-view.ts';
import { decideMoneyAct, type EndedMoneyAct, listMoneyActs } from '@stagedoor/contract/money-acts.ts';
import { operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import { listProcessorEvents } from '@stagedoor/contract/processor-desk.ts';
import { useState } from 'react';
import { formatExact } from '../../../kernel/dates.ts';
import { useRoles } from '../../../kernel/operator.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { useViewer } from '../../../kernel/session.ts';
import { UiLink } from '../../../ui/link.tsx';
import { useDeskAct } from '../acts.ts';
import { SaleLines } from '../sale-lines.tsx';
import { type Decision, Said, WaitsForSecond } from '../second-operator.tsx';

export const moneyActsQuery = () => apiQuery(listMoneyActs, {});

const CONFIRM: Readonly<Record<MoneyActKind, string>> = {
  refund: 'Confirm refund',
  won: 'Confirm chargeback reversal',
  writeOff: 'Confirm write-off',
};
const CONFIRMED: Readonly<Record<MoneyActKind, string>> = {
  refund: 'refunded',
  won: 'chargeback reversed',
  writeOff: 'written off',
};
const PLACE: Readonly<Record<MoneyActKind, { words: string; href: (subjectId: string) => string }>> = {
  refund: { words: 'View case', href: casePath },
  won: { words: 'Payment events', href: () => `${DESK_PATHS.adminProcessorEvents}?state=processed` },
  writeOff: { words: 'Outstanding balances', href: () => DESK_PATHS.adminDebtors },
};

export function WaitsForTwo({ act, hasPlace = false }: { act: MoneyAct; hasPlace?: boolean | undefined }) {
  const { id, kind, subjectId, amount, sales, queue, operator } = act;
  const roles = useRoles();
  // Finance operators can read only cases that were routed to them, so the refunded sales are listed here.
  const isReadable = queue === null || operatorReadsQueue(roles, queue);
  const isOwn = operator === useViewer()?.username;
  const sum = formatUsd(amount);
  const [sent, setSent] = useState<Decision>('refuse');
  const decide = useDeskAct(decideMoneyAct, {
    forget: [listMoneyActs, readCase, listCases, listDebtors, listProcessorEvents, listAudit],
    done: () =>
      sent === 'confirm' ? `${sum}: ${CONFIRMED[kind]}.` : `${sum}: request ${isOwn ? 'withdrawn' : 'rejected'}.`,
  });
  return (
    <WaitsForSecond
      name={sum}
      wish={`${isOwn ? 'You' : `@${operator}`} requested to ${moneyActWords(act)}.`}
      said={act}
      note={
        isOwn
          ? 'Another operator needs to confirm this. Nothing changes until then.'
          : 'Nothing changes until a second operator confirms this.'
      }
      isOwn={isOwn}
      confirmWords={CONFIRM[kind]}
      busyWords="Working…"
      act={decide}
      onDecide={(decision, ground) => {
        setSent(decision);
        decide.send({ params: { id }, body: { decision, ground } });
      }}
    >
      {sales.length > 0 && <SaleLines sales={sales} label="Refund items" />}
      {hasPlace && isReadable && (
        <p>
          <UiLink
            href={PLACE[kind].href(subjectId)}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {PLACE[kind].words}
          </UiLink>
        </p>
      )}
    </WaitsForSecond>
  );
}

export function DecidedByTwo({ acts }: { acts: readonly EndedMoneyAct[] }) {
  return (
    <ul className="lines" aria-label="Recently decided">
      {acts.map((act) => (
        <li key={act.id} className="grid gap-1 py-3 text-small wrap-anywhere">
          <p>
            @{act.operator} requested to {moneyActWords(act)}.{' '}
            <span className="font-semibold">
              {act.outcome === 'confirmed'
                ? `Confirmed by @${act.endedBy}`
                : act.endedBy === act.operator
                  ? 'Withdrawn'
                  : `Rejected by @${act.endedBy}`}
            </span>
            <span className="text-muted num">, {formatExact(act.endedAt)}</span>
          </p>
          <Said ground={act.ground} at={act.at} />
        </li>
      ))}
    </ul>
  );
}
