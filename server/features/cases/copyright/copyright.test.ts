import { randomUUID } from 'node:crypto';
import { COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { registeredParts } from '../../archive/testing.ts';
import { makeReadyPicture } from '../../media/testing.ts';
import { makePost } from '../../posts/testing.ts';
import { restoreDue } from '../desk/decide.ts';
import { forgetUnused } from '../pictures.ts';
import { auditOf, caseIdOf, decideIt } from '../testing.ts';
import { turnCounters } from './counter.ts';
import { countStrikes } from './store.ts';

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
const notice = (places: string, more: Partial<typeof NOTICE> = {}, by: Pick<TestUser, 'inject'> = app) =>
  send(by, 'public/copyright-notices', { ...NOTICE, places, ...more });
const COUNTER = {
  ...{ name: 'Ana Real', address: '1 Home Lane, Porto', telephone: '+351 22 000 0000', signature: 'Ana Real' },
  ...{ statement: 'I took it myself.', isMistake: true, isConsenting: true },
};
const counter = (by: TestUser, decisionId: string, more: Partial<typeof COUNTER> = {}) =>
  send(by, `helpdesk/decisions/${decisionId}/counter-notice`, { ...COUNTER, ...more });
const view = async (id: string, by = operator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
const turn = () => turnCounters(app.ctx, (id) => restoreDue(app.ctx, id));
const isThere = async (postId: string) => (await app.inject('GET', `/api/post/${postId}`)).statusCode === 200;
async function mailsTo(to: string): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('development_mail')
    .select(['subject', 'body'])
    .where('recipient', '=', to)
    .orderBy('id')
    .execute();
  return rows.map(({ subject, body }) => `${subject}\n${body}`);
}

async function removed(by: TestUser, email = 'cleo@example.com') {
  const mediaId = await makeReadyPicture(app.ctx, by.id);
  const postId = await makePost(app.ctx, by.id, { caption: 'Severn', mediaIds: [mediaId] });
  const answer = await notice(`http://localhost:3000/post/${postId}`, { email });
  expect(answer.statusCode, answer.body).toBe(200);
  const reference: string = answer.json().cases[0].reference;
  const caseId = await caseIdOf(app, reference);
  const decided = await decideIt(operator, caseId, { act: 'remove' });
  expect(decided.statusCode, decided.body).toBe(200);
  return { postId, caseId, reference, decisionId: decided.json().decisions[0].id as string };
}

async function countered(by: TestUser, email?: string) {
  const of = await removed(by, email);
  const answer = await counter(by, of.decisionId);
  expect(answer.statusCode, answer.body).toBe(200);
  return { ...of, counterId: await caseIdOf(app, answer.json().reference), answer: answer.json() };
}

test('a notice requires every field that makes it valid and reports each missing one', async () => {
  const answer = await send(app, 'public/copyright-notices', {
    ...{ name: '', email: 'x', address: ' ', telephone: 'call me', work: '', places: '', signature: '' },
    ...{ isGoodFaith: false, isAccurate: false },
  });
  expect(
    answer
      .json()
      .error.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(
    ['address', 'email', 'isAccurate', 'isGoodFaith', 'name', 'places', 'signature', 'telephone', 'work'].sort(),
  );
});

test('a notice opens one case per address, with numbers, one mail, a deadline and a status', async () => {
  const [one, two] = [await makePost(app.ctx, creator.id, { caption: 'One' }), await makePost(app.ctx, creator.id)];
  const places = `http://localhost:3000/post/${one}?x=1\n/post/${two}\n /post/${two} \n/profile/${stranger.username}`;
  const answer = (await notice(places, { email: 'three@example.com' })).json();
  // Thanksgiving is not a business day.
  expect(answer.answerBy).toBe('2026-11-25T10:00:00.000Z');
  expect(answer.cases).toHaveLength(3);
  const [mail = '', ...others] = await mailsTo('three@example.com');
  expect([others.length, mail.includes(NOTICE.name), mail.includes(NOTICE.work)]).toEqual([0, false, false]);
  for (const { reference } of answer.cases) expect(mail).toContain(reference);
  expect(await view(await caseIdOf(app, answer.cases[0].reference))).toMatchObject({
    ...{ kind: 'copyright', queue: 'copyright', state: 'open', title: 'Copyright notice about a post: One' },
    ...{ about: { id: creator.id }, details: NOTICE.work, strikes: 0, counter: null, isUnproven: true },
    notice: { name: 'Cleo Marsh', address: NOTICE.address, telephone: NOTICE.telephone, signature: 'Cleo Marsh' },
    acts: expect.arrayContaining(['remove', 'dismiss', 'block']),
  });
  const status = await send(app, 'public/complaint-status', {
    reference: answer.cases[2].reference,
    email: 'THREE@example.com',
  });
  expect(status.json()).toMatchObject({ state: 'open', replies: [] });
});

const keptOf = (caseId: string) =>
  app.ctx.db.query
    .selectFrom('copyright_notices')
    .select(['name', 'signature', 'address', 'telephone'])
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();

test('the e-mail address of a claimant does not give access to the case numbers or the notice', async () => {
  const places = `/post/${await makePost(app.ctx, creator.id)}`;
  const email = 'legal@example.com';
  const real = (await notice(places, { email })).json().cases[0].reference;
  const forged = { email, name: 'Mallory', signature: 'Mallory', address: '2 Low Road', telephone: '+1 555 0166' };
  const tries = [
    await notice(places, forged),
    await notice(places, { email }),
    await notice(places, { email }, stranger),
  ];
  const numbers = tries.map((answer) => answer.json().cases[0].reference);
  expect(new Set([real, ...numbers]).size).toBe(4);
  for (const answer of tries) expect(answer.body).not.toContain(real);
  const { name, signature, address, telephone } = NOTICE;
  expect(await keptOf(await caseIdOf(app, real))).toEqual({ name, signature, address, telephone });
  expect((await view(await caseIdOf(app, real))).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'message',
  ]);
});

test('the same notice from the same account updates the claimant’s details and opens no new case', async () => {
  const places = `/post/${await makePost(app.ctx, creator.id)}`;
  const email = 'account@example.com';
  const first = (await notice(places, { email }, stranger)).json();
  const again = (await notice(places, { email, telephone: '+44 117 496 0001' }, stranger)).json();
  expect([again.cases, (await mailsTo(email)).length]).toEqual([first.cases, 1]);
  const id = await caseIdOf(app, first.cases[0].reference);
  expect(await keptOf(id)).toMatchObject({ telephone: '+44 117 496 0001' });
  await send(operator, `admin/cases/${id}/replies`, { text: 'Please sign it.', isClosing: false });
  await notice(places, { email, signature: 'Cleo A. Marsh' }, stranger);
  expect(await view(id)).toMatchObject({ state: 'open', notice: { signature: 'Cleo A. Marsh' } });
  expect((await view(id)).entries.at(-1)).toMatchObject({ kind: 'message', by: stranger.username });
});

test('addresses of other sites, of missing content and too many addresses are refused with a message', async () => {
  const postId = await makePost(app.ctx, creator.id);
  const bad = async (places: string) => (await notice(places)).json().error?.[0];
  for (const [place, words] of [
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
    expect([place, await bad(place)]).toEqual([place, { field: 'places', message: expect.stringContaining(words) }]);
  const many = Array.from({ length: COPYRIGHT.places + 1 }, (_, index) => `/post/${postId}?${index}`).join('\n');
  expect((await bad(many)).message).toContain('Up to 10 links');
  expect((await notice(`/post/${postId}`, { work: 'x'.repeat(10_000) })).json().error[0].field).toBe('work');
  expect((await creator.inject('DELETE', `/api/post/${postId}`)).statusCode).toBe(200);
  expect((await notice(`/post/${postId}`)).statusCode).toBe(200);
});

test('support can neither read nor handle a notice', async () => {
  const { caseId } = await removed(await app.signUp('creator'));
  const tries = [
    await support.inject('GET', `/api/admin/cases/${caseId}`),
    await send(support, `admin/cases/${caseId}/assign`, { isMine: true }),
    await send(support, `admin/cases/${caseId}/notes`, { text: 'Hello' }),
    await send(support, `admin/cases/${caseId}/replies`, { text: 'Hello', isClosing: false }),
    await decideIt(support, caseId, { act: 'dismiss' }),
  ];
  expect(tries.map((answer) => answer.json().code)).toEqual(tries.map(() => 'NOT_FOUND'));
  const { data } = (await support.inject('GET', '/api/admin/desk')).json();
  expect(data.map(({ kind }: { kind: string }) => kind)).not.toContain('copyright');
  expect((await view(caseId)).entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'message',
    'decision',
    'reply',
  ]);
});

test('an incomplete notice can be completed on request, and hiding is not offered for notices', async () => {
  const postId = await makePost(app.ctx, creator.id);
  const { cases } = (await notice(`/post/${postId}`, { email: 'half@example.com' })).json();
  const id = await caseIdOf(app, cases[0].reference);
  expect((await view(id)).acts).not.toContain('hide');
  expect((await decideIt(operator, id, { act: 'hide' })).json().code).toBe('CONFLICT');
  const text = 'Please complete it: which of the photographs is yours?';
  await send(operator, `admin/cases/${id}/replies`, { text, isClosing: false });
  expect(await view(id)).toMatchObject({ state: 'waiting' });
  expect((await mailsTo('half@example.com')).at(-1)).toContain(text);

  const pair = { reference: cases[0].reference, email: 'half@example.com' };
  const completed = await send(app, 'public/complaint-answers', { ...pair, message: 'The second one from above.' });
  expect(completed.json()).toMatchObject({ success: true, state: 'open' });
  const { state, entries } = await view(id);
  expect([state, entries.at(-1).text]).toEqual(['open', 'The second one from above.']);
});

test('the uploader learns who claims what and how to respond, but no contact details', async () => {
  const person = await app.signUp('creator');
  const { decisionId, postId, reference } = await removed(person);
  expect(await isThere(postId)).toBe(false);
  const mail = (await mailsTo(person.email)).at(-1) ?? '';
  for (const words of ['Cleo Marsh', NOTICE.work, 'Rule 4', `/dmca/counter?of=${decisionId}.`])
    expect(mail).toContain(words);
  const own = await person.inject('GET', '/api/helpdesk/decisions');
  expect(own.json().data[0]).toMatchObject({ claim: { name: 'Cleo Marsh', work: NOTICE.work }, canCounter: true });
  for (const secret of [NOTICE.email, 'Quay Street', NOTICE.telephone]) expect(mail + own.body).not.toContain(secret);
  expect((await mailsTo('cleo@example.com')).at(-1)).toContain(`About ${reference}`);
});

test('a counter-notice is accepted once, complete, from the uploader, and only against a copyright removal', async () => {
  const person = await app.signUp('creator');
  const { decisionId, caseId } = await removed(person, 'once@example.com');
  for (const [by, id, code] of [
    [stranger, decisionId, 'NOT_FOUND'],
    [operator, decisionId, 'NOT_FOUND'],
    [person, randomUUID(), 'NOT_FOUND'],
  ] as const)
    expect((await counter(by, id)).json().code).toBe(code);
  const half = await counter(person, decisionId, {
    isMistake: false,
    isConsenting: false,
    address: '',
    signature: ' ',
  });
  expect(
    half
      .json()
      .error.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['address', 'isConsenting', 'isMistake', 'signature'].sort());
  const both = await Promise.all([counter(person, decisionId), counter(person, decisionId)]);
  expect(both.map((answer) => answer.statusCode).sort()).toEqual([200, 409]);
  const passed = (await mailsTo('once@example.com')).at(-1) ?? '';
  for (const words of [COUNTER.name, COUNTER.address, COUNTER.telephone, COUNTER.statement, 'penalty of perjury'])
    expect(passed).toContain(words);
  expect(JSON.stringify((await view(caseId)).entries)).not.toContain('Home Lane');
  const warned = await removed(person);
  await send(operator, `admin/case-decisions/${warned.decisionId}/undo`, { ground: 'Wrong post.' });
  expect((await counter(person, warned.decisionId)).json().code).toBe('CONFLICT');
  expect((await mailsTo('cleo@example.com')).at(-1)).toContain('Wrong post.');
  const profile = (await notice(`/profile/${person.username}`)).json();
  const decided = await decideIt(operator, await caseIdOf(app, profile.cases[0].reference), { act: 'warn' });
  expect((await counter(person, decided.json().decisions[0].id)).json().code).toBe('CONFLICT');
});

test('a counter-notice waits ten business days, is due by the fourteenth and is restored by one decision', async () => {
  const person = await app.signUp('creator');
  const { postId, counterId, answer } = await countered(person, 'press@example.com');
  const begun = app.clock.now();
  // Thanksgiving and weekends do not count.
  expect(answer).toMatchObject({ restoreFrom: '2026-12-08T10:00:00.000Z', restoreBy: '2026-12-14T10:00:00.000Z' });
  expect(await view(counterId)).toMatchObject({ state: 'waiting', acts: ['staysDown', 'dismiss'] });
  expect((await decideIt(operator, counterId, { act: 'restore' })).json().code).toBe('CONFLICT');
  app.clock.set(new Date('2026-12-08T09:59:59Z'));
  await turn();
  expect(await view(counterId)).toMatchObject({ state: 'waiting' });
  app.clock.set(new Date('2026-12-08T10:00:00Z'));
  await turn();
  await turn();
  const due = await view(counterId);
  expect(due).toMatchObject({
    ...{ state: 'open', queue: 'copyright', clock: { dueAt: '2026-12-14T10:00:00.000Z' } },
    ...{ acts: ['restore', 'staysDown', 'dismiss'], counter: { name: 'Ana Real' }, notice: { name: 'Cleo Marsh' } },
  });
  const desk = (await operator.inject('GET', '/api/admin/desk')).json().data;
  expect(desk.find(({ kind }: { kind: string }) => kind === 'copyright').count).toBeGreaterThan(0);
  const second = await app.signUp('operator');
  const tries = await Promise.all([
    decideIt(operator, counterId, { act: 'restore', ground: 'Nobody sued.' }),
    decideIt(second, counterId, { act: 'staysDown', ground: 'They sued.' }),
  ]);
  expect(tries.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await isThere(postId)).toBe(tries[0]?.statusCode === 200);
  app.clock.set(begun);
});

test('on the fourteenth business day the content is restored automatically, once, and both sides are notified', async () => {
  const person = await app.signUp('creator');
  const { postId, counterId, caseId } = await countered(person, 'self@example.com');
  const begun = app.clock.now();
  app.clock.set(new Date('2026-12-14T08:00:00Z'));
  await turn();
  expect(await isThere(postId)).toBe(false);
  app.clock.set(new Date('2026-12-14T09:30:00Z'));
  await Promise.all([turn(), turn()]);
  expect(await isThere(postId)).toBe(true);
  expect(await view(counterId)).toMatchObject({ state: 'closed', decisions: [{ act: 'restore', operator: null }] });
  expect((await auditOf(app, counterId)).filter((act) => act === 'case.restore')).toHaveLength(1);
  expect((await mailsTo('self@example.com')).filter((mail) => mail.includes('has been restored'))).toHaveLength(1);
  expect((await mailsTo(person.email)).filter((mail) => mail.includes('This was reversed'))).toHaveLength(1);
  expect((await view(caseId)).strikes).toBe(0);
  const [own] = (await person.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own).toMatchObject({ canCounter: false, counter: { isOpen: false, outcome: 'restore' } });
  app.clock.set(begun);
});

test('content stays down after a lawsuit, and a dismissed counter-notice can be sent again', async () => {
  const person = await app.signUp('creator');
  const { postId, counterId, decisionId } = await countered(person, 'court@example.com');
  expect((await decideIt(operator, counterId, { act: 'dismiss', ground: 'No name.' })).statusCode).toBe(200);
  expect((await mailsTo(person.email)).at(-1)).toContain('No name.');
  const anew = (await counter(person, decisionId)).json();
  const secondId = await caseIdOf(app, anew.reference);
  await decideIt(operator, secondId, { act: 'staysDown', ground: 'Case 3:26-cv-1 was shown.' });
  expect((await mailsTo(person.email)).at(-1)).toContain('court action');
  expect((await mailsTo('court@example.com')).at(-1)).toContain('stays down');
  expect((await counter(person, decisionId)).json().code).toBe('CONFLICT');
  const begun = app.clock.now();
  app.clock.advance(60 * DAY_MS);
  await turn();
  expect(await isThere(postId)).toBe(false);
  app.clock.set(begun);
});

test('reversing the removal in another way closes the waiting counter-notice', async () => {
  const { postId, counterId, decisionId } = await countered(await app.signUp('creator'), 'undone@example.com');
  await send(operator, `admin/case-decisions/${decisionId}/undo`, { ground: 'They showed a licence.' });
  expect([await isThere(postId), (await view(counterId)).state]).toEqual([true, 'closed']);
  expect((await mailsTo('undone@example.com')).at(-1)).toContain('They showed a licence.');
});

test('strikes count notices in force and have no automatic consequence', async () => {
  const person = await app.signUp('creator');
  const posts = [await makePost(app.ctx, person.id), await makePost(app.ctx, person.id)];
  const { cases } = (await notice(posts.map((id) => `/post/${id}`).join('\n'), { email: 'many@example.com' })).json();
  const ids: string[] = [];
  for (const { reference } of cases) ids.push(await caseIdOf(app, reference));
  for (const id of ids) await decideIt(operator, id, { act: 'remove' });
  const strikes = async () => (await view(ids[0] ?? '')).strikes;
  expect(await strikes()).toBe(1);
  const other = await removed(person);
  const third = await removed(person);
  expect(await strikes()).toBe(3);
  expect((await person.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  await send(operator, `admin/case-decisions/${third.decisionId}/undo`, { ground: 'Wrong.' });
  expect(await strikes()).toBe(2);
  const later = new Date(app.clock.now().getTime() + 370 * DAY_MS);
  expect(await countStrikes(app.ctx.db, person.id, later)).toBe(0);
  expect((await view(other.caseId)).strikes).toBe(2);
});

test('claimants find notices in their export, hostile text stays text, and contact details are deleted in time', async () => {
  const fan = await app.signUp('customer');
  const postId = await makePost(app.ctx, creator.id);
  const work = '<script>alert(1)</script> ‮ [x](javascript:alert(1))';
  const { cases } = (await notice(`/post/${postId}`, { work, email: fan.email }, fan)).json();
  const id = await caseIdOf(app, cases[0].reference);
  expect(await view(id)).toMatchObject({ details: work, fromPerson: { id: fan.id } });
  await decideIt(operator, id, { act: 'dismiss', ground: 'It is theirs.' });
  const part = registeredParts(app.ctx).find(({ name }) => name === 'copyright');
  const entries = [];
  for await (const entry of part?.entries?.(app.ctx, { id: fan.id, type: 'customer' }) ?? []) entries.push(entry);
  expect(entries).toMatchObject([{ kind: 'notice', address: NOTICE.address, telephone: NOTICE.telephone }]);
  const kept = async () =>
    (
      await app.owner.pool.query(
        'select n.name, n.address, n.email, c.from_email from copyright_notices n join cases c on c.id = n.case_id where c.id = $1',
        [id],
      )
    ).rows[0];
  app.clock.advance(1_094 * DAY_MS);
  await forgetUnused(app.ctx);
  expect(await kept()).toMatchObject({ address: NOTICE.address, email: fan.email });
  app.clock.advance(2 * DAY_MS);
  await forgetUnused(app.ctx);
  expect(await kept()).toEqual({ name: 'Cleo Marsh', address: '', email: '', from_email: '' });
});
