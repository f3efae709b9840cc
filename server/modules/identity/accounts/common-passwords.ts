import * as texts from './texts.ts';

/**
 * Finds passwords that satisfy the rule but are guessed first: common words or the user's own name with look-alikes or
 * extra characters, keyboard runs and repetitions. Cracking tools try the same variations (row V3).
 */

const COMMON_TERMS = new Set(
  `password passwort passw passwd pass passcode passphrase motdepasse contrasena senha parola haslo wachtwoord
  welcome welkom bienvenue willkommen hello hallo hola bonjour letmein letmeinnow login logmein signin access
  admin administrator root superuser user guest test tester testing testtest demo sample example default changeme
  change secret topsecret private qwerty qwertz azerty qwertyuiop qwertyui qwert qwer asdf asdfgh asdfghjk asdfghjkl
  zxcv zxcvb zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc poiuyt lkjhgf mnbvcxz abc abcd abcde abcdef abcdefg abcdefgh
  iloveyou iloveu ilove loveyou love lovely lover loveme mylove babygirl baby babyboy princess prince queen king
  sunshine sunflower rainbow flower flowers butterfly angel angels heaven summer winter spring autumn fall sommer
  january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday football baseball basketball soccer hockey tennis golfer fussball futbol
  liverpool arsenal chelsea barcelona realmadrid juventus manchester lakers yankees cowboys steelers eagles
  dragon monkey tiger lion panther wolf eagle falcon dolphin horse mustang spider bear panda puppy kitty kitten
  doggy chicken turtle donkey rabbit
  master shadow superman batman spiderman ironman starwars pokemon naruto minecraft fortnite roblox playstation
  nintendo gaming gamer matrix merlin ninja samurai pirate phantom ghost warrior killer hunter ranger trooper
  michael jordan jennifer jessica ashley daniel andrew thomas robert joshua matthew anthony william nicole amanda
  charlie maggie george harley buster ginger pepper cookie cheese chocolate orange banana apple cherry peaches
  coffee butter sugar candy honey computer internet network server windows microsoft google facebook instagram
  youtube twitter android iphone samsung apple computer laptop phone mobile hacker money dollar diamond silver
  golden gold purple yellow green blue black white red freedom forever family friend friends mother father mommy
  daddy brother sister jesus christ church trustno trust whatever nothing nobody something anything everything
  blessed faith hope lucky happy smile peace music guitar metallica nirvana slipknot bigdaddy sexy hottie hotmail
  gmail yahoo america canada england france germany brazil mexico india london paris berlin newyork texas california
  florida chicago boston dallas austin phoenix ferrari porsche mercedes corvette camaro harleydavidson yamaha honda
  toyota jordan jackson taylor hannah samantha elizabeth alexander alexandra benjamin christian patrick richard
  creator creators member customer fan stage backstage`.split(/\s+/),
);

const KEYBOARD_RUNS =
  /^(?:1q2w3e|q1w2e3|1qaz|zaq1|qaz1|q1w2|a1s2d3|1a2b3c|a1b2c3|1qazxsw2|qwe123|asd123|zxc123|123qwe|123abc)/;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** With more extra characters than this, a password no longer counts as a variation of a word. */
const MAX_EXTRA_CHARACTERS = 6;

function decodeLookAlikes(text: string): string {
  return text.replace(/[0134578@$!]/g, (character) => LOOK_ALIKES[character] ?? character);
}

function listCores(lower: string): string[] {
  const atEnd = lower.replace(/[^a-z]+$/, '');
  const atBoth = atEnd.replace(/^[^a-z]+/, '');
  const cores = [
    atEnd,
    atBoth,
    decodeLookAlikes(atEnd),
    decodeLookAlikes(atBoth),
    decodeLookAlikes(atEnd).replaceAll('i', 'l'),
  ];
  if (lower.startsWith('@') || lower.startsWith('$')) cores.push(decodeLookAlikes(atEnd).replace(/[^a-z]+$/, ''));
  return cores.filter((core) => lower.length - core.length <= MAX_EXTRA_CHARACTERS);
}

function isSequence(digits: string): boolean {
  const codes = [...digits].map(Number);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  return (
    Math.abs(step) <= 1 &&
    codes.every((code, index) => index === 0 || (code - (codes[index - 1] ?? 0) + 10) % 10 === (step + 10) % 10)
  );
}

function isTrivial(lower: string): boolean {
  const letterDigits = lower.replace(/[^a-z0-9]/g, '');
  const [, letters = '', digits = ''] = /^([a-z]*)(\d*)$/.exec(letterDigits) ?? [];
  if (letters.length <= 4 && digits.length >= 4 && isSequence(digits)) return true;
  return new Set(letterDigits.replace(/\d/g, '')).size === 1 && new Set(letterDigits).size <= 3;
}

function isVariation(name: string, lower: string, cores: readonly string[]): boolean {
  const letters = name.replace(/[^a-z]+$/, '');
  if (letters.length < 4) return false;
  return (lower.includes(name) && lower.length - name.length <= MAX_EXTRA_CHARACTERS) || cores.includes(letters);
}

/** Returns the error message for the field, or undefined. */
export function findPasswordWeakness(
  password: string,
  user: { username?: string; email?: string } = {},
): string | undefined {
  const lower = password.toLowerCase();
  const cores = listCores(lower);
  const ownNames = [user.username, user.email?.split('@')[0]].map((name) => name?.toLowerCase() ?? '');
  if (ownNames.some((name) => isVariation(name, lower, cores))) {
    return texts.passwordMatchesUsernameOrEmail;
  }
  if (cores.some((core) => COMMON_TERMS.has(core)) || KEYBOARD_RUNS.test(lower) || isTrivial(lower)) {
    return texts.passwordTooCommon;
  }
  return undefined;
}
