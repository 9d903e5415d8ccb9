import { type Kysely, sql } from 'kysely';

/** What each lab session cost on each day of the billing time zone, so that a bill reads days and not hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The twins of billingCalendar.ts: China Standard Time, without summer time.
    create function billing_day(at timestamptz) returns date language sql immutable parallel safe
      return ((at at time zone 'UTC') + interval '8 hours')::date;
    create function start_of_billing_day(day date) returns timestamptz language sql immutable parallel safe
      return (day::timestamp - interval '8 hours') at time zone 'UTC';

    create table usage_day (
      member_id uuid not null references member(id),
      day date not null,
      session_id uuid not null references lab_session(id),
      workshop_id uuid not null references workshop(id),
      micro bigint not null check (micro >= 0),
      ms bigint not null check (ms > 0),
      segments int not null check (segments > 0),
      primary key (member_id, day, session_id)
    ) with (fillfactor = 70);

    -- A projection of the segments, moved by the statement that writes them. One that reaches over midnight is shared by time; what rounding
    -- leaves goes to its later day, so that days sum to segments.
    create function usage_segment_counted() returns trigger language plpgsql as $$
    begin
      insert into usage_day as d (member_id, day, session_id, workshop_id, micro, ms, segments)
        select member_id, day, session_id, workshop_id, sum(micro), sum(ms), count(*) from (
          select f.member_id, f.session_id, f.workshop_id, billing_day(f.from_at) as day, f.micro,
            (extract(epoch from f.to_at - f.from_at) * 1000)::bigint as ms
          from fresh f where f.to_at <= start_of_billing_day(billing_day(f.from_at) + 1)
          union all
          select f.member_id, f.session_id, f.workshop_id, p.day,
            (floor(f.micro * p.until_ms / p.total_ms) - floor(f.micro * p.before_ms / p.total_ms))::bigint, (p.until_ms - p.before_ms)::bigint
          from fresh f, lateral (
            select n::date as day, extract(epoch from f.to_at - f.from_at) * 1000 as total_ms,
              extract(epoch from greatest(start_of_billing_day(n::date), f.from_at) - f.from_at) * 1000 as before_ms,
              extract(epoch from least(start_of_billing_day(n::date + 1), f.to_at) - f.from_at) * 1000 as until_ms
            from generate_series(billing_day(f.from_at)::timestamp, billing_day(f.to_at - interval '1 microsecond')::timestamp, interval '1 day') n) p
          where f.to_at > start_of_billing_day(billing_day(f.from_at) + 1)) piece
        group by member_id, day, session_id, workshop_id
        order by member_id, day, session_id
      on conflict (member_id, day, session_id)
        do update set micro = d.micro + excluded.micro, ms = d.ms + excluded.ms, segments = d.segments + excluded.segments;
      return null;
    end $$;
    create trigger usage_segment_counted after insert on usage_segment
      referencing new table as fresh for each statement execute function usage_segment_counted();
  `.execute(db);
  // What was charged before there was a trigger.
  await sql`
    insert into usage_day (member_id, day, session_id, workshop_id, micro, ms, segments)
    select member_id, day, session_id, workshop_id, sum(micro), sum(ms), count(*) from (
      select s.member_id, s.session_id, s.workshop_id, n::date as day,
        floor(s.micro * p.until_ms / p.total_ms) - floor(s.micro * p.before_ms / p.total_ms) as micro, p.until_ms - p.before_ms as ms
      from usage_segment s,
        generate_series(billing_day(s.from_at)::timestamp, billing_day(s.to_at - interval '1 microsecond')::timestamp, interval '1 day') n,
        lateral (select extract(epoch from s.to_at - s.from_at) * 1000 as total_ms,
          extract(epoch from greatest(start_of_billing_day(n::date), s.from_at) - s.from_at) * 1000 as before_ms,
          extract(epoch from least(start_of_billing_day(n::date + 1), s.to_at) - s.from_at) * 1000 as until_ms) p) piece
    group by member_id, day, session_id, workshop_id
  `.execute(db);
}
