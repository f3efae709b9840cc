/** Login in up to two steps (row A4): username or email with the password, then the second factor if it is enabled. */

import { credentials, DISPLAY_MODE_HEADER, login } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { consentPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { listPendingConsents } from '@stagedoor/contract/trust/legal.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { getLoginDestination, takeReferralUrl } from '../../../platform/login-destination.ts';
import { api } from '../../../platform/mutation.ts';
import { openDocument } from '../../../platform/page-exit.ts';
import { mayBeLoggedIn } from '../../../platform/session.ts';
import { renewConnection } from '../../../platform/socket-events.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ResendEmailButton } from './resend-email-button.tsx';
import * as texts from './texts.ts';

type Credentials = z.input<typeof credentials>;

export type LoginStep = 'password' | 'code' | 'unverified';

export function getDisplayMode(): 'standalone' | 'browser' {
  return matchMedia('(display-mode: standalone)').matches ? 'standalone' : 'browser';
}

/** Whether the user must consent to a new legal text first. If the check fails, login continues. */
async function hasPendingConsents(): Promise<boolean> {
  try {
    return (await api(listPendingConsents, {}, { showErrorMessage: false })).data.length > 0;
  } catch {
    return false;
  }
}

interface LoginFormProps {
  next: string | null;
  refusal: FormRefusal | undefined;
  initialStep: LoginStep;
}

export function LoginForm({ next, refusal, initialStep }: LoginFormProps) {
  const [step, setStep] = useState<LoginStep>(initialStep);
  const form = useForm<Credentials, unknown, Credentials>({
    resolver: createContractResolver(credentials),
    defaultValues: { username: refusal?.values.username ?? '', password: '' },
  });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const getErrorMessage = (name: keyof Credentials) =>
    errors[name]?.message ?? (form.formState.isDirty ? undefined : refusal?.fields[name]);

  const send = createSubmitHandler(form, async ({ code, ...input }) => {
    if (!navigator.cookieEnabled) return form.setError('root', { message: texts.cookiesBlockedError });
    const response = await api(
      login,
      { body: step === 'code' && code ? { ...input, code } : input },
      { showErrorMessage: false, headers: { [DISPLAY_MODE_HEADER]: getDisplayMode() } },
    );
    if (response.isTwoFactorRequired) return setStep('code');
    if (response.isEmailVerificationRequired) return setStep('unverified');
    // The browser may refuse the cookies of this site only.
    if (!mayBeLoggedIn()) return form.setError('root', { message: texts.cookiesBlockedError });
    renewConnection();
    const to = getLoginDestination(next, takeReferralUrl(), response.type, location.origin);
    openDocument((await hasPendingConsents()) ? consentPath(to) : to);
    // Never resolves, so that the button stays busy until the new page has loaded.
    await new Promise(() => undefined);
  });

  const message = errors.root?.message ?? (isSubmitSuccessful ? undefined : refusal?.message);
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      {step === 'unverified' && (
        <>
          <Banner inline>{texts.confirmEmailFirstError}</Banner>
          <ResendEmailButton username={form.getValues('username')} />
        </>
      )}
      <div className={step === 'code' && !refusal ? 'hidden' : 'form'}>
        <TextField
          label={texts.usernameOrEmail}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={refusal?.values.username}
          {...form.register('username')}
          error={getErrorMessage('username')}
        />
        <PasswordField label={texts.password} {...form.register('password')} error={getErrorMessage('password')} />
      </div>
      {step === 'code' && (
        <TextField
          label={texts.authenticationCode}
          hint={texts.loginCodeHint}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.register('code', { setValueAs: (text: string | undefined) => text?.trim() || undefined })}
          error={getErrorMessage('code')}
        />
      )}
      {message && <Banner kind="error">{message}</Banner>}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText={texts.loggingIn}>
        {step === 'code' ? texts.continueButton : texts.logIn}
      </Button>
      {step === 'code' ? (
        <Button variant="quiet" wide onClick={() => setStep('password')}>
          {texts.back}
        </Button>
      ) : (
        <p>
          <a className="link inline-flex min-h-11 items-center" href={PATHS.forgotPassword}>
            {texts.forgotPassword}
          </a>
        </p>
      )}
    </form>
  );
}
