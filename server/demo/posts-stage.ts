/** What hangs in the demo world from stages and the open air: music, dance, photography, film. */
import { post } from './label.ts';

export const INES = [
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

export const TOMASZ = [
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

export const HANA = [
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
  post('hana', [21, '02:14'], 5, 'Two rocks, eight minutes\n\nOne exposure. The sea was not this calm; time was.', [
    '4',
    'Two rocks in a smooth sea under a moon',
  ]),
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

export const AURELIO = [
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
  post('aurelio', [1, '05:58'], 0, 'Focus pull, missed\n\nMy assistant apologised. I am using it for the titles.', [
    '10',
    'City lights far out of focus, mostly blue',
  ]),
];
