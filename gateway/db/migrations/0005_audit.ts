import { type Kysely, sql } from 'kysely';

/** Who did what, when, from where and how it ended; kept for more than a year and never changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_entry (
      id uuid not null,
      at timestamptz not null default app_now(),
      actor_kind text not null check (actor_kind in ('member','visitor','operator')),
      -- A member's id or an operator's name.
      actor text check (char_length(actor) between 1 and 64),
      action text not null check (char_length(action) between 1 and 128),
      subject text check (char_length(subject) between 1 and 128),
      result text not null check (char_length(result) between 1 and 64),
      code int not null,
      ip text check (char_length(ip) <= 64),
      user_agent text check (char_length(user_agent) <= 256),
      trace_id text check (char_length(trace_id) <= 64),
      note text check (char_length(note) <= 500),
      check ((actor_kind = 'visitor') = (actor is null)),
      check ((result = 'OK') = (code = 0))
    ) partition by range (at);
    create index audit_entry_at on audit_entry (at);
    create index audit_entry_actor on audit_entry (actor, at);
    create index audit_entry_subject on audit_entry (subject, at);
    create table audit_entry_default partition of audit_entry default;

    -- For each row, because only such a trigger guards partitions to come as well, and against statements on a partition itself.
    create trigger audit_entry_append_only before update or delete on audit_entry for each row execute function refuse_change();
    create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_change();
    create trigger audit_entry_no_truncate before truncate on audit_entry_default for each statement execute function refuse_change();
  `.execute(db);
}
