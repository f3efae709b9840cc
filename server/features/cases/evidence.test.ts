import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { keptMs } from '../../kernel/retention.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { writeDirectly } from '../chat/testing.ts';
import { pictureFile } from '../media/testing.ts';
import { forgetUnused, keepPicture } from './pictures.ts';
import { hangTaken, keptProfiles } from './profiles.ts';
import { auditOf, decideIt, reportedCase, reportIt } from './testing.ts';

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
const look = (id: string, by = moderator) => by.inject('GET', `/api/admin/cases/${id}/thing`);
const undo = (id: string, by = moderator) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { ground: 'We were wrong.' });

async function sent(
  by: TestUser,
  path: string,
  fields: Record<string, string>,
  file: { name: string; content: Buffer },
) {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.set(key, value);
  data.set('file', new Blob([new Uint8Array(file.content)]), file.name);
  const request = new Request('http://localhost/', { method: 'POST', body: data });
  const answer = await by.inject('POST', path, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
async function hang(which: 'avatar' | 'cover', background: string): Promise<string> {
  const content = await sharp({ create: { width: 500, height: 400, channels: 3, background } })
    .png()
    .toBuffer();
  const answer = await sent(creator, `/api/creator/profile/${which}`, {}, { name: 'me.png', content });
  return which === 'avatar' ? answer.avatarUrl : answer.cover.url;
}
async function colourOf(url: string, by: Pick<TestUser, 'inject'> = moderator): Promise<string | number> {
  const { statusCode, rawPayload } = await by.inject('GET', url);
  if (statusCode !== 200) return statusCode;
  const { channels } = await sharp(rawPayload).stats();
  return (
    ['red', 'green', 'blue'][channels.map(({ mean }) => mean).indexOf(Math.max(...channels.map(({ mean }) => mean)))] ??
    ''
  );
}
const ABOUT = { craft: 'Potter', city: 'Porto', bio: 'Moon jars by night.', category: null };
const profile = () => creator.inject('GET', '/api/creator/profile').then((answer) => answer.json());

test('a profile is shown as it was at each report and as it is now, to the operator who opened it', async () => {
  await hang('avatar', '#c00');
  await hang('cover', '#00c');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...ABOUT });
  const caseId = await reportedCase(app, fan, { person: creator });
  await reportIt(fan, { person: creator, message: 'Again' });
  await hang('avatar', '#0c0');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...ABOUT, bio: 'Nothing to see.' });
  expect(await read(caseId)).toMatchObject({ hasThing: true, parts: ['avatar', 'cover', 'words'] });
  const shown = (await look(caseId)).json();
  expect(shown).toMatchObject({ texts: [], media: [], files: [], profiles: [{ isNow: false }, { isNow: true }] });
  const [was, is] = shown.profiles;
  expect(was.facts).toContainEqual({ name: 'About', value: 'Moon jars by night.' });
  expect(is.facts).toContainEqual({ name: 'About', value: 'Nothing to see.' });
  expect(await Promise.all([was.avatarUrl, was.coverUrl, is.avatarUrl].map((url) => colourOf(url)))).toEqual([
    ...['red', 'blue', 'green'],
  ]);
  const second = await app.signUp('operator', { roles: ['moderator'] });
  for (const by of [second, support, fan]) expect(await colourOf(was.avatarUrl, by)).not.toBe('red');
  expect((await look(caseId, support)).statusCode).toBe(403);
  expect(await auditOf(app, caseId)).toEqual(['case.look']);
  app.clock.advance(HOUR_MS + 1_000);
  expect(await colourOf(was.avatarUrl)).toBe(404);
});

test('picture and text are removed from a profile and restored, and the user is notified of what was removed', async () => {
  const avatar = await hang('avatar', '#c00');
  await hang('cover', '#00c');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...ABOUT });
  const caseId = await reportedCase(app, fan, { person: creator });
  const unsaid = await decideIt(moderator, caseId, { act: 'remove' });
  expect(unsaid.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'parts' }] });
  const taken = await decideIt(moderator, caseId, { act: 'remove', parts: ['words', 'avatar'] });
  expect(taken.statusCode, taken.body).toBe(200);
  expect(await profile()).toMatchObject({ avatarUrl: null, bio: '', craft: '', city: '', cover: expect.anything() });
  await app.ctx.jobs.runDue(['media.discard']);
  expect((await app.inject('GET', avatar)).statusCode).toBe(404);
  const [own] = (await creator.inject('GET', '/api/helpdesk/decisions')).json().data;
  expect(own.words).toBe('Removed from your profile: photo and text and links.');
  await undo(taken.json().decisions[0].id);
  await app.ctx.jobs.runDue(['cases.givePicturesBack']);
  const back = await profile();
  expect(back).toMatchObject(ABOUT);
  expect(await colourOf(back.avatarUrl)).toBe('red');
});

test('a reversal neither overwrites what the user uploaded since nor restores what another removal covers', async () => {
  await hang('avatar', '#c00');
  await hang('cover', '#00c');
  const remove = async (parts: ('avatar' | 'cover' | 'words')[]) => {
    const caseId = await reportedCase(app, fan, { person: creator });
    return (await decideIt(moderator, caseId, { act: 'remove', parts })).json();
  };
  const first = await remove(['avatar']);
  expect((await read(first.id)).state).toBe('closed');
  const again = await reportedCase(app, fan, { person: creator });
  expect((await read(again)).parts).toEqual(['cover']);
  expect((await decideIt(moderator, again, { act: 'remove', parts: ['avatar'] })).json().code).toBe('CONFLICT');
  await decideIt(moderator, again, { act: 'dismiss' });
  const now = await hang('avatar', '#0c0');
  const second = await remove(['cover']);
  await undo(first.decisions[0].id);
  await app.ctx.jobs.runDue(['cases.givePicturesBack']);
  expect(await profile()).toMatchObject({ avatarUrl: now, cover: null });
  await undo(second.decisions[0].id);
  await app.ctx.jobs.runDue(['cases.givePicturesBack']);
  expect((await profile()).cover).not.toBeNull();
});

test('a fan’s profile has only a picture to remove, and nothing without one', async () => {
  const caseId = await reportedCase(app, creator, { person: fan });
  const { parts, acts } = await read(caseId);
  expect([parts, acts.includes('remove')]).toEqual([[], false]);
  expect((await decideIt(moderator, caseId, { act: 'remove', parts: ['words'] })).json().code).toBe('CONFLICT');
  expect((await look(caseId)).json().profiles).toMatchObject([{ isNow: false }, { isNow: true }]);
});

test('a message is shown with its document once an operator opens it, and its text not before', async () => {
  const pair = { creatorId: creator.id, fanId: fan.id };
  const { conversationId } = await writeDirectly(app.ctx, pair, { from: 'fan', text: 'Something private' });
  const document = { name: 'Address.txt', content: Buffer.from('She lives at the quay.') };
  await sent(fan, '/api/message/media-message', { conversationId }, document);
  const [file, words] = (await creator.inject('GET', `/api/message/list/${conversationId}`)).json().data;
  const caseId = await reportedCase(app, creator, { person: fan, type: 'message', typeId: file.id });
  const { url } = (await look(caseId)).json().files[0];
  expect((await look(caseId)).json()).toMatchObject({
    files: [{ name: 'Address.txt', isVoice: false }],
    texts: [{ text: 'Something private', isNamed: false }, { isNamed: true }],
  });
  const loaded = await moderator.inject('GET', url);
  expect([loaded.statusCode, loaded.body]).toEqual([200, 'She lives at the quay.']);
  expect(loaded.headers['content-disposition']).toMatch(/^attachment/);
  for (const by of [support, creator, await app.signUp('operator', { roles: ['moderator'] })])
    expect((await by.inject('GET', url)).statusCode).toBe(404);
  await decideIt(moderator, caseId, { act: 'remove' });
  expect((await moderator.inject('GET', url)).statusCode).toBe(200);
  app.clock.advance(HOUR_MS + 1_000);
  expect((await moderator.inject('GET', url)).statusCode).toBe(404);

  const helper = await app.signUp('operator', { roles: ['moderator'] });
  await look(caseId, helper);
  expect((await helper.inject('GET', url)).statusCode).toBe(200);
  const roles = { from: ['moderator'], to: ['support'], ground: 'Another job.' };
  const changed = await (await app.signUp('operator')).inject('PUT', `/api/admin/team/${helper.id}`, roles);
  expect(changed.statusCode, changed.body).toBe(200);
  expect((await (await app.logIn(helper)).inject('GET', url)).statusCode).toBe(404);

  const private_ = await reportedCase(app, creator, { person: fan, type: 'message', typeId: words.id });
  for (const by of [moderator, support]) expect(JSON.stringify(await read(private_, by))).not.toContain('Something');
  expect((await look(private_)).body).toContain('Something private');
  expect(await auditOf(app, private_)).toEqual(['case.look']);
});

test('a case stores at most 20 profile snapshots and deletes them after the retention period', async () => {
  await hang('avatar', '#c00');
  const filesOf = async (ids: readonly string[]) => {
    const keys: string[] = [];
    for await (const { key } of app.ctx.storage.list('cases/profiles')) keys.push(key);
    return keys.filter((key) => ids.some((id) => key.includes(id))).length;
  };
  const caseId = await reportedCase(app, fan, { person: creator });
  const kept = () => app.ctx.db.query.selectFrom('case_profiles').select('id').where('case_id', '=', caseId).execute();
  for (let count = 0; count < CASES.reportsAnHour - 1; count += 1) {
    await creator.inject('PUT', '/api/creator/profile', { name: `Ana ${count}`, ...ABOUT });
    await reportIt(fan, { person: creator });
  }
  const stranger = await app.signUp('customer');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana at last', ...ABOUT });
  expect((await reportIt(stranger, { person: creator })).statusCode).toBe(200);
  const ids = (await kept()).map(({ id }) => id);
  expect([ids.length, await filesOf(ids)]).toEqual([20, 20]);
  await decideIt(moderator, caseId, { act: 'dismiss' });
  app.clock.advance(keptMs('reportedProfile') + 1_000);
  await forgetUnused(app.ctx);
  expect([await kept(), await filesOf(ids)]).toEqual([[], 0]);
});

test('unsent pictures are deleted after a day, also after a storage failure, and files of cases stay', async () => {
  const caseId = await reportedCase(app, fan, { person: creator });
  await hang('avatar', '#0c0');
  const stranger = await app.signUp('customer');
  const kept = await reportIt(stranger, { person: creator });
  expect(kept.statusCode, kept.body).toBe(200);
  const [first] = await keptProfiles(app.ctx.db, caseId);
  const owner = await app.signUp('customer');
  const picture = await pictureFile({ width: 200, height: 100 });
  for (let count = 0; count < 3; count += 1) await keepPicture(app.ctx, owner.id, picture);
  const { storage } = app.ctx;
  const filesOf = async (part: string) => {
    const keys: string[] = [];
    for await (const { key } of storage.list('cases')) if (key.includes(part)) keys.push(key);
    return keys.length;
  };
  const rows = async () => {
    const found = await app.ctx.db.query
      .selectFrom('case_pictures')
      .select('id')
      .where('owner_id', '=', owner.id)
      .execute();
    return found.length;
  };
  // A process crashed between the file and its row.
  await storage.put(`cases/${owner.id}/${newId(app.clock)}`, picture, 'application/octet-stream');
  await forgetUnused(app.ctx);
  expect([await filesOf(owner.id), await rows()]).toEqual([4, 3]);
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
  await expect(forgetUnused({ ...app.ctx, storage: failing })).rejects.toThrow('the store does not answer');
  expect(await rows()).toBe(3);
  await forgetUnused(app.ctx);
  expect([await filesOf(owner.id), await rows()]).toEqual([0, 0]);
  const still = await keptProfiles(app.ctx.db, caseId);
  expect(still[0]?.id).toBe(first?.id);
  for (const { id, pictures } of still) expect(await filesOf(id)).toBe(pictures.length);
});

test('a removal is refused when the profile changed after its snapshot', async () => {
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...ABOUT });
  const caseId = await reportedCase(app, fan, { person: creator });
  const [copy] = await keptProfiles(app.ctx.db, caseId);
  if (!copy) throw new Error('a report of a profile keeps it');
  await creator.inject('PUT', '/api/creator/profile', { name: 'Ana', ...ABOUT, bio: 'Moon jars by day.' });
  const late = { ...copy, id: newId(app.clock) };
  const take = app.ctx.db.transaction((tx) => hangTaken(tx, caseId, creator.id, late));
  await expect(take).rejects.toThrow('They just changed it. Reload and check again.');
  expect(await keptProfiles(app.ctx.db, caseId)).toEqual([copy]);
});
