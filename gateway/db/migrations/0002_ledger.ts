import { type Kysely, sql } from 'kysely';

/** The DCU ledger: append-only double entry, wallets as its projection, lots as what a balance is made of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_account (
      id bigint generated always as identity primary key,
      owner_kind text not null check (owner_kind in ('member','platform')),
      owner_id text not null,
      asset text not null check (asset in ('DCU','POINT')),
      purpose text not null check (purpose in ('wallet','gift','purchase','usage','breakage','refund','adjust')),
      check ((owner_kind = 'member') = (purpose = 'wallet')),
      unique (owner_kind, owner_id, asset, purpose)
    );
    insert into ledger_account (owner_kind, owner_id, asset, purpose)
      select 'platform', 'atelier', 'DCU', purpose from unnest(array['gift','purchase','usage','breakage','refund','adjust']) purpose;

    create table ledger_tx (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('gift','grant','purchase','usage','expiry','refund','adjust')),
      -- Never pruned: at-most-once rests on it ('gift:signup:<hmac>', 'usage:<session>:<seq>', 'expire:<lot>:<n>').
      idem_key text not null unique,
      ref_type text not null,
      ref_id text not null,
      note text not null default '',
      actor text not null default 'system',
      created_at timestamptz not null default app_now()
    );

    create table ledger_entry (
      tx_id bigint not null references ledger_tx(id),
      line smallint not null,
      account_id bigint not null references ledger_account(id),
      asset text not null check (asset in ('DCU','POINT')),
      amount bigint not null check (amount <> 0),
      -- Both set for member wallets only.
      account_seq bigint,
      balance_after bigint check (balance_after >= 0),
      primary key (tx_id, line),
      unique (account_id, account_seq),
      check ((account_seq is null) = (balance_after is null))
    );

    create function ledger_tx_must_balance() returns trigger language plpgsql as $$
    declare
      tx bigint := case when tg_table_name = 'ledger_tx' then (to_jsonb(new)->>'id')::bigint else (to_jsonb(new)->>'tx_id')::bigint end;
      unbalanced record;
    begin
      select count(*) as lines, coalesce(bool_or(total <> 0), false) as is_off into unbalanced
        from (select asset, count(*) as n, sum(amount) over (partition by asset) as total
              from ledger_entry where tx_id = tx group by asset, amount, line) e;
      if unbalanced.lines < 2 or unbalanced.is_off then
        raise exception 'ledger transaction % does not balance', tx using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_tx_balances after insert on ledger_tx
      deferrable initially deferred for each row execute function ledger_tx_must_balance();
    create constraint trigger ledger_entry_balances after insert on ledger_entry
      deferrable initially deferred for each row execute function ledger_tx_must_balance();

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger ledger_tx_append_only before update or delete or truncate on ledger_tx for each statement execute function refuse_change();
    create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry for each statement execute function refuse_change();

    -- A projection of the entries, moved in the same transaction; posted >= held makes an overdraft unwritable.
    create table wallet (
      member_id uuid not null references member(id),
      asset text not null check (asset in ('DCU','POINT')),
      account_id bigint not null unique references ledger_account(id),
      posted bigint not null default 0 check (posted >= 0),
      held bigint not null default 0 check (held >= 0),
      seq bigint not null default 0,
      check (posted >= held),
      primary key (member_id, asset)
    );

    create table dcu_lot (
      id bigint generated always as identity primary key,
      member_id uuid not null references member(id),
      origin_tx_id bigint not null unique references ledger_tx(id),
      source text not null check (source in ('gift','membership','coupon','purchase','refund')),
      order_id uuid,
      granted bigint not null check (granted > 0),
      remaining bigint not null check (remaining between 0 and granted),
      granted_at timestamptz not null,
      expires_at timestamptz check (expires_at > granted_at)
    );
    -- Burn order: soonest expiring, then oldest.
    create index dcu_lot_burn on dcu_lot (member_id, expires_at nulls last, granted_at, id) where remaining > 0;
    create index dcu_lot_expiry on dcu_lot (expires_at) where remaining > 0 and expires_at is not null;

    create table lot_use (
      tx_id bigint not null references ledger_tx(id),
      lot_id bigint not null references dcu_lot(id),
      amount bigint not null check (amount > 0),
      primary key (tx_id, lot_id)
    );
    create index lot_use_lot on lot_use (lot_id);
    create trigger lot_use_append_only before update or delete or truncate on lot_use for each statement execute function refuse_change();
  `.execute(db);
}
