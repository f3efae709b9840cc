import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import {
  correctReference,
  decidePayout,
  listDeskPayouts,
  listPayoutRails,
  type PAYOUT_DECISIONS,
  type PayoutCase,
  readDeskPayout,
  stepPayout,
  TRANSFER_STEPS,
  type TransferStep,
} from '@stagedoor/contract/payout-desk.ts';
import { useState } from 'react';
import { formatExact } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { useViewer } from '../../../kernel/session.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { type Act, ActPanel, useActs } from '../../../ui/case.tsx';
import { TextField } from '../../../ui/field.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { STEP_WORDS } from './words.ts';

type Decision = (typeof PAYOUT_DECISIONS)[number];
const FORGET = [listDeskPayouts, listPayoutRails, readDeskPayout];

const isOpen = ({ status }: PayoutCase) => status === 'requested' || status === 'inreview';
const isUnsent = ({ status, batchId }: PayoutCase) => status === 'approved' && batchId === null;
const isFollowed = ({ batchId, transfer }: PayoutCase) => batchId !== null && transfer !== 'failed';

function decisionsFor(view: PayoutCase, viewerName: string | undefined): Act<Decision>[] {
  const { amount, net, status, approvals, approvalsNeeded, problem } = view;
  const isEnough = approvals.length + 1 >= approvalsNeeded;
  const approve: Act<Decision> = {
    value: 'approve',
    words: 'Approve',
    letter: 'A',
    button: `Approve ${formatUsd(net)}`,
    note: isEnough
      ? 'Sent with the next batch, unless your approvals for this user within 24 hours exceed the limit.'
      : 'This amount needs a second approval.',
  };
  const reject: Act<Decision> = {
    value: 'reject',
    words: 'Reject',
    letter: 'R',
    button: `Reject and return ${formatUsd(amount)}`,
    told: (ground) => ground || 'Your message.',
  };
  const review: Act<Decision> = { value: 'review', words: 'Start review', letter: 'V', button: 'Start review' };
  const mayApprove = isOpen(view) && problem === null && !approvals.includes(viewerName ?? '');
  return [...(mayApprove ? [approve] : []), reject, ...(status === 'requested' ? [review] : [])];
}

function obstacleOf(view: PayoutCase, viewerName: string | undefined): string | undefined {
  if (view.problem !== null) return `Can’t be approved now. ${view.problem}`;
  const missing = view.approvalsNeeded - view.approvals.length;
  if (isOpen(view) && view.approvals.includes(viewerName ?? '') && missing > 0)
    return 'You approved this. This amount needs a second approval.';
  return undefined;
}

function useOpenDecision(view: PayoutCase) {
  const viewerName = useViewer()?.username;
  const acts = decisionsFor(view, viewerName);
  const of = useActs(acts);
  const decide = useDeskAct(decidePayout, {
    forget: FORGET,
    done: ({ status, approvals, approvalsNeeded }) => {
      if (status === 'approved') return 'Approved. It will be sent with the next batch.';
      if (status === 'rejected') return 'Rejected. Funds returned to the user.';
      return approvals.length > 0 && approvals.length < approvalsNeeded
        ? 'Approved. Awaiting second approval.'
        : 'Review started.';
    },
    onDone: () => of.setGround(''),
  });
  useStake(of.ground !== '', decide.isPending);
  const obstacle = obstacleOf(view, viewerName);
  const panel = (
    <>
      {view.approvals.length > 0 && (
        <p className="text-small">
          Approved by {view.approvals.map((name) => `@${name}`).join(' and ')}
          {view.approvals.length < view.approvalsNeeded && `, ${view.approvals.length} of ${view.approvalsNeeded}`}.
        </p>
      )}
      {obstacle !== undefined && <p className="text-small font-semibold">{obstacle}</p>}
      <ActPanel
        of={of}
        legend="Decide"
        ground={
          of.chosen?.value === 'reject'
            ? groundFor('Reason', 'The user sees this text as written.')
            : groundFor('Reason', 'Internal note.')
        }
        busy={decide.isPending}
        error={decide.error}
        onAct={(decision, ground) => decide.send({ params: { id: view.id }, body: { decision, ground } })}
      />
    </>
  );
  return { panel, onKeyDown: of.onKeyDown };
}

/** Transfer steps that an operator records. `correct` replaces the recorded transaction on the blockchain. */
type Following = TransferStep | 'correct';

function stepsFor({ rail, status, reference }: PayoutCase): TransferStep[] {
  const isOnChain = rail === 'crypto' && reference !== null;
  return TRANSFER_STEPS.filter((step) => {
    if (status === 'transfered') return step === 'returned' && rail !== 'crypto';
    if (step === 'broadcast' || step === 'confirming') return rail === 'crypto';
    if (step === 'sent') return rail === 'wire';
    return step === 'paid' || !isOnChain;
  });
}

const CORRECT: Act<Following> = {
  value: 'correct',
  words: 'Replace transaction ID',
  letter: 'T',
  button: 'Replace transaction ID',
  note: 'Use this if it was mistyped or dropped. The old ID stays in the audit log.',
};
const ASKED =
  'We check with PayPal first and record its answer, whatever you choose. Unclaimed payouts are canceled. Your choice counts only if PayPal no longer has the payout.';

/** Whether a second operator must confirm that the payout failed or was returned. */
const needsAnother = ({ approvals, approvalsNeeded, claim }: PayoutCase, viewerName: string | undefined) =>
  (approvalsNeeded > 1 || approvals.every((name) => name === viewerName)) &&
  (claim === null || claim.operator === viewerName);

function ClaimNote({ view, viewerName }: { view: PayoutCase; viewerName: string | undefined }) {
  const { claim } = view;
  if (claim === null) return null;
  const what = claim.step === 'failed' ? 'it failed' : 'it was returned';
  return (
    <div className="grid gap-1 text-small">
      <p className="font-semibold">
        {claim.operator === viewerName
          ? `You reported that ${what}. Another operator must confirm it by ${formatExact(claim.until)}.`
          : `@${claim.operator} reported that ${what}. It’s recorded once you confirm it.`}
      </p>
      <p className="text-muted wrap-anywhere">
        “<bdi>{claim.ground}</bdi>”
      </p>
    </div>
  );
}

function actsFor(view: PayoutCase, code: string, viewerName: string | undefined): Act<Following>[] {
  const isPayPals = view.rail === 'paypal';
  // An operator who already reported it waits for a second one.
  const isSaid = view.claim !== null && view.claim.operator === viewerName;
  const open = stepsFor(view).filter((value) => !isSaid || (value !== 'failed' && value !== 'returned'));
  const steps = open.map((value): Act<Following> => {
    const isBack = value === 'failed' || value === 'returned';
    return {
      value,
      ...STEP_WORDS[value],
      ...(isPayPals && { note: ASKED, button: 'Check with PayPal and record the result' }),
      ...(isBack &&
        isPayPals && {
          told: (ground: string) => `An explanation of PayPal’s answer, or: ${ground || 'your message.'}`,
        }),
      ...(isBack &&
        !isPayPals && {
          note: needsAnother(view, viewerName)
            ? view.approvalsNeeded > 1
              ? 'This amount needs a second approval within a week. Then it’s recorded.'
              : 'You approved this alone, so another operator must confirm within a week. Then it’s recorded.'
            : `${formatUsd(view.amount)} becomes available to the user again, and they get an email.`,
          told: (ground: string) =>
            code === '' ? ground || 'Your message.' : `The meaning of bank code ${code}, or your message.`,
        }),
    };
  });
  return view.rail === 'crypto' && view.reference !== null ? [...steps, CORRECT] : steps;
}

function useFollowing(view: PayoutCase) {
  const [reference, setReference] = useState('');
  const [code, setCode] = useState('');
  const viewerName = useViewer()?.username;
  const acts = actsFor(view, code, viewerName);
  const of = useActs(acts);
  const correct = useDeskAct(correctReference, {
    forget: FORGET,
    done: () => 'Transaction ID replaced.',
    onDone: () => {
      of.setGround('');
      setReference('');
    },
  });
  const step = useDeskAct(stepPayout, {
    forget: FORGET,
    done: ({ transfer, batchId, claim }) =>
      claim !== null
        ? 'Saved. Awaiting second approval.'
        : batchId === null
          ? 'Rejected by PayPal. The payout is queued again.'
          : transfer === 'failed'
            ? 'Funds returned to the user.'
            : transfer === 'processed'
              ? 'Marked as paid.'
              : 'Saved.',
    onDone: () => of.setGround(''),
  });
  useStake(of.ground !== '', step.isPending || correct.isPending);
  const value = of.chosen?.value;
  const isBack = value === 'failed' || value === 'returned';
  const isCorrected = value === 'correct';
  const asksReference =
    isCorrected || (view.rail === 'crypto' && view.reference === null && !isBack && value !== undefined);
  const asksCode = isBack && (view.rail === 'ach' || view.rail === 'wire');
  const panel = acts.length > 0 && (
    <ActPanel
      of={of}
      legend="Outcome"
      ground={groundFor('Evidence', 'For example, the bank statement.')}
      busy={step.isPending || correct.isPending}
      error={isCorrected ? correct.error : step.error}
      onAct={(chosen, ground) => {
        if (chosen === 'correct') {
          const body = { from: view.reference ?? '', to: reference, ground };
          correct.send({ params: { id: view.id }, body });
          return;
        }
        step.send({
          params: { id: view.id },
          body: {
            step: chosen,
            ground,
            ...(asksReference && reference !== '' && { reference }),
            ...(asksCode && code !== '' && { code }),
          },
        });
      }}
    >
      {asksReference && (
        <TextField
          label="Blockchain transaction ID"
          hint={isCorrected ? `Replaces ${view.reference}` : undefined}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value.trim())}
        />
      )}
      {asksCode && (
        <TextField
          label="Bank code"
          hint="For example R03. Optional."
          autoComplete="off"
          pattern="R\d{2}"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.trim().toUpperCase())}
        />
      )}
    </ActPanel>
  );
  return {
    panel: (
      <>
        <ClaimNote view={view} viewerName={viewerName} />
        {panel || (view.claim === null && <p className="text-small text-muted">Nothing left to do.</p>)}
      </>
    ),
    onKeyDown: of.onKeyDown,
  };
}

const OVER = {
  panel: <p className="text-small text-muted">Closed. Nothing left to do.</p>,
  onKeyDown: () => undefined,
};

const READ_ONLY = {
  panel: <p className="text-small text-muted">You can view this. Only finance can decide.</p>,
  onKeyDown: () => undefined,
};

export function useDecision(view: PayoutCase) {
  const open = useOpenDecision(view);
  const following = useFollowing(view);
  if (!useMay(decidePayout)) return READ_ONLY;
  if (isOpen(view) || isUnsent(view)) return open;
  return isFollowed(view) ? following : OVER;
}
