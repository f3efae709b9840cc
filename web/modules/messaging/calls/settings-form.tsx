import { type CallSettings, getCallSettings, updateCallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { showToast } from '../../../platform/feedback.ts';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../../platform/leave-guard.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { useApi } from '../../../platform/query.ts';
import { useSellingObstacle } from '../../../platform/seller-gate.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/choice.tsx';
import { cx } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FieldErrorMessage, SelectField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { ClockChangeNote } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { callSettingsQuery } from './availability-widget.tsx';
import { type CallHours, getNextDay, type HoursError, isPastMidnight } from './hours-draft.ts';
import { type CallSettingsDraft, findSettingsErrors, toCallSettings, toSettingsDraft } from './settings-draft.ts';
import { CallerSection, RateField } from './settings-sections.tsx';
import * as texts from './texts.ts';

const DAYS = [texts.sunday, texts.monday, texts.tuesday, texts.wednesday, texts.thursday, texts.friday, texts.saturday];
const WEEK_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];
const DEFAULT_HOURS = { from: '18:00', to: '22:00' };

type ChangeDraft = (part: Partial<CallSettingsDraft>) => void;

function TimeField({
  label,
  value,
  errorId,
  onChange,
}: {
  label: string;
  value: string;
  errorId: string | undefined;
  onChange: (time: string) => void;
}) {
  // The end of a day is 24:00, which time inputs do not support. It is shown as 00:00.
  return (
    <input
      type="time"
      className="input w-32 min-w-0 px-2"
      aria-label={label}
      aria-invalid={errorId !== undefined || undefined}
      aria-describedby={errorId}
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
  errorId,
  change,
}: {
  name: string;
  hours: CallHours;
  timeZone: string;
  errorId: string | undefined;
  change: (after: CallHours | undefined) => void;
}) {
  const { day, from, to } = hours;
  const endDay = isPastMidnight(hours) ? getNextDay(day) : day;
  return (
    <div>
      <span className="flex flex-wrap items-center gap-2">
        <TimeField
          label={formatText(texts.dayFrom, { day: name })}
          value={from}
          errorId={errorId}
          onChange={(time) => change({ ...hours, from: time })}
        />
        <span aria-hidden="true">–</span>
        <TimeField
          label={formatText(texts.dayUntil, { day: name })}
          value={to}
          errorId={errorId}
          onChange={(time) => change({ ...hours, to: time === '00:00' ? '24:00' : time })}
        />
        <IconButton
          icon="close"
          label={formatText(texts.removeHours, { day: name, startTime: from })}
          onClick={() => change(undefined)}
        />
      </span>
      {endDay !== day && (
        <p className="pt-1 text-small text-muted">
          {formatText(texts.untilNextDay, { time: to, day: DAYS[endDay] ?? '' })}
        </p>
      )}
      <ClockChangeNote time={from} weekdays={[day]} zone={timeZone} />
      <ClockChangeNote time={to} weekdays={[endDay]} zone={timeZone} />
    </div>
  );
}

function DayHours({
  day,
  hours,
  timeZone,
  error,
  change,
}: {
  day: number;
  hours: readonly CallHours[];
  timeZone: string;
  error: string | undefined;
  change: (before: CallHours | undefined, after: CallHours | undefined) => void;
}) {
  const name = DAYS[day] ?? '';
  const dayHours = hours.filter((each) => each.day === day);
  const last = dayHours.at(-1);
  const canAddHours = last === undefined || (last.to < '23:00' && !isPastMidnight(last));
  const errorId = useId();
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
          <HourRange
            // biome-ignore lint/suspicious/noArrayIndexKey: times change while they are typed
            key={index}
            {...{ name, timeZone }}
            hours={each}
            errorId={error === undefined ? undefined : errorId}
            change={(after) => change(each, after)}
          />
        ))}
        <FieldErrorMessage id={errorId} message={error} />
      </div>
      {canAddHours ? (
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
  error: HoursError | undefined;
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
              <DayHours
                key={day}
                {...{ day, hours, timeZone }}
                error={error?.day === day ? error.message : undefined}
                change={replace}
              />
            ))}
          </ul>
        </>
      )}
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
      <CallerSection rule={currentDraft.callerRule} tierId={currentDraft.callerTierId} change={change} />
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
