import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { COMPANY_DETAIL_KEYS, type CompanyDetails } from '@stagedoor/contract/admin/company-details.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRIVACY_POLICY_GROUPS } from '../../../platform/personal-data.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { committedLines, expectCommitted } from '../../../testing/generated-list.ts';
import { updateSalesSettings } from '../../commerce/sales/index.ts';
import { getPlatformTerms } from '../../finance/pricing/index.ts';
import { OWNED_SCHEMAS } from '../../index.ts';
import { listAgreedTexts } from './policy-texts.ts';
import { POLICIES } from './texts/index.ts';
import { STORED } from './texts/stored-data.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const EMPTY_DETAILS: CompanyDetails = {
  company: '',
  address: '',
  country: '',
  contactMail: '',
  dmcaAgent: '',
  dmcaAddress: '',
  dmcaMail: '',
  dmcaPhone: '',
  custodian: '',
  custodianAddress: '',
  custodianHours: '',
};
const FULL_DETAILS = Object.fromEntries(
  COMPANY_DETAIL_KEYS.map((name) => [name, name.endsWith('Mail') ? `${name}@example.com` : `The ${name}`]),
) as CompanyDetails;
const readPolicy = async (key: PolicyKey, query = '') => test.inject('GET', `/api/public/policies/${key}${query}`);

it('the privacy policy has no row without a table that stores such data', () => {
  const usedGroups = new Set(
    OWNED_SCHEMAS.flatMap(({ tables }) => Object.values(tables)).map(
      ({ personalData }) => personalData.inPrivacyPolicyAs,
    ),
  );
  expect(
    PRIVACY_POLICY_GROUPS.filter((group) => !usedGroups.has(group)),
    'remove them from server/platform/personal-data.ts and server/modules/trust/legal/texts/stored-data.ts',
  ).toEqual([]);
  expect(Object.keys(STORED), 'the order of the rows').toEqual([...PRIVACY_POLICY_GROUPS]);
});

/** The pattern finds retention times that should be in the retention table. */
const HARDCODED_RETENTION = /const \w*(?:RETENTION|LIFETIME|KEEP|IDLE|ABSOLUTE)\w* = [^;]*(?:24 \* 60|\bDAY_MS)/;
/** These files store no personal data. */
const FILE_EXCEPTIONS = ['content/media/profile-pictures.ts', 'content/media/maintenance/audit.ts'];

it('retention times come from the retention table, which the privacy policy prints', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.|testing/.test(file),
  );
  const offenders = files.filter(
    (file) => !FILE_EXCEPTIONS.includes(file) && HARDCODED_RETENTION.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(offenders, 'take the time from server/platform/retention.ts').toEqual([]);
});

it('no text has a gap, whether or not the company details are set', async () => {
  const terms = await getPlatformTerms(test.ctx.db, test.ctx.config);
  for (const companyDetails of [EMPTY_DETAILS, FULL_DETAILS])
    for (const key of POLICY_KEYS)
      for (const { write } of POLICIES[key].versions)
        for (const { id, title, paragraphs, points, table } of write({ companyDetails, terms })) {
          const texts = [id, title, ...paragraphs, ...points, ...(table?.rows.flat() ?? [])];
          expect(
            texts.filter((text) => /^[\s.,:]*$|undefined|NaN|: \.|\.\.| {2}|, \./.test(text)),
            key,
          ).toEqual([]);
          expect(paragraphs.length + points.length + (table?.rows.length ?? 0), `${key}: ${title}`).toBeGreaterThan(0);
        }
  const renderAll = (companyDetails: CompanyDetails) =>
    JSON.stringify(
      POLICY_KEYS.flatMap((key) => POLICIES[key].versions.map(({ write }) => write({ companyDetails, terms }))),
    );
  for (const name of COMPANY_DETAIL_KEYS) expect(renderAll(FULL_DETAILS), name).toContain(FULL_DETAILS[name]);
});

it('a published version is never edited, and a change is a new version', async () => {
  const terms = await getPlatformTerms(test.ctx.db, test.ctx.config);
  const lines = POLICY_KEYS.flatMap((key) =>
    POLICIES[key].versions.map(({ version, changes, write }) => {
      const text = JSON.stringify([
        changes,
        write({ companyDetails: EMPTY_DETAILS, terms }),
        write({ companyDetails: FULL_DETAILS, terms }),
      ]);
      return `${key} ${version} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    }),
  );
  const file = new URL('versions.txt', import.meta.url);
  // Updating the list adds versions; it does not overwrite the hash of one that users may have agreed to.
  const edited = committedLines(file).filter((line) => !lines.includes(line));
  expect(
    edited,
    'add a version to server/modules/trust/legal/texts/<key>.ts; one that no user has seen may be edited: remove its line from server/modules/trust/legal/versions.txt, then npm test -- --update',
  ).toEqual([]);
  await expectCommitted(file, lines);
  for (const key of POLICY_KEYS) {
    const days = POLICIES[key].versions.map(({ version }) => version);
    expect(days).toEqual([...new Set(days)].toSorted());
  }
});

it('amounts in the texts come from the operator’s settings', async () => {
  const readText = async () => (await readPolicy('terms-of-service')).body;
  expect(await readText()).toContain('In a day you can spend $500.00 at most,');
  await test.owner.transaction((tx) => updateSalesSettings(tx, { dailyLimitCents: 12_300, offerPercent: 7.5 }));
  await test.owner.query.updateTable('payout_settings').set({ minimum_cents: 3_100 }).execute();
  expect(await readText()).toContain('In a day you can spend $123.00 at most,');
  const terms = (await test.inject('GET', '/api/public/terms')).json();
  expect(terms).toMatchObject({ offerFee: 7.5, dailySpend: 123, payoutMinimum: 31, clearingDays: 7 });
});

it('a version is read by its day, and future or unknown versions return 404', async () => {
  const now = (await readPolicy('terms-of-service')).json();
  expect(now).toMatchObject({ key: 'terms-of-service', isInForce: true, version: now.versions[0].version });
  expect((await readPolicy('terms-of-service', `?version=${now.version}`)).json().version).toBe(now.version);
  for (const query of ['?version=1999-01-01', '?version=2999-01-01'])
    expect((await readPolicy('terms-of-service', query)).statusCode).toBe(404);
  expect((await readPolicy('terms-of-service', '?version=yesterday')).statusCode).toBe(400);
  const agreement = (await readPolicy('creator-agreement')).json();
  expect(agreement.sections.map(({ title }: { title: string }) => title)).toContain('What is yours stays yours');
  const list = (await test.inject('GET', '/api/public/policies')).json();
  expect(list.data.map(({ key }: { key: string }) => key)).toEqual([...POLICY_KEYS]);
});

it('a future version is neither in force, listed nor readable before its day', async () => {
  const policy = POLICIES.dmca;
  const { versions } = policy;
  const now = test.clock.now();
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60_000).toISOString().slice(0, 10);
  Reflect.set(policy, 'versions', [...versions, { ...versions[0], version: tomorrow, changes: 'Of tomorrow.' }]);
  const isListed = async () => (await test.inject('GET', '/api/public/policies')).body.includes('Of tomorrow.');
  try {
    const today = (await readPolicy('dmca')).json();
    expect([today.version === tomorrow, today.isInForce, await isListed()]).toEqual([false, true, false]);
    expect(JSON.stringify(today.versions)).not.toContain(tomorrow);
    expect((await readPolicy('dmca', `?version=${tomorrow}`)).statusCode).toBe(404);
    test.clock.set(new Date(`${tomorrow}T00:00:00Z`));
    expect([(await readPolicy('dmca')).json(), await isListed()]).toMatchObject([
      { version: tomorrow, isInForce: true },
      true,
    ]);
    expect((await readPolicy('dmca', `?version=${today.version}`)).json()).toMatchObject({ isInForce: false });
  } finally {
    Reflect.set(policy, 'versions', versions);
    test.clock.set(now);
  }
});

it('sign-up agrees to the terms in force, and a newer version must be agreed to once', async () => {
  const fan = await test.signUp('customer', { hasConsented: true });
  const other = await test.signUp('customer');
  const rows = () =>
    test.owner.query.selectFrom('policy_agreements').selectAll().where('user_id', '=', fan.id).execute();
  expect(await rows()).toHaveLength(1);
  const listPending = async (user = fan) => (await user.inject('GET', '/api/policies/pending')).json().data;
  expect(await listPending()).toEqual([]);
  const version = POLICIES['terms-of-service'].versions.at(-1)?.version ?? '';
  expect(await listPending(other)).toMatchObject([{ key: 'terms-of-service', version, agreedVersion: null }]);

  await test.owner.query
    .updateTable('policy_agreements')
    .set({ version: '2026-01-01' })
    .where('user_id', '=', fan.id)
    .execute();
  expect(await listPending()).toMatchObject([
    { key: 'terms-of-service', version, agreedVersion: '2026-01-01', changes: [{ version }] },
  ]);
  const [{ textHash }] = await listPending();
  const postAgreement = (to: string) =>
    fan.inject('POST', '/api/policies/agree', { agreed: [{ key: 'terms-of-service', version: to, textHash }] });
  expect((await postAgreement('2026-01-01')).statusCode).toBe(409);
  expect((await postAgreement(version)).statusCode).toBe(200);
  expect((await postAgreement(version)).statusCode).toBe(200);
  expect(await listPending()).toEqual([]);
  expect((await rows()).map(({ source }) => source).toSorted()).toEqual(['prompted', 'signUp']);
  const operator = await test.signUp('operator');
  expect((await operator.inject('GET', '/api/policies/pending')).json().data).toEqual([]);
});

it('an agreed text is stored as it read, whatever is set afterwards', async () => {
  const setDailyLimit = (dailyLimitCents: number) =>
    test.owner.transaction((tx) => updateSalesSettings(tx, { dailyLimitCents }));
  const listTexts = async (userId: string) =>
    (await listAgreedTexts(test.ctx.db, userId)).map(({ sections }) => JSON.stringify(sections));
  const policy = POLICIES['terms-of-service'];
  const userIds: string[] = [];
  for (const cents of [11_100, 22_200, 22_200]) {
    await setDailyLimit(cents);
    test.clock.advance(1_000);
    const fan = await test.signUp('customer');
    const [{ key, version, textHash }] = (await fan.inject('GET', '/api/policies/pending')).json().data;
    const postAgreement = () => fan.inject('POST', '/api/policies/agree', { agreed: [{ key, version, textHash }] });
    await setDailyLimit(cents + 1);
    expect((await postAgreement()).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'This text has changed. Please review it and agree again.',
    });
    expect(await listTexts(fan.id)).toEqual([]);
    await setDailyLimit(cents);
    expect((await postAgreement()).statusCode).toBe(200);
    userIds.push(fan.id);
  }
  await setDailyLimit(33_300);
  const [first = '', second = '', third = ''] = userIds;
  expect(await listTexts(first)).toEqual([expect.stringContaining('you can spend $111.00 at most')]);
  expect(await listTexts(second)).toEqual([expect.stringContaining('you can spend $222.00 at most')]);
  expect(await listTexts(third)).toEqual(await listTexts(second));
  const { rows } = await test.owner.pool.query(
    `select count(distinct text_hash)::int as count from policy_agreements where user_id = any ($1::uuid[])`,
    [userIds],
  );
  expect(rows).toEqual([{ count: 2 }]);
  expect((await readPolicy('terms-of-service')).body).toContain('you can spend $333.00 at most');
  const { versions } = policy;
  const now = test.clock.now();
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60_000);
  const day = tomorrow.toISOString().slice(0, 10);
  Reflect.set(policy, 'versions', [...versions, { ...versions[0], version: day }]);
  try {
    test.clock.set(tomorrow);
    const former = await readPolicy('terms-of-service', `?version=${versions.at(-1)?.version}`);
    expect(former.json().isInForce).toBe(false);
    expect(former.body).toContain('you can spend $222.00 at most');
    expect((await readPolicy('terms-of-service')).body).toContain('you can spend $333.00 at most');
  } finally {
    Reflect.set(policy, 'versions', versions);
    test.clock.set(now);
  }
});

it('company details are set one at a time, logged, and counted as missing until they are complete', async () => {
  const operator = await test.signUp('operator');
  const countWaiting = async () => {
    const { data } = (await operator.inject('GET', '/api/admin/work-queue')).json();
    return data.find(({ kind }: { kind: string }) => kind === 'missingCompanyDetails').count;
  };
  expect(await countWaiting()).toBe(COMPANY_DETAIL_KEYS.length);
  const putDetails = (from: CompanyDetails, to: CompanyDetails) =>
    operator.inject('POST', '/api/admin/company', { from, to });
  const first = { ...EMPTY_DETAILS, company: 'Stage Door Ltd' };
  expect((await putDetails(EMPTY_DETAILS, first)).json()).toMatchObject({ details: first });
  expect((await putDetails(EMPTY_DETAILS, FULL_DETAILS)).statusCode).toBe(409);
  expect((await putDetails(first, { ...first, contactMail: 'nowhere' })).statusCode).toBe(400);
  expect((await putDetails(first, FULL_DETAILS)).json().missingKeys).toEqual([]);
  expect(await countWaiting()).toBe(0);
  expect((await readPolicy('2257')).body).toContain('The custodianAddress.');
  const { data } = (await operator.inject('GET', '/api/admin/audit?action=settings.operator')).json();
  expect(data).toHaveLength(2);
  expect(data[1].details).toEqual({ company: 'Stage Door Ltd', companyBefore: '' });
  const fan = await test.signUp('customer');
  expect((await fan.inject('GET', '/api/admin/company')).statusCode).toBe(403);
});
