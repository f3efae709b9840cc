-- Returns the SHA-256 of the previous hash and all other fields as the text of a jsonb array, which is canonical.
create or replace function audit_hash(p_row audit_log) returns bytea language sql immutable as $$
  select sha256(p_row.previous_hash || convert_to(jsonb_build_array(p_row.id, p_row.position,
    (extract(epoch from p_row.at) * 1000)::bigint, p_row.operator_id, p_row.action, p_row.subject_kind, p_row.subject_id, p_row.details)::text, 'UTF8'))
$$;
