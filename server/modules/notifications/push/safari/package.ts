/**
 * The push package of Safari's legacy website push: what the permission prompt shows, hashed in a manifest that is
 * signed with the operator's certificate (detached PKCS #7, Apple's “Building the Push Package”).
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import type { Config } from '../../../../platform/config.ts';

export type PackageVersion = 'v1' | 'v2';
type PackageFiles = ReadonlyMap<string, Buffer>;
type Safari = NonNullable<Config['push']['safari']>;

const ICON = path.join(import.meta.dirname, '../../../../../web/public/icon-512.png');
const ICON_SIZES = [16, 32, 128];
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

export const webServiceUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>) => `${publicUrl}/api/web-notify`;

let icons: Promise<PackageFiles> | undefined;
function drawIcons(): Promise<PackageFiles> {
  const sizes = ICON_SIZES.flatMap((size) => [
    { name: `icon_${size}x${size}.png`, pixels: size },
    { name: `icon_${size}x${size}@2x.png`, pixels: size * 2 },
  ]);
  return Promise.all(
    sizes.map(async ({ name, pixels }) => {
      const drawn = await sharp(ICON).resize(pixels, pixels).png().toBuffer();
      return [`icon.iconset/${name}`, drawn] as const;
    }),
  ).then((drawn) => new Map(drawn));
}

function websiteJson({ publicUrl }: Pick<Config, 'publicUrl'>, { id }: Safari, token: string): Buffer {
  const website = {
    websiteName: 'Stagedoor',
    websitePushID: id,
    allowedDomains: [publicUrl],
    // The push contains the path.
    urlFormatString: `${publicUrl}/%@`,
    authenticationToken: token,
    webServiceURL: webServiceUrl({ publicUrl }),
  };
  return Buffer.from(JSON.stringify(website));
}

function createManifest(files: PackageFiles, version: PackageVersion): Buffer {
  const hashed = [...files].map(([name, bytes]) => {
    const hash = (type: string) => createHash(type).update(bytes).digest('hex');
    return [name, version === 'v1' ? hash('sha1') : { hashType: 'sha512', hashValue: hash('sha512') }];
  });
  return Buffer.from(JSON.stringify(Object.fromEntries(hashed)));
}

async function sign(manifest: Buffer, { certificates, key }: Safari): Promise<Buffer> {
  const { default: forge } = await import('node-forge');
  const chain = (certificates.match(PEM) ?? []).map((pem) => forge.pki.certificateFromPem(pem));
  const [own] = chain;
  if (!own) throw new Error('SAFARI_PUSH_CERTIFICATE holds no certificate');
  const signed = forge.pkcs7.createSignedData();
  signed.content = forge.util.createBuffer(manifest.toString('binary'));
  for (const certificate of chain) signed.addCertificate(certificate);
  const { oids } = forge.pki;
  const attribute = (name: string) => oids[name] ?? '';
  signed.addSigner({
    key: forge.pki.privateKeyFromPem(key),
    certificate: own,
    digestAlgorithm: attribute('sha256'),
    authenticatedAttributes: [
      { type: attribute('contentType'), value: attribute('data') },
      { type: attribute('messageDigest') },
      { type: attribute('signingTime') },
    ],
  });
  signed.sign({ detached: true });
  return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'binary');
}

/** Creates the package as a ZIP file. Safari sends `token` with its later requests. */
export async function createPushPackage(
  config: Pick<Config, 'publicUrl'>,
  safari: Safari,
  { version, token }: { version: PackageVersion; token: string },
): Promise<AsyncIterable<Uint8Array>> {
  icons ??= drawIcons();
  const files = new Map([['website.json', websiteJson(config, safari, token)], ...(await icons)]);
  const manifest = createManifest(files, version);
  const zip = new ZipFile();
  const all = [...files, ['manifest.json', manifest] as const, ['signature', await sign(manifest, safari)] as const];
  for (const [name, bytes] of all) zip.addBuffer(bytes, name);
  zip.end();
  return toChunks(zip.outputStream);
}

async function* toChunks(stream: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}
