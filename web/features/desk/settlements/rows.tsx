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
    <Stats label="By the books">
      <StatCard
        name="The processor owes us"
        value={houseText(owed)}
        note={accountLink('asset:processor:ccbill:clearing', 'What moved it')}
      />
      <StatCard
        name="At the bank, by the books"
        value={houseText(bank)}
        note={accountLink('asset:bank:operating', 'What moved it')}
      />
    </Stats>
  );
}

function TakeBack({ settlement }: { settlement: Settlement }) {
  const back = useDeskAct(takeSettlementBack, {
    forget: MOVED_BY_SETTLEMENT,
    done: ({ reference }) => `${reference} is taken back, and may be booked anew.`,
  });
  return (
    <EntryActs
      acts={
        back.may && settlement.takenBack === null
          ? [
              {
                value: 'takeBack' as const,
                words: 'Take it back',
                letter: 'T',
                button: `Take ${houseText(settlement.gross)} back`,
                note: 'The processor owes it again, and the bank has it no more. The settlement stays in the list, struck through.',
              },
            ]
          : []
      }
      legend="What was wrong"
      ground={groundFor('Why it is wrong')}
      busy={back.isPending}
      error={back.error}
      onAct={(_, ground) => back.send({ params: { id: settlement.id }, body: { ground } })}
    />
  );
}

const transactionLink = (id: string) => (
  <UiLink href={ledgerTransactionPath(id)} className="link">
    Its transaction
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
            sub={`${day} · ${houseText(gross - bank)} kept`}
            amount={houseText(bank)}
            word={takenBack ? 'Taken back' : 'Booked'}
            void={takenBack !== null}
          >
            <FactList
              facts={[
                { name: 'Came to the bank', value: houseText(bank) },
                { name: 'Fees kept', value: houseText(fees) },
                { name: 'Fees of chargebacks kept', value: houseText(chargebackFees) },
                { name: 'Together, off what is owed', value: houseText(gross) },
                { name: `Booked by @${operator}`, value: formatExact(bookedAt) },
                { name: 'In the ledger', value: transactionLink(settlement.transactionId) },
                ...(takenBack ? [{ name: 'Taken back', value: transactionLink(takenBack.transactionId) }] : []),
              ]}
            />
            {takenBack && (
              <Said
                title="Taken back"
                lines={[
                  {
                    key: takenBack.at,
                    words: 'Taken back',
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
