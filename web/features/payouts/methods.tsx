/** The payout methods (row G4), masked. Adding, replacing and removing one requires the password. */
import { listPayoutMethods, type PayoutMethod, removePayoutMethod } from '@stagedoor/contract/payouts.ts';
import { useState } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { complaintsOf, type Draft, MethodForm, Proof, useForget } from './method-form.tsx';

function RemoveMethod({ method, onDone }: { method: PayoutMethod; onDone: () => void }) {
  const forget = useForget();
  const [draft, setDraft] = useState<Draft>({});
  const remove = useApiMutation(removePayoutMethod, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: () => {
      forget();
      onDone();
    },
  });
  const complaints = complaintsOf(remove.error);
  const { currentPassword = '', code } = draft;
  return (
    <form
      noValidate
      className="form grid gap-4 pt-5"
      aria-label={`Remove ${method.words}`}
      onSubmit={(event) => {
        event.preventDefault();
        const body = { currentPassword, ...(code && { code }) };
        if (currentPassword !== '' && !remove.isPending) remove.mutate({ params: { id: method.id }, body });
      }}
    >
      <p>Remove {method.words}?</p>
      <Proof draft={draft} complaints={complaints} change={(part) => setDraft({ ...draft, ...part })} />
      {remove.error && Object.keys(complaints).length === 0 && <Refusal message={remove.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="danger"
          disabled={currentPassword === ''}
          busy={remove.isPending}
          busyText="Removing…"
        >
          Remove
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function stateWords({ state, usableAt, problem }: PayoutMethod): string {
  if (problem !== null) return problem;
  if (state === 'invalid') return 'No longer usable';
  return state === 'cooling' ? `Available from ${formatExact(usableAt)}` : 'Ready';
}

type Opened = { method: PayoutMethod; to: 'replace' | 'remove' };

export function PayoutMethods() {
  const { data: methods, most, coolingHours } = useApi(listPayoutMethods, {});
  const [open, setOpen] = useState<Opened | 'new' | null>(null);
  const close = () => setOpen(null);
  const verb = (method: PayoutMethod, to: Opened['to'], words: string) => (
    <Button variant="quiet" aria-label={`${words} ${method.words}`} onClick={() => setOpen({ method, to })}>
      {words}
    </Button>
  );
  const opened = open === 'new' ? null : open;
  return (
    <section aria-labelledby="methods">
      <SectionHead id="methods" title="Payout methods" />
      <p className="pb-3 text-small text-muted">
        Encrypted and partially hidden. New methods are available after {coolingHours} hours. We’ll email you about any
        change.
      </p>
      {methods.length > 0 && (
        <Rows label="Payout methods" closed>
          {methods.map((method) => (
            <Row
              key={method.id}
              // The label wraps because its last digits identify the method and must stay visible.
              title={<span className="whitespace-normal">{method.words}</span>}
              sub={<span className="whitespace-normal">{stateWords(method)}</span>}
              end={
                <span className="flex flex-col items-end md:flex-row">
                  {verb(method, 'replace', 'Replace')}
                  {verb(method, 'remove', 'Remove')}
                </span>
              }
            />
          ))}
        </Rows>
      )}
      {open === 'new' && <MethodForm onDone={close} />}
      {opened?.to === 'replace' && <MethodForm key={opened.method.id} replaced={opened.method} onDone={close} />}
      {opened?.to === 'remove' && <RemoveMethod key={opened.method.id} method={opened.method} onDone={close} />}
      {open === null && methods.length < most && (
        <Button className="mt-4" icon="plus" onClick={() => setOpen('new')}>
          Add payout method
        </Button>
      )}
    </section>
  );
}
