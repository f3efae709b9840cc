import { agreementText, type DocumentKind } from '@stagedoor/contract/compliance/verification.ts';
import { addBusinessDays } from '@stagedoor/contract/finance/business-days.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPictureFile } from '../../content/media/testing.ts';
import { findIneligibilityReason } from './index.ts';
import { deleteOldPictures, deleteOrphanPictures } from './pictures.ts';
import { makeVerified } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let operator: TestUser;
let picture: Buffer;

beforeAll(async () => {
  test = await createTestApp({ now: new Date('2026-11-20T10:00:00.000Z') });
  picture = await createPictureFile({ width: 640, height: 480 });
});
beforeEach(async () => {
  creator = await test.signUp('creator', { isUnverified: true });
  operator = await test.signUp('operator');
});
afterAll(() => test.close());

const details = {
  legalName: 'Mirele Adaeze Okonkwo',
  dateOfBirth: '1993-06-14',
  country: 'NL',
  documentType: 'identityCard',
};

async function uploadDocument(as: TestUser, kind: DocumentKind, file: Buffer = picture) {
  const data = new FormData();
  data.set('file', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'card.jpg');
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  return as.inject('POST', `/api/verification/documents/${kind}`, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
}
const getStatus = async (as = creator) => (await as.inject('GET', '/api/verification/status')).json();
const putDetails = (changes: object = {}) =>
  creator.inject('PUT', '/api/verification/details', { ...details, ...changes });
const getObstacle = () => findIneligibilityReason(test.ctx.db, creator.id, 'Payouts');
const submit = () => creator.inject('POST', '/api/verification/submit', {});
const getAgreement = async () =>
  z.parse(agreementText, (await creator.inject('GET', '/api/verification/agreement')).json());
async function sign(signedAs = details.legalName, strokes: number[][][] = []) {
  const { version } = await getAgreement();
  return creator.inject('POST', '/api/verification/agreement', { version, signedAs, strokes });
}
const decide = (body: object, as = operator, target = creator) =>
  as.inject('POST', `/api/admin/verifications/${target.id}/decision`, body);
const view = (as = operator) => as.inject('GET', `/api/admin/verifications/${creator.id}`);
const listKeys = async () => {
  const keys: string[] = [];
  for await (const { key } of test.ctx.storage.list(`verification/${creator.id}`)) keys.push(key);
  return keys;
};

async function submitAll(): Promise<void> {
  await putDetails();
  for (const kind of ['idFront', 'idBack', 'selfie'] as const)
    expect((await uploadDocument(creator, kind)).statusCode).toBe(200);
  expect((await sign()).statusCode).toBe(200);
  expect((await submit()).statusCode).toBe(200);
}

describe('the verification of a creator', () => {
  it('starts empty and reports what is missing at each step', async () => {
    expect(await getStatus()).toMatchObject({
      status: 'started',
      message: null,
      legalStatus: 'pending',
      details: null,
      documents: [],
    });
    expect((await uploadDocument(creator, 'idFront')).json().message).toBe('Enter your details first.');
    expect((await sign()).json().message).toBe('Enter your details first.');
    expect((await submit()).json().message).toBe('Enter your details first.');
    expect((await putDetails()).json()).toMatchObject({
      details,
      documents: ['idFront', 'idBack', 'selfie'].map((kind) => ({
        kind,
        state: 'pending',
        uploadedAt: null,
        reason: null,
      })),
    });
    await uploadDocument(creator, 'idFront');
    await uploadDocument(creator, 'selfie');
    expect((await submit()).json()).toMatchObject({ code: 'CONFLICT', message: 'A photo is missing.' });
    await uploadDocument(creator, 'idBack');
    expect((await submit()).json().message).toBe('Sign the agreement.');
    const stroke = [
      [10, 20],
      [900, 280],
    ];
    await sign('MIRELE ADAEZE OKONKWO', [stroke]);
    // It is a Friday, so two business days end on the Tuesday.
    expect((await submit()).json()).toMatchObject({
      status: 'submitted',
      message: "Your have already submitted documents, Currently it's under review.",
      legalStatus: 'accepted',
      answerBy: '2026-11-24T10:00:00.000Z',
      documents: [{ state: 'submitted' }, { state: 'submitted' }, { state: 'submitted' }],
    });
    expect(await getObstacle()).toBe('Payouts are available once you’re verified. Your documents are under review.');
    for (const refused of [await putDetails(), await uploadDocument(creator, 'selfie'), await submit()])
      expect(refused.statusCode).toBe(409);
    expect(await listKeys()).toHaveLength(3);

    expect((await decide({ decision: 'verify' })).json().message).toBe('View the documents before you decide.');
    await view();
    expect((await decide({ decision: 'verify' })).json()).toMatchObject({ status: 'verified', answerBy: null });
    expect(await getObstacle()).toBeUndefined();
    expect((await test.inject('GET', `/api/public/profile/${creator.id}`)).json()).toMatchObject({
      isVerified: true,
    });
    expect((await decide({ decision: 'verify' })).json().message).toBe('This was decided already.');
    expect((await putDetails()).json().message).toBe('You’re already verified.');
  });

  it('requires only the refused pictures again after a refusal', async () => {
    await submitAll();
    const reason = 'The number on the back is covered by glare.';
    await view();
    expect((await decide({ decision: 'fail', rejected: [{ kind: 'idBack', reason }] })).json()).toMatchObject({
      status: 'failed',
      message: 'Your documents verification is failed. please re-submit again.',
      documents: [{ state: 'approved' }, { kind: 'idBack', state: 'rejected', reason }, { state: 'approved' }],
    });
    const mail = await test.ctx.db.query
      .selectFrom('development_mail')
      .select(['subject', 'body'])
      .where('recipient', '=', creator.email)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(mail?.subject).toBe('About your Stagedoor account');
    expect(mail?.body).toContain(`ID card, back: ${reason}`);
    expect((await submit()).json().message).toBe('A photo is missing.');
    expect((await uploadDocument(creator, 'selfie')).json().message).toBe('This photo has already been accepted.');
    await uploadDocument(creator, 'idBack');
    expect(await listKeys()).toHaveLength(3);
    expect((await submit()).json()).toMatchObject({
      status: 'submitted',
      documents: [{ state: 'approved' }, { state: 'submitted' }, {}],
    });

    const expired = 'The card expired on 2 March 2025.';
    await view();
    const rejected = ['idFront', 'idBack'].map((kind) => ({ kind, reason: expired }));
    const response = await decide({ decision: 'decline', rejected });
    expect(response.json()).toMatchObject({
      status: 'declined',
      message: 'Your documents verification is declined, please re-submit again.',
    });
    expect((await putDetails({ documentType: 'passport' })).json().documents).toMatchObject([
      { kind: 'idFront', state: 'pending', uploadedAt: null },
      { kind: 'selfie', state: 'approved' },
    ]);
    expect(await listKeys()).toHaveLength(1);
    expect((await uploadDocument(creator, 'idBack')).json().message).toBe('This document doesn’t need that photo.');
    await uploadDocument(creator, 'idFront');
    expect((await submit()).json().status).toBe('submitted');
  });

  it.each([
    [{ dateOfBirth: '2008-11-21' }, 'dateOfBirth', 'Creators must be at least 18.'],
    [{ dateOfBirth: '2026-11-20' }, 'dateOfBirth', 'Check your date of birth'],
    [{ dateOfBirth: '1893-06-14' }, 'dateOfBirth', 'Check your date of birth'],
    [{ country: 'XX' }, 'country', 'Choose a country'],
    [{ legalName: ' ' }, 'legalName', 'Please enter name'],
    [{ documentType: 'library card' }, 'documentType', 'Choose one of the options'],
  ])('refuses the details %o', async (changes, field, message) => {
    expect((await putDetails(changes)).json().error).toEqual([{ field, message }]);
  });

  it('accepts a creator who turns 18 today', async () => {
    expect((await putDetails({ dateOfBirth: '2008-11-20' })).statusCode).toBe(200);
  });

  it('accepts one signature, with the legal name and under the version in force', async () => {
    await putDetails();
    expect((await sign('Somebody Else')).json().error).toEqual([
      { field: 'signedAs', message: 'Sign with your full legal name, as in your details.' },
    ]);
    const outdated = { version: '2020-01-01', signedAs: details.legalName };
    expect((await creator.inject('POST', '/api/verification/agreement', outdated)).statusCode).toBe(409);
    const tooManyStrokes = Array.from({ length: 30 }, () => Array.from({ length: 100 }, () => [1, 1]));
    expect((await sign(details.legalName, tooManyStrokes)).statusCode).toBe(400);
    const first = (await sign()).json().agreement.signedAt;
    test.clock.advance(60_000);
    expect((await sign()).json().agreement.signedAt).toBe(first);
  });
});

it('changing the signed name requires a new signature', async () => {
  await putDetails();
  await sign();
  expect((await putDetails({ legalName: ' MIRELE adaeze Okonkwo' })).json().legalStatus).toBe('accepted');
  for (const kind of ['idFront', 'idBack', 'selfie'] as const) await uploadDocument(creator, kind);
  expect((await putDetails({ legalName: 'Somebody Else' })).json()).toMatchObject({
    legalStatus: 'pending',
    agreement: { signedVersion: null, signedAt: null },
  });
  expect((await submit()).json().message).toBe('Sign the agreement.');
});

describe('identity pictures', () => {
  beforeEach(async () => void (await putDetails()));

  it('are encrypted in storage and contain no camera metadata', async () => {
    const withMetadata = await sharp(picture)
      .withExif({ IFD0: { Artist: 'Somebody’s home' } })
      .toBuffer();
    await uploadDocument(creator, 'idFront', withMetadata);
    const [key = ''] = await listKeys();
    const stored = await test.ctx.storage.open(key);
    const parts: Buffer[] = [];
    for await (const part of (await stored?.stream()) ?? []) parts.push(part);
    expect(Buffer.concat(parts).includes('JFIF')).toBe(false);
    for (const kind of ['idBack', 'selfie'] as const) await uploadDocument(creator, kind);
    await sign();
    await submit();
    const response = await operator.inject('GET', `/api/admin/verifications/${creator.id}/documents/idFront`);
    expect(response.headers['content-type']).toBe('image/jpeg');
    const { width, exif } = await sharp(response.rawPayload).metadata();
    expect([width, exif]).toEqual([640, undefined]);
  });

  it('of a crashed process are deleted after a day, and those of a document never', async () => {
    await uploadDocument(creator, 'idFront');
    const [documentKey] = await listKeys();
    const folder = `verification/${creator.id}`;
    for (const name of [createId(test.clock), 'of-before-names'])
      await test.ctx.storage.put(`${folder}/${name}`, Buffer.from('sealed'), 'application/octet-stream');
    expect([await deleteOrphanPictures(test.ctx), (await listKeys()).length]).toEqual([0, 3]);
    test.clock.advance(25 * 60 * 60_000);
    expect([await deleteOrphanPictures(test.ctx), await listKeys()]).toEqual([2, [documentKey]]);
  });

  it.each([
    ['no picture', Buffer.from('%PDF-1.7 not a picture'), 415],
    ['half a picture', 'half', 415],
    ['one that is too small to read', 'small', 400],
    ['nothing', Buffer.alloc(0), 400],
  ])('refuse %s and store nothing', async (_, input, code) => {
    const file =
      input === 'half'
        ? picture.subarray(0, picture.length / 2)
        : input === 'small'
          ? await createPictureFile({ width: 900, height: 400 })
          : input;
    const response = await uploadDocument(creator, 'idFront', Buffer.from(file));
    expect([response.statusCode, response.json().error?.[0]?.field]).toEqual([code, 'file']);
    expect(await listKeys()).toEqual([]);
  });

  it('sent at the same time leave one file, and none is added during the review', async () => {
    await Promise.all([uploadDocument(creator, 'idFront'), uploadDocument(creator, 'idFront')]);
    expect(await listKeys()).toHaveLength(1);
    for (const kind of ['idBack', 'selfie'] as const) await uploadDocument(creator, kind);
    await sign();
    const [, late] = await Promise.all([submit(), uploadDocument(creator, 'selfie')]);
    expect([200, 409]).toContain(late.statusCode);
    expect(await listKeys()).toHaveLength(3);
  });

  it('of the face and rejected ones are deleted after 30 days, and the document is retained', async () => {
    await submitAll();
    await view();
    await decide({ decision: 'decline', rejected: [{ kind: 'idBack', reason: 'It is another card.' }] });
    test.clock.advance(29 * 24 * 60 * 60_000);
    await deleteOldPictures(test.ctx);
    expect(await listKeys()).toHaveLength(3);
    test.clock.advance(24 * 60 * 60_000);
    await deleteOldPictures(test.ctx);
    expect(await listKeys()).toHaveLength(1);
    operator = await test.signUp('operator');
    const adminPath = `/api/admin/verifications/${creator.id}`;
    expect((await operator.inject('GET', `${adminPath}/documents/selfie`)).statusCode).toBe(404);
    expect((await operator.inject('GET', adminPath)).json().documents).toMatchObject([
      { state: 'approved' },
      { state: 'rejected' },
      { state: 'rejected', reason: 'It was deleted after 30 days. Please take a new one.' },
    ]);
    creator = await test.logIn(creator);
    await uploadDocument(creator, 'idBack');
    expect((await submit()).statusCode).toBe(409);
    expect((await uploadDocument(creator, 'selfie')).statusCode).toBe(200);
    expect((await submit()).statusCode).toBe(200);
  });
});

describe('operators', () => {
  it('see those who wait longest first, and each view is logged', async () => {
    await submitAll();
    const earlier = creator;
    test.clock.advance(60_000);
    creator = await test.signUp('creator', { isUnverified: true });
    await submitAll();
    const { data } = (await operator.inject('GET', '/api/admin/verifications?limit=50')).json();
    const waiting = data.map(({ creator: { username } }: { creator: { username: string } }) => username);
    expect(waiting.indexOf(earlier.username)).toBeLessThan(waiting.indexOf(creator.username));
    expect((await operator.inject('GET', `/api/admin/verifications/${creator.id}`)).json()).toMatchObject({
      creator: { username: creator.username },
      details,
    });
    await operator.inject('GET', `/api/admin/verifications/${creator.id}/documents/selfie`);
    await decide({ decision: 'decline', rejected: [{ kind: 'selfie', reason: 'It is another face.' }] });
    const { data: actions } = (await operator.inject('GET', `/api/admin/audit?subjectId=${creator.id}`)).json();
    expect(actions.map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual([
      ['verification.decline', { selfie: 'It is another face.' }],
      ['verification.view', { part: 'selfie' }],
      ['verification.view', { part: 'details' }],
    ]);
  });

  it.each([
    [{ decision: 'verify', rejected: [{ kind: 'selfie', reason: 'It is dark.' }] }],
    [{ decision: 'fail' }],
    [{ decision: 'decline', rejected: [{ kind: 'selfie', reason: '' }] }],
    [{ decision: 'fail', rejected: Array(2).fill({ kind: 'selfie', reason: 'Dark.' }) }],
  ])('cannot make the decision %o', async (body) => {
    await submitAll();
    expect((await decide(body)).statusCode).toBe(400);
    expect((await getStatus()).status).toBe('submitted');
  });

  it('decide once when two do so at the same time', async () => {
    await submitAll();
    const other = await test.signUp('operator');
    const rejected = [{ kind: 'selfie', reason: 'It is dark.' }];
    await Promise.all([view(), view(other)]);
    const responses = await Promise.all([
      decide({ decision: 'verify' }),
      decide({ decision: 'fail', rejected }, other),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('cannot decide on documents that were submitted again since they viewed them', async () => {
    await submitAll();
    const other = await test.signUp('operator');
    await Promise.all([view(), view(other)]);
    await decide({ decision: 'fail', rejected: [{ kind: 'selfie', reason: 'It is dark.' }] }, other);
    test.clock.advance(60_000);
    await uploadDocument(creator, 'selfie');
    await submit();
    expect((await decide({ decision: 'verify' })).json().message).toMatch(/^New documents were submitted/);
    await view();
    expect((await decide({ decision: 'verify' })).statusCode).toBe(200);
  });

  it('have sole access, and there is nothing to see before a submission', async () => {
    const [fan, stranger] = [await test.signUp('customer'), await test.signUp('creator', { isUnverified: true })];
    await submitAll();
    for (const user of [fan, stranger])
      for (const path of ['', `/${creator.id}`, `/${creator.id}/documents/selfie`])
        expect((await user.inject('GET', `/api/admin/verifications${path}`)).statusCode).toBe(403);
    expect((await decide({ decision: 'verify' }, stranger)).statusCode).toBe(403);
    expect((await fan.inject('GET', '/api/verification/status')).statusCode).toBe(403);
    for (const path of [stranger.id, fan.id, `${stranger.id}/documents/selfie`])
      expect((await operator.inject('GET', `/api/admin/verifications/${path}`)).statusCode).toBe(404);
  });
});

it('a verified creator who has not signed the new version is not paid until they sign', async () => {
  await makeVerified(test.ctx, creator.id);
  expect(await getObstacle()).toBeUndefined();
  await test.owner.query
    .updateTable('verifications')
    .set({ agreement_version: '2020-01-01' })
    .where('creator_id', '=', creator.id)
    .execute();
  expect(await getStatus()).toMatchObject({ status: 'verified', legalStatus: 'outdated' });
  expect(await getObstacle()).toBe('Payouts are available once you’ve signed the latest creator agreement.');
  expect((await sign('Any Name')).json()).toMatchObject({ legalStatus: 'accepted' });
  expect(await getObstacle()).toBeUndefined();
});

it.each([
  ['2026-11-20T23:59:00.000Z', 2, '2026-11-24T23:59:00.000Z'],
  ['2026-11-21T10:00:00.000Z', 2, '2026-11-24T10:00:00.000Z'],
  ['2026-11-18T10:00:00.000Z', 2, '2026-11-20T10:00:00.000Z'],
  ['2028-02-28T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
])('%s plus %i business days is %s', (from, days, to) => {
  expect(addBusinessDays(new Date(from), days).toISOString()).toBe(to);
});
