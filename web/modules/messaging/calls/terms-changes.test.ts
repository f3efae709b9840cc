import { type CallTerms, getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { apiQuery } from '../../../platform/query.ts';
import { applyTermsChange } from './terms-changes.ts';

const CREATOR_ID = z.parse(userId, '01a1fc83-76c0-7000-89ba-b8198b46b501');
const { queryKey } = apiQuery(getCallTerms, { params: { id: CREATOR_ID } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an open page shows the new prices of calls at once, and refetches the terms soon', () => {
  const client = new QueryClient();
  client.setQueryData(queryKey, { creatorId: CREATOR_ID, videoRate: 3, audioRate: 2, minMinutes: 1 } as CallTerms);
  applyTermsChange(client, { creatorId: CREATOR_ID, videoRate: 4.5, audioRate: null });
  expect(client.getQueryData(queryKey)).toMatchObject({ videoRate: 4.5, audioRate: null, minMinutes: 1 });
  vi.runAllTimers();
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test('terms that the page does not show are not requested', () => {
  const client = new QueryClient();
  applyTermsChange(client, { creatorId: CREATOR_ID, videoRate: 4.5, audioRate: null });
  vi.runAllTimers();
  expect(client.getQueryCache().getAll()).toEqual([]);
});
