import type { OwnDecision } from '@stagedoor/contract/cases.ts';
import { giveCounterNotice } from '@stagedoor/contract/copyright.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { CounterFields, counterOf } from './counter-fields.tsx';
import { decisionsQuery } from './queries.ts';

export function CounterForm({ decision, onDone }: { decision: OwnDecision; onDone: () => void }) {
  const client = useQueryClient();
  const send = useApiMutation(giveCounterNotice, {
    showErrorMessage: false,
    onSuccess: (answer) => {
      void showToast(answer.message, 'success');
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: decisionsQuery().queryKey }),
  });
  const [isBegun, setBegun] = useState(false);
  useStake(isBegun && !send.isSuccess, send.isPending);
  const fields = send.error instanceof ApiError ? send.error.fields : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const said = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    if (!send.isPending) send.mutate({ params: { id: decision.id }, body: counterOf(Object.fromEntries(said)) });
  };
  return (
    <form
      className="form pt-3"
      noValidate
      aria-label="Counter-notice"
      onChange={() => setBegun(true)}
      onSubmit={submit}
    >
      <CounterFields
        claimant={decision.claim?.name ?? ''}
        fields={fields}
        message={send.error && Object.keys(fields).length === 0 ? send.error.message : undefined}
        busy={send.isPending}
      />
    </form>
  );
}
