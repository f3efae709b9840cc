import { listOwnTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { SUBSCRIBER_SEGMENTS } from '@stagedoor/contract/content/subscriptions.ts';
import { BROADCAST_AUDIENCES, type BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../../../platform/query.ts';
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

const isSegment = (audience: BroadcastAudience) => SUBSCRIBER_SEGMENTS.some((each) => each === audience);

/** The recipients and the time of a broadcast. */
export function Targets({ choice, mediaIds, refusalCount }: TargetsProps) {
  const { schedule, setSchedule } = choice;
  const groupCounts = useQuery({
    ...broadcastGroupsQuery(mediaIds, choice.tierId),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  const groups = groupCounts.data?.data;
  const now = Date.parse(useCurrentMinute(useChatContext().rendered));
  const tiers = useQuery(apiQuery(listOwnTiers, {})).data?.tiers ?? [];
  const hasOffer = tiers.length > 0 || isSegment(choice.audience);
  const audiences = BROADCAST_AUDIENCES.filter((audience) => hasOffer || !isSegment(audience));
  const getCount = (audience: BroadcastAudience) => {
    if (audience === 'chosen') return choice.chosen.size;
    if (audience === 'tier' && choice.tierId === undefined) return undefined;
    return groups?.find((group) => group.audience === audience)?.count;
  };
  const formatAudience = (audience: BroadcastAudience) => {
    const count = getCount(audience);
    return count === undefined
      ? AUDIENCE_LABELS[audience]
      : `${AUDIENCE_LABELS[audience]} (${count.toLocaleString('en-US')})`;
  };
  const isErrorShown = schedule.wall !== '' || refusalCount > 0;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusalCount > 0)
      container.current?.querySelector<HTMLElement>('[type="datetime-local"], [aria-invalid="true"]')?.focus();
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
          options={audiences.map((audience) => ({
            value: audience,
            label: formatAudience(audience),
            disabled: audience === 'chosen' && choice.chosen.size === 0,
          }))}
        />
        {choice.audience === 'tier' && (
          <SelectField
            label={texts.tierLabel}
            className="min-w-[min(13rem,100%)] flex-1"
            required
            placeholder={texts.chooseTier}
            options={tiers.map(({ id, name }) => ({ value: id, label: name }))}
            value={choice.tierId ?? ''}
            error={refusalCount > 0 && choice.tierId === undefined ? texts.chooseTier : undefined}
            onChange={(event) => choice.setTierId(tiers.find(({ id }) => id === event.currentTarget.value)?.id)}
          />
        )}
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
      {(isSegment(choice.audience) || choice.audience === 'topSpenders') && (
        <p className="text-small text-muted">{texts.groupAtSendTimeHint}</p>
      )}
      <Checkbox
        checked={choice.excludeBuyers}
        onChange={(event) => choice.setExcludeBuyers(event.currentTarget.checked)}
      >
        {texts.skipOwnersOption}
      </Checkbox>
    </div>
  );
}
