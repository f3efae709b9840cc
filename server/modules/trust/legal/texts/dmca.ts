/** The policy describes the procedure of 17 U.S.C. 512. */

import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { RETENTION_DAYS } from '../../../../platform/retention.ts';
import { createSection, getCompanyName, keepStrings, type Policy } from './text.ts';

export const dmca: Policy = {
  title: 'Copyright (DMCA)',
  lead: 'How to report copyright infringement and how to respond to a notice.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: ({ companyDetails }) => [
        createSection(
          'Sending a notice',
          [
            `Send it by the form at ${CASE_PATHS.copyrightNotice}, without an account, or to the agent below. It is complete with all of this:`,
          ],
          {
            points: [
              'Your signature, typed or by hand.',
              'The work that is yours, or a list of them.',
              `The address here of what copies it, so exact that we find it; the form takes ${COPYRIGHT_LIMITS.urls} at once.`,
              'Your name, address, telephone number and email address.',
              'That you believe in good faith that neither the owner, their agent nor the law allows it.',
              'That your notice is accurate and, under penalty of perjury, that you own the right or act for who does.',
            ],
          },
        ),
        createSection('What happens then', [
          `A person looks at it within ${COPYRIGHT_LIMITS.noticeDays} business days. You get a number by mail, by which you see at ${CASE_PATHS.copyrightNotice} how it stands. What is missing we ask you for.`,
          'What copies your work is removed, wherever the same person posted it. Whoever posted it is told your name, your words and our reason, and never how to reach you.',
          `We close accounts after the third upheld notice within ${COPYRIGHT_LIMITS.strikeMonths} months. A person decides that too.`,
        ]),
        createSection(
          'A counter-notice',
          [
            `If it was yours to post, answer in your help desk, below the decision: the link is in the mail that told you. If you cannot log in, send it to the agent. It says:`,
          ],
          {
            points: [
              'Your signature, typed or by hand.',
              'What was removed, and where it was: the form knows both.',
              'Why, and that you believe in good faith, under penalty of perjury, that it was a mistake.',
              'Your name, address and telephone number.',
              'That you agree to the federal court where you live, or where we are if you live outside of the United States, and take papers from whoever sent the notice.',
            ],
          },
        ),
        createSection('After a counter-notice', [
          'We hand it on at once and whole, with your name and address, as the law has it.',
          `If nobody shows us within ${COPYRIGHT_LIMITS.restoreFromDays} business days that they went to court, it is put back; on the ${COPYRIGHT_LIMITS.restoreByDays}th by itself. Both of you are told.`,
          `We delete contact details ${RETENTION_DAYS.copyrightContact} days after the end; your names and what you said stay as proof.`,
          'Whoever says something untrue in either of them knowingly pays for what it costs (17 U.S.C. 512(f)).',
        ]),
        createSection(
          'The agent',
          companyDetails.dmcaAgent === ''
            ? [
                `${getCompanyName(companyDetails)} takes notices at ${CASE_PATHS.copyrightNotice}, and answers at /contact-us who its agent is.`,
              ]
            : keepStrings(
                `${companyDetails.dmcaAgent}.`,
                companyDetails.dmcaAddress !== '' && `${companyDetails.dmcaAddress}.`,
                companyDetails.dmcaMail !== '' && `Email: ${companyDetails.dmcaMail}.`,
                companyDetails.dmcaPhone !== '' && `Telephone: ${companyDetails.dmcaPhone}.`,
              ),
        ),
      ],
    },
  ],
};
