/**
 * Measures how long an uninvolved fan waits for a balance update and a deposit while a broadcast is unsent from all
 * followers.
 */
import { randomUUID } from 'node:crypto';
import { approvalDigest } from '../server/features/payments/ccbill/flexforms.ts';
import { arizonaText } from '../server/features/payments/ccbill/values.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure } from './harness/report.ts';
import { median } from './harness/rounds.ts';
import type { Saying, Sockets } from './harness/sockets.ts';
import type { Stage } from './harness/stage.ts';
import { benchConfig } from './servers/config.ts';
import { cookieLine, personId } from './worlds/people.ts';
import { PAIRS, type Talks, TEXT } from './worlds/talks.ts';

const FAN = 0;
const TIPS = 20;
const DEPOSITS = 5;
const EVENT = 'BALANCE_CHANGED';

type Needs = { stage: Stage; talks: Talks; sockets: Sockets; port: number };
type Times = { tipMs: number; depositMs: number };

export async function takingBack({ stage, talks, sockets, port }: Needs): Promise<Figure[]> {
  const { payments } = benchConfig(talks.url, stage.folder);
  const rows = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    withDatabase(talks.url, async (db) => (await db.pool.query(text, values)).rows);

  async function ask(method: string, path: string, cookie: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { cookie: cookie.slice('cookie: '.length), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return Object(await answer.json());
  }

  /** An idle connection is closed, so each measurement has its own. */
  let speaker = 4 * PAIRS;

  async function toldAfter(path: string, body: object): Promise<number> {
    const saying: Saying = {
      from: speaker,
      header: cookieLine(FAN),
      path,
      body: JSON.stringify(body),
      key: EVENT,
      to: 0,
    };
    return (await sockets.call({ call: 'wallet', port, saying, events: 1 })).lastMs;
  }

  const tip = () => toldAfter(`/api/tip/customer-send/${personId('creator', FAN)}`, { amount: 1, type: 'profile' });

  async function deposit(): Promise<number> {
    const ordered = await ask('POST', '/api/customer/deposite-fund', cookieLine(FAN), {
      paymentProvider: 'ccbill',
      amount: 20,
    });
    const [order] = await rows('select order_id, payable_cents from deposits where id = $1', [ordered.depositId]);
    const id = `0117${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 12)}`)
      .toString()
      .padStart(15, '0')}`;
    return toldAfter(`/api/webhook/ccbill/${payments.webhookSecret}?eventType=NewSaleSuccess`, {
      subscriptionId: id,
      transactionId: id,
      clientAccnum: payments.account,
      clientSubacc: payments.subaccount,
      timestamp: arizonaText(new Date()),
      billedInitialPrice: (Number(order?.payable_cents) / 100).toFixed(2),
      billedRecurringPrice: '0.00',
      billedCurrencyCode: '840',
      initialPeriod: '2',
      dynamicPricingValidationDigest: approvalDigest(id, payments.salt),
      'X-orderId': order?.order_id,
    });
  }

  async function measure(): Promise<Times> {
    const tips: number[] = [];
    const deposits: number[] = [];
    speaker += 1;
    for (let n = 0; n < TIPS; n += 1) {
      tips.push(await tip());
      if (n % (TIPS / DEPOSITS) === 0) deposits.push(await deposit());
    }
    return { tipMs: Math.max(...tips), depositMs: Math.max(...deposits) };
  }

  async function broadcast(): Promise<string> {
    const sent = await ask('POST', '/api/message/broadcast-text', talks.cookies.wide, {
      audience: 'followers',
      text: TEXT,
      clientId: randomUUID(),
    });
    const { id } = Object(sent.data);
    await rows(
      `select count(*) from broadcasts b join follows f on f.creator_id = b.creator_id, lateral chat_deliver(b.creator_id, f.fan_id, 20, now()) where b.id = $1`,
      [id],
    );
    return String(id);
  }

  await sockets.open({ open: 'wallet', port, isSocketIo: true, headers: [cookieLine(FAN)] });
  await measure();
  const rounds: { quiet: Times; busy: Times }[] = [];
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const id = await broadcast();
    const quiet = await measure();
    await ask('DELETE', `/api/message/broadcasts/${id}`, talks.cookies.wide);
    const busy = await measure();
    const [left] = await rows('select count(*) as count from messages where broadcast_id = $1 and unsent_at is null', [
      id,
    ]);
    rounds.push({ quiet, busy });
    stage.tell(
      `balance ${quiet.tipMs.toFixed(1)} ms, while taking back ${busy.tipMs.toFixed(1)}; deposit ${quiet.depositMs.toFixed(1)}, ${busy.depositMs.toFixed(1)} ms; ${left?.count} still to be taken back`,
    );
    const deadline = performance.now() + 120_000;
    while (
      (await rows('select from messages where broadcast_id = $1 and unsent_at is null limit 1', [id])).length > 0 &&
      performance.now() < deadline
    );
  }
  await sockets.close({ close: 'wallet' });
  const figure = (name: string, pick: (times: Times) => number): Figure => {
    const ratios = rounds.map(({ quiet, busy }) => pick(busy) / pick(quiet));
    const ms = (of: 'quiet' | 'busy') => `${median(rounds.map((round) => pick(round[of]))).toFixed(1)} ms`;
    const ratio = { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
    return { name, ours: ms('busy'), limit: ms('quiet'), ratio, aim: { atMost: 5 } };
  };
  const count = talks.followers.toLocaleString('en');
  return [
    figure(
      `the slowest of ${TIPS} balances to be told while a broadcast to ${count} is taken back ÷ quiet`,
      ({ tipMs }) => tipMs,
    ),
    figure(`the slowest of ${DEPOSITS} deposits to be credited and told, likewise`, ({ depositMs }) => depositMs),
  ];
}
