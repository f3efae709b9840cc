import { describe, expect, test } from 'vitest';
import { parseExport, parseResult } from './datalink.ts';
import {
  buildPaymentUrl,
  calculateApprovalDigest,
  calculateDenialDigest,
  calculateFormDigest,
  formatPrice,
} from './flexforms.ts';
import { findRenewalProblem, parseRecurringEvent } from './recurring.ts';
import { createNetworkCheck, isSameSecret } from './sender.ts';
import { formatArizonaDigits, formatArizonaTime, parseArizonaDigits, parseArizonaTime, parseCents } from './values.ts';
import { evaluateDigest, findAccountProblem, findReversalProblem, findSaleProblem } from './verify.ts';
import { parseWebhook } from './webhook-body.ts';

const SALT = '7d901dad245fd0ff6bc20d06';

describe('digests', () => {
  test.each([
    [1000, 30, 'a7459445d0e5dc0963fe736dc5cf900b'],
    [2500, 30, 'f3cd5618d5b27c727213ebe244db9b01'],
    [295, 2, 'bea3e55afa43d79eb0385a6966b8d6b6'],
  ])(
    'a single price of %i cents for %i days has the documented digest',
    (initialPriceCents, initialPeriodDays, digest) => {
      expect(calculateFormDigest({ initialPriceCents, initialPeriodDays, currencyCode: '840' }, SALT)).toBe(digest);
    },
  );
  test('another salt gives another digest', () => {
    expect(calculateFormDigest({ initialPriceCents: 300, initialPeriodDays: 30, currencyCode: '840' }, '99999')).toBe(
      'efbd17e585c88aac150b064eec0919fd',
    );
  });
  test.each([
    [1000, 30, 2500, 30, 99, '09a8f0f1b8daf4f0d4630e9d295e9164'],
    [500, 7, 1995, 30, 12, 'af313f0fd6e4ac11e4f7806d578ed276'],
  ])(
    'a recurring price has the documented digest: %i, %i, %i, %i, %i',
    (initialPriceCents, initialPeriodDays, recurringPriceCents, recurringPeriodDays, numRebills, digest) => {
      const price = {
        initialPriceCents,
        initialPeriodDays,
        recurringPriceCents,
        recurringPeriodDays,
        numRebills,
        currencyCode: '840',
      };
      expect(calculateFormDigest(price, SALT)).toBe(digest);
    },
  );
  test('approvals and denials have the documented digests', () => {
    expect(calculateApprovalDigest('0117240102000000041', SALT)).toBe('4340e81f65049135dfc600e836463fd1');
    expect(calculateDenialDigest('0117240102000000048', SALT)).toBe('cc05f07bf4a20cbe7aa0c10c86cf9aac');
    expect(calculateApprovalDigest('77777', '99999')).toBe('9dfe7bf35f3abe30895138c851b2ed9d');
    expect(calculateDenialDigest('77777', '99999')).toBe('fb187e92e330d9748e7a3dec6d424ed7');
  });
  test('a price always has two decimals', () => {
    expect([5, 50, 100, 30600].map(formatPrice)).toEqual(['0.05', '0.50', '1.00', '306.00']);
    expect(() => formatPrice(1.5)).toThrow(RangeError);
  });
});

test('the payment page URL contains price, digest and order', () => {
  const merchant = { account: '900000', subaccount: '0001', flexId: 'f-1', salt: SALT };
  const address = new URL(buildPaymentUrl('https://api.ccbill.com', merchant, { priceCents: 295, orderId: 'o1' }));
  expect(address.origin + address.pathname).toBe('https://api.ccbill.com/wap-frontflex/flexforms/f-1');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    clientAccnum: '900000',
    clientSubacc: '0001',
    initialPrice: '2.95',
    initialPeriod: '2',
    currencyCode: '840',
    formDigest: 'bea3e55afa43d79eb0385a6966b8d6b6',
    orderId: 'o1',
  });
});

test('the payment page URL of a subscription contains its renewals', () => {
  const merchant = { account: '900000', subaccount: '0001', flexId: 'f-1', salt: SALT };
  const recurring = { priceCents: 1224, periodDays: 30, rebills: 99 };
  const sale = { priceCents: 1224, orderId: 'o1', recurring };
  const address = new URL(buildPaymentUrl('https://api.ccbill.com', merchant, sale));
  const price = { initialPriceCents: 1224, initialPeriodDays: 30, recurringPriceCents: 1224, recurringPeriodDays: 30 };
  expect(Object.fromEntries(address.searchParams)).toEqual({
    clientAccnum: '900000',
    clientSubacc: '0001',
    initialPrice: '12.24',
    initialPeriod: '30',
    recurringPrice: '12.24',
    recurringPeriod: '30',
    numRebills: '99',
    currencyCode: '840',
    formDigest: calculateFormDigest({ ...price, numRebills: 99, currencyCode: '840' }, SALT),
    orderId: 'o1',
  });
});

describe('values', () => {
  test('amounts are decimals without fractions of a cent', () => {
    expect(['45', '45.0', '45.00', '45.5', ' 306.0000 ', '0.01'].map(parseCents)).toEqual([
      4500, 4500, 4500, 4550, 30600, 1,
    ]);
    for (const text of ['', '-1', '45.005', '1e3', '1,000.00', 'NaN', '0x10', '12345678901', undefined])
      expect(parseCents(text)).toBeUndefined();
  });
  test('times are in the time zone of Arizona', () => {
    expect(parseArizonaTime('2017-08-28 06:06:03')?.toISOString()).toBe('2017-08-28T13:06:03.000Z');
    expect(parseArizonaTime('2026-01-31 20:00:00')?.toISOString()).toBe('2026-02-01T03:00:00.000Z');
    for (const text of ['2017-02-30 06:06:03', '2017-08-28', 'now', undefined])
      expect(parseArizonaTime(text)).toBeUndefined();
    const at = new Date('2026-03-01T05:00:00Z');
    expect(formatArizonaTime(at)).toBe('2026-02-28 22:00:00');
    expect(parseArizonaDigits(formatArizonaDigits(at))).toEqual(at);
  });
});

describe('sender checks', () => {
  test('the secret must match exactly', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true);
    expect(isSameSecret('abcd', 'abc')).toBe(false);
  });
  test('networks match IPv4, IPv6 and IPv4-mapped addresses', () => {
    const isAllowed = createNetworkCheck(['64.38.212.0/24', '2001:db8::/32', '10.0.0.7']);
    expect(['64.38.212.1', '::ffff:64.38.212.9', '2001:db8::1', '10.0.0.7'].map(isAllowed)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['64.38.213.1', '127.0.0.1', '', 'x', '10.0.0.8'].map(isAllowed)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('webhook parsing', () => {
  const FORM = 'application/x-www-form-encoded';
  test('form and JSON bodies give the same result', () => {
    const form = parseWebhook('eventType=Refund', 'transactionId=0117&amount=45.0&password=hunter2', FORM);
    const json = parseWebhook(
      'eventType=Refund',
      '{"transactionId":"0117","amount":"45.0","password":"hunter2","nothing":null}',
      'application/json; charset=utf-8',
    );
    expect(form.fields).toEqual({ transactionId: '0117', amount: '45.0' });
    expect(json.fields).toEqual(form.fields);
    expect(json.bodyHash).toEqual(form.bodyHash);
    expect(form.problem).toBeUndefined();
  });
  test.each([
    ['', 'transactionId=1', 'the address names no eventType'],
    ['eventType=Refund', 'eventType=Void&transactionId=1', 'the body names another eventType than the address'],
    ['eventType=Refund&eventType=Void', 'transactionId=1', 'eventType is given twice'],
    ['eventType=Refund', 'amount=1', 'the webhook names no transaction'],
    ['eventType=Refund', 'transactionId=1&transactionId=2', 'transactionId is given twice'],
    ['eventType=Refund', `transactionId=1&x=${'y'.repeat(3_000)}`, 'a field is too long'],
  ])('reports what is wrong with query %j and body %.40j', (search, body, problem) => {
    expect(parseWebhook(search, body, FORM).problem).toBe(problem);
  });
  test.each([
    ['{', 'the body is not JSON'],
    ['[]', 'the body is not an object'],
    ['{"transactionId":117}', 'transactionId is a number'],
    ['{"transactionId":{"$ne":""}}', 'transactionId is not a text'],
  ])('reports what is wrong with the JSON body %s', (body, problem) => {
    expect(parseWebhook('eventType=Refund', body, 'application/json').problem).toBe(problem);
  });
  test('an unreadable body is stored without the password', () => {
    const webhook = parseWebhook(
      'eventType=Refund&password=a',
      '{"transactionId":"1","password":"hunter2"',
      'application/json',
    );
    expect(JSON.stringify(webhook)).not.toContain('hunter2');
    expect(webhook.raw).toBe('{"transactionId":"1","');
    expect(webhook.query).toEqual({ eventType: 'Refund' });
  });
  test('personal data of the payer is dropped', () => {
    const payer = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      address1: '12 St James Square',
      city: 'London',
      postalCode: 'SW1Y',
      email: 'ada@example.com',
      phoneNumber: '5550100',
      ipAddress: '203.0.113.9',
      username: 'ada',
      'X-note': 'Ada',
      bin: '411111',
      expDate: '1229',
    };
    const known = { transactionId: '1', last4: '1111', 'X-orderId': 'o' };
    const webhook = parseWebhook(
      'eventType=Refund&email=ada@example.com',
      JSON.stringify({ ...known, ...payer }),
      'application/json',
    );
    expect(webhook).toMatchObject({ fields: known, query: { eventType: 'Refund' }, problem: undefined });
    expect(Object.keys(webhook.fields).sort()).toEqual(Object.keys(known).sort());
  });
  test('characters that the database cannot store are removed', () => {
    const webhook = parseWebhook(
      'eventType=Refund',
      JSON.stringify({ transactionId: '1', reason: 'a\0b\ud800', __proto__x: 1 }),
      'application/json',
    );
    expect(webhook.fields.reason).toBe('ab\ufffd');
  });
});

describe('verification', () => {
  const seller = { account: '900000', subaccount: '0001', salt: SALT };
  const order = {
    payableCents: 30_600,
    currencyCode: '840',
    createdAt: new Date('2026-03-01T12:00:00Z'),
    expiresAt: new Date('2026-03-03T12:00:00Z'),
  };
  const sale = {
    clientAccnum: '900000',
    clientSubacc: '0001',
    subscriptionId: '0117240102000000041',
    transactionId: '0117240102000000041',
    billedInitialPrice: '306.0',
    billedCurrencyCode: '840',
    timestamp: '2026-03-01 05:30:00',
    dynamicPricingValidationDigest: '4340e81f65049135dfc600e836463fd1',
  };
  const now = new Date('2026-03-01T12:31:00Z');
  test('a valid sale is accepted', () => {
    expect(findSaleProblem(sale, order, seller, now)).toBeUndefined();
    expect(findAccountProblem({}, sale, seller)).toBeUndefined();
  });
  test.each([
    [{ billedInitialPrice: '305.99' }, 'another amount was billed than ordered'],
    [{ billedInitialPrice: '306.01' }, 'another amount was billed than ordered'],
    [{ billedInitialPrice: '' }, 'another amount was billed than ordered'],
    [{ billedCurrencyCode: '978' }, 'it was billed in another currency'],
    [{ billedRecurringPrice: '9.99' }, 'it was sold as recurring'],
    [{ subscriptionId: '1e9' }, 'its ids are not digits'],
    [{ dynamicPricingValidationDigest: 'f'.repeat(32) }, 'its digest is wrong'],
    [{ responseDigest: 'f'.repeat(32) }, 'its digest is wrong'],
    [{ timestamp: '2026-02-28 05:30:00' }, 'it was sold before the order was made'],
    [{ timestamp: '2026-03-09 05:30:00' }, 'the order had expired when it was sold'],
  ])('a sale with %j is refused', (change, problem) => {
    expect(findSaleProblem({ ...sale, ...change }, order, seller, now)).toBe(problem);
  });
  describe('of a recurring sale', () => {
    const recurring = { priceCents: 30_600, periodDays: 30, rebills: 99 };
    const terms = { billedRecurringPrice: '306.00', initialPeriod: '30', recurringPeriod: '30', rebills: '99' };
    test('accepts the terms of the order', () => {
      expect(findSaleProblem({ ...sale, ...terms }, { ...order, recurring }, seller, now)).toBeUndefined();
    });
    test.each([
      [{ billedRecurringPrice: '2.95' }, 'its renewals cost another amount than ordered'],
      [{ billedRecurringPrice: '' }, 'its renewals cost another amount than ordered'],
      [{ recurringPeriod: '365' }, 'its periods are not as long as ordered'],
      [{ initialPeriod: '365' }, 'its periods are not as long as ordered'],
      [{ rebills: '1' }, 'it renews another number of times than ordered'],
    ])('refuses %j', (change, problem) => {
      expect(findSaleProblem({ ...sale, ...terms, ...change }, { ...order, recurring }, seller, now)).toBe(problem);
    });
    test('refuses a single payment for the order of a subscription', () => {
      expect(findSaleProblem(sale, { ...order, recurring }, seller, now)).toBe(
        'its renewals cost another amount than ordered',
      );
    });
  });
  test('an echo of the request digest does not count as proof', () => {
    expect(evaluateDigest({ responseDigest: 'b' }, 'a', 'b')).toBe('echo');
    expect(evaluateDigest({ responseDigest: 'a', dynamicPricingValidationDigest: 'b' }, 'a', 'b')).toBe('proof');
    expect(evaluateDigest({ responseDigest: '' }, 'a', 'b')).toBe('absent');
    expect(evaluateDigest({ responseDigest: 'a', dynamicPricingValidationDigest: 'c' }, 'a', 'b')).toBe('wrong');
  });
  test('another account or subaccount is refused', () => {
    expect(findAccountProblem({}, { ...sale, clientAccnum: '900001' }, seller)).toBe('it is for another account');
    expect(findAccountProblem({}, { ...sale, clientSubacc: '1' }, seller)).toBe('it is for another subaccount');
    expect(findAccountProblem({ clientAccnum: '900001' }, sale, seller)).toBe('its address names another account');
  });
  test('reversals with a wrong amount or currency are refused', () => {
    expect(findReversalProblem({ amount: '306.00', currencyCode: '840' }, order)).toBeUndefined();
    expect(findReversalProblem({ amount: '306.01', currencyCode: '840' }, order)).toBe(
      'it takes back more than was paid',
    );
    expect(findReversalProblem({ amount: '0', currencyCode: '840' }, order)).toBe('its amount is not an amount');
    expect(findReversalProblem({ amount: '1', currencyCode: '36' }, order)).toBe(
      'it is in another currency than the sale',
    );
  });
});

describe('webhooks of a subscription', () => {
  const names = { subscriptionId: '0117', timestamp: '2026-03-31 00:10:00' };
  const renewal = { ...names, transactionId: '0118', billedAmount: '12.240', billedCurrencyCode: '840' };
  test('are parsed according to their type', () => {
    const at = new Date('2026-03-31T07:10:00Z');
    const nextRenewalAt = new Date('2026-04-30T07:00:00Z');
    expect(parseRecurringEvent('RenewalSuccess', { ...renewal, nextRenewalDate: '2026-04-30' })).toEqual({
      type: 'RenewalSuccess',
      subscriptionId: '0117',
      transactionId: '0118',
      billedCents: 1224,
      currencyCode: '840',
      at,
      nextRenewalAt,
    });
    expect(parseRecurringEvent('RenewalFailure', { ...names, nextRetryDate: '2026-04-30' })).toMatchObject({
      nextRetryAt: nextRenewalAt,
    });
    for (const type of ['Cancellation', 'Expiration'] as const)
      expect(parseRecurringEvent(type, names)).toEqual({ type, subscriptionId: '0117', at });
    expect(parseRecurringEvent('BillingDateChange', { ...names, nextRenewalDate: '2026-04-30' })).toMatchObject({
      nextRenewalAt,
    });
    expect(parseRecurringEvent('UserReactivation', { subscriptionId: '0117' })).toMatchObject({ at: undefined });
  });
  test.each([
    ['RenewalSuccess', { subscriptionId: '1e9' }, 'it names no subscription'],
    ['RenewalSuccess', { transactionId: '0117' }, 'it names no transaction of its own'],
    ['RenewalSuccess', { billedAmount: '0.00' }, 'its amount is not an amount'],
    ['RenewalSuccess', { billedAmount: '-12.24' }, 'its amount is not an amount'],
    ['BillingDateChange', { nextRenewalDate: '2026-02-30' }, 'its new date is not a date'],
    ['BillingDateChange', {}, 'its new date is not a date'],
  ] as const)('%s with %j is refused', (type, change, problem) => {
    expect(parseRecurringEvent(type, { ...renewal, ...change })).toBe(problem);
  });
  test.each([
    [{ billedAmount: '12.25' }, 'another amount was billed than ordered'],
    [{ billedCurrencyCode: '978' }, 'it was billed in another currency'],
    [{ timestamp: '2026-02-01 00:00:00' }, 'it was charged before the order was made'],
    [{}, undefined],
  ])('a renewal with %j returns the problem %j', (change, problem) => {
    const event = parseRecurringEvent('RenewalSuccess', { ...renewal, ...change });
    if (typeof event === 'string' || event.type !== 'RenewalSuccess') throw new Error('not parsed');
    const terms = { priceCents: 1224, currencyCode: '840', createdAt: new Date('2026-03-01T00:00:00Z') };
    expect(findRenewalProblem(event, terms)).toBe(problem);
  });
});

describe('DataLink', () => {
  test('results are parsed from CSV and XML', () => {
    expect(['"results"\n"1"', '<results>-7</results>', 'results\r\n0'].map(parseResult)).toEqual(['1', '-7', '0']);
    expect(parseResult('<html>busy</html>')).toBeUndefined();
  });
  test('an export is parsed into rows and unreadable lines', () => {
    const fresh = `"NEW","900000","0001","0117","20260301053000","A","B","","","","","","","","","","Y","306.00","2","0.00","0","0"`;
    const { rows, unreadable } = parseExport(
      `${fresh}\n"REFUND","900000","0001","0117","20260301060000","102.00"\r\n"VOID","900000","0001","x","20260301060000","1"\n`,
    );
    expect(rows).toEqual([
      {
        type: 'NEW',
        account: '900000',
        subaccount: '0001',
        subscriptionId: '0117',
        at: new Date('2026-03-01T12:30:00Z'),
        amountCents: 30_600,
      },
      {
        type: 'REFUND',
        account: '900000',
        subaccount: '0001',
        subscriptionId: '0117',
        at: new Date('2026-03-01T13:00:00Z'),
        amountCents: 10_200,
      },
    ]);
    expect(unreadable).toHaveLength(1);
    expect(parseExport('1').rows).toEqual([]);
    expect(() => parseExport('Error: Authentication failed.')).toThrow('Authentication failed');
  });
});
