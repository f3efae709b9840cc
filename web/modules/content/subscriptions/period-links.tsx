import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { cx } from '../../../ui/class-names.ts';
import { findSaving, formatPeriodName, listPeriods, toPeriodKey } from './billing.ts';
import { ChoiceLink, type ChoiceProps } from './choice-link.tsx';
import { choosePlanHref } from './plan-choice.ts';
import * as texts from './texts.ts';

/** On a phone this many periods wrap to rows of two or three. */
const BASIS: Readonly<Record<number, string>> = { 4: 'basis-[40%]', 5: 'basis-[30%]', 6: 'basis-[30%]' };

export function PeriodLinks({ creator, tiers, chosen, period, offer, onChoose }: ChoiceProps) {
  const periods = listPeriods(tiers);
  if (periods.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container in all supported browsers
    <div
      role="group"
      aria-label={texts.billingPeriod}
      className="flex flex-wrap gap-px overflow-hidden rounded-1 border border-line-strong bg-line-strong lg:flex-nowrap"
    >
      {periods.map((each) => {
        const key = toPeriodKey(each);
        const own = chosen.options.find((option) => toPeriodKey(option) === key);
        const offering = own
          ? chosen
          : tiers.find(({ options }) => options.some((option) => toPeriodKey(option) === key));
        const saving = own && findSaving(own, chosen.options);
        const isCurrent = key === period;
        const choice = { tierId: (offering ?? chosen).id, period: key };
        return (
          <ChoiceLink
            key={key}
            choice={choice}
            href={choosePlanHref(profilePath(creator.username), choice, offer?.code)}
            isCurrent={isCurrent}
            onChoose={onChoose}
            className={cx(
              'flex min-h-12 flex-1 items-center justify-center px-1 py-1 text-center text-note font-semibold lg:basis-auto lg:px-5',
              BASIS[periods.length],
              'focus-visible:-outline-offset-4',
              isCurrent ? 'bg-ink text-surface-0 focus-visible:outline-surface-0' : 'bg-surface-0 hover:bg-surface-1',
            )}
          >
            <span className="num flex flex-wrap justify-center gap-x-1 whitespace-normal lg:flex-nowrap lg:gap-x-1.5 lg:whitespace-nowrap">
              {formatPeriodName(each)}
              {saving && (
                <span className={cx('font-medium', !isCurrent && 'text-muted')}>
                  {formatText(texts.percentSaved, { percent: saving.percent })}
                </span>
              )}
            </span>
          </ChoiceLink>
        );
      })}
    </div>
  );
}
