/** The lines of what a tier includes: typed, added, removed, and moved with buttons. */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SUBSCRIPTION_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import * as texts from './texts.ts';
import { type BenefitDraft, moveItem } from './tier-draft.ts';
import type { FieldErrors } from './use-draft.ts';

export function BenefitFields({
  benefits,
  errors,
  onChange,
}: {
  benefits: readonly BenefitDraft[];
  errors: FieldErrors;
  onChange: (benefits: BenefitDraft[]) => void;
}) {
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const addedKey = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (addedKey.current === undefined) return;
    list.current?.querySelector<HTMLInputElement>(`[data-benefit="${addedKey.current}"]`)?.focus();
    addedKey.current = undefined;
  });
  const add = () => {
    const key = String(Math.max(-1, ...benefits.map((each) => Number(each.key))) + 1);
    addedKey.current = key;
    onChange([...benefits, { key, text: '' }]);
  };
  const move = (from: number, to: number) => {
    onChange(moveItem(benefits, from, to));
    setAnnouncement(formatText(texts.benefitMoved, { number: to + 1, count: benefits.length }));
  };
  return (
    <fieldset className="min-w-0">
      <legend className="field__label pb-2">{texts.included}</legend>
      <ol ref={list} className="grid gap-2">
        {benefits.map(({ key, text }, index) => {
          const number = index + 1;
          return (
            <li key={key} className="flex items-start gap-1">
              <TextField
                className="min-w-0 flex-1 [&>label]:sr-only"
                label={formatText(texts.benefit, { number })}
                data-benefit={key}
                value={text}
                error={errors[`benefits.${index}`]}
                onChange={(event) =>
                  onChange(benefits.map((each) => (each.key === key ? { key, text: event.currentTarget.value } : each)))
                }
              />
              <IconButton
                icon="chevron-up"
                label={formatText(texts.moveBenefitUp, { number })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="chevron-down"
                label={formatText(texts.moveBenefitDown, { number })}
                disabled={index === benefits.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={formatText(texts.removeBenefit, { number })}
                onClick={() => onChange(benefits.filter((each) => each.key !== key))}
              />
            </li>
          );
        })}
      </ol>
      {benefits.length < SUBSCRIPTION_LIMITS.benefits && (
        <Button variant="quiet" icon="plus" className="-ml-3 mt-1" onClick={add}>
          {texts.addBenefit}
        </Button>
      )}
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </fieldset>
  );
}
