import { type DEBT_DECISIONS, decideDebt, listDebtors } from '@stagedoor/contract/admin/debts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

type Debtor = ResponseOf<typeof listDebtors>['data'][number];
type DebtDecision = (typeof DEBT_DECISIONS)[number];

export const debtorsQuery = () => apiInfiniteQuery(listDebtors, { query: { limit: 30 } });

const BLOCK_LABELS = { debt: texts.blockedUntilSettled, operator: texts.blockedByStaff } as const;
const DECISION_LABELS: Readonly<Record<DebtDecision, string>> = {
  writeOff: texts.writtenOff,
  block: texts.spendingBlocked,
  unblock: texts.spendingAllowed,
};

function listActions({ owed, blocked, pendingApproval }: Debtor): RecordAction<DebtDecision>[] {
  return [
    ...(owed > 0 && pendingApproval === null
      ? [
          {
            value: 'writeOff' as const,
            label: texts.writeOffDebt,
            shortcut: 'W',
            button: formatText(texts.writeOffOwed, { owed: formatUsd(owed) }),
            note: texts.writeOffConsequence,
          },
        ]
      : []),
    ...(blocked === 'operator'
      ? []
      : [
          {
            value: 'block' as const,
            label: texts.blockSpending,
            shortcut: 'B',
            button: texts.blockSpending,
            note: texts.blockSpendingConsequence,
          },
        ]),
    ...(blocked === null
      ? []
      : [
          {
            value: 'unblock' as const,
            label: texts.allowSpending,
            shortcut: 'A',
            button: texts.allowSpending,
            note: texts.allowSpendingConsequence,
          },
        ]),
  ];
}

function DecideDebtForm({ debtor }: { debtor: Debtor }) {
  const decide = useAdminAction(decideDebt, {
    invalidates: [listDebtors],
    successMessage: ({ fan, owed, blocked, pendingApproval }) =>
      pendingApproval !== null
        ? formatText(texts.awaitingSecondApproval, { username: fan.username })
        : formatText(texts.fanOwes, {
            name: fan.name,
            owed: formatUsd(owed),
            spendingState: blocked === null ? 'allowed' : 'blocked',
          }),
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? listActions(debtor) : []}
      legend={texts.decide}
      reason={createReasonField(texts.reason, texts.internalNote)}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: debtor.fan.id }, body: { decision, reason } })}
    />
  );
}

export function DebtorRows({ debtors }: { debtors: readonly Debtor[] }) {
  return (
    <ExpandableRows label={texts.outstandingBalances}>
      {debtors.map((debtor) => {
        const { fan, owed, blocked, parts, decisions, pendingApproval } = debtor;
        return (
          <ExpandableRow
            key={fan.id}
            lead={<Avatar name={fan.name} />}
            title={fan.name}
            sub={formatText(texts.paymentsReversed, {
              username: fan.username,
              paymentCount: formatCount(parts.length, 'payment'),
            })}
            amount={formatUsd(owed)}
            status={blocked === null ? texts.spendingAllowed : BLOCK_LABELS[blocked]}
          >
            <DefinitionList
              items={parts.map(({ title, at, amount }) => ({
                name: `${title}, ${formatExactTime(at)}`,
                value: formatUsd(amount),
              }))}
            />
            <PastDecisions
              title={texts.previousDecisions}
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
