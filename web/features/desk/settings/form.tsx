/** What operators set for payouts, and who changed what of it. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { getPayoutSettings, payoutSettings, setPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readPrice, writePrice } from '../../../kernel/price.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';

export const settingsQuery = () => apiQuery(getPayoutSettings, {});
export const changesQuery = () => apiInfiniteQuery(listAudit, { query: { act: 'settings.payouts', limit: 10 } });

const RULES = payoutSettings.shape;
type Name = keyof typeof RULES;
type Draft = { from: ResponseOf<typeof getPayoutSettings>; typed: Partial<Record<Name, string>> };
type Setting = { name: Name; label: string; hint: string; unit: '$' | '%' | 'h' };

const SETTINGS: readonly Setting[] = [
  { name: 'minimum', label: 'Least payout', hint: 'To banks and PayPal', unit: '$' },
  { name: 'cryptoMinimum', label: 'Least payout in coins', hint: 'Sending them costs more', unit: '$' },
  { name: 'referralsMinimum', label: 'Least payout of referrals', hint: 'Whichever is more counts', unit: '$' },
  { name: 'referralsFeePercent', label: 'Fee on referrals', hint: 'Percent of what is withdrawn, 0 to 50', unit: '%' },
  {
    name: 'coolingHours',
    label: 'Cooling period',
    hint: 'Hours until money goes to a new method, 0 to 720',
    unit: 'h',
  },
  { name: 'secondApprover', label: 'Second approver above', hint: 'Above it two operators approve', unit: '$' },
];

function written(unit: Setting['unit'], value: number): string {
  if (unit === '$') return formatUsd(value);
  return unit === '%' ? `${value}%` : `${value} h`;
}

/** Changing them is the form's; what was requested before keeps its terms. */
export function SettingsForm() {
  const current = useApi(getPayoutSettings, {});
  // What is typed is a change of what stood here when it was begun, whatever comes in meanwhile.
  const [draft, setDraft] = useState<Draft>();
  const { from: settings, typed } = draft ?? { from: current, typed: {} };
  const save = useDeskAct(setPayoutSettings, {
    forget: [getPayoutSettings, listAudit],
    done: () => 'Saved. It holds for what is requested from now on.',
    onDone: () => setDraft(undefined),
    onElsewhere: () => setDraft(undefined),
  });
  const read = SETTINGS.map(({ name, ...setting }) => {
    const text = typed[name] ?? writePrice(settings[name]);
    return { name, ...setting, text, ...readPrice(RULES[name], text) };
  });
  const isComplete = read.every(({ complaint }) => complaint === undefined);
  const isChanged = read.some(({ name, usd }) => usd !== settings[name]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || !isChanged) return;
    const to = { ...settings };
    for (const { name, usd } of read) to[name] = usd;
    save.send({ body: { from: settings, to } });
  };
  return (
    <form className="form max-w-120" onSubmit={send}>
      {read.map(({ name, label, hint, unit, text, complaint }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          inputMode="decimal"
          autoComplete="off"
          readOnly={!save.may}
          value={text}
          {...(unit === '$' && { prefix: '$' })}
          {...(complaint !== undefined && { error: complaint })}
          onChange={(event) => setDraft({ from: settings, typed: { ...typed, [name]: event.currentTarget.value } })}
        />
      ))}
      {save.error !== undefined && <Refusal message={save.error} />}
      <Button
        type="submit"
        variant="primary"
        className={save.may ? 'justify-self-start' : 'hidden'}
        disabled={!isComplete || !isChanged}
        busy={save.isPending}
        busyText="Saving…"
      >
        Save
      </Button>
    </form>
  );
}

/** What an entry changed: `Least payout: $20.00 to $25.00`. */
function wordsOf({ facts }: AuditEntry): string[] {
  return SETTINGS.flatMap(({ name, label, unit }) => {
    const [before, after] = [facts[`${name}Before`], facts[name]];
    if (typeof after !== 'number') return [];
    return typeof before === 'number'
      ? `${label}: ${written(unit, before)} to ${written(unit, after)}`
      : `${label}: ${written(unit, after)}`;
  });
}

export function SettingsHistory() {
  const query = useInfiniteQuery(changesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Changes
      entries={entries}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
