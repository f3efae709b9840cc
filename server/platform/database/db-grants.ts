/** The product's role owns nothing and is granted exactly what modules declare, renewed at each start. */
import pg from 'pg';
import { type OwnedSchema, type SharedAccess, TABLE_PRIVILEGES, type TableGrants } from '../module.ts';

type DeclaredSchema = OwnedSchema<SharedAccess & TableGrants>;

const LIST_OBJECTS = `
  select 'table' as kind, relname as name, c.oid::regclass::text as "qualifiedName" from pg_class c
    where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and pg_has_role(relowner, 'usage')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select case prorettype when 'trigger'::regtype then 'trigger' else 'function' end, proname, p.oid::regprocedure::text from pg_proc p
    where pronamespace = $1::regnamespace and pg_has_role(proowner, 'usage')
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

const HAS_EXCESS_RIGHTS = `select exists (
  select from pg_roles r, pg_database d where r.rolname = $1 and d.datname = current_database()
    and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or exists (select from pg_auth_members m where m.member = r.oid)
      or exists (select from pg_shdepend s where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid and s.deptype = 'o'
        and (s.dbid = d.oid or s.classid = 'pg_database'::regclass and s.objid = d.oid)))) as "hasExcessRights"`;

/** Large objects are unused and would belong to their creator. Only a superuser can revoke these functions. */
const NO_LARGE_OBJECTS = `do $$ begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    revoke execute on function pg_catalog.lo_create(oid), pg_catalog.lo_creat(integer), pg_catalog.lo_from_bytea(oid, bytea) from public;
  end if;
end $$`;

export function listPrivileges({ grants, updates }: TableGrants): string[] {
  const columns = updates?.map((column) => pg.escapeIdentifier(column)).join(', ');
  return [...TABLE_PRIVILEGES[grants], ...(columns === undefined ? [] : [`update (${columns})`])];
}

export function parseRole(url: string): string {
  return new pg.Client({ connectionString: url }).user ?? '';
}

type DatabaseObject = { kind: 'table' | 'function' | 'trigger'; name: string; qualifiedName: string };

function toGrantStatements(
  objects: readonly DatabaseObject[],
  declared: DeclaredSchema,
  schema: string,
  role: string,
): string[] {
  const [revokees, grantee] = [`from public, ${role}`, `to ${role}`];
  const on = (verb: string, selected: readonly DatabaseObject[], grantees: string) =>
    selected.length > 0 ? [`${verb} ${selected.map(({ qualifiedName }) => qualifiedName).join(', ')} ${grantees}`] : [];
  const tables = objects.filter(({ kind }) => kind === 'table');
  const functions = objects.filter(({ kind }) => kind !== 'table');
  const callable = functions.filter(({ kind, name }) => kind === 'function' && Object.hasOwn(declared.functions, name));
  const granted = Map.groupBy(tables, ({ name }) =>
    listPrivileges(declared.tables[name] ?? { grants: 'none' }).join(', '),
  );
  granted.delete('');
  return [
    `revoke all on schema ${schema} ${revokees}`,
    `grant usage on schema ${schema} ${grantee}`,
    ...on('revoke all on', tables, revokees),
    ...on('revoke all on function', functions, revokees),
    ...[...granted].flatMap(([privileges, selected]) => on(`grant ${privileges} on`, selected, grantee)),
    ...on('grant execute on function', callable, grantee),
  ];
}

/**
 * Grants `role` what is declared for a schema and revokes everything else from it and from PUBLIC. Runs as the owner.
 */
export async function applyGrants(
  client: pg.Client,
  role: string,
  schema: string,
  schemas: readonly DeclaredSchema[],
): Promise<void> {
  const { rows } = await client.query<DatabaseObject>(LIST_OBJECTS, [schema]);
  const declared: DeclaredSchema = {
    tables: Object.assign({}, ...schemas.map(({ tables }) => tables)),
    functions: Object.assign({}, ...schemas.map(({ functions }) => functions)),
  };
  await client.query(
    [...toGrantStatements(rows, declared, schema, pg.escapeIdentifier(role)), NO_LARGE_OBJECTS].join(';\n'),
  );
}

/** Restricts the database to named roles, because a role that may create temporary tables may also create functions. */
export function toConnectGrant(database: string, role: string): string {
  const [on, to] = [pg.escapeIdentifier(database), pg.escapeIdentifier(role)];
  return `revoke all on database ${on} from public, ${to}; grant connect on database ${on} to ${to}`;
}

export async function hasExcessRights(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ hasExcessRights: boolean }>(HAS_EXCESS_RIGHTS, [role]);
  return rows[0]?.hasExcessRights ?? false;
}

const IDENTIFY_DATABASE =
  'select system_identifier::text as system, current_database() as name from pg_control_system()';

/** Throws when the URLs lead to different databases, because one would be migrated and the other used. */
export async function requireSameDatabase(owner: pg.Client, url: string): Promise<void> {
  const product = new pg.Client({ connectionString: url, application_name: 'stagedoor-migrate' });
  product.on('error', () => undefined);
  try {
    await product.connect();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return;
    throw error;
  }
  try {
    const [one, other] = await Promise.all([owner.query(IDENTIFY_DATABASE), product.query(IDENTIFY_DATABASE)]);
    if (JSON.stringify(one.rows) !== JSON.stringify(other.rows))
      throw new Error('DATABASE_URL and DATABASE_OWNER_URL lead to different databases.');
  } finally {
    await product.end();
  }
}
