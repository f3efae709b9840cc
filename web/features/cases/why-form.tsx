import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { type FormEvent, useState } from 'react';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';

export interface WhyFormProps {
  button: string;
  isSending: boolean;
  refusal: string | undefined;
  onSend: (message: string) => void;
}

export function WhyForm({ button, isSending, refusal, onSend }: WhyFormProps) {
  const [message, setMessage] = useState('');
  const [complaint, setComplaint] = useState<string>();
  useStake(message !== '', isSending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() === '') return setComplaint('Please enter message');
    if (!isSending) onSend(message);
  };
  return (
    <form className="form pt-3" noValidate onSubmit={submit}>
      <TextAreaField
        label="Why should we review this?"
        hint="A different person will review it."
        rows={4}
        counter={CASES.messageLength}
        value={message}
        error={complaint}
        onChange={(event) => {
          setMessage(event.currentTarget.value);
          setComplaint(undefined);
        }}
      />
      {refusal !== undefined && <Refusal message={refusal} />}
      <Button type="submit" variant="ink" busy={isSending} busyText="Sending…">
        {button}
      </Button>
    </form>
  );
}
