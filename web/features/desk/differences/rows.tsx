import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import {
  ALARMED,
  type Comparison,
  type DIFFERENCE_STATES,
  explainDifference,
  listDifferences,
} from '@stagedoor/contract/differences.ts';
import { formatDayTime, formatExact, withinSentence } from '../../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';

type Difference = ResponseOf<typeof listDifferences>['data'][number];
type DifferenceState = (typeof DIFFERENCE_STATES)[number];

export const DIFFERENCE_LISTS: Readonly<Record<DifferenceState, string>> = {
  open: 'Open',
  explained: 'Explained',
  resolved: 'Resolved',
};
const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  sums: 'Ledger balances',
  orders: 'Orders and ledger',
  processor: 'Processor export',
  log: 'Transparency log',
};

export const differencesQuery = (state: DifferenceState) =>
  apiInfiniteQuery(listDifferences, { query: { state, limit: 30 } });

const usdOr = (usd: number | null) => (usd === null ? 'None' : formatUsd(usd));

function Explain({ difference }: { difference: Difference }) {
  const explain = useDeskAct(explainDifference, { forget: [listDifferences], done: () => 'Explained.' });
  if (!explain.may) return null;
  return (
    <EntryActs
      acts={[
        {
          value: 'explain',
          words: 'Explain',
          letter: 'X',
          button: 'Explain',
          note: 'Reopens if it changes.',
        },
      ]}
      legend="Decide"
      ground={groundFor('Explanation', 'Internal note.')}
      busy={explain.isPending}
      error={explain.error}
      onAct={(_, ground) => explain.send({ params: { id: difference.id }, body: { ground } })}
    />
  );
}

/** These differences cannot be explained away, because that would hide a broken ledger. */
const isAlarm = (comparison: Comparison) => ALARMED.some((one) => one === comparison);
const Alarmed = () => (
  <p className="max-w-120 pt-5 text-small">
    This stops payouts. Once a new check passes, resolve{' '}
    <UiLink href={DESK_PATHS.adminAlarms} className="underline underline-offset-4">
      its alert
    </UiLink>
    .
  </p>
);

/** `now` is an ISO timestamp. */
export function DifferenceRows({ differences, now }: { differences: readonly Difference[]; now: string }) {
  return (
    <Entries label="Discrepancies">
      {differences.map((difference) => {
        const { id, words, comparison, key, theirs, ours, facts, state, openedAt, seenAt, aboutAt, explanations } =
          difference;
        return (
          <Entry
            key={id}
            lead={<Glyph icon="warning" />}
            title={words}
            sub={`${COMPARISON_WORDS[comparison]} · since ${withinSentence(formatDayTime(openedAt, now))}`}
            amount={
              theirs === null && ours === null
                ? '–'
                : formatUsd(Math.round(((ours ?? 0) - (theirs ?? 0)) * 100) / 100, { sign: true })
            }
            word={DIFFERENCE_LISTS[state]}
          >
            <FactList
              facts={[
                { name: 'Item', value: <span className="wrap-anywhere">{key}</span> },
                ...(aboutAt === null ? [] : [{ name: 'Date', value: formatExact(aboutAt) }]),
                { name: 'External amount', value: usdOr(theirs) },
                { name: 'Our amount', value: usdOr(ours) },
                { name: 'Last seen', value: formatExact(seenAt) },
                ...Object.entries(facts).map(([name, value]) => ({
                  name: name.charAt(0).toUpperCase() + name.slice(1),
                  value: <span className="wrap-anywhere">{value}</span>,
                })),
              ]}
            />
            <Said
              title="Previous explanations"
              lines={explanations.map(({ ground, explainedAt, operator }) => ({
                key: explainedAt,
                words: formatExact(explainedAt),
                operator,
                ground,
              }))}
            />
            {state === 'open' && (isAlarm(comparison) ? <Alarmed /> : <Explain difference={difference} />)}
          </Entry>
        );
      })}
    </Entries>
  );
}
