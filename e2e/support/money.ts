import { randomInt, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import sharp from 'sharp';
import { type ApiClient, callApi, expect, getBaseUrl } from './fixtures.ts';

export const CARDS = { approved: '4111 1111 1111 1111', declined: '4000 0000 0000 0002' } as const;

/** A picture in two random colours. It is smooth because noise takes several times as long to encode. */
export function makeJpeg(width = 1600, height = 1200): Promise<Buffer> {
  const colour = () => `hsl(${randomInt(360)}, 30%, 45%)`;
  const stops = `<stop stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/>`;
  const gradient = `<linearGradient id="g" x2="0" y2="1">${stops}</linearGradient>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${gradient}<rect width="${width}" height="${height}" fill="url(#g)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

/** A small picture. Processing it costs a fifth of a picture of 540 px. */
export const makePicture = (): Promise<Buffer> => makeJpeg(162, 198);

export async function payByCard(page: Page, card: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expires').fill('12/31');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^Pay · / }).click();
}

export async function openTip(page: Page, name: string): Promise<Locator> {
  const label = `Tip ${name}`;
  await page.getByRole('main').getByRole('button', { name: label }).first().click();
  return page.getByRole('dialog', { name: label });
}

export type DepositOrder = { depositId: string; paymentUrl: string };

export function orderDeposit(context: ApiClient, amountUsd: number): Promise<DepositOrder> {
  return callApi<DepositOrder>(context, 'POST', '/customer/deposite-fund', {
    paymentProvider: 'ccbill',
    amount: amountUsd,
  });
}

export async function addFunds(context: ApiClient, amountUsd: number): Promise<string> {
  const { depositId, paymentUrl } = await orderDeposit(context, amountUsd);
  const paid = await context.request.post(paymentUrl, {
    form: { cardNumber: CARDS.approved, expDate: '12/31', cvv: '123' },
    maxRedirects: 0,
  });
  expect(paid.status()).toBe(303);
  await expect.poll(async () => (await fetchDeposit(context, depositId)).status).toBe('success');
  return depositId;
}

export function fetchDeposit(context: ApiClient, id: string): Promise<Deposit> {
  return callApi<Deposit>(context, 'GET', `/customer/deposit/${id}`);
}

/** The spendable balance in USD. */
export async function fetchWalletBalance(context: ApiClient): Promise<number> {
  return (await callApi<{ deposit: number }>(context, 'GET', '/auth/user')).deposit;
}

export async function fetchTransactions(
  context: ApiClient,
  type?: WalletTransaction['type'],
): Promise<WalletTransaction[]> {
  const { data } = await callApi<{ data: WalletTransaction[] }>(
    context,
    'GET',
    `/customer/transaction-history?limit=50${type ? `&type=${type}` : ''}`,
  );
  return data;
}

export async function uploadJpeg(context: ApiClient, file: Buffer): Promise<string> {
  const shared = { 'tus-resumable': '1.0.0' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const created = await context.request.post(`${getBaseUrl()}/files`, {
    headers: {
      ...shared,
      'upload-length': String(file.length),
      'upload-metadata': `filename ${base64('picture.jpg')},filetype ${base64('image/jpeg')}`,
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  const location = new URL(created.headers().location ?? '', getBaseUrl());
  const patched = await context.request.patch(location.href, {
    headers: { ...shared, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    data: file,
  });
  expect(patched.status(), await patched.text()).toBe(204);
  return location.pathname.split('/').at(-1) ?? '';
}

async function uploadPicture(context: ApiClient, picture: Buffer): Promise<{ id: string; alt: string }> {
  const id = await uploadJpeg(context, picture);
  const status = async () => (await callApi<{ status: string }>(context, 'GET', `/creator/media/${id}`)).status;
  await expect.poll(status, { timeout: 30_000, intervals: [50, 100, 250] }).toBe('ready');
  return { id, alt: 'Evening light' };
}

/**
 * Publishes a picture post as the logged-in creator. `priceUsd` 0 is free, `isLarge` pictures can be zoomed far.
 * Returns the post's id.
 */
export async function publishPictures(
  context: ApiClient,
  {
    caption,
    priceUsd = 0,
    pictures = 1,
    isLarge = false,
  }: { caption: string; priceUsd?: number; pictures?: number; isLarge?: boolean },
): Promise<string> {
  const makeFile = isLarge ? makeJpeg : makePicture;
  const media = await Promise.all(
    Array.from({ length: pictures }, async () => uploadPicture(context, await makeFile())),
  );
  return (await callApi<{ id: string }>(context, 'POST', '/post', { caption, price: priceUsd, media })).id;
}

export type SandboxBehaviour = {
  duplicates?: number;
  delayMs?: number;
  dropFirst?: number;
  reorder?: boolean;
  declineRenewals?: boolean;
};

type SandboxControl = {
  behaviour?: SandboxBehaviour;
  clock?: { advanceDays: number };
};

export async function controlSandbox(context: ApiClient, data: SandboxControl): Promise<void> {
  const response = await context.request.post(`${getBaseUrl()}/sandbox/ccbill/control`, { data });
  expect(response.status(), await response.text()).toBe(200);
}

/** Makes the payment sandbox misbehave, or resets it without an argument. */
export async function setSandboxBehaviour(context: ApiClient, behaviour: SandboxBehaviour = {}): Promise<void> {
  await controlSandbox(context, { behaviour });
}

/** Sends the webhooks that the sandbox holds back. */
export async function releaseWebhooks(context: ApiClient): Promise<void> {
  const response = await context.request.post(`${getBaseUrl()}/sandbox/ccbill/control`, { data: { release: true } });
  expect(response.status(), await response.text()).toBe(200);
}

/** Calls a money route and returns status and body without checking them. */
export async function tryPost(
  context: ApiClient,
  path: string,
  data: object,
  operationId: string = randomUUID(),
): Promise<{ status: number; body: { code?: string; deposit?: number; transactionId?: string } }> {
  const response = await context.request.post(`${getBaseUrl()}/api${path}`, {
    data,
    headers: { 'idempotency-key': operationId },
  });
  return { status: response.status(), body: (await response.json()) as { code?: string; deposit?: number } };
}
