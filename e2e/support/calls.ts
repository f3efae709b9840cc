import type { Page } from '@playwright/test';
import type { CallDetail, CallLog } from '@stagedoor/contract/calls.ts';
import { callApi, expect, hydrated, type Person } from './fixtures.ts';
import { addFunds } from './money.ts';

declare global {
  interface Window {
    ways?: RTCPeerConnection[];
  }
}

export const SETTINGS = {
  isAvailable: true,
  videoRate: 3,
  audioRate: 2,
  shortestMinutes: 1,
  hours: [],
  timeZone: 'UTC',
};

/** Runs before the page's scripts and stores its connections for the test. */
export function keepWays(): void {
  const ways: RTCPeerConnection[] = [];
  window.ways = ways;
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(config?: RTCConfiguration) {
      super(config);
      ways.push(this);
    }
  };
}

export type Asked = { evaluate<T>(work: () => Promise<T>): Promise<T> };

/** Decoded video frames and received audio packets of a page's open connections. */
export function received(page: Asked): Promise<{ frames: number; sound: number }> {
  return page.evaluate(async () => {
    const { ways = [] } = window;
    const sum = { frames: 0, sound: 0 };
    for (const way of ways.filter(({ connectionState }) => connectionState !== 'closed'))
      for (const report of (await way.getStats()).values())
        if (report.type === 'inbound-rtp') {
          sum.frames += report.framesDecoded ?? 0;
          sum.sound += report.kind === 'audio' ? report.packetsReceived : 0;
        }
    return sum;
  });
}

export async function meet(person: (type: 'customer' | 'creator', options?: { isPhone?: boolean }) => Promise<Person>) {
  const creator = await person('creator');
  await callApi(creator.context, 'PUT', '/creator/call-settings', SETTINGS);
  const fan = await person('customer');
  await addFunds(fan.context, 50);
  for (const { context, page } of [creator, fan]) {
    await context.grantPermissions(['camera', 'microphone']);
    await page.addInitScript(keepWays);
  }
  await creator.page.goto('/creator');
  await hydrated(creator.page);
  return { creator, fan };
}

/** Opens the device check before a call. The call button appears a moment after the creator comes online. */
export async function lookFirst({ creator, fan }: { creator: Pick<Person, 'username'>; fan: Person }) {
  await fan.page.goto(`/profile/${creator.username}`);
  await fan.page.getByRole('button', { name: 'Call $3.00/min' }).click();
  const check = fan.page.getByRole('dialog', { name: 'Before you call' });
  await expect(check.getByText('You can talk about 16 min')).toBeVisible();
  return check;
}

export async function call(people: Record<'creator' | 'fan', Person>) {
  const check = await lookFirst(people);
  await check.getByRole('button', { name: /^Call / }).click();
  const sheet = people.creator.page.getByRole('dialog', { name: 'Incoming video call' });
  await expect(sheet).toBeVisible();
  return sheet;
}

export const stage = (page: Page) => page.getByRole('dialog', { name: /^Video call with / });
export const time = (page: Page) => stage(page).locator('.call-time').first();

export async function expectTalk({ creator, fan }: Record<'creator' | 'fan', { page: Asked }>): Promise<void> {
  for (const { page } of [creator, fan]) {
    await expect.poll(async () => (await received(page)).frames, { timeout: 20_000 }).toBeGreaterThan(5);
    await expect.poll(async () => (await received(page)).sound).toBeGreaterThan(5);
  }
}

export async function lastLog({ context }: Person): Promise<CallLog | undefined> {
  return (await callApi<{ data: CallLog[] }>(context, 'GET', '/call/call-history')).data[0];
}

export const detailOf = ({ context }: Person, id: string) => callApi<CallDetail>(context, 'GET', `/call/log/${id}`);
