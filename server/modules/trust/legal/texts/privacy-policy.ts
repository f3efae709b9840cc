import { BROWSER_STORAGE, BROWSER_STORAGE_LABELS } from './browser-storage.ts';
import { STORED } from './stored-data.ts';
import { createSection, getCompanyName, keepStrings, type Policy } from './text.ts';

export const privacyPolicy: Policy = {
  title: 'Privacy policy',
  lead: 'What data we store, why, for how long and who can see it. We don’t sell data or use third-party trackers.',
  versions: [
    {
      version: '2026-11-23',
      changes: 'The first version.',
      write: ({ companyDetails }) => [
        createSection('In short', [], {
          points: [
            'We keep what we need to show your work, deliver your messages and keep the books. We never sell it or share it for advertising.',
            'No advertising, no trackers, no cookies of others. Our own cookies are the session and that there is one, recognized devices, your theme, which announcements you closed, your answer to the age question, who invited you, and the page that you came for.',
            'Your card number never reaches us: you type it at the card processor.',
            'Calls are never recorded, and neither side learns the other’s network address.',
            'A fan is shown to creators by name and picture, never by email address.',
          ],
        }),
        createSection(
          'What is stored',
          ['Every kind of record that the platform keeps, one row each. What is not in this table is not kept.'],
          {
            table: {
              columns: ['What', 'Why', 'How long', 'Who sees it'],
              rows: Object.values(STORED).map(({ what, why, retention, seenBy }) => [what, why, retention, seenBy]),
            },
          },
        ),
        createSection(
          'What your browser keeps',
          [
            'Every cookie and everything else that we put into your browser, by the name that you find it under there. You can clear it at any time; nothing of it is read by anybody but us.',
          ],
          {
            table: {
              columns: ['Name', 'What', 'Where', 'How long'],
              rows: BROWSER_STORAGE.map(({ name, what, storage, retention }) => [
                name,
                what,
                BROWSER_STORAGE_LABELS[storage],
                retention ?? 'Until the tab is closed',
              ]),
            },
          },
        ),
        createSection('Who we share data with', ['Only who is needed for a thing that you asked for.'], {
          points: [
            'The card processor gets the sum and our order’s number, and from you what you type there.',
            'Whoever pays creators out (a bank, PayPal, a coin’s network) gets what a transfer needs.',
            'A push service of your browser’s maker carries alerts that it cannot read, if you switched them on; that of older Safari can read them.',
            'Authorities get what a law makes us hand over, and no more.',
          ],
        }),
        createSection('Search engines and other sites', [
          'Public profiles and posts can be found by search engines, and shown in other sites’ frames unless their creator says otherwise. Locked posts only show the blurred preview, text, price and free preview. In frames everybody is a visitor: no cookie is read or set.',
        ]),
        createSection('Your rights', [
          'You see and change your profile, sessions, devices and preferences in your settings, and take statements and the signed journal of your money there at any time.',
          'An archive of everything that is yours, and the end of your account, are in your settings too; for anything else write to us at /contact-us. Books must stay whole by law: there you are a number, and your name goes.',
          'If our answer does not help, the data protection authority where you live does.',
        ]),
        createSection(
          'Who is responsible',
          keepStrings(
            `${getCompanyName(companyDetails)} decides what is stored and why.`,
            companyDetails.address !== '' &&
              `Address: ${companyDetails.address}${companyDetails.country && `, ${companyDetails.country}`}.`,
            companyDetails.contactMail !== '' && `Email: ${companyDetails.contactMail}.`,
            'You can always write to us at /contact-us.',
          ),
        ),
        createSection('When this changes', [
          'A change is a new version with its day and what is different, kept beside the old ones below. You are told when it begins to hold, and asked where your agreement is needed.',
        ]),
      ],
    },
  ],
};
