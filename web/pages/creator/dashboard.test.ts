import { expect, test } from 'vitest';
import { listSetupSteps, type SetupCardProps } from '../../modules/finance/earnings/setup-card.tsx';
import { formatComparison } from './dashboard.tsx';

test('a figure is compared with the same part of yesterday, without a percentage if that was zero', () => {
  expect(formatComparison(12, 10, '$13.50')).toBe('$13.50 yesterday, +20% vs. same time');
  expect(formatComparison(5, 10, '12')).toBe('12 yesterday, −50% vs. same time');
  expect(formatComparison(10, 10, '12')).toBe('12 yesterday, 0% vs. same time');
  expect(formatComparison(52.2, 0, '$0.00')).toBe('$0.00 yesterday');
});

test('a submitted verification is shown as under review, not as done', () => {
  const profile: SetupCardProps['profile'] = {
    ...{ bio: '', craft: '', avatarUrl: null, cover: null, totalPostCount: 0, isVerified: false },
  };
  const step = (review?: string, isVerified = false) =>
    listSetupSteps({ profile: { ...profile, isVerified }, hasPayoutMethod: false, review }).find(({ label }) =>
      label.startsWith('Verify your'),
    );
  const promise = 'We’ll let you know by Tuesday 25 Nov, here and by email.';
  expect(step()).toMatchObject({ isDone: false, review: undefined });
  expect(step(promise)).toMatchObject({ isDone: false, review: promise });
  expect(step(promise, true)).toMatchObject({ isDone: true });
});
