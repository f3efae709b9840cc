import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import {
  DOCUMENT_TYPES,
  type getAdminVerification,
  VERIFICATION_DECISIONS,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { type KeyboardEvent, useState } from 'react';
import { Deadline } from '../../../../ui/deadline.tsx';
import '../verification.css';
import { formatDay, formatExactTime, lowercaseDayWord } from '../../../../platform/dates.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { isPlainKey } from '../../../../ui/keys.ts';
import { RecordLayout } from '../../../../ui/record.tsx';
import { getDocumentName, toDeadline } from '../verification-labels.ts';
import { ZoomPicture } from '../zoom-picture.tsx';
import { chooseDecision, type DecisionDraft, DecisionPanel } from './decision.tsx';
import { QUEUE_LABELS, toPictureUrl, type VerificationQueue } from './queries.ts';
import { DECISIONS, type Decision } from './reasons.ts';
import * as texts from './texts.ts';

export type AdminVerification = ResponseOf<typeof getAdminVerification>;

const STATE_LABELS = {
  pending: texts.missing,
  submitted: texts.toReview,
  rejected: texts.rejected,
  approved: texts.accepted,
} as const;

export function calculateAge(day: string, dateOfBirth: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return day.slice(5, 10) < dateOfBirth.slice(5, 10) ? years - 1 : years;
}

/** Returns the English name of a country. Browser and server may use different names, so the code is shown as well. */
const formatCountry = (code: string) => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;

function Details({ details, agreement, submittedAt, now }: Verification & { now: string }) {
  const items = [
    ...(details
      ? [
          { name: texts.legalName, value: <bdi>{details.legalName}</bdi> },
          {
            name: texts.dateOfBirth,
            value: `${formatDay(details.dateOfBirth, now)}, ${calculateAge(now, details.dateOfBirth)} years old`,
          },
          { name: 'Country', value: <span suppressHydrationWarning>{formatCountry(details.country)}</span> },
          { name: 'Document', value: DOCUMENT_TYPES[details.documentType] },
        ]
      : []),
    { name: 'Submitted', value: submittedAt ? formatExactTime(submittedAt) : texts.notSubmittedYet },
    {
      name: 'Agreement',
      value: agreement.signedAt ? `Signed ${formatExactTime(agreement.signedAt)}` : texts.agreementNotSigned,
    },
  ];
  return (
    <section aria-label={texts.details}>
      <DefinitionList items={items} strong />
    </section>
  );
}

function Documents({ view }: { view: AdminVerification }) {
  const type = view.details?.documentType ?? 'identityCard';
  return (
    <section aria-label={texts.documents} className="v-pictures">
      {view.documents.map(({ kind, state, uploadedAt, reason }) => (
        <figure key={kind} className="min-w-0">
          <div className="v-cam" data-shape={kind === 'selfie' ? 'face' : 'card'}>
            {uploadedAt ? (
              <ZoomPicture
                src={toPictureUrl(view.creator.id, kind)}
                alt={getDocumentName(kind, type)}
                brokenMessage={texts.photoUnavailable}
              />
            ) : (
              <p className="v-cam__words">{texts.missing}</p>
            )}
          </div>
          <figcaption className="pt-2 text-small">
            <b className="font-semibold">{getDocumentName(kind, type)}</b>
            <span className="text-muted"> · {STATE_LABELS[state]}</span>
            {reason && <span className="block text-muted wrap-anywhere">{reason}</span>}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

export interface AdminVerificationRecordProps {
  view: AdminVerification;
  /** An ISO timestamp. */
  now: string;
  onDecided: (outcome: Decision | 'over') => void;
}

export function AdminVerificationRecord({ view, now, onDecided }: AdminVerificationRecordProps) {
  const [draft, setDraft] = useState<DecisionDraft>({ reasons: {} });
  const { creator, status, answerBy, decidedAt, documents, details } = view;
  const isOpen = status === 'submitted';
  const handleKey = (event: KeyboardEvent) => {
    const decision = VERIFICATION_DECISIONS.find((each) => DECISIONS[each].key === event.key.toUpperCase());
    if (isOpen && decision && isPlainKey(event)) setDraft(chooseDecision(draft, decision));
  };
  const queue: VerificationQueue = status === 'started' ? 'submitted' : status;
  return (
    <RecordLayout
      title={creator.name}
      back={{ href: ADMIN_PATHS.adminVerifications, label: texts.backToTheQueue }}
      onKeyDown={handleKey}
      summary={
        <>
          <span className="text-muted wrap-anywhere">@{creator.username}</span>
          {isOpen && answerBy ? (
            <Deadline {...toDeadline(answerBy, now)} />
          ) : (
            <span className="font-semibold">
              {QUEUE_LABELS[queue]}
              {decidedAt && `, ${lowercaseDayWord(formatDay(decidedAt, now))}`}
            </span>
          )}
        </>
      }
      action={
        isOpen ? (
          <DecisionPanel
            creatorId={creator.id}
            kinds={documents.map(({ kind }) => kind)}
            type={details?.documentType ?? 'identityCard'}
            draft={draft}
            onChange={setDraft}
            onDecided={onDecided}
          />
        ) : (
          <p className="text-small text-muted">{texts.decidedNote}</p>
        )
      }
    >
      <Documents view={view} />
      <Details {...view} now={now} />
    </RecordLayout>
  );
}
