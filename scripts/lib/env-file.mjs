/** Writes a file with all settings of production. The README's table of settings describes them. */
import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, root } from './project.mjs';

export const ENV_FILE = join(root, '.env');

const createHexSecret = () => randomBytes(32).toString('hex');

function createVapidKey() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  // The key has fewer bytes when it begins with zeros.
  return Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

const GENERATED = {
  SESSION_SECRET: createHexSecret,
  LEDGER_LOG_SIGNING_KEY: createHexSecret,
  VAPID_PRIVATE_KEY: createVapidKey,
  CCBILL_WEBHOOK_SECRET: createHexSecret,
  METRICS_TOKEN: createHexSecret,
};

/** Settings that a site with payments, mail and calls needs, and that only its operator knows. */
const OWN = [
  ...['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM'],
  ...['CCBILL_ACCOUNT', 'CCBILL_SUBACCOUNT', 'CCBILL_FLEX_ID', 'CCBILL_SALT'],
  ...['CCBILL_DATALINK_USERNAME', 'CCBILL_DATALINK_PASSWORD'],
  ...['TURN_URLS', 'TURN_SECRET'],
];

const toPlainText = (markdown) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** Returns the rows of the table. A row may have several variables, in its first column or in its description. */
export function listSettings(readme = readFileSync(join(root, 'README.md'), 'utf8')) {
  const rows = [...readme.matchAll(/^\| (`[A-Z][A-Z0-9_]+`.*?) \| (.*?) \| (.*) \|$/gm)];
  const named = new Set(rows.flatMap(([, names]) => names.match(/[A-Z][A-Z0-9_]+/g) ?? []));
  return rows.map(([, names, fallback, description]) => ({
    variables: [
      ...(names.match(/[A-Z][A-Z0-9_]+/g) ?? []),
      ...(description.match(/(?<=`)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=`)/g) ?? []).filter((name) => !named.has(name)),
    ],
    fallback: toPlainText(fallback),
    description: toPlainText(description),
  }));
}

function formatSetting(settings, variable, line) {
  const setting = settings.find(({ variables }) => variables.includes(variable));
  const lead = setting ? [`# ${setting.description}`] : [];
  return [...lead, line].join('\n');
}

/** The text is valid for `EnvironmentFile` of systemd and for Node. An empty value counts as not set. */
export function createEnvFile() {
  const settings = listSettings();
  const known = new Set(['NODE_ENV', ...Object.keys(GENERATED), ...OWN]);
  const rest = settings
    .map(({ variables, fallback, description }) => ({
      variables: variables.filter((variable) => !known.has(variable)),
      lead: `# ${description} Default: ${fallback}.`,
    }))
    .filter(({ variables }) => variables.length > 0);
  return `${[
    '# Settings of Stagedoor. Back up this file and keep it secret: without its secrets, stored documents cannot be read.',
    'NODE_ENV=production',
    '## Generated secrets',
    ...Object.entries(GENERATED).map(([variable, create]) =>
      formatSetting(settings, variable, `${variable}=${create()}`),
    ),
    '## Fill these in',
    ...OWN.map((variable) => formatSetting(settings, variable, `${variable}=`)),
    '## Optional',
    ...rest.map(({ variables, lead }) => [lead, ...variables.map((variable) => `#${variable}=`)].join('\n')),
  ].join('\n\n')}\n`;
}

/** Never overwrites a file, because the secrets of an installation cannot be restored. */
export function writeEnvFile(file) {
  try {
    writeFileSync(file, createEnvFile(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    throw new CommandError(
      `${file} exists and is not overwritten, because its secrets cannot be restored. Name another file: npm run configure -- FILE`,
    );
  }
}

/** Reads `.env` of this folder for commands of an installation. Variables that are set already win. */
export function loadEnvFile() {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
}
