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
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useState } from 'react';
import { formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { useViewer } from '../../../../platform/session.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { TextField } from '../../../../ui/field.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { ActionPanel, type RecordAction, useRecordActions } from '../../../../ui/record.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { TRANSFER_STEP_TEXTS } from './payout-labels.ts';
import * as texts from './texts.ts';

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
    label: texts.approve,
    shortcut: 'A',
    button: formatText(texts.approveNet, { net: formatUsd(net) }),
    note: isLastApproval ? texts.approveConsequence : texts.secondApprovalNotice,
  };
  const reject: RecordAction<PayoutDecision> = {
    value: 'reject',
    label: texts.reject,
    shortcut: 'R',
    button: formatText(texts.rejectAndReturn, { amount: formatUsd(amount) }),
    preview: (reason) => reason || texts.messagePlaceholder,
  };
  const review: RecordAction<PayoutDecision> = {
    value: 'review',
    label: texts.startReview,
    shortcut: 'V',
    button: texts.startReview,
  };
  const canApprove = isOpen(view) && problem === null && !approvals.includes(viewerName ?? '');
  return [...(canApprove ? [approve] : []), reject, ...(status === 'requested' ? [review] : [])];
}

function findObstacle(view: AdminPayoutDetail, viewerName: string | undefined): string | undefined {
  if (view.problem !== null) return formatText(texts.cannotBeApproved, { problem: view.problem });
  const missingApprovals = view.approvalsNeeded - view.approvals.length;
  if (isOpen(view) && view.approvals.includes(viewerName ?? '') && missingApprovals > 0)
    return texts.approvedByYouNotice;
  return undefined;
}

function useReviewPanel(view: AdminPayoutDetail) {
  const viewerName = useViewer()?.username;
  const actions = listDecisions(view, viewerName);
  const actionState = useRecordActions(actions);
  const decide = useAdminAction(decidePayout, {
    invalidates: PAYOUT_ROUTES,
    successMessage: ({ status, approvals, approvalsNeeded }) => {
      if (status === 'approved') return texts.approvedForNextBatch;
      if (status === 'rejected') return texts.rejectedFundsReturned;
      return approvals.length > 0 && approvals.length < approvalsNeeded
        ? texts.approvedAwaitingSecondApproval
        : texts.reviewStarted;
    },
    onDone: () => actionState.setReason(''),
  });
  useUnsavedChanges(actionState.reason !== '', decide.isPending);
  const obstacle = findObstacle(view, viewerName);
  const panel = (
    <>
      {view.approvals.length > 0 && (
        <p className="text-small">
          {formatNodes(texts.approvedBy, {
            operators: view.approvals.map((name) => `@${name}`).join(' and '),
            progress:
              view.approvals.length < view.approvalsNeeded &&
              formatText(texts.approvalProgress, {
                approvalCount: view.approvals.length,
                approvalsNeeded: view.approvalsNeeded,
              }),
          })}
        </p>
      )}
      {obstacle !== undefined && <p className="text-small font-semibold">{obstacle}</p>}
      <ActionPanel
        state={actionState}
        legend={texts.decide}
        reason={
          actionState.chosen?.value === 'reject'
            ? createReasonField(texts.reasonField, texts.userSeesReasonHint)
            : createReasonField(texts.reasonField, texts.internalNoteHint)
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
  label: texts.replaceTransactionId,
  shortcut: 'T',
  button: texts.replaceTransactionId,
  note: texts.replaceTransactionIdHint,
};
const PAYPAL_NOTE = texts.paypalCheckNotice;

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
  const claimText = claim.step === 'failed' ? texts.itFailed : texts.itWasReturned;
  return (
    <div className="grid gap-1 text-small">
      <p className="font-semibold">
        {claim.operator === viewerName
          ? formatText(texts.ownReportNotice, { claim: claimText, deadline: formatExactTime(claim.until) })
          : formatText(texts.operatorReportNotice, { operator: claim.operator, claim: claimText })}
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
      ...(isPayPal && { note: PAYPAL_NOTE, button: texts.checkPaypalAndRecord }),
      ...(isReturn &&
        isPayPal && {
          preview: (reason: string) =>
            formatText(texts.paypalExplanationPreview, { reason: reason || texts.messagePlaceholderInline }),
        }),
      ...(isReturn &&
        !isPayPal && {
          note: needsSecondOperator(view, viewerName)
            ? view.approvalsNeeded > 1
              ? texts.outcomeSecondApprovalNotice
              : texts.approvedAloneNotice
            : formatText(texts.fundsReturnConsequence, { amount: formatUsd(view.amount) }),
          preview: (reason: string) =>
            code === '' ? reason || texts.messagePlaceholder : formatText(texts.bankCodeMessagePreview, { code }),
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
    successMessage: () => texts.transactionIdReplaced,
    onDone: () => {
      actionState.setReason('');
      setReference('');
    },
  });
  const step = useAdminAction(recordTransferStep, {
    invalidates: PAYOUT_ROUTES,
    successMessage: ({ transfer, batchId, claim }) =>
      claim !== null
        ? texts.savedAwaitingSecondApproval
        : batchId === null
          ? texts.paypalRejectedPayout
          : transfer === 'failed'
            ? texts.fundsReturnedToTheUser
            : transfer === 'processed'
              ? texts.markedAsPaid
              : texts.saved,
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
      legend={texts.outcome}
      reason={createReasonField(texts.evidence, texts.evidenceHint)}
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
          label={texts.blockchainTransactionId}
          hint={isCorrection ? formatText(texts.replacesReference, { reference: String(view.reference) }) : undefined}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value.trim())}
        />
      )}
      {needsCode && (
        <TextField
          label={texts.bankCode}
          hint={texts.bankCodeHint}
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
        {panel || (view.claim === null && <p className="text-small text-muted">{texts.nothingLeftToDo}</p>)}
      </>
    ),
    onKeyDown: actionState.onKeyDown,
  };
}

const FINISHED = {
  panel: <p className="text-small text-muted">{texts.closedNothingLeftToDo}</p>,
  onKeyDown: () => undefined,
};

const READ_ONLY = {
  panel: <p className="text-small text-muted">{texts.financeOnlyNotice}</p>,
  onKeyDown: () => undefined,
};

export function usePayoutDecision(view: AdminPayoutDetail) {
  const reviewPanel = useReviewPanel(view);
  const transferPanel = useTransferPanel(view);
  if (!useCanCallRoute(decidePayout)) return READ_ONLY;
  if (isOpen(view) || isUnsent(view)) return reviewPanel;
  return isInTransfer(view) ? transferPanel : FINISHED;
}
