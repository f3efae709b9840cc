import { ledgerAccountPath, ledgerSearchPath, ledgerTransactionPath } from '@stagedoor/contract/desk-addresses.ts';
import type { LedgerTransaction } from '@stagedoor/contract/ledger-desk.ts';
import { formatExact } from '../../kernel/dates.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { FactList } from '../../ui/facts.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Table } from '../../ui/table.tsx';
import { figureText, handle } from './parts.tsx';

function Legs({ legs, people }: Pick<LedgerTransaction, 'legs' | 'people'>) {
  const side = (isDebit: boolean) => legs.filter(({ amount }) => amount > 0 === isDebit);
  const sum = (isDebit: boolean) =>
    figureText(Math.abs(side(isDebit).reduce((total, { amount }) => total + amount, 0)));
  return (
    <Table
      caption="Entries"
      columns={[{ head: 'Account' }, { head: 'Debit' }, { head: 'Credit' }]}
      rows={legs.map(({ code, words, owner, amount }) => {
        const person = people.find(({ id }) => id === owner);
        return {
          key: code,
          cells: [
            <span key="account" className="ld__words">
              <UiLink href={ledgerAccountPath(code)} className="link">
                {words}
              </UiLink>
              {person && <span className="block text-small text-muted">{handle(person.username)}</span>}
            </span>,
            amount > 0 ? figureText(amount) : '',
            amount < 0 ? figureText(-amount) : '',
          ],
        };
      })}
      foot={['Both sides', sum(true), sum(false)]}
    />
  );
}

const link = ({ id, title, at }: LedgerTransaction['reversedBy'][number]) => (
  <UiLink key={id} href={ledgerTransactionPath(id)} className="link block">
    {title}, {formatExact(at)}
  </UiLink>
);

const whose = ({ id, username, name }: LedgerTransaction['people'][number]) => (
  <UiLink key={id} href={ledgerSearchPath(id)} className="link block">
    <bdi>{name}</bdi> {handle(username)}
  </UiLink>
);

function Place({ proof }: Pick<LedgerTransaction, 'proof'>) {
  if (!proof) return <p className="text-small text-muted">Not in the log yet. It’s added within about a minute.</p>;
  const { position, size, isVerified, checkpointAt, checkpoint, leaf, path } = proof;
  return (
    <>
      <p className="proof">
        <Lamp state={isVerified ? 'on' : 'danger'}>
          {isVerified
            ? `Verified against checkpoint of ${formatExact(checkpointAt)}`
            : `Doesn’t match checkpoint of ${formatExact(checkpointAt)}`}
        </Lamp>
        <span className="num text-muted">
          Entry {position.toLocaleString('en-US')} of {size.toLocaleString('en-US')}
        </span>
      </p>
      <details className="pt-3">
        <summary className="link">Inclusion proof</summary>
        <p className="pt-2 text-small text-muted">The leaf, then the sibling hashes up to the root:</p>
        <ol className="ld__code num">
          {[leaf, ...path].map((hash) => (
            <li key={hash}>{hash}</li>
          ))}
        </ol>
        <p className="pt-2 text-small text-muted">The signed checkpoint:</p>
        <pre className="ld__code whitespace-pre-wrap">{checkpoint}</pre>
      </details>
    </>
  );
}

export function TransactionView({ view }: { view: LedgerTransaction }) {
  const { words, facts, legs, people, reverses, reversedBy, proof, at, id, href } = view;
  const known = [
    { name: 'When', value: formatExact(at) },
    { name: 'Transaction', value: <span className="wrap-anywhere">{id}</span> },
    ...(people.length > 0 ? [{ name: 'Account holder', value: people.map(whose) }] : []),
    ...facts.map(({ name, value }) => ({ name, value: <bdi className="wrap-anywhere">{value}</bdi> })),
    ...(href === null
      ? []
      : [
          {
            name: 'Subject',
            value: (
              <UiLink href={href} className="link">
                View post
              </UiLink>
            ),
          },
        ]),
    ...(reverses ? [{ name: 'Reverses', value: link(reverses) }] : []),
    ...(reversedBy.length > 0 ? [{ name: 'Reversed by', value: reversedBy.map(link) }] : []),
  ];
  return (
    <>
      <p className="wrap-anywhere">{words}</p>
      <div className="ld__two">
        <section aria-labelledby="legs">
          <SectionHead id="legs" title="Entries" />
          <Legs legs={legs} people={people} />
        </section>
        <section aria-labelledby="known">
          <SectionHead id="known" title="Details" />
          <FactList facts={known} />
        </section>
      </div>
      <section aria-labelledby="place">
        <SectionHead id="place" title="In the public log" />
        <Place proof={proof} />
      </section>
    </>
  );
}
