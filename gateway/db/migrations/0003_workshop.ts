import { type Kysely, sql } from 'kysely';

/** Workshops, lab sessions with their meter, usage segments, the timeline, metrics and terminal tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row an engine instance: the UUID kept in a gateway's DATA_DIR. Only its own gateway drives its labs.
    create table engine_instance (
      id uuid primary key,
      kind text not null check (kind in ('process','container','slurm','kubernetes','simulated')),
      last_seen_at timestamptz not null default app_now()
    );

    create table workshop (
      id uuid primary key,
      member_id uuid not null references member(id),
      name text not null check (char_length(name) between 1 and 40),
      spec_id text not null,
      image_id text not null,
      max_hours smallint check (max_hours between 1 and 168),
      -- Where the home folder is.
      engine_instance_id uuid not null references engine_instance(id),
      desired text not null default 'stopped' check (desired in ('stopped','running','deleted')),
      state text not null default 'STOPPED' check (state in
        ('STOPPED','QUEUED','PULLING','STARTING','RUNNING','STOPPING','FAILED','LOST','DELETING','DELETED')),
      state_reason text not null default '',
      state_changed_at timestamptz not null default app_now(),
      failure_code text,
      failure_hint text,
      is_retryable boolean,
      generation int not null default 0 check (generation >= 0),
      created_at timestamptz not null default app_now(),
      check ((state = 'FAILED') = (failure_code is not null)),
      check ((failure_code is null) = (is_retryable is null))
    );
    -- The state machine of contract/workshopStates.ts once more; a test holds the two equal.
    create table workshop_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
    insert into workshop_transition (from_state, to_state)
      select split_part(line, ' ', 1), unnest(string_to_array(split_part(line, ' ', 2), ','))
      from unnest(array[
        'STOPPED QUEUED,DELETING',
        'QUEUED PULLING,STARTING,RUNNING,STOPPING,STOPPED,FAILED,LOST',
        'PULLING STARTING,RUNNING,STOPPING,STOPPED,FAILED,LOST',
        'STARTING RUNNING,STOPPING,STOPPED,FAILED,LOST',
        'RUNNING STOPPING,STOPPED,FAILED,LOST',
        'STOPPING STOPPED,FAILED,LOST',
        'FAILED QUEUED,STOPPING,STOPPED,DELETING',
        'LOST RUNNING,STARTING,STOPPING,STOPPED,FAILED',
        'DELETING DELETED'
      ]) line;
    create function workshop_must_follow_table() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.state <> 'STOPPED' then
          raise exception 'a workshop begins STOPPED, not %', new.state using errcode = 'check_violation';
        end if;
      elsif new.state <> old.state
        and not exists (select 1 from workshop_transition where from_state = old.state and to_state = new.state) then
        raise exception 'a workshop cannot go from % to %', old.state, new.state using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger workshop_follows_table before insert or update of state on workshop
      for each row execute function workshop_must_follow_table();

    create unique index workshop_name on workshop (member_id, lower(name)) where state not in ('DELETING','DELETED');
    create index workshop_member on workshop (member_id, created_at desc) where state <> 'DELETED';
    create index workshop_unsettled on workshop (engine_instance_id) where state not in ('STOPPED','FAILED','DELETED');

    -- What a lab has cost when it has run ms milliseconds, and the run time a cost of micro covers: the twins of metering.rules.ts.
    create function lab_cost_micro(rate bigint, base_ms bigint, base_micro bigint, ms bigint) returns bigint
      language sql immutable parallel safe return base_micro + (rate * (ms - base_ms)) / 3600000;
    create function lab_covered_ms(rate bigint, base_ms bigint, base_micro bigint, micro bigint) returns bigint
      language sql immutable parallel safe return base_ms + ((micro - base_micro + 1) * 3600000 - 1) / nullif(rate, 0);

    create table lab_session (
      id uuid primary key,
      workshop_id uuid not null references workshop(id),
      member_id uuid not null references member(id),
      generation int not null check (generation > 0),
      engine_instance_id uuid not null references engine_instance(id),
      engine_ref text,
      spec_id text not null,
      image_id text not null,
      queued_at timestamptz not null,
      started_at timestamptz,
      ended_at timestamptz,
      stop_reason text check (stop_reason in ('MEMBER','BALANCE_EXHAUSTED','LEASE_LAPSED','MAX_HOURS','LEVEL_MAX_HOURS','EXITED',
        'OUT_OF_MEMORY','DISK_FULL','START_TIMEOUT','START_FAILED','ENGINE_LOST','VANISHED','OPERATOR')),
      exit_code int,

      -- The meter. All in milliseconds the engine vouches for and micro-DCU.
      rate_micro_per_hour bigint not null check (rate_micro_per_hour >= 0),
      price_version int not null,
      price_fixed_until timestamptz not null,
      -- The newer price that was announced and when: it applies half an hour later at the earliest.
      price_notified_version int,
      price_notified_at timestamptz,
      observed_ms bigint not null default 0 check (observed_ms >= 0),
      -- Run time already covered by the hold: the engine stops the lab there by itself.
      lease_limit_ms bigint not null check (lease_limit_ms >= 0),
      held_micro bigint not null check (held_micro >= 0),
      charged_micro bigint not null default 0 check (charged_micro >= 0),
      -- Where the present rate began.
      rate_base_ms bigint not null default 0 check (rate_base_ms >= 0),
      rate_base_micro bigint not null default 0 check (rate_base_micro >= 0),
      -- The open segment; from_at is null before the first sighting and after a gap.
      segment_seq int not null default 0,
      segment_from_ms bigint not null default 0,
      segment_from_at timestamptz,
      -- Where the workshop's last segment ends: none of this session's may begin before it.
      metered_until timestamptz,
      last_seen_at timestamptz,
      warned_runway_ms bigint,

      check (observed_ms <= lease_limit_ms),
      check (segment_from_at is null or ended_at is null),
      check (segment_from_ms <= observed_ms),
      check (rate_base_ms <= observed_ms),
      -- An open session holds exactly what its lease costs beyond what is charged; an ended one holds nothing.
      check (case when ended_at is null
        then held_micro = rate_base_micro + (rate_micro_per_hour * (lease_limit_ms - rate_base_ms)) / 3600000 - charged_micro
        else held_micro = 0 end),
      check ((ended_at is null) = (stop_reason is null)),
      check ((price_notified_version is null) = (price_notified_at is null)),
      check (price_notified_version > price_version),
      unique (workshop_id, generation)
    ) with (fillfactor = 70);
    create unique index lab_session_open on lab_session (workshop_id) where ended_at is null;
    create index lab_session_member_open on lab_session (member_id) where ended_at is null;
    create index lab_session_due on lab_session (member_id) where ended_at is null and segment_from_at is not null;
    create index lab_session_workshop on lab_session (workshop_id, queued_at desc);

    create table usage_segment (
      session_id uuid not null references lab_session(id),
      seq int not null check (seq > 0),
      workshop_id uuid not null references workshop(id),
      member_id uuid not null references member(id),
      from_at timestamptz not null,
      to_at timestamptz not null check (to_at > from_at),
      rate_micro_per_hour bigint not null,
      price_version int not null,
      micro bigint not null check (micro >= 0),
      tx_id bigint unique references ledger_tx(id),
      check ((micro = 0) = (tx_id is null)),
      primary key (session_id, seq),
      exclude using gist (workshop_id with =, tstzrange(from_at, to_at) with &&)
    );
    create index usage_segment_member on usage_segment (member_id, from_at);
    create trigger usage_segment_append_only before update or delete or truncate on usage_segment for each statement execute function refuse_change();

    create table workshop_event (
      id uuid not null,
      workshop_id uuid not null,
      session_id uuid,
      at timestamptz not null default app_now(),
      from_state text,
      to_state text not null,
      reason text not null,
      actor text not null check (actor in ('member','system','operator')),
      evidence jsonb not null default '{}',
      primary key (id, at)
    ) partition by range (at);
    create index workshop_event_workshop on workshop_event (workshop_id, at desc);

    create table lab_metric (
      session_id uuid not null,
      workshop_id uuid not null,
      at timestamptz not null,
      cpu_percent real not null,
      memory_bytes bigint not null,
      disk_bytes bigint,
      cost_micro bigint not null,
      primary key (session_id, at)
    ) partition by range (at);
    create index lab_metric_workshop on lab_metric (workshop_id, at);

    -- A month's partition is made ahead; the default one catches what comes before it exists.
    create table workshop_event_default partition of workshop_event default;
    create table lab_metric_default partition of lab_metric default;

    create table terminal_ticket (
      hash bytea primary key check (octet_length(hash) = 32),
      member_id uuid not null references member(id),
      workshop_id uuid not null references workshop(id),
      login_session_id uuid not null references login_session(id),
      terminal_id uuid not null,
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index terminal_ticket_expiry on terminal_ticket (expires_at);
  `.execute(db);
}
