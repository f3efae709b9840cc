import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, networkError } from '../../kernel/api-error.ts';
import { createLikeWishes, type Liked } from './like-wishes.ts';

function world({ others = 3 } = {}) {
  let isLiked = false;
  let isOffline = false;
  const waiting: (() => void)[] = [];
  const online: (() => void)[] = [];
  const sent: boolean[] = [];
  const settled: Liked[] = [];
  const refused: unknown[] = [];
  let told = 0;
  const wishes = createLikeWishes({
    send: (_postId, wish) =>
      new Promise((resolve, reject) => {
        sent.push(wish);
        waiting.push(() => {
          if (isOffline) return reject(networkError());
          isLiked = wish;
          resolve({ isLiked, likeCount: others + Number(isLiked) });
        });
      }),
    reconnected: () => new Promise((resolve) => void online.push(resolve)),
    onSettled: (_postId, liked) => settled.push(liked),
    onRefused: (error) => refused.push(error),
    onWaiting: () => {
      told += 1;
    },
  });
  const turn = async () => {
    for (let index = 0; index < 5; index += 1) await Promise.resolve();
  };
  return {
    wishes,
    sent,
    settled,
    refused,
    told: () => told,
    server: () => isLiked,
    meanwhile: (value: boolean) => {
      isLiked = value;
    },
    answer: async () => {
      waiting.shift()?.();
      await turn();
    },
    lose: () => {
      isOffline = true;
    },
    regain: async () => {
      isOffline = false;
      for (const resolve of online.splice(0)) resolve();
      await turn();
    },
    drain: async () => {
      for (let guard = 0; guard < 100 && waiting.length > 0; guard += 1) {
        waiting.shift()?.();
        await turn();
      }
    },
  };
}

test('any sequence of presses and failures ends in the last press with the exact count, one request at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('press', 'answer', 'lose', 'regain'), { maxLength: 40 }),
      async (steps) => {
        const there = world();
        let last: boolean | undefined;
        for (const step of steps) {
          if (step === 'press') {
            last = !(there.wishes.wishFor('p') ?? there.server());
            there.wishes.wish('p', last);
          } else if (step === 'answer') await there.answer();
          else if (step === 'lose') there.lose();
          else await there.regain();
        }
        for (let round = 0; round < 3; round += 1) {
          await there.regain();
          await there.drain();
        }
        if (last === undefined) return;
        expect(there.wishes.wishFor('p')).toBeUndefined();
        expect(there.server()).toBe(last);
        expect(there.settled.at(-1)).toEqual({ isLiked: last, likeCount: 3 + Number(last) });
      },
    ),
  );
});

test('presses during a request send only the last one', async () => {
  const { wishes, sent, drain, server } = world();
  for (const wish of [true, false, true, false, true, false]) wishes.wish('p', wish);
  expect(sent).toEqual([true]);
  await drain();
  expect(sent).toEqual([true, false]);
  expect(server()).toBe(false);
});

test('an offline press is reported once, waits, and is sent as the last press', async () => {
  const { wishes, lose, regain, answer, drain, sent, told, server } = world();
  lose();
  wishes.wish('p', true);
  await answer();
  wishes.wish('p', false);
  wishes.wish('p', true);
  expect([wishes.wishFor('p'), told()]).toEqual([true, 1]);
  await regain();
  await drain();
  expect([sent, server(), wishes.wishFor('p')]).toEqual([[true, true], true, undefined]);
});

test('the desired state is sent explicitly, so a change in another tab is not toggled back', async () => {
  const { wishes, meanwhile, drain, server } = world();
  meanwhile(true);
  wishes.wish('p', true);
  await drain();
  expect(server()).toBe(true);
});

test('a refused like is dropped and reported', async () => {
  const refused: unknown[] = [];
  const wishes = createLikeWishes({
    send: () => Promise.reject(new ApiError('NOT_FOUND', 'gone')),
    reconnected: () => Promise.resolve(),
    onSettled: () => undefined,
    onRefused: (error) => refused.push(error),
    onWaiting: () => undefined,
  });
  let turns = 0;
  wishes.subscribe(() => {
    turns += 1;
  });
  wishes.wish('p', true);
  await expect.poll(() => wishes.wishFor('p')).toBeUndefined();
  expect(refused).toHaveLength(1);
  expect(turns).toBe(2);
});
