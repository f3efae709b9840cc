import { adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  addCaseNote,
  assignCase,
  type CaseView,
  getCaseContent,
  getCasePicture,
} from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { REFUND_FINAL_MESSAGE } from '@stagedoor/contract/trust/case-kinds.ts';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { useViewer } from '../../../../platform/session.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { Deadline } from '../../../../ui/deadline.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { isPlainKey } from '../../../../ui/keys.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { RecordLayout, RecordSection } from '../../../../ui/record.tsx';
import { PendingApproval } from '../approvals/pending-approval.tsx';
import { SaleList } from '../sale-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { CaseContentPanel } from './case-content.tsx';
import { UndoDecision, useCaseDecision } from './case-decision.tsx';
import { CASE_QUEUE_LABELS, CASE_STATE_LABELS, formatDeadline } from './case-labels.ts';
import { CaseUserCard, DecisionLines } from './case-user.tsx';
import { CopyrightParts } from './copyright.tsx';
import { CASE_ROUTES } from './queries.ts';
import { RoutePanel } from './refunds.tsx';
import { ReopenForm } from './reopen.tsx';
import { ReplyPanel } from './reply-panel.tsx';
import * as texts from './texts.ts';

type CaseHistoryEntry = CaseView['entries'][number];

const ENTRY_LABELS: Readonly<Record<CaseHistoryEntry['kind'], string>> = {
  report: texts.reportEntry,
  message: texts.messageEntry,
  reply: texts.reply,
  note: texts.noteEntry,
  assigned: texts.assignedEntry,
  decision: texts.decided,
  undone: texts.reversedEntry,
};

const toPictureUrl = (caseId: string, id: string) => `/api/admin/cases/${caseId}/pictures/${id}`;

function History({ view }: { view: CaseView }) {
  const canViewPictures = useCanCallRoute(getCasePicture);
  return (
    <ol className="lines" aria-label={texts.history}>
      {view.entries.map(({ id, at, kind, author, authorId, member, text, pictures }) => (
        <li key={id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {ENTRY_LABELS[kind]}
              {author !== null && (
                <span className="font-normal text-muted">
                  {' by '}
                  {authorId === null ? (
                    `@${author}`
                  ) : (
                    <UiLink href={adminUserPath(authorId)} className="underline underline-offset-4">
                      @{author}
                    </UiLink>
                  )}
                </span>
              )}
              {member !== null && (
                <span className="font-normal text-muted">{formatText(texts.writtenByTeamMember, { member })}</span>
              )}
            </span>
            <span className="text-muted num">{formatExactTime(at)}</span>
          </p>
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
          {pictures.length > 0 && canViewPictures && (
            <p className="flex flex-wrap gap-x-4">
              {pictures.map((picture, index) => (
                <a
                  key={picture.id}
                  className="flex min-h-11 items-center underline underline-offset-4"
                  href={toPictureUrl(view.id, picture.id)}
                  target="_blank"
                  rel="noopener"
                >
                  {formatText(texts.imageSize, { index: index + 1, width: picture.width, height: picture.height })}
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
  const note = useAdminAction(addCaseNote, {
    invalidates: CASE_ROUTES,
    successMessage: () => texts.noteAdded,
    onDone: () => setText(''),
  });
  useUnsavedChanges(text !== '', note.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') note.send({ params: { id }, body: { text } });
  };
  if (!note.isAllowed) return null;
  return (
    <form className="grid max-w-120 gap-3 pt-3" onSubmit={send}>
      <TextAreaField
        label={texts.internalNote}
        hint={texts.onlyStaffCanSeeThis}
        rows={2}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {note.error !== undefined && <InlineError message={note.error} />}
      <Button
        type="submit"
        className="w-fit"
        disabled={text.trim() === ''}
        busy={note.isPending}
        busyText={texts.adding}
      >
        {texts.addNote}
      </Button>
    </form>
  );
}

function AssignButton({ view, onToggle, busy }: { view: CaseView; onToggle: () => void; busy: boolean }) {
  const viewer = useViewer();
  const { assignee } = view;
  const isMine = assignee?.id === viewer?.id;
  return (
    <Button onClick={onToggle} busy={busy} busyText={texts.working}>
      {isMine
        ? texts.unassign
        : assignee === null
          ? texts.assignToMe
          : formatText(texts.reassignFrom, { username: assignee.username })}{' '}
      <kbd>A</kbd>
    </Button>
  );
}

function formatReportCount({ entries, reports }: CaseView): string | undefined {
  const count = entries.filter(({ kind }) => kind === 'report').length;
  if (count < 2) return undefined;
  return formatText(texts.firstOfReports, { count, userCount: formatCount(reports, 'person', 'people') });
}

const formatPurchaseCount = ({ purchases, purchaseCount }: CaseView) =>
  purchaseCount > purchases.length
    ? formatText(texts.shownPurchaseCount, { shownCount: purchases.length, purchaseCount })
    : String(purchaseCount);

function CaseUsers({ view }: { view: CaseView }) {
  const { about, appealedDecision, fromUser, kind, from, fromEmail, isUnverified } = view;
  // An appeal against a dismissal comes from the reporter.
  const isAppellant = kind === 'appeal' && appealedDecision?.action !== 'dismiss';
  return (
    <div className="grid gap-6 md:grid-cols-2">
      {about && <CaseUserCard user={about} relation={isAppellant ? texts.appealing : texts.subject} />}
      {fromUser && fromUser.id !== about?.id && (
        <CaseUserCard user={fromUser} relation={texts.sender} sourceCaseId={view.id} />
      )}
      {!fromUser && fromEmail !== '' && (
        <p className="text-small wrap-anywhere">
          {formatNodes(texts.fromNoAccount, {
            from: <bdi className="font-semibold">{from}</bdi>,
            fromEmail: <bdi>{fromEmail}</bdi>,
            verification: isUnverified && texts.unverifiedEmail,
          })}
        </p>
      )}
    </div>
  );
}

export interface AdminCaseProps {
  view: CaseView;
  /** ISO timestamp. */
  now: string;
  listHref: string;
  onDecided: (view: CaseView) => void;
  onRouted: () => void;
  onMove: (step: 1 | -1) => void;
}

export function AdminCase({ view, now, listHref, onDecided, onRouted, onMove }: AdminCaseProps) {
  const viewer = useViewer();
  const [isContentShown, setContentShown] = useState(false);
  const caseDecision = useCaseDecision(view, onDecided);
  const assign = useAdminAction(assignCase, {
    invalidates: CASE_ROUTES,
    successMessage: ({ assignee }) => (assignee === null ? texts.unassignedStatus : texts.assignedToYouStatus),
  });
  const canViewContent = useCanCallRoute(getCaseContent);
  const isOpen = view.state !== 'closed';
  const toggleAssignment = () =>
    assign.send({ params: { id: view.id }, body: { isMine: view.assignee?.id !== viewer?.id } });
  const onKeyDown = (event: KeyboardEvent) => {
    caseDecision.onKeyDown(event);
    if (!isPlainKey(event)) return;
    const key = event.key.toUpperCase();
    if (key === 'A' && isOpen && assign.isAllowed) toggleAssignment();
    if (key === 'V' && view.hasContent && canViewContent) setContentShown(true);
    if (key === 'J') onMove(1);
    if (key === 'K') onMove(-1);
  };
  const { decisions, earlierDecisions, appealedDecision, entries, purchases, purchaseCount } = view;
  return (
    <RecordLayout
      title={view.title}
      back={{ href: listHref, label: texts.backToCases }}
      onKeyDown={onKeyDown}
      summary={
        <>
          <span className="text-muted num">{view.reference}</span>
          <span>{CASE_QUEUE_LABELS[view.queue]}</span>
          {view.state === 'open' ? (
            <Deadline {...formatDeadline(view.deadline, now)} />
          ) : (
            <span className="font-semibold">{CASE_STATE_LABELS[view.state]}</span>
          )}
          {isOpen && assign.isAllowed && (
            <AssignButton view={view} onToggle={toggleAssignment} busy={assign.isPending} />
          )}
        </>
      }
      action={
        <>
          {view.pendingApproval && <PendingApproval approval={view.pendingApproval} />}
          {view.blockedReason !== null && <p className="text-small font-semibold">{view.blockedReason}</p>}
          {caseDecision.panel}
          <RoutePanel view={view} onRouted={onRouted} />
          <ReplyPanel view={view} onDone={onDecided} />
          {!isOpen && <p className="text-small text-muted">{texts.alreadyDecided}</p>}
          <ReopenForm view={view} />
        </>
      }
    >
      <RecordSection title={texts.conversation} end={formatReportCount(view)}>
        <p dir="auto" className="whitespace-pre-line text-body wrap-anywhere">
          {view.details}
        </p>
      </RecordSection>
      {(view.subject !== null || view.where !== '') && (
        <RecordSection title={texts.reportedContent}>
          <CaseContentPanel view={view} isContentShown={isContentShown} onShowContent={() => setContentShown(true)} />
        </RecordSection>
      )}
      <CopyrightParts view={view} />
      {appealedDecision && (
        <RecordSection title={texts.decisionBeingAppealed}>
          <DecisionLines decisions={[appealedDecision]} label={texts.theDecision} currentCaseId={view.id} />
        </RecordSection>
      )}
      <RecordSection title={texts.people}>
        <CaseUsers view={view} />
      </RecordSection>
      {purchases.length > 0 && (
        <RecordSection title={texts.purchases} end={formatPurchaseCount(view)}>
          <SaleList sales={purchases} label={texts.purchases} />
          {purchaseCount > purchases.length && <p className="pt-3 text-small text-muted">{texts.morePurchasesHint}</p>}
        </RecordSection>
      )}
      {decisions.length > 0 && (
        <RecordSection title={texts.decisions}>
          <DecisionLines
            decisions={decisions}
            label={texts.decisions}
            currentCaseId={view.id}
            renderAction={(decision) =>
              decision.action === 'refund' ? (
                <p className="text-muted">{REFUND_FINAL_MESSAGE}</p>
              ) : (
                decision.canUndo && <UndoDecision decision={decision} />
              )
            }
          />
        </RecordSection>
      )}
      {earlierDecisions.length > 0 && (
        <RecordSection title={texts.previousDecisions}>
          <DecisionLines decisions={earlierDecisions} label={texts.previousDecisions} currentCaseId={view.id} />
        </RecordSection>
      )}
      <RecordSection title={texts.history} end={String(entries.length)}>
        <History view={view} />
        <NoteForm id={view.id} />
      </RecordSection>
    </RecordLayout>
  );
}
