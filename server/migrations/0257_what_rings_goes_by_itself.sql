-- What rings has a rank of its own (0), before what hurries (1) and what many are told (2): what waits moves up by one.
update pushes set rank = rank + 1 where begun_at is null and outcome is null and kind not in ('ring', 'ringEnd');
