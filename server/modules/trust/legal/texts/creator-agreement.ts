import { AGREEMENTS } from '../../../compliance/verification/index.ts';
import { createSection, type Policy, type Version } from './text.ts';

const [first, ...later] = AGREEMENTS;

const toVersion = ({ version, sections }: typeof first, changes: string): Version => ({
  version,
  changes,
  write: () => sections.map(({ title, text }) => createSection(title, [text])),
});

export const creatorAgreement: Policy = {
  title: 'Creator agreement',
  lead: 'What creators sign with their legal name before they sell, and what they get for it.',
  versions: [
    toVersion(first, 'The first version.'),
    ...later.map((agreement) => toVersion(agreement, 'Signed anew by every creator.')),
  ],
};
