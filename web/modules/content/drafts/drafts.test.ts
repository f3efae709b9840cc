import type { Draft, DraftBody } from '@stagedoor/contract/content/drafts.ts';
import { EMPTY_POST_DETAILS } from '@stagedoor/contract/content/post-details.ts';
import { createPriceSchema } from '@stagedoor/contract/shared/prices.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, createNetworkError } from '../../../platform/api-error.ts';
import { createAutosave, type DraftApi, type SaveState } from './autosave.ts';
import { toSaveableDraft } from './draft-body.ts';
import { arePending, findFileRefusal, findFilesProblem, itemsReducer, toUploadItem, type UploadItem } from './items.ts';
import { isSameFile, listStoredUploads, storeUpload, type UnfinishedUpload } from './unfinished-uploads.ts';
import { createPace, formatRemaining } from './upload-pace.ts';
import { type FileWait, useFileWait } from './use-file-wait.ts';

const item = (key: string, change: Partial<UploadItem> = {}): UploadItem => ({
  ...toUploadItem(key, { name: `${key}.jpg`, size: 10, type: 'image/jpeg' }, ''),
  state: 'ready',
  ...change,
});
const joinKeys = (items: readonly UploadItem[]) => items.map(({ key }) => key).join('');

type WaitProbeProps = { items: UploadItem[]; resume: (key: string) => void; waits: FileWait[] };
function WaitProbe({ items, resume, waits }: WaitProbeProps) {
  const wait = useFileWait({ items, resume }, false);
  if (waits.push(wait) === 1) wait.start();
  return null;
}

describe('the list of files', () => {
  test('moves an item only within the list', () => {
    const items = [item('a'), item('b'), item('c')];
    expect(joinKeys(itemsReducer(items, { kind: 'moved', key: 'a', to: 1 }))).toBe('bac');
    expect(joinKeys(itemsReducer(items, { kind: 'moved', key: 'c', to: 0 }))).toBe('cab');
    for (const to of [-1, 3]) expect(joinKeys(itemsReducer(items, { kind: 'moved', key: 'a', to }))).toBe('abc');
    expect(joinKeys(itemsReducer(items, { kind: 'moved', key: 'x', to: 1 }))).toBe('abc');
  });

  test('changes only the given item, and restores a removed one once at its former position', () => {
    const items = [item('a'), item('b', { mediaId: 'm' })];
    const [first, second] = itemsReducer(items, { kind: 'changed', key: 'b', change: { sent: 5 } });
    expect([first?.sent, second?.sent]).toEqual([0, 5]);
    const restored = itemsReducer([item('a'), item('c')], {
      kind: 'inserted',
      item: item('b', { mediaId: 'm' }),
      index: 1,
    });
    expect(joinKeys(restored)).toBe('abc');
    expect(joinKeys(itemsReducer(restored, { kind: 'inserted', item: item('z', { mediaId: 'm' }), index: 0 }))).toBe(
      'abc',
    );
  });

  const noMedium = 'isn’t supported. Use a photo, video or audio file.';
  test.each([
    [{ name: 'a.jpg', size: 10, type: 'image/jpeg' }, undefined],
    [{ name: 'a.HEIC', size: 10, type: '' }, undefined],
    [{ name: 'a.mkv', size: 5_000_000_000, type: '' }, undefined],
    [{ name: 'a.mp3', size: 10, type: 'audio/mpeg' }, undefined],
    [{ name: 'a.pdf', size: 10, type: 'application/pdf' }, `a.pdf ${noMedium}`],
    [{ name: 'a.svg', size: 10, type: 'image/svg+xml' }, `a.svg ${noMedium}`],
    [{ name: 'a.jpg', size: 0, type: 'image/jpeg' }, 'a.jpg is empty.'],
    [{ name: 'a.jpg', size: 90_000_000, type: 'image/jpeg' }, 'a.jpg is larger than 42 MB.'],
    [{ name: 'a.mp4', size: 9_000_000_000, type: 'video/mp4' }, 'a.mp4 is larger than 8.6 GB.'],
  ])('accepts or refuses %o', (file, expected) => expect(findFileRefusal(file)).toBe(expected));

  test.each<[UploadItem[], string | undefined]>([
    [[], 'Add at least one'],
    [[item('a')], undefined],
    [[item('a', { state: 'processing' })], undefined],
    [[item('a', { state: 'uploading' })], undefined],
    [[item('a', { state: 'lost' })], 'again'],
    [[item('a', { state: 'failed' }), item('b', { state: 'uploading' })], 'Remove failed files'],
    [[item('a', { isUsed: true })], 'another post'],
    [[item('a'), item('b', { kind: 'video' })], 'one video'],
    [[item('a', { kind: 'audio' })], undefined],
  ])('has a problem that waiting does not solve, or none', (items, problem) => {
    if (problem) expect(findFilesProblem(items)).toContain(problem);
    else expect(findFilesProblem(items)).toBeUndefined();
  });

  test.each<[UploadItem['state'], boolean, boolean]>([
    ['waiting', true, true],
    ['uploading', true, true],
    ['paused', true, true],
    ['offline', true, true],
    ['processing', true, false],
    ['ready', false, false],
    ['failed', false, false],
  ])('lets publishing wait for a file that is %s: %s, and scheduling: %s', (state, now, later) => {
    const items = [item('a'), item('b', { state })];
    expect([arePending(items, false), arePending(items, true)]).toEqual([now, later]);
  });

  test.each<[UploadItem[], boolean]>([
    [[item('a', { state: 'uploading' })], false],
    [[item('a', { state: 'uploading' }), item('b', { state: 'failed' })], true],
    [[item('a')], true],
  ])(
    'a submission that waits resumes paused uploads, and goes on when all files are ready or one failed',
    (files, isDue) => {
      const resume = vi.fn();
      const waits: FileWait[] = [];
      const items = [...files, item('z', { state: isDue ? 'ready' : 'paused' })];
      renderToStaticMarkup(createElement(WaitProbe, { items, resume, waits }));
      expect(waits.map((wait) => wait.isDue)).toEqual([false, isDue]);
      expect(resume.mock.calls).toEqual(isDue ? [] : [['z']]);
    },
  );
});

describe('upload pace', () => {
  test('reports the speed of the last seconds and restarts after lost bytes', () => {
    const pace = createPace();
    expect(pace.record(0, 0)).toBeUndefined();
    expect(pace.record(500, 500)).toBeUndefined();
    expect(pace.record(2_000, 2_000)).toBe(1_000);
    for (let at = 3_000; at <= 20_000; at += 1_000) pace.record(2_000 + (at - 2_000) * 4, at);
    expect(pace.record(78_000, 21_000)).toBe(4_000);
    expect(pace.record(100, 22_000)).toBeUndefined();
  });

  test.each([
    [2, 'a few seconds left'],
    [31, 'about 40 seconds left'],
    [60, 'about a minute left'],
    [600, 'about 10 minutes left'],
    [3_600, 'about an hour left'],
    [5_400, 'about 1.5 hours left'],
  ])('formats the remaining time of %d seconds', (seconds, expected) =>
    expect(formatRemaining(seconds)).toBe(expected),
  );
});

describe('unfinished uploads', () => {
  const upload: UnfinishedUpload = {
    key: 'k',
    draftId: 'd',
    ownerId: 'me',
    url: '/files/1',
    name: 'a.mp4',
    type: 'video/mp4',
    byteSize: 9,
    lastModified: 5,
    alt: '',
    index: 1,
    startedAt: 1_000,
  };
  const createStore = () => {
    const map = new Map<string, string>();
    return {
      listKeys: () => [...map.keys()],
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
      removeItem: (key: string) => void map.delete(key),
    };
  };

  test('are restored in order for their owner within a day, and invalid records are deleted', () => {
    const store = createStore();
    store.setItem('unfinished-upload:bad', '{');
    store.setItem('else', 'stays');
    storeUpload(store, upload);
    storeUpload(store, { ...upload, key: 'first', index: 0 });
    storeUpload(store, { ...upload, key: 'hers', ownerId: 'she' });
    expect(listStoredUploads(store, 'me', 2_000).map(({ key }) => key)).toEqual(['first', 'k']);
    expect(store.getItem('unfinished-upload:bad')).toBeNull();
    expect(listStoredUploads(store, 'me', 1_000 + 25 * 3_600_000)).toEqual([]);
    expect(store.listKeys()).toEqual(['else']);
  });

  test('recognise their file by name, size and date', () => {
    expect(isSameFile(upload, { name: 'a.mp4', size: 9, lastModified: 5 })).toBe(true);
    expect(isSameFile(upload, { name: 'a.mp4', size: 9, lastModified: 6 })).toBe(false);
  });
});

describe('the saved draft', () => {
  const form = {
    caption: 'The pier',
    isPaid: true,
    priceText: '7,50',
    details: { ...EMPTY_POST_DETAILS, tags: ['sea'] },
    tagText: '',
    people: [],
  };
  const items = [item('a', { mediaId: 'm' })];
  const options = { scheduledAt: null, savedPrice: 6, priceSchema: createPriceSchema('post', { min: 3, max: 50 }) };

  test.each(['', '0', '1', '500', 'abc', '7.505'])(
    'contains everything but the price while the price is %j',
    (priceText) => {
      const { body, invalidReason, isWithoutPrice } = toSaveableDraft({ ...form, priceText }, items, options);
      expect(body).toMatchObject({ caption: 'The pier', tags: ['sea'], media: [{ id: 'm' }], price: 6 });
      expect([invalidReason, isWithoutPrice]).toEqual([undefined, true]);
    },
  );

  test('contains a valid price, and 0 for a free post', () => {
    expect(toSaveableDraft(form, items, options)).toMatchObject({ body: { price: 7.5 }, isWithoutPrice: false });
    const free = { ...form, isPaid: false, priceText: 'abc' };
    expect(toSaveableDraft(free, items, options)).toMatchObject({ body: { price: 0 }, isWithoutPrice: false });
  });

  test('is not saved when the caption is too long for the server', () => {
    expect(toSaveableDraft({ ...form, caption: 'a'.repeat(10_000) }, items, options).invalidReason).toMatch(/^At most/);
  });
});

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const EMPTY: DraftBody = { caption: '' };
  const createDraft = (version: number, caption = ''): Draft => ({
    id: '01a1fc83-76c0-7000-89ba-b8198b46b601' as Draft['id'],
    version,
    caption,
    title: caption,
    price: 0,
    media: [],
    ...EMPTY_POST_DETAILS,
    people: [],
    scheduledAt: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    failure: null,
  });
  function createTestAutosave(api: Partial<DraftApi>, draft?: Draft) {
    const states: SaveState[] = [];
    const refuse = () => Promise.reject(new Error('not expected'));
    const autosave = createAutosave(
      { create: refuse, update: refuse, read: refuse, ...api },
      { draft, body: EMPTY, isAutomatic: true },
      (state) => states.push(state),
    );
    return { autosave, states, kinds: () => states.map(({ kind }) => kind) };
  }

  test('saves the last of several quick changes and builds on its version', async () => {
    const create = vi.fn(async ({ caption }: DraftBody) => createDraft(1, caption));
    const update = vi.fn(async (_: string, version: number, { caption }: DraftBody) =>
      createDraft(version + 1, caption),
    );
    const { autosave } = createTestAutosave({ create, update });
    autosave.set({ caption: 'a' });
    autosave.set({ caption: 'ab' });
    await vi.advanceTimersByTimeAsync(2_500);
    expect(create.mock.calls.map(([body]) => body.caption)).toEqual(['ab']);
    expect(autosave.isDirty()).toBe(false);
    autosave.set({ caption: 'abc' });
    await autosave.flush();
    autosave.set({ caption: 'abcd' });
    await autosave.flush();
    expect(update.mock.calls.map(([, version]) => version)).toEqual([1, 2]);
  });

  test('never runs two saves at once', async () => {
    let running = 0;
    let maxRunning = 0;
    const save = async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      running -= 1;
      return createDraft(2);
    };
    const { autosave } = createTestAutosave({ create: save, update: save });
    autosave.set({ caption: 'a' });
    const flushes = [autosave.flush()];
    autosave.set({ caption: 'b' });
    flushes.push(autosave.flush(), autosave.flush());
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all(flushes);
    expect(maxRunning).toBe(1);
  });

  test('retries a failed save with the same idempotency key', async () => {
    const create = vi
      .fn<DraftApi['create']>()
      .mockRejectedValueOnce(createNetworkError())
      .mockResolvedValue(createDraft(1, 'a'));
    const { autosave, kinds } = createTestAutosave({ create });
    autosave.set({ caption: 'a' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(create).toHaveBeenCalledTimes(2);
    expect(create.mock.calls[0]?.[1]).toBe(create.mock.calls[1]?.[1]);
    expect(kinds().at(-1)).toBe('saved');
  });

  test('reports a change from another browser and continues on the chosen version', async () => {
    const conflict = () => Promise.reject(new ApiError('CONFLICT', 'Changed'));
    const update = vi
      .fn<DraftApi['update']>()
      .mockImplementationOnce(conflict)
      .mockResolvedValue(createDraft(6, 'mine'));
    const { autosave, states } = createTestAutosave(
      { update, read: async () => createDraft(5, 'theirs') },
      createDraft(4),
    );
    autosave.set({ caption: 'mine' });
    expect(await autosave.flush()).toBeUndefined();
    expect(states.at(-1)).toMatchObject({ kind: 'conflict', theirs: { caption: 'theirs' } });
    autosave.rebase(createDraft(5, 'theirs'));
    expect((await autosave.flush())?.version).toBe(6);
    expect(update.mock.calls.map(([, version]) => version)).toEqual([4, 5]);
  });

  test('reports a deleted draft and can save it as a new one', async () => {
    const rejectNotFound = () => Promise.reject(new ApiError('NOT_FOUND', 'Gone', { status: 404 }));
    const { autosave, kinds } = createTestAutosave(
      { update: rejectNotFound, read: rejectNotFound, create: async () => createDraft(1) },
      createDraft(4),
    );
    autosave.set({ caption: 'mine' });
    await autosave.flush();
    expect(kinds().at(-1)).toBe('gone');
    autosave.rebase(undefined);
    expect((await autosave.flush())?.version).toBe(1);
  });

  test('sends nothing for a change that was undone', async () => {
    const { autosave, kinds } = createTestAutosave({ create: async () => createDraft(1, 'a') });
    autosave.set({ caption: 'a' });
    await autosave.flush();
    autosave.set({ caption: 'ab' });
    autosave.set({ caption: 'a' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(kinds()).toEqual(['waiting', 'saving', 'saved', 'waiting', 'saved']);
  });

  test('creates a draft while the first file is still uploading', async () => {
    const create = vi.fn(async () => createDraft(1));
    const { autosave } = createTestAutosave({ create });
    autosave.set(EMPTY);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(create).not.toHaveBeenCalled();
    autosave.set(EMPTY, undefined, true);
    expect(autosave.isDirty()).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(create).toHaveBeenCalledTimes(1);
    expect(autosave.isDirty()).toBe(false);
  });

  test('does not save invalid content', async () => {
    const { autosave, kinds } = createTestAutosave({});
    autosave.set({ caption: 'a' }, 'The caption is too long.');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await autosave.flush()).toBeUndefined();
    expect(new Set(kinds())).toEqual(new Set(['invalid']));
  });
});
