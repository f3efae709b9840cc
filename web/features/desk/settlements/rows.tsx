import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { ledgerAccountPath, ledgerTransactionPath } from '@stagedoor/contract/desk-addresses.ts';
import { ledgerReconciliation, listLedgerAccounts, searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import { listSettlements, type Settlement, takeSettlementBack } from '@stagedoor/contract/settlements.ts';
import { formatExact } from '../../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { StatCard, Stats } from '../../../ui/stat.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';

export const settlementsQuery = () => apiInfiniteQuery(listSettlements, { query: { limit: 30 } });
export const MOVED_BY_SETTLEMENT = [listSettlements, ledgerReconciliation, listLedgerAccounts, searchLedger];

/** USD of the whole platform, possibly negative. */
export const houseText = (usd: number) => formatCents(Math.round(usd * 100));

const accountLink = (code: string, words: string) => (
  <UiLink href={ledgerAccountPath(code)} className="link">
    {words}
  </UiLink>
);

export function Standing({ owed, bank }: { owed: number; bank: number }) {
  return (
    <Stats label="Ledger balances">
      <StatCard
        name="The processor owes us"
        value={houseText(owed)}
        note={accountLink('asset:processor:ccbill:clearing', 'Movements')}
      />
      <StatCard
        name="Bank balance in the ledger"
        value={houseText(bank)}
        note={accountLink('asset:bank:operating', 'Movements')}
      />
    </Stats>
  );
}

function TakeBack({ settlement }: { settlement: Settlement }) {
  const back = useDeskAct(takeSettlementBack, {
    forget: MOVED_BY_SETTLEMENT,
    done: ({ reference }) => `${reference} reversed. You can record it again.`,
  });
  return (
    <EntryActs
      acts={
        back.may && settlement.takenBack === null
          ? [
              {
                value: 'takeBack' as const,
                words: 'Reverse',
                letter: 'T',
                button: `Reverse ${houseText(settlement.gross)}`,
                note: 'The processor owes the amount again and the bank balance goes down. The settlement stays in the list, struck through.',
              },
            ]
          : []
      }
      legend="Correction"
      ground={groundFor('Reason')}
      busy={back.isPending}
      error={back.error}
      onAct={(_, ground) => back.send({ params: { id: settlement.id }, body: { ground } })}
    />
  );
}

const transactionLink = (id: string) => (
  <UiLink href={ledgerTransactionPath(id)} className="link">
    View transaction
  </UiLink>
);

export function SettlementRows({ settlements }: { settlements: readonly Settlement[] }) {
  return (
    <Entries label="Settlements">
      {settlements.map((settlement) => {
        const { id, reference, day, bank, fees, chargebackFees, gross, operator, bookedAt, takenBack } = settlement;
        return (
          <Entry
            key={id}
            lead={<Glyph icon="wallet" />}
            title={reference}
            sub={`${day} · ${houseText(gross - bank)} in fees`}
            amount={houseText(bank)}
            word={takenBack ? 'Reversed' : 'Recorded'}
            void={takenBack !== null}
          >
            <FactList
              facts={[
                { name: 'Received at bank', value: houseText(bank) },
                { name: 'Processor fees', value: houseText(fees) },
                { name: 'Chargeback fees', value: houseText(chargebackFees) },
                { name: 'Total settled', value: houseText(gross) },
                { name: `Recorded by @${operator}`, value: formatExact(bookedAt) },
                { name: 'In the ledger', value: transactionLink(settlement.transactionId) },
                ...(takenBack ? [{ name: 'Reversed', value: transactionLink(takenBack.transactionId) }] : []),
              ]}
            />
            {takenBack && (
              <Said
                title="Reversed"
                lines={[
                  {
                    key: takenBack.at,
                    words: 'Reversed',
                    operator: takenBack.operator,
                    ground: takenBack.ground,
                    more: formatExact(takenBack.at),
                  },
                ]}
              />
            )}
            <TakeBack settlement={settlement} />
          </Entry>
        );
      })}
    </Entries>
  );
}
