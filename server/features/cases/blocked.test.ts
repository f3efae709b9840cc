import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { mailedToken } from '../accounts/testing.ts';
import { pictureFile } from '../media/testing.ts';
import { caseIdOf, decideIt, reportedCase } from './testing.ts';

const HOUR_MS = 60 * 60_000;
let app: TestApp;
let operator: TestUser;
let second: TestUser;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  fan = await app.signUp('customer');
});
afterAll(() => app.close());
beforeEach(async () => {
  creator = await app.signUp('creator');
  const blocked = await decideIt(operator, await reportedCase(app, fan, { person: creator }), { act: 'block' });
  expect(blocked.statusCode, blocked.body).toBe(200);
});

const logIn = async ({ username, password }: TestUser = creator) =>
  (await app.inject('POST', '/api/auth/login', { username, password })).json();
type More = { email?: string; proof?: string; pictures?: readonly string[] };
const write = (details: string, more: More = {}) =>
  app.inject('POST', '/api/public/contact-admin', { name: 'Ana', email: creator.email, details, ...more });
const referenceOf = async (...args: Parameters<typeof write>) => (await write(...args)).json().reference;
const view = async (reference: string) =>
  (await second.inject('GET', `/api/admin/cases/${await caseIdOf(app, reference)}`)).json();

test('a right log-in returns the reason for the block and a proof, and a wrong one returns neither', async () => {
  const answer = await logIn();
  expect(answer).toMatchObject({ code: 'account_blocked', proof: expect.stringContaining(creator.id) });
  expect(answer.message).toBe(
    'Your account is permanently blocked. Rule 4: someone else’s work. If you think this is a mistake, contact us.',
  );
  const wrong = await logIn({ ...creator, password: 'Wrong7!guess' });
  expect(wrong).toMatchObject({ code: 'VALIDATION' });
  expect(wrong).not.toHaveProperty('proof');
});

test('a message with the proof is the user’s appeal, and later messages are added until it is decided', async () => {
  const { proof } = await logIn();
  const reference = await referenceOf('I have the negatives.', { email: 'another@example.org', proof });
  expect(await view(reference)).toMatchObject({
    ...{ kind: 'appeal', isUnproven: false, fromEmail: 'another@example.org' },
    ...{ fromPerson: { id: creator.id }, about: { id: creator.id }, appealed: { act: 'block' } },
  });
  expect(await referenceOf('And the film.', { email: 'another@example.org', proof })).toBe(reference);
  const { entries, id } = await view(reference);
  expect(entries.map(({ text, by }: { text: string; by: string }) => [text, by])).toEqual([
    ['I have the negatives.', creator.username],
    ['And the film.', creator.username],
  ]);
  expect((await decideIt(operator, id, { act: 'overturn' })).json().code).toBe('FORBIDDEN');
  await decideIt(second, id, { act: 'uphold' });
  expect(await view(await referenceOf('Once more.', { proof }))).toMatchObject({
    ...{ kind: 'contact', fromPerson: { id: creator.id } },
  });
});

const handIn = async (proof: string, picture?: Buffer) => {
  const form = new FormData();
  form.set('proof', proof);
  form.set('file', new Blob([new Uint8Array(picture ?? (await pictureFile({ width: 200, height: 100 })))]), 'it.jpg');
  return app.inject('POST', '/api/public/contact-pictures', form);
};

test('pictures sent with a proof must be the user’s own, unused and valid images', async () => {
  const { proof } = await logIn();
  const [one, two] = [(await handIn(proof)).json(), (await handIn(proof)).json()];
  expect(one).toMatchObject({ width: 200, height: 100 });
  const sent = await write('I have the negatives.', { proof, pictures: [one.id] });
  expect(sent.statusCode, sent.body).toBe(200);
  expect((await write('And the film.', { proof, pictures: [two.id] })).json().reference).toBe(sent.json().reference);
  const shown = await view(sent.json().reference);
  expect(shown).toMatchObject({ kind: 'appeal', entries: [{ pictures: [one] }, { pictures: [two] }] });
  const seen = await second.inject('GET', `/api/admin/cases/${shown.id}/pictures/${one.id}`);
  expect([seen.statusCode, seen.headers['content-type']]).toEqual([200, 'image/jpeg']);

  const third = (await handIn(proof)).json().id;
  for (const [pictures, more] of [
    [[one.id], { proof }],
    [[third], {}],
    [[third], { proof: `${fan.id}.1.x` }],
    [Array.from({ length: 5 }, () => third), { proof }],
  ] as const)
    expect([400, 404]).toContain((await write('Look.', { ...more, pictures })).statusCode);
  const other = await app.signUp('creator');
  await decideIt(operator, await reportedCase(app, fan, { person: other }), { act: 'block' });
  const theirs = (await logIn(other)).proof;
  expect((await write('Not mine.', { proof: theirs, pictures: [third] })).statusCode).toBe(404);
  expect((await write('Mine.', { proof, pictures: [third] })).statusCode).toBe(200);
});

test('a picture is refused without a valid proof, and a file that is no picture is refused with one', async () => {
  const { proof } = await logIn();
  for (const bad of ['', '..', `${creator.id}.9999999999999.abc`, proof.slice(0, -1)])
    expect((await handIn(bad)).json().code).toBe('FORBIDDEN');
  expect((await handIn(proof, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json().code).toBe(
    'UNSUPPORTED_TYPE',
  );
  expect((await handIn(proof, Buffer.alloc(0))).json().code).toBe('VALIDATION');
  app.clock.advance(2 * HOUR_MS);
  expect((await handIn(proof)).json().code).toBe('FORBIDDEN');
});

test('two simultaneous messages with one proof become one appeal', async () => {
  const { proof } = await logIn();
  const both = await Promise.all([write('One.', { proof }), write('Two.', { proof })]);
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(new Set(both.map((answer) => answer.json().reference)).size).toBe(1);
});

test('a proof is valid for its user only, only if signed by us, and for two hours', async () => {
  const { proof } = await logIn();
  const [, until, mac] = proof.split('.');
  for (const bad of [
    `${fan.id}.${until}.${mac}`,
    `${creator.id}.${Number(until) + 1}.${mac}`,
    proof.slice(0, -1),
    '..',
  ])
    expect((await view(await referenceOf('It was me.', { proof: bad }))).isUnproven).toBe(true);
  app.clock.advance(2 * HOUR_MS);
  expect((await view(await referenceOf('It was me.', { proof }))).isUnproven).toBe(true);
  expect((await write('x', { proof: 'x'.repeat(501) })).json().code).toBe('VALIDATION');
});

test('a password change invalidates the proof', async () => {
  const { proof } = await logIn();
  const { email } = creator;
  await app.inject('POST', '/api/auth/forgot-password', { email });
  await app.ctx.events.settle();
  const token = await mailedToken(app.ctx, email);
  const reset = await app.inject('POST', '/api/auth/reset-password', { token, newPassword: 'Another9!pass' });
  expect(reset.statusCode, reset.body).toBe(200);
  expect(await view(await referenceOf('I admit everything.', { proof }))).toMatchObject({
    ...{ isUnproven: true, fromPerson: null },
  });
  const anew = await logIn({ ...creator, password: 'Another9!pass' });
  expect(await view(await referenceOf('It was not me.', { proof: anew.proof }))).toMatchObject({
    ...{ kind: 'appeal', isUnproven: false, fromPerson: { id: creator.id } },
  });
});

test('with two-factor the password alone reveals nothing, and with the code it returns reason and proof', async () => {
  const guarded = await app.signUp('creator');
  const { secret } = (
    await guarded.inject('POST', '/api/auth/two-factor/begin', { currentPassword: guarded.password })
  ).json();
  const code = () => generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 });
  await guarded.inject('POST', '/api/auth/two-factor/enable', { code: code() });
  const blocked = await decideIt(operator, await reportedCase(app, fan, { person: guarded }), { act: 'block' });
  expect(blocked.statusCode, blocked.body).toBe(200);
  expect(await logIn(guarded)).toEqual({ isTwoFactorRequired: true });
  const enter = async (typed: string) => {
    const { username, password } = guarded;
    return (await app.inject('POST', '/api/auth/login', { username, password, code: typed })).json();
  };
  const wrong = await enter('AAAA-AAAA');
  expect(wrong).toMatchObject({ code: 'VALIDATION', error: [{ field: 'code' }] });
  expect(wrong).not.toHaveProperty('proof');
  app.clock.advance(60_000);
  const right = await enter(code());
  expect(right).toMatchObject({ code: 'account_blocked', proof: expect.stringContaining(guarded.id) });
  // The refused log-in has consumed the code.
  expect(await enter(code())).toMatchObject({ code: 'VALIDATION' });
  const theirs = await referenceOf('I have the negatives.', { proof: right.proof });
  expect(await view(theirs)).toMatchObject({ kind: 'appeal', isUnproven: false });
});

test('a sender with only the address can neither add to an appeal nor read its status', async () => {
  const { proof } = await logIn();
  const theirs = await referenceOf('I have the negatives.', { proof });
  const strangers = [await referenceOf('I am guilty.'), await referenceOf('It was me.')];
  expect(new Set([theirs, ...strangers]).size).toBe(3);
  for (const reference of strangers)
    expect(await view(reference)).toMatchObject({ kind: 'contact', isUnproven: true, fromPerson: null, about: null });
  expect((await view(theirs)).entries.map(({ text }: { text: string }) => text)).toEqual(['I have the negatives.']);
});

test('the status of an unproven message is the same for every address, open or decided', async () => {
  const letters = await Promise.all(
    [creator.email, fan.email, 'nobody@example.com'].map(async (email) => ({
      email,
      reference: await referenceOf('Hello.', { email }),
    })),
  );
  const standing = () =>
    Promise.all(
      letters.map(async (pair) => {
        const { reference, ...rest } = (await app.inject('POST', '/api/public/complaint-status', pair)).json();
        expect(reference).toBe(pair.reference);
        return rest;
      }),
    );
  const [one, ...others] = await standing();
  expect(one).toMatchObject({ state: 'open', answerBy: expect.any(String) });
  for (const other of others) expect(other).toEqual(one);
  const [appeal, ...rest] = await Promise.all(letters.map(({ reference }) => view(reference)));
  expect([appeal.kind, ...rest.map(({ kind }) => kind)]).toEqual(['appeal', 'contact', 'contact']);
  await decideIt(second, appeal.id, { act: 'uphold' });
  for (const { id } of rest) await decideIt(second, id, { act: 'dismiss' });
  const [closed, ...alike] = await standing();
  expect(closed).toMatchObject({ state: 'closed', replies: [] });
  for (const other of alike) expect(other).toEqual(closed);
});

test('an unproven appeal does not use up the user’s own appeal', async () => {
  const guess = await referenceOf('I am guilty.');
  expect(await view(guess)).toMatchObject({ kind: 'appeal', isUnproven: true });
  const next = await referenceOf('So am I.');
  expect(await view(next)).toMatchObject({ kind: 'contact', isUnproven: true, about: null });
  expect((await view(guess)).entries.map(({ text }: { text: string }) => text)).toEqual(['I am guilty.']);
  const own = await referenceOf('It was not me.', { proof: (await logIn()).proof });
  expect(own).not.toBe(guess);
  expect(await view(own)).toMatchObject({ kind: 'appeal', isUnproven: false });
});

test('a decision has its own number for the user, and operators find the case by it', async () => {
  const person = await app.signUp('creator');
  const caseId = await reportedCase(app, fan, { person });
  const decided = (await decideIt(operator, caseId, { act: 'warn' })).json();
  const [own] = (await person.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own.reference).toMatch(/^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(own.reference).not.toBe(decided.reference);
  const mail = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', person.email)
    .executeTakeFirstOrThrow();
  expect(mail.body).toContain(own.reference);
  expect(mail.body).not.toContain(decided.reference);
  const { data } = (await operator.inject('GET', `/api/admin/cases?q=${own.reference.toLowerCase()}`)).json();
  expect(data).toMatchObject([{ id: caseId }]);
});
