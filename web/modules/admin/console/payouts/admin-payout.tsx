import { ADMIN_PATHS, adminVerificationPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminPayoutDetail } from '@stagedoor/contract/admin/payouts.ts';
import type { VerificationStatus } from '@stagedoor/contract/compliance/verification.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { type DefinitionItem, DefinitionList, PriceSummary } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { RecordLayout, RecordSection } from '../../../../ui/record.tsx';
import { usePayoutDecision } from './payout-decision.tsx';
import { formatPayoutStatus, PAYOUT_SOURCE_LABELS, RAIL_LABELS } from './payout-labels.ts';

const VERIFICATION_LABELS: Readonly<Record<VerificationStatus, string>> = {
  started: 'Not submitted',
  submitted: 'In review',
  verified: 'Verified',
  failed: 'Unreadable',
  declined: 'Declined',
};

const DAY_MS = 24 * 60 * 60_000;

function formatAge(from: string, to: string): string {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return days < 1 ? 'less than a day' : formatCount(days, 'day');
}

function listUserDetails({ user, verification, source }: AdminPayoutDetail): DefinitionItem[] {
  return [
    { name: 'Name', value: <bdi>{user.name}</bdi> },
    {
      name: 'Username',
      value: (
        <UiLink
          href={`${ADMIN_PATHS.adminPayouts}?queue=all&search=${user.username}`}
          className="underline underline-offset-4"
        >
          @{user.username}
        </UiLink>
      ),
    },
    ...(verification
      ? [
          {
            name: 'Verification',
            value: (
              <UiLink href={adminVerificationPath(user.id)} className="underline underline-offset-4">
                {[
                  VERIFICATION_LABELS[verification.status],
                  verification.decidedAt && formatExactTime(verification.decidedAt),
                  !verification.hasSigned && 'agreement not signed',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </UiLink>
            ),
          },
        ]
      : []),
    { name: 'Source', value: PAYOUT_SOURCE_LABELS[source] },
  ];
}

function listDestinationDetails({
  method,
  rail,
  destination,
  createdAt,
  isAutomatic,
}: AdminPayoutDetail): DefinitionItem[] {
  const { addedAt, problem, arrivedCount } = destination;
  return [
    { name: 'Method', value: method.label },
    { name: 'Sent via', value: RAIL_LABELS[rail].name },
    { name: 'Added', value: `${formatExactTime(addedAt)}, ${formatAge(addedAt, createdAt)} before the request` },
    { name: 'Paid to this method so far', value: formatCount(arrivedCount, 'payout') },
    { name: 'Request type', value: isAutomatic ? 'Automatic payout' : 'Manual' },
    ...(problem === null ? [] : [{ name: 'Disabled', value: problem }]),
  ];
}

function PayoutTimeline({ history }: Pick<AdminPayoutDetail, 'history'>) {
  return (
    <ol className="track">
      {history.map(({ label, at, operator, reason }, index) => (
        <li key={`${label} ${at}`} aria-current={index === history.length - 1 ? 'step' : undefined}>
          <span className="min-w-0 wrap-anywhere">
            {label}
            {operator !== null && <span className="font-normal text-muted"> by @{operator}</span>}
            {reason !== null && (
              <span className="block text-small font-normal text-muted">
                “<bdi>{reason}</bdi>”
              </span>
            )}
          </span>
          <span className="track__when num">{formatExactTime(at)}</span>
        </li>
      ))}
    </ol>
  );
}

function LedgerTransactions({ transactions }: Pick<AdminPayoutDetail, 'transactions'>) {
  return (
    <ul className="lines">
      {transactions.map(({ transactionId, title, at, legs }) => (
        <li key={transactionId} className="grid gap-2 py-3">
          <p className="flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-semibold">{title}</span>
            <span className="text-muted num">{formatExactTime(at)}</span>
          </p>
          <DefinitionList
            items={legs.map(({ account, amount }) => ({ name: account, value: formatUsd(amount, { sign: true }) }))}
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

export function AdminPayoutView({ view }: { view: AdminPayoutDetail }) {
  const { number, user, amount, fee, net, reason, reference, batchId, history, transactions } = view;
  const { panel, onKeyDown } = usePayoutDecision(view);
  return (
    <RecordLayout
      title={`${formatUsd(amount)} for ${user.name}`}
      back={{ href: ADMIN_PATHS.adminPayouts, label: 'Back to payouts' }}
      onKeyDown={onKeyDown}
      action={panel}
      summary={
        <>
          <span className="text-muted num">{number}</span>
          <span className="font-semibold">{formatPayoutStatus(view)}</span>
          {batchId !== null && (
            <UiLink href={`${ADMIN_PATHS.adminPayouts}?batchId=${batchId}`} className="underline underline-offset-4">
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
      <PriceSummary
        items={[
          { name: 'Requested', value: formatUsd(amount) },
          { name: 'Our fee', value: formatUsd(-fee) },
        ]}
        total={{ name: 'Net payout', value: formatUsd(net) }}
      />
      <RecordSection title="Recipient">
        <DefinitionList items={listUserDetails(view)} strong />
      </RecordSection>
      <RecordSection title="Destination">
        <DefinitionList items={listDestinationDetails(view)} strong />
      </RecordSection>
      <RecordSection title="History" end={reference !== null && `Reference ${reference}`}>
        <PayoutTimeline history={history} />
      </RecordSection>
      <RecordSection title="In the ledger">
        <LedgerTransactions transactions={transactions} />
      </RecordSection>
    </RecordLayout>
  );
}
