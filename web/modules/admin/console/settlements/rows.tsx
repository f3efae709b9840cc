import { ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import { getLedgerReconciliation, listLedgerAccounts, searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { listSettlements, reverseSettlement, type Settlement } from '@stagedoor/contract/admin/settlements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

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
    <Stats label={texts.ledgerBalances}>
      <StatCard
        name="The processor owes us"
        value={formatPlatformUsd(owed)}
        note={createAccountLink('asset:processor:ccbill:clearing', texts.movements)}
      />
      <StatCard
        name="Bank balance in the ledger"
        value={formatPlatformUsd(bank)}
        note={createAccountLink('asset:bank:operating', texts.movements)}
      />
    </Stats>
  );
}

function ReverseSettlementForm({ settlement }: { settlement: Settlement }) {
  const reverse = useAdminAction(reverseSettlement, {
    invalidates: SETTLEMENT_ROUTES,
    successMessage: ({ reference }) => formatText(texts.settlementReversed, { reference }),
  });
  return (
    <EntryActions
      actions={
        reverse.isAllowed && settlement.reversal === null
          ? [
              {
                value: 'reverse' as const,
                label: texts.reverse,
                shortcut: 'T',
                button: formatText(texts.reverseGross, { gross: formatPlatformUsd(settlement.gross) }),
                note: texts.reverseConsequence,
              },
            ]
          : []
      }
      legend={texts.correction}
      reason={createReasonField(texts.reason)}
      busy={reverse.isPending}
      error={reverse.error}
      onSubmit={(_, reason) => reverse.send({ params: { id: settlement.id }, body: { reason } })}
    />
  );
}

const createTransactionLink = (id: string) => (
  <UiLink href={ledgerTransactionPath(id)} className="link">
    {texts.viewTransaction}
  </UiLink>
);

export function SettlementRows({ settlements }: { settlements: readonly Settlement[] }) {
  return (
    <ExpandableRows label={texts.settlements}>
      {settlements.map((settlement) => {
        const { id, reference, day, bank, fees, chargebackFees, gross, operator, bookedAt, reversal } = settlement;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="wallet" />}
            title={reference}
            sub={formatText(texts.dayAndFees, { day, fees: formatPlatformUsd(gross - bank) })}
            amount={formatPlatformUsd(bank)}
            status={reversal ? texts.reversed : texts.recorded}
            void={reversal !== null}
          >
            <DefinitionList
              items={[
                { name: texts.receivedAtBank, value: formatPlatformUsd(bank) },
                { name: texts.processorFees, value: formatPlatformUsd(fees) },
                { name: texts.chargebackFees, value: formatPlatformUsd(chargebackFees) },
                { name: texts.totalSettled, value: formatPlatformUsd(gross) },
                { name: `Recorded by @${operator}`, value: formatExactTime(bookedAt) },
                { name: texts.inTheLedger, value: createTransactionLink(settlement.transactionId) },
                ...(reversal ? [{ name: 'Reversed', value: createTransactionLink(reversal.transactionId) }] : []),
              ]}
            />
            {reversal && (
              <PastDecisions
                title={texts.reversed}
                lines={[
                  {
                    key: reversal.at,
                    label: texts.reversed,
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
