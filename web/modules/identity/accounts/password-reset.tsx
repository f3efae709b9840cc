/** The forms to request the password reset email and to set a new password through its link (row A7). */

import {
  passwordResetBody,
  passwordResetRequest,
  requestPasswordReset,
  resetPassword,
} from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { FormRefusal } from '../../../platform/form-action.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { api } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

type ResetRequestValues = z.input<typeof passwordResetRequest>;
type NewPasswordValues = z.input<typeof passwordResetBody>;

export function PasswordResetRequestForm({
  refusal,
  info,
}: {
  refusal: FormRefusal | undefined;
  info: string | undefined;
}) {
  const [successMessage, setSuccessMessage] = useState(info);
  const form = useForm<ResetRequestValues, unknown, ResetRequestValues>({
    resolver: createContractResolver(passwordResetRequest),
    defaultValues: { email: refusal?.values.email ?? '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    setSuccessMessage(undefined);
    setSuccessMessage((await api(requestPasswordReset, { body }, { showErrorMessage: false })).info);
  });
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      {successMessage && (
        <Banner kind="success" inline>
          {successMessage}
        </Banner>
      )}
      <TextField
        label={texts.email}
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        defaultValue={refusal?.values.email}
        {...form.register('email')}
        error={errors.email?.message ?? refusal?.fields.email}
      />
      {(errors.root?.message ?? refusal?.message) && (
        <Banner kind="error">{errors.root?.message ?? refusal?.message}</Banner>
      )}
      <Button
        type="submit"
        variant={successMessage ? 'line' : 'primary'}
        size="lg"
        wide
        busy={isSubmitting}
        busyText={texts.sending}
      >
        {successMessage ? texts.resendLink : texts.sendResetLink}
      </Button>
    </form>
  );
}

export function NewPasswordForm({
  token,
  refusal,
  info,
}: {
  token: string;
  refusal: FormRefusal | undefined;
  info: string | undefined;
}) {
  const [successMessage, setSuccessMessage] = useState(info);
  const form = useForm<NewPasswordValues, unknown, NewPasswordValues>({
    resolver: createContractResolver(passwordResetBody),
    mode: 'onTouched',
    defaultValues: { token, newPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    setSuccessMessage((await api(resetPassword, { body }, { showErrorMessage: false })).info);
  });
  if (successMessage) {
    return (
      <div className="form">
        <p role="status">{successMessage}</p>
        <Button variant="primary" size="lg" wide href={PATHS.login}>
          {texts.logIn}
        </Button>
      </div>
    );
  }
  const failure = errors.root?.message ?? errors.token?.message ?? refusal?.message ?? refusal?.fields.token;
  return (
    <form className="form" method="post" noValidate onSubmit={send}>
      <input type="hidden" defaultValue={token} {...form.register('token')} />
      <PasswordField
        label={texts.newPassword}
        autoComplete="new-password"
        {...form.register('newPassword')}
        error={errors.newPassword?.message ?? refusal?.fields.newPassword}
      />
      {failure && (
        <Banner
          kind="error"
          action={
            <a className="link" href={PATHS.forgotPassword}>
              {texts.requestANewLink}
            </a>
          }
        >
          {failure}
        </Banner>
      )}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText={texts.saving}>
        {texts.resetPassword}
      </Button>
    </form>
  );
}
