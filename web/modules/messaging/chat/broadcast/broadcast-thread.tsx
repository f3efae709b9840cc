import { type Broadcast, rescheduleBroadcast, unsendBroadcast } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/choice.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { SelectField } from '../../../../ui/field.tsx';
import { LocalTimeField } from '../../../../ui/local-time-field.tsx';
import { getOwnZone, useOwnZone } from '../../../../ui/own-zone.ts';
import { Rows } from '../../../../ui/rows.tsx';
import { ErrorState } from '../../../../ui/states.tsx';
import { parseWallTime } from '../../../../ui/zoned-time.ts';
import { threadQuery } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { type ComposedMessage, MessageComposer } from '../composer/composer.tsx';
import { subscribeToSent } from '../outbox/use-outbox.ts';
import { useSend } from '../outbox/use-send.ts';
import * as texts from '../texts.ts';
import { ThreadLog } from '../thread/thread-log.tsx';
import { ThreadSkeleton } from '../thread/thread-view.tsx';
import { formatScheduledTime, useCurrentMinute } from '../time-format.ts';
import { broadcastGroupsQuery, broadcastQuery, broadcastsQuery } from './queries.ts';
import type { BroadcastChoice } from './state.ts';

const STATS_POLL_MS = 5_000;

const AUDIENCE_LABELS = {
  chosen: texts.selectedChats,
  followers: texts.allFollowers,
  buyers: texts.pastBuyers,
  active: texts.activeInLast30Days,
  notBought: texts.followersWithoutUnlock,
} as const;
const AUDIENCES = ['chosen', 'followers', 'buyers', 'active', 'notBought'] as const;

function useRefreshBroadcasts(): () => void {
  const client = useQueryClient();
  return () => {
    for (const status of ['sent', 'scheduled'] as const)
      void client.invalidateQueries({ queryKey: broadcastsQuery(status).queryKey });
  };
}

function BroadcastStats({ id }: { id: string }) {
  const client = useQueryClient();
  // No event reports reads and purchases, so the numbers are polled while they are shown.
  const broadcast = useQuery({ ...broadcastQuery(id), refetchInterval: STATS_POLL_MS }).data;
  const refresh = useRefreshBroadcasts();
  const [isConfirming, setIsConfirming] = useState(false);
  const unsend = useApiMutation(unsendBroadcast, {
    onSuccess: (data) => {
      client.setQueryData(broadcastQuery(id).queryKey, data);
      refresh();
      setIsConfirming(false);
    },
  });
  if (!broadcast) return null;
  const { recipientCount, deliveredCount, readCount, purchasedCount, earned, status, message } = broadcast;
  const stats = [
    recipientCount === null
      ? texts.sending
      : formatText(texts.toFans, { fanCount: formatCount(recipientCount, 'fan') }),
    formatText(texts.deliveredStat, { deliveredCount: deliveredCount.toLocaleString('en-US') }),
    formatText(texts.readStat, { readCount: readCount.toLocaleString('en-US') }),
    ...(message.price > 0
      ? [
          formatText(texts.unlockedStat, { purchasedCount: purchasedCount.toLocaleString('en-US') }),
          formatText(texts.earnedStat, { amount: formatUsd(earned) }),
        ]
      : []),
  ];
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 pt-1 text-small text-muted">
      <span className="num whitespace-normal" data-broadcast={id}>
        {status === 'unsent'
          ? formatText(texts.deletedBroadcastStats, { stats: stats.slice(2).join(' · ') })
          : stats.join(' · ')}
      </span>
      {status === 'sent' && (
        <Button variant="quiet" onClick={() => setIsConfirming(true)}>
          {texts.deleteForEveryone}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        danger
        busy={unsend.isPending}
        title={texts.deleteForEveryoneQuestion}
        lead={texts.deleteForEveryoneConsequence}
        confirmText={texts.deleteForEveryone}
        onOpenChange={setIsConfirming}
        onConfirm={() => unsend.mutate({ params: { id } })}
      />
    </div>
  );
}

function ScheduledRow({ broadcast }: { broadcast: Broadcast }) {
  const { rendered } = useChatContext();
  const zone = useOwnZone();
  const now = useCurrentMinute(rendered);
  const refresh = useRefreshBroadcasts();
  const cancel = useApiMutation(unsendBroadcast, { onSuccess: refresh });
  const reschedule = useApiMutation(rescheduleBroadcast, { onSuccess: refresh });
  const { id, message, scheduledAt, audience } = broadcast;
  if (!scheduledAt) return null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 border-b border-line py-2">
      <span className="min-w-0 flex-[1_1_16rem]">
        <span className="one-line block font-semibold" dir="auto">
          {message.text || formatCount(message.media.length + message.documents.length + message.pendingMedia, 'file')}
        </span>
        <span className="num block whitespace-normal text-small text-muted">
          <time dateTime={scheduledAt}>{formatScheduledTime(scheduledAt, now, zone)}</time>
          {` · ${AUDIENCE_LABELS[audience]}`}
        </span>
      </span>
      <Button
        variant="quiet"
        busy={reschedule.isPending}
        busyText={texts.sending}
        onClick={() => reschedule.mutate({ params: { id }, body: { scheduledAt: null } })}
      >
        {texts.sendNow}
      </Button>
      <Button
        variant="quiet"
        busy={cancel.isPending}
        busyText={texts.canceling}
        onClick={() => cancel.mutate({ params: { id } })}
      >
        {texts.cancel}
      </Button>
    </li>
  );
}

function Scheduled() {
  const query = useQuery({ ...broadcastsQuery('scheduled'), staleTime: 0 });
  const scheduled = query.data?.data ?? [];
  if (scheduled.length === 0) return null;
  return (
    <section
      className="max-h-48 flex-none overflow-y-auto border-b border-line px-4 lg:px-6"
      aria-label={texts.scheduled}
    >
      <Rows label={texts.scheduledBroadcasts}>
        {scheduled.map((broadcast) => (
          <ScheduledRow key={broadcast.id} broadcast={broadcast} />
        ))}
      </Rows>
    </section>
  );
}

function Targets({ choice, mediaIds }: { choice: BroadcastChoice; mediaIds: readonly string[] }) {
  const groupCounts = useQuery({
    ...broadcastGroupsQuery(mediaIds),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  const groups = groupCounts.data?.data;
  const now = useCurrentMinute(useChatContext().rendered);
  const [isLater, setIsLater] = useState(choice.schedule !== '');
  const getCount = (audience: (typeof AUDIENCES)[number]) =>
    audience === 'chosen' ? choice.chosen.size : groups?.find((group) => group.audience === audience)?.count;
  const formatAudience = (audience: (typeof AUDIENCES)[number]) => {
    const count = getCount(audience);
    return count === undefined
      ? AUDIENCE_LABELS[audience]
      : `${AUDIENCE_LABELS[audience]} (${count.toLocaleString('en-US')})`;
  };
  const isPast = isLater && parseSchedule(choice.schedule, Date.parse(now)) === null;
  return (
    <div className="grid gap-2 px-4 pt-3 lg:px-5">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={texts.recipientsLabel}
          className="min-w-52 flex-1"
          value={choice.audience}
          onChange={(event) => {
            const chosenAudience = AUDIENCES.find((group) => group === event.currentTarget.value);
            if (chosenAudience) choice.setAudience(chosenAudience);
          }}
          options={AUDIENCES.map((audience) => ({
            value: audience,
            label: formatAudience(audience),
            disabled: audience === 'chosen' && choice.chosen.size === 0,
          }))}
        />
        {isLater ? (
          <LocalTimeField
            label={texts.sendTimeLabel}
            className="min-w-52 flex-1"
            value={choice.schedule}
            onChange={choice.setSchedule}
            now={Date.parse(now)}
            error={isPast ? texts.chooseFutureTime : undefined}
            button={
              <IconButton
                icon="close"
                label={texts.removeSchedule}
                onClick={() => {
                  setIsLater(false);
                  choice.setSchedule('');
                }}
              />
            }
          />
        ) : (
          <Button variant="quiet" icon="calendar" onClick={() => setIsLater(true)}>
            {texts.sendLater}
          </Button>
        )}
      </div>
      <Checkbox
        checked={choice.excludeBuyers}
        onChange={(event) => choice.setExcludeBuyers(event.currentTarget.checked)}
      >
        {texts.skipOwnersOption}
      </Checkbox>
    </div>
  );
}

/** Converts the chosen time to the contract's format. Undefined means now. Null means that the time has passed. */
function parseSchedule(schedule: string, now: number): string | undefined | null {
  if (schedule === '') return undefined;
  const reading = parseWallTime(schedule, getOwnZone());
  return !reading || reading.instant.getTime() <= now ? null : reading.instant.toISOString();
}

export function BroadcastThread({ choice }: { choice: BroadcastChoice }) {
  const { base } = useChatContext();
  const thread = useQuery(threadQuery(BROADCAST_KEY));
  const send = useSend();
  const refresh = useRefreshBroadcasts();
  const client = useQueryClient();
  useEffect(
    () =>
      subscribeToSent((entry) => {
        if (entry.thread === BROADCAST_KEY)
          void client.invalidateQueries({ queryKey: broadcastsQuery('scheduled').queryKey });
      }),
    [client],
  );
  const write = (composed: ComposedMessage) => {
    const scheduledAt = parseSchedule(choice.schedule, Date.now());
    if (scheduledAt === null) return false;
    const isAccepted = send(
      {
        kind: 'broadcast',
        audience: choice.audience,
        conversationIds: choice.audience === 'chosen' ? [...choice.chosen] : [],
        excludeBuyers: choice.excludeBuyers,
        scheduledAt,
      },
      composed,
    );
    if (isAccepted) {
      choice.setSchedule('');
      refresh();
    }
    return isAccepted;
  };
  return (
    <section className="conv" aria-label={texts.broadcasts}>
      <header className="conv__top">
        <IconButton className="conv__back" icon="back" label={texts.backToChats} href={base} />
        <div className="conv__who">
          <div className="min-w-0 pl-2 lg:pl-0">
            <h1 className="text-body font-semibold">{texts.broadcast}</h1>
            <p className="one-line text-small text-muted">{texts.broadcastHint}</p>
          </div>
        </div>
      </header>
      <Scheduled />
      {thread.data ? (
        <ThreadLog
          thread={BROADCAST_KEY}
          window={thread.data}
          conversation={undefined}
          other={texts.yourFans}
          searchHit={undefined}
          hasMenu={false}
          beginning={<p className="px-6 py-8 text-center text-note text-muted">{texts.noEarlierBroadcasts}</p>}
          renderBelow={({ message }) => message?.broadcastId && <BroadcastStats id={message.broadcastId} />}
        />
      ) : thread.isError ? (
        <div className="conv__log px-6">
          <ErrorState onRetry={() => void thread.refetch()} busy={thread.isFetching} />
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      <MessageComposer
        thread={BROADCAST_KEY}
        canSetPrice
        isTextOnly={false}
        onSend={write}
        onTyping={() => undefined}
        placeholder={texts.newBroadcast}
        renderAbove={(mediaIds) => <Targets choice={choice} mediaIds={mediaIds} />}
      />
    </section>
  );
}
