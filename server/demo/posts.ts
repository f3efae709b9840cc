/** The demo creators' posts: which pictures hang together, what the label says, and what it costs. Texts only. */

export type DemoPicture = { /** File in `art/`, without `.webp`. */ file: string; alt: string };
export type DemoPost = {
  creator: string;
  /** Whole days before the first start, and the time of that day in UTC. On day 0 the time is hours and minutes ago. */
  at: readonly [daysAgo: number, time: string];
  /** USD; 0 is free. */
  price: number;
  caption: string;
  pictures: readonly DemoPicture[];
};

const post = (creator: string, at: DemoPost['at'], price: number, caption: string, ...pictures: [file: string, alt: string][]): DemoPost => ({
  creator,
  at,
  price,
  caption,
  pictures: pictures.map(([file, alt]) => ({ file: `${creator}-${file}`, alt })),
});

const MIRELE = [
  post(
    'mirele',
    [46, '09:12'],
    0,
    'Celadon jar, 31 cm\n\nThe first thing out of kiln 38 that I did not want to correct. The glaze stops where my fingers held it; I have decided to call that a line.',
    ['2', 'A round celadon jar with a bare brown foot, on grey-green paper'],
  ),
  post(
    'mirele',
    [38, '17:40'],
    9,
    'Kiln 39, unpacked\n\nThirty tea bowls, seven mixing bowls and five blue cups in the order they came out. Two of the bowls rock. I turned those so you can see the foot.',
    ['7', 'Thirty tea bowls in rows, seen from above'],
    ['8', 'Seven mixing bowls stacked, leaning slightly'],
    ['5', 'Five cups, two of them glazed blue'],
  ),
  post(
    'mirele',
    [31, '11:05'],
    0,
    'What the shelf did\n\nFifty grams too much water in the clay and a shelf that was still warm from Tuesday. It made one clean sound. I am keeping the halves on the bench until I stop being annoyed.',
    ['13', 'A white bowl broken into two halves, two shards in front of it'],
  ),
  post(
    'mirele',
    [23, '08:26'],
    5,
    'Two that were meant for somebody\n\nIron black and ox blood, made to order and not collected. The black one has a run near the neck that I could not repeat if you paid me.',
    ['4', 'A tall black vase beside a squat red jar, on warm paper'],
  ),
  post(
    'mirele',
    [16, '18:51'],
    12,
    'Glaze book, pages 4 to 9\n\nEleven tiles, then the same three glazes on real forms. The recipes are in grams per kilo of dry mix, with what each one did at the back of the kiln, where it is twenty degrees colder than I tell people.',
    ['9', 'Eleven glaze test tiles in two rows, each half bare'],
    ['3', 'Four bowls in bone, red and iron glaze, seen from above'],
    ['6', 'A single black bowl in low light'],
  ),
  post(
    'mirele',
    [8, '10:33'],
    0,
    'Bottle, alone\n\nI threw eleven to get a neck that does not apologise. Four in the afternoon, no lamp, the window did it.',
    ['10', 'A white bottle with a long neck, one soft shadow'],
  ),
  post(
    'mirele',
    [1, '16:18'],
    15,
    'The whole family, before it is packed\n\nEverything from kiln 41 in three frames, one hour before the boxes. After this they live in nine different kitchens and I will not see them together again.',
    ['11', 'Seven bottles and jars standing shoulder to shoulder'],
    ['12', 'Two plates leaning on the wall, a green cup and a small bowl'],
    ['1', 'A tall white vase, a celadon jar and two small bowls'],
  ),
];

const INES = [
  post(
    'ines',
    [45, '21:02'],
    0,
    'The chair, before I am in it\n\nRehearsal room B, twenty minutes early. This is the only time the room belongs to the two of them.',
    ['7', 'A cello standing beside an empty chair in a dark red room'],
  ),
  post(
    'ines',
    [36, '19:15'],
    14,
    'Where the sound leaves\n\nThree from very near: the four strings from where my bow hand sees them, the bridge by lamplight, and the bow on its way to the first note of the Fauré. Nothing was polished for this.',
    ['4', 'Four cello strings running towards the bridge, seen low'],
    ['1', 'Strings and bridge over a varnished cello belly in warm light'],
    ['5', 'A bow lying across cello strings'],
  ),
  post(
    'ines',
    [27, '22:40'],
    0,
    'Bass side, f-hole\n\nSomebody cut this by hand in 1911 and slipped once, at the top. I look at that slip when I am counting rests.',
    ['3', 'A cello’s f-hole in close view, half in shadow'],
  ),
  post(
    'ines',
    [18, '20:08'],
    8,
    'My part, second act\n\nAll the fingerings I would be embarrassed to hand to a student, in red pencil. Page 14 has the note I wrote to myself in 2019. It still helps.',
    ['9', 'Sheet music under a lamp with a red pencil lying on it'],
  ),
  post(
    'ines',
    [10, '18:30'],
    0,
    'A, sounding\n\nA quarter of a second of the open A string. The others are holding still out of politeness.',
    ['10', 'Four cello strings; one of them vibrates into a blur'],
  ),
  post(
    'ines',
    [3, '21:47'],
    50,
    'Portrait of a loan\n\nThe instrument belongs to a foundation and goes back in spring. These are the three pictures I asked permission to make: whole, from the bridge, and the scroll my hand knows better than my face.\n\nWho opens this gets the print files as well, sized for 40 × 50 cm.',
    ['6', 'A cello standing alone against a dark red wall'],
    ['2', 'The cello’s bridge and strings from the side'],
    ['8', 'The scroll of a cello in profile'],
  ),
];

const TOMASZ = [
  post(
    'tomasz',
    [43, '20:20'],
    0,
    'First evening with the tubes\n\nUltraviolet makes the skirt louder than I am. That was the idea.',
    ['1', 'A dancer in a white skirt with one leg lifted, in violet light'],
  ),
  post(
    'tomasz',
    [34, '22:11'],
    6,
    'Low, and staying there\n\nThe hardest four counts of the piece. I have bruises in places that have no name in Polish.',
    ['3', 'A dancer crouching low with one arm stretched out'],
  ),
  post(
    'tomasz',
    [25, '19:44'],
    18,
    'One phrase, taken apart\n\nThe phrase in four exposures, then its middle and its top. If you want to learn it: the jump is not the difficult part, the waiting is.',
    ['8', 'Four exposures of one dancer across a stage'],
    ['4', 'A dancer in a split leap above the floor'],
    ['2', 'A dancer with both arms raised, skirt flying'],
  ),
  post(
    'tomasz',
    [17, '21:29'],
    0,
    'With Agnieszka\n\nWe each weigh sixty-eight kilos, which is convenient. Let go and it is comedy.',
    ['6', 'Two dancers leaning away from each other, holding hands'],
  ),
  post(
    'tomasz',
    [9, '23:05'],
    0,
    'Half past eleven, the floor\n\nNot choreography. This is how I lie there afterwards.',
    ['9', 'A dancer lying on the floor, one knee up, one arm raised'],
  ),
  post(
    'tomasz',
    [2, '20:52'],
    25,
    'Falling, parts two to four\n\nThe turn that starts it, the arch that cannot be stopped, and the three of me who arrive in the dark. The running order is in the last line of each picture’s description, if you collect such things.',
    ['7', 'A dancer turning, seen from above, skirt spread. Two of four'],
    ['5', 'A dancer arching backwards in a long skirt. Three of four'],
    ['10', 'Three dark figures on a blue stage. Four of four'],
  ),
];

const HANA = [
  post(
    'hana',
    [44, '14:02'],
    0,
    'Kilometre seven\n\nHe has pulled that sledge past me every Thursday since January. We have never spoken; in November he lifted a hand.',
    ['9', 'A small figure pulling a sledge across pale ice under a low moon'],
  ),
  post(
    'hana',
    [37, '16:37'],
    10,
    'Three edges of the same wood\n\nNorth side in the morning, west side when the sun remembered us, and the pond where the wood gives up. All from one walk.',
    ['3', 'Spruce trees stepping out of grey fog, a pale moon above'],
    ['10', 'Spruce trees in amber fog'],
    ['8', 'Reeds and a low sun mirrored in still water'],
  ),
  post(
    'hana',
    [29, '15:20'],
    0,
    'Somebody is up\n\nI waited forty minutes for the second window. It stayed dark, so this is the one.',
    ['6', 'A snow-covered cabin at the blue hour with one lit window'],
  ),
  post(
    'hana',
    [21, '02:14'],
    5,
    'Two rocks, eight minutes\n\nOne exposure. The sea was not this calm; time was.',
    ['4', 'Two rocks in a smooth sea under a moon'],
  ),
  post(
    'hana',
    [14, '13:48'],
    15,
    'Things that lead away\n\nThe poles, the jetty, the ridges over the fjord. I printed these 60 cm wide for the library and they let me keep the files for you.',
    ['5', 'Telegraph poles walking into fog over snow'],
    ['7', 'A wooden jetty running out into fog'],
    ['1', 'Blue ridges over a dark fjord, the moon above'],
  ),
  post(
    'hana',
    [6, '17:09'],
    0,
    'Five minutes of red\n\nIt does this twice a year and always when I have the wrong lens on.',
    ['2', 'Red and violet ridges with half a sun behind them'],
  ),
  post(
    'hana',
    [0, '5:10'],
    3,
    'This morning, from the kitchen\n\nNo walk today, fever. The fjord came to the window anyway.',
    ['11', 'Grey-green ridges above a still fjord, the moon touching one of them'],
  ),
];

const BAPTISTE = [
  post(
    'baptiste',
    [42, '12:10'],
    0,
    'Menton, first box of the year\n\nI put two on a plate and the customers photographed the plate. Nobody ordered lemon.',
    ['1', 'Three lemons and two leaves on and beside a white plate'],
  ),
  post(
    'baptiste',
    [33, '10:45'],
    7,
    'Prep, half past ten\n\nKnife, board, what is green, what is red, what is ripe today and not tomorrow. My order of work for fourteen covers, with times.',
    ['5', 'A knife and cut chives on a wooden board in hard sun'],
    ['10', 'Seven radishes in a row with their leaves'],
    ['6', 'Avocados, three of them halved, on a yellow cloth'],
  ),
  post(
    'baptiste',
    [24, '13:22'],
    0,
    'Staff meal\n\nThe broth is yesterday’s bones and this morning’s temper. Two eggs if you did the floor.',
    ['7', 'A bowl of noodle soup with two halved eggs and spring onion'],
  ),
  post(
    'baptiste',
    [15, '11:58'],
    4,
    'Four sardines, two minutes\n\nSalt, a dry pan that frightens you, lemon after and never before. The times are written on the picture’s back, so to speak: below.\n\n60 seconds, turn, 45 seconds, off.',
    ['4', 'Four sardines on an oval plate, half a lemon beside it'],
  ),
  post(
    'baptiste',
    [7, '12:34'],
    11,
    'Three tables at noon\n\nSame hour, three cloths. I was asked how I light these. I open the door.',
    ['2', 'Seven tomatoes and basil on a black plate'],
    ['3', 'Eggs in a white bowl on a teal cloth'],
    ['9', 'Oranges on a teal cloth, one of them cut'],
  ),
  post(
    'baptiste',
    [2, '08:05'],
    0,
    'Loaf for Sunday\n\nScored by my niece, who is six and does not hesitate.',
    ['8', 'A scored loaf of bread with crumbs, in hard sun'],
  ),
  post(
    'baptiste',
    [0, '2:35'],
    0,
    'For those who ask which knife\n\nThis one. Twenty-six euros, sharpened every morning. The lemons are still from the first box.',
    ['11', 'Lemons on a plate and a kitchen knife on a yellow cloth'],
  ),
];

const DEDE = [
  post(
    'dede',
    [41, '07:30'],
    0,
    'Sixteen and twelve\n\nStart with the one you can put down quietly.',
    ['1', 'Two kettlebells of different size in teal and coral light'],
  ),
  post(
    'dede',
    [35, '18:02'],
    6,
    'The hinge, from the side\n\nShins, bar, back, in that order. Eleven cues that I have heard myself say, and the three that work.',
    ['2', 'A figure about to lift a loaded bar from the floor, seen from the side'],
  ),
  post(
    'dede',
    [28, '06:55'],
    0,
    'Rope, resting\n\nFifteen metres. It weighs more when somebody is watching.',
    ['4', 'A thick rope coiled on the floor'],
  ),
  post(
    'dede',
    [19, '17:16'],
    12,
    'How we load\n\nPlates, dumbbells, bells: my ladder for the first twelve weeks, in kilos, with the weeks where you do less on purpose. Those are the weeks people skip, and then they call me.',
    ['7', 'Weight plates stacked, one leaning against the wall'],
    ['8', 'Three hexagonal dumbbells piled on a coral floor'],
    ['11', 'Five kettlebells in a row, small to large'],
    ['10', 'A loaded barbell lying on the floor'],
  ),
  post(
    'dede',
    [11, '19:40'],
    0,
    'Odile, 73, forty kilos\n\nShe asked me not to show her face because her sister thinks she plays bridge.',
    ['3', 'A small figure holding a barbell overhead'],
  ),
  post(
    'dede',
    [4, '07:12'],
    9,
    'Small tools\n\nChalk, rings, the ball nobody wants. What each is for, and one thing each is not for.',
    ['5', 'A bowl of chalk blocks, one beside it'],
    ['6', 'Two gymnastic rings hanging at different heights'],
    ['9', 'A leather ball, a wooden box and a kettlebell'],
  ),
];

const YUKI = [
  post(
    'yuki',
    [40, '05:20'],
    0,
    'Peonies for a shop window\n\nFour, each of thirteen sheets. The shop sells umbrellas.',
    ['1', 'Four coral paper peonies, overlapping'],
  ),
  post(
    'yuki',
    [32, '09:48'],
    8,
    'Spring set, with templates\n\nPoppy, daffodil, fern. Print the sheets at 100 % and not at "fit to page", which has broken more poppies than I have.',
    ['3', 'Red paper poppies on long stems'],
    ['9', 'Four paper daffodils on blue'],
    ['4', 'Paper fern fronds, dark to light green'],
  ),
  post(
    'yuki',
    [26, '03:36'],
    0,
    'Seven for the children’s ward\n\nThe orange one was made by the nurse on nights. It flies better than mine.',
    ['8', 'Seven folded paper cranes on threads, one orange, one yellow'],
  ),
  post(
    'yuki',
    [20, '10:15'],
    5,
    'Screen, 288 cuts\n\nEight petals, thirty-six stars. I count aloud, otherwise I make thirty-seven.',
    ['6', 'A cut paper screen of stars with warm light behind it'],
  ),
  post(
    'yuki',
    [12, '06:02'],
    0,
    'For a door\n\nIt is too early for wreaths. It was raining.',
    ['7', 'A wreath of paper leaves with red berries'],
  ),
  post(
    'yuki',
    [5, '08:41'],
    16,
    'White, blue, evening\n\nThe large chrysanthemum, six cornflowers and a landscape from the offcuts of both. Templates for the first two; the third is only for looking.',
    ['2', 'One large white paper chrysanthemum on dark green'],
    ['10', 'Blue paper cornflowers, close together'],
    ['5', 'Layered paper hills and an orange sun'],
  ),
  post(
    'yuki',
    [1, '04:27'],
    0,
    'One that would not stand with the others\n\nI moved the field three times. Then I left it.',
    ['11', 'A group of paper poppies, one standing apart'],
  ),
];

const AURELIO = [
  post(
    'aurelio',
    [39, '04:50'],
    0,
    'Rain date\n\nWe had the permit for a dry street. This is take two; the umbrella was the gaffer’s.',
    ['1', 'A figure with an umbrella against blurred city lights'],
  ),
  post(
    'aurelio',
    [30, '05:33'],
    13,
    'Three lit boxes\n\nThe house across from mine, the last booth on Wabash, and the tram that is not from here: I found it at a depot sale and talked somebody into turning it on. Location notes and hours below each.',
    ['3', 'A house front at night with people in some of the windows'],
    ['7', 'A lit red telephone box with somebody inside'],
    ['8', 'Passengers in a yellow tram at night, one asleep'],
  ),
  post(
    'aurelio',
    [22, '03:19'],
    0,
    'Row nine\n\nMy film is on the screen. I am watching the backs of heads, which is how you find out.',
    ['5', 'A cinema from the back rows, a desert on the screen'],
  ),
  post(
    'aurelio',
    [13, '06:07'],
    4,
    'Through the windshield, waiting for Dana\n\nShe was forty minutes late and the shot was better.',
    ['2', 'Raindrops on a window and coloured lights behind it'],
  ),
  post(
    'aurelio',
    [5, '04:44'],
    35,
    'The walk home, complete\n\nLamp, two strangers, bridge: the three frames the ending is built on, with my shooting script for that night. The page where it says "nothing happens" is the important one.',
    ['4', 'A street lamp over wet stones, somebody standing near it'],
    ['9', 'Two people in long coats against pink and blue lights'],
    ['6', 'Light trails of cars leading under a lit bridge'],
  ),
  post(
    'aurelio',
    [1, '05:58'],
    0,
    'Focus pull, missed\n\nMy assistant apologised. I am using it for the titles.',
    ['10', 'City lights far out of focus, mostly blue'],
  ),
];

/** Every post, oldest first within each creator. */
export const POSTS: readonly DemoPost[] = [MIRELE, INES, TOMASZ, HANA, BAPTISTE, DEDE, YUKI, AURELIO].flat();
