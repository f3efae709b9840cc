create or replace function media_set_metadata() returns trigger language plpgsql as $$
begin
  new.metadata := json_build_object('id', new.id, 'kind', new.kind, 'byte_size', new.byte_size, 'width', new.width, 'height', new.height,
    'duration_seconds', new.duration_seconds, 'webp_widths', new.webp_widths, 'avif_widths', new.avif_widths, 'jpeg_width', new.jpeg_width,
    'thumbhash', new.thumbhash, 'preview_thumbhash', new.preview_thumbhash, 'preview_height', new.preview_height, 'is_public', new.is_public,
    'picture_serial', new.picture_serial, 'avif_serial', new.avif_serial, 'stream', new.stream, 'captions', new.captions,
    'teaser_serial', new.teaser_serial, 'teaser_seconds', new.teaser_seconds)::text;
  new.search_text := unaccent_lower_spaced(' ' || new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || new.file_name);
  return new;
end $$;
