import { type Proof, proof, twoFactorProof } from '@stagedoor/contract/accounts.ts';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Banner } from '../../ui/states.tsx';

const schema = z.object({ currentPassword: proof.shape.currentPassword });
const withCode = z.extend(schema, twoFactorProof.shape);

export type ProveFormProps = {
  prove: (proof: Proof) => Promise<unknown>;
  username: string;
  asksCode: boolean;
  action: string;
  isDanger?: boolean;
  onProven: () => void;
};

export function ProveForm({ prove, username, asksCode, action, isDanger, onProven }: ProveFormProps) {
  const form = useForm<Proof, unknown, Proof>({
    resolver: contractForm(asksCode ? withCode : schema),
    defaultValues: { currentPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = submitting(form, async (body) => {
    await prove(body);
    onProven();
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <input type="text" className="hidden" autoComplete="username" defaultValue={username} readOnly />
      <PasswordField label="Password" {...form.register('currentPassword')} error={errors.currentPassword?.message} />
      {asksCode && (
        <TextField
          label="Authentication code"
          hint="From your authenticator app, or a recovery code."
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
