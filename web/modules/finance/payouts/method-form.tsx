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
} from '@stagedoor/contract/finance/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { parseOption } from '../../../platform/address.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/choice.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import * as texts from './texts.ts';

const KIND_LABELS: Readonly<Record<PayoutKind, string>> = {
  ach: texts.bankAccount,
  paypal: 'PayPal',
  crypto: texts.crypto,
};
const COIN_OPTIONS = Object.entries(COINS).flatMap(([coin, networks]) =>
  Object.entries(networks).map(([network, networkName]) => ({
    value: `${coin} ${network}`,
    label: `${coin}, ${networkName}`,
  })),
);

type Field =
  | 'holder'
  | 'routing'
  | 'account'
  | 'accountType'
  | 'region'
  | 'email'
  | 'coinNetwork'
  | 'address'
  | 'currentPassword'
  | 'code';
export type MethodDraft = { readonly [F in Field]?: string };
type FieldErrors = Readonly<Record<string, string>>;
const EMPTY: MethodDraft = {
  accountType: ACCOUNT_TYPES[0],
  region: ACCOUNT_REGIONS[0],
  coinNetwork: COIN_OPTIONS[0]?.value ?? '',
};

function toFieldName(path: string): string {
  const field = path.split('.').at(-1) ?? '';
  return field === 'coin' || field === 'network' ? 'coinNetwork' : field;
}

function toDetails(kind: PayoutKind, draft: MethodDraft) {
  const {
    holder = '',
    routing = '',
    account = '',
    accountType,
    region,
    email = '',
    coinNetwork = '',
    address = '',
  } = draft;
  if (kind === 'ach') return { kind, holder, routing, account, accountType, region };
  if (kind === 'paypal') return { kind, email };
  const [coin, network] = coinNetwork.split(' ');
  return { kind, coin, network, address };
}

function parseBody(kind: PayoutKind, draft: MethodDraft) {
  const { currentPassword = '', code } = draft;
  const details = validate(payoutDetails, toDetails(kind, draft));
  if (details.success && currentPassword !== '')
    return { body: { currentPassword, ...(code && { code }), details: details.data } };
  const issues = details.success ? [] : details.error.issues;
  const errors: Record<string, string> = currentPassword === '' ? { currentPassword: texts.enterYourPassword } : {};
  for (const { path, message } of issues) errors[toFieldName(path.map(String).join('.'))] ??= message;
  return { errors };
}

export function toMethodErrors(error: Error | null): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(Object.entries(error.fields).map(([path, message]) => [toFieldName(path), message]));
}

export function ReauthenticationFields({ draft, errors, change }: FieldsProps) {
  return (
    <>
      <PasswordField
        label={texts.yourPassword}
        autoComplete="current-password"
        value={draft.currentPassword ?? ''}
        error={errors.currentPassword}
        onChange={(event) => change({ currentPassword: event.currentTarget.value })}
      />
      <TextField
        label={texts.authenticationCodeIfEnabled}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        value={draft.code ?? ''}
        error={errors.code}
        onChange={(event) => change({ code: event.currentTarget.value })}
      />
    </>
  );
}

type FieldsProps = { draft: MethodDraft; errors: FieldErrors; change: (part: MethodDraft) => void };

function DetailFields({ kind, draft, errors, change }: FieldsProps & { kind: PayoutKind }) {
  const renderTextField = (field: Field, label: string, more: { hint?: string; type?: string } = {}) => (
    <TextField
      label={label}
      autoComplete="off"
      maxLength={254}
      value={draft[field] ?? ''}
      error={errors[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      {...more}
    />
  );
  const renderChoice = (field: Field, label: string, options: readonly { value: string; label: string }[]) => (
    <SelectField
      label={label}
      value={draft[field] ?? ''}
      options={options}
      error={errors[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  if (kind === 'paypal') return renderTextField('email', texts.paypalEmail, { type: 'email' });
  if (kind === 'crypto')
    return (
      <>
        {renderChoice('coinNetwork', texts.coinAndNetwork, COIN_OPTIONS)}
        {renderTextField('address', texts.address, {
          hint: texts.wrongNetworkWarning,
        })}
      </>
    );
  const isAbroad = draft.region === 'International';
  return (
    <>
      {renderTextField('holder', texts.accountHolder, { hint: texts.accountHolderHint })}
      {renderChoice('region', texts.region, toOptions(ACCOUNT_REGIONS))}
      {renderChoice('accountType', texts.accountType, toOptions(ACCOUNT_TYPES))}
      {renderTextField('routing', isAbroad ? 'BIC' : texts.routingNumber)}
      {renderTextField('account', isAbroad ? texts.ibanOrAccountNumber : texts.accountNumber)}
    </>
  );
}

/**
 * Invalidates cached data after a method was added or removed. The automatic payout rule may use another method now.
 */
export function useInvalidateMethods() {
  const client = useQueryClient();
  return () => {
    for (const route of [listPayoutMethods, getPayoutRule])
      void client.invalidateQueries({ queryKey: routeKey(route) });
  };
}

export function MethodForm({ replaced, onDone }: { replaced?: PayoutMethod; onDone: () => void }) {
  const invalidateMethods = useInvalidateMethods();
  const [kind, setKind] = useState<PayoutKind>(replaced?.kind ?? 'ach');
  const [draft, setDraft] = useState(EMPTY);
  const [errors, setErrors] = useState<FieldErrors>({});
  const outcome = {
    showErrorMessage: false,
    onSuccess: async ({ label, usableAt }: PayoutMethod) => {
      invalidateMethods();
      onDone();
      await showToast(formatText(texts.methodAdded, { label, usableAt: formatExactTime(usableAt) }), 'success');
    },
    onError: (error: Error) => setErrors(toMethodErrors(error)),
  };
  const add = useApiMutation(addPayoutMethod, outcome);
  const replace = useApiMutation(replacePayoutMethod, outcome);
  const { isPending, error } = replaced ? replace : add;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { body, errors: newErrors = {} } = parseBody(kind, draft);
    setErrors(newErrors);
    if (!body || isPending) return;
    if (replaced) replace.mutate({ params: { id: replaced.id }, body });
    else add.mutate({ body });
  };
  const fields = { draft, errors, change: (part: MethodDraft) => setDraft({ ...draft, ...part }) };
  const label = replaced ? formatText(texts.replaceMethod, { label: replaced.label }) : texts.addPayoutMethod;
  return (
    <form noValidate className="form grid gap-4 pt-5" onSubmit={submit} aria-label={label}>
      {replaced && <p>{formatText(texts.replaceMethodConsequence, { label: replaced.label })}</p>}
      <Segmented
        name="payout-kind"
        label={texts.methodType}
        value={kind}
        options={PAYOUT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        onValueChange={(value) => setKind(parseOption(PAYOUT_KINDS, value) ?? kind)}
      />
      <DetailFields kind={kind} {...fields} />
      <ReauthenticationFields {...fields} />
      {error && Object.keys(errors).length === 0 && <InlineError message={error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={isPending} busyText={replaced ? texts.replacing : texts.adding}>
          {replaced ? texts.replaceButton : texts.addMethod}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
