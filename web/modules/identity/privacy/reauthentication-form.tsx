import { type Reauthentication, reauthentication, twoFactorEnableBody } from '@stagedoor/contract/identity/accounts.ts';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

const schema = z.object({ currentPassword: reauthentication.shape.currentPassword });
const schemaWithCode = z.extend(schema, twoFactorEnableBody.shape);

export type ReauthenticationFormProps = {
  reauthenticate: (body: Reauthentication) => Promise<unknown>;
  username: string;
  requiresCode: boolean;
  action: string;
  isDanger?: boolean;
  onReauthenticated: () => void;
};

export function ReauthenticationForm({
  reauthenticate,
  username,
  requiresCode,
  action,
  isDanger,
  onReauthenticated,
}: ReauthenticationFormProps) {
  const form = useForm<Reauthentication, unknown, Reauthentication>({
    resolver: createContractResolver(requiresCode ? schemaWithCode : schema),
    defaultValues: { currentPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    await reauthenticate(body);
    onReauthenticated();
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <input type="text" className="hidden" autoComplete="username" defaultValue={username} readOnly />
      <PasswordField
        label={texts.password}
        {...form.register('currentPassword')}
        error={errors.currentPassword?.message}
      />
      {requiresCode && (
        <TextField
          label={texts.authenticationCode}
          hint={texts.authenticationCodeHint}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('code')}
          error={errors.code?.message}
        />
      )}
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button type="submit" variant={isDanger ? 'danger' : 'primary'} size="lg" wide busy={isSubmitting}>
        {action}
      </Button>
    </form>
  );
}
