import { type Policy, section } from './text.ts';

export const communityRules: Policy = {
  title: 'Community rules',
  lead: 'What has no place here, and what happens when it turns up.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: () => [
        section('Never', ['These end an account at once, and are reported where the law asks for it.'], {
          points: [
            'Anybody under 18, or made to look it, in whatever form: shown, drawn, made by a machine, or spoken of.',
            'Anybody who did not agree to be shown, or to be shown here.',
            'Force, threats, drugging, incest, animals, or harm to the body that is not play between adults who agreed.',
            'Prostitution or anything sold here that happens elsewhere; arms, drugs, other people’s data.',
            'Calls for violence, hatred of people for what they are, terror.',
          ],
        }),
        section('People first', [], {
          points: [
            'No is an answer, in a message as in a call.',
            'Do not ask where somebody lives or what they are called. Do not tell what you know.',
            'Do not record calls, and do not pass on what was shown to you.',
            'Do not ask anybody to pay or be paid around the house.',
          ],
        }),
        section('Be who you say', [], {
          points: [
            'No name that reads like somebody else’s, or like our staff.',
            'A title says what opens. A picture made by a machine says so.',
            'Whoever writes in a creator’s name is named as such.',
          ],
        }),
        section('Everybody who is seen', [
          'Creators keep, of everybody who can be recognised, proof of age and agreement in writing before they publish. Somebody who is shown and does not want it says so at /complaints, without an account: it is taken down first and looked at afterwards.',
        ]),
        section('When something breaks a rule', [
          'Report it from its menu, or at /complaints. A person looks at it. Whoever it is about is told what was decided, which rule it was and why, and can appeal; somebody else decides then.',
          'What is decided grows with what was done: a warning, taking down, a limit, a pause, the end. What the law forbids goes at once.',
        ]),
      ],
    },
  ],
};
