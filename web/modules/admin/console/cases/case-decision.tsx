import { type CaseDecision, type CaseView, decideCase, undoDecision } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { parseInteger } from '@stagedoor/contract/shared/money-input.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import {
  type CaseAction,
  formatCopyrightClaim,
  formatMeasureNotice,
  formatProfileParts,
  isMeasure,
  PROFILE_PART_LABELS,
  type ProfilePart,
  TIMED_ACTIONS,
} from '@stagedoor/contract/trust/case-kinds.ts';
import { useState } from 'react';
import { IntegerField } from '../../../../platform/integer-field.tsx';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { ActionPanel, type RecordAction, useRecordActions } from '../../../../ui/record.tsx';
import { EntryActions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { CASE_ACTION_TEXTS } from './case-labels.ts';
import { CASE_ROUTES } from './queries.ts';
import { ChooseSales, previewRefundNotice, useChosenSales } from './refunds.tsx';
import { REOPEN_NOTE, useReopen } from './reopen.tsx';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = '7';

function parseDays(text: string): number | undefined {
  const days = parseInteger(text);
  return days !== undefined && days >= CASE_LIMITS.days.min && days <= CASE_LIMITS.days.max ? days : undefined;
}

function calculateEnd(action: CaseAction, typedDays: string): string | null {
  const days = parseDays(typedDays);
  return TIMED_ACTIONS.includes(action) && days !== undefined
    ? new Date(Date.now() + days * DAY_MS).toISOString()
    : null;
}

function useChosenParts({ parts }: CaseView) {
  const [chosen, setChosen] = useState<readonly ProfilePart[]>([]);
  const toggle = (part: ProfilePart) =>
    setChosen((before) => (before.includes(part) ? before.filter((other) => other !== part) : [...before, part]));
  return { available: parts, chosen: parts.filter((part) => chosen.includes(part)), toggle };
}

function ChooseParts({ selection: { available, chosen, toggle } }: { selection: ReturnType<typeof useChosenParts> }) {
  return (
    <fieldset>
      <legend className="case-head">{texts.scope}</legend>
      {available.map((part) => (
        <label key={part} className="case-choice">
          <input type="checkbox" className="box" checked={chosen.includes(part)} onChange={() => toggle(part)} />
          <span className="first-letter:uppercase">{PROFILE_PART_LABELS[part]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name of the content in the message to its owner. For a profile, the parts that are removed. */
function getContentTitle({ subject, title }: CaseView, action: CaseAction, parts: readonly ProfilePart[]): string {
  if (subject === 'profile' && action === 'remove') return formatProfileParts(parts) || '…';
  return subject === 'post' ? title.split(': ').slice(1).join(': ') : '';
}

type DecisionInput = { action: CaseAction; days: string; parts: readonly ProfilePart[]; reason: string };

function previewNotice(view: CaseView, { action, days, parts, reason }: DecisionInput): string | undefined {
  const reasonText = reason || texts.yourMessageNote;
  if (isMeasure(action)) {
    const title = getContentTitle(view, action, parts);
    const notice = { action, subject: view.subject, title, until: calculateEnd(action, days), reason: reasonText };
    const claim =
      view.kind === 'copyright' && action === 'remove' && view.notice !== null
        ? formatCopyrightClaim(
            { name: view.notice.name, work: view.details, url: view.where },
            CASE_PATHS.creatorHelpdesk,
          )
        : undefined;
    return [formatMeasureNotice(notice, view.appealBy), claim].filter((part) => part !== undefined).join('\n\n');
  }
  const includesReason =
    action === 'close' ||
    action === 'uphold' ||
    (action === 'dismiss' && (view.kind === 'complaint' || view.kind === 'copyright'));
  return includesReason ? reasonText : undefined;
}

const ACTION_NOTES: Readonly<Partial<Record<CaseAction, string>>> = {
  dismiss: texts.reporterDismissalNote,
  remove: texts.removeFilesNote,
  refund: texts.refundNote,
  restore: texts.restoreContentNote,
  staysDown: texts.proofReceivedNote,
  overturn: texts.reverseDecisionNote,
};

function findActionNote({ kind, subject, appealedDecision }: CaseView, action: CaseAction): string | undefined {
  if (action === 'dismiss' && kind !== 'report') return undefined;
  if (action === 'overturn' && appealedDecision?.action === 'dismiss') return texts.reopenDismissedNote;
  return action === 'remove' && subject === 'profile' ? texts.removeProfilePartNote : ACTION_NOTES[action];
}

export function useCaseDecision(view: CaseView, onDecided: (view: CaseView) => void) {
  const [days, setDays] = useState(DEFAULT_DAYS);
  const sales = useChosenSales(view);
  const parts = useChosenParts(view);
  const reopen = useReopen();
  const isProfile = view.subject === 'profile';
  const actions = view.allowedActions.map(
    (value): RecordAction<CaseAction> => ({
      value,
      ...CASE_ACTION_TEXTS[value],
      ...(value === 'remove' && isProfile && { button: texts.remove }),
      note: findActionNote(view, value),
      preview: (reason) => (
        <span className="whitespace-pre-line">
          {(value === 'refund'
            ? previewRefundNotice(sales, reason || texts.yourMessageNote)
            : previewNotice(view, { action: value, days, parts: parts.chosen, reason })) ?? texts.noText}
        </span>
      ),
    }),
  );
  const actionState = useRecordActions(actions);
  const decide = useAdminAction(decideCase, {
    invalidates: CASE_ROUTES,
    successMessage: ({ reference, decisions: [latest], pendingApproval }) =>
      pendingApproval !== null && actionState.chosen?.value === 'refund'
        ? formatText(texts.awaitingSecondApproval, { reference })
        : `${reference}: ${latest ? CASE_ACTION_TEXTS[latest.action].done : texts.decided}.`,
    undo: ({ id, canReopen }) => (canReopen ? () => reopen.undo([id]) : undefined),
    onDone: (updated) => {
      actionState.setReason('');
      onDecided(updated);
    },
  });
  useUnsavedChanges(actionState.reason !== '', decide.isPending);
  const action = actionState.chosen?.value;
  const isTimed = action !== undefined && TIMED_ACTIONS.includes(action);
  const needsParts = action === 'remove' && isProfile;
  const panel = actions.length > 0 && (
    <ActionPanel
      state={actionState}
      legend={texts.action}
      reason={createReasonField(texts.reason, texts.reasonSeenAsWritten)}
      busy={decide.isPending}
      error={decide.error}
      isReady={
        (!isTimed || parseDays(days) !== undefined) &&
        (action !== 'refund' || sales.chosen.length > 0) &&
        (!needsParts || parts.chosen.length > 0)
      }
      onSubmit={(value, reason) =>
        decide.send({
          params: { id: view.id },
          body: {
            action: value,
            reason,
            ...(TIMED_ACTIONS.includes(value) && { days: parseDays(days) }),
            ...(needsParts && { parts: parts.chosen }),
            ...(value === 'refund' && { sales: sales.chosen.map(({ id }) => id) }),
          },
        })
      }
    >
      {action === 'refund' && <ChooseSales selection={sales} />}
      {needsParts && <ChooseParts selection={parts} />}
      {isTimed && (
        <IntegerField
          label={texts.durationDays}
          maxLength={8}
          value={days}
          hint={formatText(texts.durationLimits, CASE_LIMITS.days)}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      )}
    </ActionPanel>
  );
  return { panel, onKeyDown: actionState.onKeyDown };
}

const UNDO_ACTION: RecordAction<'undo'> = { value: 'undo', label: texts.reverse, shortcut: 'Z', button: texts.reverse };

export function UndoDecision({ decision }: { decision: CaseDecision }) {
  const [isOpen, setOpen] = useState(false);
  const undo = useAdminAction(undoDecision, {
    invalidates: CASE_ROUTES,
    successMessage: () => texts.decisionReversed,
    onDone: () => setOpen(false),
  });
  if (!isOpen)
    return (
      <Button icon="undo" className="w-fit" onClick={() => setOpen(true)}>
        {texts.reverse}
      </Button>
    );
  const isUserMeasure = isMeasure(decision.action);
  const note = isUserMeasure ? texts.reverseConsequence : REOPEN_NOTE;
  return (
    <EntryActions
      actions={[{ ...UNDO_ACTION, note }]}
      shouldFocus
      legend={texts.reverse}
      reason={isUserMeasure ? createReasonField(texts.reason, texts.reasonSeenByUser) : createReasonField(texts.reason)}
      busy={undo.isPending}
      error={undo.error}
      onSubmit={(_, reason) => undo.send({ params: { id: decision.id }, body: { reason } })}
    />
  );
}
