import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InformationLinks } from './information-links.tsx';

test('settings link to every information page and to both contact forms', () => {
  const html = renderToStaticMarkup(createElement(InformationLinks));
  const { becomeCreator, discovery, plans, pricing, termsOfService } = PUBLIC_PATHS;
  const pagePaths = [becomeCreator, discovery, plans, pricing, termsOfService];
  for (const path of [...pagePaths, CASE_PATHS.complaints, CASE_PATHS.contactUs])
    expect(html).toContain(`href="${path}"`);
});
