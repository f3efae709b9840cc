import { profileBody } from '@stagedoor/contract/content/profiles.ts';
import { SOCIAL_NETWORK_DETAILS } from '@stagedoor/contract/content/social-links.ts';
import { SOCIAL_NETWORKS } from '@stagedoor/contract/shared/limits.ts';
import { expect, test } from 'vitest';
import { validateFields } from '../../../../platform/forms.ts';
import { type ProfileFormValues, toProfileBody, toProfileErrors } from './profile-draft.ts';

const draft: ProfileFormValues = {
  name: 'Inês',
  craft: '',
  city: '',
  bio: '',
  category: null,
  layout: 'hero',
  shape: 'box',
  format: 'row',
  coverFocus: { x: 50, y: 20 },
  links: {},
  customLinks: [],
};
const getErrors = (changes: Partial<ProfileFormValues>) => {
  const body = toProfileBody({ ...draft, ...changes });
  return toProfileErrors(validateFields(profileBody, body), body);
};

test('a handle of any of the twelve networks becomes its address, in the order of the networks', () => {
  const links = Object.fromEntries([...SOCIAL_NETWORKS].reverse().map((network) => [network, `@ines.${network}`]));
  const body = toProfileBody({ ...draft, links });
  expect(body.links).toEqual(
    SOCIAL_NETWORKS.map((network) => ({ network, url: `${SOCIAL_NETWORK_DETAILS[network].base}ines.${network}` })),
  );
  expect(getErrors({ links })).toEqual({});
});

test('empty links are left out', () => {
  expect(toProfileBody({ ...draft, links: { x: '  ', youtube: '' } })).toMatchObject({ links: [] });
});

test('a validation message belongs to its own field, whichever links precede it', () => {
  expect(getErrors({ links: { facebook: 'ines', youtube: 'https://vimeo.com/ines', x: 'two words' } })).toEqual({
    'links.youtube': 'Enter a link to your YouTube page, such as https://www.youtube.com/@yourname',
    'links.x': 'Enter a link that starts with http://, https:// or www.',
  });
  expect(Object.keys(getErrors({ name: ' ', bio: 'x'.repeat(1001) })).sort()).toEqual(['bio', 'name']);
});
