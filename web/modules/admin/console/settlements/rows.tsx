import { ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import { getLedgerReconciliation, listLedgerAccounts, searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { listSettlements, reverseSettlement, type Settlement } from '@stagedoor/contract/admin/settlements.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatExactTime } from '../../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { StatCard, Stats } from '../../../../ui/stat.tsx';
import { EntryActions, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';

export const settlementsQuery = () => apiInfiniteQuery(listSettlements, { query: { limit: 30 } });
export const SETTLEMENT_ROUTES = [listSettlements, getLedgerReconciliation, listLedgerAccounts, searchLedger];

/** USD of the whole platform, possibly negative. */
export const formatPlatformUsd = (usd: number) => formatCents(Math.round(usd * 100));

const createAccountLink = (code: string, label: string) => (
  <UiLink href={ledgerAccountPath(code)} className="link">
    {label}
  </UiLink>
);

export function SettlementStats({ owed, bank }: { owed: number; bank: number }) {
  return (
    <Stats label="Ledger balances">
      <StatCard
        name="The processor owes us"
        value={formatPlatformUsd(owed)}
        note={createAccountLink('asset:processor:ccbill:clearing', 'Movements')}
      />
      <StatCard
        name="Bank balance in the ledger"
        value={formatPlatformUsd(bank)}
        note={createAccountLink('asset:bank:operating', 'Movements')}
      />
    </Stats>
  );
}

function ReverseSettlementForm({ settlement }: { settlement: Settlement }) {
  const reverse = useAdminAction(reverseSettlement, {
    invalidates: SETTLEMENT_ROUTES,
    successMessage: ({ reference }) => `${reference} reversed. You can record it again.`,
  });
  return (
    <EntryActions
      actions={
        reverse.isAllowed && settlement.reversal === null
          ? [
              {
                value: 'reverse' as const,
                label: 'Reverse',
                shortcut: 'T',
                button: `Reverse ${formatPlatformUsd(settlement.gross)}`,
                note: 'The processor owes the amount again and the bank balance goes down. The settlement stays in the list, struck through.',
              },
            ]
          : []
      }
      legend="Correction"
      reason={createReasonField('Reason')}
      busy={reverse.isPending}
      error={reverse.error}
      onSubmit={(_, reason) => reverse.send({ params: { id: settlement.id }, body: { reason } })}
    />
  );
}

const createTransactionLink = (id: string) => (
  <UiLink href={ledgerTransactionPath(id)} className="link">
    View transaction
  </UiLink>
);

export function SettlementRows({ settlements }: { settlements: readonly Settlement[] }) {
  return (
    <ExpandableRows label="Settlements">
      {settlements.map((settlement) => {
        const { id, reference, day, bank, fees, chargebackFees, gross, operator, bookedAt, reversal } = settlement;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="wallet" />}
            title={reference}
            sub={`${day} · ${formatPlatformUsd(gross - bank)} in fees`}
            amount={formatPlatformUsd(bank)}
            status={reversal ? 'Reversed' : 'Recorded'}
            void={reversal !== null}
          >
            <DefinitionList
              items={[
                { name: 'Received at bank', value: formatPlatformUsd(bank) },
                { name: 'Processor fees', value: formatPlatformUsd(fees) },
                { name: 'Chargeback fees', value: formatPlatformUsd(chargebackFees) },
                { name: 'Total settled', value: formatPlatformUsd(gross) },
                { name: `Recorded by @${operator}`, value: formatExactTime(bookedAt) },
                { name: 'In the ledger', value: createTransactionLink(settlement.transactionId) },
                ...(reversal ? [{ name: 'Reversed', value: createTransactionLink(reversal.transactionId) }] : []),
              ]}
            />
            {reversal && (
              <PastDecisions
                title="Reversed"
                lines={[
                  {
                    key: reversal.at,
                    label: 'Reversed',
                    operator: reversal.operator,
                    reason: reversal.reason,
                    detail: formatExactTime(reversal.at),
                  },
                ]}
              />
            )}
            <ReverseSettlementForm settlement={settlement} />
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
