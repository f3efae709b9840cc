import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatRate } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/choice.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { callSettingsQuery, useCallAvailability } from './availability-widget.tsx';
import { missedCallsQuery } from './missed-calls.ts';

export function AvailabilitySwitch() {
  const availability = useCallAvailability();
  if (!availability) return null;
  const { isOn, isPending, change } = availability;
  return (
    <Switch
      row
      label="Take calls"
      hint={
        isOn
          ? 'Fans can call you when you’re online, during your hours.'
          : 'Calls are off. Fans see that you’re not available.'
      }
      checked={isOn}
      disabled={isPending}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

export function CallsCard() {
  const settings = useQuery(callSettingsQuery()).data;
  const missedCount = useQuery(missedCallsQuery()).data?.count ?? 0;
  if (!settings) return null;
  const { videoRate, audioRate } = settings;
  const rates = [
    videoRate !== null && `Video ${formatRate(videoRate)}`,
    audioRate !== null && `voice ${formatRate(audioRate)}`,
  ].filter(Boolean);
  if (rates.length === 0)
    return (
      <section aria-labelledby="calls-card" className="grid justify-items-start gap-3 border-t border-ink pt-4">
        <h2 id="calls-card" className="display d4">
          Calls
        </h2>
        <p className="text-note text-muted">Fans pay per minute to talk to you. You set the price.</p>
        <Button href={PATHS.creatorCalls}>Set your price</Button>
      </section>
    );
  return (
    <section aria-labelledby="calls-card" className="border-t border-ink pt-4">
      <h2 id="calls-card" className="display d4 pb-3">
        Calls
      </h2>
      <div className="pb-3">
        <AvailabilitySwitch />
      </div>
      <Rows>
        <Row title={rates.join(', ')} sub="Prices, hours and minimum balance" href={PATHS.creatorCalls} />
        {missedCount > 0 && (
          <Row title={formatCount(missedCount, 'missed call')} href={`${PATHS.creatorChat}?tab=callHistoryList`} />
        )}
      </Rows>
    </section>
  );
}
