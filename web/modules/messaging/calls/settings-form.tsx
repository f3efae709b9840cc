import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import {
  CALLER_RULES,
  type CallerRule,
  type CallSettings,
  getCallSettings,
  updateCallSettings,
} from '@stagedoor/contract/messaging/calls.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, calculatePercent, formatCents } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { showToast } from '../../../platform/feedback.ts';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../../platform/leave-guard.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { useSellingObstacle } from '../../../platform/seller-gate.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { RadioRows, Switch } from '../../../ui/choice.tsx';
import { cx } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FieldErrorMessage, SelectField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { ClockChangeNote } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { callSettingsQuery } from './availability-widget.tsx';
import {
  type CallHours,
  type CallSettingsDraft,
  findSettingsErrors,
  formatRateLimits,
  toCallSettings,
  toSettingsDraft,
} from './settings-draft.ts';
import * as texts from './texts.ts';

const DAYS = [texts.sunday, texts.monday, texts.tuesday, texts.wednesday, texts.thursday, texts.friday, texts.saturday];
const WEEK_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];
const DEFAULT_RATE = 2;
const DEFAULT_HOURS = { from: '18:00', to: '22:00' };

type ChangeDraft = (part: Partial<CallSettingsDraft>) => void;

function CreatorShare({ typed }: { typed: string }) {
  const fees = useQuery(apiQuery(getCreatorFees, {})).data;
  const cents = Math.round((parseUsd(typed) ?? 0) * 100);
  if (!fees || cents <= 0) return null;
  const gross = asCents(cents);
  return (
    <p className="num pt-1 text-small whitespace-normal! text-muted">
      {formatNodes(texts.creatorShareHint, {
        price: formatCents(gross),
        share: <strong className="text-ink">{formatCents(gross - calculatePercent(gross, fees.effectiveFee))}</strong>,
      })}
    </p>
  );
}

function RateField({
  label,
  value,
  limit,
  error,
  onChange,
}: {
  label: string;
  value: string | null;
  limit: PriceLimit;
  error: string | undefined;
  onChange: (value: string | null) => void;
}) {
  return (
    <div className="border-t border-line">
      <Switch
        row
        label={formatText(texts.callsOfKind, { callKind: label })}
        hint={value === null ? texts.notOffered : undefined}
        checked={value !== null}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked ? Math.min(Math.max(DEFAULT_RATE, limit.min), limit.max).toFixed(2) : null,
          )
        }
      />
      {value !== null && (
        <div className="pb-4">
          <MoneyField
            label={formatText(texts.kindPerMinute, { callKind: label })}
            maxLength={8}
            value={value}
            hint={error === undefined ? formatRateLimits(limit) : undefined}
            error={error}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {!error && <CreatorShare typed={value} />}
        </div>
      )}
    </div>
  );
}

function TimeField({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) {
  // The end of a day is 24:00, which time inputs do not support. It is shown as 00:00.
  return (
    <input
      type="time"
      className="input w-32 min-w-0 px-2"
      aria-label={label}
      required
      value={value === '24:00' ? '00:00' : value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function HourRange({
  name,
  hours,
  timeZone,
  change,
}: {
  name: string;
  hours: CallHours;
  timeZone: string;
  change: (after: CallHours | undefined) => void;
}) {
  const { day, from, to } = hours;
  return (
    <div>
      <span className="flex flex-wrap items-center gap-2">
        <TimeField
          label={formatText(texts.dayFrom, { day: name })}
          value={from}
          onChange={(time) => change({ ...hours, from: time })}
        />
        <span aria-hidden="true">–</span>
        <TimeField
          label={formatText(texts.dayUntil, { day: name })}
          value={to}
          onChange={(time) => change({ ...hours, to: time === '00:00' ? '24:00' : time })}
        />
        <IconButton
          icon="close"
          label={formatText(texts.removeHours, { day: name, startTime: from })}
          onClick={() => change(undefined)}
        />
      </span>
      <ClockChangeNote time={from} weekdays={[day]} zone={timeZone} />
      <ClockChangeNote time={to} weekdays={[day]} zone={timeZone} />
    </div>
  );
}

function DayHours({
  day,
  hours,
  timeZone,
  change,
}: {
  day: number;
  hours: readonly CallHours[];
  timeZone: string;
  change: (before: CallHours | undefined, after: CallHours | undefined) => void;
}) {
  const name = DAYS[day] ?? '';
  const dayHours = hours.filter((each) => each.day === day);
  const last = dayHours.at(-1);
  return (
    <li
      className={cx(
        'grid items-start gap-x-3 border-t border-line py-2',
        dayHours.length > 0
          ? 'grid-cols-[minmax(0,1fr)_44px] md:grid-cols-[7rem_minmax(0,1fr)_44px]'
          : 'grid-cols-[7rem_minmax(0,1fr)_44px]',
      )}
    >
      <span className="pt-2.5">{name}</span>
      <div className={cx('grid gap-2', dayHours.length > 0 && 'max-md:order-last max-md:col-span-2')}>
        {dayHours.length === 0 && <span className="pt-2.5 text-muted">{texts.noCalls}</span>}
        {dayHours.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: times change while they are typed
          <HourRange key={index} name={name} hours={each} timeZone={timeZone} change={(after) => change(each, after)} />
        ))}
      </div>
      {(last?.to ?? '') < '23:00' ? (
        <IconButton
          icon="plus"
          label={formatText(texts.addHours, { day: name })}
          onClick={() => change(undefined, { day, ...(last ? { from: last.to, to: '24:00' } : DEFAULT_HOURS) })}
        />
      ) : (
        <span />
      )}
    </li>
  );
}

function listTimeZones(ownZone: string): { value: string; label: string }[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ownZone]);
  return [...known].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

function HoursSection({
  draft,
  change,
  error,
}: {
  draft: CallSettingsDraft;
  change: ChangeDraft;
  error: string | undefined;
}) {
  const id = useId();
  const { hours, timeZone } = draft;
  const isAlways = hours.length === 0;
  const setAlways = (always: boolean) => {
    change(
      always
        ? { hours: [] }
        : {
            hours: [1, 2, 3, 4, 5].map((day) => ({ day, ...DEFAULT_HOURS })),
            ...(timeZone === 'UTC' && { timeZone: getOwnZone() }),
          },
    );
  };
  const replace = (before: CallHours | undefined, after: CallHours | undefined) =>
    change({
      hours: before
        ? hours.flatMap((each) => (each === before ? (after ? [after] : []) : [each]))
        : after
          ? [...hours, after]
          : [...hours],
    });
  return (
    <section aria-labelledby={id} className="pt-10">
      <SectionHead id={id} title={texts.hours} />
      <Switch
        row
        label={texts.anyTime}
        hint={texts.anyTimeHint}
        checked={isAlways}
        onChange={(event) => setAlways(event.currentTarget.checked)}
      />
      {!isAlways && (
        <>
          <div className="pt-4">
            <SelectField
              label={texts.timeZone}
              value={timeZone}
              options={listTimeZones(timeZone)}
              onChange={(event) => change({ timeZone: event.currentTarget.value })}
            />
          </div>
          <ul className="mt-4 border-b border-line" aria-label={texts.hoursByDay}>
            {WEEK_FROM_MONDAY.map((day) => (
              <DayHours key={day} day={day} hours={hours} timeZone={timeZone} change={replace} />
            ))}
          </ul>
          <FieldErrorMessage id={`${id}-error`} message={error} />
        </>
      )}
    </section>
  );
}

const RULE_TEXTS: Readonly<Record<CallerRule, { title: string; sub: string }>> = {
  everyone: { title: texts.everyone, sub: texts.everyoneHint },
  conversations: { title: texts.openConversations, sub: texts.openConversationsHint },
  followers: { title: texts.followers, sub: texts.followersHint },
  buyers: { title: texts.buyers, sub: texts.buyersHint },
};

function CallerSection({ rule, change }: { rule: CallerRule; change: ChangeDraft }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="pt-10">
      <SectionHead id={id} title={texts.whoCanCallYou} />
      <RadioRows
        plain
        name="callerRule"
        label={texts.whoCanCallYou}
        value={rule}
        choices={CALLER_RULES.map((value) => ({ value, ...RULE_TEXTS[value] }))}
        onValueChange={(value) => {
          const callerRule = CALLER_RULES.find((each) => each === value);
          if (callerRule) change({ callerRule });
        }}
      />
      <p className="mt-4 text-note text-muted">{texts.declinedFansHint}</p>
    </section>
  );
}

function useSettingsDraft(settings: CallSettings) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<CallSettingsDraft>();
  const save = useApiMutation(updateCallSettings, {
    showErrorMessage: false,
    onSuccess: (response) => {
      client.setQueryData(callSettingsQuery().queryKey, response);
      setDraft(undefined);
      void showToast(texts.savedToast, 'success');
    },
  });
  const currentDraft = { ...(draft ?? toSettingsDraft(settings)), isAvailable: settings.isAvailable };
  return {
    currentDraft,
    isDirty: draft !== undefined,
    change: (part: Partial<CallSettingsDraft>) => setDraft({ ...currentDraft, ...part }),
    save,
  };
}

export function CallSettingsForm() {
  const settings = useApi(getCallSettings, {});
  const { currentDraft, isDirty, change, save } = useSettingsDraft(settings);
  const sellingBlockedMessage = useSellingObstacle(texts.paidCalls);
  const isSelling = settings.isAvailable && (settings.videoRate ?? settings.audioRate) !== null;
  const leaveGuard = useLeaveGuard(isDirty, save.isPending);
  const limit = usePriceLimit('callRate');
  const errors = findSettingsErrors(currentDraft, limit, settings);
  const hasErrors = Object.keys(errors).length > 0;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasErrors && !save.isPending) save.mutate({ body: toCallSettings(currentDraft) });
      }}
    >
      <section aria-labelledby="prices" className="pt-10">
        <SectionHead id="prices" title={texts.prices} />
        {sellingBlockedMessage && !isSelling && (
          <InlineError message={sellingBlockedMessage} href={PATHS.creatorVerification} className="pb-4" />
        )}
        <RateField
          label={texts.video}
          value={currentDraft.videoRate}
          limit={limit}
          error={errors.videoRate}
          onChange={(videoRate) => change({ videoRate })}
        />
        <RateField
          label={texts.voice}
          value={currentDraft.audioRate}
          limit={limit}
          error={errors.audioRate}
          onChange={(audioRate) => change({ audioRate })}
        />
        <div className="border-t border-line pt-4">
          <IntegerField
            label={texts.minimumBalanceInMinutes}
            maxLength={8}
            value={currentDraft.minMinutes}
            hint={formatText(texts.minimumBalanceFieldHint, {
              min: CALL_LIMITS.minMinutes.min,
              max: CALL_LIMITS.minMinutes.max,
            })}
            error={errors.minMinutes}
            onChange={(event) => change({ minMinutes: event.currentTarget.value })}
          />
        </div>
      </section>
      <CallerSection rule={currentDraft.callerRule} change={change} />
      <HoursSection draft={currentDraft} change={change} error={errors.hours} />
      <div className="flex items-center gap-3 pt-8">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          disabled={!isDirty || hasErrors}
          busy={save.isPending}
          busyText={texts.saving}
        >
          {texts.save}
        </Button>
        {!isDirty && <span className="text-small text-muted">{texts.allChangesSaved}</span>}
      </div>
      {save.error && save.error.message !== sellingBlockedMessage && <InlineError message={save.error.message} />}
      <ConfirmDialog
        open={leaveGuard.isPrompting}
        onOpenChange={(isOpen) => !isOpen && leaveGuard.stay()}
        {...UNSAVED_DIALOG}
        onConfirm={leaveGuard.leave}
      />
    </form>
  );
}
