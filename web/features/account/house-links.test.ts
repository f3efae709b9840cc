import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HouseLinks } from './house-links.tsx';

test('settings link to every information page and to both contact forms', () => {
  const html = renderToStaticMarkup(createElement(HouseLinks));
  const { becomeCreator, discovery, plans, pricing, termsOfService } = PUBLIC_PATHS;
  const houses = [becomeCreator, discovery, plans, pricing, termsOfService];
  for (const path of [...houses, CASE_PATHS.complaints, CASE_PATHS.contactUs]) expect(html).toContain(`href="${path}"`);
});
