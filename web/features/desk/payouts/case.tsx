import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DESK_PATHS, ledgerTransactionPath, verificationCasePath } from '@stagedoor/contract/desk-addresses.ts';
import type { PayoutCase } from '@stagedoor/contract/payout-desk.ts';
import type { VerificationStatus } from '@stagedoor/contract/verification.ts';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { CaseFrame, CasePart } from '../../../ui/case.tsx';
import { type Fact, FactList, Sum } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { useDecision } from './decide.tsx';
import { RAIL_WORDS, SOURCE_WORDS, standingOf } from './words.ts';

const VERIFICATION: Readonly<Record<VerificationStatus, string>> = {
  started: 'Not submitted',
  submitted: 'In review',
  verified: 'Verified',
  failed: 'Unreadable',
  declined: 'Declined',
};

const DAY_MS = 24 * 60 * 60_000;

function ageOf(from: string, to: string): string {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return days < 1 ? 'less than a day' : plural(days, 'day');
}

function personFacts({ person, verification, source }: PayoutCase): Fact[] {
  return [
    { name: 'Name', value: <bdi>{person.name}</bdi> },
    {
      name: 'Username',
      value: (
        <UiLink
          href={`${DESK_PATHS.adminPayouts}?queue=all&search=${person.username}`}
          className="underline underline-offset-4"
        >
          @{person.username}
        </UiLink>
      ),
    },
    ...(verification
      ? [
          {
            name: 'Verification',
            value: (
              <UiLink href={verificationCasePath(person.id)} className="underline underline-offset-4">
                {[
                  VERIFICATION[verification.status],
                  verification.decidedAt && formatExact(verification.decidedAt),
                  !verification.hasSigned && 'agreement not signed',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </UiLink>
            ),
          },
        ]
      : []),
    { name: 'Source', value: SOURCE_WORDS[source] },
  ];
}

function destinationFacts({ method, rail, destination, createdAt, isAutomatic }: PayoutCase): Fact[] {
  const { addedAt, problem, arrived } = destination;
  return [
    { name: 'Method', value: method.words },
    { name: 'Sent via', value: RAIL_WORDS[rail].name },
    { name: 'Added', value: `${formatExact(addedAt)}, ${ageOf(addedAt, createdAt)} before the request` },
    { name: 'Paid to this method so far', value: plural(arrived, 'payout') },
    { name: 'Request type', value: isAutomatic ? 'Automatic payout' : 'Manual' },
    ...(problem === null ? [] : [{ name: 'Disabled', value: problem }]),
  ];
}

function Track({ history }: Pick<PayoutCase, 'history'>) {
  return (
    <ol className="track">
      {history.map(({ words, at, operator, ground }, index) => (
        <li key={`${words} ${at}`} aria-current={index === history.length - 1 ? 'step' : undefined}>
          <span className="min-w-0 wrap-anywhere">
            {words}
            {operator !== null && <span className="font-normal text-muted"> by @{operator}</span>}
            {ground !== null && (
              <span className="block text-small font-normal text-muted">
                “<bdi>{ground}</bdi>”
              </span>
            )}
          </span>
          <span className="track__when num">{formatExact(at)}</span>
        </li>
      ))}
    </ol>
  );
}

function Working({ working }: Pick<PayoutCase, 'working'>) {
  return (
    <ul className="lines">
      {working.map(({ transactionId, title, at, lines }) => (
        <li key={transactionId} className="grid gap-2 py-3">
          <p className="flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-semibold">{title}</span>
            <span className="text-muted num">{formatExact(at)}</span>
          </p>
          <FactList
            facts={lines.map(({ account, amount }) => ({ name: account, value: formatUsd(amount, { sign: true }) }))}
          />
          <p className="text-small text-muted num wrap-anywhere">
            Transaction{' '}
            <UiLink href={ledgerTransactionPath(transactionId)} className="underline underline-offset-4">
              {transactionId}
            </UiLink>
          </p>
        </li>
      ))}
    </ul>
  );
}

export function PayoutCaseView({ view }: { view: PayoutCase }) {
  const { number, person, amount, fee, net, reason, reference, batchId, history, working } = view;
  const { panel, onKeyDown } = useDecision(view);
  return (
    <CaseFrame
      title={`${formatUsd(amount)} for ${person.name}`}
      back={{ href: DESK_PATHS.adminPayouts, label: 'Back to payouts' }}
      onKeyDown={onKeyDown}
      act={panel}
      line={
        <>
          <span className="text-muted num">{number}</span>
          <span className="font-semibold">{standingOf(view)}</span>
          {batchId !== null && (
            <UiLink href={`${DESK_PATHS.adminPayouts}?batchId=${batchId}`} className="underline underline-offset-4">
              View batch
            </UiLink>
          )}
        </>
      }
    >
      {reason !== null && (
        <p className="text-body wrap-anywhere">
          Message to user: “<bdi>{reason}</bdi>”
        </p>
      )}
      <Sum
        lines={[
          { name: 'Requested', value: formatUsd(amount) },
          { name: 'Our fee', value: formatUsd(-fee) },
        ]}
        total={{ name: 'Net payout', value: formatUsd(net) }}
      />
      <CasePart title="Recipient">
        <FactList facts={personFacts(view)} strong />
      </CasePart>
      <CasePart title="Destination">
        <FactList facts={destinationFacts(view)} strong />
      </CasePart>
      <CasePart title="History" end={reference !== null && `Reference ${reference}`}>
        <Track history={history} />
      </CasePart>
      <CasePart title="In the ledger">
        <Working working={working} />
      </CasePart>
    </CaseFrame>
  );
}
