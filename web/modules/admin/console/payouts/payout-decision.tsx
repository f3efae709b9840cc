import {
  type AdminPayoutDetail,
  correctPayoutReference,
  decidePayout,
  getAdminPayout,
  listAdminPayouts,
  listPayoutRails,
  type PAYOUT_DECISIONS,
  recordTransferStep,
  TRANSFER_STEPS,
  type TransferStep,
} from '@stagedoor/contract/admin/payouts.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useState } from 'react';
import { formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { useViewer } from '../../../../platform/session.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { TextField } from '../../../../ui/field.tsx';
import { ActionPanel, type RecordAction, useRecordActions } from '../../../../ui/record.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { TRANSFER_STEP_TEXTS } from './payout-labels.ts';

type PayoutDecision = (typeof PAYOUT_DECISIONS)[number];
const PAYOUT_ROUTES = [listAdminPayouts, listPayoutRails, getAdminPayout];

const isOpen = ({ status }: AdminPayoutDetail) => status === 'requested' || status === 'inreview';
const isUnsent = ({ status, batchId }: AdminPayoutDetail) => status === 'approved' && batchId === null;
const isInTransfer = ({ batchId, transfer }: AdminPayoutDetail) => batchId !== null && transfer !== 'failed';

function listDecisions(view: AdminPayoutDetail, viewerName: string | undefined): RecordAction<PayoutDecision>[] {
  const { amount, net, status, approvals, approvalsNeeded, problem } = view;
  const isLastApproval = approvals.length + 1 >= approvalsNeeded;
  const approve: RecordAction<PayoutDecision> = {
    value: 'approve',
    label: 'Approve',
    shortcut: 'A',
    button: `Approve ${formatUsd(net)}`,
    note: isLastApproval
      ? 'Sent with the next batch, unless your approvals for this user within 24 hours exceed the limit.'
      : 'This amount needs a second approval.',
  };
  const reject: RecordAction<PayoutDecision> = {
    value: 'reject',
    label: 'Reject',
    shortcut: 'R',
    button: `Reject and return ${formatUsd(amount)}`,
    preview: (reason) => reason || 'Your message.',
  };
  const review: RecordAction<PayoutDecision> = {
    value: 'review',
    label: 'Start review',
    shortcut: 'V',
    button: 'Start review',
  };
  const canApprove = isOpen(view) && problem === null && !approvals.includes(viewerName ?? '');
  return [...(canApprove ? [approve] : []), reject, ...(status === 'requested' ? [review] : [])];
}

function findObstacle(view: AdminPayoutDetail, viewerName: string | undefined): string | undefined {
  if (view.problem !== null) return `Can’t be approved now. ${view.problem}`;
  const missingApprovals = view.approvalsNeeded - view.approvals.length;
  if (isOpen(view) && view.approvals.includes(viewerName ?? '') && missingApprovals > 0)
    return 'You approved this. This amount needs a second approval.';
  return undefined;
}

function useReviewPanel(view: AdminPayoutDetail) {
  const viewerName = useViewer()?.username;
  const actions = listDecisions(view, viewerName);
  const actionState = useRecordActions(actions);
  const decide = useAdminAction(decidePayout, {
    invalidates: PAYOUT_ROUTES,
    successMessage: ({ status, approvals, approvalsNeeded }) => {
      if (status === 'approved') return 'Approved. It will be sent with the next batch.';
      if (status === 'rejected') return 'Rejected. Funds returned to the user.';
      return approvals.length > 0 && approvals.length < approvalsNeeded
        ? 'Approved. Awaiting second approval.'
        : 'Review started.';
    },
    onDone: () => actionState.setReason(''),
  });
  useUnsavedChanges(actionState.reason !== '', decide.isPending);
  const obstacle = findObstacle(view, viewerName);
  const panel = (
    <>
      {view.approvals.length > 0 && (
        <p className="text-small">
          Approved by {view.approvals.map((name) => `@${name}`).join(' and ')}
          {view.approvals.length < view.approvalsNeeded && `, ${view.approvals.length} of ${view.approvalsNeeded}`}.
        </p>
      )}
      {obstacle !== undefined && <p className="text-small font-semibold">{obstacle}</p>}
      <ActionPanel
        state={actionState}
        legend="Decide"
        reason={
          actionState.chosen?.value === 'reject'
            ? createReasonField('Reason', 'The user sees this text as written.')
            : createReasonField('Reason', 'Internal note.')
        }
        busy={decide.isPending}
        error={decide.error}
        onSubmit={(decision, reason) => decide.send({ params: { id: view.id }, body: { decision, reason } })}
      />
    </>
  );
  return { panel, onKeyDown: actionState.onKeyDown };
}

/** Transfer steps that an operator records. `correct` replaces the recorded transaction on the blockchain. */
type TransferAction = TransferStep | 'correct';

function listSteps({ rail, status, reference }: AdminPayoutDetail): TransferStep[] {
  const isOnChain = rail === 'crypto' && reference !== null;
  return TRANSFER_STEPS.filter((step) => {
    if (status === 'transfered') return step === 'returned' && rail !== 'crypto';
    if (step === 'broadcast' || step === 'confirming') return rail === 'crypto';
    if (step === 'sent') return rail === 'wire';
    return step === 'paid' || !isOnChain;
  });
}

const CORRECT_ACTION: RecordAction<TransferAction> = {
  value: 'correct',
  label: 'Replace transaction ID',
  shortcut: 'T',
  button: 'Replace transaction ID',
  note: 'Use this if it was mistyped or dropped. The old ID stays in the audit log.',
};
const PAYPAL_NOTE =
  'We check with PayPal first and record its answer, whatever you choose. Unclaimed payouts are canceled. Your choice counts only if PayPal no longer has the payout.';

/** Whether a second operator must confirm that the payout failed or was returned. */
const needsSecondOperator = (
  { approvals, approvalsNeeded, claim }: AdminPayoutDetail,
  viewerName: string | undefined,
) =>
  (approvalsNeeded > 1 || approvals.every((name) => name === viewerName)) &&
  (claim === null || claim.operator === viewerName);

function ClaimNote({ view, viewerName }: { view: AdminPayoutDetail; viewerName: string | undefined }) {
  const { claim } = view;
  if (claim === null) return null;
  const claimText = claim.step === 'failed' ? 'it failed' : 'it was returned';
  return (
    <div className="grid gap-1 text-small">
      <p className="font-semibold">
        {claim.operator === viewerName
          ? `You reported that ${claimText}. Another operator must confirm it by ${formatExactTime(claim.until)}.`
          : `@${claim.operator} reported that ${claimText}. It’s recorded once you confirm it.`}
      </p>
      <p className="text-muted wrap-anywhere">
        “<bdi>{claim.reason}</bdi>”
      </p>
    </div>
  );
}

function listTransferActions(
  view: AdminPayoutDetail,
  code: string,
  viewerName: string | undefined,
): RecordAction<TransferAction>[] {
  const isPayPal = view.rail === 'paypal';
  // An operator who already reported it waits for a second one.
  const isClaimedByViewer = view.claim !== null && view.claim.operator === viewerName;
  const openSteps = listSteps(view).filter(
    (value) => !isClaimedByViewer || (value !== 'failed' && value !== 'returned'),
  );
  const steps = openSteps.map((value): RecordAction<TransferAction> => {
    const isReturn = value === 'failed' || value === 'returned';
    return {
      value,
      ...TRANSFER_STEP_TEXTS[value],
      ...(isPayPal && { note: PAYPAL_NOTE, button: 'Check with PayPal and record the result' }),
      ...(isReturn &&
        isPayPal && {
          preview: (reason: string) => `An explanation of PayPal’s answer, or: ${reason || 'your message.'}`,
        }),
      ...(isReturn &&
        !isPayPal && {
          note: needsSecondOperator(view, viewerName)
            ? view.approvalsNeeded > 1
              ? 'This amount needs a second approval within a week. Then it’s recorded.'
              : 'You approved this alone, so another operator must confirm within a week. Then it’s recorded.'
            : `${formatUsd(view.amount)} becomes available to the user again, and they get an email.`,
          preview: (reason: string) =>
            code === '' ? reason || 'Your message.' : `The meaning of bank code ${code}, or your message.`,
        }),
    };
  });
  return view.rail === 'crypto' && view.reference !== null ? [...steps, CORRECT_ACTION] : steps;
}

function useTransferPanel(view: AdminPayoutDetail) {
  const [reference, setReference] = useState('');
  const [code, setCode] = useState('');
  const viewerName = useViewer()?.username;
  const actions = listTransferActions(view, code, viewerName);
  const actionState = useRecordActions(actions);
  const correct = useAdminAction(correctPayoutReference, {
    invalidates: PAYOUT_ROUTES,
    successMessage: () => 'Transaction ID replaced.',
    onDone: () => {
      actionState.setReason('');
      setReference('');
    },
  });
  const step = useAdminAction(recordTransferStep, {
    invalidates: PAYOUT_ROUTES,
    successMessage: ({ transfer, batchId, claim }) =>
      claim !== null
        ? 'Saved. Awaiting second approval.'
        : batchId === null
          ? 'Rejected by PayPal. The payout is queued again.'
          : transfer === 'failed'
            ? 'Funds returned to the user.'
            : transfer === 'processed'
              ? 'Marked as paid.'
              : 'Saved.',
    onDone: () => actionState.setReason(''),
  });
  useUnsavedChanges(actionState.reason !== '', step.isPending || correct.isPending);
  const value = actionState.chosen?.value;
  const isReturn = value === 'failed' || value === 'returned';
  const isCorrection = value === 'correct';
  const needsReference =
    isCorrection || (view.rail === 'crypto' && view.reference === null && !isReturn && value !== undefined);
  const needsCode = isReturn && (view.rail === 'ach' || view.rail === 'wire');
  const panel = actions.length > 0 && (
    <ActionPanel
      state={actionState}
      legend="Outcome"
      reason={createReasonField('Evidence', 'For example, the bank statement.')}
      busy={step.isPending || correct.isPending}
      error={isCorrection ? correct.error : step.error}
      onSubmit={(chosen, reason) => {
        if (chosen === 'correct') {
          const body = { from: view.reference ?? '', to: reference, reason };
          correct.send({ params: { id: view.id }, body });
          return;
        }
        step.send({
          params: { id: view.id },
          body: {
            step: chosen,
            reason,
            ...(needsReference && reference !== '' && { reference }),
            ...(needsCode && code !== '' && { code }),
          },
        });
      }}
    >
      {needsReference && (
        <TextField
          label="Blockchain transaction ID"
          hint={isCorrection ? `Replaces ${view.reference}` : undefined}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value.trim())}
        />
      )}
      {needsCode && (
        <TextField
          label="Bank code"
          hint="For example R03. Optional."
          autoComplete="off"
          pattern="R\d{2}"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.trim().toUpperCase())}
        />
      )}
    </ActionPanel>
  );
  return {
    panel: (
      <>
        <ClaimNote view={view} viewerName={viewerName} />
        {panel || (view.claim === null && <p className="text-small text-muted">Nothing left to do.</p>)}
      </>
    ),
    onKeyDown: actionState.onKeyDown,
  };
}

const FINISHED = {
  panel: <p className="text-small text-muted">Closed. Nothing left to do.</p>,
  onKeyDown: () => undefined,
};

const READ_ONLY = {
  panel: <p className="text-small text-muted">You can view this. Only finance can decide.</p>,
  onKeyDown: () => undefined,
};

export function usePayoutDecision(view: AdminPayoutDetail) {
  const reviewPanel = useReviewPanel(view);
  const transferPanel = useTransferPanel(view);
  if (!useCanCallRoute(decidePayout)) return READ_ONLY;
  if (isOpen(view) || isUnsent(view)) return reviewPanel;
  return isInTransfer(view) ? transferPanel : FINISHED;
}
