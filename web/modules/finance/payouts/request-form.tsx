/**
 * The payout request form: amount, method and remaining balance. Balances change only after the server has accepted the
 * request.
 */

import {
  getPayoutOverview,
  listPayoutMethods,
  type PayoutMethod,
  requestPayout,
} from '@stagedoor/contract/finance/payouts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { invalidatePayouts } from './queries.ts';
import * as texts from './texts.ts';

export function findAmountError(input: string, available: number, minimum: number): string | undefined {
  const usd = parseUsd(input);
  if (usd === undefined) return texts.enterValidAmount;
  if (usd < minimum) return formatText(texts.atLeastMinimum, { minimum: formatUsd(minimum) });
  return usd > available ? formatText(texts.upToAvailable, { available: formatUsd(available) }) : undefined;
}

function Form({ methods }: { methods: readonly PayoutMethod[] }) {
  const client = useQueryClient();
  const { available, minimum } = useApi(getPayoutOverview, {});
  const [input, setInput] = useState('');
  const [methodId, setMethod] = useState(methods[0]?.id);
  // The second click of a double click arrives before the button is rendered as busy.
  const isSending = useRef(false);
  const request = useApiMutation(requestPayout, {
    showErrorMessage: false,
    onSuccess: async ({ amount }) => {
      setInput('');
      invalidatePayouts(client);
      await showToast(formatText(texts.payoutRequested, { amount: formatUsd(amount) }), 'success');
    },
    onSettled: () => {
      isSending.current = false;
    },
  });
  const method = methods.find(({ id }) => id === methodId) ?? methods[0];
  if (!method) return null;
  const error = input === '' ? undefined : findAmountError(input, available, minimum[method.kind]);
  const amount = error === undefined ? (parseUsd(input) ?? 0) : 0;
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (amount === 0 || isSending.current) return;
        isSending.current = true;
        request.mutate({ body: { amount, methodId: method.id } });
      }}
    >
      <MoneyField
        label={texts.amount}
        maxLength={12}
        value={input}
        hint={
          error === undefined
            ? formatText(texts.atLeastMinimum, { minimum: formatUsd(minimum[method.kind]) })
            : undefined
        }
        error={error}
        onChange={(event) => {
          request.reset();
          setInput(event.currentTarget.value);
        }}
      />
      <Button onClick={() => setInput(available.toFixed(2))}>{texts.max}</Button>
      <SelectField
        label={texts.toMethod}
        value={method.id}
        options={methods.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => setMethod(methods.find(({ id }) => id === event.currentTarget.value)?.id)}
      />
      <PriceSummary
        items={[{ name: texts.availableNow, value: formatUsd(available) }]}
        total={{ name: texts.availableAfter, value: formatUsd(Math.round((available - amount) * 100) / 100) }}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        disabled={amount === 0}
        busy={request.isPending}
        busyText={texts.requesting}
      >
        {amount > 0 ? formatText(texts.requestPayoutAmount, { amount: formatUsd(amount) }) : texts.requestPayoutButton}
      </Button>
      {request.error && <InlineError message={request.error.message} />}
      <p className="text-small text-muted">{texts.payoutReviewHint}</p>
    </form>
  );
}

function RequestPayoutContent() {
  const { problem, available } = useApi(getPayoutOverview, {});
  const { data: methods, coolingHours } = useApi(listPayoutMethods, {});
  const usable = methods.filter(({ state }) => state === 'usable');
  const cooling = methods.filter(({ state }) => state === 'cooling');
  if (problem !== null) return <p>{problem}</p>;
  if (usable.length > 0 && available > 0) return <Form methods={usable} />;
  if (usable.length > 0) return <p className="text-muted">{texts.nothingAvailableHint}</p>;
  const [first] = cooling;
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        {first
          ? formatText(texts.methodAvailableFrom, { label: first.label, usableAt: formatExactTime(first.usableAt) })
          : formatText(texts.addMethodForPayoutHint, { coolingHours })}
      </p>
      <Button href={`${PATHS.creatorFees}#methods`}>{first ? texts.yourPayoutMethods : texts.addPayoutMethod}</Button>
    </div>
  );
}

export function RequestPayout() {
  return (
    <section aria-labelledby="payout" className="border border-line bg-surface-1 p-5">
      <SectionHead id="payout" title={texts.requestAPayout} />
      <RequestPayoutContent />
    </section>
  );
}
