/**
 * Measures how long an uninvolved fan waits for a balance update and a deposit while a broadcast is unsent from all
 * followers.
 */
import { randomUUID } from 'node:crypto';
import { calculateApprovalDigest } from '../server/modules/commerce/ccbill/flexforms.ts';
import { formatArizonaTime } from '../server/modules/commerce/ccbill/values.ts';
import { type ChatWorld, PAIRS, TEXT } from './fixtures/conversations.ts';
import { formatSessionCookie, toBenchUserId } from './fixtures/users.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import type { Figure } from './harness/report.ts';
import { median } from './harness/rounds.ts';
import type { OutgoingMessage, Sockets } from './harness/sockets.ts';
import { createBenchConfig } from './servers/config.ts';

const FAN = 0;
const TIPS = 20;
const DEPOSITS = 5;
const EVENT = 'BALANCE_CHANGED';

type UnsendSetup = { context: BenchContext; world: ChatWorld; sockets: Sockets; port: number };
type EventTimes = { tipMs: number; depositMs: number };

export async function measureBroadcastUnsend({ context, world, sockets, port }: UnsendSetup): Promise<Figure[]> {
  const { payments } = createBenchConfig(world.url, context.folder);
  const queryRows = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    withDatabase(world.url, async (db) => (await db.pool.query(text, values)).rows);

  async function requestJson(
    method: string,
    path: string,
    cookie: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { cookie: cookie.slice('cookie: '.length), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return Object(await response.json());
  }

  /** An idle connection is closed, so each measurement has its own. */
  let senderIndex = 4 * PAIRS;

  async function measureEventDelay(path: string, body: object): Promise<number> {
    const message: OutgoingMessage = {
      from: senderIndex,
      header: formatSessionCookie(FAN),
      path,
      body: JSON.stringify(body),
      key: EVENT,
      to: 0,
    };
    return (await sockets.send({ send: 'wallet', port, message, events: 1 })).lastMs;
  }

  const tip = () =>
    measureEventDelay(`/api/tip/customer-send/${toBenchUserId('creator', FAN)}`, { amount: 1, type: 'profile' });

  async function deposit(): Promise<number> {
    const orderResponse = await requestJson('POST', '/api/customer/deposite-fund', formatSessionCookie(FAN), {
      paymentProvider: 'ccbill',
      amount: 20,
    });
    const [order] = await queryRows('select order_id, payable_cents from deposits where id = $1', [
      orderResponse.depositId,
    ]);
    const id = `0117${BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 12)}`)
      .toString()
      .padStart(15, '0')}`;
    return measureEventDelay(`/api/webhook/ccbill/${payments.webhookSecret}?eventType=NewSaleSuccess`, {
      subscriptionId: id,
      transactionId: id,
      clientAccnum: payments.account,
      clientSubacc: payments.subaccount,
      timestamp: formatArizonaTime(new Date()),
      billedInitialPrice: (Number(order?.payable_cents) / 100).toFixed(2),
      billedRecurringPrice: '0.00',
      billedCurrencyCode: '840',
      initialPeriod: '2',
      dynamicPricingValidationDigest: calculateApprovalDigest(id, payments.salt),
      'X-orderId': order?.order_id,
    });
  }

  async function measure(): Promise<EventTimes> {
    const tips: number[] = [];
    const deposits: number[] = [];
    senderIndex += 1;
    for (let n = 0; n < TIPS; n += 1) {
      tips.push(await tip());
      if (n % (TIPS / DEPOSITS) === 0) deposits.push(await deposit());
    }
    return { tipMs: Math.max(...tips), depositMs: Math.max(...deposits) };
  }

  async function sendBroadcast(): Promise<string> {
    const sent = await requestJson('POST', '/api/message/broadcast-text', world.cookies.wide, {
      audience: 'followers',
      text: TEXT,
      clientId: randomUUID(),
    });
    const { id } = Object(sent.data);
    await queryRows(
      `select count(*) from broadcasts b join follows f on f.creator_id = b.creator_id, lateral chat_deliver_broadcasts(b.creator_id, f.fan_id, 20, now()) where b.id = $1`,
      [id],
    );
    return String(id);
  }

  await sockets.open({ open: 'wallet', port, isSocketIo: true, headers: [formatSessionCookie(FAN)] });
  await measure();
  const rounds: { quiet: EventTimes; busy: EventTimes }[] = [];
  for (let round = 0; round < context.options.rounds; round += 1) {
    const id = await sendBroadcast();
    const quiet = await measure();
    await requestJson('DELETE', `/api/message/broadcasts/${id}`, world.cookies.wide);
    const busy = await measure();
    const [remaining] = await queryRows(
      'select count(*) as count from messages where broadcast_id = $1 and unsent_at is null',
      [id],
    );
    rounds.push({ quiet, busy });
    context.logProgress(
      `balance ${quiet.tipMs.toFixed(1)} ms, while unsending ${busy.tipMs.toFixed(1)}; deposit ${quiet.depositMs.toFixed(1)}, ${busy.depositMs.toFixed(1)} ms; ${remaining?.count} still to be unsent`,
    );
    const deadline = performance.now() + 120_000;
    while (
      (await queryRows('select from messages where broadcast_id = $1 and unsent_at is null limit 1', [id])).length >
        0 &&
      performance.now() < deadline
    );
  }
  await sockets.close({ close: 'wallet' });
  const figure = (name: string, pick: (times: EventTimes) => number): Figure => {
    const ratios = rounds.map(({ quiet, busy }) => pick(busy) / pick(quiet));
    const ms = (key: 'quiet' | 'busy') => `${median(rounds.map((round) => pick(round[key]))).toFixed(1)} ms`;
    const ratio = { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
    return { name, ours: ms('busy'), limit: ms('quiet'), ratio, aim: { atMost: 5 } };
  };
  const count = world.followers.toLocaleString('en');
  return [
    figure(
      `the slowest of ${TIPS} balances to be emitted while a broadcast to ${count} is unsent ÷ quiet`,
      ({ tipMs }) => tipMs,
    ),
    figure(`the slowest of ${DEPOSITS} deposits to be credited and emitted, likewise`, ({ depositMs }) => depositMs),
  ];
}
