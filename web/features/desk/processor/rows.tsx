import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import {
  decideProcessorEvent,
  listProcessorEvents,
  type PROCESSOR_DECISIONS,
  type PROCESSOR_EVENT_STATES,
} from '@stagedoor/contract/processor-desk.ts';
import { isolated } from '../../../kernel/bidi.ts';
import { formatDayTime, formatExact, plural } from '../../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import type { Act } from '../../../ui/case.tsx';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';
import { WaitsForTwo } from '../money-acts/waits.tsx';

type ProcessorEvent = ResponseOf<typeof listProcessorEvents>['data'][number];
type EventState = (typeof PROCESSOR_EVENT_STATES)[number];
type Decision = (typeof PROCESSOR_DECISIONS)[number];

export const EVENT_STATES: Readonly<Record<EventState, string>> = {
  quarantined: 'To decide',
  refunding: 'Refund under way',
  waiting: 'Waits for its sale',
  processed: 'Worked on',
  won: 'Chargeback withdrawn',
  refunded: 'Given back',
  dismissed: 'Left as it is',
  ignored: 'Nothing to do',
  received: 'Just told',
};

export const eventsQuery = (state: EventState) =>
  apiInfiniteQuery(listProcessorEvents, { query: { state, limit: 30 } });

const ACTS: Readonly<Record<Decision, Act<Decision>>> = {
  retry: { value: 'retry', words: 'Work on it again', letter: 'T', button: 'Work on it again' },
  dismiss: { value: 'dismiss', words: 'Leave it as it is', letter: 'L', button: 'Leave it as it is' },
  refund: {
    value: 'refund',
    words: 'Give the money back',
    letter: 'G',
    button: 'Give the money back',
    note: 'The processor is asked once. Its payer gets a mail when it is done.',
  },
  refunded: {
    value: 'refunded',
    words: 'It was given back',
    letter: 'Y',
    button: 'Note that it was given back',
    note: 'Look at the processor’s own site first. Its payer gets a mail.',
  },
  notRefunded: {
    value: 'notRefunded',
    words: 'It was not given back',
    letter: 'N',
    button: 'Note that it was not given back',
    note: 'Look at the processor’s own site first. It is to be decided again.',
  },
  won: {
    value: 'won',
    words: 'The chargeback was withdrawn',
    letter: 'W',
    button: 'Note that it was withdrawn',
    note: 'The processor has given the money back to us: its fan gets it again, and a mail.',
  },
  notWon: {
    value: 'notWon',
    words: 'It was not withdrawn after all',
    letter: 'N',
    button: 'Take that back',
    note: 'What the fan got again is taken back, and they get a mail.',
  },
};

function decisionsOf({ state, eventType, waits }: ProcessorEvent): readonly Decision[] {
  if (waits !== null) return [];
  if (state === 'quarantined') return ['retry', 'dismiss', 'refund'];
  if (state === 'refunding') return ['refunded', 'notRefunded'];
  if (state === 'processed' && eventType === 'Chargeback') return ['won'];
  return state === 'won' ? ['notWon'] : [];
}

function factsOf({ receivedAt, receivedCount, transactionId, subscriptionId, card, order }: ProcessorEvent): Fact[] {
  return [
    {
      name: 'Told',
      value: `${formatExact(receivedAt)}${receivedCount > 1 ? `, ${plural(receivedCount, 'time')} in all` : ''}`,
    },
    ...(transactionId === null ? [] : [{ name: 'Transaction', value: transactionId }]),
    ...(subscriptionId === null ? [] : [{ name: 'Sale', value: subscriptionId }]),
    ...(card === null ? [] : [{ name: 'Card', value: card }]),
    ...(order === null
      ? [{ name: 'Order', value: 'It names none of ours' }]
      : [
          { name: 'Order', value: `${formatUsd(order.paid)}, ${order.status}` },
          { name: 'Fan', value: `${isolated(order.fan.name)}, @${order.fan.username}` },
        ]),
  ];
}

function Decide({ event }: { event: ProcessorEvent }) {
  const decide = useDeskAct(decideProcessorEvent, {
    forget: [listProcessorEvents],
    done: ({ state, waits }) =>
      waits === null ? `Decided: ${EVENT_STATES[state].toLowerCase()}.` : 'It waits for a second operator.',
  });
  return (
    <EntryActs
      acts={decide.may ? decisionsOf(event).map((decision) => ACTS[decision]) : []}
      legend="Decide"
      ground={groundFor('Why', 'Operators read it.')}
      busy={decide.isPending}
      error={decide.error}
      onAct={(decision, ground) => decide.send({ params: { id: event.id }, body: { decision, ground } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function EventRows({ events, now }: { events: readonly ProcessorEvent[]; now: string }) {
  return (
    <Entries label="What the processor told">
      {events.map((event) => {
        const { id, eventType, receivedAt, reason, amount, state, order, decisions, waits } = event;
        return (
          <Entry
            key={id}
            lead={<Glyph icon="card" />}
            title={eventType ?? 'Of no kind that is known'}
            sub={[formatDayTime(receivedAt, now), order && isolated(order.fan.name)].filter(Boolean).join(' · ')}
            amount={amount === null ? '–' : formatUsd(amount)}
            word={EVENT_STATES[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere">{reason}</p>}
            <FactList facts={factsOf(event)} />
            <Said
              title="Decided before"
              lines={decisions.map(({ decision, decidedAt, operator, ground, detail }) => ({
                key: decidedAt + decision,
                words: ACTS[decision].words,
                operator,
                ground,
                more: [formatExact(decidedAt), detail].filter(Boolean).join('. '),
              }))}
            />
            {waits && (
              <div className="pt-4">
                <WaitsForTwo act={waits} />
              </div>
            )}
            <Decide key={`${state} ${waits?.id}`} event={event} />
          </Entry>
        );
      })}
    </Entries>
  );
}
