import { unsendBroadcast } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { ErrorState } from '../../../../ui/states.tsx';
import { threadQuery } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import { MessageComposer } from '../composer/composer.tsx';
import type { ComposedMessage } from '../composer/use-composer.ts';
import { LazyConfirmDialog, usePreloadDialogs } from '../dialogs.tsx';
import { subscribeToSent } from '../outbox/use-outbox.ts';
import { useSend } from '../outbox/use-send.ts';
import * as chatTexts from '../texts.ts';
import { ThreadLog } from '../thread/thread-log.tsx';
import { ThreadSkeleton } from '../thread/thread-view.tsx';
import { broadcastQuery } from './queries.ts';
import { applyBroadcast, refreshBroadcasts } from './refresh.ts';
import { parseSchedule } from './schedule.ts';
import { ScheduledBroadcasts } from './scheduled.tsx';
import { type BroadcastChoice, SEND_NOW } from './state.ts';
import { Targets } from './targets.tsx';
import * as texts from './texts.ts';

const STATS_POLL_MS = 5_000;

function BroadcastStats({ id }: { id: string }) {
  const client = useQueryClient();
  // No event reports reads and purchases, so the numbers are polled while they are shown.
  const broadcast = useQuery({ ...broadcastQuery(id), refetchInterval: STATS_POLL_MS }).data;
  const [isConfirming, setIsConfirming] = useState(false);
  const unsend = useApiMutation(unsendBroadcast, {
    onSuccess: (data) => {
      applyBroadcast(client, data);
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
          {chatTexts.deleteForEveryone}
        </Button>
      )}
      <LazyConfirmDialog
        open={isConfirming}
        danger
        busy={unsend.isPending}
        title={chatTexts.deleteForEveryoneQuestion}
        lead={texts.deleteForEveryoneConsequence}
        confirmText={chatTexts.deleteForEveryone}
        onOpenChange={setIsConfirming}
        onConfirm={() => unsend.mutate({ params: { id } })}
      />
    </div>
  );
}

export function BroadcastThread({ choice }: { choice: BroadcastChoice }) {
  usePreloadDialogs();
  const { base } = useChatContext();
  const thread = useQuery(threadQuery(BROADCAST_KEY));
  const send = useSend();
  const client = useQueryClient();
  const [refusalCount, setRefusalCount] = useState(0);
  useEffect(() => subscribeToSent((entry) => entry.thread === BROADCAST_KEY && refreshBroadcasts(client)), [client]);
  const write = (composed: ComposedMessage) => {
    const reading = parseSchedule(choice.schedule, Date.now());
    const isTierMissing = choice.audience === 'tier' && choice.tierId === undefined;
    if (reading.error !== undefined || isTierMissing) {
      setRefusalCount(refusalCount + 1);
      return false;
    }
    const isAccepted = send(
      {
        kind: 'broadcast',
        audience: choice.audience,
        tierId: choice.audience === 'tier' ? choice.tierId : undefined,
        conversationIds: choice.audience === 'chosen' ? [...choice.chosen] : [],
        excludeBuyers: choice.excludeBuyers,
        scheduledAt: reading.scheduledAt,
      },
      composed,
    );
    if (isAccepted) {
      choice.setSchedule(SEND_NOW);
      setRefusalCount(0);
    }
    return isAccepted;
  };
  return (
    <section className="conv" aria-label={texts.broadcasts}>
      <header className="conv__top">
        <IconButton className="conv__back" icon="back" label={chatTexts.backToChats} href={base} />
        <div className="conv__who">
          <div className="min-w-0 pl-2 lg:pl-0">
            <h1 className="text-body font-semibold">{chatTexts.broadcast}</h1>
            <p className="one-line text-small text-muted">{texts.broadcastHint}</p>
          </div>
        </div>
      </header>
      <ScheduledBroadcasts />
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
        sendText={choice.schedule.isLater ? texts.schedule : undefined}
        renderAbove={(mediaIds) => <Targets choice={choice} mediaIds={mediaIds} refusalCount={refusalCount} />}
      />
    </section>
  );
}
