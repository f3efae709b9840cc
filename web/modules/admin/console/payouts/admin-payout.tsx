import { ADMIN_PATHS, adminVerificationPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminPayoutDetail } from '@stagedoor/contract/admin/payouts.ts';
import type { VerificationStatus } from '@stagedoor/contract/compliance/verification.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { type DefinitionItem, DefinitionList, PriceSummary } from '../../../../ui/definition-list.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { RecordLayout, RecordSection } from '../../../../ui/record.tsx';
import { usePayoutDecision } from './payout-decision.tsx';
import { formatPayoutStatus, PAYOUT_SOURCE_LABELS, RAIL_LABELS } from './payout-labels.ts';
import * as texts from './texts.ts';

const VERIFICATION_LABELS: Readonly<Record<VerificationStatus, string>> = {
  started: texts.notSubmitted,
  submitted: texts.inReview,
  verified: texts.verified,
  failed: texts.unreadable,
  declined: texts.declined,
};

const DAY_MS = 24 * 60 * 60_000;

function formatAge(from: string, to: string): string {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return days < 1 ? texts.lessThanADay : formatCount(days, 'day');
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
                  !verification.hasSigned && texts.agreementNotSigned,
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
    { name: texts.sentVia, value: RAIL_LABELS[rail].name },
    { name: 'Added', value: `${formatExactTime(addedAt)}, ${formatAge(addedAt, createdAt)} before the request` },
    { name: texts.paidToMethodSoFar, value: formatCount(arrivedCount, 'payout') },
    { name: texts.requestType, value: isAutomatic ? texts.automaticPayout : 'Manual' },
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
            {operator !== null && (
              <span className="font-normal text-muted"> {formatText(texts.byOperator, { operator })}</span>
            )}
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
            {formatNodes(texts.transactionWithLink, {
              link: (
                <UiLink href={ledgerTransactionPath(transactionId)} className="underline underline-offset-4">
                  {transactionId}
                </UiLink>
              ),
            })}
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
      title={formatText(texts.payoutTitle, { amount: formatUsd(amount), name: user.name })}
      back={{ href: ADMIN_PATHS.adminPayouts, label: texts.backToPayouts }}
      onKeyDown={onKeyDown}
      action={panel}
      summary={
        <>
          <span className="text-muted num">{number}</span>
          <span className="font-semibold">{formatPayoutStatus(view)}</span>
          {batchId !== null && (
            <UiLink href={`${ADMIN_PATHS.adminPayouts}?batchId=${batchId}`} className="underline underline-offset-4">
              {texts.viewBatch}
            </UiLink>
          )}
        </>
      }
    >
      {reason !== null && (
        <p className="text-body wrap-anywhere">{formatNodes(texts.messageToUser, { reason: <bdi>{reason}</bdi> })}</p>
      )}
      <PriceSummary
        items={[
          { name: 'Requested', value: formatUsd(amount) },
          { name: texts.ourFee, value: formatUsd(-fee) },
        ]}
        total={{ name: texts.netPayout, value: formatUsd(net) }}
      />
      <RecordSection title={texts.recipient}>
        <DefinitionList items={listUserDetails(view)} strong />
      </RecordSection>
      <RecordSection title={texts.destination}>
        <DefinitionList items={listDestinationDetails(view)} strong />
      </RecordSection>
      <RecordSection
        title={texts.historyTitle}
        end={reference !== null && formatText(texts.payoutReference, { reference })}
      >
        <PayoutTimeline history={history} />
      </RecordSection>
      <RecordSection title={texts.inTheLedger}>
        <LedgerTransactions transactions={transactions} />
      </RecordSection>
    </RecordLayout>
  );
}
