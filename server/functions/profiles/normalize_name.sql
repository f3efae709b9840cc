-- Reduces a name to its appearance, so that look-alike names compare as equal. Ignores accents, case, spaces and
-- punctuation, and maps the most common of Unicode's confusables (UTS 39).
create or replace function normalize_name(text) returns text language sql immutable strict parallel safe
  return replace(replace(translate(
    regexp_replace(
      unaccent_lower(translate(normalize($1, NFKD),
        'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿαγεηικνορστυχωϳАВЕКМНОРСТУХЅІЈԌԚԜѴҮҺЗавгекмнорстухѕіјԁԍԛԝѵүһьзӀӏԼՏՕՍազհյոսցօքեᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᏆᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩıʋɾǀƽꮯ',
        'ABEZHIKMNOPTYXJayenikvopotuxwjABEKMHOPCTYXSIJGQWVYH3abrekmhopctyxsijdgqwvyhb3llLSOUwqhjnugoftABCDEGHJKLMPRSTVWZIabcdefghijklmnoprstuvwyzagiivrlsc')) collate pg_c_utf8,
      '[^[:alnum:]]+', '', 'g'),
    'l10', 'iio'), 'rn', 'm'), 'vv', 'w');
