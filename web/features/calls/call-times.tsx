import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/calls.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../kernel/query.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { FactList } from '../../ui/facts.tsx';

import { clockWords, openings, opensWordsThere } from './hours.ts';

export const callTermsQuery = (id: Profile['id']) => apiQuery(getCallTerms, { params: { id } });

function State({ absence, opensAt, hoursOffset }: CallTerms) {
  if (absence === null) return <Lamp>Available for calls now</Lamp>;
  if (absence === 'busy') return <Lamp state="busy">In a call right now</Lamp>;
  if (absence === 'closed' && opensAt) return `Available again ${opensWordsThere(opensAt, hoursOffset)}`;
  return absence === 'offline' ? 'Offline' : 'Not taking calls right now';
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
        <State {...terms} />
      </p>
      <FactList facts={[...rates, ...openings(hours).map(({ days, times }) => ({ name: days, value: times }))]} />
      {hours.length > 0 && <p className="pt-2 text-small text-muted">Hours are {clockWords(hoursOffset)}.</p>}
    </section>
  );
}
