import { ledgerAccountPath, ledgerSearchPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { LedgerTransaction } from '@stagedoor/contract/admin/ledger.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Table } from '../../../ui/table.tsx';
import { formatAmount, formatUsername } from './parts.tsx';
import * as texts from './texts.ts';

function Legs({ legs, users }: Pick<LedgerTransaction, 'legs' | 'users'>) {
  const side = (isDebit: boolean) => legs.filter(({ amount }) => amount > 0 === isDebit);
  const sum = (isDebit: boolean) =>
    formatAmount(Math.abs(side(isDebit).reduce((total, { amount }) => total + amount, 0)));
  return (
    <Table
      caption={texts.entries}
      columns={[{ head: texts.account }, { head: texts.debit }, { head: texts.credit }]}
      rows={legs.map(({ code, label, owner, amount }) => {
        const user = users.find(({ id }) => id === owner);
        return {
          key: code,
          cells: [
            <span key="account" className="ld__words">
              <UiLink href={ledgerAccountPath(code)} className="link">
                {label}
              </UiLink>
              {user && <span className="block text-small text-muted">{formatUsername(user.username)}</span>}
            </span>,
            amount > 0 ? formatAmount(amount) : '',
            amount < 0 ? formatAmount(-amount) : '',
          ],
        };
      })}
      foot={[texts.bothSides, sum(true), sum(false)]}
    />
  );
}

const renderTransactionLink = ({ id, title, at }: LedgerTransaction['reversedBy'][number]) => (
  <UiLink key={id} href={ledgerTransactionPath(id)} className="link block">
    {title}, {formatExactTime(at)}
  </UiLink>
);

const renderUser = ({ id, username, name }: LedgerTransaction['users'][number]) => (
  <UiLink key={id} href={ledgerSearchPath(id)} className="link block">
    <bdi>{name}</bdi> {formatUsername(username)}
  </UiLink>
);

function LogProof({ proof }: Pick<LedgerTransaction, 'proof'>) {
  if (!proof) return <p className="text-small text-muted">{texts.notInLogYet}</p>;
  const { position, size, isVerified, checkpointAt, checkpoint, leaf, path } = proof;
  return (
    <>
      <p className="proof">
        <StatusDot state={isVerified ? 'on' : 'danger'}>
          {isVerified
            ? formatText(texts.verifiedAgainstCheckpoint, { time: formatExactTime(checkpointAt) })
            : formatText(texts.mismatchedCheckpoint, { time: formatExactTime(checkpointAt) })}
        </StatusDot>
        <span className="num text-muted">
          {formatText(texts.entryPosition, {
            position: position.toLocaleString('en-US'),
            size: size.toLocaleString('en-US'),
          })}
        </span>
      </p>
      <details className="pt-3">
        <summary className="link">{texts.inclusionProof}</summary>
        <p className="pt-2 text-small text-muted">{texts.inclusionProofIntro}</p>
        <ol className="ld__code num">
          {[leaf, ...path].map((hash) => (
            <li key={hash}>{hash}</li>
          ))}
        </ol>
        <p className="pt-2 text-small text-muted">{texts.theSignedCheckpoint}</p>
        <pre className="ld__code whitespace-pre-wrap">{checkpoint}</pre>
      </details>
    </>
  );
}

export function TransactionView({ view }: { view: LedgerTransaction }) {
  const { label, details, legs, users, reverses, reversedBy, proof, at, id, href } = view;
  const items = [
    { name: 'When', value: formatExactTime(at) },
    { name: 'Transaction', value: <span className="wrap-anywhere">{id}</span> },
    ...(users.length > 0 ? [{ name: texts.accountHolder, value: users.map(renderUser) }] : []),
    ...details.map(({ name, value }) => ({ name, value: <bdi className="wrap-anywhere">{value}</bdi> })),
    ...(href === null
      ? []
      : [
          {
            name: 'Subject',
            value: (
              <UiLink href={href} className="link">
                {texts.viewPost}
              </UiLink>
            ),
          },
        ]),
    ...(reverses ? [{ name: 'Reverses', value: renderTransactionLink(reverses) }] : []),
    ...(reversedBy.length > 0 ? [{ name: texts.reversedBy, value: reversedBy.map(renderTransactionLink) }] : []),
  ];
  return (
    <>
      <p className="wrap-anywhere">{label}</p>
      <div className="ld__two">
        <section aria-labelledby="legs">
          <SectionHead id="legs" title={texts.entries} />
          <Legs legs={legs} users={users} />
        </section>
        <section aria-labelledby="known">
          <SectionHead id="known" title={texts.details} />
          <DefinitionList items={items} />
        </section>
      </div>
      <section aria-labelledby="place">
        <SectionHead id="place" title={texts.inThePublicLog} />
        <LogProof proof={proof} />
      </section>
    </>
  );
}
