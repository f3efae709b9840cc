import { randomUUID } from 'node:crypto';
import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture } from '../../content/media/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { listExportParts } from '../../identity/data-export/testing.ts';
import { decideCaseAs, getCaseId, listAuditActions } from '../moderation/testing.ts';
import { processDueCounterNotices } from './counter-notice.ts';
import { countStrikes, deleteContacts } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
let operator: TestUser;
let support: TestUser;
let creator: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-11-23T10:00:00Z') });
  [operator, support] = [await app.signUp('operator'), await app.signUp('operator', { roles: ['support'] })];
  [creator, stranger] = [await app.signUp('creator'), await app.signUp('creator')];
});
afterAll(() => app.close());

const send = (by: Pick<TestUser, 'inject'>, path: string, body: object) => by.inject('POST', `/api/${path}`, body);
const NOTICE = {
  ...{
    name: 'Cleo Marsh',
    email: 'cleo@example.com',
    address: '4 Quay Street\nBristol',
    telephone: '+44 117 496 0000',
  },
  ...{ work: 'My photograph of the Severn at night.', signature: 'Cleo Marsh', isGoodFaith: true, isAccurate: true },
};
const sendNotice = (urls: string, more: Partial<typeof NOTICE> = {}, by: Pick<TestUser, 'inject'> = app) =>
  send(by, 'public/copyright-notices', { ...NOTICE, urls, ...more });
const COUNTER = {
  ...{ name: 'Ana Real', address: '1 Home Lane, Porto', telephone: '+351 22 000 0000', signature: 'Ana Real' },
  ...{ statement: 'I took it myself.', isMistake: true, isConsenting: true },
};
const sendCounterNotice = (by: TestUser, decisionId: string, more: Partial<typeof COUNTER> = {}) =>
  send(by, `helpdesk/decisions/${decisionId}/counter-notice`, { ...COUNTER, ...more });
const getCaseView = async (id: string, by = operator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
const processCounterNotices = () => processDueCounterNotices(app.ctx);
const isVisible = async (postId: string) => (await app.inject('GET', `/api/post/${postId}`)).statusCode === 200;
async function listMails(to: string): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select(['subject', 'body'])
    .where('recipient', '=', to)
    .orderBy('id')
    .execute();
  return rows.map(({ subject, body }) => `${subject}\n${body}`);
}

async function createRemoval(by: TestUser, email = 'cleo@example.com') {
  const mediaId = await makeReadyPicture(app.ctx, by.id);
  const postId = await makePost(app.ctx, by.id, { caption: 'Severn', mediaIds: [mediaId] });
  const answer = await sendNotice(`http://localhost:3000/post/${postId}`, { email });
  expect(answer.statusCode, answer.body).toBe(200);
  const reference: string = answer.json().cases[0].reference;
  const caseId = await getCaseId(app, reference);
  const decided = await decideCaseAs(operator, caseId, { action: 'remove' });
  expect(decided.statusCode, decided.body).toBe(200);
  return { postId, caseId, reference, decisionId: decided.json().decisions[0].id as string };
}

async function createCounterNotice(by: TestUser, email?: string) {
  const removal = await createRemoval(by, email);
  const answer = await sendCounterNotice(by, removal.decisionId);
  expect(answer.statusCode, answer.body).toBe(200);
  return { ...removal, counterId: await getCaseId(app, answer.json().reference), answer: answer.json() };
}

test('a notice requires every field that makes it valid and reports each missing one', async () => {
  const answer = await send(app, 'public/copyright-notices', {
    ...{ name: '', email: 'x', address: ' ', telephone: 'call me', work: '', urls: '', signature: '' },
    ...{ isGoodFaith: false, isAccurate: false },
  });
  expect(
    answer
      .json()
      .error.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['address', 'email', 'isAccurate', 'isGoodFaith', 'name', 'urls', 'signature', 'telephone', 'work'].sort());
});

test('a notice opens one case per address, with numbers, one mail, a deadline and a status', async () => {
  const [one, two] = [await makePost(app.ctx, creator.id, { caption: 'One' }), await makePost(app.ctx, creator.id)];
  const urls = `http://localhost:3000/post/${one}?x=1\n/post/${two}\n /post/${two} \n/profile/${stranger.username}`;
  const answer = (await sendNotice(urls, { email: 'three@example.com' })).json();
  // Thanksgiving is not a business day.
  expect(answer.answerBy).toBe('2026-11-25T10:00:00.000Z');
  expect(answer.cases).toHaveLength(3);
  const [mail = '', ...others] = await listMails('three@example.com');
  expect([others.length, mail.includes(NOTICE.name), mail.includes(NOTICE.work)]).toEqual([0, false, false]);
  for (const { reference } of answer.cases) expect(mail).toContain(reference);
  expect(await getCaseView(await getCaseId(app, answer.cases[0].reference))).toMatchObject({
    ...{ kind: 'copyright', queue: 'copyright', state: 'open', title: 'Copyright notice about a post: One' },
    ...{ about: { id: creator.id }, details: NOTICE.work, strikes: 0, counter: null, isUnverified: true },
    notice: { name: 'Cleo Marsh', address: NOTICE.address, telephone: NOTICE.telephone, signature: 'Cleo Marsh' },
    allowedActions: expect.arrayContaining(['remove', 'dismiss', 'block']),
  });
  const status = await send(app, 'public/complaint-status', {
    reference: answer.cases[2].reference,
    email: 'THREE@example.com',
  });
  expect(status.json()).toMatchObject({ state: 'open', replies: [] });
});

const findStoredNotice = (caseId: string) =>
  app.ctx.db.query
    .selectFrom('copyright_notices')
    .select(['name', 'signature', 'address', 'telephone'])
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();

test('the e-mail address of a claimant does not give access to the case numbers or the notice', async () => {
  const urls = `/post/${await makePost(app.ctx, creator.id)}`;
  const email = 'legal@example.com';
  const real = (await sendNotice(urls, { email })).json().cases[0].reference;
  const forged = { email, name: 'Mallory', signature: 'Mallory', address: '2 Low Road', telephone: '+1 555 0166' };
  const responses = [
    await sendNotice(urls, forged),
    await sendNotice(urls, { email }),
    await sendNotice(urls, { email }, stranger),
  ];
  const numbers = responses.map((answer) => answer.json().cases[0].reference);
  expect(new Set([real, ...numbers]).size).toBe(4);
  for (const answer of responses) expect(answer.body).not.toContain(real);
  const { name, signature, address, telephone } = NOTICE;
  expect(await findStoredNotice(await getCaseId(app, real))).toEqual({ name, signature, address, telephone });
  expect((await getCaseView(await getCaseId(app, real))).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'message',
  ]);
});

test('the same notice from the same account updates the claimant’s details and opens no new case', async () => {
  const urls = `/post/${await makePost(app.ctx, creator.id)}`;
  const email = 'account@example.com';
  const first = (await sendNotice(urls, { email }, stranger)).json();
  const repeatedNotice = (await sendNotice(urls, { email, telephone: '+44 117 496 0001' }, stranger)).json();
  expect([repeatedNotice.cases, (await listMails(email)).length]).toEqual([first.cases, 1]);
  const id = await getCaseId(app, first.cases[0].reference);
  expect(await findStoredNotice(id)).toMatchObject({ telephone: '+44 117 496 0001' });
  await send(operator, `admin/cases/${id}/replies`, { text: 'Please sign it.', isClosing: false });
  await sendNotice(urls, { email, signature: 'Cleo A. Marsh' }, stranger);
  expect(await getCaseView(id)).toMatchObject({ state: 'open', notice: { signature: 'Cleo A. Marsh' } });
  expect((await getCaseView(id)).entries.at(-1)).toMatchObject({ kind: 'message', author: stranger.username });
});

test('addresses of other sites, of missing content and too many addresses are refused with a message', async () => {
  const postId = await makePost(app.ctx, creator.id);
  const findError = async (urls: string) => (await sendNotice(urls)).json().error?.[0];
  for (const [address, text] of [
    [`https://elsewhere.example/post/${postId}`, 'isn’t a Stagedoor link'],
    ['javascript:alert(1)', 'isn’t a Stagedoor link'],
    ['//elsewhere.example/post', 'isn’t a Stagedoor link'],
    ['/terms-of-service', 'isn’t a link to a post or profile'],
    [`/post/${randomUUID()}`, 'doesn’t match a post'],
    ['/post/x', 'doesn’t match a post'],
    ['/profile/nobody.at.all', 'doesn’t match a profile'],
    [`/profile/${operator.username}`, 'doesn’t match a profile'],
    [`/post/${postId}?${'x'.repeat(600)}`, 'is too long'],
  ] as const)
    expect([address, await findError(address)]).toEqual([
      address,
      { field: 'urls', message: expect.stringContaining(text) },
    ]);
  const many = Array.from({ length: COPYRIGHT_LIMITS.urls + 1 }, (_, index) => `/post/${postId}?${index}`).join('\n');
  expect((await findError(many)).message).toContain('Up to 10 links');
  expect((await sendNotice(`/post/${postId}`, { work: 'x'.repeat(10_000) })).json().error[0].field).toBe('work');
  expect((await creator.inject('DELETE', `/api/post/${postId}`)).statusCode).toBe(200);
  expect((await sendNotice(`/post/${postId}`)).statusCode).toBe(200);
});

test('support can neither read nor handle a notice', async () => {
  const { caseId } = await createRemoval(await app.signUp('creator'));
  const responses = [
    await support.inject('GET', `/api/admin/cases/${caseId}`),
    await send(support, `admin/cases/${caseId}/assign`, { isMine: true }),
    await send(support, `admin/cases/${caseId}/notes`, { text: 'Hello' }),
    await send(support, `admin/cases/${caseId}/replies`, { text: 'Hello', isClosing: false }),
    await decideCaseAs(support, caseId, { action: 'dismiss' }),
  ];
  expect(responses.map((answer) => answer.json().code)).toEqual(responses.map(() => 'NOT_FOUND'));
  const { data } = (await support.inject('GET', '/api/admin/work-queue')).json();
  expect(data.map(({ kind }: { kind: string }) => kind)).not.toContain('copyright');
  expect((await getCaseView(caseId)).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'message',
    'decision',
    'reply',
  ]);
});

test('an incomplete notice can be completed on request, and hiding is not offered for notices', async () => {
  const postId = await makePost(app.ctx, creator.id);
  const { cases } = (await sendNotice(`/post/${postId}`, { email: 'half@example.com' })).json();
  const id = await getCaseId(app, cases[0].reference);
  expect((await getCaseView(id)).allowedActions).not.toContain('hide');
  expect((await decideCaseAs(operator, id, { action: 'hide' })).json().code).toBe('CONFLICT');
  const text = 'Please complete it: which of the photographs is yours?';
  await send(operator, `admin/cases/${id}/replies`, { text, isClosing: false });
  expect(await getCaseView(id)).toMatchObject({ state: 'waiting' });
  expect((await listMails('half@example.com')).at(-1)).toContain(text);

  const pair = { reference: cases[0].reference, email: 'half@example.com' };
  const completed = await send(app, 'public/complaint-replies', { ...pair, message: 'The second one from above.' });
  expect(completed.json()).toMatchObject({ success: true, state: 'open' });
  const { state, entries } = await getCaseView(id);
  expect([state, entries.at(-1).text]).toEqual(['open', 'The second one from above.']);
});

test('the uploader learns who claims what and how to respond, but no contact details', async () => {
  const user = await app.signUp('creator');
  const { decisionId, postId, reference } = await createRemoval(user);
  expect(await isVisible(postId)).toBe(false);
  const mail = (await listMails(user.email)).at(-1) ?? '';
  for (const text of ['Cleo Marsh', NOTICE.work, 'Rule 4', `/dmca/counter?token=${decisionId}.`])
    expect(mail).toContain(text);
  const own = await user.inject('GET', '/api/helpdesk/decisions');
  expect(own.json().data[0]).toMatchObject({ claim: { name: 'Cleo Marsh', work: NOTICE.work }, canCounter: true });
  for (const secret of [NOTICE.email, 'Quay Street', NOTICE.telephone]) expect(mail + own.body).not.toContain(secret);
  expect((await listMails('cleo@example.com')).at(-1)).toContain(`About ${reference}`);
});

test('a counter-notice is accepted once, complete, from the uploader, and only against a copyright removal', async () => {
  const user = await app.signUp('creator');
  const { decisionId, caseId } = await createRemoval(user, 'once@example.com');
  for (const [by, id, code] of [
    [stranger, decisionId, 'NOT_FOUND'],
    [operator, decisionId, 'NOT_FOUND'],
    [user, randomUUID(), 'NOT_FOUND'],
  ] as const)
    expect((await sendCounterNotice(by, id)).json().code).toBe(code);
  const incomplete = await sendCounterNotice(user, decisionId, {
    isMistake: false,
    isConsenting: false,
    address: '',
    signature: ' ',
  });
  expect(
    incomplete
      .json()
      .error.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['address', 'isConsenting', 'isMistake', 'signature'].sort());
  const both = await Promise.all([sendCounterNotice(user, decisionId), sendCounterNotice(user, decisionId)]);
  expect(both.map((answer) => answer.statusCode).sort()).toEqual([200, 409]);
  const forwardedMail = (await listMails('once@example.com')).at(-1) ?? '';
  for (const text of [COUNTER.name, COUNTER.address, COUNTER.telephone, COUNTER.statement, 'penalty of perjury'])
    expect(forwardedMail).toContain(text);
  expect(JSON.stringify((await getCaseView(caseId)).entries)).not.toContain('Home Lane');
  const warnedRemoval = await createRemoval(user);
  await send(operator, `admin/case-decisions/${warnedRemoval.decisionId}/undo`, { reason: 'Wrong post.' });
  expect((await sendCounterNotice(user, warnedRemoval.decisionId)).json().code).toBe('CONFLICT');
  expect((await listMails('cleo@example.com')).at(-1)).toContain('Wrong post.');
  const profile = (await sendNotice(`/profile/${user.username}`)).json();
  const decided = await decideCaseAs(operator, await getCaseId(app, profile.cases[0].reference), { action: 'warn' });
  expect((await sendCounterNotice(user, decided.json().decisions[0].id)).json().code).toBe('CONFLICT');
});

test('a counter-notice waits ten business days, is due by the fourteenth and is restored by one decision', async () => {
  const user = await app.signUp('creator');
  const { postId, counterId, answer } = await createCounterNotice(user, 'press@example.com');
  const startedAt = app.clock.now();
  // Thanksgiving and weekends do not count.
  expect(answer).toMatchObject({ restoreFrom: '2026-12-08T10:00:00.000Z', restoreBy: '2026-12-14T10:00:00.000Z' });
  expect(await getCaseView(counterId)).toMatchObject({ state: 'waiting', allowedActions: ['staysDown', 'dismiss'] });
  expect((await decideCaseAs(operator, counterId, { action: 'restore' })).json().code).toBe('CONFLICT');
  app.clock.set(new Date('2026-12-08T09:59:59Z'));
  await processCounterNotices();
  expect(await getCaseView(counterId)).toMatchObject({ state: 'waiting' });
  app.clock.set(new Date('2026-12-08T10:00:00Z'));
  await processCounterNotices();
  await processCounterNotices();
  const dueCase = await getCaseView(counterId);
  expect(dueCase).toMatchObject({
    ...{ state: 'open', queue: 'copyright', deadline: { dueAt: '2026-12-14T10:00:00.000Z' } },
    ...{
      allowedActions: ['restore', 'staysDown', 'dismiss'],
      counter: { name: 'Ana Real' },
      notice: { name: 'Cleo Marsh' },
    },
  });
  const workQueue = (await operator.inject('GET', '/api/admin/work-queue')).json().data;
  expect(workQueue.find(({ kind }: { kind: string }) => kind === 'copyright').count).toBeGreaterThan(0);
  const second = await app.signUp('operator');
  const responses = await Promise.all([
    decideCaseAs(operator, counterId, { action: 'restore', reason: 'Nobody sued.' }),
    decideCaseAs(second, counterId, { action: 'staysDown', reason: 'They sued.' }),
  ]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await isVisible(postId)).toBe(responses[0]?.statusCode === 200);
  app.clock.set(startedAt);
});

test('on the fourteenth business day the content is restored automatically, once, and both sides are notified', async () => {
  const user = await app.signUp('creator');
  const { postId, counterId, caseId } = await createCounterNotice(user, 'self@example.com');
  const startedAt = app.clock.now();
  app.clock.set(new Date('2026-12-14T08:00:00Z'));
  await processCounterNotices();
  expect(await isVisible(postId)).toBe(false);
  app.clock.set(new Date('2026-12-14T09:30:00Z'));
  await Promise.all([processCounterNotices(), processCounterNotices()]);
  expect(await isVisible(postId)).toBe(true);
  expect(await getCaseView(counterId)).toMatchObject({
    state: 'closed',
    decisions: [{ action: 'restore', operator: null }],
  });
  expect((await listAuditActions(app, counterId)).filter((action) => action === 'case.restore')).toHaveLength(1);
  expect((await listMails('self@example.com')).filter((mail) => mail.includes('has been restored'))).toHaveLength(1);
  expect((await listMails(user.email)).filter((mail) => mail.includes('This was reversed'))).toHaveLength(1);
  expect((await getCaseView(caseId)).strikes).toBe(0);
  const [own] = (await user.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own).toMatchObject({ canCounter: false, counter: { isOpen: false, outcome: 'restore' } });
  app.clock.set(startedAt);
});

test('content stays down after a lawsuit, and a dismissed counter-notice can be sent again', async () => {
  const user = await app.signUp('creator');
  const { postId, counterId, decisionId } = await createCounterNotice(user, 'court@example.com');
  expect((await decideCaseAs(operator, counterId, { action: 'dismiss', reason: 'No name.' })).statusCode).toBe(200);
  expect((await listMails(user.email)).at(-1)).toContain('No name.');
  const secondNotice = (await sendCounterNotice(user, decisionId)).json();
  const secondId = await getCaseId(app, secondNotice.reference);
  await decideCaseAs(operator, secondId, { action: 'staysDown', reason: 'Case 3:26-cv-1 was shown.' });
  expect((await listMails(user.email)).at(-1)).toContain('court action');
  expect((await listMails('court@example.com')).at(-1)).toContain('stays down');
  expect((await sendCounterNotice(user, decisionId)).json().code).toBe('CONFLICT');
  const startedAt = app.clock.now();
  app.clock.advance(60 * DAY_MS);
  await processCounterNotices();
  expect(await isVisible(postId)).toBe(false);
  app.clock.set(startedAt);
});

test('reversing the removal in another way closes the waiting counter-notice', async () => {
  const { postId, counterId, decisionId } = await createCounterNotice(
    await app.signUp('creator'),
    'undone@example.com',
  );
  await send(operator, `admin/case-decisions/${decisionId}/undo`, { reason: 'They showed a licence.' });
  expect([await isVisible(postId), (await getCaseView(counterId)).state]).toEqual([true, 'closed']);
  expect((await listMails('undone@example.com')).at(-1)).toContain('They showed a licence.');
});

test('strikes count notices in force and have no automatic consequence', async () => {
  const user = await app.signUp('creator');
  const posts = [await makePost(app.ctx, user.id), await makePost(app.ctx, user.id)];
  const { cases } = (
    await sendNotice(posts.map((id) => `/post/${id}`).join('\n'), { email: 'many@example.com' })
  ).json();
  const ids: string[] = [];
  for (const { reference } of cases) ids.push(await getCaseId(app, reference));
  for (const id of ids) await decideCaseAs(operator, id, { action: 'remove' });
  const strikes = async () => (await getCaseView(ids[0] ?? '')).strikes;
  expect(await strikes()).toBe(1);
  const other = await createRemoval(user);
  const third = await createRemoval(user);
  expect(await strikes()).toBe(3);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  await send(operator, `admin/case-decisions/${third.decisionId}/undo`, { reason: 'Wrong.' });
  expect(await strikes()).toBe(2);
  const later = new Date(app.clock.now().getTime() + 370 * DAY_MS);
  expect(await countStrikes(app.ctx.db, user.id, later)).toBe(0);
  expect((await getCaseView(other.caseId)).strikes).toBe(2);
});

test('claimants find notices in their export, hostile text stays text, and contact details are deleted in time', async () => {
  const fan = await app.signUp('customer');
  const postId = await makePost(app.ctx, creator.id);
  const work = '<script>alert(1)</script> ‮ [x](javascript:alert(1))';
  const { cases } = (await sendNotice(`/post/${postId}`, { work, email: fan.email }, fan)).json();
  const id = await getCaseId(app, cases[0].reference);
  expect(await getCaseView(id)).toMatchObject({ details: work, fromUser: { id: fan.id } });
  await decideCaseAs(operator, id, { action: 'dismiss', reason: 'It is theirs.' });
  const part = listExportParts(app.ctx).find(({ name }) => name === 'copyright');
  const entries = [];
  for await (const entry of part?.entries?.(app.ctx, { id: fan.id, type: 'customer' }) ?? []) entries.push(entry);
  expect(entries).toMatchObject([{ kind: 'notice', address: NOTICE.address, telephone: NOTICE.telephone }]);
  const findStored = async () =>
    (
      await app.owner.pool.query(
        'select n.name, n.address, n.email, c.from_email from copyright_notices n join cases c on c.id = n.case_id where c.id = $1',
        [id],
      )
    ).rows[0];
  app.clock.advance(1_094 * DAY_MS);
  await deleteContacts(app.ctx);
  expect(await findStored()).toMatchObject({ address: NOTICE.address, email: fan.email });
  app.clock.advance(2 * DAY_MS);
  await deleteContacts(app.ctx);
  expect(await findStored()).toEqual({ name: 'Cleo Marsh', address: '', email: '', from_email: '' });
});
