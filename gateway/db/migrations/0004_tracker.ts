import { type Kysely, sql } from 'kysely';

/** What the usage tracker tells. Nobody is named: a visit is a random number of one browser tab. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tracker_event (
      at timestamptz not null,
      visit_id uuid not null,
      is_signed_in boolean not null,
      source text check (char_length(source) <= 64),
      event_code text check (char_length(event_code) <= 64),
      kind text not null check (kind in ('pageView','click','error','timing')),
      -- Once more what the contract demands: a pattern holds no digit but those of /404, so no id and no number of anybody's.
      route text not null check (char_length(route) <= 160 and (route = '/404' or route !~ '[^A-Za-z/:-]')),
      element text check (char_length(element) <= 64 and element !~ '[^A-Za-z._-]'),
      error_type text check (char_length(error_type) <= 64),
      file text check (char_length(file) <= 128),
      line int,
      "column" int,
      timing text,
      duration_ms int check (duration_ms >= 0),
      check ((kind = 'click') = (element is not null)),
      check ((kind = 'error') = (error_type is not null)),
      check (kind = 'error' or num_nonnulls(file, line, "column") = 0),
      check (num_nonnulls(timing, duration_ms) = case kind when 'timing' then 2 else 0 end)
    ) partition by range (at);
    create index tracker_event_at on tracker_event (at);
    create table tracker_event_default partition of tracker_event default;
  `.execute(db);
}
