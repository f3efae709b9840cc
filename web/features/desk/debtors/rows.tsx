import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { type DEBT_DECISIONS, decideDebt, listDebtors } from '@stagedoor/contract/debts.ts';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import type { Act } from '../../../ui/case.tsx';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';
import { WaitsForTwo } from '../money-acts/waits.tsx';

type Debtor = ResponseOf<typeof listDebtors>['data'][number];
type Decision = (typeof DEBT_DECISIONS)[number];

export const debtorsQuery = () => apiInfiniteQuery(listDebtors, { query: { limit: 30 } });

const BLOCKED = { debt: 'Blocked until settled', person: 'Blocked by staff' } as const;
const DECIDED: Readonly<Record<Decision, string>> = {
  writeOff: 'Written off',
  block: 'Spending blocked',
  unblock: 'Spending allowed',
};

function actsFor({ owed, blocked, waits }: Debtor): Act<Decision>[] {
  return [
    ...(owed > 0 && waits === null
      ? [
          {
            value: 'writeOff' as const,
            words: 'Write off debt',
            letter: 'W',
            button: `Write off ${formatUsd(owed)}`,
            note: 'Recorded as a loss. Lifts the spending block and emails the fan.',
          },
        ]
      : []),
    ...(blocked === 'person'
      ? []
      : [
          {
            value: 'block' as const,
            words: 'Block spending',
            letter: 'B',
            button: 'Block spending',
            note: 'Stays until someone lifts it. The fan gets an email.',
          },
        ]),
    ...(blocked === null
      ? []
      : [
          {
            value: 'unblock' as const,
            words: 'Allow spending',
            letter: 'A',
            button: 'Allow spending',
            note: 'The balance stays outstanding. The fan gets an email.',
          },
        ]),
  ];
}

function Decide({ debtor }: { debtor: Debtor }) {
  const decide = useDeskAct(decideDebt, {
    forget: [listDebtors],
    done: ({ fan, owed, blocked, waits }) =>
      waits !== null
        ? `@${fan.username}: awaiting second approval.`
        : `${fan.name} owes ${formatUsd(owed)}. Spending ${blocked === null ? 'allowed' : 'blocked'}.`,
  });
  return (
    <EntryActs
      acts={decide.may ? actsFor(debtor) : []}
      legend="Decide"
      ground={groundFor('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onAct={(decision, ground) => decide.send({ params: { id: debtor.fan.id }, body: { decision, ground } })}
    />
  );
}

export function DebtorRows({ debtors }: { debtors: readonly Debtor[] }) {
  return (
    <Entries label="Outstanding balances">
      {debtors.map((debtor) => {
        const { fan, owed, blocked, parts, decisions, waits } = debtor;
        return (
          <Entry
            key={fan.id}
            lead={<Avatar name={fan.name} />}
            title={fan.name}
            sub={`@${fan.username} · ${plural(parts.length, 'payment')} reversed`}
            amount={formatUsd(owed)}
            word={blocked === null ? 'Spending allowed' : BLOCKED[blocked]}
          >
            <FactList
              facts={parts.map(({ title, at, amount }) => ({
                name: `${title}, ${formatExact(at)}`,
                value: formatUsd(amount),
              }))}
            />
            <Said
              title="Previous decisions"
              lines={decisions.map(({ decision, decidedAt, amount, operator, ground }) => ({
                key: decidedAt + decision,
                words: DECIDED[decision],
                operator,
                ground,
                more: `${formatUsd(amount)}, ${formatExact(decidedAt)}`,
              }))}
            />
            {waits && (
              <div className="pt-4">
                <WaitsForTwo act={waits} />
              </div>
            )}
            <Decide key={`${owed} ${blocked} ${waits?.id}`} debtor={debtor} />
          </Entry>
        );
      })}
    </Entries>
  );
}
