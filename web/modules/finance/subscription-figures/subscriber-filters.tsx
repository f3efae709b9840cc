import {
  SUBSCRIBER_FILTERS,
  SUBSCRIBER_SORTS,
  type SubscriberFilter,
  type SubscriberSort,
} from '@stagedoor/contract/finance/subscription-figures.ts';
import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import { broadcastPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { ChipLink, Chips } from '../../../ui/chips.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { CsvButton } from './csv-button.tsx';
import type { SubscriberFilters } from './filters.ts';
import * as texts from './texts.ts';

const FILTER_LABELS: Readonly<Record<SubscriberFilter, string>> = {
  all: texts.all,
  new: texts.newSubscribers,
  trial: texts.trials,
  pastDue: texts.pastDue,
  canceled: texts.canceled,
  ended: texts.ended,
};
/** The group of a broadcast that a filter shows. */
const BROADCAST_GROUPS: Readonly<Record<SubscriberFilter, BroadcastAudience>> = {
  all: 'subscribers',
  new: 'newSubscribers',
  trial: 'trials',
  pastDue: 'pastDue',
  canceled: 'expiring',
  ended: 'ended',
};
/** The sum of a filter counts trials and canceled subscriptions. The monthly recurring revenue does not. */
const WORTH_TEXTS: Readonly<Partial<Record<SubscriberFilter, string>>> = {
  all: texts.worthWithUncertain,
  new: texts.worthWithUncertain,
  canceled: texts.wereWorth,
  ended: texts.wereWorth,
};
const SORT_LABELS: Readonly<Record<SubscriberSort, string>> = {
  renewal: texts.byRenewal,
  paid: texts.byPaid,
  since: texts.bySince,
};

export function SubscriberFilterBar({
  filters,
  counts,
  perMonth,
  canMessage,
  toFilter,
  onSort,
}: {
  filters: SubscriberFilters;
  counts: Readonly<Record<SubscriberFilter, number>>;
  perMonth: number;
  /** Whether the viewer may send broadcasts. */
  canMessage: boolean;
  toFilter: (filter: SubscriberFilter) => string;
  onSort: (sort: string) => void;
}) {
  const { filter, sort } = filters;
  const group = canMessage && counts[filter] > 0 ? BROADCAST_GROUPS[filter] : undefined;
  return (
    <>
      <Chips label={texts.filterLabel}>
        {SUBSCRIBER_FILTERS.map((each) => (
          <ChipLink key={each} href={toFilter(each)} current={each === filter}>
            {FILTER_LABELS[each]}
            <span className="num">{counts[each].toLocaleString('en-US')}</span>
          </ChipLink>
        ))}
      </Chips>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-3 border-t border-text pt-3">
        <p role="status">
          <b className="num block font-semibold">{formatCount(counts[filter], texts.subscriberWithin)}</b>
          <span className="num text-small whitespace-normal! text-muted">
            {perMonth > 0
              ? formatText(WORTH_TEXTS[filter] ?? texts.worth, { amount: formatUsd(perMonth) })
              : texts.worthNothing}
          </span>
        </p>
        <div className="flex flex-wrap items-center gap-2">
          {group && (
            <Button icon="chat" href={broadcastPath(group)}>
              {texts.message}
            </Button>
          )}
          <SelectField
            className="[&>label]:sr-only"
            label={texts.sortBy}
            value={sort}
            options={SUBSCRIBER_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
            onChange={(event) => onSort(event.currentTarget.value)}
          />
          <CsvButton filter={filter} />
        </div>
      </div>
    </>
  );
}
