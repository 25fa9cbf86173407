-- What a token may do, and until when. Tokens that exist may do what their user may, without an end.
alter table api_tokens add column scope text not null default 'write',
  add column expires_at timestamptz;
