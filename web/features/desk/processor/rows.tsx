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
  refunding: 'Refund in progress',
  waiting: 'Waiting for sale',
  processed: 'Processed',
  won: 'Chargeback reversed',
  refunded: 'Refunded',
  dismissed: 'Ignored',
  ignored: 'No action needed',
  received: 'Received',
};

export const eventsQuery = (state: EventState) =>
  apiInfiniteQuery(listProcessorEvents, { query: { state, limit: 30 } });

const ACTS: Readonly<Record<Decision, Act<Decision>>> = {
  retry: { value: 'retry', words: 'Reprocess', letter: 'T', button: 'Reprocess' },
  dismiss: { value: 'dismiss', words: 'Ignore', letter: 'L', button: 'Ignore' },
  refund: {
    value: 'refund',
    words: 'Refund',
    letter: 'G',
    button: 'Refund',
    note: 'Sends one refund request. The payer gets an email when it’s done.',
  },
  refunded: {
    value: 'refunded',
    words: 'Refunded',
    letter: 'Y',
    button: 'Mark as refunded',
    note: 'Check the processor’s dashboard first. The payer gets an email.',
  },
  notRefunded: {
    value: 'notRefunded',
    words: 'Not refunded',
    letter: 'N',
    button: 'Mark as not refunded',
    note: 'Check the processor’s dashboard first. The event goes back to review.',
  },
  won: {
    value: 'won',
    words: 'Chargeback reversed',
    letter: 'W',
    button: 'Mark as reversed',
    note: 'The processor returned the money to us. The fan gets it back, and an email.',
  },
  notWon: {
    value: 'notWon',
    words: 'Chargeback reinstated',
    letter: 'N',
    button: 'Mark as reinstated',
    note: 'The amount returned to the fan is reversed, and they get an email.',
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
      name: 'Received',
      value: `${formatExact(receivedAt)}${receivedCount > 1 ? `, ${plural(receivedCount, 'time')} in total` : ''}`,
    },
    ...(transactionId === null ? [] : [{ name: 'Transaction', value: transactionId }]),
    ...(subscriptionId === null ? [] : [{ name: 'Sale', value: subscriptionId }]),
    ...(card === null ? [] : [{ name: 'Card', value: card }]),
    ...(order === null
      ? [{ name: 'Order', value: 'No matching order' }]
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
      waits === null ? `Decided: ${EVENT_STATES[state].toLowerCase()}.` : 'Awaiting second approval.',
  });
  return (
    <EntryActs
      acts={decide.may ? decisionsOf(event).map((decision) => ACTS[decision]) : []}
      legend="Decide"
      ground={groundFor('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onAct={(decision, ground) => decide.send({ params: { id: event.id }, body: { decision, ground } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function EventRows({ events, now }: { events: readonly ProcessorEvent[]; now: string }) {
  return (
    <Entries label="Payment events">
      {events.map((event) => {
        const { id, eventType, receivedAt, reason, amount, state, order, decisions, waits } = event;
        return (
          <Entry
            key={id}
            lead={<Glyph icon="card" />}
            title={eventType ?? 'Unknown event type'}
            sub={[formatDayTime(receivedAt, now), order && isolated(order.fan.name)].filter(Boolean).join(' · ')}
            amount={amount === null ? '–' : formatUsd(amount)}
            word={EVENT_STATES[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere">{reason}</p>}
            <FactList facts={factsOf(event)} />
            <Said
              title="Previous decisions"
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
