import { VERIFIED_MESSAGE, type Verification } from '@stagedoor/contract/compliance/verification.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { ReactNode } from 'react';
import { formatDay, formatDayTime, lowercaseDayWord } from '../../../platform/dates.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StepFrame } from './step-frame.tsx';
import { getNextStep, getStepNumber, isReadyToSubmit, STEP_COUNT, toPagePath } from './steps.ts';
import * as texts from './texts.ts';
import {
  formatAnswerTime,
  formatDocumentSide,
  getDocumentName,
  getStatusTitle,
  toDeadline,
} from './verification-labels.ts';

type StatusItem = { name: string; state: 'done' | 'again' | 'open'; end: string };

export function listStatusItems(verification: Verification, now: string): StatusItem[] {
  const { status, details, documents, legalStatus, agreement } = verification;
  const isDecided = status === 'failed' || status === 'declined';
  const type = details?.documentType ?? 'identityCard';
  const pictures = documents.map(({ kind, state, uploadedAt }): StatusItem => {
    const name = getDocumentName(kind, type);
    if (state === 'rejected') return { name, state: 'again', end: texts.retake };
    if (uploadedAt === null) return { name, state: 'open', end: texts.missing };
    if (state === 'approved') return { name, state: 'done', end: isDecided ? texts.accepted : texts.approved };
    return { name, state: 'done', end: formatDayTime(uploadedAt, now) };
  });
  const toAgreementItem = (): StatusItem => {
    if (legalStatus === 'pending') return { name: 'Agreement', state: 'open', end: texts.notSigned };
    if (legalStatus === 'outdated') return { name: 'Agreement', state: 'open', end: texts.newVersionToSign };
    const at = agreement.signedAt;
    return {
      name: texts.agreementSigned,
      state: 'done',
      end: isDecided || !at ? texts.accepted : formatDayTime(at, now),
    };
  };
  const first: StatusItem[] = details
    ? [{ name: 'Details', state: 'done', end: isDecided ? texts.accepted : texts.done }]
    : [];
  return [...first, ...pictures, toAgreementItem()];
}

function StatusItems({ items }: { items: readonly StatusItem[] }) {
  return (
    <ul className="v-ticks" aria-label={texts.yourDocuments}>
      {items.map(({ name, state, end }) => (
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
          {rejected.length > 1 && `${getDocumentName(kind, details?.documentType ?? 'identityCard')}: `}
          <b className="font-semibold" dir="auto">
            {reason}
          </b>
        </p>
      ))}
    </div>
  );
}

function AnswerTime({ answerBy, now }: { answerBy: string; now: string }) {
  const { tone, label } = toDeadline(answerBy, now);
  return (
    <div className="v-why">
      <p>
        <span className="font-semibold">
          <StatusDot state={tone === 'on' ? 'busy' : tone}>{label}</StatusDot>
        </span>
        <br />
        {formatText(texts.setUpPageMeanwhile, { answerTime: formatAnswerTime(answerBy, now) })}
      </p>
    </div>
  );
}

function StatusActions({ verification }: { verification: Verification }): ReactNode {
  const { status, documents, details, legalStatus } = verification;
  const type = details?.documentType ?? 'identityCard';
  const largeButton = { size: 'lg', wide: true } as const;
  if (status === 'submitted')
    return (
      <Button {...largeButton} href={PATHS.creatorProfile}>
        {texts.setUpMyPage}
      </Button>
    );
  if (status === 'verified')
    return legalStatus === 'accepted' ? (
      <Button {...largeButton} href={PATHS.creatorDashboard}>
        {texts.goToDashboard}
      </Button>
    ) : (
      <Button variant="primary" {...largeButton} href={toPagePath('agreement')}>
        {texts.readAndSign}
      </Button>
    );
  const next = getNextStep(verification);
  const rejected = documents.find(({ state }) => state === 'rejected');
  const needsOtherDocument = status === 'declined' && rejected !== undefined && rejected.kind !== 'selfie';
  const retakeLabel =
    rejected && formatText(texts.retakeDocument, { documentSide: formatDocumentSide(rejected.kind, type) });
  return (
    <>
      {needsOtherDocument ? (
        <>
          <Button variant="primary" {...largeButton} href={toPagePath('details')}>
            {texts.useAnotherDocument}
          </Button>
          <Button wide href={toPagePath(rejected.kind)}>
            {retakeLabel}
          </Button>
        </>
      ) : (
        <Button variant="primary" {...largeButton} href={toPagePath(rejected?.kind ?? next)}>
          {retakeLabel ?? (isReadyToSubmit(verification) ? texts.resubmit : texts.continueButton)}
        </Button>
      )}
      <Button variant="quiet" wide href={`${CASE_PATHS.creatorHelpdesk}?tab=new`}>
        {texts.contactSupport}
      </Button>
    </>
  );
}

/** `now` is an ISO timestamp. */
export function ReviewStatus({ verification, now }: { verification: Verification; now: string }) {
  const { status, message, submittedAt, decidedAt, answerBy } = verification;
  const statusMessage = message ?? (status === 'verified' ? VERIFIED_MESSAGE : undefined);
  const isDone = status === 'verified' || status === 'submitted';
  const at = status === 'verified' ? decidedAt : submittedAt;
  const verb = status === 'verified' ? texts.verified : texts.sent;
  return (
    <StepFrame
      page="verdict"
      previousPage={undefined}
      caption={at ? `${verb} ${lowercaseDayWord(formatDay(at, now))}` : undefined}
      reached={isDone ? STEP_COUNT : getStepNumber(getNextStep(verification))}
      title={getStatusTitle(verification)}
      foot={<StatusActions verification={verification} />}
    >
      {statusMessage && <p className="v-said">{statusMessage}</p>}
      <Reasons verification={verification} />
      <StatusItems items={listStatusItems(verification, now)} />
      {status === 'submitted' && answerBy && <AnswerTime answerBy={answerBy} now={now} />}
    </StepFrame>
  );
}
