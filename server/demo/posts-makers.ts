import { createDemoPost } from './demo-post.ts';

const MIRELE_POSTS = [
  createDemoPost(
    'mirele',
    [46, '09:12'],
    0,
    'Celadon jar, 31 cm\n\nThe first thing out of kiln 38 that I did not want to correct. The glaze stops where my fingers held it; I have decided to call that a line.',
    ['2', 'A round celadon jar with a bare brown foot, on grey-green paper'],
  ),
  createDemoPost(
    'mirele',
    [38, '17:40'],
    9,
    'Kiln 39, unpacked\n\nThirty tea bowls, seven mixing bowls and five blue cups in the order they came out. Two of the bowls rock. I turned those so you can see the foot.',
    ['7', 'Thirty tea bowls in rows, seen from above'],
    ['8', 'Seven mixing bowls stacked, leaning slightly'],
    ['5', 'Five cups, two of them glazed blue'],
  ),
  createDemoPost(
    'mirele',
    [31, '11:05'],
    0,
    'What the shelf did\n\nFifty grams too much water in the clay and a shelf that was still warm from Tuesday. It made one clean sound. I am keeping the halves on the bench until I stop being annoyed.',
    ['13', 'A white bowl broken into two halves, two shards in front of it'],
  ),
  createDemoPost(
    'mirele',
    [23, '08:26'],
    5,
    'Two that were meant for somebody\n\nIron black and ox blood, made to order and not collected. The black one has a run near the neck that I could not repeat if you paid me.',
    ['4', 'A tall black vase beside a squat red jar, on warm paper'],
  ),
  createDemoPost(
    'mirele',
    [16, '18:51'],
    12,
    'Glaze book, pages 4 to 9\n\nEleven tiles, then the same three glazes on real forms. The recipes are in grams per kilo of dry mix, with what each one did at the back of the kiln, where it is twenty degrees colder than I tell people.',
    ['9', 'Eleven glaze test tiles in two rows, each half bare'],
    ['3', 'Four bowls in bone, red and iron glaze, seen from above'],
    ['6', 'A single black bowl in low light'],
  ),
  createDemoPost(
    'mirele',
    [8, '10:33'],
    0,
    'Bottle, alone\n\nI threw eleven to get a neck that does not apologise. Four in the afternoon, no lamp, the window did it.',
    ['10', 'A white bottle with a long neck, one soft shadow'],
  ),
  createDemoPost(
    'mirele',
    [1, '16:18'],
    15,
    'The whole family, before it is packed\n\nEverything from kiln 41 in three frames, one hour before the boxes. After this they live in nine different kitchens and I will not see them together again.',
    ['11', 'Seven bottles and jars standing shoulder to shoulder'],
    ['12', 'Two plates leaning on the wall, a green cup and a small bowl'],
    ['1', 'A tall white vase, a celadon jar and two small bowls'],
  ),
];

/** The tier that opens a post, by the price of the post. */
const MIRELE_TIERS: Readonly<Record<number, string>> = { 5: 'Studio', 9: 'Kiln', 12: 'Collector' };
export const MIRELE = MIRELE_POSTS.map((post) => ({ ...post, tier: MIRELE_TIERS[post.price] }));

export const BAPTISTE = [
  createDemoPost(
    'baptiste',
    [42, '12:10'],
    0,
    'Menton, first box of the year\n\nI put two on a plate and the customers photographed the plate. Nobody ordered lemon.',
    ['1', 'Three lemons and two leaves on and beside a white plate'],
  ),
  createDemoPost(
    'baptiste',
    [33, '10:45'],
    7,
    'Prep, half past ten\n\nKnife, board, what is green, what is red, what is ripe today and not tomorrow. My order of work for fourteen covers, with times.',
    ['5', 'A knife and cut chives on a wooden board in hard sun'],
    ['10', 'Seven radishes in a row with their leaves'],
    ['6', 'Avocados, three of them halved, on a yellow cloth'],
  ),
  createDemoPost(
    'baptiste',
    [24, '13:22'],
    0,
    'Staff meal\n\nThe broth is yesterday’s bones and this morning’s temper. Two eggs if you did the floor.',
    ['7', 'A bowl of noodle soup with two halved eggs and spring onion'],
  ),
  createDemoPost(
    'baptiste',
    [15, '11:58'],
    4,
    'Four sardines, two minutes\n\nSalt, a dry pan that frightens you, lemon after and never before. The times are written on the picture’s back, so to speak: below.\n\n60 seconds, turn, 45 seconds, off.',
    ['4', 'Four sardines on an oval plate, half a lemon beside it'],
  ),
  createDemoPost(
    'baptiste',
    [7, '12:34'],
    11,
    'Three tables at noon\n\nSame hour, three cloths. I was asked how I light these. I open the door.',
    ['2', 'Seven tomatoes and basil on a black plate'],
    ['3', 'Eggs in a white bowl on a teal cloth'],
    ['9', 'Oranges on a teal cloth, one of them cut'],
  ),
  createDemoPost(
    'baptiste',
    [2, '08:05'],
    0,
    'Loaf for Sunday\n\nScored by my niece, who is six and does not hesitate.',
    ['8', 'A scored loaf of bread with crumbs, in hard sun'],
  ),
  createDemoPost(
    'baptiste',
    [0, '2:35'],
    0,
    'For those who ask which knife\n\nThis one. Twenty-six euros, sharpened every morning. The lemons are still from the first box.',
    ['11', 'Lemons on a plate and a kitchen knife on a yellow cloth'],
  ),
];

export const DEDE = [
  createDemoPost('dede', [41, '07:30'], 0, 'Sixteen and twelve\n\nStart with the one you can put down quietly.', [
    '1',
    'Two kettlebells of different size in teal and coral light',
  ]),
  createDemoPost(
    'dede',
    [35, '18:02'],
    6,
    'The hinge, from the side\n\nShins, bar, back, in that order. Eleven cues that I have heard myself say, and the three that work.',
    ['2', 'A figure about to lift a loaded bar from the floor, seen from the side'],
  ),
  createDemoPost(
    'dede',
    [28, '06:55'],
    0,
    'Rope, resting\n\nFifteen metres. It weighs more when somebody is watching.',
    ['4', 'A thick rope coiled on the floor'],
  ),
  createDemoPost(
    'dede',
    [19, '17:16'],
    12,
    'How we load\n\nPlates, dumbbells, bells: my ladder for the first twelve weeks, in kilos, with the weeks where you do less on purpose. Those are the weeks people skip, and then they call me.',
    ['7', 'Weight plates stacked, one leaning against the wall'],
    ['8', 'Three hexagonal dumbbells piled on a coral floor'],
    ['11', 'Five kettlebells in a row, small to large'],
    ['10', 'A loaded barbell lying on the floor'],
  ),
  createDemoPost(
    'dede',
    [11, '19:40'],
    0,
    'Odile, 73, forty kilos\n\nShe asked me not to show her face because her sister thinks she plays bridge.',
    ['3', 'A small figure holding a barbell overhead'],
  ),
  createDemoPost(
    'dede',
    [4, '07:12'],
    9,
    'Small tools\n\nChalk, rings, the ball nobody wants. What each is for, and one thing each is not for.',
    ['5', 'A bowl of chalk blocks, one beside it'],
    ['6', 'Two gymnastic rings hanging at different heights'],
    ['9', 'A leather ball, a wooden box and a kettlebell'],
  ),
];

export const YUKI = [
  createDemoPost(
    'yuki',
    [40, '05:20'],
    0,
    'Peonies for a shop window\n\nFour, each of thirteen sheets. The shop sells umbrellas.',
    ['1', 'Four coral paper peonies, overlapping'],
  ),
  createDemoPost(
    'yuki',
    [32, '09:48'],
    8,
    'Spring set, with templates\n\nPoppy, daffodil, fern. Print the sheets at 100 % and not at "fit to page", which has broken more poppies than I have.',
    ['3', 'Red paper poppies on long stems'],
    ['9', 'Four paper daffodils on blue'],
    ['4', 'Paper fern fronds, dark to light green'],
  ),
  createDemoPost(
    'yuki',
    [26, '03:36'],
    0,
    'Seven for the children’s ward\n\nThe orange one was made by the nurse on nights. It flies better than mine.',
    ['8', 'Seven folded paper cranes on threads, one orange, one yellow'],
  ),
  createDemoPost(
    'yuki',
    [20, '10:15'],
    5,
    'Screen, 288 cuts\n\nEight petals, thirty-six stars. I count aloud, otherwise I make thirty-seven.',
    ['6', 'A cut paper screen of stars with warm light behind it'],
  ),
  createDemoPost('yuki', [12, '06:02'], 0, 'For a door\n\nIt is too early for wreaths. It was raining.', [
    '7',
    'A wreath of paper leaves with red berries',
  ]),
  createDemoPost(
    'yuki',
    [5, '08:41'],
    16,
    'White, blue, evening\n\nThe large chrysanthemum, six cornflowers and a landscape from the offcuts of both. Templates for the first two; the third is only for looking.',
    ['2', 'One large white paper chrysanthemum on dark green'],
    ['10', 'Blue paper cornflowers, close together'],
    ['5', 'Layered paper hills and an orange sun'],
  ),
  createDemoPost(
    'yuki',
    [1, '04:27'],
    0,
    'One that would not stand with the others\n\nI moved the field three times. Then I left it.',
    ['11', 'A group of paper poppies, one standing apart'],
  ),
];

export const DEFNE = [
  createDemoPost(
    'defne',
    [4, '10:20'],
    0,
    'First one here, so the oldest pattern\n\nBattal: colour thrown from the brush and left alone. The names came later, from people who had to sell it.',
    ['1', 'Marbled paper: round drops of indigo, ochre and brick pressed against one another'],
  ),
  createDemoPost(
    'defne',
    [3, '08:05'],
    6,
    'Combed, and combed back\n\nA rake of two hundred pins, then the small comb across. The second sheet is what the bath still had in it: nightingale nests, turned with one awl, left and right by turns.',
    ['2', 'Marbled paper combed into fine scallops of brick, apricot and slate'],
    ['3', 'Marbled paper of green and yellow turned into spirals'],
  ),
  createDemoPost(
    'defne',
    [2, '15:40'],
    0,
    'Twelve for a binder in Ghent\n\nHe wanted eleven. The bath wanted twelve.',
    ['4', 'Marbled paper with twelve small flowers in rows'],
  ),
  createDemoPost(
    'defne',
    [1, '06:50'],
    0,
    'Yesterday’s, on the line\n\nThey curl towards whoever forgot to size them. I am not saying who.',
    ['5', 'Three marbled sheets drying on a line with wooden pegs'],
  ),
];
