/**
 * A form for numbers that are changed together with a reason. The draft is relative to the values at its start, even if
 * newer ones arrive.
 */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { GROUND_LENGTH } from '@stagedoor/contract/processor-desk.ts';
import { type FormEvent, useState } from 'react';
import type * as z from 'zod/mini';
import { readPrice, writePrice } from '../../../kernel/price.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';

type Unit = '$' | '%' | 'h' | 'd' | 'm';
export type Setting<Name extends string> = { name: Name; label: string; hint: string; unit: Unit };
type Values<Name extends string> = Readonly<Record<Name, number>>;

const SUFFIX: Readonly<Record<Exclude<Unit, '$' | '%'>, string>> = { h: 'h', d: 'days', m: 'months' };

/** Formats a value for a sentence: `$20.00`, `5%`, `72 h`. */
export function written(unit: Unit, value: number): string {
  if (unit === '$') return formatUsd(value);
  return unit === '%' ? `${value}%` : `${value} ${SUFFIX[unit]}`;
}

/** The changes of an audit entry, such as `Least payout: $20.00 to $25.00`. */
export function changesIn<Name extends string>(
  settings: readonly Setting<Name>[],
  facts: Readonly<Record<string, unknown>>,
): string[] {
  return settings.flatMap(({ name, label, unit }) => {
    const [before, after] = [facts[`${name}Before`], facts[name]];
    if (typeof after !== 'number') return [];
    return typeof before === 'number'
      ? `${label}: ${written(unit, before)} to ${written(unit, after)}`
      : `${label}: ${written(unit, after)}`;
  });
}

export function changeWords<Name extends string>(
  settings: readonly Setting<Name>[],
  facts: Readonly<Record<string, unknown>>,
): string[] {
  const { ground, wantedBy, alone } = facts;
  const isConfirmed = wantedBy !== undefined && settings.some(({ name }) => facts[name] !== undefined);
  return [
    ...changesIn(settings, facts),
    ...settings.flatMap(({ name, label, unit }) => {
      const of = (end: string) => facts[`${name}${end}`];
      const line = (value: unknown, words: string) =>
        typeof value === 'number' ? [`${label}: ${written(unit, value)} ${words}`] : [];
      return [
        ...line(of('Wanted'), 'requested, needs second approval'),
        ...line(of('Withdrawn'), 'withdrawn'),
        ...line(of('Refused'), 'rejected or withdrawn'),
      ];
    }),
    ...(isConfirmed ? ['Second approval given'] : []),
    ...(alone === true ? ['Single approval: no other finance staff'] : []),
    ...(typeof ground === 'string' ? [`“${ground}”`] : []),
  ];
}

export const WHY = { label: 'Reason', hint: 'Recorded in the audit log.', maxLength: GROUND_LENGTH.max } as const;
export const isGround = (text: string) => text.trim().length >= GROUND_LENGTH.min;

type Draft<Name extends string> = { from: Values<Name>; typed: Partial<Record<Name, string>>; ground: string };

export type NumbersFormProps<Name extends string> = {
  settings: readonly Setting<Name>[];
  rules: Readonly<Record<Name, z.ZodMiniType<number, number>>>;
  current: Values<Name>;
  may: boolean;
  busy: boolean;
  error: string | undefined;
  /** A validation error that involves several fields, shown at one of them. */
  problemOf?: (to: Values<Name>) => { field: Name; message: string } | undefined;
  note?: (from: Values<Name>, to: Values<Name>) => string | undefined;
  onSave: (change: { from: Values<Name>; to: Values<Name>; ground: string }) => void;
};

/** Resets a form after its change was saved or another operator was first. */
export function useAnew() {
  const [round, setRound] = useState(0);
  const anew = () => setRound((before) => before + 1);
  return { round, anew: { onDone: anew, onElsewhere: anew } };
}

export function NumbersForm<Name extends string>({ settings, rules, current, may, ...props }: NumbersFormProps<Name>) {
  const { busy, error, problemOf, note, onSave } = props;
  const [draft, setDraft] = useState<Draft<Name>>();
  const now: Draft<Name> = draft ?? { from: current, typed: {}, ground: '' };
  const { from, typed, ground } = now;
  const read = settings.map((setting) => {
    const text = typed[setting.name] ?? writePrice(from[setting.name]);
    return { ...setting, text, ...readPrice(rules[setting.name], text) };
  });
  const isSound = read.every(({ complaint }) => complaint === undefined);
  const to: Record<Name, number> = { ...from };
  for (const { name, usd, complaint } of read) if (complaint === undefined) to[name] = usd;
  const isChanged = read.some(({ name }) => to[name] !== from[name]);
  const problem = isSound && isChanged ? problemOf?.(to) : undefined;
  const said = isSound && isChanged ? note?.(from, to) : undefined;
  const mayNow = isSound && isChanged && problem === undefined && isGround(ground);
  const type = (change: Partial<Draft<Name>>) => setDraft({ from, typed, ground, ...change });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (mayNow) onSave({ from, to, ground });
  };
  return (
    <form className="grid gap-5" onSubmit={send}>
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        {read.map(({ name, label, hint, unit, text, complaint }) => {
          const wrong = complaint ?? (problem?.field === name ? problem.message : undefined);
          return (
            <TextField
              key={name}
              label={label}
              hint={hint}
              inputMode="decimal"
              autoComplete="off"
              readOnly={!may}
              value={text}
              {...(unit === '$' && { prefix: '$' })}
              {...(wrong !== undefined && { error: wrong })}
              onChange={(event) => type({ typed: { ...typed, [name]: event.currentTarget.value } })}
            />
          );
        })}
      </div>
      {may && isChanged && (
        <TextField {...WHY} required value={ground} onChange={(event) => type({ ground: event.currentTarget.value })} />
      )}
      {said !== undefined && <p className="text-small font-semibold">{said}</p>}
      {error !== undefined && <Refusal message={error} />}
      <div className={may ? 'flex flex-wrap gap-3' : 'hidden'}>
        <Button type="submit" variant="primary" disabled={!mayNow} busy={busy} busyText="Saving…">
          Save
        </Button>
        {draft && (
          <Button variant="quiet" onClick={() => setDraft(undefined)}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}
