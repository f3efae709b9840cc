/** The counter-notice of whoever posted what was removed for copyright, below the decision. */
import { CASES, COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import type { OwnDecision } from '@stagedoor/contract/cases.ts';
import { giveCounterNotice } from '@stagedoor/contract/copyright.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { decisionsQuery } from './queries.ts';

const EMPTY = { statement: '', name: '', address: '', telephone: '', signature: '' };

export function CounterForm({ decision, onDone }: { decision: OwnDecision; onDone: () => void }) {
  const client = useQueryClient();
  const [values, setValues] = useState(EMPTY);
  const [isMistake, setMistake] = useState(false);
  const [isConsenting, setConsenting] = useState(false);
  const send = useApiMutation(giveCounterNotice, {
    showErrorMessage: false,
    onSuccess: (answer) => {
      void showToast(answer.message, 'success');
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: decisionsQuery().queryKey }),
  });
  const fields = send.error instanceof ApiError ? send.error.fields : {};
  const bind = (name: keyof typeof EMPTY) => ({
    name,
    value: values[name],
    error: fields[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValues((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!send.isPending) send.mutate({ params: { id: decision.id }, body: { ...values, isMistake, isConsenting } });
  };
  return (
    <form className="form pt-3" noValidate aria-label="Counter-notice" onSubmit={submit}>
      <p className="text-small">
        All of this goes to <bdi>{decision.claim?.name}</bdi>, as the law has it, your name and address too.
      </p>
      <TextAreaField label="Why it was a mistake" rows={4} counter={CASES.messageLength} {...bind('statement')} />
      <TextField label="Your full name" autoComplete="name" {...bind('name')} />
      <TextAreaField
        label="Postal address"
        autoComplete="street-address"
        rows={3}
        maxLength={COPYRIGHT.addressLength}
        {...bind('address')}
      />
      <TextField
        label="Telephone"
        hint="With the country’s code."
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        {...bind('telephone')}
      />
      <Checkbox
        name="isMistake"
        checked={isMistake}
        error={fields.isMistake}
        onChange={(event) => setMistake(event.currentTarget.checked)}
      >
        Under penalty of perjury, I believe in good faith that it was removed by mistake, or taken for something else.
      </Checkbox>
      <Checkbox
        name="isConsenting"
        checked={isConsenting}
        error={fields.isConsenting}
        onChange={(event) => setConsenting(event.currentTarget.checked)}
      >
        I agree to the federal court where I live, or where Stagedoor is if I live outside of the United States, and
        take papers from whoever sent the notice.
      </Checkbox>
      <TextField
        label="Signature"
        hint="Your name, typed, is your signature."
        autoComplete="off"
        {...bind('signature')}
      />
      {send.error && Object.keys(fields).length === 0 && <Refusal message={send.error.message} />}
      <Button type="submit" variant="ink" busy={send.isPending} busyText="Sending…">
        Send the counter-notice
      </Button>
    </form>
  );
}
