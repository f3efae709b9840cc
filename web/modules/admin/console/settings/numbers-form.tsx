/**
 * A form for numbers that are changed together with a reason. The draft is relative to the values at its start, even if
 * newer ones arrive.
 */

import { REASON_LENGTH } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod/mini';
import { MoneyField, type MoneyFieldProps } from '../../../../platform/money-field.tsx';
import { formatPriceInput, parsePrice } from '../../../../platform/price.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

type Unit = '$' | '%' | 'h' | 'd' | 'm';
export type NumberSetting<Name extends string> = { name: Name; label: string; hint: string; unit: Unit };
type SettingValues<Name extends string> = Readonly<Record<Name, number>>;

const SUFFIX: Readonly<Record<Exclude<Unit, '$' | '%'>, string>> = { h: 'h', d: 'days', m: 'months' };

/** Formats a value for a sentence: `$20.00`, `5%`, `72 h`. */
export function formatSetting(unit: Unit, value: number): string {
  if (unit === '$') return formatUsd(value);
  return unit === '%' ? `${value}%` : `${value} ${SUFFIX[unit]}`;
}

/** The changes of an audit entry, such as `Least payout: $20.00 to $25.00`. */
export function listChanges<Name extends string>(
  settings: readonly NumberSetting<Name>[],
  details: Readonly<Record<string, unknown>>,
): string[] {
  return settings.flatMap(({ name, label, unit }) => {
    const [before, after] = [details[`${name}Before`], details[name]];
    if (typeof after !== 'number') return [];
    return typeof before === 'number'
      ? formatText(texts.settingChange, {
          label,
          before: formatSetting(unit, before),
          after: formatSetting(unit, after),
        })
      : `${label}: ${formatSetting(unit, after)}`;
  });
}

export function formatChanges<Name extends string>(
  settings: readonly NumberSetting<Name>[],
  details: Readonly<Record<string, unknown>>,
): string[] {
  const { reason, requestedBy, alone } = details;
  const isConfirmed = requestedBy !== undefined && settings.some(({ name }) => details[name] !== undefined);
  return [
    ...listChanges(settings, details),
    ...settings.flatMap(({ name, label, unit }) => {
      const getDetail = (end: 'Requested' | 'Withdrawn' | 'Refused') => details[`${name}${end}`];
      const formatLine = (value: unknown, suffix: string) =>
        typeof value === 'number' ? [`${label}: ${formatSetting(unit, value)} ${suffix}`] : [];
      return [
        ...formatLine(getDetail('Requested'), texts.requestedNeedsSecondApproval),
        ...formatLine(getDetail('Withdrawn'), 'withdrawn'),
        ...formatLine(getDetail('Refused'), texts.rejectedOrWithdrawn),
      ];
    }),
    ...(isConfirmed ? [texts.secondApprovalConfirmed] : []),
    ...(alone === true ? [texts.singleApproval] : []),
    ...(typeof reason === 'string' ? [`“${reason}”`] : []),
  ];
}

export const REASON_FIELD = {
  label: texts.reason,
  hint: texts.recordedInTheAuditLog,
  maxLength: REASON_LENGTH.max,
} as const;
export const isValidReason = (text: string) => text.trim().length >= REASON_LENGTH.min;

type Draft<Name extends string> = { from: SettingValues<Name>; typed: Partial<Record<Name, string>>; reason: string };

export type NumbersFormProps<Name extends string> = {
  settings: readonly NumberSetting<Name>[];
  rules: Readonly<Record<Name, z.ZodMiniType<number, number>>>;
  current: SettingValues<Name>;
  isAllowed: boolean;
  busy: boolean;
  error: string | undefined;
  /** A validation error that involves several fields, shown at one of them. */
  findProblem?: (to: SettingValues<Name>) => { field: Name; message: string } | undefined;
  note?: (from: SettingValues<Name>, to: SettingValues<Name>) => string | undefined;
  onSave: (change: { from: SettingValues<Name>; to: SettingValues<Name>; reason: string }) => void;
};

/** Resets a form after its change was saved or another operator was first. */
export function useFormReset() {
  const [formKey, setFormKey] = useState(0);
  const reset = () => setFormKey((before) => before + 1);
  return { formKey, resetHandlers: { onDone: reset, onConflict: reset } };
}

function NumberField({ unit, ...props }: MoneyFieldProps & { unit: Unit }) {
  return unit === '$' ? <MoneyField {...props} /> : <TextField {...props} inputMode="decimal" autoComplete="off" />;
}

export function NumbersForm<Name extends string>({
  settings,
  rules,
  current,
  isAllowed,
  ...props
}: NumbersFormProps<Name>) {
  const { busy, error, findProblem, note, onSave } = props;
  const [draft, setDraft] = useState<Draft<Name>>();
  const currentDraft: Draft<Name> = draft ?? { from: current, typed: {}, reason: '' };
  const { from, typed, reason } = currentDraft;
  const fields = settings.map((setting) => {
    const text = typed[setting.name] ?? formatPriceInput(from[setting.name]);
    return { ...setting, text, ...parsePrice(rules[setting.name], text) };
  });
  const isValid = fields.every(({ error: parseError }) => parseError === undefined);
  const to: Record<Name, number> = { ...from };
  for (const { name, usd, error: parseError } of fields) if (parseError === undefined) to[name] = usd;
  const isChanged = fields.some(({ name }) => to[name] !== from[name]);
  const problem = isValid && isChanged ? findProblem?.(to) : undefined;
  const noteText = isValid && isChanged ? note?.(from, to) : undefined;
  const canSave = isValid && isChanged && problem === undefined && isValidReason(reason);
  const updateDraft = (change: Partial<Draft<Name>>) => setDraft({ from, typed, reason, ...change });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (canSave) onSave({ from, to, reason });
  };
  return (
    <form className="grid gap-5" onSubmit={send}>
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        {fields.map(({ name, label, hint, unit, text, error: parseError }) => {
          const fieldError = parseError ?? (problem?.field === name ? problem.message : undefined);
          return (
            <NumberField
              key={name}
              unit={unit}
              label={label}
              hint={hint}
              readOnly={!isAllowed}
              value={text}
              {...(fieldError !== undefined && { error: fieldError })}
              onChange={(event) => updateDraft({ typed: { ...typed, [name]: event.currentTarget.value } })}
            />
          );
        })}
      </div>
      {isAllowed && isChanged && (
        <TextField
          {...REASON_FIELD}
          required
          value={reason}
          onChange={(event) => updateDraft({ reason: event.currentTarget.value })}
        />
      )}
      {noteText !== undefined && <p className="text-small font-semibold">{noteText}</p>}
      {error !== undefined && <InlineError message={error} />}
      <div className={isAllowed ? 'flex flex-wrap gap-3' : 'hidden'}>
        <Button type="submit" variant="primary" disabled={!canSave} busy={busy} busyText={texts.saving}>
          {texts.save}
        </Button>
        {draft && (
          <Button variant="quiet" onClick={() => setDraft(undefined)}>
            {texts.discard}
          </Button>
        )}
      </div>
    </form>
  );
}
