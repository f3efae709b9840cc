import { PATHS } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents, percentOf } from '@stagedoor/contract/atoms/money.ts';
import type { PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { type CallSettings, getCallSettings, updateCallSettings } from '@stagedoor/contract/calls.ts';
import { creatorFees } from '@stagedoor/contract/earnings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useClosedDoor } from '../../kernel/door.ts';
import { UNSAVED_WORDS, useUnsaved } from '../../kernel/leaving.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FieldError, SelectField, TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { settingsQuery } from './availability-widget.tsx';
import { draftOf, errorsOf, type Hours, rateRule, type SettingsDraft, settingsOf } from './settings-draft.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const WEEK = [1, 2, 3, 4, 5, 6, 0];
const FIRST_RATE = 2;
const EVENING = { from: '18:00', to: '22:00' };

type Change = (part: Partial<SettingsDraft>) => void;

function YouGet({ typed }: { typed: string }) {
  const fees = useQuery(apiQuery(creatorFees, {})).data;
  const cents = Math.round(Number(typed) * 100);
  if (!fees || !Number.isFinite(cents) || cents <= 0) return null;
  const gross = asCents(cents);
  return (
    <p className="num pt-1 text-small whitespace-normal! text-muted">
      Fans pay {formatCents(gross)} per minute, you earn{' '}
      <strong className="text-ink">{formatCents(gross - percentOf(gross, fees.effectiveFee))}</strong>.
    </p>
  );
}

function Price({
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
        label={`${label} calls`}
        hint={value === null ? 'Not offered' : undefined}
        checked={value !== null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? Math.min(Math.max(FIRST_RATE, limit.min), limit.max).toFixed(2) : null)
        }
      />
      {value !== null && (
        <div className="pb-4">
          <TextField
            label={`${label}, per minute`}
            prefix="$"
            inputMode="decimal"
            autoComplete="off"
            maxLength={8}
            value={value}
            hint={rateRule(limit)}
            error={error}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {!error && <YouGet typed={value} />}
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

function Day({
  day,
  hours,
  change,
}: {
  day: number;
  hours: readonly Hours[];
  change: (before: Hours | undefined, after: Hours | undefined) => void;
}) {
  const name = DAYS[day] ?? '';
  const own = hours.filter((each) => each.day === day);
  const last = own.at(-1);
  return (
    <li
      className={cx(
        'grid items-start gap-x-3 border-t border-line py-2',
        own.length > 0
          ? 'grid-cols-[minmax(0,1fr)_44px] md:grid-cols-[7rem_minmax(0,1fr)_44px]'
          : 'grid-cols-[7rem_minmax(0,1fr)_44px]',
      )}
    >
      <span className="pt-2.5">{name}</span>
      <div className={cx('grid gap-2', own.length > 0 && 'max-md:order-last max-md:col-span-2')}>
        {own.length === 0 && <span className="pt-2.5 text-muted">No calls</span>}
        {own.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: times change while they are typed
          <span key={index} className="flex flex-wrap items-center gap-2">
            <TimeField label={`${name} from`} value={each.from} onChange={(from) => change(each, { ...each, from })} />
            <span aria-hidden="true">–</span>
            <TimeField
              label={`${name} until`}
              value={each.to}
              onChange={(to) => change(each, { ...each, to: to === '00:00' ? '24:00' : to })}
            />
            <IconButton icon="close" label={`Remove ${name} ${each.from}`} onClick={() => change(each, undefined)} />
          </span>
        ))}
      </div>
      {(last?.to ?? '') < '23:00' ? (
        <IconButton
          icon="plus"
          label={`Add hours for ${name}`}
          onClick={() => change(undefined, { day, ...(last ? { from: last.to, to: '24:00' } : EVENING) })}
        />
      ) : (
        <span />
      )}
    </li>
  );
}

function zones(own: string): { value: string; label: string }[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), own]);
  return [...known].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

function HoursPart({ draft, change, error }: { draft: SettingsDraft; change: Change; error: string | undefined }) {
  const id = useId();
  const { hours, timeZone } = draft;
  const isAlways = hours.length === 0;
  const setAlways = (always: boolean) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    change(
      always
        ? { hours: [] }
        : { hours: [1, 2, 3, 4, 5].map((day) => ({ day, ...EVENING })), ...(timeZone === 'UTC' && { timeZone: zone }) },
    );
  };
  const replace = (before: Hours | undefined, after: Hours | undefined) =>
    change({
      hours: before
        ? hours.flatMap((each) => (each === before ? (after ? [after] : []) : [each]))
        : after
          ? [...hours, after]
          : [...hours],
    });
  return (
    <section aria-labelledby={id} className="pt-10">
      <SectionHead id={id} title="Hours" />
      <Switch
        row
        label="Any time"
        hint="Whenever you’re online and calls are on."
        checked={isAlways}
        onChange={(event) => setAlways(event.currentTarget.checked)}
      />
      {!isAlways && (
        <>
          <div className="pt-4">
            <SelectField
              label="Time zone"
              value={timeZone}
              options={zones(timeZone)}
              onChange={(event) => change({ timeZone: event.currentTarget.value })}
            />
          </div>
          <ul className="mt-4 border-b border-line" aria-label="Hours by day">
            {WEEK.map((day) => (
              <Day key={day} day={day} hours={hours} change={replace} />
            ))}
          </ul>
          <FieldError id={`${id}-error`} message={error} />
        </>
      )}
    </section>
  );
}

function useDraft(settings: CallSettings) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<SettingsDraft>();
  const save = useApiMutation(updateCallSettings, {
    showErrorMessage: false,
    onSuccess: (answer) => {
      client.setQueryData(settingsQuery().queryKey, answer);
      setDraft(undefined);
      void showToast('Saved. Ongoing calls keep their price.', 'success');
    },
  });
  const shown = { ...(draft ?? draftOf(settings)), isAvailable: settings.isAvailable };
  return {
    shown,
    isDirty: draft !== undefined,
    change: (part: Partial<SettingsDraft>) => setDraft({ ...shown, ...part }),
    save,
  };
}

export function CallSettingsForm() {
  const settings = useApi(getCallSettings, {});
  const { shown, isDirty, change, save } = useDraft(settings);
  const closed = useClosedDoor('Paid calls');
  const isSelling = settings.isAvailable && (settings.videoRate ?? settings.audioRate) !== null;
  const leaving = useUnsaved(isDirty, save.isPending);
  const limit = usePriceLimit('callRate');
  const errors = errorsOf(shown, limit, settings);
  const isWrong = Object.keys(errors).length > 0;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong && !save.isPending) save.mutate({ body: settingsOf(shown) });
      }}
    >
      <section aria-labelledby="prices" className="pt-10">
        <SectionHead id="prices" title="Prices" />
        {closed && !isSelling && <Refusal message={closed} href={PATHS.creatorVerification} className="pb-4" />}
        <Price
          label="Video"
          value={shown.videoRate}
          limit={limit}
          error={errors.videoRate}
          onChange={(videoRate) => change({ videoRate })}
        />
        <Price
          label="Voice"
          value={shown.audioRate}
          limit={limit}
          error={errors.audioRate}
          onChange={(audioRate) => change({ audioRate })}
        />
        <div className="border-t border-line pt-4">
          <TextField
            label="Minimum balance, in minutes"
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
            value={Number.isNaN(shown.shortestMinutes) ? '' : String(shown.shortestMinutes)}
            hint={`Fans need enough balance for this many minutes to call you. From ${CALL.shortestMinutes.min} to ${CALL.shortestMinutes.max}.`}
            error={errors.shortestMinutes}
            onChange={(event) =>
              change({
                shortestMinutes: event.currentTarget.value === '' ? Number.NaN : Number(event.currentTarget.value),
              })
            }
          />
        </div>
      </section>
      <HoursPart draft={shown} change={change} error={errors.hours} />
      <div className="flex items-center gap-3 pt-8">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          disabled={!isDirty || isWrong}
          busy={save.isPending}
          busyText="Saving…"
        >
          Save
        </Button>
        {!isDirty && <span className="text-small text-muted">All changes saved.</span>}
      </div>
      {save.error && save.error.message !== closed && <Refusal message={save.error.message} />}
      <ConfirmDialog
        open={leaving.isAsked}
        onOpenChange={(isOpen) => !isOpen && leaving.stay()}
        {...UNSAVED_WORDS}
        onConfirm={leaving.leave}
      />
    </form>
  );
}
