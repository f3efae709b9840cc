import { type Media, mediaDetail } from '@stagedoor/contract/content/media.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { TestApp, TestUser } from '../../../../../testing/app.ts';
import {
  convertFile,
  createH264,
  createMediaFile,
  createToneArgs,
  probeFile,
} from '../../../media-processing/testing.ts';
import { createPictureFile, publishPost } from '../../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

let uploadTest: IdleUploadTest;
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
  ({ test, creator } = uploadTest);
});
afterAll(() => test.close());

async function uploadReady(file: Buffer, name: string, type: string): Promise<Media> {
  const view = await uploadTest.makeReady(await uploadTest.client.upload(file, name, type));
  expect(view).toMatchObject({ status: 'ready', failure: null });
  return view;
}
const fetchFile = async (url: string | null | undefined) => {
  const response = await creator.inject('GET', url ?? '');
  expect(response.statusCode, url ?? '').toBe(200);
  return response;
};

async function postForm(url: string, file: Buffer | string, fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), '../../etc/passwd');
  const request = new Request('http://localhost/', { method: 'POST', body });
  return creator.inject('POST', url, Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
}

describe('audio', () => {
  it('is published as AAC without its metadata, with its waveform and a drawn cover, whatever it is called', async () => {
    const mp3 = await createMediaFile('a.mp3', [
      ...createToneArgs(2, 0.05),
      '-c:a',
      'libmp3lame',
      '-metadata',
      'title=Secret place',
    ]);
    const view = await uploadReady(mp3, 'x.png', 'audio/mpeg');
    expect(view).toMatchObject({ kind: 'audio', picture: { width: 1280, height: 800 } });
    expect(view.durationSeconds).toBeCloseTo(2, 0);
    const { stream } = view;
    expect(stream).toMatchObject({ hls: null, fileType: 'audio/mp4', sprite: null });
    expect(Math.max(...(stream?.waveform ?? []))).toBe(1);
    const file = await fetchFile(stream?.file);
    const { streams } = await probeFile(file.rawPayload);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac']);
    expect(file.rawPayload.includes('Secret')).toBe(false);
    expect((await uploadTest.improve(view.id)).stage).toBe('done');
  });

  it('keeps its embedded cover', async () => {
    const cover = await createPictureFile({ width: 300, height: 300, color: '#204060' });
    const mp3 = await createMediaFile('a.mp3', [...createToneArgs(1), '-c:a', 'libmp3lame']);
    const withCover = await convertFile(cover, 'b.mp3', [
      '-i',
      `data:audio/mpeg;base64,${mp3.toString('base64')}`,
      ...['-map', '1:a', '-map', '0:v', '-c', 'copy', '-disposition:v', 'attached_pic'],
    ]);
    const view = await uploadReady(withCover, 'song.mp3', 'audio/mpeg');
    expect(view).toMatchObject({ kind: 'audio', picture: { width: 300, height: 300 } });
    const { data } = await sharp((await fetchFile(view.picture?.url)).rawPayload)
      .extract({ left: 280, top: 280, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(Math.abs((data[2] ?? 0) - 0x60)).toBeLessThan(12);
  });
});

describe('a teaser', () => {
  it('is a public file of exactly that part while the post is locked, and is deleted when its creator removes it', async () => {
    const { id } = await uploadReady(await createH264({ seconds: 9, size: '64x36' }), 'film.mp4', 'video/mp4');
    const change = (teaser: object | null) => creator.inject('PATCH', `/api/creator/media/${id}`, { teaser });
    expect((await change({ start: 0, end: 46 })).statusCode).toBe(400);
    expect((await change({ start: 5, end: 30 })).json().code).toBe('CONFLICT');
    expect((await change({ start: 5.5, end: 8 })).json()).toMatchObject({ teaser: { start: 5.5, end: 8 } });
    const postId = await publishPost(creator, [id], { price: 5 });
    const locked = async () => (await test.inject('GET', `/api/post/${postId}`)).json().media[0];
    expect((await locked()).teaser).toBeNull();
    await test.ctx.jobs.runDue(['media.teaser']);
    await test.ctx.events.waitUntilIdle();
    const { teaser, stream } = await locked();
    expect(stream).toBeUndefined();
    expect(teaser).toMatchObject({ fileType: 'video/mp4', seconds: 2.5 });
    const file = await test.inject('GET', teaser.file);
    expect(file.statusCode).toBe(200);
    const probed = await probeFile(file.rawPayload);
    expect(Number(probed.format.duration)).toBeGreaterThan(2.3);
    expect(Number(probed.format.duration)).toBeLessThan(2.8);
    expect(probed.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);

    expect((await change(null)).json()).toMatchObject({ teaser: null });
    expect((await locked()).teaser).toBeNull();
    await test.ctx.jobs.runDue(['media.teaser']);
    await test.ctx.events.waitUntilIdle();
    expect((await test.inject('GET', teaser.file)).statusCode).toBe(404);
  });
});

describe('captions and posters', () => {
  let id: string;
  const srt =
    '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello <script>alert(1)</script>\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n<i>again</i>\r\n';
  beforeAll(async () => {
    ({ id } = await uploadReady(await createH264({ seconds: 5, size: '320x240' }), 'film.mp4', 'video/mp4'));
  });

  it('accept SubRip and WebVTT, and deliver harmless WebVTT, one track per language', async () => {
    const added = await postForm(`/api/creator/media/${id}/captions`, srt, { language: 'de-at', label: 'Wienerisch' });
    expect(added.statusCode, added.body).toBe(200);
    const [track] = z.parse(mediaDetail, added.json()).captions;
    expect(track).toMatchObject({ language: 'de-AT', label: 'Wienerisch' });
    const file = await fetchFile(track?.url);
    expect(file.headers['content-type']).toContain('text/vtt');
    expect(file.body).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello &lt;script&gt;alert(1)&lt;/script&gt;\n\n00:00:03.000 --> 00:00:04.000\n<i>again</i>\n',
    );
    await postForm(`/api/creator/media/${id}/captions`, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi', { language: 'en' });
    const replaced = await postForm(`/api/creator/media/${id}/captions`, srt.replace('Hello', 'Servus'), {
      language: 'de-AT',
    });
    const tracks = z.parse(mediaDetail, replaced.json()).captions;
    expect(tracks.map(({ language, label }) => [language, label])).toEqual([
      ['de-AT', 'Austrian German'],
      ['en', 'English'],
    ]);
    expect((await creator.inject('GET', track?.url ?? '')).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}/captions/de-AT`)).json().captions).toHaveLength(1);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}/captions/de-AT`)).statusCode).toBe(404);
    for (const [file, fields, code] of [
      [Buffer.from([0xff, 0xfe, 0x00]), { language: 'en' }, 'UNSUPPORTED_TYPE'],
      ['#EXTM3U\nfile:///etc/passwd', { language: 'en' }, 'UNSUPPORTED_TYPE'],
      ['WEBVTT\n\nNOTE nothing', { language: 'en' }, 'UNSUPPORTED_TYPE'],
      [srt, { language: '../x' }, 'VALIDATION'],
      [srt, {}, 'VALIDATION'],
      [Buffer.alloc(1024 * 1024 + 1, 'x'), { language: 'en' }, 'TOO_LARGE'],
    ] as const)
      expect(
        (await postForm(`/api/creator/media/${id}/captions`, file as Buffer, fields as Record<string, string>)).json()
          .code,
      ).toBe(code);
  });

  it('replace a poster by a frame or an upload under a new name, and delete the old one', async () => {
    const before = (await creator.inject('GET', `/api/creator/media/${id}`)).json();
    const taken = await creator.inject('PATCH', `/api/creator/media/${id}`, { posterSecond: 4.2, title: 'A film' });
    expect(taken.statusCode, taken.body).toBe(200);
    const second = taken.json();
    expect(second.title).toBe('A film');
    expect(second.picture.url).not.toBe(before.picture.url);
    expect((await creator.inject('GET', before.picture.url)).statusCode).toBe(404);
    expect(await sharp((await fetchFile(second.picture.url)).rawPayload).metadata()).toMatchObject({
      width: 320,
      height: 240,
    });
    expect((await creator.inject('PATCH', `/api/creator/media/${id}`, { posterSecond: 99 })).json().code).toBe(
      'VALIDATION',
    );
    const tooExpensive = { posterSecond: 1, price: 1_000_000 };
    expect((await creator.inject('PATCH', `/api/creator/media/${id}`, tooExpensive)).json().code).toBe('VALIDATION');
    expect((await creator.inject('GET', `/api/creator/media/${id}`)).json().picture).toEqual(second.picture);

    const given = await postForm(
      `/api/creator/media/${id}/poster`,
      await createPictureFile({ width: 900, height: 900 }),
    );
    expect(given.statusCode, given.body).toBe(200);
    const third = given.json();
    expect(await sharp((await fetchFile(third.picture.url)).rawPayload).metadata()).toMatchObject({
      width: 900,
      height: 675,
    });
    expect((await postForm(`/api/creator/media/${id}/poster`, '<svg onload="alert(1)"/>')).json().code).toBe(
      'UNSUPPORTED_TYPE',
    );
  });
});
