import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { formatCreatorOpening, formatGmtOffset, groupOpeningHours } from './hours.ts';
import * as texts from './texts.ts';

export const callTermsQuery = (id: Profile['id']) => apiQuery(getCallTerms, { params: { id } });

function AvailabilityText({ unavailableReason, opensAt, hoursOffset }: CallTerms) {
  if (unavailableReason === null) return <StatusDot>{texts.availableForCallsNow}</StatusDot>;
  if (unavailableReason === 'busy') return <StatusDot state="busy">{texts.inACallRightNow}</StatusDot>;
  if (unavailableReason === 'closed' && opensAt)
    return formatText(texts.availableAgainAt, {
      time: formatCreatorOpening(opensAt, hoursOffset, new Date().toISOString()),
    });
  if (unavailableReason === 'conversations') return texts.takesCallsFromChats;
  if (unavailableReason === 'followers') return texts.takesCallsFromFollowers;
  if (unavailableReason === 'subscribers') return texts.takesCallsFromSubscribers;
  if (unavailableReason === 'buyers') return texts.takesCallsFromBuyers;
  return unavailableReason === 'offline' ? texts.offline : texts.notTakingCallsRightNow;
}

export function CallTimes({ creatorId }: { creatorId: Profile['id'] }) {
  const { data: terms } = useQuery(callTermsQuery(creatorId));
  if (!terms || (terms.videoRate ?? terms.audioRate) === null) return null;
  const { videoRate, audioRate, hours, hoursOffset } = terms;
  const rates = [
    { name: texts.videoPerMinute, rate: videoRate },
    { name: texts.voicePerMinute, rate: audioRate },
  ].flatMap(({ name, rate }) => (rate === null ? [] : [{ name, value: formatUsd(rate) }]));
  return (
    <section aria-labelledby="calls" className="border-t-2 border-text pt-3">
      <h2 id="calls" className="text-small font-normal text-muted">
        {texts.calls}
      </h2>
      <p className="pb-2 font-semibold">
        <AvailabilityText {...terms} />
      </p>
      <DefinitionList
        items={[...rates, ...groupOpeningHours(hours).map(({ days, times }) => ({ name: days, value: times }))]}
      />
      {hours.length > 0 && (
        <p className="pt-2 text-small text-muted">
          {formatText(texts.hoursOffsetHint, { hoursOffset: formatGmtOffset(hoursOffset) })}
        </p>
      )}
    </section>
  );
}
