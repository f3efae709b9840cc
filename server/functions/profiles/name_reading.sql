-- How a name reads at a glance: two that read alike are taken for each other. Accents, case, spaces and signs count for nothing, and
-- letters that look like others are those; the letters are the commonest of Unicode's confusables (UTS 39), without its long tail.
create or replace function name_reading(text) returns text language sql immutable strict parallel safe
  return replace(replace(translate(
    regexp_replace(
      plain(translate(normalize($1, NFKD),
        'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿαγεηικνορστυχωϳАВЕКМНОРСТУХЅІЈԌԚԜѴҮҺЗавгекмнорстухѕіјԁԍԛԝѵүһьзӀӏԼՏՕՍազհյոսցօքեᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᏆᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩıʋɾǀƽꮯ',
        'ABEZHIKMNOPTYXJayenikvopotuxwjABEKMHOPCTYXSIJGQWVYH3abrekmhopctyxsijdgqwvyhb3llLSOUwqhjnugoftABCDEGHJKLMPRSTVWZIabcdefghijklmnoprstuvwyzagiivrlsc')) collate pg_c_utf8,
      '[^[:alnum:]]+', '', 'g'),
    'l10', 'iio'), 'rn', 'm'), 'vv', 'w');
