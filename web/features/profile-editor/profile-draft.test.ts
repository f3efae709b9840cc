import { SOCIAL_NETWORKS } from '@stagedoor/contract/atoms/limits.ts';
import { profileBody } from '@stagedoor/contract/profiles.ts';
import { NETWORKS } from '@stagedoor/contract/social.ts';
import { expect, test } from 'vitest';
import { complaints } from '../../kernel/forms.ts';
import { bodyOf, type Draft, fieldErrors } from './profile-draft.ts';

const draft: Draft = {
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
  ownLinks: [],
};
const errorsOf = (changes: Partial<Draft>) => {
  const body = bodyOf({ ...draft, ...changes });
  return fieldErrors(complaints(profileBody, body), body);
};

test('a handle of any of the twelve networks becomes its address, in the order of the networks', () => {
  const links = Object.fromEntries([...SOCIAL_NETWORKS].reverse().map((network) => [network, `@ines.${network}`]));
  const body = bodyOf({ ...draft, links });
  expect(body.links).toEqual(
    SOCIAL_NETWORKS.map((network) => ({ network, url: `${NETWORKS[network].base}ines.${network}` })),
  );
  expect(errorsOf({ links })).toEqual({});
});

test('empty links are left out', () => {
  expect(bodyOf({ ...draft, links: { x: '  ', youtube: '' } })).toMatchObject({ links: [] });
});

test('a validation message belongs to its own field, whichever links precede it', () => {
  expect(errorsOf({ links: { facebook: 'ines', youtube: 'https://vimeo.com/ines', x: 'two words' } })).toEqual({
    'links.youtube': 'Enter a link to your YouTube page, such as https://www.youtube.com/@yourname',
    'links.x': 'Enter a link that starts with http://, https:// or www.',
  });
  expect(Object.keys(errorsOf({ name: ' ', bio: 'x'.repeat(1001) })).sort()).toEqual(['bio', 'name']);
});
