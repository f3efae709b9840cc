import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { listDeskCalls, stopCall } from '@stagedoor/contract/calls-desk.ts';
import { callDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { isolated } from '../../../kernel/bidi.ts';
import { formatDayTime, formatDuration, formatExact } from '../../../kernel/dates.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs, Said } from '../entry-acts.tsx';

type DeskCall = ResponseOf<typeof listDeskCalls>['data'][number];
export const CALL_LISTS = { open: 'Ongoing', stopped: 'Ended by staff' } as const;
type CallList = keyof typeof CALL_LISTS;

const EVERY_MS = 15_000;
export const callsQuery = (state: CallList) => ({
  ...apiInfiniteQuery(listDeskCalls, { query: { state, limit: 30 } }),
  ...(state === 'open' && { refetchInterval: whileAttended(EVERY_MS) }),
});

function wordOf({ isRunning, answeredAt, endedAt }: DeskCall): string {
  if (endedAt !== null) return 'Ended';
  if (isRunning) return 'Connected';
  return answeredAt === null ? 'Ringing' : 'Not connected';
}

function End({ call }: { call: DeskCall }) {
  const end = useDeskAct(stopCall, { forget: [listDeskCalls], done: () => 'Call ended. Both sides were notified.' });
  if (!end.may) return null;
  return (
    <EntryActs
      acts={[
        {
          value: 'end',
          words: 'End call',
          letter: 'E',
          button: 'End call',
          note: 'Both sides are notified. The call is charged up to now.',
        },
      ]}
      legend="Decide"
      ground={groundFor('Reason', 'Internal note.')}
      busy={end.isPending}
      error={end.error}
      onAct={(_, ground) => end.send({ params: { id: call.callLogId }, body: { ground } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function CallRows({ calls, now }: { calls: readonly DeskCall[]; now: string }) {
  return (
    <Entries label="Calls">
      {calls.map((call) => {
        const { callLogId, kind, fan, creator, createdAt, durationSeconds, amountPerMinute, held, amount, stopped } =
          call;
        return (
          <Entry
            key={callLogId}
            lead={<Glyph icon={kind === 'video' ? 'video' : 'phone'} />}
            title={`${isolated(fan.name)} with ${isolated(creator.name)}`}
            sub={`${formatDayTime(createdAt, now)} · ${formatDuration(durationSeconds)}`}
            amount={formatUsd(amount)}
            word={wordOf(call)}
          >
            <FactList
              facts={[
                { name: 'Fan', value: `@${fan.username}` },
                { name: 'Creator', value: `@${creator.username}` },
                { name: 'Called', value: formatExact(createdAt) },
                { name: 'Connected for', value: formatDuration(durationSeconds) },
                { name: 'Price', value: `${formatUsd(amountPerMinute)} a minute` },
                { name: 'On hold', value: formatUsd(held) },
                { name: call.endedAt === null ? 'Charged if it ended now' : 'Charged', value: formatUsd(amount) },
              ]}
            />
            <p className="pt-4">
              <UiLink href={callDeskPath(callLogId)} className="underline underline-offset-4">
                View call
              </UiLink>
            </p>
            {stopped && <Said title="Reason" lines={[{ key: 'end', words: 'Ended', ...stopped }]} />}
            {call.endedAt === null && <End call={call} />}
          </Entry>
        );
      })}
    </Entries>
  );
}
