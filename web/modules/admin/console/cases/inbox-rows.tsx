import { assignCase, type CaseSummary, dismissCases } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { type KeyboardEvent, useState } from 'react';
import { formatCount, formatDayTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { useViewer } from '../../../../platform/session.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Deadline } from '../../../../ui/deadline.tsx';
import { isPlainKey } from '../../../../ui/keys.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { ActionPanel, type RecordAction, useRecordActions } from '../../../../ui/record.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { CASE_QUEUE_LABELS, CASE_STATE_LABELS, formatDeadline } from './case-labels.ts';
import { CASE_ROUTES, type CaseFilters, toCaseHref } from './queries.ts';
import { useReopen } from './reopen.tsx';
import * as texts from './texts.ts';

const DISMISS_ACTIONS: readonly RecordAction<'dismiss'>[] = [
  { value: 'dismiss', label: texts.dismiss, shortcut: 'D', button: texts.dismiss },
];

function formatSubtitle({ queue, user, from, reports }: CaseSummary): string {
  const sourceText =
    reports > 1
      ? formatText(texts.fromUsers, { userCount: formatCount(reports, 'person', 'people') })
      : formatText(texts.fromUsers, { userCount: from });
  return [CASE_QUEUE_LABELS[queue], user && `@${user.username}`, sourceText].filter(Boolean).join(' · ');
}

function CaseRow({
  caseSummary,
  now,
  href,
  isChosen,
  onChoose,
}: {
  caseSummary: CaseSummary;
  now: string;
  href: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const viewer = useViewer();
  const canDismiss = useCanCallRoute(dismissCases);
  const { id, title, state, assignee, closedAt } = caseSummary;
  return (
    <li className="case-line" data-case={id} data-chosen={isChosen ? '' : undefined}>
      {state === 'closed' || !canDismiss ? (
        <span />
      ) : (
        <label className="case-line__pick">
          <input
            type="checkbox"
            className="box"
            checked={isChosen}
            onChange={onChoose}
            aria-label={formatText(texts.selectCase, { title })}
          />
        </label>
      )}
      <div className="min-w-0">
        <UiLink href={href} className="row__title row__link one-line">
          <bdi>{title}</bdi>
        </UiLink>
        <span className="row__sub one-line">{formatSubtitle(caseSummary)}</span>
      </div>
      <span className="grid justify-items-end gap-0.5 text-small">
        {state === 'open' ? (
          <Deadline {...formatDeadline(caseSummary.deadline, now)} />
        ) : (
          <span className="text-muted">{closedAt ? formatDayTime(closedAt, now) : CASE_STATE_LABELS[state]}</span>
        )}
        <span className="text-muted">
          {assignee === null ? texts.unassigned : assignee.id === viewer?.id ? texts.you : `@${assignee.username}`}
        </span>
      </span>
    </li>
  );
}

const findFocusedCaseId = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-case]')?.dataset.case : undefined;

function DismissPanel({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const actionState = useRecordActions(DISMISS_ACTIONS);
  const reopen = useReopen();
  const dismiss = useAdminAction(dismissCases, {
    invalidates: CASE_ROUTES,
    successMessage: ({ dismissed, skipped }) =>
      formatText(texts.casesDismissed, {
        caseCount: formatCount(dismissed.length, 'case'),
        skippedNote: skipped.length > 0 ? formatText(texts.skippedDismissals, { skippedCount: skipped.length }) : '',
      }),
    undo: ({ dismissed }) => (dismissed.length > 0 ? () => reopen.undo(dismissed) : undefined),
    onDone,
  });
  useUnsavedChanges(actionState.reason !== '', dismiss.isPending);
  return (
    <section className="max-w-120 border-t border-line pt-4" aria-label={texts.dismissSelected}>
      <p className="pb-3 font-semibold">
        {formatText(texts.casesSelected, { caseCount: formatCount(ids.length, 'case') })}
      </p>
      <ActionPanel
        state={actionState}
        legend={texts.decide}
        reason={createReasonField(texts.reason, texts.dismissReasonHint)}
        busy={dismiss.isPending}
        error={dismiss.error}
        onSubmit={(_, reason) => dismiss.send({ body: { ids: [...ids], reason } })}
      />
    </section>
  );
}

export function InboxRows({
  cases,
  now,
  filters,
}: {
  cases: readonly CaseSummary[];
  now: string;
  filters: CaseFilters;
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const viewer = useViewer();
  const canDismiss = useCanCallRoute(dismissCases);
  const assign = useAdminAction(assignCase, {
    invalidates: CASE_ROUTES,
    successMessage: ({ reference, assignee }) =>
      `${reference}: ${assignee === null ? 'unassigned' : texts.assignedToYou}.`,
  });
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id) && next.size < CASE_LIMITS.batchSize) next.add(id);
      return next;
    });
  const ids = cases.filter(({ id, state }) => chosen.has(id) && state !== 'closed').map(({ id }) => id);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toUpperCase();
    const caseSummary = cases.find(({ id }) => id === findFocusedCaseId(event));
    if (!caseSummary || caseSummary.state === 'closed' || !isPlainKey(event)) return;
    if (key === 'X' && canDismiss) toggle(caseSummary.id);
    if (key === 'A' && assign.isAllowed)
      assign.send({ params: { id: caseSummary.id }, body: { isMine: caseSummary.assignee?.id !== viewer?.id } });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys in addition to the controls, which do the same
    <div onKeyDown={onKeyDown}>
      <ul className="case-lines" aria-label={texts.cases}>
        {cases.map((caseSummary) => (
          <CaseRow
            key={caseSummary.id}
            caseSummary={caseSummary}
            now={now}
            href={toCaseHref(caseSummary.id, filters)}
            isChosen={chosen.has(caseSummary.id)}
            onChoose={() => toggle(caseSummary.id)}
          />
        ))}
      </ul>
      {ids.length > 0 && <DismissPanel ids={ids} onDone={() => setChosen(new Set())} />}
    </div>
  );
}
