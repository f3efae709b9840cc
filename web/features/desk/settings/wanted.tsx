/**
 * Requested changes that weaken a money safeguard. A second operator must confirm each, and any operator can refuse it.
 */
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
import { apiQuery, useApi } from '../../../kernel/query.ts';
import { useViewer } from '../../../kernel/session.ts';
import { useDeskAct } from '../acts.ts';
import { WaitsForSecond } from '../second-operator.tsx';
import { type Setting, written } from './draft.tsx';

export const wantedQuery = () => apiQuery(listWantedSettings, {});

export function weakerNote(
  from: Readonly<Record<string, number>>,
  to: Readonly<Record<string, number>>,
): string | undefined {
  const weaker = GUARD_NAMES.some((name) => isWeaker(name, from[name] ?? 0, to[name] ?? from[name] ?? 0));
  return weaker ? 'Higher limits and shorter waits need a second approval.' : undefined;
}

function Wanted({ wanted, setting: { label, unit } }: { wanted: WantedSetting; setting: Setting<string> }) {
  const { name, from, to, operator } = wanted;
  const isOwn = operator === useViewer()?.username;
  const decide = useDeskAct(decideWantedSetting, {
    forget: [listWantedSettings, getPayoutSettings, readHouseFees, listFeeChanges, listAudit],
    done: () => 'Saved. The form shows the current values.',
  });
  return (
    <WaitsForSecond
      name={written(unit, to)}
      wish={`${label}: ${isOwn ? 'you requested' : `@${operator} requested`} ${written(unit, to)} instead of ${written(unit, from)}.`}
      said={wanted}
      note={
        isOwn
          ? 'Another operator needs to confirm this. Until then nothing changes.'
          : 'Takes effect once a second operator confirms it.'
      }
      isOwn={isOwn}
      confirmWords={`Confirm ${written(unit, to)}`}
      busyWords="Saving…"
      act={decide}
      onDecide={(decision, ground) => decide.send({ params: { name }, body: { decision, to, ground } })}
    />
  );
}

export function WantedSettings({ settings }: { settings: readonly Setting<string>[] }) {
  const { data } = useApi(listWantedSettings, {});
  return data.map((wanted) => {
    const setting = settings.find(({ name }) => name === wanted.name);
    return setting && <Wanted key={`${wanted.name} ${wanted.at}`} wanted={wanted} setting={setting} />;
  });
}
