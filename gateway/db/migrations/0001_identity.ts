import { type Kysely, sql } from 'kysely';

/** Clock, installation, members, login sessions, verification codes, limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists btree_gist;

    -- The one clock of money and metering, in whole milliseconds so that a JavaScript Date carries it without loss.
    -- Tests replace this function in their own database.
    create function app_now() returns timestamptz language sql volatile parallel safe
      as $$ select date_trunc('milliseconds', clock_timestamp()) $$;

    create table installation (
      id uuid primary key,
      is_singleton boolean not null default true unique check (is_singleton),
      -- Key of HMACs that must outlive a member (one signup gift a number, one mailbox a student).
      hmac_key bytea not null check (octet_length(hmac_key) = 32),
      created_at timestamptz not null default app_now()
    );

    create table member (
      id uuid primary key,
      username text not null check (username ~ '^[A-Za-z][A-Za-z0-9_.-]{2,31}$'),
      username_key text not null unique generated always as (lower(username)) stored,
      password_hash text not null,
      mobile text not null unique check (mobile ~ '^\\+[1-9][0-9]{5,14}$'),
      email text,
      is_real_name boolean not null default false,
      is_student boolean not null default false,
      source text check (char_length(source) <= 64),
      event_code text check (char_length(event_code) <= 64),
      created_at timestamptz not null default app_now()
    );

    -- The two-part login session: id is the selector in a script-readable cookie, the secret is kept hashed only.
    create table login_session (
      id uuid primary key,
      member_id uuid not null references member(id),
      secret_hash bytea not null check (octet_length(secret_hash) = 32),
      is_kept boolean not null,
      ip text not null,
      user_agent text not null check (char_length(user_agent) <= 256),
      created_at timestamptz not null default app_now(),
      last_seen_at timestamptz not null default app_now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index login_session_member on login_session (member_id) where revoked_at is null;
    create index login_session_address on login_session (member_id, ip);

    create table verification_code (
      id uuid primary key,
      mobile text not null,
      scene text not null check (scene in ('login','register','reset','changeMobile','closeAccount')),
      code_hash bytea not null check (octet_length(code_hash) = 32),
      tries_left smallint not null check (tries_left >= 0),
      ip text not null,
      created_at timestamptz not null default app_now(),
      expires_at timestamptz not null,
      used_at timestamptz,
      voided_at timestamptz
    );
    -- One code in force for a number and scene: a new one voids the old.
    create unique index verification_code_in_force on verification_code (mobile, scene) where used_at is null and voided_at is null;
    create index verification_code_sent on verification_code (mobile, created_at);
    create index verification_code_asked on verification_code (ip, created_at);

    -- Texts sent on a day over all numbers; the row's lock makes the budget exact over any number of gateways.
    create table sms_budget (
      day date primary key,
      sent integer not null check (sent > 0)
    );

    -- Failed sign-ins of an account, once per address and once over all; the next try is refused before blocked_until.
    create table login_slowdown (
      key text primary key,
      failures integer not null check (failures >= 0),
      last_failed_at timestamptz not null,
      blocked_until timestamptz
    );

    -- Windowed counters, in the shape rate-limiter-flexible reads and writes.
    create table rate_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );

    -- Membership periods carry package, level and expiry of the session user; a member without one is at level 0.
    create table membership_period (
      id uuid primary key,
      member_id uuid not null references member(id),
      package_name text not null,
      level_flag smallint not null check (level_flag between 0 and 3),
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      exclude using gist (member_id with =, tstzrange(starts_at, ends_at) with &&)
    );

    create table idempotency (
      member_id uuid not null references member(id),
      route text not null,
      key text not null check (char_length(key) between 8 and 128),
      request_hash bytea not null,
      status smallint,
      body jsonb,
      created_at timestamptz not null default app_now(),
      primary key (member_id, route, key)
    );
    create index idempotency_age on idempotency (created_at);
  `.execute(db);
}
