/** The form to change the password (row A7). */
import { changePassword, password, twoFactorEnableBody } from '@stagedoor/contract/identity/accounts.ts';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { showToast } from '../../../platform/feedback.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { api } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CodeField } from './code-field.tsx';
import * as texts from './texts.ts';

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, texts.passwordRequired), z.maxLength(200, texts.incorrectPassword)),
  newPassword: password,
});
const schemaWithCode = z.extend(schema, twoFactorEnableBody.shape);
type Values = z.input<typeof schema> & { code?: string };

export type PasswordFormProps = {
  username: string;
  needsCode: boolean;
  onChanged: () => void;
};

export function PasswordForm({ username, needsCode, onChanged }: PasswordFormProps) {
  const form = useForm<Values, unknown, Values>({
    resolver: createContractResolver(needsCode ? schemaWithCode : schema),
    mode: 'onTouched',
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    const { info } = await api(changePassword, { body }, { showErrorMessage: false });
    form.reset();
    onChanged();
    await showToast(info, 'success');
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <input type="text" className="hidden" autoComplete="username" defaultValue={username} readOnly />
      <PasswordField
        label={texts.currentPassword}
        {...form.register('currentPassword')}
        error={errors.currentPassword?.message}
      />
      <PasswordField
        label={texts.newPassword}
        autoComplete="new-password"
        {...form.register('newPassword')}
        error={errors.newPassword?.message}
      />
      {needsCode && <CodeField {...form.register('code')} error={errors.code?.message} />}
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button type="submit" className="justify-self-start" busy={isSubmitting} busyText={texts.saving}>
        {texts.changePassword}
      </Button>
    </form>
  );
}
