/**
 * Payments that need a second operator's approval, shown on the page they belong to and on the page of all approvals.
 * Any operator can refuse them.
 */

import { ADMIN_PATHS, adminSubscriptionPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  type ApprovalKind,
  type ApprovalRequest,
  formatApprovalRequest,
} from '@stagedoor/contract/admin/approval-request.ts';
import { type DecidedApproval, decideApproval, listApprovals } from '@stagedoor/contract/admin/approvals.ts';
import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { getCase, listCases } from '@stagedoor/contract/admin/cases.ts';
import { listDebtors } from '@stagedoor/contract/admin/debts.ts';
import { canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { listProcessorWebhooks } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { getAdminSubscription } from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { useState } from 'react';
import { formatExactTime } from '../../../../platform/dates.ts';
import { useRoles } from '../../../../platform/operator.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { useViewer } from '../../../../platform/session.ts';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { type ApprovalDecision, PendingApprovalPanel, RequestReason } from '../pending-approval-panel.tsx';
import { SaleList } from '../sale-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

export const approvalsQuery = () => apiQuery(listApprovals, {});

const CONFIRM_LABELS: Readonly<Record<ApprovalKind, string>> = {
  refund: texts.confirmRefund,
  won: texts.confirmChargebackReversal,
  writeOff: texts.confirmWriteOff,
  subscription: texts.confirmRefund,
};
const CONFIRMED_TEXTS: Readonly<Record<ApprovalKind, string>> = {
  refund: 'refunded',
  won: texts.chargebackReversed,
  writeOff: texts.writtenOff,
  subscription: 'refunded',
};
const SUBJECT_LINKS: Readonly<Record<ApprovalKind, { label: string; href: (subjectId: string) => string }>> = {
  refund: { label: texts.viewCase, href: casePath },
  won: { label: texts.paymentEvents, href: () => `${ADMIN_PATHS.adminProcessorWebhooks}?state=processed` },
  writeOff: { label: texts.outstandingBalances, href: () => ADMIN_PATHS.adminDebtors },
  subscription: { label: texts.viewSubscription, href: adminSubscriptionPath },
};

export function PendingApproval({
  approval,
  hasSubjectLink = false,
}: {
  approval: ApprovalRequest;
  hasSubjectLink?: boolean | undefined;
}) {
  const { id, kind, subjectId, amount, sales, queue, operator } = approval;
  const roles = useRoles();
  // Finance operators can read only cases that were routed to them, so the refunded sales are listed here.
  const isReadable = queue === null || canOperatorReadQueue(roles, queue);
  const isOwn = operator === useViewer()?.username;
  const amountText = formatUsd(amount);
  const [sentDecision, setSentDecision] = useState<ApprovalDecision>('refuse');
  const decide = useAdminAction(decideApproval, {
    invalidates: [
      listApprovals,
      getCase,
      listCases,
      listDebtors,
      listProcessorWebhooks,
      listAuditEntries,
      getAdminSubscription,
    ],
    successMessage: () =>
      sentDecision === 'confirm'
        ? `${amountText}: ${CONFIRMED_TEXTS[kind]}.`
        : formatText(texts.requestDecided, { amountText, decision: isOwn ? 'withdrawn' : 'rejected' }),
  });
  return (
    <PendingApprovalPanel
      name={amountText}
      summary={formatText(texts.requestedTo, {
        requester: isOwn ? texts.you : `@${operator}`,
        approval: formatApprovalRequest(approval),
      })}
      request={approval}
      note={isOwn ? texts.ownRequestNote : texts.pendingRequestNote}
      isOwn={isOwn}
      confirmText={CONFIRM_LABELS[kind]}
      busyText={texts.working}
      action={decide}
      onDecide={(decision, reason) => {
        setSentDecision(decision);
        decide.send({ params: { id }, body: { decision, reason } });
      }}
    >
      {sales.length > 0 && <SaleList sales={sales} label={texts.refundItems} />}
      {hasSubjectLink && isReadable && (
        <p>
          <UiLink
            href={SUBJECT_LINKS[kind].href(subjectId)}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {SUBJECT_LINKS[kind].label}
          </UiLink>
        </p>
      )}
    </PendingApprovalPanel>
  );
}

export function DecidedApprovals({ approvals }: { approvals: readonly DecidedApproval[] }) {
  return (
    <ul className="lines" aria-label={texts.recentlyDecided}>
      {approvals.map((approval) => (
        <li key={approval.id} className="grid gap-1 py-3 text-small wrap-anywhere">
          <p>
            {formatNodes(texts.operatorRequestedTo, {
              operator: approval.operator,
              approval: formatApprovalRequest(approval),
              outcome: (
                <span className="font-semibold">
                  {approval.outcome === 'confirmed'
                    ? formatText(texts.confirmedBy, { decidedBy: approval.decidedBy })
                    : approval.decidedBy === approval.operator
                      ? texts.withdrawn
                      : formatText(texts.rejectedBy, { decidedBy: approval.decidedBy })}
                </span>
              ),
              time: <span className="text-muted num">, {formatExactTime(approval.decidedAt)}</span>,
            })}
          </p>
          <RequestReason reason={approval.reason} at={approval.at} />
        </li>
      ))}
    </ul>
  );
}
