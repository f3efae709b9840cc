/** The payout methods (row G4), masked. Adding, replacing and removing one requires the password. */
import { listPayoutMethods, type PayoutMethod, removePayoutMethod } from '@stagedoor/contract/finance/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useState } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import {
  type MethodDraft,
  MethodForm,
  ReauthenticationFields,
  toMethodErrors,
  useInvalidateMethods,
} from './method-form.tsx';
import * as texts from './texts.ts';

function RemoveMethod({ method, onDone }: { method: PayoutMethod; onDone: () => void }) {
  const invalidateMethods = useInvalidateMethods();
  const [draft, setDraft] = useState<MethodDraft>({});
  const remove = useApiMutation(removePayoutMethod, {
    showErrorMessage: false,
    showSuccessMessage: true,
    onSuccess: () => {
      invalidateMethods();
      onDone();
    },
  });
  const errors = toMethodErrors(remove.error);
  const { currentPassword = '', code } = draft;
  return (
    <form
      noValidate
      className="form grid gap-4 pt-5"
      aria-label={formatText(texts.removeMethod, { label: method.label })}
      onSubmit={(event) => {
        event.preventDefault();
        const body = { currentPassword, ...(code && { code }) };
        if (currentPassword !== '' && !remove.isPending) remove.mutate({ params: { id: method.id }, body });
      }}
    >
      <p>{formatText(texts.removeMethodQuestion, { label: method.label })}</p>
      <ReauthenticationFields draft={draft} errors={errors} change={(part) => setDraft({ ...draft, ...part })} />
      {remove.error && Object.keys(errors).length === 0 && <InlineError message={remove.error.message} />}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="danger"
          disabled={currentPassword === ''}
          busy={remove.isPending}
          busyText={texts.removing}
        >
          {texts.removeButton}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}

function formatMethodState({ state, usableAt, problem }: PayoutMethod): string {
  if (problem !== null) return problem;
  if (state === 'invalid') return texts.noLongerUsable;
  return state === 'cooling' ? formatText(texts.availableFrom, { usableAt: formatExactTime(usableAt) }) : texts.ready;
}

type OpenMethod = { method: PayoutMethod; action: 'replace' | 'remove' };

export function PayoutMethodsSection() {
  const { data: methods, max, coolingHours } = useApi(listPayoutMethods, {});
  const [open, setOpen] = useState<OpenMethod | 'new' | null>(null);
  const close = () => setOpen(null);
  const renderActionButton = (method: PayoutMethod, action: OpenMethod['action'], label: string) => (
    <Button variant="quiet" aria-label={`${label} ${method.label}`} onClick={() => setOpen({ method, action })}>
      {label}
    </Button>
  );
  const openMethod = open === 'new' ? null : open;
  return (
    <section aria-labelledby="methods">
      <SectionHead id="methods" title={texts.payoutMethods} />
      <p className="pb-3 text-small text-muted">{formatText(texts.payoutMethodsHint, { coolingHours })}</p>
      {methods.length > 0 && (
        <Rows label={texts.payoutMethods} closed>
          {methods.map((method) => (
            <Row
              key={method.id}
              // The label wraps because its last digits identify the method and must stay visible.
              title={<span className="whitespace-normal">{method.label}</span>}
              sub={<span className="whitespace-normal">{formatMethodState(method)}</span>}
              end={
                <span className="flex flex-col items-end md:flex-row">
                  {renderActionButton(method, 'replace', texts.replaceButton)}
                  {renderActionButton(method, 'remove', texts.removeButton)}
                </span>
              }
            />
          ))}
        </Rows>
      )}
      {open === 'new' && <MethodForm onDone={close} />}
      {openMethod?.action === 'replace' && (
        <MethodForm key={openMethod.method.id} replaced={openMethod.method} onDone={close} />
      )}
      {openMethod?.action === 'remove' && (
        <RemoveMethod key={openMethod.method.id} method={openMethod.method} onDone={close} />
      )}
      {open === null && methods.length < max && (
        <Button className="mt-4" icon="plus" onClick={() => setOpen('new')}>
          {texts.addPayoutMethod}
        </Button>
      )}
    </section>
  );
}
