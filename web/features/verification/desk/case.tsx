import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import {
  DOCUMENT_TYPES,
  type readVerification,
  VERIFICATION_DECISIONS,
  type Verification,
} from '@stagedoor/contract/verification.ts';
import { type KeyboardEvent, useState } from 'react';
import { Clock } from '../../../ui/clock.tsx';
import '../verification.css';
import { formatDay, formatExact, withinSentence } from '../../../kernel/dates.ts';
import { CaseFrame } from '../../../ui/case.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { isPlainKey } from '../../../ui/keys.ts';
import { clockOf, nameOf } from '../words.ts';
import { ZoomPicture } from '../zoom-picture.tsx';
import { DecisionPanel, type Draft, decided } from './decision.tsx';
import { pictureUrl, QUEUE_WORDS, type Queue } from './queries.ts';
import { DECISIONS, type Decision } from './reasons.ts';

export type Case = ResponseOf<typeof readVerification>;

const STATE_WORDS = {
  pending: 'Missing',
  submitted: 'To review',
  rejected: 'Rejected',
  approved: 'Accepted',
} as const;

export function ageOn(day: string, dateOfBirth: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return day.slice(5, 10) < dateOfBirth.slice(5, 10) ? years - 1 : years;
}

/** Returns the English name of a country. Browser and server may use different names, so the code is shown as well. */
const countryOf = (code: string) => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;

function Details({ details, agreement, submittedAt, now }: Verification & { now: string }) {
  const facts = [
    ...(details
      ? [
          { name: 'Legal name', value: <bdi>{details.legalName}</bdi> },
          {
            name: 'Date of birth',
            value: `${formatDay(details.dateOfBirth, now)}, ${ageOn(now, details.dateOfBirth)} years old`,
          },
          { name: 'Country', value: <span suppressHydrationWarning>{countryOf(details.country)}</span> },
          { name: 'Document', value: DOCUMENT_TYPES[details.documentType] },
        ]
      : []),
    { name: 'Submitted', value: submittedAt ? formatExact(submittedAt) : 'Not yet' },
    { name: 'Agreement', value: agreement.signedAt ? `Signed ${formatExact(agreement.signedAt)}` : 'Not signed' },
  ];
  return (
    <section aria-label="Details">
      <FactList facts={facts} strong />
    </section>
  );
}

function Documents({ view }: { view: Case }) {
  const type = view.details?.documentType ?? 'identityCard';
  return (
    <section aria-label="Documents" className="v-pictures">
      {view.documents.map(({ kind, state, takenAt, reason }) => (
        <figure key={kind} className="min-w-0">
          <div className="v-cam" data-shape={kind === 'selfie' ? 'face' : 'card'}>
            {takenAt ? (
              <ZoomPicture
                src={pictureUrl(view.creator.id, kind)}
                alt={nameOf(kind, type)}
                brokenWords="This photo was deleted or couldn’t be loaded."
              />
            ) : (
              <p className="v-cam__words">Missing</p>
            )}
          </div>
          <figcaption className="pt-2 text-small">
            <b className="font-semibold">{nameOf(kind, type)}</b>
            <span className="text-muted"> · {STATE_WORDS[state]}</span>
            {reason && <span className="block text-muted wrap-anywhere">{reason}</span>}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

export interface CaseViewProps {
  view: Case;
  /** An ISO timestamp. */
  now: string;
  onDecided: (outcome: Decision | 'over') => void;
}

export function CaseView({ view, now, onDecided }: CaseViewProps) {
  const [draft, setDraft] = useState<Draft>({ reasons: {} });
  const { creator, status, answerBy, decidedAt, documents, details } = view;
  const isOpen = status === 'submitted';
  const choose = (event: KeyboardEvent) => {
    const chosen = VERIFICATION_DECISIONS.find((each) => DECISIONS[each].key === event.key.toUpperCase());
    if (isOpen && chosen && isPlainKey(event)) setDraft(decided(draft, chosen));
  };
  const queue: Queue = status === 'started' ? 'submitted' : status;
  return (
    <CaseFrame
      title={creator.name}
      back={{ href: DESK_PATHS.adminVerifications, label: 'Back to the queue' }}
      onKeyDown={choose}
      line={
        <>
          <span className="text-muted wrap-anywhere">@{creator.username}</span>
          {isOpen && answerBy ? (
            <Clock {...clockOf(answerBy, now)} />
          ) : (
            <span className="font-semibold">
              {QUEUE_WORDS[queue]}
              {decidedAt && `, ${withinSentence(formatDay(decidedAt, now))}`}
            </span>
          )}
        </>
      }
      act={
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
          <p className="text-small text-muted">Decided. It returns to the queue if the creator submits again.</p>
        )
      }
    >
      <Documents view={view} />
      <Details {...view} now={now} />
    </CaseFrame>
  );
}
