import { type Kysely, sql } from 'kysely';

/** Labs in full: idle rule and extensions, what a run printed and used, images made of labs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendWorkshops(db);
  await extendSessions(db);
  await createImages(db);
}

async function extendWorkshops(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An engine that fetches images says so after it accepted a start.
    insert into workshop_transition (from_state, to_state) values ('STARTING','PULLING'), ('LOST','PULLING');

    alter table workshop
      -- Stopped by itself after so long without use; null never.
      add column idle_minutes smallint check (idle_minutes between 15 and 1440),
      add column env jsonb not null default '{}' check (jsonb_typeof(env) = 'object'),
      add column network text not null default 'none' check (network in ('none','egress')),
      -- When the home was filled from the archive of the workshop's image; null where the image has none or the home is to be filled.
      add column home_filled_at timestamptz;
    -- Homes that were lived in take nothing from an image any more.
    update workshop set home_filled_at = app_now() where generation > 0;
  `.execute(db);
}

async function extendSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table lab_session drop constraint lab_session_stop_reason_check;
    alter table lab_session add constraint lab_session_stop_reason_check check (stop_reason in ('MEMBER','FORCED','CANCELLED','IDLE',
      'BALANCE_EXHAUSTED','LEASE_LAPSED','MAX_HOURS','LEVEL_MAX_HOURS','EXITED',
      'OUT_OF_MEMORY','DISK_FULL','START_TIMEOUT','START_FAILED','ENGINE_LOST','VANISHED','OPERATOR'));
    alter table lab_session
      -- What the member added to the workshop's maximum hours for this run.
      add column extended_ms bigint not null default 0 check (extended_ms >= 0),
      -- When it was last seen in use; null before it is seen running.
      add column active_at timestamptz,
      add column progress jsonb,
      -- The workshop's choices at the start of the run, so that the run can be copied later.
      add column setup jsonb not null default '{}',
      -- What an ended run used, kept when its samples are gone.
      add column cpu_p95_percent real check (cpu_p95_percent >= 0),
      add column memory_peak_bytes bigint check (memory_peak_bytes >= 0),
      -- Taken out of the member's list; the bill stays.
      add column hidden_at timestamptz,
      add constraint lab_session_hidden_ended check (hidden_at is null or ended_at is not null);
    create index lab_session_member on lab_session (member_id, queued_at desc, id desc) where hidden_at is null;

    -- Since the look before, like the CPU's per cent; null where the lab has no network.
    alter table lab_metric add column rx_bytes_per_second bigint, add column tx_bytes_per_second bigint;

    -- The tail of what a run printed, kept when it ends.
    create table lab_output (
      session_id uuid primary key references lab_session(id),
      tail bytea not null check (octet_length(tail) <= 262144),
      is_cut boolean not null,
      saved_at timestamptz not null default app_now()
    );
  `.execute(db);
}

async function createImages(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An image a member made of a workshop: a catalogue image, the archive of a home and, where the engine has images, a layer of its own.
    create table lab_image (
      id uuid primary key,
      member_id uuid not null references member(id),
      workshop_id uuid not null references workshop(id),
      name text not null check (char_length(name) between 1 and 40),
      tag text not null check (tag ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$'),
      description text not null default '' check (char_length(description) <= 500),
      -- The image of the catalogue at its root, and the lab image it was made from, where it was.
      base_image_id text not null,
      parent_id uuid references lab_image(id),
      engine_instance_id uuid not null references engine_instance(id),
      state text not null check (state in ('SAVING','READY','FAILED','DELETED')),
      progress jsonb,
      failure_code text,
      archive_key text,
      archive_bytes bigint check (archive_bytes >= 0),
      archive_sha256 bytea check (octet_length(archive_sha256) = 32),
      files int check (files >= 0),
      -- Files by whose names one would keep keys and passwords; whoever publishes says of each that it may be seen.
      secret_paths jsonb not null default '[]' check (jsonb_typeof(secret_paths) = 'array'),
      reference text,
      layer_bytes bigint check (layer_bytes >= 0),
      published_at timestamptz,
      stars int not null default 0 check (stars >= 0),
      uses int not null default 0 check (uses >= 0),
      -- Who is saving it, until when that is believed, and how often it was begun.
      claim_id uuid,
      claimed_until timestamptz,
      attempts smallint not null default 0 check (attempts >= 0),
      created_at timestamptz not null default app_now(),
      ready_at timestamptz,
      deleted_at timestamptz,
      check ((state = 'FAILED') = (failure_code is not null)),
      check (state <> 'READY' or (archive_key is not null and archive_bytes is not null and archive_sha256 is not null and ready_at is not null)),
      check (published_at is null or state = 'READY'),
      check ((state = 'DELETED') = (deleted_at is not null))
    );
    create unique index lab_image_name on lab_image (member_id, lower(name), tag) where state in ('SAVING','READY');
    create unique index lab_image_saving on lab_image (workshop_id) where state = 'SAVING';
    create index lab_image_member on lab_image (member_id, created_at desc, id desc) where state <> 'DELETED';
    create index lab_image_community on lab_image (published_at desc, id desc) where published_at is not null;
    -- What is left of deleted ones until nothing needs it.
    create index lab_image_leftover on lab_image (deleted_at) where state in ('DELETED','FAILED') and (archive_key is not null or reference is not null);
    create index workshop_image on workshop (image_id) where state <> 'DELETED';

    create table lab_image_star (
      image_id uuid not null references lab_image(id),
      member_id uuid not null references member(id),
      created_at timestamptz not null default app_now(),
      primary key (image_id, member_id)
    );

    -- What the registry gave a member once; the secret is encrypted by the gateway.
    create table registry_account (
      member_id uuid primary key references member(id),
      robot_id bigint not null,
      robot_name text not null,
      secret_cipher bytea not null,
      expires_at timestamptz,
      created_at timestamptz not null default app_now()
    );
  `.execute(db);
}
