import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../platform/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/choice.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { callSettingsQuery, useCallAvailability } from './availability-widget.tsx';
import { missedCallsQuery } from './missed-calls.ts';
import * as texts from './texts.ts';

export function AvailabilitySwitch() {
  const availability = useCallAvailability();
  if (!availability) return null;
  const { isOn, isPending, change } = availability;
  return (
    <Switch
      row
      label={texts.takeCalls}
      hint={isOn ? texts.callsOnHint : texts.callsOffHint}
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
    videoRate !== null && formatText(texts.videoRate, { price: formatRate(videoRate) }),
    audioRate !== null && formatText(texts.voiceRate, { price: formatRate(audioRate) }),
  ].filter(Boolean);
  if (rates.length === 0)
    return (
      <section aria-labelledby="calls-card" className="grid justify-items-start gap-3 border-t border-ink pt-4">
        <h2 id="calls-card" className="display d4">
          {texts.calls}
        </h2>
        <p className="text-note text-muted">{texts.noPricesHint}</p>
        <Button href={PATHS.creatorCalls}>{texts.setYourPrice}</Button>
      </section>
    );
  return (
    <section aria-labelledby="calls-card" className="border-t border-ink pt-4">
      <h2 id="calls-card" className="display d4 pb-3">
        {texts.calls}
      </h2>
      <div className="pb-3">
        <AvailabilitySwitch />
      </div>
      <Rows>
        <Row title={rates.join(', ')} sub={texts.pricesHoursAndMinimumBalance} href={PATHS.creatorCalls} />
        {missedCount > 0 && (
          <Row title={formatCount(missedCount, texts.missedCall)} href={`${PATHS.creatorChat}?tab=callHistoryList`} />
        )}
      </Rows>
    </section>
  );
}
