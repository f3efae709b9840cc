import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { type FormEvent, useState } from 'react';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import * as texts from './texts.ts';

export interface AppealReasonFormProps {
  button: string;
  isSending: boolean;
  refusal: string | undefined;
  onSend: (message: string) => void;
}

export function AppealReasonForm({ button, isSending, refusal, onSend }: AppealReasonFormProps) {
  const [message, setMessage] = useState('');
  const [errorMessage, setErrorMessage] = useState<string>();
  useUnsavedChanges(message !== '', isSending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() === '') return setErrorMessage(texts.messageRequired);
    if (!isSending) onSend(message);
  };
  return (
    <form className="form pt-3" noValidate onSubmit={submit}>
      <TextAreaField
        label={texts.appealReasonLabel}
        hint={texts.appealReasonHint}
        rows={4}
        counter={CASE_LIMITS.messageLength}
        value={message}
        error={errorMessage}
        onChange={(event) => {
          setMessage(event.currentTarget.value);
          setErrorMessage(undefined);
        }}
      />
      {refusal !== undefined && <InlineError message={refusal} />}
      <Button type="submit" variant="ink" busy={isSending} busyText={texts.sending}>
        {button}
      </Button>
    </form>
  );
}
