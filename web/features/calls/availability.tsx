/** The creator's widget (row F6): whether calls are taken, switched from wherever one is. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { getCallSettings, setCallAvailability } from '@stagedoor/contract/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/choice.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { missedQuery } from './missed.ts';
import { rateWords } from './words.ts';

export const settingsQuery = () => apiQuery(getCallSettings, {});

export function AvailabilitySwitch() {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery()).data;
  const change = useApiMutation(setCallAvailability, {
    onSuccess: (answer) => client.setQueryData(settingsQuery().queryKey, answer),
  });
  if (!settings) return null;
  const isOn = change.isPending ? change.variables.body.isAvailable : settings.isAvailable;
  return (
    <Switch
      row
      label="Take calls"
      hint={
        isOn ? 'Fans can call you while you are here, at your hours.' : 'Nobody rings. Fans see that you take none.'
      }
      checked={isOn}
      disabled={change.isPending}
      onChange={(event) => change.mutate({ body: { isAvailable: event.currentTarget.checked } })}
    />
  );
}

/** On the creator's home: the switch, the prices, and who was missed. */
export function CallsCard() {
  const settings = useQuery(settingsQuery()).data;
  const missed = useQuery(missedQuery()).data?.count ?? 0;
  if (!settings) return null;
  const { videoRate, audioRate } = settings;
  const rates = [
    videoRate !== null && `Video ${rateWords(videoRate)}`,
    audioRate !== null && `voice ${rateWords(audioRate)}`,
  ].filter(Boolean);
  if (rates.length === 0)
    return (
      <section aria-labelledby="calls-card" className="grid justify-items-start gap-3 border-t border-ink pt-4">
        <h2 id="calls-card" className="display d4">
          Calls
        </h2>
        <p className="text-note text-muted">Fans pay by the minute to talk with you. You name the price.</p>
        <Button href={PATHS.creatorCalls}>Set your price</Button>
      </section>
    );
  return (
    <section aria-labelledby="calls-card" className="border-t border-ink pt-4">
      <h2 id="calls-card" className="display d4 pb-3">
        Calls
      </h2>
      <AvailabilitySwitch />
      <Rows>
        <Row title={rates.join(', ')} sub="Prices, hours, shortest call" href={PATHS.creatorCalls} />
        {missed > 0 && (
          <Row
            title={missed === 1 ? 'One missed call' : `${missed} missed calls`}
            href={`${PATHS.creatorChat}?tab=callHistoryList`}
          />
        )}
      </Rows>
    </section>
  );
}
