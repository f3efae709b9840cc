/** Data of the demo, created by `seed.ts`. */

import type { ProfileBody } from '@stagedoor/contract/content/profiles.ts';
import { SOCIAL_NETWORK_DETAILS } from '@stagedoor/contract/content/social-links.ts';
import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';

export const DEMO_PASSWORD = 'Stagedoor1!';

export type DemoCreator = {
  /** The key is also the prefix of the art files. */
  key: string;
  username: string;
  profile: ProfileBody;
  /** Preset; the creator keeps their own layout. */
  theme?: string;
  /** Call settings that differ from the defaults of the demo: no fixed hours, voice calls $1 per minute below video. */
  calls: Partial<CallSettings> & { videoRate: number };
  draw: number;
  joinedDaysAgo: number;
};

const link = (network: 'instagram' | 'youtube' | 'spotify' | 'x' | 'pinterest' | 'tiktok', path: string) => ({
  network,
  // No real account.
  url: `${SOCIAL_NETWORK_DETAILS[network].base}stagedoor-demo-${path}`,
});

export const CREATORS: readonly DemoCreator[] = [
  {
    key: 'mirele',
    username: 'demo.creator',
    draw: 0.85,
    joinedDaysAgo: 58,
    profile: {
      name: 'Mirele Okonkwo',
      craft: 'Ceramicist',
      city: 'Porto',
      category: 'Ceramics',
      bio: 'I throw tableware and a few useless pots in a former tyre workshop near the river. North windows, one wheel, a gas kiln that has opinions.\n\nEvery firing is shown here before anything is sold, the failures too. On a call I can look at your glaze test or talk you through a rim; bring the pot.',
      links: [link('instagram', 'mirele.fires'), link('pinterest', 'mirelefires')],
      customLinks: [
        { label: 'Shop at the workshop', url: 'https://example.com/okonkwo' },
        { label: 'Open firing, last Sunday of the month', url: 'https://example.org/firing' },
      ],
      layout: 'hero',
      shape: 'box',
      format: 'row',
    },
    calls: { videoRate: 4 },
  },
  {
    key: 'ines',
    username: 'ines.valadao',
    draw: 0.7,
    joinedDaysAgo: 57,
    profile: {
      name: 'Inês Valadão',
      craft: 'Cellist',
      city: 'Lisbon',
      category: 'Music',
      bio: 'Third desk in an opera pit, first chair in my kitchen. I photograph the instrument the way I hear it: close, warm, a little too loud.\n\nCalls are for cellists who are stuck. Send the bar number beforehand.',
      links: [link('spotify', 'ines-valadao'), link('youtube', 'inesvaladao'), link('instagram', 'ines.valadao')],
      customLinks: [{ label: 'Concerts this season', url: 'https://example.com/valadao' }],
      layout: 'classic',
      shape: 'round',
      format: 'col',
    },
    calls: {
      videoRate: 5,
      minMinutes: 3,
      timeZone: 'Europe/Lisbon',
      hours: [1, 2, 3, 4, 5].map((day) => ({ day, from: '17:00', to: '22:00' })),
    },
  },
  {
    key: 'tomasz',
    theme: 'ultraviolet',
    username: 'tomasz.halewicz',
    draw: 0.5,
    joinedDaysAgo: 55,
    profile: {
      name: 'Tomasz Halewicz',
      craft: 'Dancer',
      city: 'Wrocław',
      category: 'Dance',
      bio: 'Former company dancer, now on my own in a gymnasium with two ultraviolet tubes and a borrowed fog machine. I am making one long piece about falling and keep the parts here as they come.\n\nOn a call we move. Clear two metres of floor.',
      links: [link('youtube', 'halewicz'), link('tiktok', 'tomasz.halewicz')],
      layout: 'hero',
      shape: 'box',
      format: 'col',
    },
    calls: { videoRate: 6 },
  },
  {
    key: 'hana',
    username: 'hana.sorby',
    draw: 0.75,
    joinedDaysAgo: 56,
    profile: {
      name: 'Hana Sørby',
      craft: 'Photographer',
      city: 'Tromsø',
      category: 'Photography',
      bio: 'Fog, snow, water, and the hour after people have gone in. I walk the same eleven kilometres each week and photograph what has changed, which is mostly light.\n\nAsk me about cold batteries.',
      links: [link('instagram', 'hana.sorby')],
      customLinks: [{ label: 'Prints', url: 'https://example.com/sorby' }],
      layout: 'classic',
      shape: 'box',
      format: 'row',
    },
    calls: { videoRate: 3 },
  },
  {
    key: 'baptiste',
    theme: 'noon',
    username: 'baptiste.nl',
    draw: 0.6,
    joinedDaysAgo: 54,
    profile: {
      name: 'Baptiste Nguyễn-Laurent',
      craft: 'Chef',
      city: 'Marseille',
      category: 'Kitchen',
      bio: 'Fourteen seats, one lunch service, no dinner. My grandmother was from Huế and my other grandmother from Aubagne; they never agreed on garlic.\n\nI cook on a call for two dollars a minute, which is cheaper than ruining a fish.',
      links: [link('instagram', 'chez.baptiste'), link('youtube', 'chezbaptiste')],
      layout: 'classic',
      shape: 'round',
      format: 'row',
    },
    calls: { videoRate: 2, audioRate: null },
  },
  {
    key: 'dede',
    username: 'dede.castellane',
    draw: 0.55,
    joinedDaysAgo: 52,
    profile: {
      name: 'Dédé Castellane',
      craft: 'Strength coach',
      city: 'Lyon',
      category: 'Strength',
      bio: 'I coach people who think gyms are not for them. Most are over fifty; the strongest is seventy-three and was a bookbinder.\n\nNo transformations, no before, no after. Form checks on a call: film yourself from the side.',
      links: [link('instagram', 'dede.castellane'), link('x', 'dedecastellane')],
      layout: 'hero',
      shape: 'round',
      format: 'row',
    },
    calls: { videoRate: 3.5 },
  },
  {
    key: 'yuki',
    theme: 'cut-paper',
    username: 'yuki.tanabe',
    draw: 0.65,
    joinedDaysAgo: 50,
    profile: {
      name: 'Yuki Tanabe',
      craft: 'Paper florist',
      city: 'Kanazawa',
      category: 'Paper & print',
      bio: 'Flowers for people with hay fever, hospital rooms and shop windows. Everything is cut by hand from washi and old calendars; one peony is forty minutes and a blister.\n\nTemplates are with the paid sets, drawn at full size.',
      links: [link('instagram', 'yuki.paper'), link('pinterest', 'yukipaper')],
      layout: 'classic',
      shape: 'box',
      format: 'row',
    },
    calls: { videoRate: 2.5 },
  },
  {
    key: 'aurelio',
    username: 'aurelio.banks',
    draw: 0.6,
    joinedDaysAgo: 53,
    profile: {
      name: 'Aurelio Banks',
      craft: 'Filmmaker',
      city: 'Chicago',
      category: 'Film',
      bio: 'I make short films at night because that is when I can get people to stand still. These are the stills, the location walks and the frames that did not survive the edit.\n\nHappy to look at your cut on a call. I will be kind after the first minute.',
      links: [link('youtube', 'aureliobanks'), link('instagram', 'aurelio.banks'), link('x', 'aureliobanks')],
      layout: 'hero',
      shape: 'box',
      format: 'row',
    },
    calls: { videoRate: 4.5 },
  },
  {
    key: 'defne',
    username: 'defne.karahan',
    draw: 0.2,
    joinedDaysAgo: 5.2,
    profile: {
      name: 'Defne Karahan',
      craft: 'Paper marbler',
      city: 'İzmir',
      category: 'Paper & print',
      bio: 'I float ox-gall colours on thickened water and lay paper on them, once. Forty years of endpapers for bookbinders, none of which I was allowed to keep; now I photograph every sheet before it leaves.\n\nA call is for your bath when it misbehaves. Bring a torch, and tell me about your water.',
      links: [link('instagram', 'defne.ebru')],
      layout: 'classic',
      shape: 'round',
      format: 'col',
    },
    calls: { videoRate: 3 },
  },
];

export type DemoFan = {
  username: string;
  name: string;
  portrait?: string;
  loves: readonly string[];
  /** 0 to 1. */
  warmth: number;
  /** USD of balance. Multiples of ten are bought as credits. */
  deposits: readonly { daysAgo: number; usd: number }[];
};

/** These fans have a full history. `demo.fan` keeps more than $500. */
export const FANS: readonly DemoFan[] = [
  {
    username: 'demo.fan',
    name: 'June Abernathy',
    portrait: 'june',
    loves: ['mirele', 'hana', 'baptiste', 'yuki', 'aurelio'],
    warmth: 0.55,
    deposits: [
      { daysAgo: 47, usd: 300 },
      { daysAgo: 19, usd: 900 },
    ],
  },
  {
    username: 'mateus.figueira',
    name: 'Mateus Figueira',
    portrait: 'mateus',
    loves: ['mirele', 'ines', 'dede'],
    warmth: 0.7,
    deposits: [
      { daysAgo: 45, usd: 300 },
      { daysAgo: 23, usd: 300 },
    ],
  },
  {
    username: 'noor.haddad',
    name: 'Noor Haddad',
    loves: ['tomasz', 'ines', 'hana', 'mirele'],
    warmth: 0.45,
    deposits: [
      { daysAgo: 40, usd: 300 },
      { daysAgo: 8, usd: 300 },
    ],
  },
];

const createFan = (username: string, name: string, loves: string, warmth: number, deposits: string): DemoFan => ({
  username,
  name,
  loves: loves.split(' '),
  warmth,
  deposits: deposits.split(' ').map((text) => {
    const [daysAgo = 0, usd = 0] = text.split(':').map(Number);
    return { daysAgo, usd };
  }),
});

export const AUDIENCE: readonly DemoFan[] = [
  createFan('ottilie.brandt', 'Ottilie Brandt', 'mirele yuki', 0.5, '44:300 12:300'),
  createFan('kwame.asante', 'Kwame Asante', 'dede aurelio', 0.6, '42:300'),
  createFan('sefa_lavaka', 'Sefa Lavaka', 'tomasz dede', 0.4, '39:300'),
  createFan('ingrid.moe', 'Ingrid Moe', 'hana mirele', 0.55, '46:300 17:300'),
  createFan('pilar.echeverria', 'Pilar Echeverría', 'baptiste ines', 0.6, '41:300'),
  createFan('tobias.lind', 'Tobias Lind', 'hana aurelio', 0.35, '33:300'),
  createFan('meiling.zhou', 'Meiling Zhou', 'yuki mirele', 0.65, '43:600'),
  createFan('harriet.quaye', 'Harriet Quaye', 'mirele baptiste', 0.5, '36:300 9:300'),
  createFan('dmitri.volkov8', 'Dmitri Volkov', 'ines tomasz', 0.45, '38:300'),
  createFan('ana.kovacevic', 'Ana Kovačević', 'tomasz ines yuki', 0.55, '31:300'),
  createFan('bram.vandeven', 'Bram van de Ven', 'baptiste dede', 0.4, '28:300'),
  createFan('leilani.kahale', 'Leilani Kahale', 'yuki hana', 0.5, '35:300'),
  createFan('remy.duchesne', 'Rémy Duchesne', 'aurelio baptiste', 0.45, '30:300'),
  createFan('samira.elamin', 'Samira El Amin', 'mirele ines aurelio', 0.6, '26:300'),
  createFan('owen.pryce', 'Owen Pryce', 'dede hana', 0.35, '22:300'),
  createFan('chiara.santin', 'Chiara Santin', 'baptiste mirele', 0.55, '24:600'),
  createFan('jonah.weiss', 'Jonah Weiss', 'aurelio tomasz', 0.4, '20:300'),
  createFan('fatou.ndiaye', 'Fatou Ndiaye', 'mirele yuki dede', 0.5, '15:300'),
  createFan('eero.lahti', 'Eero Lahti', 'hana ines', 0.45, '13:300'),
  createFan('grace.okafor', 'Grace Okafor', 'mirele aurelio', 0.6, '10:300'),
  createFan('linh.pham', 'Linh Phạm', 'baptiste yuki', 0.5, '7:300'),
];

export const RETURNED_FAN = { username: 'front.row', name: 'Front Row' } as const;

export const HELPER = 'meiling.zhou';

export const DEBTOR: DemoFan = {
  username: 'demo.debtor',
  name: 'Lucian Marek',
  loves: ['mirele', 'ines'],
  warmth: 0,
  deposits: [{ daysAgo: 20, usd: 300 }],
};

/** The processor reported two sales for one order. The second waits for an operator. */
export const PAID_TWICE = 'grace.okafor';

export const OPERATOR = { username: 'demo.admin', name: 'Front of House', roles: ['owner'] } as const;
export const SECOND_OPERATOR = { username: 'demo.cashier', name: 'Box Office', roles: ['finance'] } as const;
export const OPERATORS = [
  OPERATOR,
  SECOND_OPERATOR,
  { username: 'demo.moderator', name: 'Prompt Corner', roles: ['moderator'] },
  { username: 'demo.support', name: 'Cloakroom', roles: ['support'] },
  { username: 'demo.auditor', name: 'Upper Circle', roles: ['auditor'] },
] as const;

export const PENDING_CREATOR = { username: 'demo.pending', name: 'Odile Ferrand', joinedDaysAgo: 1.3 } as const;

export const REFERRED_BY: Readonly<Record<string, string>> = {
  'tomasz.halewicz': 'demo.creator',
  'yuki.tanabe': 'demo.creator',
  'ottilie.brandt': 'demo.creator',
  'mateus.figueira': 'demo.creator',
  'kwame.asante': 'demo.fan',
  'noor.haddad': 'demo.fan',
  'pilar.echeverria': 'demo.fan',
  'tobias.lind': 'noor.haddad',
  sefa_lavaka: 'noor.haddad',
};

/** A reserved domain that receives no mail. */
export const toEmail = (username: string): string => `${username}@example.com`;

/** The note of a tip, and the picture that must be published before it. */
export type DemoNote = readonly [text: string, after?: string];

export const NOTES: Readonly<Record<string, readonly DemoNote[]>> = {
  mirele: [
    ['For the cracked bowl. I have one too and never dared to show it.', 'mirele-13'],
    ['The blue cups arrived whole. My mother has taken one hostage.', 'mirele-5'],
    ['Gas is expensive. Put this in the kiln.'],
    ['I fired cone 10 for the first time because of your notes. Two survived.', 'mirele-9'],
    ['Thank you for saying which ones failed.', 'mirele-13'],
    ['Towards the next bag of iron.'],
  ],
  ines: [
    ['You were right about the thumb.'],
    ['Played the slow movement to my dog. He stayed.'],
    ['For strings. I know what an A costs.'],
    ['Heard you from the second balcony on Sunday. Worth the stairs.'],
  ],
  tomasz: [
    ['The fall at the end. I watched it with my hand over my mouth.', 'tomasz-9'],
    ['For your knees.'],
    ['My students now say "do a Halewicz". They mean the floor part.'],
  ],
  hana: [
    ['I grew up under that line of poles. Thank you for the fog.', 'hana-5'],
    ['Hung the jetty where the television was.', 'hana-7'],
    ['Buy yourself a thermos that works.'],
    ['Twenty below and you waited for the window. I saw that.', 'hana-6'],
  ],
  baptiste: [
    ['The sardines worked. Nobody believed me that it was two minutes.', 'baptiste-4'],
    ['For both grandmothers.'],
    ['Ate lunch at your counter on the 4th. This is for the second helping of rice.'],
  ],
  dede: [
    ['Sixty-one, and I carried my own suitcase up four floors.'],
    ['My physio asked who taught me to hinge.', 'dede-2'],
    ['For the bookbinder. Tell her she has a fan in Accra.'],
  ],
  yuki: [
    ['Made one daffodil. It took three hours. It looks like an accident and I love it.', 'yuki-9'],
    ['The ward kept your cranes. All seven.', 'yuki-8'],
    ['For blades.'],
    ['My daughter asks when the next template comes. So do I.', 'yuki-9'],
  ],
  aurelio: [
    ['I used to wait for that tram.', 'aurelio-8'],
    ['The red booth frame is my lock screen now.', 'aurelio-7'],
    ['For the projectionist in row three.', 'aurelio-5'],
  ],
};
