import { type DEBT_DECISIONS, decideDebt, listDebtors } from '@stagedoor/contract/admin/debts.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import type { RecordAction } from '../../../../ui/record.tsx';
import { PendingApproval } from '../approvals/pending-approval.tsx';
import { EntryActions, type PastDecision, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';

type Debtor = ResponseOf<typeof listDebtors>['data'][number];
type DebtDecision = (typeof DEBT_DECISIONS)[number];

export const debtorsQuery = () => apiInfiniteQuery(listDebtors, { query: { limit: 30 } });

const BLOCK_LABELS = { debt: 'Blocked until settled', operator: 'Blocked by staff' } as const;
const DECISION_LABELS: Readonly<Record<DebtDecision, string>> = {
  writeOff: 'Written off',
  block: 'Spending blocked',
  unblock: 'Spending allowed',
};

function listActions({ owed, blocked, pendingApproval }: Debtor): RecordAction<DebtDecision>[] {
  return [
    ...(owed > 0 && pendingApproval === null
      ? [
          {
            value: 'writeOff' as const,
            label: 'Write off debt',
            shortcut: 'W',
            button: `Write off ${formatUsd(owed)}`,
            note: 'Recorded as a loss. Lifts the spending block and emails the fan.',
          },
        ]
      : []),
    ...(blocked === 'operator'
      ? []
      : [
          {
            value: 'block' as const,
            label: 'Block spending',
            shortcut: 'B',
            button: 'Block spending',
            note: 'Stays until someone lifts it. The fan gets an email.',
          },
        ]),
    ...(blocked === null
      ? []
      : [
          {
            value: 'unblock' as const,
            label: 'Allow spending',
            shortcut: 'A',
            button: 'Allow spending',
            note: 'The balance stays outstanding. The fan gets an email.',
          },
        ]),
  ];
}

function DecideDebtForm({ debtor }: { debtor: Debtor }) {
  const decide = useAdminAction(decideDebt, {
    invalidates: [listDebtors],
    successMessage: ({ fan, owed, blocked, pendingApproval }) =>
      pendingApproval !== null
        ? `@${fan.username}: awaiting second approval.`
        : `${fan.name} owes ${formatUsd(owed)}. Spending ${blocked === null ? 'allowed' : 'blocked'}.`,
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? listActions(debtor) : []}
      legend="Decide"
      reason={createReasonField('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: debtor.fan.id }, body: { decision, reason } })}
    />
  );
}

export function DebtorRows({ debtors }: { debtors: readonly Debtor[] }) {
  return (
    <ExpandableRows label="Outstanding balances">
      {debtors.map((debtor) => {
        const { fan, owed, blocked, parts, decisions, pendingApproval } = debtor;
        return (
          <ExpandableRow
            key={fan.id}
            lead={<Avatar name={fan.name} />}
            title={fan.name}
            sub={`@${fan.username} · ${formatCount(parts.length, 'payment')} reversed`}
            amount={formatUsd(owed)}
            status={blocked === null ? 'Spending allowed' : BLOCK_LABELS[blocked]}
          >
            <DefinitionList
              items={parts.map(({ title, at, amount }) => ({
                name: `${title}, ${formatExactTime(at)}`,
                value: formatUsd(amount),
              }))}
            />
            <PastDecisions
              title="Previous decisions"
              lines={decisions.map(
                ({ decision, decidedAt, amount, operator, reason }): PastDecision => ({
                  key: decidedAt + decision,
                  label: DECISION_LABELS[decision],
                  operator,
                  reason,
                  detail: `${formatUsd(amount)}, ${formatExactTime(decidedAt)}`,
                }),
              )}
            />
            {pendingApproval && (
              <div className="pt-4">
                <PendingApproval approval={pendingApproval} />
              </div>
            )}
            <DecideDebtForm key={`${owed} ${blocked} ${pendingApproval?.id}`} debtor={debtor} />
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
