import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPictureFile } from '../../content/media/testing.ts';
import { getMailedToken } from '../../identity/accounts/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId } from '../moderation/testing.ts';

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
  const blocked = await decideCaseAs(operator, await createReportedCase(app, fan, { user: creator }), {
    action: 'block',
  });
  expect(blocked.statusCode, blocked.body).toBe(200);
});

const logIn = async ({ username, password }: TestUser = creator) =>
  (await app.inject('POST', '/api/auth/login', { username, password })).json();
type ContactExtras = { email?: string; proof?: string; pictures?: readonly string[] };
const sendMessage = (details: string, more: ContactExtras = {}) =>
  app.inject('POST', '/api/public/contact-admin', { name: 'Ana', email: creator.email, details, ...more });
const getReference = async (...args: Parameters<typeof sendMessage>) => (await sendMessage(...args)).json().reference;
const getCaseView = async (reference: string) =>
  (await second.inject('GET', `/api/admin/cases/${await getCaseId(app, reference)}`)).json();

test('a right log-in returns the reason for the block and a proof, and a wrong one returns neither', async () => {
  const response = await logIn();
  expect(response).toMatchObject({ code: 'account_blocked', proof: expect.stringContaining(creator.id) });
  expect(response.message).toBe(
    'Your account is permanently blocked. Rule 4: someone else’s work. If you think this is a mistake, contact us.',
  );
  const wrong = await logIn({ ...creator, password: 'Wrong7!guess' });
  expect(wrong).toMatchObject({ code: 'VALIDATION' });
  expect(wrong).not.toHaveProperty('proof');
});

test('a message with the proof is the user’s appeal, and later messages are added until it is decided', async () => {
  const { proof } = await logIn();
  const reference = await getReference('I have the negatives.', { email: 'another@example.org', proof });
  expect(await getCaseView(reference)).toMatchObject({
    ...{ kind: 'appeal', isUnverified: false, fromEmail: 'another@example.org' },
    ...{ fromUser: { id: creator.id }, about: { id: creator.id }, appealedDecision: { action: 'block' } },
  });
  expect(await getReference('And the film.', { email: 'another@example.org', proof })).toBe(reference);
  const { entries, id } = await getCaseView(reference);
  expect(entries.map(({ text, author }: { text: string; author: string }) => [text, author])).toEqual([
    ['I have the negatives.', creator.username],
    ['And the film.', creator.username],
  ]);
  expect((await decideCaseAs(operator, id, { action: 'overturn' })).json().code).toBe('FORBIDDEN');
  await decideCaseAs(second, id, { action: 'uphold' });
  expect(await getCaseView(await getReference('Once more.', { proof }))).toMatchObject({
    ...{ kind: 'contact', fromUser: { id: creator.id } },
  });
});

const uploadPicture = async (proof: string, picture?: Buffer) => {
  const form = new FormData();
  form.set('proof', proof);
  form.set(
    'file',
    new Blob([new Uint8Array(picture ?? (await createPictureFile({ width: 200, height: 100 })))]),
    'it.jpg',
  );
  return app.inject('POST', '/api/public/contact-pictures', form);
};

test('pictures sent with a proof must be the user’s own, unused and valid images', async () => {
  const { proof } = await logIn();
  const [firstPicture, secondPicture] = [(await uploadPicture(proof)).json(), (await uploadPicture(proof)).json()];
  expect(firstPicture).toMatchObject({ width: 200, height: 100 });
  const sent = await sendMessage('I have the negatives.', { proof, pictures: [firstPicture.id] });
  expect(sent.statusCode, sent.body).toBe(200);
  expect((await sendMessage('And the film.', { proof, pictures: [secondPicture.id] })).json().reference).toBe(
    sent.json().reference,
  );
  const shown = await getCaseView(sent.json().reference);
  expect(shown).toMatchObject({
    kind: 'appeal',
    entries: [{ pictures: [firstPicture] }, { pictures: [secondPicture] }],
  });
  const loaded = await second.inject('GET', `/api/admin/cases/${shown.id}/pictures/${firstPicture.id}`);
  expect([loaded.statusCode, loaded.headers['content-type']]).toEqual([200, 'image/jpeg']);

  const third = (await uploadPicture(proof)).json().id;
  for (const [pictures, more] of [
    [[firstPicture.id], { proof }],
    [[third], {}],
    [[third], { proof: `${fan.id}.1.x` }],
    [Array.from({ length: 5 }, () => third), { proof }],
  ] as const)
    expect([400, 404]).toContain((await sendMessage('Look.', { ...more, pictures })).statusCode);
  const other = await app.signUp('creator');
  await decideCaseAs(operator, await createReportedCase(app, fan, { user: other }), { action: 'block' });
  const otherProof = (await logIn(other)).proof;
  expect((await sendMessage('Not mine.', { proof: otherProof, pictures: [third] })).statusCode).toBe(404);
  expect((await sendMessage('Mine.', { proof, pictures: [third] })).statusCode).toBe(200);
});

test('a picture is refused without a valid proof, and a file that is no picture is refused with one', async () => {
  const { proof } = await logIn();
  for (const badProof of ['', '..', `${creator.id}.9999999999999.abc`, proof.slice(0, -1)])
    expect((await uploadPicture(badProof)).json().code).toBe('FORBIDDEN');
  expect((await uploadPicture(proof, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json().code).toBe(
    'UNSUPPORTED_TYPE',
  );
  expect((await uploadPicture(proof, Buffer.alloc(0))).json().code).toBe('VALIDATION');
  app.clock.advance(2 * HOUR_MS);
  expect((await uploadPicture(proof)).json().code).toBe('FORBIDDEN');
});

test('two simultaneous messages with one proof become one appeal', async () => {
  const { proof } = await logIn();
  const responses = await Promise.all([sendMessage('One.', { proof }), sendMessage('Two.', { proof })]);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(new Set(responses.map((response) => response.json().reference)).size).toBe(1);
});

test('a proof is valid for its user only, only if signed by us, and for two hours', async () => {
  const { proof } = await logIn();
  const [, until, mac] = proof.split('.');
  for (const badProof of [
    `${fan.id}.${until}.${mac}`,
    `${creator.id}.${Number(until) + 1}.${mac}`,
    proof.slice(0, -1),
    '..',
  ])
    expect((await getCaseView(await getReference('It was me.', { proof: badProof }))).isUnverified).toBe(true);
  app.clock.advance(2 * HOUR_MS);
  expect((await getCaseView(await getReference('It was me.', { proof }))).isUnverified).toBe(true);
  expect((await sendMessage('x', { proof: 'x'.repeat(501) })).json().code).toBe('VALIDATION');
});

test('a password change invalidates the proof', async () => {
  const { proof } = await logIn();
  const { email } = creator;
  await app.inject('POST', '/api/auth/forgot-password', { email });
  await app.ctx.events.waitUntilIdle();
  const token = await getMailedToken(app.ctx, email);
  const reset = await app.inject('POST', '/api/auth/reset-password', { token, newPassword: 'Another9!pass' });
  expect(reset.statusCode, reset.body).toBe(200);
  expect(await getCaseView(await getReference('I admit everything.', { proof }))).toMatchObject({
    ...{ isUnverified: true, fromUser: null },
  });
  const newLogin = await logIn({ ...creator, password: 'Another9!pass' });
  expect(await getCaseView(await getReference('It was not me.', { proof: newLogin.proof }))).toMatchObject({
    ...{ kind: 'appeal', isUnverified: false, fromUser: { id: creator.id } },
  });
});

test('with two-factor the password alone reveals nothing, and with the code it returns reason and proof', async () => {
  const protectedUser = await app.signUp('creator');
  const { secret } = (
    await protectedUser.inject('POST', '/api/auth/two-factor/setup', { currentPassword: protectedUser.password })
  ).json();
  const code = () => generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 });
  await protectedUser.inject('POST', '/api/auth/two-factor/enable', { code: code() });
  const blocked = await decideCaseAs(operator, await createReportedCase(app, fan, { user: protectedUser }), {
    action: 'block',
  });
  expect(blocked.statusCode, blocked.body).toBe(200);
  expect(await logIn(protectedUser)).toEqual({ isTwoFactorRequired: true });
  const logInWithCode = async (typed: string) => {
    const { username, password } = protectedUser;
    return (await app.inject('POST', '/api/auth/login', { username, password, code: typed })).json();
  };
  const wrong = await logInWithCode('AAAA-AAAA');
  expect(wrong).toMatchObject({ code: 'VALIDATION', error: [{ field: 'code' }] });
  expect(wrong).not.toHaveProperty('proof');
  app.clock.advance(60_000);
  const right = await logInWithCode(code());
  expect(right).toMatchObject({ code: 'account_blocked', proof: expect.stringContaining(protectedUser.id) });
  // The refused log-in has consumed the code.
  expect(await logInWithCode(code())).toMatchObject({ code: 'VALIDATION' });
  const ownReference = await getReference('I have the negatives.', { proof: right.proof });
  expect(await getCaseView(ownReference)).toMatchObject({ kind: 'appeal', isUnverified: false });
});

test('a sender with only the address can neither add to an appeal nor read its status', async () => {
  const { proof } = await logIn();
  const ownReference = await getReference('I have the negatives.', { proof });
  const strangerReferences = [await getReference('I am guilty.'), await getReference('It was me.')];
  expect(new Set([ownReference, ...strangerReferences]).size).toBe(3);
  for (const reference of strangerReferences)
    expect(await getCaseView(reference)).toMatchObject({
      kind: 'contact',
      isUnverified: true,
      fromUser: null,
      about: null,
    });
  expect((await getCaseView(ownReference)).entries.map(({ text }: { text: string }) => text)).toEqual([
    'I have the negatives.',
  ]);
});

test('the status of an unproven message is the same for every address, open or decided', async () => {
  const messages = await Promise.all(
    [creator.email, fan.email, 'nobody@example.com'].map(async (email) => ({
      email,
      reference: await getReference('Hello.', { email }),
    })),
  );
  const getStatuses = () =>
    Promise.all(
      messages.map(async (pair) => {
        const { reference, ...rest } = (await app.inject('POST', '/api/public/complaint-status', pair)).json();
        expect(reference).toBe(pair.reference);
        return rest;
      }),
    );
  const [one, ...others] = await getStatuses();
  expect(one).toMatchObject({ state: 'open', answerBy: expect.any(String) });
  for (const other of others) expect(other).toEqual(one);
  const [appeal, ...rest] = await Promise.all(messages.map(({ reference }) => getCaseView(reference)));
  expect([appeal.kind, ...rest.map(({ kind }) => kind)]).toEqual(['appeal', 'contact', 'contact']);
  await decideCaseAs(second, appeal.id, { action: 'uphold' });
  for (const { id } of rest) await decideCaseAs(second, id, { action: 'dismiss' });
  const [closed, ...otherStatuses] = await getStatuses();
  expect(closed).toMatchObject({ state: 'closed', replies: [] });
  for (const other of otherStatuses) expect(other).toEqual(closed);
});

test('an unproven appeal does not use up the user’s own appeal', async () => {
  const guess = await getReference('I am guilty.');
  expect(await getCaseView(guess)).toMatchObject({ kind: 'appeal', isUnverified: true });
  const next = await getReference('So am I.');
  expect(await getCaseView(next)).toMatchObject({ kind: 'contact', isUnverified: true, about: null });
  expect((await getCaseView(guess)).entries.map(({ text }: { text: string }) => text)).toEqual(['I am guilty.']);
  const ownReference = await getReference('It was not me.', { proof: (await logIn()).proof });
  expect(ownReference).not.toBe(guess);
  expect(await getCaseView(ownReference)).toMatchObject({ kind: 'appeal', isUnverified: false });
});

test('a decision has its own number for the user, and operators find the case by it', async () => {
  const user = await app.signUp('creator');
  const caseId = await createReportedCase(app, fan, { user });
  const decided = (await decideCaseAs(operator, caseId, { action: 'warn' })).json();
  const [own] = (await user.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own.reference).toMatch(/^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(own.reference).not.toBe(decided.reference);
  const mail = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', user.email)
    .executeTakeFirstOrThrow();
  expect(mail.body).toContain(own.reference);
  expect(mail.body).not.toContain(decided.reference);
  const { data } = (await operator.inject('GET', `/api/admin/cases?q=${own.reference.toLowerCase()}`)).json();
  expect(data).toMatchObject([{ id: caseId }]);
});
