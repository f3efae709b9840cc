/** The kill switches: each with its message to users, a required reason and one button, and the history of changes. */
import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import {
  listKillSwitches,
  type MissedRenewals,
  SITE_SWITCHES,
  type SiteSwitch,
  SWITCH_MESSAGE_LENGTH,
  type SwitchState,
  type SwitchView,
  updateKillSwitch,
} from '@stagedoor/contract/admin/kill-switches.ts';
import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatCount, formatDayTime } from '../../../../platform/dates.ts';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { TextAreaField } from '../../../../ui/field.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { ChangeList } from '../change-list.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import { MissedRenewalsChoice } from './missed-renewals.tsx';
import { SWITCH_TEXTS, switchHistoryQuery } from './switch-texts.ts';
import * as texts from './texts.ts';

const getStateLabels = (name: SiteSwitch) =>
  name === 'maintenance' ? (['on', 'off'] as const) : (['stopped', 'running'] as const);

function SwitchForm({ view }: { view: SwitchView }) {
  const { title, disableLabel, enableLabel, defaultMessage } = SWITCH_TEXTS[view.name];
  const [on, off] = getStateLabels(view.name);
  // The draft is relative to the values at its start, even if newer ones arrive.
  const [draft, setDraft] = useState<{ from: SwitchState; message: string }>();
  const { from, message } = draft ?? {
    from: { isDisabled: view.isDisabled, message: view.message },
    message: view.message,
  };
  const [reason, setReason] = useState('');
  const [missedRenewals, setMissedRenewals] = useState<MissedRenewals>('charge');
  const update = useAdminAction(updateKillSwitch, {
    invalidates: [listKillSwitches, listAuditEntries],
    successMessage: ({ isDisabled }) => {
      if (isDisabled === from.isDisabled) return formatText(texts.messageSaved, { title });
      return formatText(texts.switchChanged, { title, state: isDisabled ? on : off });
    },
    onDone: () => {
      setDraft(undefined);
      setReason('');
    },
    onConflict: () => setDraft(undefined),
  });
  useUnsavedChanges(draft !== undefined || reason !== '', update.isPending);
  const trimmedReason = reason.trim();
  const isReasonValid = trimmedReason.length >= REASON_LENGTH.min && trimmedReason.length <= REASON_LENGTH.max;
  const isMessageChanged = message.trim() !== from.message;
  const send = (isDisabled: boolean) =>
    update.send({
      params: { name: view.name },
      body: { from, to: { isDisabled, message: message.trim() }, reason: trimmedReason, missedRenewals },
    });
  if (!update.isAllowed) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReasonValid && !update.isPending) send(!from.isDisabled);
  };
  return (
    <form className="form max-w-120 pt-5" onSubmit={submit}>
      <TextAreaField
        label={texts.messageToUsers}
        hint={formatText(texts.defaultMessageHint, { defaultMessage })}
        rows={2}
        counter={SWITCH_MESSAGE_LENGTH}
        value={message}
        onChange={(event) => setDraft({ from, message: event.currentTarget.value })}
      />
      <TextAreaField
        {...(({ label, hint }) => ({ label, hint }))(createReasonField(texts.reasonLabel))}
        rows={2}
        counter={REASON_LENGTH.max}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {view.name === 'subscriptions' && from.isDisabled && (
        <MissedRenewalsChoice value={missedRenewals} onChange={setMissedRenewals} />
      )}
      {update.error !== undefined && <InlineError message={update.error} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          disabled={!isReasonValid}
          busy={update.isPending}
          busyText={texts.saving}
        >
          {from.isDisabled ? enableLabel : disableLabel}
        </Button>
        {isMessageChanged && (
          <Button disabled={!isReasonValid || update.isPending} onClick={() => send(from.isDisabled)}>
            {texts.saveMessageOnly}
          </Button>
        )}
      </div>
    </form>
  );
}

/** `now` is an ISO timestamp. */
export function SwitchRows({ switches, now }: { switches: readonly SwitchView[]; now: string }) {
  // Maintenance stops everything, so it comes first.
  const sorted = [...switches].sort((a, b) => Number(b.name === 'maintenance') - Number(a.name === 'maintenance'));
  return (
    <ul className="lines" aria-label={texts.killSwitches}>
      {sorted.map((view) => {
        const { title, description, defaultMessage } = SWITCH_TEXTS[view.name];
        return (
          <li key={view.name}>
            <details className="entry">
              <summary>
                <Glyph icon={SWITCH_TEXTS[view.name].icon} />
                <span className="min-w-0">
                  <span className="row__title">{title}</span>
                  <span className="row__sub">
                    {view.changedAt === null
                      ? texts.neverChanged
                      : formatText(texts.changedSince, { changedAt: formatDayTime(view.changedAt, now) })}
                  </span>
                </span>
                <span className="row__end">
                  {view.isDisabled ? (
                    <StatusDot state="busy">
                      {view.name === 'maintenance' ? texts.maintenanceOn : texts.stopped}
                    </StatusDot>
                  ) : view.name === 'maintenance' ? (
                    <span className="text-muted">{texts.maintenanceOff}</span>
                  ) : (
                    <StatusDot>{texts.running}</StatusDot>
                  )}
                </span>
                <Icon name="chevron-down" size={18} />
              </summary>
              <div className="journal">
                <p className="text-small text-muted">{description}</p>
                {view.isDisabled && (
                  <p className="pt-2 text-small wrap-anywhere">
                    {formatNodes(texts.messageShown, { message: <bdi>{view.message || defaultMessage}</bdi> })}
                  </p>
                )}
                <SwitchForm view={view} />
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function formatEntry({ subjectId, details }: AuditEntry): string[] {
  const name = SITE_SWITCHES.find((one) => one === subjectId);
  if (!name) return [];
  const { isDisabled, isDisabledBefore, message, reason, missedRenewals, missedCount, missedCents } = details;
  const [on, off] = getStateLabels(name);
  const state = isDisabled === isDisabledBefore ? texts.messageChanged : isDisabled ? on : off;
  return [
    formatText(texts.historyEntry, { title: SWITCH_TEXTS[name].title, state, reason: String(reason) }),
    ...(typeof missedCount === 'number' && typeof missedCents === 'number' && missedCount > 0
      ? [
          formatText(missedRenewals === 'waive' ? texts.waivedEntry : texts.chargedEntry, {
            count: formatCount(missedCount, 'renewal'),
            amount: formatCents(missedCents),
          }),
        ]
      : []),
    ...(typeof message === 'string' && message !== '' ? [formatText(texts.messageShownEntry, { message })] : []),
  ];
}

export function SwitchHistory() {
  const query = useInfiniteQuery(switchHistoryQuery());
  return (
    <ChangeList
      entries={query.data?.pages.flatMap(({ data }) => data) ?? []}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
