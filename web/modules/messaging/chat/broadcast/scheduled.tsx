import { type Broadcast, rescheduleBroadcast, unsendBroadcast } from '@stagedoor/contract/messaging/broadcasts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { Button } from '../../../../ui/button.tsx';
import { LocalTimeField } from '../../../../ui/local-time-field.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { getOwnZone, useOwnZone } from '../../../../ui/own-zone.ts';
import { Rows } from '../../../../ui/rows.tsx';
import { toWallTime } from '../../../../ui/zoned-time.ts';
import { useChatContext } from '../chat-parts.ts';
import { LazyConfirmDialog, LazyDialog } from '../dialogs.tsx';
import * as chatTexts from '../texts.ts';
import { formatScheduledTime, useCurrentMinute } from '../time-format.ts';
import { AUDIENCE_LABELS } from './audiences.ts';
import { broadcastsQuery } from './queries.ts';
import { applyBroadcast, refreshBroadcasts } from './refresh.ts';
import { parseScheduledTime } from './schedule.ts';
import * as texts from './texts.ts';

type Prompt = 'send' | 'time' | 'cancel';

function useScheduledActions(id: string, onDone: () => void) {
  const client = useQueryClient();
  const options = {
    onSuccess: (data: Broadcast) => {
      applyBroadcast(client, data);
      onDone();
    },
    // The broadcast may have been sent or canceled elsewhere.
    onError: () => refreshBroadcasts(client),
  };
  const change = useApiMutation(rescheduleBroadcast, options);
  const cancel = useApiMutation(unsendBroadcast, options);
  return {
    isBusy: change.isPending || cancel.isPending,
    change: (scheduledAt: string | null) => change.mutate({ params: { id }, body: { scheduledAt } }),
    cancel: () => cancel.mutate({ params: { id } }),
  };
}

type TimeDialogProps = {
  scheduledAt: string;
  now: string;
  isOpen: boolean;
  isBusy: boolean;
  onClose: () => void;
  onSave: (scheduledAt: string) => void;
};

function TimeDialog({ scheduledAt, now, isOpen, isBusy, onClose, onSave }: TimeDialogProps) {
  const [typed, setTyped] = useState<string>();
  const wall = typed ?? toWallTime(new Date(scheduledAt), getOwnZone());
  const reading = parseScheduledTime(wall, Date.parse(now));
  const error = 'error' in reading ? reading.error : undefined;
  const close = () => {
    setTyped(undefined);
    onClose();
  };
  return (
    <LazyDialog open={isOpen} onOpenChange={close} title={texts.changeTime} locked={isBusy}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const current = parseScheduledTime(wall, Date.now());
          if (!isBusy && 'scheduledAt' in current) onSave(current.scheduledAt);
        }}
      >
        <LocalTimeField
          label={texts.sendTimeLabel}
          value={wall}
          onChange={setTyped}
          now={Date.parse(now)}
          maxDays={CHAT_LIMITS.broadcastScheduleDays}
          error={error}
        />
        <div className="dialog__acts">
          <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText={chatTexts.saving}>
            {texts.saveTime}
          </Button>
          <Button variant="quiet" wide disabled={isBusy} onClick={close}>
            {texts.back}
          </Button>
        </div>
      </form>
    </LazyDialog>
  );
}

function ScheduledRow({ broadcast, scheduledAt }: { broadcast: Broadcast; scheduledAt: string }) {
  const { rendered } = useChatContext();
  const zone = useOwnZone();
  const now = useCurrentMinute(rendered);
  const [prompt, setPrompt] = useState<Prompt>();
  const close = () => setPrompt(undefined);
  const { id, message, audience, tierName } = broadcast;
  const actions = useScheduledActions(id, close);
  const name =
    message.text || formatCount(message.media.length + message.documents.length + message.pendingMedia, 'file');
  return (
    <li className="flex items-center gap-2 py-1">
      <span className="min-w-0 flex-1">
        <span className="one-line block font-semibold" dir="auto">
          {name}
        </span>
        <span className="num block whitespace-normal text-small text-muted">
          <time dateTime={scheduledAt}>{formatScheduledTime(scheduledAt, now, zone)}</time>
          {` · ${tierName === null ? AUDIENCE_LABELS[audience] : formatText(texts.tierSubscribers, { tierName: isolateText(tierName) })}`}
        </span>
      </span>
      <Menu
        label={texts.scheduledBroadcastOptions}
        items={[
          { label: texts.sendNow, icon: 'send', onSelect: () => setPrompt('send') },
          { label: texts.changeTime, icon: 'calendar', onSelect: () => setPrompt('time') },
          { label: texts.cancelBroadcast, icon: 'trash', danger: true, onSelect: () => setPrompt('cancel') },
        ]}
      />
      <LazyConfirmDialog
        open={prompt === 'send'}
        onOpenChange={close}
        title={texts.sendNowQuestion}
        lead={texts.sendNowConsequence}
        confirmText={texts.sendNow}
        busy={actions.isBusy}
        busyText={texts.sending}
        onConfirm={() => actions.change(null)}
      />
      <LazyConfirmDialog
        open={prompt === 'cancel'}
        onOpenChange={close}
        danger
        title={texts.cancelBroadcastQuestion}
        lead={texts.cancelBroadcastConsequence}
        confirmText={texts.cancelBroadcast}
        cancelText={texts.keepBroadcast}
        busy={actions.isBusy}
        busyText={texts.canceling}
        onConfirm={actions.cancel}
      />
      <TimeDialog
        key={scheduledAt}
        scheduledAt={scheduledAt}
        now={now}
        isOpen={prompt === 'time'}
        isBusy={actions.isBusy}
        onClose={close}
        onSave={actions.change}
      />
    </li>
  );
}

export function ScheduledBroadcasts() {
  const query = useQuery({ ...broadcastsQuery('scheduled'), staleTime: 0 });
  const scheduled = (query.data?.data ?? []).filter(({ status }) => status === 'scheduled');
  if (scheduled.length === 0) return null;
  return (
    <section className="conv__scheduled" aria-label={texts.scheduled}>
      <Rows label={texts.scheduledBroadcasts}>
        {scheduled.map(
          (broadcast) =>
            broadcast.scheduledAt && (
              <ScheduledRow key={broadcast.id} broadcast={broadcast} scheduledAt={broadcast.scheduledAt} />
            ),
        )}
      </Rows>
    </section>
  );
}
