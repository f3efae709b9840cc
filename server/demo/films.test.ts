import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { createTestApp } from '../testing/app.ts';
import { FILMS, publishFilms } from './films.ts';
import { CREATORS } from './world.ts';

const FOLDER = fileURLToPath(new URL('./films/', import.meta.url));
const never = new AbortController().signal;

it('the demo films belong to demo creators, are all used and are small', async () => {
  expect((await readdir(FOLDER)).sort()).toEqual(FILMS.map(({ file }) => file).sort());
  const sizes = await Promise.all(FILMS.map(async ({ file }) => (await stat(FOLDER + file)).size));
  expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(3 * 1024 * 1024);
  for (const { username } of FILMS) expect(CREATORS.map((creator) => creator.username)).toContain(username);
});

it('a paid demo film is published once even if the step runs twice, and has a public teaser', async () => {
  const priced = FILMS.find(({ price, teaser }) => price > 0 && teaser);
  if (!priced) throw new Error('none of them has a teaser');
  // Jobs run only on demand, because the film's further renditions are not needed here.
  const testApp = await createTestApp();
  try {
    const creator = await testApp.signUp('creator');
    const film = { ...priced, username: creator.username };
    let isPublished = false;
    const publishing = publishFilms(testApp.ctx, never, [film]).then(() => (isPublished = true));
    await vi.waitFor(
      async () => {
        await testApp.ctx.jobs.runDue(['media.stream', 'media.encode']);
        expect(isPublished).toBe(true);
      },
      { timeout: 60_000, interval: 100 },
    );
    await publishing;
    await publishFilms(testApp.ctx, never, [film]);
    await testApp.ctx.jobs.runDue(['media.teaser']);
    await testApp.ctx.events.waitUntilIdle();
    const posts = (await testApp.inject('GET', `/api/public/posts/${creator.id}`)).json();
    expect(posts).toMatchObject({
      totalCount: 1,
      data: [{ type: 'video', media: [{ isLocked: true, teaser: { seconds: 8 } }] }],
    });
    const response = await testApp.inject('GET', posts.data[0].media[0].teaser.file);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'video/mp4']);
  } finally {
    await testApp.close();
  }
});

it('demo films are skipped without an error if ffmpeg is missing', async () => {
  const testApp = await createTestApp({ env: { FFMPEG_PATH: '/nowhere/ffmpeg' } });
  try {
    const creator = await testApp.signUp('creator');
    const film = { username: creator.username, file: 'a-sounding.m4a', caption: 'A', price: 0, tags: [], alt: '' };
    await publishFilms(testApp.ctx, never, [film]);
    expect((await testApp.inject('GET', `/api/public/posts/${creator.id}`)).json().totalCount).toBe(0);
  } finally {
    await testApp.close();
  }
});
