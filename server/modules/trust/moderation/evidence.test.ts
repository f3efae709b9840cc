import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPictureFile } from '../../content/media/testing.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { purgeExpiredEvidence, storeCasePicture } from './pictures.ts';
import { attachRemovedProfile, listProfileSnapshots } from './profile-snapshots.ts';
import { createReportedCase, decideCaseAs, listAuditActions, submitReportAs } from './testing.ts';

const HOUR_MS = 60 * 60_000;
let app: TestApp;
let moderator: TestUser;
let support: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  moderator = await app.signUp('operator', { roles: ['moderator'] });
  support = await app.signUp('operator', { roles: ['support'] });
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const read = async (id: string, by = moderator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
const viewContent = (id: string, by = moderator) => by.inject('GET', `/api/admin/cases/${id}/content`);
const undo = (id: string, by = moderator) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { reason: 'We were wrong.' });

async function uploadFile(
  by: TestUser,
  path: string,
  fields: Record<string, string>,
  file: { name: string; content: Buffer },
) {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  data.set('file', new Blob([new Uint8Array(file.content)]), file.name);
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const response = await by.inject('POST', path, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}
async function uploadPicture(pictureKind: 'avatar' | 'cover', background: string): Promise<string> {
  const content = await sharp({ create: { width: 500, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
  const response = await uploadFile(creator, `/api/creator/profile/${pictureKind}`, {}, { name: 'me.png', content });
  return pictureKind === 'avatar' ? response.avatarUrl : response.cover.url;
}
async function getColour(url: string, by: Pick<TestUser, 'inject'> = moderator): Promise<string | number> {
  const { statusCode, rawPayload } = await by.inject('GET', url);
  if (statusCode !== 200) return statusCode;
  const { channels } = await sharp(rawPayload).stats();
  return (
    ['red', 'green', 'blue'][channels.map(({ mean }) => mean).indexOf(Math.max(...channels.map(({ mean }) => mean)))] ??
    ''
  );
}
const PROFILE_TEXT = { craft: 'Potter', city: 'Porto', bio: 'Moon jars by night.', category: null };
const getProfile = () => creator.inject('GET', '/api/creator/profile').then((response) => response.json());

test('a profile is shown as it was at each report and as it is now, to the operator who opened it', async () => {
  await uploadPicture('avatar', '#c00');
  await uploadPicture('cover', '#00c');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...PROFILE_TEXT });
  const caseId = await createReportedCase(app, fan, { user: creator });
  await submitReportAs(fan, { user: creator, message: 'Again' });
  await uploadPicture('avatar', '#0c0');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...PROFILE_TEXT, bio: 'Nothing to see.' });
  expect(await read(caseId)).toMatchObject({ hasContent: true, parts: ['avatar', 'cover', 'text'] });
  const shown = (await viewContent(caseId)).json();
  expect(shown).toMatchObject({
    texts: [],
    media: [],
    files: [],
    profiles: [{ isCurrent: false }, { isCurrent: true }],
  });
  const [before, after] = shown.profiles;
  expect(before.details).toContainEqual({ name: 'About', value: 'Moon jars by night.' });
  expect(after.details).toContainEqual({ name: 'About', value: 'Nothing to see.' });
  expect(await Promise.all([before.avatarUrl, before.coverUrl, after.avatarUrl].map((url) => getColour(url)))).toEqual([
    ...['red', 'blue', 'green'],
  ]);
  const second = await app.signUp('operator', { roles: ['moderator'] });
  for (const by of [second, support, fan]) expect(await getColour(before.avatarUrl, by)).not.toBe('red');
  expect((await viewContent(caseId, support)).statusCode).toBe(403);
  expect(await listAuditActions(app, caseId)).toEqual(['case.view']);
  app.clock.advance(HOUR_MS + 1_000);
  expect(await getColour(before.avatarUrl)).toBe(404);
});

test('picture and text are removed from a profile and restored, and the user is notified of what was removed', async () => {
  const avatar = await uploadPicture('avatar', '#c00');
  await uploadPicture('cover', '#00c');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...PROFILE_TEXT });
  const caseId = await createReportedCase(app, fan, { user: creator });
  const withoutParts = await decideCaseAs(moderator, caseId, { action: 'remove' });
  expect(withoutParts.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'parts' }] });
  const removal = await decideCaseAs(moderator, caseId, { action: 'remove', parts: ['text', 'avatar'] });
  expect(removal.statusCode, removal.body).toBe(200);
  expect(await getProfile()).toMatchObject({ avatarUrl: null, bio: '', craft: '', city: '', cover: expect.anything() });
  await app.ctx.jobs.runDue(['media.discard']);
  expect((await app.inject('GET', avatar)).statusCode).toBe(404);
  const [own] = (await creator.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own.message).toBe('Removed from your profile: photo and text and links.');
  await undo(removal.json().decisions[0].id);
  await app.ctx.jobs.runDue(['moderation.restorePictures']);
  const restored = await getProfile();
  expect(restored).toMatchObject(PROFILE_TEXT);
  expect(await getColour(restored.avatarUrl)).toBe('red');
});

test('a reversal neither overwrites what the user uploaded since nor restores what another removal covers', async () => {
  await uploadPicture('avatar', '#c00');
  await uploadPicture('cover', '#00c');
  const remove = async (parts: ('avatar' | 'cover' | 'text')[]) => {
    const caseId = await createReportedCase(app, fan, { user: creator });
    return (await decideCaseAs(moderator, caseId, { action: 'remove', parts })).json();
  };
  const first = await remove(['avatar']);
  expect((await read(first.id)).state).toBe('closed');
  const secondCaseId = await createReportedCase(app, fan, { user: creator });
  expect((await read(secondCaseId)).parts).toEqual(['cover']);
  expect((await decideCaseAs(moderator, secondCaseId, { action: 'remove', parts: ['avatar'] })).json().code).toBe(
    'CONFLICT',
  );
  await decideCaseAs(moderator, secondCaseId, { action: 'dismiss' });
  const newAvatarUrl = await uploadPicture('avatar', '#0c0');
  const second = await remove(['cover']);
  await undo(first.decisions[0].id);
  await app.ctx.jobs.runDue(['moderation.restorePictures']);
  expect(await getProfile()).toMatchObject({ avatarUrl: newAvatarUrl, cover: null });
  await undo(second.decisions[0].id);
  await app.ctx.jobs.runDue(['moderation.restorePictures']);
  expect((await getProfile()).cover).not.toBeNull();
});

test('a fan’s profile has only a picture to remove, and nothing without one', async () => {
  const caseId = await createReportedCase(app, creator, { user: fan });
  const { parts, allowedActions } = await read(caseId);
  expect([parts, allowedActions.includes('remove')]).toEqual([[], false]);
  expect((await decideCaseAs(moderator, caseId, { action: 'remove', parts: ['text'] })).json().code).toBe('CONFLICT');
  expect((await viewContent(caseId)).json().profiles).toMatchObject([{ isCurrent: false }, { isCurrent: true }]);
});

test('a message is shown with its document once an operator opens it, and its text not before', async () => {
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Something private' });
  const document = { name: 'Address.txt', content: Buffer.from('She lives at the quay.') };
  await uploadFile(fan, '/api/message/media-message', { conversationId }, document);
  const [file, message] = (await creator.inject('GET', `/api/message/list/${conversationId}`)).json().data;
  const caseId = await createReportedCase(app, creator, { user: fan, type: 'message', typeId: file.id });
  const { url } = (await viewContent(caseId)).json().files[0];
  expect((await viewContent(caseId)).json()).toMatchObject({
    files: [{ name: 'Address.txt', isVoice: false }],
    texts: [{ text: 'Something private', isReported: false }, { isReported: true }],
  });
  const loaded = await moderator.inject('GET', url);
  expect([loaded.statusCode, loaded.body]).toEqual([200, 'She lives at the quay.']);
  expect(loaded.headers['content-disposition']).toMatch(/^attachment/);
  for (const by of [support, creator, await app.signUp('operator', { roles: ['moderator'] })])
    expect((await by.inject('GET', url)).statusCode).toBe(404);
  await decideCaseAs(moderator, caseId, { action: 'remove' });
  expect((await moderator.inject('GET', url)).statusCode).toBe(200);
  app.clock.advance(HOUR_MS + 1_000);
  expect((await moderator.inject('GET', url)).statusCode).toBe(404);

  const helper = await app.signUp('operator', { roles: ['moderator'] });
  await viewContent(caseId, helper);
  expect((await helper.inject('GET', url)).statusCode).toBe(200);
  const roles = { from: ['moderator'], to: ['support'], reason: 'Another job.' };
  const changed = await (await app.signUp('operator')).inject('PUT', `/api/admin/staff/${helper.id}`, roles);
  expect(changed.statusCode, changed.body).toBe(200);
  expect((await (await app.logIn(helper)).inject('GET', url)).statusCode).toBe(404);

  const privateCaseId = await createReportedCase(app, creator, { user: fan, type: 'message', typeId: message.id });
  for (const by of [moderator, support])
    expect(JSON.stringify(await read(privateCaseId, by))).not.toContain('Something');
  expect((await viewContent(privateCaseId)).body).toContain('Something private');
  expect(await listAuditActions(app, privateCaseId)).toEqual(['case.view']);
});

test('a case stores at most 20 profile snapshots and deletes them after the retention period', async () => {
  await uploadPicture('avatar', '#c00');
  const countFiles = async (ids: readonly string[]) => {
    const keys: string[] = [];
    for await (const { key } of app.ctx.storage.list('cases/profiles')) keys.push(key);
    return keys.filter((key) => ids.some((id) => key.includes(id))).length;
  };
  const caseId = await createReportedCase(app, fan, { user: creator });
  const listStored = () =>
    app.ctx.db.query.selectFrom('case_profile_snapshots').select('id').where('case_id', '=', caseId).execute();
  for (let count = 0; count < CASE_LIMITS.reportsPerHour - 1; count += 1) {
    await creator.inject('PUT', '/api/creator/profile', { name: `Ana ${count}`, ...PROFILE_TEXT });
    await submitReportAs(fan, { user: creator });
  }
  const stranger = await app.signUp('customer');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana at last', ...PROFILE_TEXT });
  expect((await submitReportAs(stranger, { user: creator })).statusCode).toBe(200);
  const ids = (await listStored()).map(({ id }) => id);
  expect([ids.length, await countFiles(ids)]).toEqual([20, 20]);
  await decideCaseAs(moderator, caseId, { action: 'dismiss' });
  app.clock.advance(getRetentionMs('reportedProfile') + 1_000);
  await purgeExpiredEvidence(app.ctx);
  expect([await listStored(), await countFiles(ids)]).toEqual([[], 0]);
});

test('unsent pictures are deleted after a day, also after a storage failure, and files of cases stay', async () => {
  const caseId = await createReportedCase(app, fan, { user: creator });
  await uploadPicture('avatar', '#0c0');
  const stranger = await app.signUp('customer');
  const report = await submitReportAs(stranger, { user: creator });
  expect(report.statusCode, report.body).toBe(200);
  const [first] = await listProfileSnapshots(app.ctx.db, caseId);
  const owner = await app.signUp('customer');
  const picture = await createPictureFile({ width: 200, height: 100 });
  for (let count = 0; count < 3; count += 1) await storeCasePicture(app.ctx, owner.id, picture);
  const { storage } = app.ctx;
  const countFiles = async (part: string) => {
    const keys: string[] = [];
    for await (const { key } of storage.list('cases')) if (key.includes(part)) keys.push(key);
    return keys.length;
  };
  const countRows = async () => {
    const pictureRows = await app.ctx.db.query
      .selectFrom('case_pictures')
      .select('id')
      .where('owner_id', '=', owner.id)
      .execute();
    return pictureRows.length;
  };
  // A process crashed between the file and its row.
  await storage.put(`cases/${owner.id}/${createId(app.clock)}`, picture, 'application/octet-stream');
  await purgeExpiredEvidence(app.ctx);
  expect([await countFiles(owner.id), await countRows()]).toEqual([4, 3]);
  app.clock.advance(25 * 60 * 60_000);
  let removed = 0;
  const failing: typeof storage = {
    ...storage,
    remove: async (key) => {
      removed += 1;
      if (removed === 2) throw new Error('the store does not answer');
      await storage.remove(key);
    },
  };
  await expect(purgeExpiredEvidence({ ...app.ctx, storage: failing })).rejects.toThrow('the store does not answer');
  expect(await countRows()).toBe(3);
  await purgeExpiredEvidence(app.ctx);
  expect([await countFiles(owner.id), await countRows()]).toEqual([0, 0]);
  const remaining = await listProfileSnapshots(app.ctx.db, caseId);
  expect(remaining[0]?.id).toBe(first?.id);
  for (const { id, pictures } of remaining) expect(await countFiles(id)).toBe(pictures.length);
});

test('a removal is refused when the profile changed after its snapshot', async () => {
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...PROFILE_TEXT });
  const caseId = await createReportedCase(app, fan, { user: creator });
  const [snapshot] = await listProfileSnapshots(app.ctx.db, caseId);
  if (!snapshot) throw new Error('no profile snapshot');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...PROFILE_TEXT, bio: 'Moon jars by day.' });
  const lateSnapshot = { ...snapshot, id: createId(app.clock) };
  const attaching = app.ctx.db.transaction((tx) => attachRemovedProfile(tx, caseId, creator.id, lateSnapshot));
  await expect(attaching).rejects.toThrow('They just changed it. Reload and check again.');
  expect(await listProfileSnapshots(app.ctx.db, caseId)).toEqual([snapshot]);
});
