import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';

import { formatCreatorOpening, formatGmtOffset, groupOpeningHours } from './hours.ts';

export const callTermsQuery = (id: Profile['id']) => apiQuery(getCallTerms, { params: { id } });

function AvailabilityText({ unavailableReason, opensAt, hoursOffset }: CallTerms) {
  if (unavailableReason === null) return <StatusDot>Available for calls now</StatusDot>;
  if (unavailableReason === 'busy') return <StatusDot state="busy">In a call right now</StatusDot>;
  if (unavailableReason === 'closed' && opensAt) return `Available again ${formatCreatorOpening(opensAt, hoursOffset)}`;
  return unavailableReason === 'offline' ? 'Offline' : 'Not taking calls right now';
}

export function CallTimes({ creatorId }: { creatorId: Profile['id'] }) {
  const { data: terms } = useQuery(callTermsQuery(creatorId));
  if (!terms || (terms.videoRate ?? terms.audioRate) === null) return null;
  const { videoRate, audioRate, hours, hoursOffset } = terms;
  const rates = [
    { name: 'Video, per minute', rate: videoRate },
    { name: 'Voice, per minute', rate: audioRate },
  ].flatMap(({ name, rate }) => (rate === null ? [] : [{ name, value: formatUsd(rate) }]));
  return (
    <section aria-labelledby="calls" className="border-t-2 border-text pt-3">
      <h2 id="calls" className="text-small font-normal text-muted">
        Calls
      </h2>
      <p className="pb-2 font-semibold">
        <AvailabilityText {...terms} />
      </p>
      <DefinitionList
        items={[...rates, ...groupOpeningHours(hours).map(({ days, times }) => ({ name: days, value: times }))]}
      />
      {hours.length > 0 && <p className="pt-2 text-small text-muted">Hours are {formatGmtOffset(hoursOffset)}.</p>}
    </section>
  );
}
