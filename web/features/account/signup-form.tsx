/**
 * The sign-up form (rows A1, A2, V1–V4), validated by the contract. Usernames and email addresses are checked while
 * typing.
 */
import {
  type Registration,
  registerCreator,
  registerCustomer,
  registration,
  USERNAME_LENGTH,
  USERNAME_RULES,
} from '@stagedoor/contract/accounts.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Refused } from '../../kernel/form-action.ts';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { useStopped } from '../../kernel/house.ts';
import { api } from '../../kernel/mutation.ts';
import { forgetReferralCode } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Segmented } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Banner } from '../../ui/states.tsx';
import { EMAIL_TAKEN, USERNAME_TAKEN, useEmailState, useUsernameState } from './availability.ts';
import { codeOf } from './referral-code.ts';
import { ReferralField } from './referral-field.tsx';
import type { Registered } from './registered.ts';
import { UsernameRules } from './username-rules.tsx';

const CONSENT_NEEDED = 'Confirm that you’re 18 or older and accept the terms.';
export const signup = z.extend(registration, {
  isGiveConsent: z.boolean().check(z.refine((given) => given, CONSENT_NEEDED)),
  referralCode: z.string(),
});
type Values = z.input<typeof signup>;

/** Returns the result of the registration. A failed one has no data (row A1). */
export async function register(
  values: Registration,
): Promise<{ data: Registered; error: false } | { data: null; error: true; cause: unknown }> {
  const route = values.accountType === 'creator' ? registerCreator : registerCustomer;
  try {
    return { data: await api(route, { body: values }, { showErrorMessage: false }), error: false };
  } catch (cause) {
    return { data: null, error: true, cause };
  }
}

interface Props {
  isFan: boolean;
  referralCode: string;
  refused: Refused | undefined;
  onRegistered: (who: Registered) => void;
}

export function SignupForm({ isFan, referralCode, refused, onRegistered }: Props) {
  const given = refused?.values.referralCode ?? referralCode;
  const form = useForm<Values, unknown, Values>({
    resolver: contractForm(signup),
    mode: 'onTouched',
    defaultValues: {
      accountType: (refused?.values.accountType ?? (isFan && 'customer')) === 'customer' ? 'customer' : 'creator',
      username: refused?.values.username ?? '',
      email: refused?.values.email ?? '',
      password: '',
      isGiveConsent: false,
      referralCode: given,
    },
  });
  const { errors, isSubmitting } = form.formState;
  const [username, email, accountType, code] = useWatch({
    control: form.control,
    name: ['username', 'email', 'accountType', 'referralCode'],
  });
  const { setValue, getFieldState } = form;
  // A code stored on the device is available only after hydration.
  useEffect(() => {
    if (given !== '' && !getFieldState('referralCode').isDirty) setValue('referralCode', given);
  }, [given, getFieldState, setValue]);
  const usernameState = useUsernameState(username);
  const emailState = useEmailState(email);
  const [allStopped, creatorsStopped] = [useStopped('signUp'), useStopped('newCreators')];
  const stopped = allStopped ?? (accountType === 'creator' ? creatorsStopped : undefined);
  const said = (name: keyof Values) =>
    errors[name]?.message ?? (form.formState.isDirty ? undefined : refused?.fields[name]);

  const send = submitting(form, async (values) => {
    const { data, cause } = {
      cause: undefined,
      ...(await register({ ...values, referralCode: codeOf(values.referralCode) })),
    };
    if (!data) throw cause;
    forgetReferralCode();
    onRegistered(data);
  });

  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      <Segmented
        name="accountType"
        label="Account type"
        value={accountType}
        onValueChange={(value) =>
          form.setValue('accountType', value === 'customer' ? 'customer' : 'creator', { shouldDirty: true })
        }
        options={[
          { value: 'customer', label: 'I’m a fan' },
          { value: 'creator', label: 'I’m a creator' },
        ]}
      />
      <TextField
        label="Username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={USERNAME_LENGTH}
        defaultValue={refused?.values.username}
        {...form.register('username')}
        error={said('username') ?? (usernameState === 'taken' ? USERNAME_TAKEN : undefined)}
        hint={
          <span className="flex flex-wrap items-baseline gap-x-3">
            {usernameState === 'free' ? (
              <span role="status">Username available</span>
            ) : (
              <span>{USERNAME_RULES[0]}</span>
            )}
            <UsernameRules />
          </span>
        }
      />
      <TextField
        label="Email"
        required
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        defaultValue={refused?.values.email}
        {...form.register('email')}
        error={said('email') ?? (emailState === 'taken' ? EMAIL_TAKEN : undefined)}
      />
      <PasswordField
        label="Password"
        required
        autoComplete="new-password"
        {...form.register('password')}
        error={said('password')}
      />
      <ReferralField given={given} code={code} {...form.register('referralCode')} />
      <Checkbox {...form.register('isGiveConsent')} error={said('isGiveConsent')}>
        I’m 18 or older and accept the{' '}
        <a className="link" href={PUBLIC_PATHS.termsOfService} target="_blank" rel="noreferrer">
          Terms of service
        </a>{' '}
        and the{' '}
        <a className="link" href={`${PUBLIC_PATHS.termsOfService}#refunds`} target="_blank" rel="noreferrer">
          Refund policy
        </a>
        .
      </Checkbox>
      {(errors.root?.message ?? refused?.message) && (
        <Banner kind="error">{errors.root?.message ?? refused?.message}</Banner>
      )}
      {stopped !== undefined && (
        <Banner kind="warn" inline>
          {stopped}
        </Banner>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        disabled={stopped !== undefined}
        busy={isSubmitting}
        busyText="Creating account…"
      >
        Create account
      </Button>
      <p className="text-note text-muted">
        {accountType === 'creator'
          ? 'Free to join. You set your prices and see what you’ll earn before you publish.'
          : 'Free to join. You only pay for what you unlock, and you always see the price first.'}
      </p>
    </form>
  );
}
