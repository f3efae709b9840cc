/** The statement is required by 18 U.S.C. 2257 and 28 CFR 75. */
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { createSection, getCompanyName, keepStrings, type Policy } from './text.ts';

export const records: Policy = {
  title: '18 U.S.C. 2257 statement',
  lead: 'Records of everybody who is shown: who keeps them, and where they can be inspected.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: ({ companyDetails, terms }) => [
        createSection('Statement', [
          `Everybody who appears in visual material on this site was at least ${VERIFICATION_LIMITS.minAge} years old when it was made.`,
          `${getCompanyName(companyDetails)} is not the producer of what creators publish, as 28 CFR 75.1(c) defines it: creators make it, and keep the records of everybody in it that 18 U.S.C. 2257 and 28 CFR 75 ask of a producer.`,
        ]),
        createSection('What we keep ourselves', [
          `${terms.isVerificationRequiredToPost ? 'Before a creator can publish or sell anything' : 'Before a creator can sell'}, a person here looks at an identity document and a photograph of them and confirms that they are ${VERIFICATION_LIMITS.minAge} or older.${terms.isVerificationRequiredToPost ? '' : ' Free posts can be published before.'} Legal name, date of birth, the document and the signed creator agreement are kept encrypted and apart from everything else; each look at them is noted.`,
          'Each post carries the day it was published and the people its creator named in it.',
        ]),
        createSection(
          'Custodian of records',
          companyDetails.custodian === ''
            ? ['Ask for an inspection, or for the records of one depiction, at /contact-us: the custodian answers.']
            : keepStrings(
                `${companyDetails.custodian}.`,
                companyDetails.custodianAddress !== '' && `${companyDetails.custodianAddress}.`,
                companyDetails.custodianHours !== '' && `Open to inspection: ${companyDetails.custodianHours}.`,
              ),
        ),
        createSection('Somebody who should not be here', [
          'If you believe that somebody shown here is under age or did not agree, tell us at /complaints. It needs no account.',
        ]),
      ],
    },
  ],
};
