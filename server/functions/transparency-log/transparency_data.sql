-- Returns the data of a leaf, whose SHA-256 is published: the first half of its salt in hex, then canonical JSON.
-- Fields that only the owner of the money may see are replaced by a hash salted with the second half, so that the
-- counterparty can be shown the rest.
create or replace function transparency_data(p_salt bytea, p_type text, p_body jsonb, p_sealed jsonb) returns text language sql immutable as $$
  select encode(substring(p_salt, 1, 16), 'hex') || jsonb_build_object('v', 1, 'type', p_type, 'body', p_body,
    'sealed', encode(sha256(convert_to(encode(substring(p_salt, 17, 16), 'hex') || p_sealed::text, 'UTF8')), 'hex'))::text
$$;
