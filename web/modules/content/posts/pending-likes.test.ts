import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, createNetworkError } from '../../../platform/api-error.ts';
import { createPendingLikes, type LikeState } from './pending-likes.ts';

function createScenario({ others = 3 } = {}) {
  let isLiked = false;
  let isOffline = false;
  const responses: (() => void)[] = [];
  const online: (() => void)[] = [];
  const sent: boolean[] = [];
  const confirmed: LikeState[] = [];
  const refusals: unknown[] = [];
  let offlineCount = 0;
  const likes = createPendingLikes({
    send: (_postId, intent) =>
      new Promise((resolve, reject) => {
        sent.push(intent);
        responses.push(() => {
          if (isOffline) return reject(createNetworkError());
          isLiked = intent;
          resolve({ isLiked, likeCount: others + Number(isLiked) });
        });
      }),
    waitForConnection: () => new Promise((resolve) => void online.push(resolve)),
    onSettled: (_postId, liked) => confirmed.push(liked),
    onRefused: (error) => refusals.push(error),
    onOffline: () => {
      offlineCount += 1;
    },
  });
  const flushMicrotasks = async () => {
    for (let index = 0; index < 5; index += 1) await Promise.resolve();
  };
  return {
    likes,
    sent,
    confirmed,
    refusals,
    offlineCount: () => offlineCount,
    getServerState: () => isLiked,
    setServerState: (value: boolean) => {
      isLiked = value;
    },
    respond: async () => {
      responses.shift()?.();
      await flushMicrotasks();
    },
    disconnect: () => {
      isOffline = true;
    },
    reconnect: async () => {
      isOffline = false;
      for (const resolve of online.splice(0)) resolve();
      await flushMicrotasks();
    },
    drain: async () => {
      for (let guard = 0; guard < 100 && responses.length > 0; guard += 1) {
        responses.shift()?.();
        await flushMicrotasks();
      }
    },
  };
}

test('any sequence of presses and failures ends in the last press with the exact count, one request at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('press', 'answer', 'lose', 'regain'), { maxLength: 40 }),
      async (steps) => {
        const scenario = createScenario();
        let last: boolean | undefined;
        for (const step of steps) {
          if (step === 'press') {
            last = !(scenario.likes.findIntent('p') ?? scenario.getServerState());
            scenario.likes.setIntent('p', last);
          } else if (step === 'answer') await scenario.respond();
          else if (step === 'lose') scenario.disconnect();
          else await scenario.reconnect();
        }
        for (let round = 0; round < 3; round += 1) {
          await scenario.reconnect();
          await scenario.drain();
        }
        if (last === undefined) return;
        expect(scenario.likes.findIntent('p')).toBeUndefined();
        expect(scenario.getServerState()).toBe(last);
        expect(scenario.confirmed.at(-1)).toEqual({ isLiked: last, likeCount: 3 + Number(last) });
      },
    ),
  );
});

test('presses during a request send only the last one', async () => {
  const { likes, sent, drain, getServerState } = createScenario();
  for (const intent of [true, false, true, false, true, false]) likes.setIntent('p', intent);
  expect(sent).toEqual([true]);
  await drain();
  expect(sent).toEqual([true, false]);
  expect(getServerState()).toBe(false);
});

test('an offline press is reported once, waits, and is sent as the last press', async () => {
  const { likes, disconnect, reconnect, respond, drain, sent, offlineCount, getServerState } = createScenario();
  disconnect();
  likes.setIntent('p', true);
  await respond();
  likes.setIntent('p', false);
  likes.setIntent('p', true);
  expect([likes.findIntent('p'), offlineCount()]).toEqual([true, 1]);
  await reconnect();
  await drain();
  expect([sent, getServerState(), likes.findIntent('p')]).toEqual([[true, true], true, undefined]);
});

test('the desired state is sent explicitly, so a change in another tab is not toggled back', async () => {
  const { likes, setServerState, drain, getServerState } = createScenario();
  setServerState(true);
  likes.setIntent('p', true);
  await drain();
  expect(getServerState()).toBe(true);
});

test('a refused like is dropped and reported', async () => {
  const refusals: unknown[] = [];
  const likes = createPendingLikes({
    send: () => Promise.reject(new ApiError('NOT_FOUND', 'gone')),
    waitForConnection: () => Promise.resolve(),
    onSettled: () => undefined,
    onRefused: (error) => refusals.push(error),
    onOffline: () => undefined,
  });
  let notified = 0;
  likes.subscribe(() => {
    notified += 1;
  });
  likes.setIntent('p', true);
  await expect.poll(() => likes.findIntent('p')).toBeUndefined();
  expect(refusals).toHaveLength(1);
  expect(notified).toBe(2);
});
