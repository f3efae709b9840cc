/** Demo calls, made through the API with a moved clock. */
import {
  answerCall,
  endCall,
  rejectCall,
  reportCallRinging,
  startCall,
  updateCallSettings,
} from '@stagedoor/contract/messaging/calls.ts';
import { addOnlineDevice } from '../modules/identity/presence/index.ts';
import { SAMPLE_CALL_SETTINGS, simulateCallTime, simulateRinging } from '../modules/messaging/calls/index.ts';
import type { PastApp } from './past-app.ts';
import { CREATORS, type DemoCreator } from './world.ts';

const MINUTE_MS = 60_000;

type DemoCall = {
  fan: string;
  creator: string;
  type: 'video' | 'audio';
  minutesAgo: number;
  outcome: number | 'declined' | 'noAnswer';
};
/** `rate` is USD per minute. */
export type DemoCallAction = {
  kind: 'call';
  username: string;
  creator: string;
  type: DemoCall['type'];
  rate: number;
} & Pick<DemoCall, 'outcome'>;

const CALLS: readonly DemoCall[] = [
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 12_980, outcome: 151 },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'audio', minutesAgo: 8_615, outcome: 'declined' },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 5_760, outcome: 14 },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'audio', minutesAgo: 2_905, outcome: 94 },
  { fan: 'mateus.figueira', creator: 'demo.creator', type: 'video', minutesAgo: 1_610, outcome: 'noAnswer' },
  { fan: 'demo.fan', creator: 'demo.creator', type: 'video', minutesAgo: 215, outcome: 'noAnswer' },
];

function toCallSettings({ calls }: DemoCreator) {
  return { ...SAMPLE_CALL_SETTINGS, audioRate: Math.max(1, calls.videoRate - 1), ...calls };
}

export function listCallActions(epoch: Date): (DemoCallAction & { at: Date })[] {
  return CALLS.flatMap(({ fan, creator, type, minutesAgo, outcome }) => {
    const demoCreator = CREATORS.find(({ username }) => username === creator);
    const rate = demoCreator && toCallSettings(demoCreator)[`${type}Rate`];
    if (!rate) return [];
    const at = new Date(epoch.getTime() - minutesAgo * MINUTE_MS);
    return [{ kind: 'call', username: fan, creator, type, rate, outcome, at }];
  });
}

export function calculateCallCost({ outcome, rate }: DemoCallAction): number {
  return typeof outcome === 'number' ? Math.ceil((outcome * rate) / 60) : 0;
}

export async function saveCallSettings(pastApp: PastApp, creator: DemoCreator): Promise<void> {
  await pastApp.call(updateCallSettings, { as: creator.username, body: toCallSettings(creator) });
}

/** A call that was interrupted is continued. */
export async function performCall(
  pastApp: PastApp,
  action: DemoCallAction & { key: string },
  creatorId: string,
): Promise<void> {
  const { ctx } = pastApp;
  const advance = (ms: number) => pastApp.moveTo(new Date(ctx.clock.now().getTime() + ms));
  addOnlineDevice(ctx, creatorId, 'creator', 'demo-of-the-creator');
  const { callLogId: id, call } = await pastApp.call(startCall, {
    as: action.username,
    key: action.key,
    body: { creatorId, type: action.type, amountPerMinute: action.rate, device: 'demo-of-the-fan' },
  });
  if (!call) return;
  const creator = { as: action.creator, params: { id } };
  if (call.status === 'calling') await pastApp.call(reportCallRinging, creator);
  if (action.outcome === 'declined') {
    advance(7_000);
    await pastApp.call(rejectCall, creator);
  } else if (action.outcome === 'noAnswer') {
    await simulateRinging(ctx, advance, id, MINUTE_MS);
  } else {
    advance(5_000);
    await pastApp.call(answerCall, { ...creator, body: { device: 'demo-of-the-creator' } });
    await simulateCallTime(ctx, advance, id, action.outcome * 1000);
    await pastApp.call(endCall, { as: action.username, params: { id } });
  }
}
