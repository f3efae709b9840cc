import { createSection, type Policy } from './text.ts';

export const communityRules: Policy = {
  title: 'Community guidelines',
  lead: 'What’s not allowed and what happens if you break the rules.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: () => [
        createSection('Never', ['These end an account at once, and are reported where the law asks for it.'], {
          points: [
            'Anyone under 18 or made to look under 18, in any form: photos, video, drawings, AI-generated or described.',
            'Anybody who did not agree to be shown, or to be shown here.',
            'Force, threats, drugging, incest, animals, or harm to the body that is not play between adults who agreed.',
            'Prostitution or anything sold here that happens elsewhere; arms, drugs, other people’s data.',
            'Calls for violence, hatred of people for what they are, terror.',
          ],
        }),
        createSection('People first', [], {
          points: [
            'Respect a no, in chat and in calls.',
            'Do not ask where somebody lives or what they are called. Do not tell what you know.',
            'Do not record calls, and do not pass on what was shown to you.',
            'Don’t ask anyone to pay or get paid outside Stagedoor.',
          ],
        }),
        createSection('Be yourself', [], {
          points: [
            'No name that reads like somebody else’s, or like our staff.',
            'Titles must describe the content. Label AI-generated images.',
            'Whoever writes in a creator’s name is named as such.',
          ],
        }),
        createSection('People in your content', [
          'Creators keep, of everybody who can be recognised, proof of age and agreement in writing before they publish. Somebody who is shown and does not want it says so at /complaints, without an account: it is taken down first and looked at afterwards.',
        ]),
        createSection('When something breaks a rule', [
          'Report it from its menu, or at /complaints. A person looks at it. Whoever it is about is told what was decided, which rule it was and why, and can appeal; somebody else decides then.',
          'Actions match the severity: warning, removal, restriction, suspension, ban. Illegal content is removed immediately.',
        ]),
      ],
    },
  ],
};
