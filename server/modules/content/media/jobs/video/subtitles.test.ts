import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertFile, createH264 } from '../../../media-processing/testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../../tus.testing.ts';

const SRT = '1\n00:00:00,100 --> 00:00:00,900\nHello <b>there</b>\n\n2\n00:00:01,000 --> 00:00:01,500\nagain\n';
const toInput = (srt: string) => ['-f', 'srt', '-i', `data:text/plain;base64,${Buffer.from(srt).toString('base64')}`];
const subtitles = toInput(SRT);
const copy = ['-c:v', 'copy', '-c:a', 'copy'];

describe('subtitles in a file', () => {
  let uploadTest: IdleUploadTest;
  let film: Buffer;
  beforeAll(async () => {
    uploadTest = await openIdleUploadTest();
    film = await createH264({ size: '64x36' });
  });
  afterAll(() => uploadTest.test.close());

  const upload = async (name: string, args: string[]) => {
    const file = await convertFile(film, name, [...subtitles, ...args]);
    return uploadTest.makeReady(await uploadTest.client.upload(file, name, 'video/mp4'));
  };
  const readCaptions = async (url: string) => (await uploadTest.creator.inject('GET', url)).body;

  it('become captions in MP4', async () => {
    const { id } = await upload('a.mp4', ['-map', '0', '-map', '1', ...copy, '-c:s', 'mov_text']);
    const { captions, leftOutSubtitles } = await uploadTest.improve(id, { hasGifs: false });
    expect([captions, leftOutSubtitles]).toMatchObject([[{ language: 'und', label: 'Unknown language' }], 0]);
    expect(await readCaptions(captions[0]?.url ?? '')).toBe(
      'WEBVTT\n\n00:00:00.100 --> 00:00:00.900\nHello <b>there</b>\n\n00:00:01.000 --> 00:00:01.500\nagain\n',
    );
  });

  it('become captions by language in Matroska, and a second track of a language is counted as left out', async () => {
    const tracks = [
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '1',
      '-map',
      '1',
      '-c:s:0',
      'srt',
      '-c:s:1',
      'ass',
      '-c:s:2',
      'srt',
    ];
    const languages = ['eng', 'ger', 'eng'].flatMap((language, index) => [
      `-metadata:s:s:${index}`,
      `language=${language}`,
    ]);
    const titles = ['-metadata:s:s:1', 'title=Für Gehörlose', '-metadata:s:s:2', 'title=Songs'];
    const ready = await upload('a.mkv', [...tracks, ...copy, ...languages, ...titles]);
    expect(ready).toMatchObject({ status: 'ready', captions: [], leftOutSubtitles: 1 });
    const improved = await uploadTest.improve(ready.id, { hasGifs: false });
    expect(improved.leftOutSubtitles).toBe(1);
    expect(improved.captions.map(({ language, label }) => [language, label])).toEqual([
      ['en', 'English'],
      ['de', 'Für Gehörlose'],
    ]);
    for (const { url } of improved.captions) expect(await readCaptions(url)).toContain('Hello <b>there</b>');
  });

  it('that have no text are counted as left out', async () => {
    const empty = toInput('1\n00:00:00,100 --> 00:00:00,900\n{\\an8}\n');
    const { id } = await upload('b.mkv', [...empty, '-map', '0', '-map', '2', ...copy, '-c:s', 'srt']);
    const { captions, leftOutSubtitles } = await uploadTest.improve(id, { hasGifs: false });
    expect([captions, leftOutSubtitles]).toEqual([[], 1]);
  });
});
