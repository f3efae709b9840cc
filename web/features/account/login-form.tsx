/** Login in up to two steps (row A4): username or email with the password, then the second factor if it is enabled. */

import { credentials, DISPLAY_MODE_HEADER, login } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { openAgreements } from '@stagedoor/contract/policies.ts';
import { agreePath } from '@stagedoor/contract/public-addresses.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { afterLogin, takeReferralUrl } from '../../kernel/after-login.ts';
import type { Refused } from '../../kernel/form-action.ts';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { renewConnection } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { openDocument } from '../../kernel/page-exit.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Banner } from '../../ui/states.tsx';
import { Resend } from './resend.tsx';

type Credentials = z.input<typeof credentials>;

export type LoginStep = 'password' | 'code' | 'unverified';

export function displayMode(): 'standalone' | 'browser' {
  return matchMedia('(display-mode: standalone)').matches ? 'standalone' : 'browser';
}

/** Whether the user must consent to a new legal text first. If the check fails, login continues. */
async function hasToAgree(): Promise<boolean> {
  try {
    return (await api(openAgreements, {}, { showErrorMessage: false })).data.length > 0;
  } catch {
    return false;
  }
}

interface Props {
  next: string | null;
  refused: Refused | undefined;
  initialStep: LoginStep;
}

export function LoginForm({ next, refused, initialStep }: Props) {
  const [step, setStep] = useState<LoginStep>(initialStep);
  const form = useForm<Credentials, unknown, Credentials>({
    resolver: contractForm(credentials),
    defaultValues: { username: refused?.values.username ?? '', password: '' },
  });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const said = (name: keyof Credentials) =>
    errors[name]?.message ?? (form.formState.isDirty ? undefined : refused?.fields[name]);

  const send = submitting(form, async ({ code, ...known }) => {
    const answer = await api(
      login,
      { body: step === 'code' && code ? { ...known, code } : known },
      { showErrorMessage: false, headers: { [DISPLAY_MODE_HEADER]: displayMode() } },
    );
    if (answer.isTwoFactorRequired) return setStep('code');
    if (answer.isEmailVerificationRequired) return setStep('unverified');
    renewConnection();
    const to = afterLogin(next, takeReferralUrl(), answer.type, location.origin);
    openDocument((await hasToAgree()) ? agreePath(to) : to);
    // Never resolves, so that the button stays busy until the new page has loaded.
    await new Promise(() => undefined);
  });

  const message = errors.root?.message ?? (isSubmitSuccessful ? undefined : refused?.message);
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      {step === 'unverified' && (
        <>
          <Banner inline>Confirm your email first. We sent you a link when you signed up.</Banner>
          <Resend username={form.getValues('username')} />
        </>
      )}
      <div className={step === 'code' && !refused ? 'hidden' : 'form'}>
        <TextField
          label="Username or email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={refused?.values.username}
          {...form.register('username')}
          error={said('username')}
        />
        <PasswordField label="Password" {...form.register('password')} error={said('password')} />
      </div>
      {step === 'code' && (
        <TextField
          label="Authentication code"
          hint="6-digit code from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.register('code', { setValueAs: (text: string | undefined) => text?.trim() || undefined })}
          error={said('code')}
        />
      )}
      {message && <Banner kind="error">{message}</Banner>}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText="Logging in…">
        {step === 'code' ? 'Continue' : 'Log in'}
      </Button>
      {step === 'code' ? (
        <Button variant="quiet" wide onClick={() => setStep('password')}>
          Back
        </Button>
      ) : (
        <p>
          <a className="link inline-flex min-h-11 items-center" href={PATHS.forgotPassword}>
            Forgot password?
          </a>
        </p>
      )}
    </form>
  );
}
