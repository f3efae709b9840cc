import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { type houseTerms, offerOf } from '@stagedoor/contract/policies.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { useState } from 'react';
import { plural } from '../../kernel/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Sum } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { ELSEWHERE, LOOKED_UP } from './elsewhere.ts';
import { type Asked, type Reckoned, reckon } from './reckon.ts';

export type HouseTerms = ResponseOf<typeof houseTerms>;

function Bar({ words, sum, percent, isOurs }: { words: string; sum: Reckoned; percent: number; isOurs?: boolean }) {
  return (
    <div>
      <p className={isOurs ? 'text-small' : 'text-small text-muted'}>{words}</p>
      <p className={isOurs ? 'reckon__fig reckon__fig--us' : 'reckon__fig'}>{formatCents(sum.leaves(percent))}</p>
      <i className={isOurs ? 'reckon__bar reckon__bar--us' : 'reckon__bar'} style={{ width: `${100 - percent}%` }} />
    </div>
  );
}

function Outcome({ asked, sum, terms }: { asked: Asked; sum: Reckoned; terms: HouseTerms }) {
  const { generalFee } = terms;
  const offer = offerOf(terms);
  const fee = offer?.fee ?? generalFee;
  const same = ELSEWHERE.filter(({ percent }) => percent === generalFee).map(({ name }) => name);
  return (
    <div className="reckon__out" aria-live="polite">
      <div className="reckon__pairs">
        <Bar
          isOurs
          words={`You keep here, ${offer ? `first ${offer.days} days, ` : ''}at ${fee}%`}
          sum={sum}
          percent={fee}
        />
        {ELSEWHERE.map(({ name, percent, besides }) => (
          <Bar
            key={name}
            words={`${name} leaves you, at ${percent}%${besides && ` (${besides})`}`}
            sum={sum}
            percent={percent}
          />
        ))}
      </div>
      <Sum
        lines={[
          { name: `${plural(sum.followers, 'follower')}, ${asked.share}% pay`, value: plural(sum.fans, 'fan') },
          { name: 'Total paid by fans', value: formatCents(sum.grossCents) },
          { name: `Platform fee, ${fee}%`, value: formatCents(sum.leaves(fee) - sum.grossCents) },
        ]}
        total={{ name: 'You keep', value: formatCents(sum.leaves(fee)) }}
      />
      <p className="max-w-[60ch] text-small text-muted">
        {offer ? `From day ${offer.days + 1} our` : 'Our'} fee is {generalFee}%, and you keep{' '}
        <span className="num">{formatCents(sum.leaves(generalFee))}</span>
        {same.length > 0 && `: the same as at ${same.join(' and ')}`}. No setup fee, no monthly fee. Other platforms’
        fees are as published in {LOOKED_UP} ({ELSEWHERE.map(({ source }) => source).join(', ')}) and may have changed.
      </p>
    </div>
  );
}

export function HouseCalculator({ asked: begun, terms }: { asked: Asked; terms: HouseTerms }) {
  const [asked, setAsked] = useState(begun);
  const { sum, complaints = {} } = reckon(asked);
  const field = (name: keyof Asked, label: string, more: { prefix?: string; hint?: string } = {}) => (
    <TextField
      label={label}
      name={name}
      inputMode={name === 'followers' ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={10}
      value={asked[name]}
      error={complaints[name]}
      onChange={(event) => setAsked({ ...asked, [name]: event.currentTarget.value })}
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
      {sum && <Outcome asked={asked} sum={sum} terms={terms} />}
    </div>
  );
}
