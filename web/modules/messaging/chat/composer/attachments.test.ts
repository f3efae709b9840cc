import { expect, test, vi } from 'vitest';
import { emitSignal } from '../../../../platform/signals.ts';
import type { OutboxEntry, OutboxFile } from '../outbox/queue.ts';
import {
  addFiles,
  changeAttachments,
  clearFiles,
  type FileRequest,
  getAttachments,
  registerSend,
  removeFile,
  waitForFiles,
} from './attachments.ts';
import { readDraft, writeDraft } from './drafts.ts';
import { reopenEntry } from './reopen.ts';

const toFile = (name: string): OutboxFile => ({
  ...{ key: '', name, type: 'image/jpeg', kind: 'picture', width: 1, height: 1 },
  blob: new Blob([name]),
});

/** A file whose preparation the test ends. */
function createRequest(name: string) {
  const { promise, resolve } = Promise.withResolvers<OutboxFile | { refusal: string }>();
  const request: FileRequest = { name, kind: 'picture', prepare: () => promise };
  return { request, finish: () => resolve(toFile(name)), refuse: () => resolve({ refusal: `${name} is damaged.` }) };
}
const listNames = (key: string) =>
  getAttachments(key).files.map(({ name, prepared }) => [name, prepared !== undefined]);

test('files and their price stay with their conversation, in the chosen order, and are listed while they are prepared', async () => {
  const [slow, quick] = [createRequest('slow.jpg'), createRequest('quick.jpg')];
  const adding = addFiles('talk', [slow.request, quick.request]);
  changeAttachments('talk', { price: '7.50' });
  expect(listNames('talk')).toEqual([
    ['slow.jpg', false],
    ['quick.jpg', false],
  ]);
  registerSend('talk', () => true)();
  quick.finish();
  slow.finish();
  await adding;
  expect(listNames('talk')).toEqual([
    ['slow.jpg', true],
    ['quick.jpg', true],
  ]);
  expect(getAttachments('talk').price).toBe('7.50');
  expect(getAttachments('other').files).toEqual([]);
  clearFiles('talk');
  expect(getAttachments('talk')).toMatchObject({ files: [], price: '' });
});

test('a message that waits for its files is sent after its conversation was left', async () => {
  const send = vi.fn(() => true);
  const { request, finish } = createRequest('one.jpg');
  const leave = registerSend('left', send);
  const adding = addFiles('left', [request]);
  expect(waitForFiles('left')).toBe(true);
  leave();
  expect(send).not.toHaveBeenCalled();
  finish();
  await adding;
  expect(send).toHaveBeenCalledOnce();
  expect(getAttachments('left').isWaiting).toBe(false);
  expect(waitForFiles('left')).toBe(false);
});

test('a message is not sent without a file that was refused, but without one that the user removed', async () => {
  const send = vi.fn(() => true);
  registerSend('mixed', send);
  const [good, bad, unwanted] = [createRequest('good.jpg'), createRequest('bad.jpg'), createRequest('unwanted.jpg')];
  const adding = addFiles('mixed', [good.request, bad.request, unwanted.request]);
  waitForFiles('mixed');
  good.finish();
  bad.refuse();
  await vi.waitFor(() => expect(listNames('mixed')).toHaveLength(2));
  const remove = (name: string) =>
    removeFile('mixed', getAttachments('mixed').files.find((file) => file.name === name)?.key ?? '');
  remove('unwanted.jpg');
  expect(send).not.toHaveBeenCalled();
  expect(getAttachments('mixed').isWaiting).toBe(false);

  const late = createRequest('late.jpg');
  const addingLate = addFiles('mixed', [late.request]);
  waitForFiles('mixed');
  remove('late.jpg');
  expect(send).toHaveBeenCalledOnce();
  late.finish();
  unwanted.finish();
  await Promise.all([adding, addingLate]);
  expect(listNames('mixed')).toEqual([['good.jpg', true]]);
});

test('ten files fit, and media of the library are added once', async () => {
  const request = (mediaId: string): FileRequest => ({
    ...{ name: mediaId, kind: 'picture', mediaId },
    prepare: async () => ({ ...toFile(mediaId), mediaId }),
  });
  await addFiles('full', [request('a'), request('b')]);
  await addFiles('full', [request('b'), ...Array.from({ length: 9 }, (_, index) => request(`${index}`))]);
  expect(listNames('full').map(([name]) => name)).toEqual(['a', 'b', '0', '1', '2', '3', '4', '5', '6', '7']);
});

test('a scheduled broadcast whose time has passed is edited again with its text, files and price', async () => {
  const entry: OutboxEntry = {
    ...{ clientId: 'c', userId: 'ada', thread: 'broadcast', text: 'Tonight', price: 5, isViewOnce: true, order: 1 },
    target: { kind: 'broadcast', audience: 'followers', conversationIds: [], excludeBuyers: false, scheduledAt: '' },
    ...{ files: [toFile('vase.jpg')], voice: undefined, createdAt: '', state: 'failed', failure: 'Too late' },
  };
  writeDraft('again', 'And');
  await reopenEntry('again', entry);
  expect(readDraft('again')).toBe('And\nTonight');
  expect(getAttachments('again')).toMatchObject({ price: '5', isViewOnce: true, files: [{ name: 'vase.jpg' }] });
  const voice = { durationSeconds: 2, waveform: [1] };
  await reopenEntry('again', { ...entry, files: [{ ...toFile('voice.webm'), kind: 'voice' }], voice });
  expect(getAttachments('again').voice).toMatchObject({ name: 'voice.webm', durationSeconds: 2 });
});

test('a log-out forgets the files', async () => {
  const { request, finish } = createRequest('secret.jpg');
  const adding = addFiles('gone', [request]);
  emitSignal('leaving');
  finish();
  await adding;
  expect(getAttachments('gone').files).toEqual([]);
});
