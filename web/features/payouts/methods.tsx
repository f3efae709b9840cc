/** Where one's money goes (row G4): what there is, masked; adding and removing it takes the password again. */

import { check } from '@stagedoor/contract/atoms/words.ts';
import {
  ACCOUNT_REGIONS,
  ACCOUNT_TYPES,
  addPayoutMethod,
  COINS,
  listPayoutMethods,
  PAYOUT_KINDS,
  type PayoutKind,
  type PayoutMethod,
  payoutDetails,
  payoutOverview,
  removePayoutMethod,
} from '@stagedoor/contract/payouts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneOf } from '../../kernel/address.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { routeKey, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Row, Rows } from '../../ui/rows.tsx';

const KIND_WORDS: Readonly<Record<PayoutKind, string>> = { ach: 'Bank account', paypal: 'PayPal', crypto: 'Crypto' };
/** Each coin with each network that it is paid out on, as one choice. */
const WAYS = Object.entries(COINS).flatMap(([coin, networks]) =>
  Object.entries(networks).map(([network, words]) => ({ value: `${coin} ${network}`, label: `${coin}, ${words}` })),
);

/** What is typed, in flat names; coin and network are one choice. */
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
type Draft = { readonly [F in Field]?: string };
type Complaints = Readonly<Record<string, string>>;
const EMPTY: Draft = { accountType: ACCOUNT_TYPES[0], region: ACCOUNT_REGIONS[0], way: WAYS[0]?.value ?? '' };

/** The field of a path such as `details.routing`; coin and network are chosen together. */
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

/** The body to send, or what is wrong with which field. */
function bodyOf(kind: PayoutKind, draft: Draft) {
  const { currentPassword = '', code } = draft;
  const details = check(payoutDetails, detailsOf(kind, draft));
  if (details.success && currentPassword !== '')
    return { body: { currentPassword, ...(code && { code }), details: details.data } };
  const issues = details.success ? [] : details.error.issues;
  const complaints: Record<string, string> =
    currentPassword === '' ? { currentPassword: 'Please enter your password' } : {};
  for (const { path, message } of issues) complaints[fieldOf(path.map(String).join('.'))] ??= message;
  return { complaints };
}

function complaintsOf(error: Error | null): Complaints {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(Object.entries(error.fields).map(([path, message]) => [fieldOf(path), message]));
}

function Proof({ draft, complaints, change }: FieldsProps) {
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
        label="Code, if you log in with one"
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
  if (kind === 'paypal') return text('email', 'E-mail at PayPal', { type: 'email' });
  if (kind === 'crypto')
    return (
      <>
        {choice('way', 'Coin and network', WAYS)}
        {text('address', 'Address', { hint: 'What is sent to another network is lost: please compare both ends.' })}
      </>
    );
  const isAbroad = draft.region === 'International';
  return (
    <>
      {text('holder', 'Account holder', { hint: 'As the bank has it' })}
      {choice('region', 'Region', same(ACCOUNT_REGIONS))}
      {choice('accountType', 'Account type', same(ACCOUNT_TYPES))}
      {text('routing', isAbroad ? 'BIC' : 'Routing number')}
      {text('account', isAbroad ? 'IBAN or account number' : 'Account number')}
    </>
  );
}

function useForget() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: routeKey(listPayoutMethods) });
}

function AddMethod({ onDone }: { onDone: () => void }) {
  const forget = useForget();
  const [kind, setKind] = useState<PayoutKind>('ach');
  const [draft, setDraft] = useState(EMPTY);
  const [complaints, setComplaints] = useState<Complaints>({});
  const add = useApiMutation(addPayoutMethod, {
    showErrorMessage: false,
    onSuccess: async ({ words, usableAt }) => {
      forget();
      onDone();
      await showToast(`${words} is added. It can be used from ${formatExact(usableAt)}.`, 'success');
    },
    onError: (error) => setComplaints(complaintsOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { body, complaints: wrong = {} } = bodyOf(kind, draft);
    setComplaints(wrong);
    if (body && !add.isPending) add.mutate({ body });
  };
  const fields = { draft, complaints, change: (part: Draft) => setDraft({ ...draft, ...part }) };
  return (
    <form noValidate className="form grid gap-4 pt-5" onSubmit={submit} aria-label="Add a payout method">
      <Segmented
        name="payout-kind"
        label="Kind of method"
        value={kind}
        options={PAYOUT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        onValueChange={(value) => setKind(oneOf(PAYOUT_KINDS, value) ?? kind)}
      />
      <DetailFields kind={kind} {...fields} />
      <Proof {...fields} />
      {add.error && Object.keys(complaints).length === 0 && <Refusal message={add.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={add.isPending} busyText="Adding…">
          Add this method
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function RemoveMethod({ method, onDone }: { method: PayoutMethod; onDone: () => void }) {
  const forget = useForget();
  const [draft, setDraft] = useState<Draft>({});
  const remove = useApiMutation(removePayoutMethod, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: () => {
      forget();
      onDone();
    },
  });
  const complaints = complaintsOf(remove.error);
  const { currentPassword = '', code } = draft;
  return (
    <form
      noValidate
      className="form grid gap-4 pt-5"
      aria-label={`Remove ${method.words}`}
      onSubmit={(event) => {
        event.preventDefault();
        const body = { currentPassword, ...(code && { code }) };
        if (currentPassword !== '' && !remove.isPending) remove.mutate({ params: { id: method.id }, body });
      }}
    >
      <p>Remove {method.words}?</p>
      <Proof draft={draft} complaints={complaints} change={(part) => setDraft({ ...draft, ...part })} />
      {remove.error && Object.keys(complaints).length === 0 && <Refusal message={remove.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="danger"
          disabled={currentPassword === ''}
          busy={remove.isPending}
          busyText="Removing…"
        >
          Remove it
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Keep it
        </Button>
      </div>
    </form>
  );
}

function stateWords({ state, usableAt, problem }: PayoutMethod): string {
  if (problem !== null) return problem;
  if (state === 'invalid') return 'Cannot be used any more';
  return state === 'cooling' ? `Can be used from ${formatExact(usableAt)}` : 'Ready to be used';
}

export function PayoutMethods() {
  const { data: methods, most } = useApi(listPayoutMethods, {});
  const { coolingHours } = useApi(payoutOverview, {});
  const [open, setOpen] = useState<PayoutMethod | 'new' | null>(null);
  const close = () => setOpen(null);
  return (
    <section aria-labelledby="methods">
      <SectionHead id="methods" title="Payout methods" />
      <p className="pb-3 text-small text-muted">
        Kept encrypted, and shown only in part. A new one can be used {coolingHours} hours later, and you get a mail
        about it.
      </p>
      {methods.length > 0 && (
        <Rows label="Payout methods" closed>
          {methods.map((method) => (
            <Row
              key={method.id}
              title={method.words}
              sub={stateWords(method)}
              end={
                <Button variant="quiet" aria-label={`Remove ${method.words}`} onClick={() => setOpen(method)}>
                  Remove
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      {open === 'new' && <AddMethod onDone={close} />}
      {open !== null && open !== 'new' && <RemoveMethod key={open.id} method={open} onDone={close} />}
      {open === null && methods.length < most && (
        <Button className="mt-4" icon="plus" onClick={() => setOpen('new')}>
          Add a payout method
        </Button>
      )}
    </section>
  );
}
