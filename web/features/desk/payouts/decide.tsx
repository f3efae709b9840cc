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
      ? 'It is sent with the next batch, unless what you approved for them within 24 hours comes above the limit with it.'
      : 'Your approval alone is not enough for a sum like this: another operator approves it as well.',
  };
  const reject: Act<Decision> = {
    value: 'reject',
    words: 'Refuse',
    letter: 'R',
    button: `Refuse, and give ${formatUsd(amount)} back`,
    told: (ground) => ground || 'What you write here.',
  };
  const review: Act<Decision> = { value: 'review', words: 'Take into review', letter: 'V', button: 'Take into review' };
  const mayApprove = isOpen(view) && problem === null && !approvals.includes(viewerName ?? '');
  return [...(mayApprove ? [approve] : []), reject, ...(status === 'requested' ? [review] : [])];
}

function obstacleOf(view: PayoutCase, viewerName: string | undefined): string | undefined {
  if (view.problem !== null) return `It cannot be approved now. ${view.problem}`;
  const missing = view.approvalsNeeded - view.approvals.length;
  if (isOpen(view) && view.approvals.includes(viewerName ?? '') && missing > 0)
    return 'You have approved it. For a sum like this another operator has to as well.';
  return undefined;
}

function useOpenDecision(view: PayoutCase) {
  const viewerName = useViewer()?.username;
  const acts = decisionsFor(view, viewerName);
  const of = useActs(acts);
  const decide = useDeskAct(decidePayout, {
    forget: FORGET,
    done: ({ status, approvals, approvalsNeeded }) => {
      if (status === 'approved') return 'Approved. It is sent with the next batch.';
      if (status === 'rejected') return 'Refused. The money is available to them again.';
      return approvals.length > 0 && approvals.length < approvalsNeeded
        ? 'You have approved it. Another operator has to as well.'
        : 'Taken into review.';
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
            ? groundFor('Why', 'Its person reads it, word for word.')
            : groundFor('Why', 'Operators read it.')
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
  words: 'It has another transaction',
  letter: 'T',
  button: 'Replace its transaction',
  note: 'For one that was mistyped or dropped. The one before stays in the audit log.',
};
const ASKED =
  'PayPal is asked first, and what it says is booked, whatever you choose. Money that nobody has claimed there is taken back. Your word alone counts only once PayPal knows of no such payout any more.';

/** Whether a second operator must confirm that the payout failed or was returned. */
const needsAnother = ({ approvals, approvalsNeeded, claim }: PayoutCase, viewerName: string | undefined) =>
  (approvalsNeeded > 1 || approvals.every((name) => name === viewerName)) &&
  (claim === null || claim.operator === viewerName);

function ClaimNote({ view, viewerName }: { view: PayoutCase; viewerName: string | undefined }) {
  const { claim } = view;
  if (claim === null) return null;
  const what = claim.step === 'failed' ? 'it failed' : 'it came back';
  return (
    <div className="grid gap-1 text-small">
      <p className="font-semibold">
        {claim.operator === viewerName
          ? `You said that ${what}. Another operator has to say so as well, until ${formatExact(claim.until)}.`
          : `@${claim.operator} says that ${what}. Once you say so as well, it is booked.`}
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
      ...(isPayPals && { note: ASKED, button: 'Ask PayPal, and book what it says' }),
      ...(isBack &&
        isPayPals && {
          told: (ground: string) => `What PayPal’s answer means, or: ${ground || 'what you write here.'}`,
        }),
      ...(isBack &&
        !isPayPals && {
          note: needsAnother(view, viewerName)
            ? view.approvalsNeeded > 1
              ? 'For a sum like this another operator says so as well, within a week. Then it is booked.'
              : 'You let it pass alone: another operator says so as well, within a week. Then it is booked.'
            : `${formatUsd(view.amount)} are available to them again, and they get a mail.`,
          told: (ground: string) =>
            code === ''
              ? ground || 'What you write here.'
              : `What the bank’s code ${code} means, or what you write here.`,
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
    done: () => 'Its transaction is replaced.',
    onDone: () => {
      of.setGround('');
      setReference('');
    },
  });
  const step = useDeskAct(stepPayout, {
    forget: FORGET,
    done: ({ transfer, batchId, claim }) =>
      claim !== null
        ? 'Noted. Another operator has to say so as well.'
        : batchId === null
          ? 'PayPal did not take it. It waits to be sent again.'
          : transfer === 'failed'
            ? 'Its money is back with its person.'
            : transfer === 'processed'
              ? 'It has arrived.'
              : 'Noted.',
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
      legend="What became of it"
      ground={groundFor('How you know', 'Such as: on the statement of the bank.')}
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
          label={isCorrected ? 'Its transaction on the chain' : 'Transaction on the chain'}
          hint={isCorrected ? `Instead of ${view.reference}` : undefined}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value.trim())}
        />
      )}
      {asksCode && (
        <TextField
          label="The bank’s code"
          hint="Such as R03, if there is one"
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
        {panel || (view.claim === null && <p className="text-small text-muted">Nothing is left to do about it.</p>)}
      </>
    ),
    onKeyDown: of.onKeyDown,
  };
}

const OVER = {
  panel: <p className="text-small text-muted">It is over: nothing is left to do about it.</p>,
  onKeyDown: () => undefined,
};

const READ_ONLY = {
  panel: <p className="text-small text-muted">Your roles let you read this. Finance decides it.</p>,
  onKeyDown: () => undefined,
};

export function useDecision(view: PayoutCase) {
  const open = useOpenDecision(view);
  const following = useFollowing(view);
  if (!useMay(decidePayout)) return READ_ONLY;
  if (isOpen(view) || isUnsent(view)) return open;
  return isFollowed(view) ? following : OVER;
}
