import { PATHS } from '@stagedoor/contract/addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { VERIFIED_WORDS, type Verification } from '@stagedoor/contract/verification.ts';
import type { ReactNode } from 'react';
import { formatDay, formatDayTime, withinSentence } from '../../kernel/dates.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StepFrame } from './step-frame.tsx';
import { isComplete, nextStep, numberOf, placeAddress, STEP_COUNT } from './steps.ts';
import { clockOf, nameOf, promiseOf, sideOf, verdictTitle } from './words.ts';

type Line = { name: string; state: 'done' | 'again' | 'open'; end: string };

export function linesOf(verification: Verification, now: string): Line[] {
  const { status, details, documents, legalStatus, agreement } = verification;
  const isDecided = status === 'failed' || status === 'declined';
  const type = details?.documentType ?? 'identityCard';
  const pictures = documents.map(({ kind, state, takenAt }): Line => {
    const name = nameOf(kind, type);
    if (state === 'rejected') return { name, state: 'again', end: 'Retake' };
    if (takenAt === null) return { name, state: 'open', end: 'Missing' };
    if (state === 'approved') return { name, state: 'done', end: isDecided ? 'Accepted' : 'Approved' };
    return { name, state: 'done', end: formatDayTime(takenAt, now) };
  });
  const signed = (): Line => {
    if (legalStatus === 'pending') return { name: 'Agreement', state: 'open', end: 'Not signed' };
    if (legalStatus === 'outdated') return { name: 'Agreement', state: 'open', end: 'New version to sign' };
    const at = agreement.signedAt;
    return { name: 'Agreement signed', state: 'done', end: isDecided || !at ? 'Accepted' : formatDayTime(at, now) };
  };
  const first: Line[] = details ? [{ name: 'Details', state: 'done', end: isDecided ? 'Accepted' : 'Done' }] : [];
  return [...first, ...pictures, signed()];
}

function Ticks({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className="v-ticks" aria-label="Your documents">
      {lines.map(({ name, state, end }) => (
        <li key={name} data-again={state === 'again' ? '' : undefined}>
          {state === 'open' ? (
            <span className="v-hollow" aria-hidden="true" />
          ) : (
            <Icon name={state === 'again' ? 'warning' : 'check'} size={18} />
          )}
          <span className="wrap-anywhere">{name}</span>
          <span className="num">{end}</span>
        </li>
      ))}
    </ul>
  );
}

function Reasons({ verification: { documents, details } }: { verification: Verification }) {
  const rejected = documents.filter(({ state, reason }) => state === 'rejected' && reason !== null);
  if (rejected.length === 0) return null;
  return (
    <div className="v-why">
      {rejected.map(({ kind, reason }) => (
        <p key={kind}>
          {rejected.length > 1 && `${nameOf(kind, details?.documentType ?? 'identityCard')}: `}
          <b className="font-semibold" dir="auto">
            {reason}
          </b>
        </p>
      ))}
    </div>
  );
}

function Promised({ answerBy, now }: { answerBy: string; now: string }) {
  const { lamp, words } = clockOf(answerBy, now);
  return (
    <div className="v-why">
      <p>
        <span className="font-semibold">
          <Lamp state={lamp === 'on' ? 'busy' : lamp}>{words}</Lamp>
        </span>
        <br />
        {promiseOf(answerBy, now)} You can set up your page in the meantime.
      </p>
    </div>
  );
}

function Acts({ verification }: { verification: Verification }): ReactNode {
  const { status, documents, details, legalStatus } = verification;
  const type = details?.documentType ?? 'identityCard';
  const big = { size: 'lg', wide: true } as const;
  if (status === 'submitted')
    return (
      <Button {...big} href={PATHS.creatorProfile}>
        Set up my page
      </Button>
    );
  if (status === 'verified')
    return legalStatus === 'accepted' ? (
      <Button {...big} href={PATHS.creatorDashboard}>
        Go to dashboard
      </Button>
    ) : (
      <Button variant="primary" {...big} href={placeAddress('agreement')}>
        Read and sign
      </Button>
    );
  const next = nextStep(verification);
  const rejected = documents.find(({ state }) => state === 'rejected');
  const isOther = status === 'declined' && rejected !== undefined && rejected.kind !== 'selfie';
  const again = rejected && `Retake ${sideOf(rejected.kind, type)}`;
  return (
    <>
      {isOther ? (
        <>
          <Button variant="primary" {...big} href={placeAddress('details')}>
            Use another document
          </Button>
          <Button wide href={placeAddress(rejected.kind)}>
            {again}
          </Button>
        </>
      ) : (
        <Button variant="primary" {...big} href={placeAddress(rejected?.kind ?? next)}>
          {again ?? (isComplete(verification) ? 'Resubmit' : 'Continue')}
        </Button>
      )}
      <Button variant="quiet" wide href={`${CASE_PATHS.creatorHelpdesk}?tab=new`}>
        Contact support
      </Button>
    </>
  );
}

/** `now` is an ISO timestamp. */
export function Verdict({ verification, now }: { verification: Verification; now: string }) {
  const { status, message, submittedAt, decidedAt, answerBy } = verification;
  const said = message ?? (status === 'verified' ? VERIFIED_WORDS : undefined);
  const isDone = status === 'verified' || status === 'submitted';
  const at = status === 'verified' ? decidedAt : submittedAt;
  const word = status === 'verified' ? 'Verified' : 'Sent';
  return (
    <StepFrame
      place="verdict"
      before={undefined}
      caption={at ? `${word} ${withinSentence(formatDay(at, now))}` : undefined}
      reached={isDone ? STEP_COUNT : numberOf(nextStep(verification))}
      title={verdictTitle(verification)}
      foot={<Acts verification={verification} />}
    >
      {said && <p className="v-said">{said}</p>}
      <Reasons verification={verification} />
      <Ticks lines={linesOf(verification, now)} />
      {status === 'submitted' && answerBy && <Promised answerBy={answerBy} now={now} />}
    </StepFrame>
  );
}
