import { BROADCAST_AUDIENCES, type BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/choice.tsx';
import { SelectField } from '../../../../ui/field.tsx';
import { LocalTimeField } from '../../../../ui/local-time-field.tsx';
import { useChatContext } from '../chat-parts.ts';
import { useCurrentMinute } from '../time-format.ts';
import { AUDIENCE_LABELS } from './audiences.ts';
import { broadcastGroupsQuery } from './queries.ts';
import { parseSchedule } from './schedule.ts';
import { type BroadcastChoice, SEND_NOW } from './state.ts';
import * as texts from './texts.ts';

export type TargetsProps = {
  choice: BroadcastChoice;
  mediaIds: readonly string[];
  /** The number of attempts to send that the time prevented. A missing time is an error only after the first. */
  refusalCount: number;
};

/** The recipients and the time of a broadcast. */
export function Targets({ choice, mediaIds, refusalCount }: TargetsProps) {
  const { schedule, setSchedule } = choice;
  const groupCounts = useQuery({
    ...broadcastGroupsQuery(mediaIds),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  const groups = groupCounts.data?.data;
  const now = Date.parse(useCurrentMinute(useChatContext().rendered));
  const getCount = (audience: BroadcastAudience) =>
    audience === 'chosen' ? choice.chosen.size : groups?.find((group) => group.audience === audience)?.count;
  const formatAudience = (audience: BroadcastAudience) => {
    const count = getCount(audience);
    return count === undefined
      ? AUDIENCE_LABELS[audience]
      : `${AUDIENCE_LABELS[audience]} (${count.toLocaleString('en-US')})`;
  };
  const isErrorShown = schedule.wall !== '' || refusalCount > 0;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusalCount > 0) container.current?.querySelector<HTMLInputElement>('[type="datetime-local"]')?.focus();
  }, [refusalCount]);
  return (
    <div ref={container} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pt-3 lg:px-5">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={texts.recipientsLabel}
          className="min-w-[min(13rem,100%)] flex-1"
          value={choice.audience}
          onChange={(event) => {
            const chosenAudience = BROADCAST_AUDIENCES.find((group) => group === event.currentTarget.value);
            if (chosenAudience) choice.setAudience(chosenAudience);
          }}
          options={BROADCAST_AUDIENCES.map((audience) => ({
            value: audience,
            label: formatAudience(audience),
            disabled: audience === 'chosen' && choice.chosen.size === 0,
          }))}
        />
        {schedule.isLater ? (
          <LocalTimeField
            label={texts.sendTimeLabel}
            className="min-w-[min(13rem,100%)] flex-1"
            required
            value={schedule.wall}
            onChange={(wall) => setSchedule({ isLater: true, wall })}
            now={now}
            maxDays={CHAT_LIMITS.broadcastScheduleDays}
            error={isErrorShown ? parseSchedule(schedule, now).error : undefined}
            button={<IconButton icon="close" label={texts.removeSchedule} onClick={() => setSchedule(SEND_NOW)} />}
          />
        ) : (
          <Button variant="quiet" icon="calendar" onClick={() => setSchedule({ isLater: true, wall: '' })}>
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
