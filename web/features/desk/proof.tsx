/** Step-up authentication of operators: a form for its own page, and a dialog. */
import { proveMe } from '@stagedoor/contract/operators.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { useAskedProof } from '../../kernel/operator.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

const WHY = 'Required for money, documents and roles. Valid for a few minutes on this device.';

export function ProofForm({ onProven }: { onProven: () => void }) {
  const [currentPassword, setPassword] = useState('');
  const [code, setCode] = useState('');
  const prove = useApiMutation(proveMe, { showErrorMessage: false, onSuccess: onProven });
  const refused = prove.error instanceof ApiError ? prove.error : undefined;
  const { currentPassword: wrongPassword, code: wrongCode } = refused?.fields ?? {};
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!prove.isPending) prove.mutate({ body: { currentPassword, ...(code !== '' && { code }) } });
  };
  return (
    <form className="form max-w-120" onSubmit={send}>
      <PasswordField
        label="Your password"
        required
        value={currentPassword}
        error={wrongPassword}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <TextField
        label="Code"
        hint="From your authenticator app, or a recovery code."
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={code}
        error={wrongCode}
        onChange={(event) => setCode(event.currentTarget.value.trim())}
      />
      {prove.error && wrongPassword === undefined && wrongCode === undefined && (
        <Refusal message={prove.error.message} />
      )}
      <Button type="submit" variant="ink" className="justify-self-start" busy={prove.isPending} busyText="Checking…">
        Continue
      </Button>
    </form>
  );
}

/** Opens when the server refuses an action without step-up authentication, and repeats the action afterwards. */
export function ProofDialog() {
  const [again, letGo] = useAskedProof();
  return (
    <Dialog open={again !== undefined} onOpenChange={letGo} title="Confirm it’s you" lead={WHY}>
      <ProofForm
        onProven={() => {
          letGo();
          again?.();
        }}
      />
    </Dialog>
  );
}

export { WHY as PROOF_WHY };
