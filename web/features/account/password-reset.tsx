/** The forms to request the password reset email and to set a new password through its link (row A7). */

import { forgotPassword, passwordReset, resetPassword, resetRequest } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Refused } from '../../kernel/form-action.ts';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { api } from '../../kernel/mutation.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Banner } from '../../ui/states.tsx';

type Ask = z.input<typeof resetRequest>;
type Reset = z.input<typeof passwordReset>;

export function AskForReset({ refused, info }: { refused: Refused | undefined; info: string | undefined }) {
  const [said, setSaid] = useState(info);
  const form = useForm<Ask, unknown, Ask>({
    resolver: contractForm(resetRequest),
    defaultValues: { email: refused?.values.email ?? '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = submitting(form, async (body) => {
    setSaid(undefined);
    setSaid((await api(forgotPassword, { body }, { showErrorMessage: false })).info);
  });
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      {said && (
        <Banner kind="success" inline>
          {said}
        </Banner>
      )}
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        defaultValue={refused?.values.email}
        {...form.register('email')}
        error={errors.email?.message ?? refused?.fields.email}
      />
      {(errors.root?.message ?? refused?.message) && (
        <Banner kind="error">{errors.root?.message ?? refused?.message}</Banner>
      )}
      <Button type="submit" variant={said ? 'line' : 'primary'} size="lg" wide busy={isSubmitting} busyText="Sending…">
        {said ? 'Resend link' : 'Send reset link'}
      </Button>
    </form>
  );
}

export function SetNewPassword({
  token,
  refused,
  info,
}: {
  token: string;
  refused: Refused | undefined;
  info: string | undefined;
}) {
  const [said, setSaid] = useState(info);
  const form = useForm<Reset, unknown, Reset>({
    resolver: contractForm(passwordReset),
    mode: 'onTouched',
    defaultValues: { token, newPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = submitting(form, async (body) => {
    setSaid((await api(resetPassword, { body }, { showErrorMessage: false })).info);
  });
  if (said) {
    return (
      <div className="form">
        <p role="status">{said}</p>
        <Button variant="primary" size="lg" wide href={PATHS.login}>
          Log in
        </Button>
      </div>
    );
  }
  const failure = errors.root?.message ?? errors.token?.message ?? refused?.message ?? refused?.fields.token;
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      <input type="hidden" defaultValue={token} {...form.register('token')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        {...form.register('newPassword')}
        error={errors.newPassword?.message ?? refused?.fields.newPassword}
      />
      {failure && (
        <Banner
          kind="error"
          action={
            <a className="link" href={PATHS.forgotPassword}>
              Request a new link
            </a>
          }
        >
          {failure}
        </Banner>
      )}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText="Saving…">
        Reset password
      </Button>
    </form>
  );
}
