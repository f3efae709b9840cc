/** Demo calls, made through the API with a moved clock. */
import {
  answerCall,
  callRings,
  endCall,
  rejectCall,
  startCall,
  updateCallSettings,
} from '@stagedoor/contract/calls.ts';
import { keepRinging, passTime, SETTINGS } from '../features/calls/index.ts';
import { comeOnline } from '../features/presence/index.ts';
import type { Past } from './past.ts';
import { CREATORS, type DemoCreator } from './world.ts';

const MINUTE_MS = 60_000;

type Played = {
  fan: string;
  creator: string;
  type: 'video' | 'audio';
  minutesAgo: number;
  outcome: number | 'declined' | 'noAnswer';
};
/** `rate` is USD per minute. */
export type CallAct = { kind: 'call'; who: string; creator: string; type: Played['type']; rate: number } & Pick<
  Played,
  'outcome'
>;

const CALLS: readonly Played[] = [
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 12_980, outcome: 151 },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'audio', minutesAgo: 8_615, outcome: 'declined' },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 5_760, outcome: 14 },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'audio', minutesAgo: 2_905, outcome: 94 },
  { fan: 'mateus.figueira', creator: 'demo.creator', type: 'video', minutesAgo: 1_610, outcome: 'noAnswer' },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 215, outcome: 'noAnswer' },
];

function settingsOf({ calls }: DemoCreator) {
  return { ...SETTINGS, audioRate: Math.max(1, calls.videoRate - 1), ...calls };
}

export function callsUntil(epoch: Date): (CallAct & { at: Date })[] {
  return CALLS.flatMap(({ fan, creator, type, minutesAgo, outcome }) => {
    const whose = CREATORS.find(({ username }) => username === creator);
    const rate = whose && settingsOf(whose)[`${type}Rate`];
    if (!rate) return [];
    const at = new Date(epoch.getTime() - minutesAgo * MINUTE_MS);
    return [{ kind: 'call', who: fan, creator, type, rate, outcome, at }];
  });
}

export function costOf({ outcome, rate }: CallAct): number {
  return typeof outcome === 'number' ? Math.ceil((outcome * rate) / 60) : 0;
}

export async function setTerms(past: Past, creator: DemoCreator): Promise<void> {
  await past.call(updateCallSettings, { as: creator.username, body: settingsOf(creator) });
}

/** A call that was interrupted is continued. */
export async function haveCall(past: Past, act: CallAct & { key: string }, creatorId: string): Promise<void> {
  const { ctx } = past;
  const advance = (ms: number) => past.moveTo(new Date(ctx.clock.now().getTime() + ms));
  comeOnline(ctx, creatorId, 'creator', 'demo-of-the-creator');
  const { callLogId: id, call } = await past.call(startCall, {
    as: act.who,
    key: act.key,
    body: { creatorId, type: act.type, amountPerMinute: act.rate, device: 'demo-of-the-fan' },
  });
  if (!call) return;
  const creator = { as: act.creator, params: { id } };
  if (call.status === 'calling') await past.call(callRings, creator);
  if (act.outcome === 'declined') {
    advance(7_000);
    await past.call(rejectCall, creator);
  } else if (act.outcome === 'noAnswer') {
    await keepRinging(ctx, advance, id, MINUTE_MS);
  } else {
    advance(5_000);
    await past.call(answerCall, { ...creator, body: { device: 'demo-of-the-creator' } });
    await passTime(ctx, advance, id, act.outcome * 1000);
    await past.call(endCall, { as: act.who, params: { id } });
  }
}
