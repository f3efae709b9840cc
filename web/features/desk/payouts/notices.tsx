/** PayPal webhooks about payouts that need a manual decision. */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { payoutCasePath } from '@stagedoor/contract/desk-addresses.ts';
import {
  decidePayoutNotice,
  listPayoutNotices,
  type NOTICE_DECISIONS,
  type NOTICE_STATES,
} from '@stagedoor/contract/payout-desk.ts';
import { isolated } from '../../../kernel/bidi.ts';
import { formatDayTime, formatExact, plural } from '../../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import type { Act } from '../../../ui/case.tsx';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';

type Notice = ResponseOf<typeof listPayoutNotices>['data'][number];
type NoticeState = (typeof NOTICE_STATES)[number];
type Decision = (typeof NOTICE_DECISIONS)[number];

export const NOTICE_LISTS: Readonly<Record<NoticeState, string>> = {
  quarantined: 'To decide',
  booked: 'Processed',
  dismissed: 'Ignored',
  ignored: 'No action needed',
  received: 'Received',
};

export const noticesQuery = (state: NoticeState) =>
  apiInfiniteQuery(listPayoutNotices, { query: { state, limit: 30 } });

const ACTS: Readonly<Record<Decision, Act<Decision>>> = {
  retry: {
    value: 'retry',
    words: 'Reprocess',
    letter: 'T',
    button: 'Reprocess',
    note: 'Checks with PayPal again and records its answer.',
  },
  dismiss: { value: 'dismiss', words: 'Ignore', letter: 'L', button: 'Ignore' },
};

/** Converts `PAYMENT.PAYOUTS-ITEM.RETURNED` to `Payout returned`. */
function titleOf(eventType: string): string {
  const [, about, what] = /^PAYMENT\.PAYOUTS(-ITEM|BATCH)\.([A-Z]+)$/.exec(eventType) ?? [];
  if (what === undefined) return eventType;
  return `${about === 'BATCH' ? 'Batch' : 'Payout'} ${what.toLowerCase()}`;
}

function factsOf({ id, eventType, receivedAt, receivedCount, batchRef, itemRef, payout }: Notice): Fact[] {
  const whole = (text: string) => <span className="wrap-anywhere">{text}</span>;
  return [
    {
      name: 'Received',
      value: `${formatExact(receivedAt)}${receivedCount > 1 ? `, ${plural(receivedCount, 'time')} in total` : ''}`,
    },
    { name: 'Event', value: whole(`${eventType}, ${id}`) },
    ...(batchRef === null ? [] : [{ name: 'PayPal’s batch', value: whole(batchRef) }]),
    ...(itemRef === null ? [] : [{ name: 'PayPal’s item', value: whole(itemRef) }]),
    {
      name: 'Payout',
      value:
        payout === null ? (
          'No matching payout'
        ) : (
          <>
            <UiLink href={payoutCasePath(payout.id)} className="underline underline-offset-4">
              {payout.number}
            </UiLink>
            , {isolated(payout.person.name)}, @{payout.person.username}
          </>
        ),
    },
  ];
}

function Decide({ notice }: { notice: Notice }) {
  const decide = useDeskAct(decidePayoutNotice, {
    forget: [listPayoutNotices],
    done: ({ state }) => (state === 'dismissed' ? 'Ignored.' : 'Reprocessing.'),
  });
  return (
    <EntryActs
      acts={decide.may ? [ACTS.retry, ACTS.dismiss] : []}
      legend="Decide"
      ground={groundFor('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onAct={(decision, ground) => decide.send({ params: { id: notice.id }, body: { decision, ground } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function NoticeRows({ notices, now }: { notices: readonly Notice[]; now: string }) {
  return (
    <Entries label="PayPal events">
      {notices.map((notice) => {
        const { id, eventType, receivedAt, reason, state, payout, decisions } = notice;
        return (
          <Entry
            key={id}
            lead={<Glyph icon="wallet" />}
            title={titleOf(eventType)}
            sub={[formatDayTime(receivedAt, now), payout && isolated(payout.person.name)].filter(Boolean).join(' · ')}
            amount={payout === null ? '–' : formatUsd(payout.net)}
            word={NOTICE_LISTS[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere first-letter:uppercase">{reason}</p>}
            <FactList facts={factsOf(notice)} />
            <Said
              title="Previous decisions"
              lines={decisions.map(({ decision, decidedAt, operator, ground }) => ({
                key: decidedAt + decision,
                words: ACTS[decision].words,
                operator,
                ground,
                more: formatExact(decidedAt),
              }))}
            />
            {state === 'quarantined' && <Decide notice={notice} />}
          </Entry>
        );
      })}
    </Entries>
  );
}
