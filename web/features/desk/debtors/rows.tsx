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

const BLOCKED = { debt: 'Blocked until settled', person: 'Blocked by a person' } as const;
const DECIDED: Readonly<Record<Decision, string>> = {
  writeOff: 'Let go of',
  block: 'Spending blocked',
  unblock: 'Spending allowed',
};

function actsFor({ owed, blocked, waits }: Debtor): Act<Decision>[] {
  return [
    ...(owed > 0 && waits === null
      ? [
          {
            value: 'writeOff' as const,
            words: 'Let go of the debt',
            letter: 'W',
            button: `Let go of ${formatUsd(owed)}`,
            note: 'It becomes a loss of ours. A block for it ends with it, and they get a mail.',
          },
        ]
      : []),
    ...(blocked === 'person'
      ? []
      : [
          {
            value: 'block' as const,
            words: 'Block their spending',
            letter: 'B',
            button: 'Block their spending',
            note: 'It stays until a person allows it again, whatever is owed. They get a mail.',
          },
        ]),
    ...(blocked === null
      ? []
      : [
          {
            value: 'unblock' as const,
            words: 'Allow their spending',
            letter: 'A',
            button: 'Allow their spending',
            note: 'What is owed stays owed. They get a mail.',
          },
        ]),
  ];
}

function Decide({ debtor }: { debtor: Debtor }) {
  const decide = useDeskAct(decideDebt, {
    forget: [listDebtors],
    done: ({ fan, owed, blocked, waits }) =>
      waits !== null
        ? `@${fan.username}: waits for a second operator.`
        : `${fan.name} owes ${formatUsd(owed)}, and ${blocked === null ? 'may spend' : 'may not spend'}.`,
  });
  return (
    <EntryActs
      acts={decide.may ? actsFor(debtor) : []}
      legend="Decide"
      ground={groundFor('Why', 'Operators read it.')}
      busy={decide.isPending}
      error={decide.error}
      onAct={(decision, ground) => decide.send({ params: { id: debtor.fan.id }, body: { decision, ground } })}
    />
  );
}

export function DebtorRows({ debtors }: { debtors: readonly Debtor[] }) {
  return (
    <Entries label="Debtors">
      {debtors.map((debtor) => {
        const { fan, owed, blocked, parts, decisions, waits } = debtor;
        return (
          <Entry
            key={fan.id}
            lead={<Avatar name={fan.name} />}
            title={fan.name}
            sub={`@${fan.username} · ${plural(parts.length, 'payment')} taken back`}
            amount={formatUsd(owed)}
            word={blocked === null ? 'May spend' : BLOCKED[blocked]}
          >
            <FactList
              facts={parts.map(({ title, at, amount }) => ({
                name: `${title}, ${formatExact(at)}`,
                value: formatUsd(amount),
              }))}
            />
            <Said
              title="Decided before"
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
