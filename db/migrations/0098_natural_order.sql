-- The key by which names are sorted as people count: Gi1/0/2 before Gi1/0/10. Every number is padded to twenty digits.
create function natural_key(name text) returns text language sql immutable parallel safe
return regexp_replace(regexp_replace(lower(left(name, 255)), '([0-9]+)', repeat('0', 20) || '\1', 'g'),
  '0*([0-9]{20})(?![0-9])', '\1', 'g') collate "C";

revoke execute on function natural_key(text) from public;
