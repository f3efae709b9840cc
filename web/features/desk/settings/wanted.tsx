/** Weaker guards of money that somebody wants: another operator confirms each, anybody refuses it. */
import { listAudit } from '@stagedoor/contract/audit.ts';
import { listFeeChanges, readHouseFees } from '@stagedoor/contract/fees-desk.ts';
import { getPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import {
  decideWantedSetting,
  GUARD_NAMES,
  isWeaker,
  listWantedSettings,
  type WantedSetting,
} from '@stagedoor/contract/wanted-settings.ts';
import { useState } from 'react';
import { formatExact } from '../../../kernel/dates.ts';
import { apiQuery, useApi } from '../../../kernel/query.ts';
import { useViewer } from '../../../kernel/session.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { isGround, type Setting, WHY, written } from './draft.tsx';

export const wantedQuery = () => apiQuery(listWantedSettings, {});

/** Said before what makes a guard weaker is saved. */
export function weakerNote(
  from: Readonly<Record<string, number>>,
  to: Readonly<Record<string, number>>,
): string | undefined {
  const weaker = GUARD_NAMES.some((name) => isWeaker(name, from[name] ?? 0, to[name] ?? from[name] ?? 0));
  return weaker ? 'A higher limit or a shorter wait holds once another operator confirms it.' : undefined;
}

function Wanted({ wanted, setting: { label, unit } }: { wanted: WantedSetting; setting: Setting<string> }) {
  const { name, from, to, operator, ground: why, at } = wanted;
  const isOwn = operator === useViewer()?.username;
  const [ground, setGround] = useState('');
  const decide = useDeskAct(decideWantedSetting, {
    forget: [listWantedSettings, getPayoutSettings, readHouseFees, listFeeChanges, listAudit],
    done: () => 'Noted. What is in force stands in the form.',
    onDone: () => setGround(''),
  });
  const send = (decision: 'confirm' | 'refuse') => decide.send({ params: { name }, body: { decision, to, ground } });
  return (
    <section
      aria-label={`Waits for a second operator: ${written(unit, to)}`}
      className="grid gap-4 rounded-lg border border-line p-4 sm:p-5"
    >
      <p className="font-semibold">
        {label}: {isOwn ? 'you want' : `@${operator} wants`} {written(unit, to)} instead of {written(unit, from)}.
      </p>
      <p className="text-small text-muted wrap-anywhere">
        “<bdi>{why}</bdi>” <span className="num">{formatExact(at)}</span>
      </p>
      <p className="text-small">
        {isOwn
          ? 'Another operator confirms it. Until then it stays as it is.'
          : 'It holds once a second operator confirms it.'}
      </p>
      {decide.may && (
        <>
          <TextField {...WHY} required value={ground} onChange={(event) => setGround(event.currentTarget.value)} />
          {decide.error !== undefined && <Refusal message={decide.error} />}
          <div className="flex flex-wrap gap-3">
            {!isOwn && (
              <Button
                variant="primary"
                disabled={!isGround(ground)}
                busy={decide.isPending}
                busyText="Saving…"
                onClick={() => send('confirm')}
              >
                Confirm {written(unit, to)}
              </Button>
            )}
            <Button disabled={!isGround(ground) || decide.isPending} onClick={() => send('refuse')}>
              {isOwn ? 'Take it back' : 'Refuse it'}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** What waits of these settings; nothing where none does. */
export function WantedSettings({ settings }: { settings: readonly Setting<string>[] }) {
  const { data } = useApi(listWantedSettings, {});
  return data.map((wanted) => {
    const setting = settings.find(({ name }) => name === wanted.name);
    return setting && <Wanted key={`${wanted.name} ${wanted.at}`} wanted={wanted} setting={setting} />;
  });
}
