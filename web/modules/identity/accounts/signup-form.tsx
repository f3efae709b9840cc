/**
 * The sign-up form (rows A1, A2, V1–V4), validated by the contract. Usernames and email addresses are checked while
 * typing.
 */
import {
  type CreatorRegistration,
  type Registration,
  registerCreator,
  registerCustomer,
  registration,
  USERNAME_LENGTH,
  USERNAME_RULES,
} from '@stagedoor/contract/identity/accounts.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { useEffect } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { api } from '../../../platform/mutation.ts';
import { deleteReferralCode } from '../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Segmented } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { EMAIL_TAKEN, USERNAME_TAKEN, useEmailAvailability, useUsernameAvailability } from './availability.ts';
import { parseReferralCode } from './referral-code.ts';
import { ReferralField } from './referral-field.tsx';
import type { SignedUpAccount } from './signed-up-account.ts';
import * as texts from './texts.ts';
import { UsernameRules } from './username-rules.tsx';

const CONSENT_REQUIRED_MESSAGE = texts.acceptTermsRequired;
export const signupSchema = z.extend(registration, {
  isGiveConsent: z.boolean().check(z.refine((isConfirmed) => isConfirmed, CONSENT_REQUIRED_MESSAGE)),
  referralCode: z.string(),
});
type Values = z.input<typeof signupSchema>;

/** Returns the result of the registration. A failed one has no data (row A1). */
export async function submitRegistration(
  values: Registration,
  themeCode?: CreatorRegistration['themeCode'],
): Promise<{ data: SignedUpAccount; error: false } | { data: null; error: true; cause: unknown }> {
  const options = { showErrorMessage: false };
  try {
    const data =
      values.accountType === 'creator'
        ? await api(registerCreator, { body: { ...values, ...(themeCode && { themeCode }) } }, options)
        : await api(registerCustomer, { body: values }, options);
    return { data, error: false };
  } catch (cause) {
    return { data: null, error: true, cause };
  }
}

interface SignupFormProps {
  isFan: boolean;
  referralCode: string;
  /** The theme that the new creator’s page gets. */
  themeCode?: string | undefined;
  /** The internal path at which the sign-up began. */
  next: string | undefined;
  refusal: FormRefusal | undefined;
  onAccountType: (type: Values['accountType']) => void;
  onRegistered: (account: SignedUpAccount) => void;
}

export function SignupForm({
  isFan,
  referralCode,
  themeCode,
  next,
  refusal,
  onAccountType,
  onRegistered,
}: SignupFormProps) {
  const initialCode = refusal?.values.referralCode ?? referralCode;
  const form = useForm<Values, unknown, Values>({
    resolver: createContractResolver(signupSchema),
    mode: 'onTouched',
    defaultValues: {
      accountType: (refusal?.values.accountType ?? (isFan && 'customer')) === 'customer' ? 'customer' : 'creator',
      username: refusal?.values.username ?? '',
      email: refusal?.values.email ?? '',
      password: '',
      isGiveConsent: false,
      referralCode: initialCode,
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
    if (initialCode !== '' && !getFieldState('referralCode').isDirty) setValue('referralCode', initialCode);
  }, [initialCode, getFieldState, setValue]);
  const usernameState = useUsernameAvailability(username);
  const emailState = useEmailAvailability(email);
  const [signUpDisabledMessage, newCreatorsDisabledMessage] = [
    useFeatureDisabledMessage('signUp'),
    useFeatureDisabledMessage('newCreators'),
  ];
  const disabledMessage = signUpDisabledMessage ?? (accountType === 'creator' ? newCreatorsDisabledMessage : undefined);
  const getErrorMessage = (name: keyof Values) =>
    errors[name]?.message ?? (form.formState.isDirty ? undefined : refusal?.fields[name]);

  const send = createSubmitHandler(form, async (values) => {
    const { data, cause } = {
      cause: undefined,
      ...(await submitRegistration(
        { ...values, referralCode: parseReferralCode(values.referralCode), ...(next && { next }) },
        themeCode,
      )),
    };
    if (!data) throw cause;
    deleteReferralCode();
    onRegistered(data);
  });

  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      <Segmented
        name="accountType"
        label={texts.accountType}
        value={accountType}
        onValueChange={(value) => {
          const type = value === 'customer' ? 'customer' : 'creator';
          form.setValue('accountType', type, { shouldDirty: true });
          onAccountType(type);
        }}
        options={[
          { value: 'customer', label: texts.fanAccount },
          { value: 'creator', label: texts.creatorAccount },
        ]}
      />
      <TextField
        label={texts.username}
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={USERNAME_LENGTH}
        defaultValue={refusal?.values.username}
        {...form.register('username')}
        error={getErrorMessage('username') ?? (usernameState === 'taken' ? USERNAME_TAKEN : undefined)}
        hint={
          <span className="flex flex-wrap items-baseline gap-x-3">
            {usernameState === 'free' ? (
              <span role="status">{texts.usernameAvailable}</span>
            ) : (
              <span>{USERNAME_RULES[0]}</span>
            )}
            <UsernameRules />
          </span>
        }
      />
      <TextField
        label={texts.email}
        required
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        defaultValue={refusal?.values.email}
        {...form.register('email')}
        error={getErrorMessage('email') ?? (emailState === 'taken' ? EMAIL_TAKEN : undefined)}
      />
      <PasswordField
        label={texts.password}
        required
        autoComplete="new-password"
        {...form.register('password')}
        error={getErrorMessage('password')}
      />
      <ReferralField initialCode={initialCode} code={code} {...form.register('referralCode')} />
      <Checkbox {...form.register('isGiveConsent')} error={getErrorMessage('isGiveConsent')}>
        {formatNodes(texts.acceptTermsLabel, {
          termsLink: (
            <a className="link" href={PUBLIC_PATHS.termsOfService} target="_blank" rel="noreferrer">
              {texts.termsOfService}
            </a>
          ),
          refundLink: (
            <a className="link" href={`${PUBLIC_PATHS.termsOfService}#refunds`} target="_blank" rel="noreferrer">
              {texts.refundPolicy}
            </a>
          ),
        })}
      </Checkbox>
      {(errors.root?.message ?? refusal?.message) && (
        <Banner kind="error">{errors.root?.message ?? refusal?.message}</Banner>
      )}
      {disabledMessage !== undefined && (
        <Banner kind="warn" inline>
          {disabledMessage}
        </Banner>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        disabled={disabledMessage !== undefined}
        busy={isSubmitting}
        busyText={texts.creatingAccount}
      >
        {texts.createAccount}
      </Button>
      <p className="text-note text-muted">
        {accountType === 'creator' ? texts.creatorSignupLead : texts.fanSignupLead}
      </p>
    </form>
  );
}
