/** Step-up authentication of operators: a form for its own page, and a dialog. */
import { stepUp } from '@stagedoor/contract/admin/staff.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useStepUpRequest } from '../../../platform/operator.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import * as texts from './texts.ts';

const STEP_UP_TEXT = texts.stepUpHint;

export function StepUpForm({ onDone }: { onDone: () => void }) {
  const [currentPassword, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submitStepUp = useApiMutation(stepUp, { showErrorMessage: false, onSuccess: onDone });
  const refusal = submitStepUp.error instanceof ApiError ? submitStepUp.error : undefined;
  const { currentPassword: passwordError, code: codeError } = refusal?.fields ?? {};
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!submitStepUp.isPending) submitStepUp.mutate({ body: { currentPassword, ...(code !== '' && { code }) } });
  };
  return (
    <form className="form max-w-120" onSubmit={send}>
      <PasswordField
        label={texts.yourPassword}
        required
        value={currentPassword}
        error={passwordError}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <TextField
        label={texts.codeField}
        hint={texts.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={code}
        error={codeError}
        onChange={(event) => setCode(event.currentTarget.value.trim())}
      />
      {submitStepUp.error && passwordError === undefined && codeError === undefined && (
        <InlineError message={submitStepUp.error.message} />
      )}
      <Button
        type="submit"
        variant="ink"
        className="justify-self-start"
        busy={submitStepUp.isPending}
        busyText={texts.checking}
      >
        {texts.continueButton}
      </Button>
    </form>
  );
}

/** Opens when the server refuses an action without step-up authentication, and repeats the action afterwards. */
export function StepUpDialog() {
  const [retry, cancel] = useStepUpRequest();
  return (
    <Dialog open={retry !== undefined} onOpenChange={cancel} title={texts.confirmItsYou} lead={STEP_UP_TEXT}>
      <StepUpForm
        onDone={() => {
          cancel();
          retry?.();
        }}
      />
    </Dialog>
  );
}

export { STEP_UP_TEXT };
