import { AGREEMENTS } from '../../verification/index.ts';
import { type Policy, section, type Version } from './text.ts';

const [first, ...later] = AGREEMENTS;

const asVersion = ({ version, sections }: typeof first, changes: string): Version => ({
  version,
  changes,
  write: () => sections.map(({ title, text }) => section(title, [text])),
});

export const creatorAgreement: Policy = {
  title: 'Creator agreement',
  lead: 'What creators sign with their legal name before they sell, and what they get for it.',
  versions: [
    asVersion(first, 'The first version.'),
    ...later.map((agreement) => asVersion(agreement, 'Signed anew by every creator.')),
  ],
};
