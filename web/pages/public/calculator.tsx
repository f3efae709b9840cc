import { findNewCreatorOffer, type getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useState } from 'react';
import { formatCount } from '../../platform/dates.ts';
import { Button } from '../../ui/button.tsx';
import { PriceSummary } from '../../ui/definition-list.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { calculateIncome, type IncomeEstimate, type IncomeInputs } from './calculate-income.ts';
import { FEES_CHECKED_IN, OTHER_PLATFORMS } from './other-platforms.ts';
import * as texts from './texts.ts';

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
          label={formatText(texts.incomeHere, {
            period: offer ? formatText(texts.newCreatorPeriod, { days: offer.days }) : '',
            fee,
          })}
          income={income}
          percent={fee}
        />
        {OTHER_PLATFORMS.map(({ name, percent, conditions }) => (
          <Bar
            key={name}
            label={formatText(texts.otherPlatformIncome, {
              platform: name,
              percent,
              conditions: conditions && ` (${conditions})`,
            })}
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
          { name: texts.totalPaidByFans, value: formatCents(income.grossCents) },
          { name: `Platform fee, ${fee}%`, value: formatCents(income.calculateNet(fee) - income.grossCents) },
        ]}
        total={{ name: texts.yourShare, value: formatCents(income.calculateNet(fee)) }}
      />
      <p className="max-w-[60ch] text-small text-muted">
        {formatNodes(texts.feeComparison, {
          opening: offer ? formatText(texts.feeFromDay, { day: offer.days + 1 }) : texts.feeFromStart,
          generalFee,
          netIncome: <span className="num">{formatCents(income.calculateNet(generalFee))}</span>,
          comparison:
            equalPlatforms.length > 0 && formatText(texts.samePlatforms, { platforms: equalPlatforms.join(' and ') }),
          checkedMonth: FEES_CHECKED_IN,
          sources: OTHER_PLATFORMS.map(({ source }) => source).join(', '),
        })}
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
          {texts.calculateYourEarnings}
        </h2>
        <p className="text-muted">{texts.calculatorLead}</p>
        <div className="reckon__fields">
          {field('followers', texts.yourFollowers)}
          {field('share', texts.payingFansPercent)}
          {field('spend', texts.averageSpendPerFan, { prefix: '$' })}
        </div>
        <Button type="submit" className="justify-self-start">
          {texts.calculate}
        </Button>
      </form>
      {income && <IncomeResult inputs={inputs} income={income} terms={terms} />}
    </div>
  );
}
