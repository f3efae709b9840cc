/** Deposits in two steps: the amount, as credits (row D2) or dollars (row D3), then the card processor. */

import type { DepositQuote } from '@stagedoor/contract/commerce/deposits.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IntegerField } from '../../../platform/integer-field.tsx';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useIsCallRunning } from '../../../platform/running-call.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { type Choice, RadioRows } from '../../../ui/choice.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { Dialog, LockNote } from '../../../ui/dialog.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CardBrands } from './card-brands.tsx';
import { DebtShare } from './debt-share.tsx';
import {
  CUSTOM_HINT,
  CUSTOM_PACK,
  type DepositChoice,
  type DepositDraft,
  type DepositEntry,
  type DepositLimits,
  type DepositStartValues,
  depositHref,
  EMPTY_DRAFT,
  formatAddFundsRule,
  hasStartValues,
  listPackages,
  parseTypedDollars,
  toDepositChoice,
  toStartAmounts,
} from './deposit-amount.ts';
import * as texts from './texts.ts';
import { type DepositStart, useDepositLimits, useDepositStart } from './use-deposit.ts';

export type DepositDialogProps = {
  entry: DepositEntry;
  /** What was chosen before, which a return from the payment page or a second attempt begins with. */
  start?: DepositStartValues;
  next?: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const STEPS = ['plans', 'cardInfo'] as const;
type Step = (typeof STEPS)[number];
const TITLES = {
  credits: { plans: texts.howManyCredits, cardInfo: texts.paymentInformation },
  dollars: { plans: texts.addFunds, cardInfo: texts.paymentInformation },
} as const;

function QuoteSummary({ quote }: { quote: DepositQuote }) {
  return (
    <>
      <PriceSummary
        live
        className="mt-1 border-t border-line pt-2"
        items={[
          { name: texts.youGet, value: formatCents(quote.amountCents) },
          { name: 'Fee', value: formatCents(quote.feeCents) },
        ]}
        total={{ name: texts.youPay, value: formatCents(quote.payableCents) }}
      />
      <DebtShare amountCents={quote.amountCents} />
    </>
  );
}

function ProcessorNote() {
  const { descriptor } = useDepositLimits();
  return (
    <LockNote>
      {formatNodes(texts.cardProcessorNote, {
        statementNote: descriptor !== undefined && (
          <> {formatNodes(texts.statementDescriptorNote, { descriptor: <b>{descriptor}</b> })}</>
        ),
      })}
    </LockNote>
  );
}

type AmountProps = {
  draft: DepositDraft;
  change: (part: Partial<DepositDraft>) => void;
  limits: DepositLimits;
  error: string | undefined;
};

function CreditsField({ draft, change, limits, error }: AmountProps) {
  const offers: Choice[] = listPackages(limits).map(({ credits, quote, obstacle }) => ({
    value: String(credits),
    title: formatText(texts.creditCount, { count: credits }),
    sub: obstacle ?? formatText(texts.packBalance, { amount: formatCents(quote.amountCents) }),
    end: formatCents(quote.payableCents),
    disabled: obstacle !== undefined,
  }));
  const isCustom = draft.pack === CUSTOM_PACK;
  return (
    <>
      <RadioRows
        name="pack"
        label={texts.howManyCredits}
        value={draft.pack}
        onValueChange={(pack) => change({ pack })}
        choices={[...offers, { value: CUSTOM_PACK, title: texts.otherAmount, sub: CUSTOM_HINT }]}
        className="[&>.pack:last-child]:border-b-0"
      />
      {isCustom && (
        <IntegerField
          label={texts.credits}
          className="mb-4 pl-9"
          maxLength={12}
          value={draft.credits}
          onChange={(event) => change({ credits: event.currentTarget.value })}
          error={error}
        />
      )}
    </>
  );
}

function DollarsField({ draft, change, limits: { addFunds }, error }: AmountProps) {
  return (
    <MoneyField
      label={texts.amountInDollars}
      className="mb-4"
      maxLength={12}
      data-autofocus=""
      placeholder="0.00"
      value={draft.dollars}
      onChange={(event) => change(parseTypedDollars(event.currentTarget.value, addFunds))}
      hint={error === undefined ? (draft.entryNote ?? formatAddFundsRule(addFunds)) : undefined}
      error={error}
    />
  );
}

/** Leads to the payment during a call, which leaving this page would end. */
function NewTabButton({ href }: { href: string }) {
  return (
    <div className="mt-4 grid gap-2">
      <Button variant="primary" size="lg" wide href={href} target="_blank">
        {texts.continueInNewTab}
      </Button>
      <p className="text-small text-muted">{texts.newTabHint}</p>
    </div>
  );
}

/**
 * The first step. Errors are shown after the first attempt to continue, or immediately when the amount was complete.
 */
function AmountStep({
  draft,
  change,
  limits,
  choice,
  newTabHref,
  onContinue,
}: Omit<AmountProps, 'error'> & { choice: DepositChoice; newTabHref: string | undefined; onContinue: () => void }) {
  const [isSubmitted, setIsSubmitted] = useState(false);
  const disabledMessage = useFeatureDisabledMessage('deposits');
  const form = useRef<HTMLFormElement>(null);
  const Amount = draft.entry === 'credits' ? CreditsField : DollarsField;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledMessage !== undefined) return;
        if (choice.body) return onContinue();
        setIsSubmitted(true);
        form.current?.querySelector<HTMLElement>('input[inputmode]')?.focus();
      }}
    >
      <Amount draft={draft} change={change} limits={limits} error={isSubmitted ? choice.error : undefined} />
      <QuoteSummary quote={choice.quote} />
      {disabledMessage !== undefined && (
        <div className="pt-4">
          <Banner kind="warn" inline>
            {disabledMessage}
          </Banner>
        </div>
      )}
      {newTabHref !== undefined && disabledMessage === undefined ? (
        <NewTabButton href={newTabHref} />
      ) : (
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          className="mt-4"
          disabled={disabledMessage !== undefined}
        >
          {texts.continueToPayment}
        </Button>
      )}
      <ProcessorNote />
    </form>
  );
}

function PaymentStep({
  choice,
  start,
  newTabHref,
  onBack,
}: {
  choice: DepositChoice;
  start: DepositStart;
  newTabHref: string | undefined;
  onBack: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that repeats the title
    <div ref={panel} tabIndex={-1} role="group" aria-label={texts.paymentStepTitle} className="outline-none">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-4">
        <span className="display d4 num">{choice.name}</span>
        <CardBrands />
      </div>
      <QuoteSummary quote={choice.quote} />
      <div className="mt-4 grid gap-2">
        {newTabHref === undefined ? (
          <PriceButton
            size="lg"
            wide
            verb={texts.pay}
            price={formatCents(choice.quote.payableCents)}
            busy={start.isBusy}
            busyText={texts.openingThePaymentPage}
            onClick={() => start.pay(choice)}
          />
        ) : (
          <NewTabButton href={newTabHref} />
        )}
        <Button variant="quiet" wide disabled={start.isBusy} onClick={onBack}>
          {texts.back}
        </Button>
      </div>
      {start.failure && <InlineError message={start.failure} />}
      <ProcessorNote />
    </div>
  );
}

export function DepositDialog({ entry, start: startValues = {}, next, open, onOpenChange }: DepositDialogProps) {
  const { isTestMode, ...limits } = useDepositLimits();
  const begin = (): [Omit<DepositDraft, 'entry'>, Step] => {
    const begun = { ...EMPTY_DRAFT, ...toStartAmounts(startValues, limits.addFunds) };
    return [begun, startValues.isChosen && toDepositChoice({ ...begun, entry }, limits).body ? 'cardInfo' : 'plans'];
  };
  const [[amounts, step], setState] = useState(begin);
  const setStep = (next: Step) => setState(([before]) => [before, next]);
  const start = useDepositStart(entry, next);
  const draft: DepositDraft = { ...amounts, entry };
  const choice = toDepositChoice(draft, limits);
  const isCallRunning = useIsCallRunning();
  const newTabHref = isCallRunning && choice.body ? depositHref(choice.body, next) : undefined;
  const title: string = TITLES[entry][step];
  // Reopening resets the dialog, also if the browser's back button had closed it.
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setState(([before]) => (hasStartValues(startValues) ? begin() : [before, 'plans']));
  }
  const changeOpen = (isOpen: boolean) => {
    if (!isOpen) start.reset();
    onOpenChange(isOpen);
  };
  const body: ReactNode =
    step === 'plans' ? (
      <AmountStep
        key={entry}
        draft={draft}
        change={(part) => setState(([before, current]) => [{ ...before, ...part }, current])}
        limits={limits}
        choice={choice}
        newTabHref={newTabHref}
        onContinue={() => setStep('cardInfo')}
      />
    ) : (
      <PaymentStep
        choice={choice}
        start={start}
        newTabHref={newTabHref}
        onBack={() => {
          start.reset();
          setStep('plans');
        }}
      />
    );
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={title}
      step={
        entry === 'credits' && step === 'plans'
          ? 'Step 1 of 2: Packages'
          : `Step ${STEPS.indexOf(step) + 1} of ${STEPS.length}`
      }
      width={entry === 'dollars' ? 600 : 480}
      locked={start.isBusy}
    >
      {isTestMode && (
        <div className="mb-4">
          <Banner kind="test" inline>
            {texts.testModeNote}
          </Banner>
        </div>
      )}
      {body}
    </Dialog>
  );
}
