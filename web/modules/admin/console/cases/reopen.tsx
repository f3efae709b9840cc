import { type CaseView, reopenCases } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isMeasure } from '@stagedoor/contract/trust/case-kinds.ts';
import { useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import type { RecordAction } from '../../../../ui/record.tsx';
import { EntryActions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { CASE_ROUTES } from './queries.ts';
import * as texts from './texts.ts';

const UNDO_REASON = texts.undoReason;

export function useReopen() {
  const reopen = useAdminAction(reopenCases, {
    invalidates: CASE_ROUTES,
    successMessage: ({ reopened, skipped }) =>
      formatText(texts.casesReopened, {
        caseCount: formatCount(reopened.length, 'case'),
        skippedNote: skipped.length > 0 ? formatText(texts.skippedReopenings, { skippedCount: skipped.length }) : '',
      }),
  });
  const reopenWithReason = (ids: readonly CaseView['id'][], reason: string) =>
    reopen.send({ body: { ids: [...ids], reason } });
  return { ...reopen, reopenWithReason, undo: (ids: readonly CaseView['id'][]) => reopenWithReason(ids, UNDO_REASON) };
}

export const REOPEN_NOTE = texts.reopenConsequence;

const REOPEN_ACTIONS: readonly RecordAction<'reopen'>[] = [
  { value: 'reopen', label: texts.reopen, shortcut: 'Z', button: texts.reopen, note: REOPEN_NOTE },
];

/** For a case that was closed by a reply and has no decision. */
export function ReopenForm({ view }: { view: CaseView }) {
  const [isOpen, setOpen] = useState(false);
  const reopen = useReopen();
  if (!view.canReopen || view.decisions.some(({ action, canUndo }) => canUndo && !isMeasure(action))) return null;
  if (!isOpen)
    return (
      <Button icon="undo" className="w-fit" onClick={() => setOpen(true)}>
        {texts.reopen}
      </Button>
    );
  return (
    <EntryActions
      actions={REOPEN_ACTIONS}
      shouldFocus
      legend={texts.reopen}
      reason={createReasonField(texts.reason)}
      busy={reopen.isPending}
      error={reopen.error}
      onSubmit={(_, reason) => reopen.reopenWithReason([view.id], reason)}
    />
  );
}
