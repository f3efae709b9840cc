import { check } from '@stagedoor/contract/atoms/words.ts';
import {
  ACCOUNT_REGIONS,
  ACCOUNT_TYPES,
  addPayoutMethod,
  COINS,
  getPayoutRule,
  listPayoutMethods,
  PAYOUT_KINDS,
  type PayoutKind,
  type PayoutMethod,
  payoutDetails,
  replacePayoutMethod,
} from '@stagedoor/contract/payouts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

const KIND_WORDS: Readonly<Record<PayoutKind, string>> = { ach: 'Bank account', paypal: 'PayPal', crypto: 'Crypto' };
const WAYS = Object.entries(COINS).flatMap(([coin, networks]) =>
  Object.entries(networks).map(([network, words]) => ({ value: `${coin} ${network}`, label: `${coin}, ${words}` })),
);

type Field =
  | 'holder'
  | 'routing'
  | 'account'
  | 'accountType'
  | 'region'
  | 'email'
  | 'way'
  | 'address'
  | 'currentPassword'
  | 'code';
export type Draft = { readonly [F in Field]?: string };
type Complaints = Readonly<Record<string, string>>;
const EMPTY: Draft = { accountType: ACCOUNT_TYPES[0], region: ACCOUNT_REGIONS[0], way: WAYS[0]?.value ?? '' };

function fieldOf(path: string): string {
  const field = path.split('.').at(-1) ?? '';
  return field === 'coin' || field === 'network' ? 'way' : field;
}

function detailsOf(kind: PayoutKind, draft: Draft) {
  const { holder = '', routing = '', account = '', accountType, region, email = '', way = '', address = '' } = draft;
  if (kind === 'ach') return { kind, holder, routing, account, accountType, region };
  if (kind === 'paypal') return { kind, email };
  const [coin, network] = way.split(' ');
  return { kind, coin, network, address };
}

function bodyOf(kind: PayoutKind, draft: Draft) {
  const { currentPassword = '', code } = draft;
  const details = check(payoutDetails, detailsOf(kind, draft));
  if (details.success && currentPassword !== '')
    return { body: { currentPassword, ...(code && { code }), details: details.data } };
  const issues = details.success ? [] : details.error.issues;
  const complaints: Record<string, string> = currentPassword === '' ? { currentPassword: 'Enter your password' } : {};
  for (const { path, message } of issues) complaints[fieldOf(path.map(String).join('.'))] ??= message;
  return { complaints };
}

export function complaintsOf(error: Error | null): Complaints {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(Object.entries(error.fields).map(([path, message]) => [fieldOf(path), message]));
}

export function Proof({ draft, complaints, change }: FieldsProps) {
  return (
    <>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        value={draft.currentPassword ?? ''}
        error={complaints.currentPassword}
        onChange={(event) => change({ currentPassword: event.currentTarget.value })}
      />
      <TextField
        label="Authentication code (if enabled)"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        value={draft.code ?? ''}
        error={complaints.code}
        onChange={(event) => change({ code: event.currentTarget.value })}
      />
    </>
  );
}

type FieldsProps = { draft: Draft; complaints: Complaints; change: (part: Draft) => void };

function DetailFields({ kind, draft, complaints, change }: FieldsProps & { kind: PayoutKind }) {
  const text = (field: Field, label: string, more: { hint?: string; type?: string } = {}) => (
    <TextField
      label={label}
      autoComplete="off"
      maxLength={254}
      value={draft[field] ?? ''}
      error={complaints[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...more}
    />
  );
  const choice = (field: Field, label: string, options: readonly { value: string; label: string }[]) => (
    <SelectField
      label={label}
      value={draft[field] ?? ''}
      options={options}
      error={complaints[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  if (kind === 'paypal') return text('email', 'PayPal email', { type: 'email' });
  if (kind === 'crypto')
    return (
      <>
        {choice('way', 'Coin and network', WAYS)}
        {text('address', 'Address', { hint: 'Funds sent on the wrong network are lost. Double-check the address.' })}
      </>
    );
  const isAbroad = draft.region === 'International';
  return (
    <>
      {text('holder', 'Account holder', { hint: 'As on your bank account' })}
      {choice('region', 'Region', same(ACCOUNT_REGIONS))}
      {choice('accountType', 'Account type', same(ACCOUNT_TYPES))}
      {text('routing', isAbroad ? 'BIC' : 'Routing number')}
      {text('account', isAbroad ? 'IBAN or account number' : 'Account number')}
    </>
  );
}

/**
 * Invalidates cached data after a method was added or removed. The automatic payout rule may use another method now.
 */
export function useForget() {
  const client = useQueryClient();
  return () => {
    for (const route of [listPayoutMethods, getPayoutRule])
      void client.invalidateQueries({ queryKey: routeKey(route) });
  };
}

export function MethodForm({ replaced, onDone }: { replaced?: PayoutMethod; onDone: () => void }) {
  const forget = useForget();
  const [kind, setKind] = useState<PayoutKind>(replaced?.kind ?? 'ach');
  const [draft, setDraft] = useState(EMPTY);
  const [complaints, setComplaints] = useState<Complaints>({});
  const outcome = {
    showErrorMessage: false,
    onSuccess: async ({ words, usableAt }: PayoutMethod) => {
      forget();
      onDone();
      await showToast(`${words} added. You can use it from ${formatExact(usableAt)}.`, 'success');
    },
    onError: (error: Error) => setComplaints(complaintsOf(error)),
  };
  const add = useApiMutation(addPayoutMethod, outcome);
  const replace = useApiMutation(replacePayoutMethod, outcome);
  const { isPending, error } = replaced ? replace : add;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { body, complaints: wrong = {} } = bodyOf(kind, draft);
    setComplaints(wrong);
    if (!body || isPending) return;
    if (replaced) replace.mutate({ params: { id: replaced.id }, body });
    else add.mutate({ body });
  };
  const fields = { draft, complaints, change: (part: Draft) => setDraft({ ...draft, ...part }) };
  const label = replaced ? `Replace ${replaced.words}` : 'Add payout method';
  return (
    <form noValidate className="form grid gap-4 pt-5" onSubmit={submit} aria-label={label}>
      {replaced && (
        <p>Replaces {replaced.words}. Requested payouts still go to the old one; automatic payouts use the new one.</p>
      )}
      <Segmented
        name="payout-kind"
        label="Method type"
        value={kind}
        options={PAYOUT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        onValueChange={(value) => setKind(oneOf(PAYOUT_KINDS, value) ?? kind)}
      />
      <DetailFields kind={kind} {...fields} />
      <Proof {...fields} />
      {error && Object.keys(complaints).length === 0 && <Refusal message={error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={isPending} busyText={replaced ? 'Replacing…' : 'Adding…'}>
          {replaced ? 'Replace' : 'Add method'}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
