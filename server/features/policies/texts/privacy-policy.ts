import { BROWSER_PLACES, KEPT_IN_BROWSERS } from './kept-in-browsers.ts';
import { STORED } from './stored.ts';
import { houseOf, known, type Policy, section } from './text.ts';

export const privacyPolicy: Policy = {
  title: 'Privacy policy',
  lead: 'What data we store, why, for how long and who can see it. We don’t sell data or use third-party trackers.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: ({ facts }) => [
        section('In short', [], {
          points: [
            'We keep what we need to show your work, deliver your messages and keep the books. We never sell it or share it for advertising.',
            'No advertising, no trackers, no cookies of others. Our own cookies are the session and that there is one, recognized devices, your theme, which announcements you closed, your answer to the age question, who invited you, and the page that you came for.',
            'Your card number never reaches us: you type it at the card processor.',
            'Calls are never recorded, and neither side learns the other’s network address.',
            'A fan is shown to creators by name and picture, never by email address.',
          ],
        }),
        section(
          'What is stored',
          ['Every kind of record that the platform keeps, one row each. What is not in this table is not kept.'],
          {
            table: {
              columns: ['What', 'Why', 'How long', 'Who sees it'],
              rows: Object.values(STORED).map(({ what, why, kept, seenBy }) => [what, why, kept, seenBy]),
            },
          },
        ),
        section(
          'What your browser keeps',
          [
            'Every cookie and everything else that we put into your browser, by the name that you find it under there. You can clear it at any time; nothing of it is read by anybody but us.',
          ],
          {
            table: {
              columns: ['Name', 'What', 'Where', 'How long'],
              rows: KEPT_IN_BROWSERS.map(({ name, what, place, kept }) => [
                name,
                what,
                BROWSER_PLACES[place],
                kept ?? 'Until the tab is closed',
              ]),
            },
          },
        ),
        section('Who we share data with', ['Only who is needed for a thing that you asked for.'], {
          points: [
            'The card processor gets the sum and our order’s number, and from you what you type there.',
            'Whoever pays creators out (a bank, PayPal, a coin’s network) gets what a transfer needs.',
            'A push service of your browser’s maker carries alerts that it cannot read, if you switched them on; that of older Safari can read them.',
            'Authorities get what a law makes us hand over, and no more.',
          ],
        }),
        section('Search engines and other sites', [
          'Public profiles and posts can be found by search engines, and shown in other sites’ frames unless their creator says otherwise. Locked posts only show the blurred preview, text, price and free preview. In frames everybody is a visitor: no cookie is read or set.',
        ]),
        section('Your rights', [
          'You see and change your profile, sessions, devices and preferences in your settings, and take statements and the signed journal of your money there at any time.',
          'An archive of everything that is yours, and the end of your account, are in your settings too; for anything else write to us at /contact-us. Books must stay whole by law: there you are a number, and your name goes.',
          'If our answer does not help, the data protection authority where you live does.',
        ]),
        section(
          'Who is responsible',
          known(
            `${houseOf(facts)} decides what is stored and why.`,
            facts.address !== '' && `Address: ${facts.address}${facts.country && `, ${facts.country}`}.`,
            facts.contactMail !== '' && `Email: ${facts.contactMail}.`,
            'You can always write to us at /contact-us.',
          ),
        ),
        section('When this changes', [
          'A change is a new version with its day and what is different, kept beside the old ones below. You are told when it begins to hold, and asked where your agreement is needed.',
        ]),
      ],
    },
  ],
};
