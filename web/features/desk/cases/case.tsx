import { REFUND_STAYS } from '@stagedoor/contract/case-kinds.ts';
import { assignCase, type CaseView, noteCase, readCasePicture, showThing } from '@stagedoor/contract/cases-desk.ts';
import { personDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { useViewer } from '../../../kernel/session.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { CaseFrame, CasePart } from '../../../ui/case.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { isPlainKey } from '../../../ui/keys.ts';
import { UiLink } from '../../../ui/link.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { WaitsForTwo } from '../money-acts/waits.tsx';
import { SaleLines } from '../sale-lines.tsx';
import { ReplyPanel } from './answers.tsx';
import { CopyrightParts } from './copyright.tsx';
import { Undo, useDeciding } from './decide.tsx';
import { DecisionLines, PersonOfCase } from './people.tsx';
import { FORGET } from './queries.ts';
import { PassPanel } from './refunds.tsx';
import { OpenAgain } from './reopen.tsx';
import { Thing } from './thing.tsx';
import { clockOf, QUEUE_WORDS, STATE_WORDS } from './words.ts';

type Entry = CaseView['entries'][number];

const ENTRY_WORDS: Readonly<Record<Entry['kind'], string>> = {
  report: 'Reported',
  message: 'Message',
  reply: 'Reply',
  note: 'Note',
  assigned: 'Assigned',
  decision: 'Decided',
  undone: 'Reversed',
};

const pictureUrl = (caseId: string, id: string) => `/api/admin/cases/${caseId}/pictures/${id}`;

function History({ view }: { view: CaseView }) {
  const mayPictures = useMay(readCasePicture);
  return (
    <ol className="lines" aria-label="History">
      {view.entries.map(({ id, at, kind, by, byId, member, text, pictures }) => (
        <li key={id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {ENTRY_WORDS[kind]}
              {by !== null && (
                <span className="font-normal text-muted">
                  {' by '}
                  {byId === null ? (
                    `@${by}`
                  ) : (
                    <UiLink href={personDeskPath(byId)} className="underline underline-offset-4">
                      @{by}
                    </UiLink>
                  )}
                </span>
              )}
              {member !== null && <span className="font-normal text-muted">, written by @{member} of their team</span>}
            </span>
            <span className="text-muted num">{formatExact(at)}</span>
          </p>
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
          {pictures.length > 0 && mayPictures && (
            <p className="flex flex-wrap gap-x-4">
              {pictures.map((picture, index) => (
                <a
                  key={picture.id}
                  className="flex min-h-11 items-center underline underline-offset-4"
                  href={pictureUrl(view.id, picture.id)}
                  target="_blank"
                  rel="noopener"
                >
                  Image {index + 1}, {picture.width} × {picture.height}
                </a>
              ))}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function NoteForm({ id }: { id: CaseView['id'] }) {
  const [text, setText] = useState('');
  const note = useDeskAct(noteCase, { forget: FORGET, done: () => 'Note added.', onDone: () => setText('') });
  useStake(text !== '', note.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') note.send({ params: { id }, body: { text } });
  };
  if (!note.may) return null;
  return (
    <form className="grid max-w-120 gap-3 pt-3" onSubmit={send}>
      <TextAreaField
        label="Internal note"
        hint="Only staff can see this."
        rows={2}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {note.error !== undefined && <Refusal message={note.error} />}
      <Button type="submit" className="w-fit" disabled={text.trim() === ''} busy={note.isPending} busyText="Adding…">
        Add note
      </Button>
    </form>
  );
}

function Assignee({ view, onTurn, busy }: { view: CaseView; onTurn: () => void; busy: boolean }) {
  const viewer = useViewer();
  const { assignee } = view;
  const isMine = assignee?.id === viewer?.id;
  return (
    <Button onClick={onTurn} busy={busy} busyText="Working…">
      {isMine ? 'Unassign' : assignee === null ? 'Assign to me' : `@${assignee.username}: reassign to me`} <kbd>A</kbd>
    </Button>
  );
}

function saidBy({ entries, reports }: CaseView): string | undefined {
  const count = entries.filter(({ kind }) => kind === 'report').length;
  if (count < 2) return undefined;
  return `First of ${count} reports, from ${plural(reports, 'person', 'people')}`;
}

const boughtWords = ({ purchases, purchaseCount }: CaseView) =>
  purchaseCount > purchases.length ? `${purchases.length} of ${purchaseCount}` : String(purchaseCount);

function People({ view }: { view: CaseView }) {
  const { about, appealed, fromPerson, kind, from, fromEmail, isUnproven } = view;
  // An appeal against a dismissal comes from the reporter.
  const isTheirs = kind === 'appeal' && appealed?.act !== 'dismiss';
  return (
    <div className="grid gap-6 md:grid-cols-2">
      {about && <PersonOfCase person={about} as={isTheirs ? 'Appealing' : 'Subject'} />}
      {fromPerson && fromPerson.id !== about?.id && <PersonOfCase person={fromPerson} as="Sender" seenIn={view.id} />}
      {!fromPerson && fromEmail !== '' && (
        <p className="text-small wrap-anywhere">
          From <bdi className="font-semibold">{from}</bdi>, <bdi>{fromEmail}</bdi>, no account
          {isUnproven && ' (unverified email)'}
        </p>
      )}
    </div>
  );
}

export interface CaseViewProps {
  view: CaseView;
  /** ISO timestamp. */
  now: string;
  list: string;
  onDecided: (view: CaseView) => void;
  onPassed: () => void;
  onMove: (step: 1 | -1) => void;
}

export function DeskCase({ view, now, list, onDecided, onPassed, onMove }: CaseViewProps) {
  const viewer = useViewer();
  const [isShown, setShown] = useState(false);
  const deciding = useDeciding(view, onDecided);
  const assign = useDeskAct(assignCase, {
    forget: FORGET,
    done: ({ assignee }) => (assignee === null ? 'Unassigned.' : 'Assigned to you.'),
  });
  const mayLook = useMay(showThing);
  const isOpen = view.state !== 'closed';
  const turn = () => assign.send({ params: { id: view.id }, body: { isMine: view.assignee?.id !== viewer?.id } });
  const onKeyDown = (event: KeyboardEvent) => {
    deciding.onKeyDown(event);
    if (!isPlainKey(event)) return;
    const key = event.key.toUpperCase();
    if (key === 'A' && isOpen && assign.may) turn();
    if (key === 'V' && view.hasThing && mayLook) setShown(true);
    if (key === 'J') onMove(1);
    if (key === 'K') onMove(-1);
  };
  const { decisions, earlier, appealed, entries, purchases, purchaseCount } = view;
  return (
    <CaseFrame
      title={view.title}
      back={{ href: list, label: 'Back to cases' }}
      onKeyDown={onKeyDown}
      line={
        <>
          <span className="text-muted num">{view.reference}</span>
          <span>{QUEUE_WORDS[view.queue]}</span>
          {view.state === 'open' ? (
            <Clock {...clockOf(view.clock, now)} />
          ) : (
            <span className="font-semibold">{STATE_WORDS[view.state]}</span>
          )}
          {isOpen && assign.may && <Assignee view={view} onTurn={turn} busy={assign.isPending} />}
        </>
      }
      act={
        <>
          {view.waits && <WaitsForTwo act={view.waits} />}
          {view.obstacle !== null && <p className="text-small font-semibold">{view.obstacle}</p>}
          {deciding.panel}
          <PassPanel view={view} onPassed={onPassed} />
          <ReplyPanel view={view} onDone={onDecided} />
          {!isOpen && <p className="text-small text-muted">This was decided.</p>}
          <OpenAgain view={view} />
        </>
      }
    >
      <CasePart title="Conversation" end={saidBy(view)}>
        <p dir="auto" className="whitespace-pre-line text-body wrap-anywhere">
          {view.details}
        </p>
      </CasePart>
      {(view.subject !== null || view.where !== '') && (
        <CasePart title="Reported content">
          <Thing view={view} isShown={isShown} onShow={() => setShown(true)} />
        </CasePart>
      )}
      <CopyrightParts view={view} />
      {appealed && (
        <CasePart title="Decision being appealed">
          <DecisionLines decisions={[appealed]} label="The decision" here={view.id} />
        </CasePart>
      )}
      <CasePart title="People">
        <People view={view} />
      </CasePart>
      {purchases.length > 0 && (
        <CasePart title="Purchases" end={boughtWords(view)}>
          <SaleLines sales={purchases} label="Purchases" />
          {purchaseCount > purchases.length && (
            <p className="pt-3 text-small text-muted">More appear as you refund these.</p>
          )}
        </CasePart>
      )}
      {decisions.length > 0 && (
        <CasePart title="Decisions">
          <DecisionLines
            decisions={decisions}
            label="Decisions"
            here={view.id}
            act={(decision) =>
              decision.act === 'refund' ? (
                <p className="text-muted">{REFUND_STAYS}</p>
              ) : (
                decision.canUndo && <Undo decision={decision} />
              )
            }
          />
        </CasePart>
      )}
      {earlier.length > 0 && (
        <CasePart title="Previous decisions">
          <DecisionLines decisions={earlier} label="Previous decisions" here={view.id} />
        </CasePart>
      )}
      <CasePart title="History" end={String(entries.length)}>
        <History view={view} />
        <NoteForm id={view.id} />
      </CasePart>
    </CaseFrame>
  );
}
