/** Copyright: the notice, the counter-notice and what happens between them (17 U.S.C. 512), with the agent whom the operator names. */
import { houseOf, known, type Policy, section } from './text.ts';

export const dmca: Policy = {
  title: 'Copyright (DMCA)',
  lead: 'Something of yours is here and should not be. This is how it goes, and how whoever posted it can answer.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: ({ facts }) => [
        section('A notice', ['Send it to the agent below. It is complete with all of this:'], {
          points: [
            'Your signature, typed or by hand.',
            'The work that is yours, or a list of them.',
            'The address here of what copies it, so exact that we find it.',
            'Your name, address, telephone number and email address.',
            'That you believe in good faith that neither you, your agent nor the law allows it.',
            'That your notice is accurate and, under penalty of perjury, that you own the right or act for who does.',
          ],
        }),
        section('What happens then', [
          'We take it down soon, with its identical copies, and tell whoever posted it. Who does it again and again loses the account.',
        ]),
        section('A counter-notice', ['If it was yours to post, answer with all of this:'], {
          points: [
            'Your signature, typed or by hand.',
            'What was taken down, and where it was.',
            'That you believe in good faith, under penalty of perjury, that it was a mistake.',
            'Your name, address and telephone number.',
            'That you agree to the federal court where you live, or where we are if you live outside of the United States, and take papers from whoever sent the notice.',
          ],
        }),
        section('And then', [
          'We hand it on. If nobody shows us within 10 business days that they went to court, it is put back, at the latest after 14.',
          'Whoever says something untrue in either of them knowingly pays for what it costs (17 U.S.C. 512(f)).',
        ]),
        section(
          'The agent',
          facts.dmcaAgent === ''
            ? [`${houseOf(facts)} takes notices at /contact-us, and answers who its agent is.`]
            : known(
                `${facts.dmcaAgent}.`,
                facts.dmcaAddress !== '' && `${facts.dmcaAddress}.`,
                facts.dmcaMail !== '' && `Email: ${facts.dmcaMail}.`,
                facts.dmcaPhone !== '' && `Telephone: ${facts.dmcaPhone}.`,
              ),
        ),
      ],
    },
  ],
};
