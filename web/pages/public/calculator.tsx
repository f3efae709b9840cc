import { findNewCreatorOffer, type getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useState } from 'react';
import { formatCount } from '../../platform/dates.ts';
import { Button } from '../../ui/button.tsx';
import { PriceSummary } from '../../ui/definition-list.tsx';
import { TextField } from '../../ui/field.tsx';
import { calculateIncome, type IncomeEstimate, type IncomeInputs } from './calculate-income.ts';
import { FEES_CHECKED_IN, OTHER_PLATFORMS } from './other-platforms.ts';

export type PlatformTermsView = ResponseOf<typeof getPlatformTerms>;

function Bar({
  label,
  income,
  percent,
  isOurs,
}: {
  label: string;
  income: IncomeEstimate;
  percent: number;
  isOurs?: boolean;
}) {
  return (
    <div>
      <p className={isOurs ? 'text-small' : 'text-small text-muted'}>{label}</p>
      <p className={isOurs ? 'reckon__fig reckon__fig--us' : 'reckon__fig'}>
        {formatCents(income.calculateNet(percent))}
      </p>
      <i className={isOurs ? 'reckon__bar reckon__bar--us' : 'reckon__bar'} style={{ width: `${100 - percent}%` }} />
    </div>
  );
}

function IncomeResult({
  inputs,
  income,
  terms,
}: {
  inputs: IncomeInputs;
  income: IncomeEstimate;
  terms: PlatformTermsView;
}) {
  const { generalFee } = terms;
  const offer = findNewCreatorOffer(terms);
  const fee = offer?.fee ?? generalFee;
  const equalPlatforms = OTHER_PLATFORMS.filter(({ percent }) => percent === generalFee).map(({ name }) => name);
  return (
    <div className="reckon__out" aria-live="polite">
      <div className="reckon__pairs">
        <Bar
          isOurs
          label={`You keep here, ${offer ? `first ${offer.days} days, ` : ''}at ${fee}%`}
          income={income}
          percent={fee}
        />
        {OTHER_PLATFORMS.map(({ name, percent, conditions }) => (
          <Bar
            key={name}
            label={`${name} leaves you, at ${percent}%${conditions && ` (${conditions})`}`}
            income={income}
            percent={percent}
          />
        ))}
      </div>
      <PriceSummary
        items={[
          {
            name: `${formatCount(income.followers, 'follower')}, ${inputs.share}% pay`,
            value: formatCount(income.fans, 'fan'),
          },
          { name: 'Total paid by fans', value: formatCents(income.grossCents) },
          { name: `Platform fee, ${fee}%`, value: formatCents(income.calculateNet(fee) - income.grossCents) },
        ]}
        total={{ name: 'You keep', value: formatCents(income.calculateNet(fee)) }}
      />
      <p className="max-w-[60ch] text-small text-muted">
        {offer ? `From day ${offer.days + 1} our` : 'Our'} fee is {generalFee}%, and you keep{' '}
        <span className="num">{formatCents(income.calculateNet(generalFee))}</span>
        {equalPlatforms.length > 0 && `: the same as at ${equalPlatforms.join(' and ')}`}. No setup fee, no monthly fee.
        Other platforms’ fees are as published in {FEES_CHECKED_IN} (
        {OTHER_PLATFORMS.map(({ source }) => source).join(', ')}) and may have changed.
      </p>
    </div>
  );
}

export function IncomeCalculator({ inputs: initialInputs, terms }: { inputs: IncomeInputs; terms: PlatformTermsView }) {
  const [inputs, setInputs] = useState(initialInputs);
  const { income, errors = {} } = calculateIncome(inputs);
  const field = (name: keyof IncomeInputs, label: string, more: { prefix?: string; hint?: string } = {}) => (
    <TextField
      label={label}
      name={name}
      inputMode={name === 'followers' ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={10}
      value={inputs[name]}
      error={errors[name]}
      onChange={(event) => setInputs({ ...inputs, [name]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <div className="reckon">
      <form className="reckon__ask" method="get" action={`${PUBLIC_PATHS.becomeCreator}#sum`}>
        <h2 className="display d2" id="sum-title">
          Calculate your earnings
        </h2>
        <p className="text-muted">Estimate one month with your own numbers.</p>
        <div className="reckon__fields">
          {field('followers', 'Your followers')}
          {field('share', '% who pay')}
          {field('spend', 'Average spend per fan', { prefix: '$' })}
        </div>
        <Button type="submit" className="justify-self-start">
          Calculate
        </Button>
      </form>
      {income && <IncomeResult inputs={inputs} income={income} terms={terms} />}
    </div>
  );
}
