import type { Page } from '@playwright/test';
import type { CallDetail, CallLog } from '@stagedoor/contract/messaging/calls.ts';
import { type BrowserUser, callApi, expect, waitForHydration } from './fixtures.ts';
import { addFunds } from './money.ts';

declare global {
  interface Window {
    connections?: RTCPeerConnection[];
  }
}

export const TEST_CALL_SETTINGS = {
  isAvailable: true,
  videoRate: 3,
  audioRate: 2,
  minMinutes: 1,
  hours: [],
  timeZone: 'UTC',
};

/** Runs before the page's scripts and stores its connections for the test. */
export function recordConnections(): void {
  const connections: RTCPeerConnection[] = [];
  window.connections = connections;
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(config?: RTCConfiguration) {
      super(config);
      connections.push(this);
    }
  };
}

export type EvaluatingPage = { evaluate<T>(work: () => Promise<T>): Promise<T> };

/** Decoded video frames and received audio packets of a page's open connections. */
export function countReceived(page: EvaluatingPage): Promise<{ frames: number; sound: number }> {
  return page.evaluate(async () => {
    const { connections = [] } = window;
    const sum = { frames: 0, sound: 0 };
    for (const connection of connections.filter(({ connectionState }) => connectionState !== 'closed'))
      for (const report of (await connection.getStats()).values())
        if (report.type === 'inbound-rtp') {
          sum.frames += report.framesDecoded ?? 0;
          sum.sound += report.kind === 'audio' ? report.packetsReceived : 0;
        }
    return sum;
  });
}

export async function openCallPages(
  createUser: (type: 'customer' | 'creator', options?: { isPhone?: boolean }) => Promise<BrowserUser>,
) {
  const creator = await createUser('creator');
  await callApi(creator.context, 'PUT', '/creator/call-settings', TEST_CALL_SETTINGS);
  const fan = await createUser('customer');
  await addFunds(fan.context, 50);
  for (const { context, page } of [creator, fan]) {
    await context.grantPermissions(['camera', 'microphone']);
    await page.addInitScript(recordConnections);
  }
  await creator.page.goto('/creator');
  await waitForHydration(creator.page);
  return { creator, fan };
}

/** Opens the device check before a call. The call button appears a moment after the creator comes online. */
export async function openDeviceCheck({ creator, fan }: { creator: Pick<BrowserUser, 'username'>; fan: BrowserUser }) {
  await fan.page.goto(`/profile/${creator.username}`);
  await fan.page.getByRole('button', { name: 'Call $3.00/min' }).click();
  const check = fan.page.getByRole('dialog', { name: 'Before you call' });
  await expect(check.getByText('You can talk about 16 min')).toBeVisible();
  return check;
}

export async function startCallByPage(pair: Record<'creator' | 'fan', BrowserUser>) {
  const check = await openDeviceCheck(pair);
  await check.getByRole('button', { name: /^Call / }).click();
  const sheet = pair.creator.page.getByRole('dialog', { name: 'Incoming video call' });
  await expect(sheet).toBeVisible();
  return sheet;
}

export const getCallDialog = (page: Page) => page.getByRole('dialog', { name: /^Video call with / });
export const getCallTime = (page: Page) => getCallDialog(page).locator('.call-time').first();

export async function expectMedia({
  creator,
  fan,
}: Record<'creator' | 'fan', { page: EvaluatingPage }>): Promise<void> {
  for (const { page } of [creator, fan]) {
    await expect.poll(async () => (await countReceived(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
    await expect.poll(async () => (await countReceived(page)).sound).toBeGreaterThan(5);
  }
}

export async function findLatestCall({ context }: BrowserUser): Promise<CallLog | undefined> {
  return (await callApi<{ data: CallLog[] }>(context, 'GET', '/call/call-history')).data[0];
}

export const fetchCallDetail = ({ context }: BrowserUser, id: string) =>
  callApi<CallDetail>(context, 'GET', `/call/log/${id}`);
