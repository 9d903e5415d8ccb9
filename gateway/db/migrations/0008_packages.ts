import { type Kysely, sql } from 'kysely';

/** Coupons, packages and points; every rule of theirs once more as a constraint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCoupons(db);
  await createPackages(db);
  await createPoints(db);
}

async function createCoupons(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table coupon (
      id uuid primary key,
      member_id uuid not null references member(id),
      campaign_id text not null,
      -- As the campaign said when it was issued: title in every language, kind, value, scope, minimum.
      terms jsonb not null,
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      state text not null default 'AVAILABLE' check (state in ('AVAILABLE','RESERVED','USED')),
      order_id uuid,
      used_at timestamptz,
      -- Never twice: 'code:<campaign>:<member>', 'operator:<ref>:<member>', 'reward:<key>'.
      issue_key text not null unique,
      created_at timestamptz not null default app_now(),
      foreign key (order_id, member_id) references "order"(id, member_id),
      check ((state = 'AVAILABLE') = (order_id is null)),
      check ((state = 'USED') = (used_at is not null))
    );
    create index coupon_member on coupon (member_id, ends_at, id);
    -- One coupon an order.
    create unique index coupon_order on coupon (order_id) where order_id is not null;
    create function coupon_must_follow_table() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.state <> 'AVAILABLE' then
          raise exception 'a coupon begins AVAILABLE' using errcode = 'check_violation';
        end if;
      elsif (old.state, new.state) not in (('AVAILABLE','RESERVED'), ('RESERVED','USED'), ('RESERVED','AVAILABLE'), ('USED','AVAILABLE')) then
        raise exception 'a coupon cannot go from % to %', old.state, new.state using errcode = 'check_violation';
      elsif old.state = 'RESERVED' and new.state = 'USED' and new.order_id <> old.order_id then
        raise exception 'a coupon is used on the order it is reserved for' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger coupon_follows_table before insert or update of state, order_id on coupon
      for each row execute function coupon_must_follow_table();

    -- How often a campaign's code was redeemed; once a member.
    create table campaign_total (
      campaign_id text primary key,
      redeemed int not null default 0 check (redeemed >= 0),
      most int check (redeemed <= most)
    );
    create table campaign_redemption (
      campaign_id text not null references campaign_total(campaign_id),
      member_id uuid not null references member(id),
      at timestamptz not null default app_now(),
      primary key (campaign_id, member_id)
    );
  `.execute(db);
}

async function createPackages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table purchased_package_item (
      id uuid primary key,
      member_id uuid not null references member(id),
      source text not null check (source in ('ORDER','GIFT')),
      order_id uuid unique,
      -- Of a gift, never twice.
      gift_key text unique,
      package_id text not null,
      name jsonb not null,
      level_flag smallint not null check (level_flag between 1 and 3),
      ceilings jsonb not null,
      -- The cash it stands for: what was paid, and the credit of the lower one it replaced.
      value_fen bigint not null check (value_fen >= 0),
      -- When it began or will, and ends; moved together while it waits behind a higher one.
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      -- What one had bought when it began, in milliseconds: time is moved, never made.
      total_ms bigint not null check (total_ms > 0),
      -- Its monthly grants hang on this day.
      anchor_at timestamptz not null,
      months smallint check (months between 1 and 12),
      monthly_micro bigint not null check (monthly_micro >= 0),
      -- Of the DCU it brings, what the lower one it replaced had brought already.
      carried_micro bigint not null default 0 check (carried_micro >= 0),
      granted_micro bigint not null default 0 check (granted_micro >= 0),
      grants_made smallint not null default 0 check (grants_made >= 0),
      next_grant_at timestamptz,
      state text not null check (state in ('QUEUED','ACTIVE','PAUSED','ENDED','UPGRADED','REFUNDED')),
      ended_at timestamptz,
      -- The pending order that counts on its credit; nothing else may end it meanwhile.
      credit_order_id uuid,
      credited_fen bigint not null default 0 check (credited_fen between 0 and value_fen),
      created_at timestamptz not null,
      foreign key (order_id, member_id) references "order"(id, member_id),
      foreign key (credit_order_id, member_id) references "order"(id, member_id),
      check ((source = 'ORDER') = (order_id is not null)),
      check ((source = 'GIFT') = (gift_key is not null)),
      check (source = 'ORDER' or (value_fen = 0 and monthly_micro = 0)),
      check (granted_micro <= monthly_micro * coalesce(months, 0)),
      check (grants_made <= coalesce(months, 0)),
      check ((state in ('ENDED','UPGRADED','REFUNDED')) = (ended_at is not null)),
      check (next_grant_at is null or ended_at is null),
      check (credited_fen = 0 or state = 'UPGRADED'),
      check (ends_at - starts_at = total_ms * interval '1 millisecond')
    );
    create function package_item_must_follow() returns trigger language plpgsql as $$
    begin
      if new.state <> old.state and old.state || ' ' || new.state not in (
        'QUEUED ACTIVE', 'QUEUED ENDED', 'QUEUED REFUNDED', 'ACTIVE PAUSED', 'ACTIVE ENDED', 'ACTIVE UPGRADED', 'ACTIVE REFUNDED',
        'PAUSED ACTIVE', 'PAUSED ENDED', 'PAUSED UPGRADED', 'PAUSED REFUNDED', 'REFUNDED ACTIVE', 'REFUNDED QUEUED', 'REFUNDED PAUSED') then
        raise exception 'a package cannot go from % to %', old.state, new.state using errcode = 'check_violation';
      end if;
      if (new.member_id, new.source, new.order_id, new.gift_key, new.package_id, new.level_flag, new.ceilings, new.value_fen, new.total_ms,
          new.months, new.monthly_micro, new.carried_micro, new.created_at)
        is distinct from (old.member_id, old.source, old.order_id, old.gift_key, old.package_id, old.level_flag, old.ceilings, old.value_fen,
          old.total_ms, old.months, old.monthly_micro, old.carried_micro, old.created_at) then
        raise exception 'what a package stands for never changes' using errcode = 'check_violation';
      end if;
      if new.granted_micro < old.granted_micro or new.grants_made < old.grants_made then
        raise exception 'a grant is never unmade' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger package_item_follows before update on purchased_package_item for each row execute function package_item_must_follow();
    create trigger package_item_kept before delete or truncate on purchased_package_item for each statement execute function refuse_change();
    create index purchased_package_item_credit on purchased_package_item (credit_order_id) where credit_order_id is not null;
    create index purchased_package_item_member on purchased_package_item (member_id, created_at desc, id desc);
    create unique index purchased_package_item_active on purchased_package_item (member_id) where state = 'ACTIVE';
    create index purchased_package_item_due on purchased_package_item (next_grant_at) where next_grant_at is not null;
    create index purchased_package_item_end on purchased_package_item (ends_at) where state = 'ACTIVE';

    alter table membership_period
      add column item_id uuid references purchased_package_item(id),
      add column name jsonb,
      add column ceilings jsonb;
    create index membership_period_member on membership_period (member_id, ends_at);
    create index membership_period_item on membership_period (item_id) where item_id is not null;

    -- What its home holds, as last seen: the level's storage is measured by it.
    alter table workshop add column disk_bytes bigint not null default 0 check (disk_bytes >= 0);
  `.execute(db);
}

async function createPoints(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_tx drop constraint ledger_tx_kind_check;
    alter table ledger_tx add constraint ledger_tx_kind_check check (kind in (
      'gift','grant','purchase','usage','expiry','refund','adjust',
      'earn','task','checkIn','spend','reward','return','withdraw'));
    insert into ledger_account (owner_kind, owner_id, asset, purpose)
      select 'platform', 'atelier', 'POINT', purpose from unnest(array['gift','purchase','usage','refund','adjust']) purpose;
    -- Every member has both wallets.
    with account as (
      insert into ledger_account (owner_kind, owner_id, asset, purpose) select 'member', id::text, 'POINT', 'wallet' from member returning id, owner_id)
    insert into wallet (member_id, asset, account_id) select owner_id::uuid, 'POINT', id from account;

    create table check_in (
      member_id uuid not null references member(id),
      -- A day of the billing time zone.
      day date not null,
      streak int not null check (streak > 0),
      points bigint not null check (points >= 0),
      primary key (member_id, day)
    );

    -- Below this much the member is told, once until it is above again.
    create table balance_alert (
      member_id uuid primary key references member(id),
      threshold_micro bigint not null check (threshold_micro > 0 and threshold_micro <= 1000000000000),
      is_by_sms boolean not null,
      -- In which language the text is written: that of the page where the member asked for it.
      language text not null check (language in ('en-US', 'zh-CN')),
      -- Since when the balance is below; null while it is not. Its end makes the alert ready to speak again.
      below_since timestamptz,
      text_due_at timestamptz check (text_due_at is null or (is_by_sms and below_since is not null)),
      text_sent_at timestamptz,
      updated_at timestamptz not null
    );
    create index balance_alert_text_due on balance_alert (text_due_at) where text_due_at is not null;
  `.execute(db);
}
