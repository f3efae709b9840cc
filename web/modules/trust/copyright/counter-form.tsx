import { submitCounterNotice } from '@stagedoor/contract/trust/copyright.ts';
import { listOwnDecisions, type OwnDecision } from '@stagedoor/contract/trust/moderation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { CounterFields, toCounterNoticeBody } from './counter-fields.tsx';
import * as texts from './texts.ts';

export function CounterForm({ decision, onDone }: { decision: OwnDecision; onDone: () => void }) {
  const client = useQueryClient();
  const send = useApiMutation(submitCounterNotice, {
    showErrorMessage: false,
    onSuccess: (response) => {
      void showToast(response.message, 'success');
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: apiQuery(listOwnDecisions, {}).queryKey }),
  });
  const [isStarted, setStarted] = useState(false);
  useUnsavedChanges(isStarted && !send.isSuccess, send.isPending);
  const fields = send.error instanceof ApiError ? send.error.fields : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    if (!send.isPending)
      send.mutate({ params: { id: decision.id }, body: toCounterNoticeBody(Object.fromEntries(entries)) });
  };
  return (
    <form
      className="form pt-3"
      noValidate
      aria-label={texts.counterNotice}
      onChange={() => setStarted(true)}
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
